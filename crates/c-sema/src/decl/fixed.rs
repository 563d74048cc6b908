//! Initialisers of static objects: constants, and addresses that start-up can compute (C17 6.7.9, 6.6).

use crate::constant;
use crate::context::Context;
use crate::names::Names;
use crate::typed::SymKind;
use crate::types::QTy;
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{BinOp, ExprId, ExprKind, UnOp};
use c_syntax::dialect::Words;

/// Checks that the initialiser of a static object is constant (C17 6.7.9). For private objects, only
/// values that certainly vary are refused here; addresses of shared objects must be ones that start-up
/// can compute.
pub(crate) fn check_fixed(cx: &mut Context, names: &Names, e: ExprId, ty: QTy) {
    if cx.out.types.shared_pointee(ty).is_some() {
        if !cx.is_null(e) && !shared_address(cx, e) && !cx.out.types.is_error(cx.out.ty(e)) {
            let Words { shared, pointer, .. } = *cx.words();
            let message = format!("the initialiser of a static {pointer} is not an address constant");
            let help = format!(
                "initialise it by null or the address of a static {shared} object, or assign it in a function"
            );
            cx.report(
                Diagnostic::error(Code::NotConstant, cx.span(e), message)
                    .label("not known before the program runs")
                    .help(help),
            );
        }
        return;
    }
    let Some(at) = constant::varies(cx, e) else { return };
    let culprit = symbol_at(cx, names, cx.span(at));
    let is_const = culprit.is_some_and(|ty| cx.is_const(ty) && !cx.out.types.is_shared(ty));
    if !is_const {
        let message = "the initialiser of a static object is not constant";
        let d = Diagnostic::error(Code::NotConstant, cx.span(at), message);
        let d = constant::on_threads(cx, d.label("known only at run time"), at);
        cx.report(d);
    }
}

/// The type of the static object whose name stands at a span.
fn symbol_at(cx: &Context, names: &Names, span: Span) -> Option<QTy> {
    let sym = names.find(cx.text(span))?;
    matches!(cx.out.sym(sym).kind, SymKind::Static { .. }).then(|| cx.out.sym(sym).ty)
}

/// Whether an expression is the address of a static shared object plus a constant.
fn shared_address(cx: &Context, e: ExprId) -> bool {
    let ty = cx.out.ty(e);
    match &cx.unit.exprs[e].kind {
        &ExprKind::Paren(x) | &ExprKind::Extension(x) => shared_address(cx, x),
        &ExprKind::Cast(_, x) => cx.is_null(x) || shared_address(cx, x),
        &ExprKind::Unary(UnOp::Addr, x) => shared_place(cx, x),
        &ExprKind::Binary(BinOp::Add, a, b) => {
            (shared_address(cx, a) && cx.value(b).is_some())
                || (shared_address(cx, b) && cx.value(a).is_some())
        }
        &ExprKind::Binary(BinOp::Sub, a, b) => shared_address(cx, a) && cx.value(b).is_some(),
        &ExprKind::Cond(c, a, b) => match cx.truth(c) {
            Some(true) => a.is_some_and(|a| cx.is_null(a) || shared_address(cx, a)),
            Some(false) => cx.is_null(b) || shared_address(cx, b),
            None => false,
        },
        _ => cx.out.types.is_array(ty) && shared_place(cx, e),
    }
}

/// Whether an lvalue is a part of a static shared object at a constant place.
fn shared_place(cx: &Context, e: ExprId) -> bool {
    match &cx.unit.exprs[e].kind {
        ExprKind::Ident(_) => {
            let sym = cx.out.symbol.get(e).map(|&s| cx.out.sym(s));
            sym.is_some_and(|s| matches!(s.kind, SymKind::Static { .. }) && cx.out.types.is_shared(s.ty))
        }
        &ExprKind::Paren(x) | &ExprKind::Extension(x) => shared_place(cx, x),
        ExprKind::Member { base, arrow: false, .. } => shared_place(cx, *base),
        ExprKind::Member { base, arrow: true, .. } => shared_address(cx, *base),
        &ExprKind::Index(a, b) => {
            let reversed = cx.out.types.is_integer(cx.out.ty(a));
            let (array, index) = if reversed { (b, a) } else { (a, b) };
            cx.value(index).is_some() && shared_address(cx, array)
        }
        &ExprKind::Unary(UnOp::Deref, x) => shared_address(cx, x),
        _ => false,
    }
}
