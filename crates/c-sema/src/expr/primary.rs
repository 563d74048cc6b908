//! Constants and string literals (C17 6.4.4, 6.4.5).

use crate::constant::literal::{self, Number, Width};
use crate::context::Context;
use crate::types::{IntKind, Len, QTy, Ty};
use base::Code;
use c_syntax::ast::ExprId;

pub(crate) fn number(cx: &mut Context, e: ExprId) -> QTy {
    let span = cx.unit.exprs[e].span;
    if literal::is_too_large(cx.text(span)) {
        cx.error(Code::BadNumber, span, "an integer constant that is too large", "no type holds it");
    }
    let ty = match literal::number(cx.text(span)) {
        Some(Number::Int(_, kind)) => Ty::Int(kind),
        Some(Number::Float(_, kind)) => Ty::Float(kind),
        Some(Number::Imaginary(kind)) => Ty::Complex(kind),
        Some(Number::ImaginaryInt(kind)) => Ty::ComplexInt(kind),
        None => Ty::Error,
    };
    QTy::plain(cx.out.types.intern(ty))
}

pub(crate) fn char_constant(cx: &mut Context, e: ExprId) -> QTy {
    let width = literal::character(cx.text(cx.unit.exprs[e].span), cx.env.char_signed).map(|c| c.1);
    match width {
        Some(Width::Char16) => cx.out.types.int(IntKind::UShort),
        Some(Width::Char32) => cx.out.types.int(IntKind::UInt),
        _ => cx.int_ty(),
    }
}

pub(crate) fn string(cx: &mut Context, e: ExprId) -> QTy {
    let (length, width) = literal::string(cx.text(cx.unit.exprs[e].span));
    let elem = match width {
        Width::Char => QTy::plain(cx.basic.char),
        Width::Char16 => cx.out.types.int(IntKind::UShort),
        Width::Char32 => cx.out.types.int(IntKind::UInt),
        // wchar_t is unsigned on arm64 as char is.
        Width::Wide if cx.env.char_signed => cx.int_ty(),
        Width::Wide => cx.out.types.int(IntKind::UInt),
    };
    QTy::plain(cx.out.types.intern(Ty::Array(elem, Len::Const(length + 1))))
}
