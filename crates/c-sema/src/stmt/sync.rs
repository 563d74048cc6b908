//! `upc_forall` and the synchronisation statements (UPC 6.6).

use crate::checker::Checker;
use crate::context::words::Goal;
use crate::expr::convert;
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{Affinity, BarrierKind, ExprId};

impl<'a> Checker<'a> {
    /// Checks the fourth clause: an integer or a pointer-to-shared (6.6.2).
    pub fn check_affinity(&mut self, affinity: Affinity) {
        let Affinity::Expr(e) = affinity else { return };
        let ty = self.rvalue(e);
        let types = &self.cx.out.types;
        if types.is_integer(ty) || types.is_error(ty) || types.shared_pointee(ty).is_some() {
            return;
        }
        let shown = self.cx.shown(ty);
        let label = if self.cx.out.types.is_pointer(ty) {
            "points to private memory"
        } else {
            "neither an integer nor a pointer-to-shared"
        };
        let help = if self.cx.out.types.is_shared(self.cx.out.ty(e)) {
            "write `&` before the shared object whose thread shall run the iteration"
        } else {
            "use an integer, the address of a shared object, or `continue`"
        };
        self.cx.report(
            Diagnostic::error(Code::Affinity, self.cx.span(e), format!("an affinity of type {shown}"))
                .label(label)
                .help(help),
        );
    }

    /// Checks a synchronisation statement with its value, which must be assignable to int (6.6.1).
    pub fn barrier(&mut self, kind: BarrierKind, value: Option<ExprId>, span: Span) {
        let word = match kind {
            BarrierKind::Notify => "upc_notify",
            BarrierKind::Wait => "upc_wait",
            BarrierKind::Barrier => "upc_barrier",
        };
        if let Some(f) = &self.function {
            f.collective(&mut self.cx, word, Span::new(span.lo, span.lo + word.len() as u32));
        }
        let Some(e) = value else { return };
        let ty = self.rvalue(e);
        if self.cx.out.types.is_arithmetic(ty) || self.cx.out.types.is_error(ty) {
            if !self.cx.out.types.is_integer(ty) && !self.cx.out.types.is_error(ty) {
                let message = format!("a value of type {} for `{word}`", self.cx.shown(ty));
                let d = Diagnostic::warning(Code::BarrierValue, self.cx.span(e), message);
                self.cx.report(d.label("becomes an int").help("use an integer, the same on all threads"));
            }
            let int = self.cx.int_ty();
            return convert::convert(&mut self.cx, e, ty, int, Goal::Assign);
        }
        if self.cx.out.types.is_pointer(ty) && self.cx.out.types.shared_pointee(ty).is_none() {
            let message = format!("a value of type {} for `{word}`", self.cx.shown(ty));
            let d = Diagnostic::warning(Code::BarrierValue, self.cx.span(e), message);
            let help = "use an integer that is the same on all threads: addresses may differ";
            return self.cx.report(d.label("a pointer becomes an int").help(help));
        }
        let shown = self.cx.shown(ty);
        self.cx.report(
            Diagnostic::error(
                Code::BarrierValue,
                self.cx.span(e),
                format!("a value of type {shown} for `{word}`"),
            )
            .label("cannot be assigned to an int")
            .help("use an integer, the same on all threads, or no value"),
        );
    }
}
