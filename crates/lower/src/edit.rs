//! Text that keeps its form: statements, declarations and expressions of the user with changes in them.
//!
//! Constructs that keep their form are walked by the methods of [`Edit`], each in the file of the construct,
//! which note changes. Text that replaces other text is made by the methods of [`Lower`].

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
