//! Common subexpressions: an operation whose operands are those of another is replaced by a copy of the
//! other's result.
//!
//! The other operation stands in the same block or in a block around it. Both are pure, or read an element of
//! an I-structure. Such an element has one value, and two reads of it wait equally long.

use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::HashMap;

/// How often a block is visited: two operands may be found to be equal only after the visit of their uses.
const ROUNDS: usize = 4;

/// An operation and its operands.
type Key = (u8, u64, Vec<AtomKey>);

/// Eliminates the common subexpressions of one function.
pub fn eliminate(f: &mut Func) {
    let mut scope = Scope { seen: Vec::new(), same: HashMap::new() };
    scope.block(&mut f.body);
    if !scope.same.is_empty() {
        crate::passes::simplify::simplify_function(f);
    }
}

struct Scope {
    /// The operations of the open blocks, the outermost first, and their results.
    seen: Vec<HashMap<Key, Var>>,
    /// Variables that are copies, and the variables that they copy.
    same: HashMap<Var, Var>,
}

impl Scope {
    fn block(&mut self, block: &mut Block) {
        with_stack(|| {
            self.seen.push(HashMap::new());
            for _ in 0..ROUNDS {
                let before = self.same.len();
                for bind in &mut block.binds {
                    self.bind(bind);
                }
                if self.same.len() == before {
                    break;
                }
            }
            for bind in &mut block.binds {
                if let Op::If { then, other, .. } = &mut bind.op {
                    self.block(then);
                    self.block(other);
                }
            }
            self.seen.pop();
        });
    }

    fn bind(&mut self, bind: &mut Bind) {
        let Some(key) = self.key(&bind.op) else { return };
        let own = bind.dst[0];
        match self.seen.iter().find_map(|seen| seen.get(&key)) {
            Some(&other) if other != own => {
                self.same.insert(own, other);
                bind.op = Op::Copy(Atom::Var(other));
            }
            Some(_) => {}
            None => {
                let last = self.seen.last_mut();
                last.into_iter().for_each(|seen| {
                    seen.insert(key.clone(), own);
                });
            }
        }
    }

    fn operand(&self, atom: &Atom) -> AtomKey {
        match *atom {
            Atom::Var(v) => Atom::Var(self.same.get(&v).copied().unwrap_or(v)).key(),
            number => number.key(),
        }
    }

    fn key(&self, op: &Op) -> Option<Key> {
        let (kind, number) = match op {
            // An error has the position of its own operation.
            Op::Prim(Prim::Quotient | Prim::ModI | Prim::RemI | Prim::PowI, _) => return None,
            Op::Prim(Prim::ShowI | Prim::ShowF | Prim::Text | Prim::Argv | Prim::External, _) => return None,
            Op::Prim(p, _) => (0, *p as u64),
            Op::Field { at, mode: Mode::I, .. } => (1, *at as u64),
            Op::Fetch { mode: Mode::I, .. } => (2, 0),
            Op::Bound { at, .. } => (3, *at as u64),
            _ => return None,
        };
        Some((kind, number, op.atoms().iter().map(|a| self.operand(a)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::changed;

    fn counts(text: &str, is: impl Fn(&Op) -> bool) -> (usize, usize) {
        changed(text, |p| p.funcs.iter_mut().for_each(eliminate)).counts("f", is)
    }

    #[test]
    fn an_element_is_read_once() {
        let array = "{array (0,argc+2) | [i] = i || i <- 0 to argc+2}";
        let text =
            format!("def f a i = a[i] * a[i] + a[i-1] * (if i > 1 then a[i-1] else 3); f {array} (argc+1);");
        assert_eq!(counts(&text, |op| matches!(op, Op::Fetch { .. })), (4, 2));
    }

    #[test]
    fn what_may_fail_has_its_own_place() {
        let text = "def f x = quotient 7 x + quotient 7 x; f argc;";
        assert_eq!(counts(text, |op| matches!(op, Op::Prim(Prim::Quotient, _))), (2, 2));
    }

    #[test]
    fn arms_do_not_know_what_the_other_computes() {
        let text = "def f x y = if x > 5 then x * y + 1 else x * y - 1; f argc 3;";
        assert_eq!(counts(text, |op| matches!(op, Op::Prim(Prim::MulI, _))), (2, 2));
    }
}
