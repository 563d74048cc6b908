//! The rules of binary operators, conditions and taken addresses, for operands that have been checked.

use crate::context::Context;
use crate::context::words::spelling;
use crate::typed::SymKind;
use crate::types::{QTy, Ty};
use crate::upc::pointers;
use base::{Code, Diagnostic};
use c_syntax::ast::{BinOp, ExprId, ExprKind};

/// A binary operator whose operands have been checked.
pub(crate) fn binary(cx: &mut Context, e: ExprId, op: BinOp, a: ExprId, b: ExprId) -> QTy {
    let (x, y) = (cx.value_ty(a), cx.value_ty(b));
    if op == BinOp::Comma {
        return y;
    }
    if matches!(op, BinOp::And | BinOp::Or) {
        check_condition(cx, a, x);
        check_condition(cx, b, y);
        return cx.int_ty();
    }
    operate(cx, e, op, (a, x), (b, y))
}

/// The type of `a op b` for all operators except comma, `&&` and `||`; also for the operator of
/// `a op= b`.
pub(crate) fn operate(cx: &mut Context, e: ExprId, op: BinOp, a: (ExprId, QTy), b: (ExprId, QTy)) -> QTy {
    let (x, y) = (a.1, b.1);
    let types = &cx.out.types;
    let comparison = matches!(op, BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne);
    if types.is_error(x) || types.is_error(y) {
        return match op {
            _ if comparison => cx.int_ty(),
            // The unknown operand hardly matters: a pointer stays a pointer.
            BinOp::Add | BinOp::Sub if types.is_pointer(x) && types.is_error(y) => x,
            _ => cx.unknown(),
        };
    }
    if matches!(types.of(x), Ty::Vector(..)) {
        return x;
    }
    if matches!(types.of(y), Ty::Vector(..)) {
        return y;
    }
    let numbers = types.is_arithmetic(x) && types.is_arithmetic(y);
    let integers = types.is_integer(x) && types.is_integer(y);
    match op {
        BinOp::Add | BinOp::Sub if !numbers => pointer_sum(cx, e, op, a, b),
        BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
            if !numbers {
                compare(cx, e, op, a, b);
            }
            cx.int_ty()
        }
        BinOp::Shl | BinOp::Shr if integers => cx.promote(a.0, x),
        BinOp::Mul | BinOp::Div | BinOp::Add | BinOp::Sub if numbers => cx.common(a.0, b.0),
        BinOp::Rem | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor if integers => cx.common(a.0, b.0),
        _ => {
            // Integer operators on complex integers are GNU C.
            let complex = |q: QTy| matches!(cx.out.types.of(q), Ty::ComplexInt(_));
            if !(numbers && (complex(x) || complex(y))) {
                bad_operands(cx, e, op, x, y);
            }
            cx.unknown()
        }
    }
}

/// `+` and `-` with a pointer.
fn pointer_sum(cx: &mut Context, e: ExprId, op: BinOp, a: (ExprId, QTy), b: (ExprId, QTy)) -> QTy {
    let (x, y) = (a.1, b.1);
    let (p, q) = (cx.out.types.pointee(x), cx.out.types.pointee(y));
    match (p, q) {
        (Some(to), None) if cx.out.types.is_integer(y) => {
            check_step(cx, to, e);
            x
        }
        (None, Some(to)) if op == BinOp::Add && cx.out.types.is_integer(x) => {
            check_step(cx, to, e);
            y
        }
        (Some(to), Some(other)) if op == BinOp::Sub => {
            if cx.out.types.is_shared(to) || cx.out.types.is_shared(other) {
                if pointers::check_shared_pair(cx, e, op, a, b) {
                    check_step(cx, to, e);
                }
            } else if !cx.out.types.compatible_unqualified(to, other)
                && !cx.out.types.is_void(to)
                && !cx.out.types.is_void(other)
            {
                bad_operands(cx, e, op, x, y);
            }
            QTy::plain(cx.basic.ptrdiff)
        }
        _ => {
            bad_operands(cx, e, op, x, y);
            cx.unknown()
        }
    }
}

/// Checks that a pointer can be moved by elements, whose size must be known. GNU C moves `void *` and
/// pointers to functions by bytes; a `shared void *` has no elements.
pub(crate) fn check_step(cx: &mut Context, to: QTy, e: ExprId) {
    let types = &cx.out.types;
    let gnu = matches!(types.of(to), Ty::Void | Ty::Function(_) | Ty::Error) && !types.is_shared(to);
    if gnu || types.is_complete(to) {
        return;
    }
    let shown = types.show_aka(to);
    let mut d =
        Diagnostic::error(Code::Incomplete, cx.span(e), format!("arithmetic on a pointer to {shown}"))
            .label("the size of the pointer's target is not known");
    if cx.out.types.is_shared_void(to) {
        d = d.help(format!("cast it to a {} of the type that is meant", cx.words().pointer));
    }
    cx.report(d);
}

/// Checks a comparison with a pointer among the operands.
fn compare(cx: &mut Context, e: ExprId, op: BinOp, a: (ExprId, QTy), b: (ExprId, QTy)) {
    let (x, y) = (a.1, b.1);
    let types = &cx.out.types;
    match (types.pointee(x), types.pointee(y)) {
        (Some(p), Some(q)) if types.is_shared(p) || types.is_shared(q) => {
            if pointers::check_shared_pair(cx, e, op, a, b) && !matches!(op, BinOp::Eq | BinOp::Ne) {
                pointers::check_relational(cx, e, p, q);
            }
        }
        (Some(_), Some(_)) => pointers::check_unlike_targets(cx, e, a, b),
        (Some(p), None) if types.is_integer(y) => compare_null(cx, e, op, p, x, b),
        (None, Some(q)) if types.is_integer(x) => compare_null(cx, e, op, q, y, a),
        _ if matches!(types.of(x), Ty::VaList) || matches!(types.of(y), Ty::VaList) => {}
        _ => bad_operands(cx, e, op, x, y),
    }
}

/// Checks a comparison of a pointer and an integer. Zero is null; for other integers gcc warns, but a
/// pointer-to-shared is no number.
fn compare_null(cx: &mut Context, e: ExprId, op: BinOp, to: QTy, pointer: QTy, other: (ExprId, QTy)) {
    if !cx.out.types.is_shared(to) {
        return;
    }
    if cx.is_null(other.0) && matches!(op, BinOp::Eq | BinOp::Ne) {
        cx.out.conversion.insert(other.0, pointer);
    } else {
        bad_operands(cx, e, op, pointer, other.1);
    }
}

pub(crate) fn bad_operands(cx: &mut Context, e: ExprId, op: BinOp, x: QTy, y: QTy) {
    let (x, y) = (cx.shown(x), cx.shown(y));
    let message = format!("`{}` cannot be applied to {x} and {y}", spelling(op));
    cx.error(Code::BadOperands, cx.span(e), message, "these operands have the wrong types");
}

/// Notes that the address of the object that an lvalue is part of is taken.
pub(crate) fn note_address(cx: &mut Context, e: ExprId) {
    let unit = cx.unit;
    match &unit.exprs[cx.unit.bare(e)].kind {
        ExprKind::Ident(_) => {
            if let Some(&sym) = cx.out.symbol.get(cx.unit.bare(e)) {
                cx.out.symbols[sym.0 as usize].address_taken = true;
                check_register(cx, sym, e);
            }
        }
        ExprKind::Member { base, arrow: false, .. } => note_address(cx, *base),
        ExprKind::Index(a, _) if cx.out.types.is_array(cx.out.ty(*a)) => note_address(cx, *a),
        _ => {}
    }
}

fn check_register(cx: &mut Context, sym: crate::typed::SymId, e: ExprId) {
    let symbol = cx.out.sym(sym);
    if cx.info[sym.0 as usize].register && symbol.kind == SymKind::Auto {
        let name = symbol.name.clone();
        cx.report(
            Diagnostic::error(
                Code::BadOperands,
                cx.span(e),
                format!("the address of `{name}`, which is declared `register`"),
            )
            .label("a register has no address")
            .help("leave `register` out of its declaration"),
        );
    }
}

/// Checks that a condition is a number or a pointer, local or to shared.
pub(crate) fn check_condition(cx: &mut Context, c: ExprId, ty: QTy) {
    let types = &cx.out.types;
    if types.is_scalar(ty) || matches!(types.of(ty), Ty::Error | Ty::Vector(..) | Ty::VaList) {
        return;
    }
    let shown = cx.shown(ty);
    cx.error(
        Code::BadOperands,
        cx.span(c),
        format!("a condition of type {shown}"),
        "neither a number nor a pointer",
    );
}
