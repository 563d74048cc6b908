//! The rules of assignment, which also apply to calls, initialisers and returns (C17 6.5.16.1).
//!
//! If gcc only warns (pointers of other private types, integers for pointers), nothing is reported here: the
//! C compiler sees the same code and warns. All rules for pointers-to-shared are checked here.

use crate::context::Context;
use crate::context::words::Goal;
use crate::types::{QTy, Ty};
use crate::upc::pointers;
use base::{Code, Diagnostic};
use c_syntax::ast::{ExprId, ExprKind, RecordKind};

/// The left side of an assignment: an object that may change (C17 6.3.2.1).
pub(crate) fn check_modifiable(cx: &mut Context, x: ExprId, ty: QTy) -> bool {
    let bare = cx.unit.bare(x);
    let span = cx.span(x);
    let d = match cx.unit.exprs[bare].kind {
        ExprKind::Threads | ExprKind::MyThread => {
            let name = cx.text(cx.span(bare)).to_owned();
            Diagnostic::error(Code::NotAnLvalue, span, format!("`{name}` cannot be changed"))
                .label("is a value, not an object")
        }
        _ if cx.out.types.is_error(ty) => return true,
        _ if !cx.is_lvalue(x) => {
            Diagnostic::error(Code::NotAssignable, span, "the left side of this assignment is not an object")
                .label("is a value")
        }
        _ if cx.out.types.is_array(ty) => {
            Diagnostic::error(Code::NotAssignable, span, "an array cannot be assigned")
                .label("is an array")
                .help("assign its elements, or copy it")
        }
        _ if cx.out.types.as_function(ty).is_some() => {
            Diagnostic::error(Code::NotAssignable, span, "a function cannot be assigned")
                .label("is a function")
        }
        _ if cx.is_const(ty) => {
            let shown = cx.shown(ty);
            Diagnostic::error(
                Code::NotAssignable,
                span,
                format!("an object of type {shown} cannot be changed"),
            )
            .label("is const")
        }
        _ if !cx.out.types.is_complete(ty) => {
            let shown = cx.shown(ty);
            Diagnostic::error(
                Code::Incomplete,
                span,
                format!("an object of incomplete type {shown} is changed"),
            )
            .label("its type is not known here")
        }
        _ => return true,
    };
    cx.report(d);
    false
}

/// Converts the value of `e`, of type `from`, to `to` as if by assignment: checks that this is allowed,
/// and notes the conversion of a pointer-to-shared.
pub(crate) fn convert(cx: &mut Context, e: ExprId, from: QTy, to: QTy, goal: Goal) {
    let types = &cx.out.types;
    if types.is_error(from) || types.is_error(to) {
        return;
    }
    match (types.of(from), types.of(to)) {
        (Ty::Void, Ty::Void) => {}
        (Ty::Void, _) => {
            let message = format!("an expression without value is used {}", goal.words());
            cx.error(Code::Incompatible, cx.span(e), message, "is void");
        }
        (Ty::Vector(..) | Ty::VaList, _) | (_, Ty::Vector(..) | Ty::VaList) => {}
        (Ty::Pointer(_), Ty::Pointer(_)) => pointers::convert_pointer(cx, e, from, to, goal),
        (_, Ty::Pointer(p)) if types.is_integer(from) => {
            let shared = types.is_shared(*p);
            if shared && cx.is_null(e) {
                let target = cx.out.types.unqualified(to);
                cx.out.conversion.insert(e, target);
            } else if shared {
                pointers::integer_to_shared(cx, e, from, to, goal);
            }
        }
        (Ty::Pointer(p), _) if types.is_integer(to) => {
            if types.is_shared(*p) {
                if types.is_bool(to) {
                    let target = cx.out.types.unqualified(to);
                    cx.out.conversion.insert(e, target);
                } else {
                    incompatible(cx, e, from, to, goal, Some("a cast converts the pointer to an integer"));
                }
            }
        }
        (_, Ty::Record(r)) => {
            let transparent =
                matches!(goal, Goal::Argument(..)) && types.record(*r).kind == RecordKind::Union;
            let same = types.as_record(from) == Some(*r);
            if !same && !transparent {
                incompatible(cx, e, from, to, goal, None);
            }
        }
        _ if types.is_arithmetic(from) && types.is_arithmetic(to) => {}
        _ => incompatible(cx, e, from, to, goal, None),
    }
}

pub(crate) fn incompatible(cx: &mut Context, e: ExprId, from: QTy, to: QTy, goal: Goal, help: Option<&str>) {
    let (f, t) = (cx.shown(from), cx.shown(to));
    let mut d =
        Diagnostic::error(Code::Incompatible, cx.span(e), format!("{f} given for {t} {}", goal.words()))
            .label(format!("is {f}"));
    d.help = help.map(str::to_owned);
    cx.report(d);
}
