//! `upc_forall` by a pointer: `upc_forall (p = a; p < a + N; p++; p) *p = 0;`.
//!
//! As written, every thread steps the pointer through all elements to find its own. But the first pointer
//! determines the elements of a thread: counted from thread 0, phase 0 of the round of blocks of the first
//! element, this element is row `thread * B + phase`, and the elements of one thread are contiguous in its
//! memory. So a thread goes through its own elements by a counter and a local pointer, and `*p` is the
//! counter's element. If the body uses the pointer for other things, it is computed from the counter too.
//!
//! *Why it is allowed.* As in [`crate::owned::forall`]: a thread may skip the iterations of others, since
//! condition, step and affinity have no effects. The pointer is an automatic object whose address is not
//! taken and that the body does not assign; it has the value of the sequential loop in each iteration and
//! after the loop. The bound keeps its value while the body runs. `p != end` is treated as `p < end`: a loop
//! that starts after the end would leave the array (C 6.5.6).
//!
//! *Limits.* UPC; pointers to elements that are no arrays, cyclic or in blocks; the affinity is the pointer
//! itself; `p++`. Bodies as in [`crate::owned::forall`].
//!
//! *Result.* [`Node::If`] on the test that no outer `upc_forall` is in control; in it a [`Node::Loop`] over
//! the own elements, with [`Access::Element`]s, and the plain form, which goes through all iterations.

use crate::facts::body::Body;
use crate::facts::ownership::{elements_at, names_element};
use crate::facts::places::{is_sized_element, points_to, stepped};
use crate::facts::shapes::{Condition, Head, Shape, Stride, is_long};
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Loop, Node, Primitive, Step, Term, Tree, VarType};
use crate::owned::over_own::{each_shared_out, enter, leave, own_or_all};
use c_sema::types::{Block, QTy, Ty};
use c_syntax::Language;
use c_syntax::ast::*;
use std::collections::HashSet;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("forall-pointers");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if !matches!(tree.typed.types.language, Language::Upc) {
        return;
    }
    each_shared_out(tree, ID, &mut |tree, s| {
        let plan = plan(tree, s)?;
        own_or_all(tree, s, Vec::new(), |tree| over_own_elements(tree, &plan));
        Ok(format!("own elements by {}", tree.typed.sym(plan.head.first.var).name))
    });
}

/// How to run a loop over the own elements.
struct Plan {
    /// The pointer's first value, and the one that ends the loop.
    head: Head,
    /// The type of the elements, and their number in a block.
    elem: QTy,
    block: u64,
    /// `*p` and `p->m` in the body, which are own elements and members of them.
    local: HashSet<ExprId>,
    /// The body names the pointer elsewhere too.
    named: bool,
    body: StmtId,
}

// ---- analysis ------------------------------------------------------------------------------------

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, Reason> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let StmtKind::Forall { affinity: Affinity::Expr(affinity), body: stmt, .. } = unit.stmts[s].kind else {
        return Err(Reason::OtherKind);
    };
    let Some(shape @ Shape { first: Some(first), .. }) = tree.shape(s) else { return Err(Reason::OtherKind) };
    let var = first.var;
    let Ty::Pointer(elem) = *typed.types.of(typed.sym(var).ty) else { return Err(Reason::OtherKind) };
    if is_long(unit, stmt) {
        return Err(Reason::BodyLong);
    }
    let body = Body::new(tree, stmt);
    let quals = typed.types.object_quals(elem);
    let (Some(Block::Size(block)), true) = (quals.shared, is_sized_element(&typed.types, elem)) else {
        return Err(Reason::NotDealtOut);
    };
    if !body.leaves(var) {
        return Err(Reason::BodyAssignsPointer);
    }
    if shape.step.is_none_or(|step| step.var != var || step.by != Stride::Up) {
        return Err(Reason::StepNotByPointer);
    }
    let Some((_, Condition::Compare(op @ (BinOp::Lt | BinOp::Ne | BinOp::Le), bound))) = shape.condition
    else {
        return Err(Reason::ConditionNotByPointer);
    };
    let same = points_to(tree, bound).is_some_and(|to| {
        typed.types.of(to) == typed.types.of(elem)
            && typed.types.object_quals(to).shared == quals.shared
            && !matches!(typed.types.of(typed.ty(bound)), Ty::Array(..))
    });
    if !same || typed.conversion(bound).is_some() || !body.keeps_bound(bound, var) {
        return Err(Reason::PointerBoundChanges);
    }
    if body.effects.rigid {
        return Err(Reason::BodyOnceOrLeaves);
    }
    if !names_element(&body, affinity, var) {
        return Err(Reason::AffinityNotByPointer);
    }
    let local = elements_at(&body, var);
    let named = body.names_otherwise(var, &local);
    let head = Head { first, bound, inclusive: op == BinOp::Le };
    Ok(Plan { head, elem, block, local, named, body: stmt })
}

// ---- rewriting -----------------------------------------------------------------------------------

fn over_own_elements(tree: &mut Tree, plan: &Plan) -> Vec<Node> {
    let (start, n, row) = (tree.var("start"), tree.var("n"), tree.var("row"));
    let (own, q, end) = (tree.var("own"), tree.var("q"), tree.var("end"));
    let Head { first, bound, inclusive } = plan.head;
    let ty = tree.typed.sym(first.var).ty;
    let (size, block) = (|| Term::Size(plan.elem), || Term::Num(plan.block as i64));
    // Calls the function for pointers without phase, or the one for those with phase, which takes the block
    // size too.
    let of = |cyclic: Primitive, blocked: Primitive, args: Vec<Term>| match plan.block {
        1 => Term::call(cyclic, args),
        _ => Term::call(blocked, args.into_iter().chain([block()])),
    };
    let far =
        of(Primitive::DiffCyclic, Primitive::DiffBlocked, vec![Term::Value(bound), start.into(), size()]);
    let before = |row: Term| Term::call(Primitive::OwnRows, [row, block()]);
    let round = Term::call(
        Primitive::At,
        [of(Primitive::RoundCyclic, Primitive::RoundBlocked, vec![start.into(), size()])],
    );
    let mut out = vec![
        Node::Declare { var: start, ty: VarType::Value(ty), value: Some(Term::Value(first.value)) },
        Node::index(n, Term::call(Primitive::NotBelowZero, [far.plus(i64::from(inclusive))])),
        Node::index(row, of(Primitive::RowCyclic, Primitive::RowBlocked, vec![start.into()])),
        Node::Declare { var: own, ty: VarType::Elements(plan.elem), value: Some(round) },
        Node::index(q, before(row.into())),
        Node::index(end, before(Term::bin("+", row.into(), n.into()))),
    ];
    let copy = tree.copy(plan.body);
    for &e in &plan.local {
        let object = tree.spell_out(copy.expr(e)).unwrap_or(copy.expr(e));
        tree.mark(object, Access::Element { base: own, index: q.into(), inside: Vec::new() });
    }
    let mut body = Vec::new();
    if plan.named {
        let at = of(
            Primitive::OwnElementCyclic,
            Primitive::OwnElementBlocked,
            vec![start.into(), q.into(), size()],
        );
        body.push(enter(first, at));
    }
    body.push(Node::Stmt(copy.stmt));
    let go = Term::bin("<", q.into(), end.into());
    out.push(Node::Loop(Loop { go, step: vec![Step::Next(q)], body, counts: None }));
    out.extend(leave(first, stepped(&tree.typed.types, plan.elem, start.into(), n.into())));
    out
}
