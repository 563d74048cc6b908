//! The journal of a pass: its changes of the tree, in order, so that they can be undone.
//!
//! The arenas of statements and expressions only grow. Additions of a pass stay after its changes are undone,
//! and nothing refers to them. So the journal holds the former state of all that passes change in place: the
//! nodes of statements, the marks and forms of expressions, and the notes on loops and accesses.

use super::{Access, AccessId, Early, Node, Tree};
use crate::ir::reason::Reason;
use base::Span;
use c_syntax::ast::*;

/// A change, with the former state.
#[derive(Debug)]
pub(super) enum Edit {
    Nodes(StmtId, Option<Vec<Node>>),
    Access(ExprId, Option<Access>),
    Form(ExprId, ExprKind),
    Settled(StmtId),
    Refused(AccessId, Option<Reason>),
    Early(Early, AccessId),
    Scattered(ExprId),
}

/// The changes of a pass.
#[derive(Debug, Default)]
pub(super) struct Journal {
    edits: Vec<Edit>,
    /// The loops that the pass has rewritten.
    loops: Vec<Span>,
    /// The loops that the pass leaves alone.
    left: Vec<Span>,
    /// The number of remarks when the pass began.
    remarks: usize,
}

impl Journal {
    pub(super) fn add(&mut self, edit: Edit) {
        self.edits.push(edit);
    }
}

impl Tree {
    /// Begins a pass.
    pub(crate) fn begin_pass(&mut self) {
        self.journal.edits.clear();
        self.journal.loops.clear();
        self.journal.remarks = self.remarks.len();
    }

    /// Ends a pass for good. Returns the loops that it has left alone.
    pub(crate) fn end_pass(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.journal.left)
    }

    /// Has the pass leave a loop alone, with everything in it. Returns false if the pass leaves it alone
    /// already.
    pub(crate) fn leave(&mut self, part: Span) -> bool {
        let fresh = !self.is_left(part);
        self.journal.left.extend(fresh.then_some(part));
        fresh
    }

    /// Whether the pass leaves this part of the text alone.
    pub(crate) fn is_left(&self, part: Span) -> bool {
        self.journal.left.iter().any(|left| left.lo <= part.lo && part.hi <= left.hi)
    }

    /// Notes that the pass has rewritten a loop.
    pub(crate) fn rewritten(&mut self, s: StmtId) {
        self.journal.loops.push(self.unit.stmts[s].at);
    }

    /// Whether the pass has rewritten the loop at this place.
    pub(crate) fn has_rewritten(&self, of: Span) -> bool {
        self.journal.loops.contains(&of)
    }

    /// The number of changes that the pass has made.
    pub(crate) fn edits(&self) -> usize {
        self.journal.edits.len()
    }

    /// Undoes all changes of the pass, and forgets all facts: some may be about an undone change.
    pub(crate) fn undo_pass(&mut self) {
        while let Some(edit) = self.journal.edits.pop() {
            match edit {
                Edit::Nodes(s, Some(nodes)) => _ = self.nodes.insert(s, nodes),
                Edit::Nodes(s, None) => _ = self.nodes.remove(&s),
                Edit::Access(e, Some(access)) => _ = self.accesses.insert(e, access),
                Edit::Access(e, None) => _ = self.accesses.remove(&e),
                Edit::Form(e, kind) => self.unit.exprs[e].kind = kind,
                Edit::Settled(s) => _ = self.settled.remove(&s),
                Edit::Refused(id, Some(why)) => _ = self.refused.insert(id, why),
                Edit::Refused(id, None) => _ = self.refused.remove(&id),
                Edit::Early(how, id) => _ = self.ahead.remove(&(how, id)),
                Edit::Scattered(e) => _ = self.scattered.remove(&e),
            }
        }
        self.remarks.truncate(self.journal.remarks);
        self.facts.forget();
    }

    /// The places of the pass's changes in the order of the program. They come in the order of the changes.
    pub(crate) fn edited(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.journal.edits.iter().filter_map(|edit| match *edit {
            Edit::Nodes(s, _) => Some(self.unit.stmts[s].at.lo),
            Edit::Access(e, _) | Edit::Form(e, _) => Some(self.unit.exprs[e].at.lo),
            Edit::Settled(_) | Edit::Refused(..) | Edit::Early(..) | Edit::Scattered(_) => None,
        })
    }

    // ---- changes ---------------------------------------------------------------------------------

    /// Replaces the form of an expression in place.
    pub(crate) fn reform(&mut self, e: ExprId, kind: ExprKind) {
        let before = std::mem::replace(&mut self.unit.exprs[e].kind, kind);
        self.journal.add(Edit::Form(e, before));
        self.facts.forget();
    }

    /// Says that an access, in all its copies, is requested before its loop.
    pub(crate) fn ask_early(&mut self, how: Early, id: AccessId) {
        if self.ahead.insert((how, id)) {
            self.journal.add(Edit::Early(how, id));
        }
    }

    /// Says that an access is to one of many objects in no order ([`crate::updates::scatter`]).
    pub(crate) fn scatter(&mut self, e: ExprId) {
        if self.scattered.insert(e) {
            self.journal.add(Edit::Scattered(e));
        }
    }
}
