//! Arrays of constant bounds that a C function has made itself and that have not escaped: their elements are
//! filled without tests of the bounds and of the element. Also, which arrays are worth a view that the
//! function makes itself.

use super::FunctionPlanner;
use crate::core::language::*;
use crate::tam::plan::views::uses_of_arrays;
use crate::tam::plan::{Facts, Store, Way};
use std::collections::{BTreeMap, BTreeSet};

/// The most elements of an array that is made and filled in line.
const MOST_ELEMENTS: i64 = 64;

/// An array that has not escaped: its bounds, and the indices whose elements are filled.
pub struct Fresh {
    bounds: Vec<i64>,
    filled: BTreeSet<Vec<i64>>,
}

/// The number of elements within these bounds, if there are few.
fn few(bounds: &[i64]) -> Option<i64> {
    let extent = |b: &[i64]| b[1].checked_sub(b[0])?.checked_add(1).map(|n| n.max(0));
    bounds.chunks(2).try_fold(1_i64, |n, b| n.checked_mul(extent(b)?)).filter(|n| *n <= MOST_ELEMENTS)
}

/// The variables other than those of `known` that are used as I-structures at least twice, and their
/// dimensions.
pub fn used_twice(f: &Func, known: &BTreeMap<Var, usize>, facts: &Facts) -> BTreeMap<Var, usize> {
    let mut found: BTreeMap<Var, (usize, usize)> = BTreeMap::new();
    uses_of_arrays(&f.body, |callee| &facts[callee].views, &mut |v, dims| {
        if !known.contains_key(&v) {
            found.entry(v).or_insert((dims, 0)).1 += 1;
        }
    });
    found.into_iter().filter(|(_, (_, uses))| *uses > 1).map(|(v, (dims, _))| (v, dims)).collect()
}

impl FunctionPlanner<'_> {
    /// How an array is made.
    pub(super) fn array(&mut self, v: Var, mutable: bool, bounds: &[Atom]) -> Way {
        let Some(bounds) = ints(bounds).filter(|_| !mutable) else { return Way::Plain };
        let Some(count) = few(&bounds) else { return Way::Plain };
        self.fresh.insert(v, Fresh { bounds, filled: BTreeSet::new() });
        Way::SmallArray { count, reuses: self.made.reuse.get(&v).copied() }
    }

    /// How a store fills an element of an array that has not escaped. Returns none if the array may have
    /// escaped, or the element may be full.
    pub(super) fn fill(&mut self, array: Atom, index: &[Atom]) -> Option<Store> {
        let (Atom::Var(v), Some(index)) = (array, ints(index)) else { return None };
        let fresh = self.fresh.get_mut(&v)?;
        let mut at = 0;
        for (i, b) in index.iter().zip(fresh.bounds.chunks(2)) {
            if *i < b[0] || *i > b[1] {
                return None;
            }
            at = at * (b[1] - b[0] + 1) + (i - b[0]);
        }
        let count = few(&fresh.bounds).unwrap_or(0);
        fresh.filled.insert(index).then_some(Store::New { at, count })
    }

    /// Notes, before a binding, the arrays that escape by it: those that it uses other than by reading and
    /// storing elements.
    pub(super) fn escapes(&mut self, bind: &Bind) {
        if self.fresh.is_empty() {
            return;
        }
        match &bind.op {
            Op::Prim(..) | Op::Fetch { .. } | Op::Bound { .. } | Op::Alloc { .. } => {}
            Op::Store { array: Atom::Var(array), index, value, mode: Mode::I } => {
                // After a store at an unknown index any element may be full.
                if ints(index).is_none() {
                    self.fresh.remove(array);
                }
                self.known_to_others(value);
            }
            Op::If { .. } => self.fresh.clear(),
            op => op.atoms().iter().for_each(|a| self.known_to_others(a)),
        }
    }

    fn known_to_others(&mut self, atom: &Atom) {
        if let Atom::Var(v) = atom {
            self.fresh.remove(v);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tam::plan::testing::planned;
    use crate::tam::plan::{Store, Way};

    /// The number of stores of a function `f` that fill an array that has not escaped, and of other stores.
    #[track_caller]
    fn stores(body: &str) -> (usize, usize) {
        let again = "if n == 0 then array (1,1) else if n == 1 then f 0 x else";
        let plan = planned(&format!("def f n x = {again} {body}; (f (argc + 2) argc)[1];"));
        let of = |new: bool| {
            plan.count("f", |_, way| matches!(way, Way::Store(s) if matches!(s, Store::New { .. }) == new))
        };
        (of(true), of(false))
    }

    #[test]
    fn elements_of_a_new_array_are_filled_without_tests() {
        assert_eq!(stores("{ a = array (1,3); a[1] = x; a[2] = n; a[3] = 7 In a }"), (3, 0));
    }

    #[test]
    fn an_array_that_may_be_known_is_tested() {
        assert_eq!(stores("{ a = array (1,3); a[n] = 1; a[1] = x In a }"), (0, 2), "any element may be full");
        assert_eq!(stores("{ a = array (1,99); a[1] = x In a }"), (0, 1), "too large");
    }
}
