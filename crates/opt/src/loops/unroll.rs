//! Unrolling, on one host: a few iterations for each test of the loop's condition.
//!
//! An iteration of `result[i] = table[place[i]]` is ten instructions, of which the loop itself has three.
//! Such loops wait for memory, and the number of instructions that a processor looks ahead bounds the number
//! of accesses under way at a time. gcc unrolls such loops only on request.
//!
//! *Why it is allowed.* The iterations are the same, in the same order.
//!
//! *Which loops.* Loops over own numbers ([`crate::owned::forall`]), in the version for one host. Their
//! bodies are a single expression without calls, which accesses an element in no order
//! ([`crate::updates::scatter`]). Other loops do not gain: the C compiler vectorises them, or they are long,
//! or the loop is the least of their costs. Code that is written four times takes time to compile.
//!
//! *Result.* A [`Node::Unrolled`] before the loop.

use crate::facts::body::Body;
use crate::ir::pass_id::PassId;
use crate::ir::tree::{Access, Hosts, Loop, Node, Tree};
use crate::ir::walk::{each_loop, rewrite_loops};
use c_syntax::Language;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, exists};
use std::collections::HashSet;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("unroll");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if !matches!(tree.typed.types.language, Language::Upc) {
        return;
    }
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::Many || context.seldom {
            return false;
        }
        rewrite_loops(tree, s, context.hosts, &mut |tree, l, hosts| {
            let unrolled = hosts == Hosts::One && accesses_in_no_order(tree, l);
            unrolled.then(|| {
                tree.remark(ID, s, Ok("on one host, for accesses in no order".into()));
                vec![Node::Unrolled, Node::Loop(l.clone())]
            })
        });
        true
    });
}

/// Whether an iteration is one expression that accesses a shared element in no order.
fn accesses_in_no_order(tree: &Tree, l: &Loop) -> bool {
    let Some((counting, body, _)) = l.counted() else { return false };
    let StmtKind::Expr(Some(_)) = tree.unit.stmts[alone(tree, body)].kind else { return false };
    let calls = exists(&tree.unit, Any::Stmt(body), |e| {
        matches!(tree.unit.exprs[e].kind, ExprKind::Call(..) | ExprKind::Stmts(_))
    });
    let (facts, counters) = (Body::new(tree, body), HashSet::from([counting.var]));
    let in_no_order = |e: ExprId| {
        matches!(tree.unit.exprs[e].kind, ExprKind::Index(..))
            && matches!(tree.access(e), None | Some(Access::Accumulated))
            && tree.typed.types.is_shared(tree.typed.ty(e))
            && facts.in_no_order(&counters, e)
    };
    !calls && exists(&tree.unit, Any::Stmt(body), in_no_order)
}

/// A statement without the braces around it.
fn alone(tree: &Tree, s: StmtId) -> StmtId {
    match &tree.unit.stmts[s].kind {
        StmtKind::Compound(inner) if inner.len() == 1 && tree.nodes(s).is_none() => alone(tree, inner[0]),
        _ => s,
    }
}
