//! `upc_forall` by a pointer: `upc_forall (p = a; p < a + N; p++; p) *p = 0;`.
//!
//! Every thread would step the pointer through all elements to find its own. But where the first pointer is
//! known, so is which of the elements that follow it are a thread's: counted from thread 0, phase 0 of the
//! round of blocks that the first one is in, it is row `thread * B + phase`, and the elements of one thread
//! are one behind the other in its memory. So a thread goes through its own elements by a counter and a local
//! pointer, and `*p` is the element that the counter is at. Where the body uses the pointer for other things,
//! it is made of the counter too.
//!
//! *Why it is allowed.* As in [`crate::owned::forall`]: iterations of other threads need not be stepped
//! through, since condition, step and affinity have no effects. The pointer is an automatic object whose
//! address is not taken and that the body does not assign; it has the value of the sequential loop in each
//! iteration and behind the loop. The bound keeps its value while the body runs. `p != end` from behind the
//! end would leave the array (C 6.5.6), and so is `p < end`.
//!
//! *Limits.* UPC; pointers to elements that are no arrays, cyclic or in blocks; the affinity is the pointer
//! itself; `p++`. Bodies as in [`crate::owned::forall`].
//!
//! *What it becomes.* [`Node::If`] on that no outer `upc_forall` is in control; in it a [`Node::Loop`] over
//! the own elements, with [`Access::Element`]s, and the plain form, which goes through all iterations.

use crate::facts::body::Body;
use crate::facts::places::{is_sized_element, points_to, stepped};
use crate::facts::shapes::{Condition, First, Shape, Stride, is_long};
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Loop, Node, Primitive, Slot, Step, Term, Tree, Var, VarType};
use crate::owned::forall::{each_shared_out, own_or_all};
use c_sema::typed::SymId;
use c_sema::types::{Block, QTy, Ty};
use c_syntax::Language;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
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
        Ok(format!("own elements by {}", tree.typed.sym(plan.var).name))
    });
}

/// How to run a loop over the own elements.
struct Plan {
    /// The pointer.
    var: SymId,
    /// Whether the loop declares it.
    declares: bool,
    /// Its first value, and the one that ends the loop.
    lo: ExprId,
    end: ExprId,
    /// `p <= end` rather than `p < end`.
    inclusive: bool,
    /// What it points to, and how many of them a block has.
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
    let Some(shape @ Shape { first: Some(First { var, declares, value: lo }), .. }) = tree.shape(s) else {
        return Err(Reason::OtherKind);
    };
    let Ty::Pointer(elem) = *typed.types.of(typed.sym(var).ty) else { return Err(Reason::OtherKind) };
    if is_long(unit, stmt) {
        return Err(Reason::BodyLong);
    }
    let body = Body::new(tree, stmt);
    let quals = typed.types.object_quals(elem);
    let (Some(Block::Size(block)), true) = (quals.shared, is_sized_element(&typed.types, elem)) else {
        return Err(Reason::NotDealtOut);
    };
    if !body.automatic(var) || !body.leaves(var) {
        return Err(Reason::BodyAssignsPointer);
    }
    if shape.step.is_none_or(|step| step.var != var || step.by != Stride::Up) {
        return Err(Reason::StepNotByPointer);
    }
    let Some((_, Condition::Compare(op @ (BinOp::Lt | BinOp::Ne | BinOp::Le), end))) = shape.condition else {
        return Err(Reason::ConditionNotByPointer);
    };
    let same = points_to(tree, end).is_some_and(|to| {
        typed.types.of(to) == typed.types.of(elem)
            && typed.types.object_quals(to).shared == quals.shared
            && !matches!(typed.types.of(typed.ty(end)), Ty::Array(..))
    });
    if !same || typed.conversion(end).is_some() || !body.keeps_bound(end, var) {
        return Err(Reason::PointerBoundChanges);
    }
    if body.effects.rigid {
        return Err(Reason::BodyOnceOrLeaves);
    }
    if !is_the_pointer(&body, affinity, var) {
        return Err(Reason::AffinityNotByPointer);
    }
    let local = dereferences(&body, var);
    let named = body.names_otherwise(var, &local);
    let inclusive = op == BinOp::Le;
    Ok(Plan { var, declares, lo, end, inclusive, elem, block, local, named, body: stmt })
}

/// `p`, `&*p` or `&p[0]`.
fn is_the_pointer(body: &Body, affinity: ExprId, var: SymId) -> bool {
    let unit = body.unit;
    let affinity = unit.bare(affinity);
    let ExprKind::Unary(UnOp::Addr, place) = unit.exprs[affinity].kind else {
        return body.name(affinity) == Some(var);
    };
    is_its_element(body, unit.bare(place), var)
}

/// `*p` or `p[0]`.
fn is_its_element(body: &Body, e: ExprId, var: SymId) -> bool {
    match body.unit.exprs[e].kind {
        ExprKind::Unary(UnOp::Deref, p) => body.name(p) == Some(var),
        ExprKind::Index(p, i) => body.name(p) == Some(var) && body.typed.constant(i) == Some(0),
        _ => false,
    }
}

/// The accesses `*p`, `p[0]` and `p->m`; not where a pointer-to-shared is made of them again.
fn dereferences(body: &Body, var: SymId) -> HashSet<ExprId> {
    let addressed = body.tree.addressed(body.stmt);
    let mut found = HashSet::new();
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        let is = match body.unit.exprs[e].kind {
            ExprKind::Member { base: p, arrow: true, .. } => body.name(p) == Some(var),
            _ => is_its_element(body, e, var),
        };
        if is && !addressed.contains(&e) && body.tree.access(e).is_none() {
            found.insert(e);
        }
        true
    });
    found
}

// ---- rewriting -----------------------------------------------------------------------------------

fn over_own_elements(tree: &mut Tree, plan: &Plan) -> Vec<Node> {
    let (start, n, row) = (tree.var("start"), tree.var("n"), tree.var("row"));
    let (own, q, end) = (tree.var("own"), tree.var("q"), tree.var("end"));
    let ty = tree.typed.sym(plan.var).ty;
    let (size, block) = (|| Term::Size(plan.elem), || Term::Num(plan.block as i64));
    // The function for pointers without phase, and the one for those with it, which takes the block size too.
    let of = |cyclic: Primitive, blocked: Primitive, args: Vec<Term>| match plan.block {
        1 => Term::call(cyclic, args),
        _ => Term::call(blocked, args.into_iter().chain([block()])),
    };
    let number = |var: Var, value: Term| Node::Declare { var, ty: VarType::Index, value: Some(value) };
    let far =
        of(Primitive::DiffCyclic, Primitive::DiffBlocked, vec![Term::Value(plan.end), start.into(), size()]);
    let before = |row: Term| Term::call(Primitive::OwnRows, [row, block()]);
    let first = Term::call(
        Primitive::At,
        [of(Primitive::RoundCyclic, Primitive::RoundBlocked, vec![start.into(), size()])],
    );
    let mut out = vec![
        Node::Declare { var: start, ty: VarType::Value(ty), value: Some(Term::Value(plan.lo)) },
        number(n, Term::call(Primitive::NotBelowZero, [far.plus(i64::from(plan.inclusive))])),
        number(row, of(Primitive::RowCyclic, Primitive::RowBlocked, vec![start.into()])),
        Node::Declare { var: own, ty: VarType::Elements(plan.elem), value: Some(first) },
        number(q, before(row.into())),
        number(end, before(Term::bin("+", row.into(), n.into()))),
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
        body.push(match plan.declares {
            true => Node::Define(plan.var, at),
            false => Node::Assign(Slot::Sym(plan.var), at),
        });
    }
    body.push(Node::Stmt(copy.stmt));
    let go = Term::bin("<", q.into(), end.into());
    out.push(Node::Loop(Loop { go, step: vec![Step::Next(q)], body, counts: None }));
    if !plan.declares {
        let past = stepped(&tree.typed.types, plan.elem, start.into(), n.into());
        out.push(Node::Assign(Slot::Sym(plan.var), past));
    }
    out
}
