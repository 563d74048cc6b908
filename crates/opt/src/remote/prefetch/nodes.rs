//! The nodes of which loops that go in parts are made.

use crate::ir::tree::{Access, Loop, Node, Slot, Step, Term, Tree, Var, VarType};
use c_syntax::ast::*;

/// A loop that is to go in parts.
pub(super) struct Parts {
    /// The counter of its iterations.
    pub(super) counter: Slot,
    pub(super) go: Term,
    pub(super) step: Vec<Step>,
    /// Nodes at the beginning of each iteration.
    pub(super) each: Vec<Node>,
    pub(super) body: StmtId,
}

// Each of these stands in several generated loops, so these functions return copies.
impl Parts {
    pub(super) fn go(&self, tree: &mut Tree) -> Term {
        tree.copy_term(&self.go)
    }

    /// Returns the loop over some iterations with this body, which runs while `go` holds and counts in a
    /// variable of its own too.
    pub(super) fn iterations(&self, tree: &mut Tree, count: Var, go: Term, body: Vec<Node>) -> Node {
        let step = [vec![Step::Next(count)], tree.copy_steps(&self.step)].concat();
        let body = [tree.copy_nodes(&self.each), body].concat();
        Node::Loop(Loop { go, step, body, counts: None })
    }

    /// Returns the loop that goes over this part while there are iterations.
    pub(super) fn over(&self, tree: &mut Tree, part: Vec<Node>) -> Node {
        Node::Loop(Loop { go: self.go(tree), step: Vec::new(), body: part, counts: None })
    }
}

pub(super) fn set(var: Var, value: Term) -> Node {
    Node::Assign(Slot::Made(var), value)
}

pub(super) fn declare(var: Var, ty: VarType, value: Option<Term>) -> Node {
    Node::Declare { var, ty, value }
}

pub(super) fn less(a: Term, b: Term) -> Term {
    Term::bin("<", a, b)
}

pub(super) fn not(a: Term) -> Term {
    Term::Not(Box::new(a))
}

pub(super) fn when(test: Term, then: Vec<Node>) -> Node {
    Node::If { test, then, otherwise: Vec::new() }
}

/// Returns the value of the iterations' counter.
pub(super) fn value(slot: Slot) -> Term {
    match slot {
        Slot::Made(var) => Term::Var(var),
        Slot::Sym(sym) => Term::Sym(sym),
        Slot::Element(buffer, at) => Term::Element(buffer, at),
    }
}

/// Returns an extent, the place of the object `e`, and its size. The place does not depend on how the value
/// is read.
pub(super) fn object(tree: &mut Tree, extent: Var, e: ExprId) -> [Term; 3] {
    let place = match tree.access(e) {
        Some(&Access::Held { otherwise, .. }) => tree.copy_expr(otherwise),
        _ => tree.copy_expr(e),
    };
    if let Some(Access::Staged { .. } | Access::Prefetched { .. }) = tree.access(place) {
        tree.unmark(place);
    }
    [Term::Ref(extent), Term::Place(place), Term::Size(tree.typed.ty(e))]
}

/// Reads objects that are the same in all iterations. Each read is copied, with the marks of the reads before
/// it, to the place where it is done now.
pub(super) fn reads_once(tree: &mut Tree, reads: &[ExprId], out: &mut Vec<Node>) -> Vec<Node> {
    let mut once = Vec::new();
    for &e in reads {
        let (var, read) = (tree.var("once"), tree.copy_expr(e));
        out.push(declare(var, VarType::Value(tree.typed.ty(e)), None));
        once.push(set(var, Term::Value(read)));
        tree.mark(e, Access::Value(var));
    }
    once
}
