//! Elements of an array that a block reads at constant indices, and that fill a box: tested together.
//!
//! If control reaches the end of the block, all elements of the box have been read. If all are full when the
//! first is read, none of the reads needs a test of its own. Otherwise the remainder of the block runs as
//! threads, where each read waits by itself.

use super::FunctionPlanner;
use crate::core::language::*;
use crate::tam::plan::Look;
use std::collections::BTreeSet;

/// The fewest elements that are tested together.
const FEWEST: usize = 4;

/// The elements of a box, and the first and the last of them.
type WholeBox = (BTreeSet<Vec<i64>>, Vec<i64>, Vec<i64>);

impl FunctionPlanner<'_> {
    /// The test of a box to be made before a read, if this is the first read of a box.
    pub(super) fn look(&mut self, bind: &Bind) -> Option<Look> {
        let Op::Fetch { array: Atom::Var(array), index, mode } = &bind.op else { return None };
        if !self.made.has_view(Atom::Var(*array), index.len(), *mode)
            || self.sure.iter().any(|s| s.0 == *array && s.1 == *index)
        {
            return None;
        }
        let (elements, first, last) = self.whole_box(*array)?;
        if !ints(index).is_some_and(|i| elements.contains(&i)) {
            return None;
        }
        let wait = self.wait(&bind.dst[..1]);
        let sure = elements.into_iter().map(|i| (*array, i.into_iter().map(Atom::Int).collect()));
        self.sure.extend(sure);
        Some(Look { first, last, wait })
    }

    /// The elements of an array that the rest of the block reads, if they fill a box.
    fn whole_box(&mut self, array: Var) -> Option<WholeBox> {
        let level = self.level();
        let mut elements = BTreeSet::new();
        for bind in &level.binds[level.at - 1..] {
            match &bind.op {
                Op::Fetch { array: a, index, mode: Mode::I } if *a == Atom::Var(array) => {
                    elements.extend(ints(index));
                }
                // The element of the store is still empty.
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

#[cfg(test)]
mod tests {
    use crate::core::language::Op;
    use crate::tam::plan::testing::planned;
    use crate::tam::plan::{Fetch, Way};

    /// The number of tests of boxes in a body that reads an array `a`, and of reads that may wait.
    #[track_caller]
    fn looks(body: &str) -> (usize, usize) {
        let again = "if n == 0 then 0 else reads a (n - 1) + ";
        let array = "{array (0,9) | [i] = i + argc || i <- 0 to 9}";
        let matrix = "{matrix (0,3),(0,3) | [i,j] = i + 2 * j + argc || i <- 0 to 3 & j <- 0 to 3}";
        let arg = if body.contains("[1,") { matrix } else { array };
        let plan = planned(&format!("def reads a n = {again}{body}; reads ({arg}) (argc + 2);"));
        let of = |is: fn(&Fetch) -> bool| {
            plan.count("reads", |bind, way| {
                matches!(bind.op, Op::Fetch { .. }) && matches!(way, Way::Fetch(f) if is(f))
            })
        };
        (of(|f| f.look.is_some()), of(|f| f.wait.is_some()))
    }

    #[test]
    fn a_box_is_looked_at_once() {
        assert_eq!(looks("a[1] + a[2] + a[3] * a[4] + a[2]"), (1, 0));
        assert_eq!(looks("a[1,1] + a[2,1] + a[1,2] * a[2,2]"), (1, 0));
    }

    #[test]
    fn elements_that_are_no_box_are_tested_one_by_one() {
        assert_eq!(looks("a[1] + a[2] + a[3] * a[5]"), (0, 4));
        assert_eq!(looks("a[1] + a[2] + a[3]"), (0, 3), "too few");
        assert_eq!(looks("a[1,1] + a[2,1] + a[1,2] * a[2,2] + a[3,3]"), (0, 5));
    }
}
