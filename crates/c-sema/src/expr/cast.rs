//! Casts (C17 6.5.4, UPC 6.4.3).

use crate::checker::Checker;
use crate::types::{QTy, Ty, Types};
use crate::upc::pointers;
use base::Code;
use c_syntax::ast::{ExprId, RecordKind, TypeNameId};

impl Checker<'_> {
    /// `(type) x`
    pub fn cast(&mut self, e: ExprId, t: TypeNameId, x: ExprId) -> QTy {
        let to = self.type_name(t);
        let from = self.rvalue(x);
        let types = &self.cx.out.types;
        if types.is_error(to) || types.is_error(from) || types.is_void(to) {
            return self.cx.out.types.unqualified(to);
        }
        if let Some(problem) = bad_cast(&self.cx.out.types, from, to) {
            let (f, g) = (self.cx.shown(from), self.cx.shown(to));
            self.cx.error(Code::BadOperands, self.cx.span(e), format!("{f} cannot be cast to {g}"), problem);
        } else {
            pointers::check_shared_cast(&mut self.cx, e, x, from, to);
        }
        self.cx.out.types.unqualified(to)
    }
}

fn bad_cast(types: &Types, from: QTy, to: QTy) -> Option<&'static str> {
    match (types.of(from), types.of(to)) {
        (Ty::Vector(..) | Ty::VaList, _) | (_, Ty::Vector(..) | Ty::VaList) => None,
        (Ty::Void, _) => Some("void has no value"),
        (_, Ty::Array(..)) => Some("an array is not the type of a value"),
        (_, Ty::Function(_)) => Some("a function is not the type of a value"),
        (_, Ty::Record(r)) if types.record(*r).kind == RecordKind::Union => None,
        (Ty::Record(a), Ty::Record(b)) if a == b => None,
        (_, Ty::Record(_)) => Some("a struct is not made by a cast"),
        (Ty::Record(_), _) => Some("a struct is not a number or a pointer"),
        (Ty::Pointer(_), Ty::Float(_) | Ty::Complex(_)) => Some("a pointer is not a floating number"),
        (Ty::Float(_) | Ty::Complex(_), Ty::Pointer(_)) => Some("a floating number is not a pointer"),
        _ => None,
    }
}
