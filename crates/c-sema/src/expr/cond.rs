//! `c ? a : b` (C17 6.5.15).

use crate::checker::Checker;
use crate::context::Context;
use crate::expr::operators;
use crate::types::{QTy, Ty};
use crate::upc::pointers;
use c_syntax::ast::ExprId;

impl Checker<'_> {
    /// `c ? a : b`, `c ?: b`
    pub fn cond(&mut self, e: ExprId, c: ExprId, a: Option<ExprId>, b: ExprId) -> QTy {
        let truth = self.rvalue(c);
        operators::check_condition(&mut self.cx, c, truth);
        let x = match a {
            Some(a) => self.rvalue(a),
            None => truth,
        };
        let y = self.rvalue(b);
        let a = a.unwrap_or(c);
        let types = &self.cx.out.types;
        if types.is_error(x) || types.is_error(y) {
            return if types.is_error(x) { y } else { x };
        }
        if types.is_arithmetic(x) && types.is_arithmetic(y) {
            return self.cx.common(a, b);
        }
        match (types.of(x), types.of(y)) {
            (Ty::Void, _) | (_, Ty::Void) => QTy::plain(self.cx.basic.void),
            (Ty::Record(r), Ty::Record(s)) if r == s => x,
            (Ty::Vector(..), _) | (Ty::VaList, _) => x,
            (_, Ty::Vector(..)) | (_, Ty::VaList) => y,
            (Ty::Pointer(_), _) | (_, Ty::Pointer(_)) => cond_pointers(&mut self.cx, e, a, b, x, y),
            _ => {
                pointers::branches_differ(&mut self.cx, e, x, y);
                self.cx.unknown()
            }
        }
    }
}

/// The type of a conditional with a pointer in at least one branch.
fn cond_pointers(cx: &mut Context, e: ExprId, a: ExprId, b: ExprId, x: QTy, y: QTy) -> QTy {
    let shared = cx.out.types.shared_pointee(x).is_some() || cx.out.types.shared_pointee(y).is_some();
    if cx.is_null(b) && cx.out.types.is_pointer(x) {
        if shared && y != x {
            cx.out.conversion.insert(b, x);
        }
        return x;
    }
    if cx.is_null(a) && cx.out.types.is_pointer(y) {
        if shared && x != y {
            cx.out.conversion.insert(a, y);
        }
        return y;
    }
    let (p, q) = match (cx.out.types.pointee(x), cx.out.types.pointee(y)) {
        (Some(p), Some(q)) => (p, q),
        // A pointer and an integer: gcc warns.
        _ if shared || !(cx.out.types.is_integer(x) || cx.out.types.is_integer(y)) => {
            pointers::branches_differ(cx, e, x, y);
            return cx.unknown();
        }
        (Some(_), None) => return x,
        _ => return y,
    };
    if shared {
        return pointers::shared_branches(cx, e, (a, x, p), (b, y, q));
    }
    let types = &cx.out.types;
    let mut to = if types.is_void(q) && !types.is_void(p) { q } else { p };
    let quals = types.strip(p).quals.union(types.strip(q).quals);
    if !types.is_void(p) && !types.is_void(q) {
        to = cx.out.types.composite(q, p);
    }
    let to = cx.out.types.qualify(to, quals);
    cx.out.types.pointer_to(to)
}
