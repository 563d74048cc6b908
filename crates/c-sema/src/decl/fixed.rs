//! Initialisers of static objects: constants, and addresses that start-up can compute (C17 6.7.9, 6.6).

use crate::checker::Checker;
use crate::constant;
use crate::typed::SymKind;
use crate::types::QTy;
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{BinOp, ExprId, ExprKind, UnOp};
use c_syntax::dialect::Words;

impl Checker<'_> {
    /// Checks that the initialiser of a static object is constant (C17 6.7.9). For private objects, only
    /// values that certainly vary are refused here; addresses of shared objects must be ones that start-up
    /// can compute.
    pub fn check_fixed(&mut self, e: ExprId, ty: QTy) {
        if self.cx.out.types.shared_pointee(ty).is_some() {
            if !self.cx.is_null(e)
                && !self.shared_address(e)
                && !self.cx.out.types.is_error(self.cx.out.ty(e))
            {
                let Words { shared, pointer, .. } = *self.cx.words();
                let message = format!("the initialiser of a static {pointer} is not an address constant");
                let help = format!(
                    "initialise it by null or the address of a static {shared} object, or assign it in a function"
                );
                self.cx.report(
                    Diagnostic::error(Code::NotConstant, self.cx.span(e), message)
                        .label("not known before the program runs")
                        .help(help),
                );
            }
            return;
        }
        let Some(at) = constant::varies(&self.cx, e) else { return };
        let culprit = self.symbol_at(self.cx.span(at));
        let is_const = culprit.is_some_and(|ty| self.cx.is_const(ty) && !self.cx.out.types.is_shared(ty));
        if !is_const {
            let message = "the initialiser of a static object is not constant";
            let d = Diagnostic::error(Code::NotConstant, self.cx.span(at), message);
            let d = constant::on_threads(&self.cx, d.label("known only at run time"), at);
            self.cx.report(d);
        }
    }

    /// The type of the static object whose name stands at a span.
    fn symbol_at(&self, span: Span) -> Option<QTy> {
        let sym = self.scopes.find(self.cx.text(span))?;
        matches!(self.cx.out.sym(sym).kind, SymKind::Static { .. }).then(|| self.cx.out.sym(sym).ty)
    }

    /// Whether an expression is the address of a static shared object plus a constant.
    fn shared_address(&self, e: ExprId) -> bool {
        let ty = self.cx.out.ty(e);
        match &self.cx.unit.exprs[e].kind {
            &ExprKind::Paren(x) | &ExprKind::Extension(x) => self.shared_address(x),
            &ExprKind::Cast(_, x) => self.cx.is_null(x) || self.shared_address(x),
            &ExprKind::Unary(UnOp::Addr, x) => self.shared_place(x),
            &ExprKind::Binary(BinOp::Add, a, b) => {
                (self.shared_address(a) && self.cx.value(b).is_some())
                    || (self.shared_address(b) && self.cx.value(a).is_some())
            }
            &ExprKind::Binary(BinOp::Sub, a, b) => self.shared_address(a) && self.cx.value(b).is_some(),
            &ExprKind::Cond(c, a, b) => match self.cx.truth(c) {
                Some(true) => a.is_some_and(|a| self.cx.is_null(a) || self.shared_address(a)),
                Some(false) => self.cx.is_null(b) || self.shared_address(b),
                None => false,
            },
            _ => self.cx.out.types.is_array(ty) && self.shared_place(e),
        }
    }

    /// Whether an lvalue is a part of a static shared object at a constant place.
    fn shared_place(&self, e: ExprId) -> bool {
        match &self.cx.unit.exprs[e].kind {
            ExprKind::Ident(_) => {
                let sym = self.cx.out.symbol.get(e).map(|&s| self.cx.out.sym(s));
                sym.is_some_and(|s| {
                    matches!(s.kind, SymKind::Static { .. }) && self.cx.out.types.is_shared(s.ty)
                })
            }
            &ExprKind::Paren(x) | &ExprKind::Extension(x) => self.shared_place(x),
            ExprKind::Member { base, arrow: false, .. } => self.shared_place(*base),
            ExprKind::Member { base, arrow: true, .. } => self.shared_address(*base),
            &ExprKind::Index(a, b) => {
                let reversed = self.cx.out.types.is_integer(self.cx.out.ty(a));
                let (array, index) = if reversed { (b, a) } else { (a, b) };
                self.cx.value(index).is_some() && self.shared_address(array)
            }
            &ExprKind::Unary(UnOp::Deref, x) => self.shared_address(x),
            _ => false,
        }
    }
}
