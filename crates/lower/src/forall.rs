//! `upc_forall` (UPC 6.6.2).
//!
//! The plain form is a `for` that goes through all iterations and runs a thread's own. A scope object counts
//! the shared-out loops around this point, over function calls too, and restores the count however the loop
//! is left. Inside another shared-out loop of the same function the count is known.

use crate::edit::Edit;
use crate::program::Program;
use crate::{Changes, Lower};
use c_syntax::ast::*;
use emit::build::{block, for_loop, if_else, statement};
use emit::{Piece, call, seq, splice};

impl Lower<'_> {
    /// All iterations, of which the thread's own are run; `outer`: the number of loops around this one.
    pub(crate) fn all_iterations(&mut self, s: StmtId, outer: &str) -> Piece {
        let StmtKind::Forall { affinity: Affinity::Expr(affinity), .. } = self.program.unit.stmts[s].kind
        else {
            return Piece::empty();
        };
        if self.seldom {
            // Inside of another upc_forall every iteration is this thread's, and the optimisations accept
            // only affinities without side effects.
            return self.controlled(s);
        }
        let mine = if self.program.shared_target(affinity).is_some() {
            seq!["mer_mine_ptr(", self.bits_of_value(affinity), ")"]
        } else {
            let mine =
                if may_exceed_i64(self.program, affinity) { "mer_mine_unsigned(" } else { "mer_mine_int(" };
            seq![mine, self.converted(affinity).flat(), ")"]
        };
        self.controlling += 1;
        // The affinity is evaluated in any case; it comes first.
        let text = self.as_for(s, |body| if_else(seq![mine, format!(" || {outer}")], body, None));
        self.controlling -= 1;
        text
    }

    /// All iterations, without a test.
    fn controlled(&mut self, s: StmtId) -> Piece {
        self.controlling += 1;
        let text = self.as_for(s, |body| body);
        self.controlling -= 1;
        text
    }

    /// The loop as a `for`, whose body `guarded` makes from the loop's.
    fn as_for(&mut self, s: StmtId, guarded: impl FnOnce(Piece) -> Piece) -> Piece {
        let unit = self.program.unit;
        let StmtKind::Forall { init, cond, step, body, .. } = &unit.stmts[s].kind else {
            return Piece::empty();
        };
        let mut front = Changes::new();
        let split = self.edit(&mut front).for_init(s, *init);
        let declarations = if split { front.remove(0).1 } else { Piece::empty() };
        let first = match init {
            _ if split => Piece::text(";"),
            ForInit::None => Piece::text(";"),
            ForInit::Expr(e) => seq![splice(self.program.span(*e), front).flat(), ";"],
            ForInit::Decl(d) => splice(unit.decls[*d].span, front).flat(),
        };
        let mut second = Changes::new();
        cond.iter().for_each(|&c| self.edit(&mut second).condition(c));
        let second = cond.map_or(Piece::empty(), |c| splice(self.program.span(c), second).flat());
        let mut third = Changes::new();
        step.iter().for_each(|&e| self.edit(&mut third).effect(e));
        let third = step.map_or(Piece::empty(), |e| splice(self.program.span(e), third).flat());
        // The C compiler suggests braces around an empty body.
        let body = if unit.is_empty(*body) { block([]) } else { self.whole_stmt(*body) };
        let head = for_loop(first, second, third, block([guarded(seq![body, " "])]));
        // On its own line, because a C compiler may warn of its condition.
        let text = seq![Piece::At(cond.map_or(unit.stmts[s].span.lo, |c| self.program.span(c).lo)), head];
        // The declarations have opened a brace.
        if split { seq![declarations, text, "}"] } else { text }
    }
}

impl Edit<'_, '_> {
    /// Changes of a shared-out loop.
    pub(crate) fn forall(&mut self, s: StmtId) {
        let unit = self.lower.program.unit;
        let StmtKind::Forall { affinity, .. } = &unit.stmts[s].kind else { return };
        let span = unit.stmts[s].span;
        match *affinity {
            Affinity::Expr(_) if self.lower.controlling == 0 => {
                let name = self.lower.fresh("outer");
                let text = self.lower.all_iterations(s, &name);
                let scope = statement(call!["MER_FORALL_SCOPE"; name.as_str()]);
                self.changes.push((span, block([scope, text])));
            }
            Affinity::Expr(e) => {
                // This loop is not controlling: every thread runs every iteration, and evaluates the fourth
                // clause.
                let affinity = self.lower.converted(e).flat();
                let text =
                    self.lower.as_for(s, |body| if_else(seq!["((void)(", affinity, "), 1)"], body, None));
                self.changes.push((span, text));
            }
            Affinity::None | Affinity::Continue => {
                let text = self.lower.as_for(s, |body| body);
                self.changes.push((span, text));
            }
        }
    }
}

/// Whether the number `e` may be too large for mer_i64.
fn may_exceed_i64(program: &Program, e: ExprId) -> bool {
    let kind = program.typed.types.int_kind(program.typed.ty(e));
    kind.is_some_and(|kind| kind.is_unsigned(true) && kind.size() >= 8)
}
