//! Building blocks of loops over one thread's elements, for all passes that make them: the two versions of a
//! `upc_forall`, local pointers to the thread's parts, and the values of the program's variable.

use crate::facts::ownership::Owned;
use crate::facts::rows::Root;
use crate::facts::shapes::First;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Hosts, Node, Slot, Term, Tree, Var, VarType};
use crate::ir::walk::each_loop;
use c_syntax::ast::*;

/// Rewrites the loops that share out their iterations. `rewrite` returns a description of the new loop, or
/// why it leaves the loop alone.
pub(super) fn each_shared_out(
    tree: &mut Tree,
    pass: PassId,
    rewrite: &mut dyn FnMut(&mut Tree, StmtId) -> Result<String, Reason>,
) {
    each_loop(tree, &mut |tree, s, context| {
        let shared_out =
            matches!(tree.unit.stmts[s].kind, StmtKind::Forall { affinity: Affinity::Expr(_), .. });
        // Inside of another such loop every thread runs every iteration.
        if shared_out && !context.controlled && tree.is_free(s) {
            let outcome = rewrite(tree, s);
            tree.remark(pass, s, outcome);
        }
        true
    });
}

/// Replaces a shared-out loop by two versions: if no outer upc_forall is in control and the tests hold, the
/// loop over own iterations, which `own` makes; otherwise the loop as written, over all iterations.
pub(super) fn own_or_all(
    tree: &mut Tree,
    s: StmtId,
    tests: Vec<Term>,
    own: impl FnOnce(&mut Tree) -> Vec<Node>,
) {
    let outer = tree.var("outer");
    let plain = tree.copy(s).stmt;
    tree.settle(plain);
    let nodes = own(tree);
    let fast = tree.made(s, nodes);
    // Without other tests, the plain form seldom runs: no loop around it is versioned for its sake.
    let seldom = tests.is_empty();
    let test = tests.into_iter().fold(Term::bin("==", outer.into(), Term::Num(0)), Term::and);
    let plain = Node::Known(Hosts::Many, vec![Node::AllIterations { forall: plain, outer, seldom }]);
    let versions = Node::If { test, then: vec![Node::Stmt(fast)], otherwise: vec![plain] };
    tree.replace(s, vec![Node::ForallScope(outer), versions]);
    tree.settle(s);
}

/// Makes a local pointer to elements of each array, with its declaration.
pub(super) fn pointers(
    tree: &mut Tree,
    own: &Owned,
    what: &'static str,
    value: impl Fn(usize, &Root) -> Term,
) -> (Vec<Var>, Vec<Node>) {
    let pointer = |(n, root): (usize, &Root)| {
        let (var, ty) = (tree.var(what), VarType::Elements(root.elem));
        (var, Node::Declare { var, ty, value: Some(value(n, root)) })
    };
    own.roots.iter().enumerate().map(pointer).unzip()
}

/// Gives the program's variable its value in an iteration.
pub(super) fn enter(first: First, value: Term) -> Node {
    match first.declares {
        true => Node::Define(first.var, value),
        false => Node::Assign(Slot::Sym(first.var), value),
    }
}

/// Gives the program's variable the value that it has after the loop, if the loop does not declare it.
pub(super) fn leave(first: First, value: Term) -> Option<Node> {
    (!first.declares).then_some(Node::Assign(Slot::Sym(first.var), value))
}
