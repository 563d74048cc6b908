//! The shared arrays whose rows a loop's body goes through.

use crate::facts::body::Body;
use crate::facts::rows::{self, Root, Subscript, root, rows_of};
use c_syntax::ast::*;
use std::rc::Rc;

/// The rows that a loop's body goes through.
pub(crate) struct Rows<'a> {
    pub(crate) body: &'a Body<'a>,
    pub(crate) roots: Vec<Root>,
}

impl Rows<'_> {
    /// The number of a root.
    pub(crate) fn intern(&mut self, root: &Root) -> usize {
        self.roots.iter().position(|r| r.sym == root.sym).unwrap_or_else(|| {
            self.roots.push(root.clone());
            self.roots.len() - 1
        })
    }

    /// The parts of `root[row][rest]…`, whose root serves in this body.
    pub(crate) fn subscript(&self, e: ExprId) -> Option<Rc<Subscript>> {
        self.body.tree.subscript(e).filter(|subscript| self.body.serves(&subscript.root))
    }

    /// The same where R rows make a block, be they those of planes: with that R.
    pub(crate) fn in_blocks(&self, e: ExprId) -> Option<(Rc<Subscript>, u64)> {
        let whole = |s: Rc<Subscript>| rows_of(&s.root, s.block).map(|rows| (s, rows));
        let in_planes = || rows::in_planes(self.body.tree, e);
        let found = self.subscript(e).and_then(whole).or_else(|| whole(Rc::new(in_planes()?)));
        found.filter(|(subscript, _)| self.body.serves(&subscript.root))
    }

    /// A name that serves as array in this body, with its block size.
    pub(crate) fn root(&self, e: ExprId) -> Option<(Root, u64)> {
        root(self.body.tree, e).filter(|(root, _)| self.body.serves(root))
    }
}
