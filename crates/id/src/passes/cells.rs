//! Cells, arrays and numbers that are known at their uses.
//!
//! A read of a field of a cell that the function itself has made is replaced by the value with which the cell
//! was made: the read waits for that value, and so do the uses of the read. The same holds for the bounds of
//! an array, and for tests of the constructor of a value; an arm that is never chosen is removed. A read of
//! an element of an I-structure that is stored in the same block, or in a block around it, is replaced by the
//! stored value. A small array that is only stored into, each element once, is not made.

use crate::core::binds::each;
use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::{HashMap, HashSet};

/// The most rounds in which new facts are used; most of them are used in the same round.
const ROUNDS: usize = 6;

/// The most elements, in each dimension, of an array that is not made: a larger one may exhaust the memory,
/// which must be reported.
const MOST_ELEMENTS: i64 = 64;

/// An element of an array: the array and the index.
type Element = (Var, Vec<AtomKey>);

/// Facts about variables.
#[derive(Default)]
struct Known {
    /// Cells: their constructors' numbers and fields.
    cells: HashMap<Var, (usize, Vec<Init>)>,
    /// The bounds of arrays.
    arrays: HashMap<Var, Vec<Atom>>,
    /// Variables that have become numbers.
    numbers: HashMap<Var, i64>,
    /// The values stored into elements, by block: those around, and this one.
    stores: Vec<HashMap<Element, Atom>>,
}

/// Rewrites all functions.
pub fn forward(program: &mut Program) {
    program.funcs.iter_mut().for_each(forward_function);
}

/// Rewrites one function. New facts may lead to others.
pub fn forward_function(f: &mut Func) {
    for _ in 0..ROUNDS {
        if !Known::of(&f.body).block(&mut f.body) {
            return;
        }
        crate::passes::simplify::simplify_function(f);
    }
}

/// Removes arrays of constant bounds that are only stored into, if no store can fail.
pub fn only_stored(f: &mut Func) {
    let uses = crate::core::binds::uses(f);
    let mut stored: HashMap<Var, (Vec<i64>, HashSet<Vec<i64>>)> = HashMap::new();
    each(&f.body, &mut |bind| {
        if let Op::Alloc { mutable: false, bounds, .. } = &bind.op
            && let Some(bounds) = ints(bounds)
            && fits_memory(&bounds)
        {
            stored.insert(bind.dst[0], (bounds, HashSet::new()));
        }
    });
    each(&f.body, &mut |bind| {
        if let Op::Store { array: Atom::Var(array), index, mode: Mode::I, value } = &bind.op
            && *value != Atom::Var(*array)
            && let Some((bounds, seen)) = stored.get_mut(array)
            && let Some(index) = ints(index)
        {
            let within = |(i, b): (&i64, &[i64])| b[0] <= *i && *i <= b[1];
            if index.iter().zip(bounds.chunks(2)).all(within) {
                seen.insert(index);
            }
        }
    });
    // Each use of the array must be a store into another element.
    stored.retain(|v, (_, seen)| uses[*v] as usize == seen.len());
    if !stored.is_empty() {
        remove(&mut f.body, &stored);
        crate::passes::simplify::simplify_function(f);
    }
}

/// Whether an array of these bounds is so small that it can be made in any case.
fn fits_memory(bounds: &[i64]) -> bool {
    bounds.chunks(2).all(|b| b[1].checked_sub(b[0]).is_some_and(|n| n < MOST_ELEMENTS))
}

fn remove<T>(block: &mut Block, arrays: &HashMap<Var, T>) {
    block.binds.retain(|bind| match &bind.op {
        Op::Alloc { .. } => !arrays.contains_key(&bind.dst[0]),
        Op::Store { array: Atom::Var(array), .. } => !arrays.contains_key(array),
        _ => true,
    });
    for bind in &mut block.binds {
        if let Op::If { then, other, .. } = &mut bind.op {
            with_stack(|| {
                remove(then, arrays);
                remove(other, arrays);
            });
        }
    }
}

impl Known {
    fn of(body: &Block) -> Known {
        let mut known = Known::default();
        each(body, &mut |bind| match &bind.op {
            Op::Make { tag, fields } => {
                known.cells.insert(bind.dst[0], (*tag, fields.clone()));
            }
            Op::Alloc { bounds, .. } => {
                known.arrays.insert(bind.dst[0], bounds.clone());
            }
            _ => {}
        });
        known
    }

    /// Rewrites a block. Returns whether it has changed.
    fn block(&mut self, block: &mut Block) -> bool {
        let mut found = false;
        let stores = |bind: &Bind| match &bind.op {
            Op::Store { array, index, value, mode: Mode::I } => Some((element(array, index)?, *value)),
            _ => None,
        };
        self.stores.push(block.binds.iter().filter_map(stores).collect());
        for _ in 0..ROUNDS {
            for bind in &mut block.binds {
                if let Some(value) = self.value(&bind.op) {
                    if let Atom::Int(n) = value {
                        self.numbers.insert(bind.dst[0], n);
                    }
                    bind.op = Op::Copy(value);
                    found = true;
                }
            }
            if !choose(block) {
                break;
            }
            found = true;
        }
        for bind in &mut block.binds {
            if let Op::If { then, other, .. } = &mut bind.op {
                found |= with_stack(|| self.block(then) | self.block(other));
            }
        }
        self.stores.pop();
        found
    }

    fn value(&self, op: &Op) -> Option<Atom> {
        let cell = |a: &Atom| match a {
            Atom::Var(v) => self.cells.get(v),
            _ => None,
        };
        match op {
            Op::Field { cell: c, at, mode: Mode::I } => match cell(c)?.1.get(*at)? {
                Init::Value(atom) => Some(*atom),
                _ => None,
            },
            Op::Fetch { array, index, mode: Mode::I } => {
                let element = element(array, index)?;
                self.stores.iter().find_map(|s| s.get(&element)).copied()
            }
            Op::Bound { array: Atom::Var(v), at } => self.arrays.get(v)?.get(*at).copied(),
            Op::Prim(Prim::HasFields, args) => match args[1] {
                Atom::Int(tag) => Some(Atom::Int(i64::from(cell(&args[0])?.0 as i64 == tag))),
                _ => None,
            },
            Op::Prim(p, args) => {
                let known = |a: &Atom| match a {
                    Atom::Int(n) => Some(*n),
                    Atom::Var(v) => self.numbers.get(v).copied(),
                    Atom::Float(_) => None,
                };
                let [x, y] = &args[..] else { return None };
                number(*p, known(x)?, known(y)?).map(Atom::Int)
            }
            _ => None,
        }
    }
}

fn element(array: &Atom, index: &[Atom]) -> Option<Element> {
    let Atom::Var(array) = array else { return None };
    Some((*array, index.iter().map(|a| a.key()).collect()))
}

/// The result of an operation on numbers.
fn number(p: Prim, x: i64, y: i64) -> Option<i64> {
    Some(match p {
        Prim::AddI => x.wrapping_add(y),
        Prim::SubI => x.wrapping_sub(y),
        Prim::MulI => x.wrapping_mul(y),
        Prim::MinI => x.min(y),
        Prim::MaxI => x.max(y),
        Prim::EqI => i64::from(x == y),
        Prim::NeI => i64::from(x != y),
        Prim::LtI => i64::from(x < y),
        Prim::LeI => i64::from(x <= y),
        Prim::And => x & y,
        Prim::Or => x | y,
        Prim::After => x,
        _ => return None,
    })
}

/// Replaces conditionals whose tests are known by their arms. Returns whether there was one.
fn choose(block: &mut Block) -> bool {
    let mut tests: HashMap<Var, i64> = HashMap::new();
    for bind in &block.binds {
        if let Op::Copy(Atom::Int(n)) = bind.op {
            tests.insert(bind.dst[0], n);
        }
    }
    let known = |test: &Atom| match test {
        Atom::Var(v) => tests.get(v).copied(),
        Atom::Int(n) => Some(*n),
        Atom::Float(_) => None,
    };
    let mut found = false;
    let mut out = Vec::with_capacity(block.binds.len());
    for Bind { dst, op, span } in std::mem::take(&mut block.binds) {
        match op {
            Op::If { test, then, other } if known(&test).is_some() => {
                let arm = if known(&test) == Some(0) { other } else { then };
                out.extend(arm.binds);
                let copy = |(d, r): (&Var, &Atom)| Bind { dst: vec![*d], op: Op::Copy(*r), span };
                out.extend(dst.iter().zip(&arm.results).map(copy));
                found = true;
            }
            op => out.push(Bind { dst, op, span }),
        }
    }
    block.binds = out;
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::changed;

    #[test]
    fn fields_of_cells_that_are_made_here_are_known() {
        let c = changed("def f x = { t = (x, x + 1); a, b = t In a * b }; f argc;", forward);
        assert_eq!(c.counts("f", |op| matches!(op, Op::Field { .. })), (2, 0));
        assert_eq!(c.counts("f", |op| matches!(op, Op::Make { .. })), (1, 0));
        // Each of the fields needs the other.
        let c = changed("def f x = { t = (x, a + 1); a, b = t In b }; f argc;", forward);
        assert_eq!(c.counts("f", |op| matches!(op, Op::Make { .. })).1, 0);
    }

    #[test]
    fn elements_that_are_stored_are_known_where_they_are_read() {
        let fetch = |op: &Op| matches!(op, Op::Fetch { .. });
        let c = changed("def f x = { a = 1d_I_array (1,3); a[x] = 2 * x In a[x] }; f argc;", forward);
        assert_eq!(c.counts("f", fetch), (1, 0));
        let c = changed("def f x y = { a = 1d_I_array (1,3); a[x] = 2 * x In a[y] }; f argc argc;", forward);
        assert_eq!(c.counts("f", fetch), (1, 1), "it may be another element");
    }

    #[test]
    fn arrays_that_are_only_stored_into_go_if_no_store_can_fail() {
        let allocs = |text: &str| {
            let pass = |p: &mut Program| {
                forward(p);
                p.funcs.iter_mut().for_each(only_stored);
            };
            changed(text, pass).counts("f", |op| matches!(op, Op::Alloc { .. }))
        };
        let stores = |bounds: &str, more: &str| {
            format!("def f x = {{ a = 1d_I_array {bounds}; a[1] = x; a[2] = x; {more} In x + 1 }}; f argc;")
        };
        assert_eq!(allocs(&stores("(1,2)", "b = x")), (1, 0));
        assert_eq!(allocs(&stores("(1,2)", "a[x + 1] = 5")), (1, 1), "one is stored twice");
        assert_eq!(allocs(&stores("(1,x+1)", "b = x")), (1, 1), "the bounds are not known");
        assert_eq!(allocs(&stores("(1,100000)", "b = x")), (1, 1), "memory may not hold it");
    }
}
