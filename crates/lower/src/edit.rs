//! Text that keeps its form: statements, declarations and expressions of the user with changes in them.
//!
//! Constructs that keep their form are walked by the methods of [`Edit`], in the files of the constructs.
//! Each notes changes. What is made anew is a value of [`Lower`]'s methods.

use crate::{Changes, Lower};

/// The changes of a text so far.
pub(crate) struct Edit<'l, 'a> {
    pub(crate) lower: &'l mut Lower<'a>,
    /// In the order of the text, unless a method sorts them.
    pub(crate) changes: &'l mut Changes,
}

impl<'a> Lower<'a> {
    /// Adds to the changes of a text.
    pub(crate) fn edit<'l>(&'l mut self, changes: &'l mut Changes) -> Edit<'l, 'a> {
        Edit { lower: self, changes }
    }
}
