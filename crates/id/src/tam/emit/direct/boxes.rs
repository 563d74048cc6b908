//! Elements at fixed places of an array that a block reads, all of them in a box: looked at together.
//!
//! A block that reads an array at indices which are numbers, each of a box of them, will read all of these
//! elements if it comes to its end. Where all are full when the first is read, none of the reads needs a test
//! of its own. Otherwise what is left of the block runs as threads, where each read waits for itself.

use super::Direct;
use crate::core::language::*;
use crate::tam::c::{Expr, call};
use crate::tam::emit::words::{subscripts, variable};
use std::collections::BTreeSet;

/// Elements that are worth a look of their own.
const FEWEST: usize = 4;

/// The elements of a box, the first and the last.
type Whole = (BTreeSet<Vec<i64>>, Vec<i64>, Vec<i64>);

impl Direct<'_> {
    /// The element of a read that needs no test of its own; a look at others that follow may come first.
    pub(super) fn looked_at(
        &mut self,
        bind: &Bind,
        array: Atom,
        index: &[Atom],
        words: &[Expr],
        site: usize,
    ) -> Option<Expr> {
        self.look(bind, site);
        self.sure_element(array, index, words)
    }

    /// Before a read: the look at the box that begins with it, if there is one.
    fn look(&mut self, bind: &Bind, site: usize) {
        let Op::Fetch { array: Atom::Var(array), index, mode: Mode::I } = &bind.op else { return };
        let Some(view) = self.view(Atom::Var(*array), index.len(), Mode::I) else { return };
        if self.sure.iter().any(|s| s.0 == *array && s.1 == *index) {
            return;
        }
        let Some((elements, first, last)) = self.whole_box(*array) else { return };
        if !ints(index).is_some_and(|i| elements.contains(&i)) {
            return;
        }
        let at = |index: &[i64]| subscripts(&index.iter().map(|i| call!("INT64_C", *i)).collect::<Vec<_>>());
        let (dims, dst) = (index.len(), bind.dst[0]);
        let test = call!("tam_box_full", view, dims, at(&first), at(&last));
        let at = subscripts(&self.words(index));
        let late = call!("tam_fetch_late", "k", 0, variable(*array), "TAM_I", dims, at, site);
        self.unless(test, &[dst], late);
        let sure = elements.into_iter().map(|i| (*array, i.into_iter().map(Atom::Int).collect()));
        self.sure.extend(sure);
    }

    /// The elements of an array that the rest of the block reads, if they are a box.
    fn whole_box(&mut self, array: Var) -> Option<Whole> {
        let level = self.level();
        let mut elements = BTreeSet::new();
        for bind in &level.binds[level.at - 1..] {
            match &bind.op {
                Op::Fetch { array: a, index, mode: Mode::I } if *a == Atom::Var(array) => {
                    elements.extend(ints(index));
                }
                // What it stores is not there yet.
                Op::Store { array: a, .. } if *a == Atom::Var(array) => return None,
                _ => {}
            }
        }
        let dims = elements.first().map_or(0, Vec::len);
        let corner = |of: fn(i64, i64) -> i64| -> Option<Vec<i64>> {
            (0..dims).map(|d| elements.iter().map(|e| e[d]).reduce(of)).collect()
        };
        let (first, last) = (corner(i64::min)?, corner(i64::max)?);
        let extent = |(a, b): (&i64, &i64)| b.checked_sub(*a)?.checked_add(1);
        let size = first.iter().zip(&last).try_fold(1_i64, |n, ab| n.checked_mul(extent(ab)?))?;
        (elements.len() >= FEWEST && size == elements.len() as i64).then_some((elements, first, last))
    }
}
