//! What is computed early: before the program comes to it, or where the program may not come to it at all.
//!
//! *The rule.* Nothing is dereferenced, divided by, called, used as a length or followed early unless its
//! value is the one that the program's own evaluation has, and the program comes to that evaluation; or
//! unless it cannot fault, whatever its value.
//!
//! A value in a loop that is read ahead is *right* if it is made of what the loop does not write and the
//! program comes to it in any case: of variables that keep their values, of the loop's own variable, of
//! memory that no write of the loop may be to ([`crate::facts::dependences`]). A value is a *guess* if the
//! loop may write to what it is made of: an earlier iteration that has yet to run may set it, and until then
//! it is null, 0, or anything else. Whatever stands under a condition or in a loop that is decided by a guess
//! may not be evaluated by the program, so it is not to fault either, even if it is made of right values.
//! What other threads write does not make a guess: a relaxed read that is done early has a value that the
//! program's own may have, and is held.
//!
//! *Without faults* there are, of guesses:
//!
//! - Arithmetic of integers and pointers-to-shared: it is made to be defined for all operands
//!   ([`defined`]), and has C's value where C gives one. So a sum may overflow, a divisor may be 0.
//! - Reads of shared objects: the owner is asked only where it has memory, and the object is aligned
//!   (`mer_there` in `meridian/early.h`). Else the part that is read ahead ends in front of the iteration.
//! - Loops: they end when the buffers are full.
//! - Calls of functions that return whatever their arguments are ([`crate::facts::functions::returns`]).
//!
//! Not so private memory, which cannot be asked, unless the same iteration has looked there in any case;
//! and floating-point operations, which trap where a program has asked for that; but comparisons, which are
//! made quiet.
//!
//! *Who uses which half.*
//!
//! - Parts (`prefetch/plan.rs`): all is right. Writes are noted, and each read is tested before something is
//!   made of its value.
//! - Stages (`prefetch/stages.rs`): right where writes are known in advance, and reads tested against them.
//!   Elsewhere they follow guesses, without faults.
//! - Rounds (`prefetch/rounds.rs`) likewise: of what could fault, all is right.
//! - Bounds that are read once, and what is read once for a part: they are right, since the loop does not
//!   write them, and the program comes to them in any case.
//! - Sections and local rows: right values, but the program may not come to them, so [`cannot_fault`].
//! - Halos and directories: all is right. Rows beyond an array are asked for only where there is memory.
//! - Caching, versioning, induction: nothing of the program's is evaluated early. The cache reads what lies
//!   beside an object where there is memory.

use crate::ir::tree::{Access, Tree};
use crate::ir::walk::each_statement;
use c_sema::Typed;
use c_sema::types::{FloatKind, QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr, exists};

/// Whether the program need not come to an expression that is made of variables that stay, so that it may be
/// evaluated in any case: it has no operation that is undefined for some operands, sums and products aside,
/// which C compilers evaluate early themselves.
pub(crate) fn cannot_fault(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    !exists(unit, Any::Expr(e), |e| match unit.exprs[e].kind {
        ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by) => !divides(unit, typed, by),
        ExprKind::Cast(_, a) => is_float(typed, typed.ty(a)) && !is_float(typed, typed.ty(e)),
        ExprKind::Call(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { arrow: true, .. } => true,
        _ => false,
    })
}

/// Whether anything can be divided by this: it is neither 0 nor -1, by which the least number cannot.
pub(crate) fn divides(unit: &Unit, typed: &Typed, by: ExprId) -> bool {
    match unit.exprs[unit.bare(by)].kind {
        ExprKind::Threads => true,
        _ => typed.constant(by).is_some_and(|by| by != 0 && by != -1),
    }
}

/// Whether a type is a floating-point one, be it complex or a vector.
pub(crate) fn is_float(typed: &Typed, q: QTy) -> bool {
    !matches!(typed.types.of(q), Ty::Int(_) | Ty::Enum(_) | Ty::Pointer(_) | Ty::Array(..) | Ty::Function(_))
}

/// Whether an operator compares numbers of the types `float` and `double`, or such with literals: that can be
/// done so that it does not trap, whatever they are.
pub fn compares_quietly(unit: &Unit, typed: &Typed, op: BinOp, a: ExprId, b: ExprId) -> bool {
    use BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let real =
        |e: ExprId| matches!(typed.types.of(typed.ty(e)), Ty::Float(FloatKind::Float | FloatKind::Double));
    let known = |e: ExprId| real(e) || is_literal(unit, typed, e);
    matches!(op, Lt | Gt | Le | Ge | Eq | Ne) && (real(a) || real(b)) && known(a) && known(b)
}

fn is_literal(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    match unit.exprs[e].kind {
        ExprKind::Number | ExprKind::Char => true,
        ExprKind::Paren(a) | ExprKind::Unary(UnOp::Plus | UnOp::Minus, a) => is_literal(unit, typed, a),
        _ => typed.constant(e).is_some(),
    }
}

/// Whether a value can be asked whether it is 0 without a trap.
pub(crate) fn decides(typed: &Typed, e: ExprId) -> bool {
    !is_float(typed, typed.ty(e))
}

/// Whether an expression is a floating-point operation that may trap.
pub(crate) fn may_trap(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    let float = |e: ExprId| is_float(typed, typed.ty(e)) && !is_literal(unit, typed, e);
    match unit.exprs[e].kind {
        ExprKind::Binary(op, a, b) if compares_quietly(unit, typed, op, a, b) => false,
        ExprKind::Binary(op, a, b) => op != BinOp::Comma && (float(a) || float(b)),
        ExprKind::Cond(c, ..) => !decides(typed, c),
        ExprKind::Unary(op, a) => !matches!(op, UnOp::Addr | UnOp::Deref) && float(a),
        ExprKind::Cast(_, a) => float(a) || float(e),
        ExprKind::Assign(_, a, b) => float(a) != float(b),
        ExprKind::Call(_, ref args) => float(e) || args.iter().any(|&a| float(a)),
        _ => false,
    }
}

/// Makes the arithmetic of an expression defined for all operands. The expression is a copy, which no other
/// place renders.
pub(crate) fn defined(tree: &mut Tree, e: ExprId) -> ExprId {
    mark(tree, Any::Expr(e));
    e
}

/// The same of a statement.
pub(crate) fn defined_in(tree: &mut Tree, s: StmtId) {
    mark(tree, Any::Stmt(s));
}

fn mark(tree: &mut Tree, of: Any) {
    if let Any::Stmt(s) = of {
        let mut inside = Vec::new();
        each_statement(tree, s, &mut |inner| inside.extend((inner != s).then_some(inner)));
        inside.into_iter().for_each(|s| mark_own(tree, Any::Stmt(s)));
    }
    mark_own(tree, of);
}

fn mark_own(tree: &mut Tree, of: Any) {
    let mut all = Vec::new();
    each_expr(&tree.unit, of, |e| {
        all.push(e);
        true
    });
    let mut computed = Vec::new();
    for &e in &all {
        if let Some(Access::Element { index, inside, .. }) = tree.access(e) {
            let terms = inside.iter().chain([index]);
            terms.for_each(|term| term.each_expr(&mut |e| computed.push(e)));
        }
    }
    tree.early.extend(all);
    computed.into_iter().for_each(|e| mark(tree, Any::Expr(e)));
}
