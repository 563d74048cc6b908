//! `upc_forall` and the synchronisation statements (UPC 6.6).

use crate::checker::Checker;
use crate::checker::function::Loop;
use crate::context::words::Goal;
use crate::expr::convert;
use crate::library::Effects;
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{Affinity, BarrierKind, ExprId, Name};

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

    /// The numbers of the `upc_forall`s around this point, outermost first.
    pub fn foralls(&self) -> Vec<u32> {
        let loops = self.function.as_ref().map_or(&[][..], |f| &f.loops);
        loops.iter().filter_map(|l| if let Loop::Forall(n, _) = l { Some(*n) } else { None }).collect()
    }

    fn innermost_forall(&self) -> Option<Span> {
        let loops = &self.function.as_ref()?.loops;
        loops.iter().rev().find_map(|l| if let Loop::Forall(_, at) = l { Some(*at) } else { None })
    }

    /// Checks a `break` at `span`, whose target is the innermost loop or switch.
    pub fn check_break(&mut self, span: Span) {
        let Some(last) = self.function.as_ref().map(|f| f.loops.last().copied()) else { return };
        match last {
            None => self.cx.error(
                Code::BadStatement,
                span,
                "`break` outside a loop or switch",
                "nothing to leave here",
            ),
            Some(Loop::Forall(_, at)) => self.leaves_forall(span, at, "`break`"),
            Some(_) => {}
        }
    }

    /// Checks a `continue` at `span`.
    pub fn check_continue(&mut self, span: Span) {
        let inside = self.function.as_ref().is_none_or(|f| f.loops.iter().any(|l| *l != Loop::Switch));
        if !inside {
            self.cx.error(Code::BadStatement, span, "`continue` outside a loop", "no loop to continue here");
        }
    }

    /// Checks a `return` at `span`.
    pub fn check_return_from_forall(&mut self, span: Span) {
        if let Some(at) = self.innermost_forall() {
            self.leaves_forall(span, at, "`return`");
        }
    }

    fn leaves_forall(&mut self, span: Span, forall: Span, what: &str) {
        self.cx.report(
            Diagnostic::warning(
                Code::LeavesForall,
                span,
                format!("{what} leaves a upc_forall: the behaviour is undefined"),
            )
            .label("ends the loop on this thread only")
            .also(Span::new(forall.lo, forall.lo + "upc_forall".len() as u32), "this upc_forall")
            .help("let all iterations run, or use `for` with a test of the affinity"),
        );
    }

    /// Checks a jump whose label lies in other `upc_forall`s than the jump.
    pub fn check_goto_forall(&mut self, name: &Name, from: &[u32], to: &[u32]) {
        if !to.starts_with(from) {
            self.cx.report(
                Diagnostic::warning(
                    Code::LeavesForall,
                    name.span,
                    "`goto` leaves a upc_forall: the behaviour is undefined",
                )
                .label("the label is outside the loop")
                .help("let all iterations run, or use `for` with a test of the affinity"),
            );
        } else if !from.starts_with(to) {
            self.cx.report(
                Diagnostic::error(Code::LeavesForall, name.span, "`goto` enters a upc_forall")
                    .label("the label is inside the loop, whose iterations are shared out where it begins")
                    .help("jump to a label before the loop"),
            );
        }
    }

    /// Reports a `case` or `default` in a `upc_forall` whose switch is outside of it.
    pub fn check_label_in_forall(&mut self, span: Span) {
        let outside = self.here().and_then(|f| f.switches.last().map(|switch| switch.foralls));
        if outside.is_some_and(|n| n < self.foralls().len()) {
            let message = "a switch enters a upc_forall";
            self.cx.report(
                Diagnostic::error(Code::LeavesForall, span, message)
                    .label("the loop is inside the switch, and this label inside the loop")
                    .help("put the switch into the loop"),
            );
        }
    }

    /// Checks a synchronisation statement with its value, which must be assignable to int (6.6.1).
    pub fn barrier(&mut self, kind: BarrierKind, value: Option<ExprId>, span: Span) {
        let word = match kind {
            BarrierKind::Notify => "upc_notify",
            BarrierKind::Wait => "upc_wait",
            BarrierKind::Barrier => "upc_barrier",
        };
        self.collective(word, Span::new(span.lo, span.lo + word.len() as u32));
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
            let help = "use an integer, the same on all threads: addresses need not be";
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

    /// Checks a call of a collective function by its name.
    pub fn check_collective(&mut self, callee: ExprId, span: Span) {
        let row = self.cx.out.symbol(callee).and_then(|sym| self.cx.library(sym));
        if row.is_some_and(|row| row.effects == Effects::Collective) {
            let name = self.cx.text(span);
            self.collective(name, span);
        }
    }

    fn collective(&mut self, what: &str, span: Span) {
        let Some(forall) = self.innermost_forall() else { return };
        self.cx.report(
            Diagnostic::warning(
                Code::CollectiveInForall,
                span,
                format!("`{what}` inside a upc_forall: the behaviour is undefined"),
            )
            .label("all threads must take part, but each runs iterations of its own")
            .also(Span::new(forall.lo, forall.lo + "upc_forall".len() as u32), "this upc_forall")
            .help("move it out of the loop, or use `for` where every thread shall run every iteration"),
        );
    }
}
