//! Arrays that a C function has made itself, of bounds that are known, and that nobody else knows yet: their
//! elements are filled without a look at the bounds or at what is there. And the views of all arrays that a
//! function uses more than once and that come without one.

use super::Direct;
use crate::core::language::*;
use crate::tam::c::{Expr, Name, Stmt, Writer, call};
use crate::tam::emit::words::{self, variable};
use std::collections::{BTreeMap, BTreeSet};

/// Elements of an array that is filled in line.
const MOST_ELEMENTS: i64 = 64;

/// An array that nobody else knows: its bounds, and the indices whose elements are filled.
pub(super) struct Fresh {
    bounds: Vec<i64>,
    filled: BTreeSet<Vec<i64>>,
}

/// The elements that these bounds have, if they are few.
fn few(bounds: &[i64]) -> Option<i64> {
    let extent = |b: &[i64]| b[1].checked_sub(b[0])?.checked_add(1).map(|n| n.max(0));
    bounds.chunks(2).try_fold(1_i64, |n, b| n.checked_mul(extent(b)?)).filter(|n| *n <= MOST_ELEMENTS)
}

/// The variables other than those of `known` that are used as I-structures at least twice, and their
/// dimensions.
pub(super) fn used_twice(
    f: &Func,
    known: &BTreeMap<Var, usize>,
    views: &[super::Views],
) -> BTreeMap<Var, usize> {
    let mut found: BTreeMap<Var, (usize, usize)> = BTreeMap::new();
    super::views::uses_of_arrays(&f.body, views, &mut |v, dims| {
        if !known.contains_key(&v) {
            found.entry(v).or_insert((dims, 0)).1 += 1;
        }
    });
    found.into_iter().filter(|(_, (_, uses))| *uses > 1).map(|(v, (dims, _))| (v, dims)).collect()
}

impl Direct<'_> {
    /// After a binding: the views of arrays that it gives.
    pub(super) fn note(&mut self, bind: &Bind) {
        let arrays: Vec<(Var, usize)> =
            bind.dst.iter().filter_map(|v| Some((*v, *self.own_views.get(v)?))).collect();
        for (v, dims) in arrays {
            let view = match &bind.op {
                Op::Alloc { bounds, .. } if bounds.iter().all(|b| matches!(b, Atom::Int(_))) => {
                    call!("tam_view_of", variable(v), dims, words::bounds(&self.words(bounds)))
                }
                _ => call!("tam_view", variable(v), dims),
            };
            self.add(Stmt::set(Name::Nth("w", v), view));
        }
    }

    /// Makes an array of known bounds in line; false: it is large. `kind`: its bits.
    pub(super) fn small_array(&mut self, v: Var, kind: Expr, bounds: &[Atom], site: usize) -> bool {
        let words = words::bounds(&self.words(bounds));
        let Some(bounds) = ints(bounds) else { return false };
        let Some(count) = few(&bounds) else { return false };
        let dims = bounds.len() / 2;
        let made = call!("tam_small_array", dims, count, kind, words, site);
        let made = self.array_again(v, dims, count, made);
        self.add(Stmt::set(variable(v), made));
        self.fresh.insert(v, Fresh { bounds, filled: BTreeSet::new() });
        true
    }

    /// Fills an element of an array that nobody else knows; false: it may not be one, or not be empty.
    pub(super) fn fill(&mut self, array: Atom, index: &[Atom], value: &Expr) -> bool {
        let (Atom::Var(v), Some(index)) = (array, ints(index)) else { return false };
        let Some(fresh) = self.fresh.get_mut(&v) else { return false };
        let mut at = 0;
        for (i, b) in index.iter().zip(fresh.bounds.chunks(2)) {
            if *i < b[0] || *i > b[1] {
                return false;
            }
            at = at * (b[1] - b[0] + 1) + (i - b[0]);
        }
        if !fresh.filled.insert(index) {
            return false;
        }
        let dims = fresh.bounds.len() / 2;
        let count = few(&fresh.bounds).unwrap_or(0);
        self.add(call!("tam_fill_new", variable(v), dims, count, at, value));
        true
    }

    /// Before a binding: what it uses other than by reading and storing elements is known to others.
    pub(super) fn escapes(&mut self, bind: &Bind) {
        if self.fresh.is_empty() {
            return;
        }
        match &bind.op {
            Op::Prim(..) | Op::Fetch { .. } | Op::Bound { .. } | Op::Alloc { .. } => {}
            Op::Store { array: Atom::Var(array), index, value, mode: Mode::I } => {
                // Behind a store of which nothing is known any element may be full.
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
