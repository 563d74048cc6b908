//! The rules of `upc_forall` for jumps and collective calls (UPC 6.6).

use super::{Function, Loop};
use crate::context::Context;
use crate::library::Effects;
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{ExprId, Name};

impl Function<'_> {
    /// The numbers of the `upc_forall`s around this point, outermost first.
    pub(super) fn foralls(&self) -> Vec<u32> {
        let number = |l: &Loop| if let Loop::Forall(n, _) = l { Some(*n) } else { None };
        self.loops.iter().filter_map(number).collect()
    }

    fn innermost_forall(&self) -> Option<Span> {
        self.loops.iter().rev().find_map(|l| if let Loop::Forall(_, at) = l { Some(*at) } else { None })
    }

    /// Checks a `break` at `span`, whose target is the innermost loop or switch.
    pub fn check_break(&self, cx: &mut Context, span: Span) {
        match self.loops.last() {
            None => cx.error(
                Code::BadStatement,
                span,
                "`break` outside a loop or switch",
                "nothing to leave here",
            ),
            Some(&Loop::Forall(_, at)) => leaves_forall(cx, span, at, "`break`"),
            Some(_) => {}
        }
    }

    /// Checks a `continue` at `span`.
    pub fn check_continue(&self, cx: &mut Context, span: Span) {
        if !self.loops.iter().any(|l| *l != Loop::Switch) {
            cx.error(Code::BadStatement, span, "`continue` outside a loop", "no loop to continue here");
        }
    }

    /// Checks a `return` at `span`.
    pub fn check_return(&self, cx: &mut Context, span: Span) {
        if let Some(at) = self.innermost_forall() {
            leaves_forall(cx, span, at, "`return`");
        }
    }

    /// Reports a `case` or `default` in a `upc_forall` whose switch is outside of it.
    pub(super) fn check_label_in_forall(&self, cx: &mut Context, span: Span) {
        let outside = self.switches.last().map(|switch| switch.foralls);
        if outside.is_some_and(|n| n < self.foralls().len()) {
            let message = "a switch enters a upc_forall";
            cx.report(
                Diagnostic::error(Code::LeavesForall, span, message)
                    .label("the loop is inside the switch, and this label inside the loop")
                    .help("put the switch into the loop"),
            );
        }
    }

    /// Checks a call of a collective function by its name.
    pub fn check_collective(&self, cx: &mut Context, callee: ExprId, span: Span) {
        let row = cx.out.symbol(callee).and_then(|sym| cx.library(sym));
        if row.is_some_and(|row| row.effects == Effects::Collective) {
            let name = cx.text(span);
            self.collective(cx, name, span);
        }
    }

    /// Warns of a collective operation inside a `upc_forall`.
    pub fn collective(&self, cx: &mut Context, what: &str, span: Span) {
        let Some(forall) = self.innermost_forall() else { return };
        cx.report(
            Diagnostic::warning(
                Code::CollectiveInForall,
                span,
                format!("`{what}` inside a upc_forall: the behaviour is undefined"),
            )
            .label("all threads must take part, but each runs iterations of its own")
            .also(Span::new(forall.lo, forall.lo + "upc_forall".len() as u32), "this upc_forall")
            .help("move it out of the loop, or use `for` if every thread shall run every iteration"),
        );
    }
}

fn leaves_forall(cx: &mut Context, span: Span, forall: Span, what: &str) {
    cx.report(
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
pub(super) fn check_goto(cx: &mut Context, name: &Name, from: &[u32], to: &[u32]) {
    if !to.starts_with(from) {
        cx.report(
            Diagnostic::warning(
                Code::LeavesForall,
                name.span,
                "`goto` leaves a upc_forall: the behaviour is undefined",
            )
            .label("the label is outside the loop")
            .help("let all iterations run, or use `for` with a test of the affinity"),
        );
    } else if !from.starts_with(to) {
        cx.report(
            Diagnostic::error(Code::LeavesForall, name.span, "`goto` enters a upc_forall")
                .label("the label is inside the loop, which divides its iterations among the threads when it begins")
                .help("jump to a label before the loop"),
        );
    }
}
