//! Uses of shared objects that are allowed but hardly intended. For private objects the C compiler warns; it
//! does not see shared objects as they are written.

use crate::context::Context;
use crate::linear::Linear;
use crate::types::Len;
use base::{Code, Diagnostic};
use c_syntax::ast::{BinOp, ExprId, ExprKind, UnOp};

/// Warns of `if (a[0] = 3)`.
pub(crate) fn check_assigned_condition(cx: &mut Context, e: ExprId) {
    let ExprKind::Assign(None, target, _) = cx.unit.exprs[e].kind else { return };
    if cx.out.types.is_shared(cx.out.ty(target)) {
        cx.report(
            Diagnostic::warning(Code::AssignedCondition, cx.span(e), "an assignment is the condition")
                .label("changes the object, and tests its new value")
                .help("write `==` to compare, or parentheses around the assignment if it is meant"),
        );
    }
}

/// Warns of an expression statement that only reads shared objects, or computes with them.
pub(crate) fn check_effect(cx: &mut Context, e: ExprId) {
    if reads_alone(cx, e) == Some(true) {
        cx.out.suspect.insert(e);
        cx.report(
            Diagnostic::warning(Code::NoEffect, cx.span(e), "a statement without effect")
                .label("the value is not used")
                .help(
                    "assign the value, or write `(void)` before the expression if the object shall be read",
                ),
        );
    }
}

/// Whether an expression without effects reads a shared object; `None` if it may have effects. A strict
/// or volatile read is an effect.
fn reads_alone(cx: &Context, e: ExprId) -> Option<bool> {
    let types = &cx.out.types;
    let quals = types.object_quals(cx.out.ty(e));
    let shared = quals.shared.is_some() && types.is_scalar(cx.out.ty(e));
    if quals.is_volatile || (shared && cx.out.is_strict(cx.unit, e)) {
        return None;
    }
    match &cx.unit.exprs[e].kind {
        ExprKind::Ident(_) => Some(shared),
        ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => Some(false),
        &ExprKind::Paren(a) => reads_alone(cx, a),
        ExprKind::Member { base, .. } => Some(reads_alone(cx, *base)? || shared),
        &ExprKind::Unary(UnOp::Deref | UnOp::Minus | UnOp::Plus | UnOp::BitNot | UnOp::Not, a) => {
            Some(reads_alone(cx, a)? || shared)
        }
        &ExprKind::Binary(op, a, b) if !matches!(op, BinOp::And | BinOp::Or | BinOp::Comma) => {
            Some(reads_alone(cx, a)? | reads_alone(cx, b)?)
        }
        &ExprKind::Index(a, b) => Some(reads_alone(cx, a)? | reads_alone(cx, b)? | shared),
        _ => None,
    }
}

/// Warns of a constant index that is outside of a shared array for every THREADS. The index and the
/// length may each be a number and a multiple of THREADS. The element after the last one may only be
/// `addressed`: its address is taken.
pub(crate) fn check_index_range(cx: &mut Context, array: ExprId, index: ExprId, addressed: bool) {
    let ty = cx.out.ty(array);
    let Some((_, length)) = cx.out.types.as_array(ty).filter(|_| cx.out.types.is_shared(ty)) else {
        return;
    };
    let length = match length {
        Len::Const(n) => Linear::constant(i128::from(n)),
        Len::Threads(n) => Linear { number: 0, threads: i128::from(n) },
        _ => return,
    };
    let Some(at) = linear(cx, index) else { return };
    let behind = at.minus(length);
    let end = behind == Linear::default();
    let outside = at.is_negative() || (behind.is_positive_or_zero() && (!end || !addressed));
    // Old programs declare a last member of one element, or none, and use more.
    let open = length.threads == 0
        && length.number <= 1
        && matches!(cx.unit.exprs[cx.unit.bare(array)].kind, ExprKind::Member { .. });
    if outside && !open {
        let message = format!("index {at} is outside of the array, which has {length} elements");
        let d = Diagnostic::warning(Code::OutsideArray, cx.span(index), message);
        cx.report(d.label(format!("is not in 0 to {}", length.minus(Linear::constant(1)))));
    }
}

/// The value of an expression as a number and a multiple of THREADS.
fn linear(cx: &Context, e: ExprId) -> Option<Linear> {
    if let Some(number) = cx.value(e) {
        return Some(Linear::constant(number));
    }
    match cx.unit.exprs[e].kind {
        ExprKind::Paren(a) => linear(cx, a),
        ExprKind::Threads => Some(Linear { number: 0, threads: 1 }),
        ExprKind::Unary(UnOp::Minus, a) => Some(Linear::default().minus(linear(cx, a)?)),
        ExprKind::Binary(BinOp::Add, a, b) => Some(linear(cx, a)?.plus(linear(cx, b)?)),
        ExprKind::Binary(BinOp::Sub, a, b) => Some(linear(cx, a)?.minus(linear(cx, b)?)),
        ExprKind::Binary(BinOp::Mul, a, b) => {
            let (a, b) = (linear(cx, a)?, linear(cx, b)?);
            let (by, of) = if a.threads == 0 { (a.number, b) } else { (b.number, a) };
            (a.threads == 0 || b.threads == 0).then(|| of.times(by))?
        }
        _ => None,
    }
}
