//! Counted loops, a stretch of whose passes needs no tests of elements.
//!
//! A loop that counts by one and only computes, reads and stores elements tests these elements before it
//! begins:
//!
//! - *Bounds.* The subscripts are sums or differences of the loop's index and fixed values. So the elements
//!   of a stretch lie at equal distances: if the first and the last are within the bounds, all are.
//! - *State.* The elements to be read must be full, those to be stored empty and unknown to others. They stay
//!   so until the passes come to them, since the loop does nothing else. The test fails for an element that
//!   is both read and stored, since it is not full before.
//!
//! These passes then need no tests. If a test fails, and for the remaining passes, the loop runs with tests.
//!
//! Elements that other processors know are claimed first (runtime/tam/heap.c), if each pass fills its own. If
//! a pass has to wait, the claims to the remaining elements are given back.

use crate::core::binds::each;
use crate::core::language::*;
use crate::core::order::ordered;
use std::collections::{BTreeMap, HashMap};

/// An access to an element that needs no tests.
#[derive(Clone, PartialEq)]
pub struct Sure {
    pub array: Var,
    pub index: Vec<Atom>,
    /// The subscripts as functions of the loop's index.
    pub subscripts: Vec<Subscript>,
    pub how: How,
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    Read,
    /// Stores in some of the passes.
    Store,
    /// Stores in all passes. There is one such access at most.
    StoreAlways,
}

/// A subscript as a function of the loop's index.
#[derive(Clone, Copy, PartialEq)]
pub enum Subscript {
    Is(Term),
    Add(Term, Term),
    Subtract(Term, Term),
}

/// A term of a subscript.
#[derive(Clone, Copy, PartialEq)]
pub enum Term {
    /// The loop's index.
    Index,
    /// An operand that is the same in all passes.
    Fixed(Atom),
}

/// A loop that counts by one: `f i last ... = if i <= last then { ...; f (i + 1) last ... } else ...`.
pub struct Counted {
    pub index: Var,
    pub last: Atom,
    /// The index counts down.
    pub down: bool,
    /// The bindings of a pass in their order; the last is the call of the next pass, with the arguments
    /// `next`.
    pub pass: Vec<Bind>,
    pub next: Vec<Atom>,
    pub results: Vec<Atom>,
    /// The accesses to elements that need no tests.
    pub sure: Vec<Sure>,
}

/// Facts about the operations of a pass.
struct Pass {
    /// Variables that are sums and differences: the operation and its operands.
    sums: HashMap<Var, (Prim, Atom, Atom)>,
    stores: usize,
    /// The pass has only computations, reads and stores.
    simple: bool,
}

/// The parameters of a function, and the arguments of its call of itself.
struct Turn<'f> {
    params: &'f [Var],
    next: &'f [Atom],
    index: Var,
    sums: &'f HashMap<Var, (Prim, Atom, Atom)>,
}

impl Counted {
    /// The counted loop that a function is, if it has accesses that need no tests. `views`: the arrays that
    /// are passed with views.
    pub fn of(f: &Func, func: FuncId, views: &BTreeMap<Var, usize>) -> Option<Counted> {
        let [Bind { op: Op::Prim(Prim::LeI, compared), dst, .. }, Bind { op: Op::If { test, then, .. }, .. }] =
            &f.body.binds[..]
        else {
            return None;
        };
        let (pass, ready) = ordered(then);
        let (Bind { op: Op::Call { func: callee, args: next, join: false }, .. }, before) =
            pass.split_last()?
        else {
            return None;
        };
        if *test != Atom::Var(dst[0]) || *callee != func || ready != pass.len() {
            return None;
        }
        let body = Block { binds: before.to_vec(), results: Vec::new() };
        let does = Pass::of(&body);
        let (index, last, down) = direction(f, compared, next, &does.sums)?;
        let turn = Turn { params: &f.params, next, index, sums: &does.sums };
        if !does.simple || !turn.stays(&last) {
            return None;
        }
        let sure = sure_accesses(&body, &turn, does.stores, views);
        let (next, results) = (next.clone(), then.results.clone());
        (!sure.is_empty()).then_some(Counted { index, last, down, pass, next, results, sure })
    }
}

/// The index and the last index of a loop whose index changes by one, and whether it counts down. `compared`:
/// the operands of the test; `next`: the arguments of the next turn.
fn direction(
    f: &Func,
    compared: &[Atom],
    next: &[Atom],
    sums: &HashMap<Var, (Prim, Atom, Atom)>,
) -> Option<(Var, Atom, bool)> {
    let changes = |a: &Atom| match a {
        Atom::Var(v) => f.params.iter().position(|p| p == v).map(|p| next[p]).filter(|n| n != a),
        _ => None,
    };
    let (index, last, to, down) = match (changes(&compared[0]), changes(&compared[1])) {
        (Some(to), None) => (compared[0], compared[1], to, false),
        (None, Some(to)) => (compared[1], compared[0], to, true),
        _ => return None,
    };
    let (Atom::Var(index), Atom::Var(to)) = (index, to) else { return None };
    let by_one = match sums.get(&to)? {
        (Prim::AddI, a, Atom::Int(1)) => !down && *a == Atom::Var(index),
        (Prim::SubI, a, Atom::Int(1)) => down && *a == Atom::Var(index),
        _ => false,
    };
    by_one.then_some((index, last, down))
}

impl Pass {
    fn of(body: &Block) -> Pass {
        let mut does = Pass { sums: HashMap::new(), stores: 0, simple: true };
        each(body, &mut |bind| match &bind.op {
            // A function of C may run handlers, which may tell others of an array.
            Op::Prim(Prim::External, _) => does.simple = false,
            Op::Prim(p, args) => {
                if matches!(p, Prim::AddI | Prim::SubI) {
                    does.sums.insert(bind.dst[0], (*p, args[0], args[1]));
                }
            }
            Op::Store { mode: Mode::I, .. } => does.stores += 1,
            Op::Fetch { mode: Mode::I, .. } | Op::If { .. } => {}
            Op::Field { mode: Mode::I, .. } | Op::Bound { .. } => {}
            _ => does.simple = false,
        });
        does
    }
}

impl Turn<'_> {
    /// Whether an operand is the same in all turns.
    fn stays(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Var(v) => self.params.iter().position(|p| p == v).is_some_and(|p| self.next[p] == *atom),
            _ => true,
        }
    }

    /// A subscript as a function of the loop's index; none if it is not one.
    fn subscript(&self, atom: Atom) -> Option<Subscript> {
        let term = |a: Atom| match a {
            Atom::Var(v) if v == self.index => Some(Term::Index),
            a if self.stays(&a) && !matches!(a, Atom::Float(_)) => Some(Term::Fixed(a)),
            _ => None,
        };
        if let Some(term) = term(atom) {
            return Some(Subscript::Is(term));
        }
        let Atom::Var(v) = atom else { return None };
        let &(prim, a, b) = self.sums.get(&v)?;
        match (term(a)?, term(b)?) {
            (Term::Index, Term::Index) => None,
            (a, b) if prim == Prim::AddI => Some(Subscript::Add(a, b)),
            (a, b) => Some(Subscript::Subtract(a, b)),
        }
    }
}

/// The accesses of a pass that need no tests in a stretch. `stores`: how many stores the pass has.
fn sure_accesses(body: &Block, turn: &Turn, stores: usize, views: &BTreeMap<Var, usize>) -> Vec<Sure> {
    let mut sure = Vec::new();
    let always = body.binds.iter().any(|bind| matches!(bind.op, Op::Store { .. }));
    each(body, &mut |bind| {
        let (array, index, how) = match &bind.op {
            Op::Fetch { array: Atom::Var(array), index, .. } => (*array, index, How::Read),
            Op::Store { array: Atom::Var(array), index, .. } if always => (*array, index, How::StoreAlways),
            Op::Store { array: Atom::Var(array), index, .. } => (*array, index, How::Store),
            _ => return,
        };
        let Some(subscripts) = index.iter().map(|a| turn.subscript(*a)).collect() else { return };
        // The second of two stores may be into the same element, an error that its test must find.
        let alone = how == How::Read || (stores == 1 && !index.iter().all(|a| turn.stays(a)));
        let access = Sure { array, index: index.clone(), subscripts, how };
        if views.contains_key(&array) && alone && !sure.contains(&access) {
            sure.push(access);
        }
    });
    // A claim is the last test: if another fails, nothing has to be given back.
    sure.sort_by_key(|sure| sure.how);
    sure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tam::plan::testing::planned;

    /// The accesses without tests of the loops of a function, in the order of their tests.
    #[track_caller]
    fn sure(text: &str, name: &str) -> Vec<How> {
        let plan = planned(text);
        let counted = plan.functions(name).filter_map(|f| f.stretch.as_ref());
        counted.flat_map(|s| s.counted.sure.iter().map(|s| s.how)).collect()
    }

    const ARRAY: &str = "{array (0,argc+9) | [i] = i + argc || i <- 0 to argc+9}";

    #[test]
    fn a_loop_that_reads_elements_at_fixed_distances() {
        let sum = |at: &str, next: &str| {
            let text = format!(
                "def sum a n = {{ s = 0 In {{for i <- 1 to n do next s = s + a[{at}]{next}; finally s}} }};
                 sum {ARRAY} (argc + 5) + sum {ARRAY} (argc + 7);"
            );
            sure(&text, "loop")
        };
        assert_eq!(sum("i", ""), [How::Read]);
        assert_eq!(sum("i - 1", " + a[n - i]"), [How::Read, How::Read]);
        assert_eq!(sum("i * i - i * i", ""), [], "the index does not follow by a sum");
    }

    #[test]
    fn a_loop_that_calls_has_no_stretch() {
        let text = format!(
            "def deep x = if x < 2 then x else deep (x - 1) + deep (x - 2);
             def sum a n = {{ s = 0 In {{for i <- 1 to n do next s = s + deep a[i]; finally s}} }};
             sum {ARRAY} (argc + 5) + sum {ARRAY} (argc + 7);"
        );
        assert_eq!(sure(&text, "loop"), []);
    }
}
