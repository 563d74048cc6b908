//! Statements.

use crate::{Changes, Lower, escape};
use base::Span;
use c_syntax::ast::*;
use emit::{Piece, seq};

impl Lower<'_> {
    /// Changes of a statement.
    pub(crate) fn stmt(&mut self, s: StmtId, changes: &mut Changes) {
        let unit = self.unit;
        let stmt = &unit.stmts[s];
        match &stmt.kind {
            StmtKind::Compound(items) => items.iter().for_each(|&item| self.stmt(item, changes)),
            StmtKind::Decl(d) => self.decl(*d, changes),
            StmtKind::Expr(e) => e.iter().for_each(|&e| self.change_effect(e, changes)),
            StmtKind::If(c, yes, no) => {
                self.change_condition(*c, changes);
                self.stmt(*yes, changes);
                no.iter().for_each(|&no| self.stmt(no, changes));
            }
            StmtKind::While(c, body) => {
                self.change_condition(*c, changes);
                self.stmt(*body, changes);
            }
            StmtKind::Do(body, c) => {
                self.stmt(*body, changes);
                self.change_condition(*c, changes);
            }
            StmtKind::For { init, cond, step, body } => {
                self.open_strided(s, changes);
                let split = self.change_for_init(s, *init, changes);
                cond.iter().for_each(|&c| self.change_condition(c, changes));
                step.iter().for_each(|&e| self.change_effect(e, changes));
                if self.plans.strided.contains_key(&s) {
                    self.strided(s, changes);
                } else {
                    self.stmt(*body, changes);
                }
                if split {
                    changes.push((Span::new(stmt.span.hi, stmt.span.hi), " }".into()));
                }
            }
            StmtKind::Forall { .. } => self.forall(s, changes),
            StmtKind::Switch(e, body) => {
                self.change_value(*e, changes);
                self.stmt(*body, changes);
            }
            StmtKind::Case(a, b, inner) => {
                self.change_value(*a, changes);
                b.iter().for_each(|&b| self.change_value(b, changes));
                self.stmt(*inner, changes);
            }
            StmtKind::Default(inner) | StmtKind::Label(_, inner) => self.stmt(*inner, changes),
            StmtKind::GotoExpr(e) => self.change_value(*e, changes),
            StmtKind::Return(e) => e.iter().for_each(|&e| self.change_value(e, changes)),
            StmtKind::Asm(operands) => operands.iter().for_each(|&e| self.change_value(e, changes)),
            StmtKind::Barrier(kind, value) => {
                let text = self.barrier(s, *kind, *value);
                changes.push((stmt.span, text));
            }
            StmtKind::Fence => changes.push((stmt.span, "mer_fence();".into())),
            StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Opaque | StmtKind::Error => {
            }
        }
    }

    /// First clause of a `for`; true where it had to become declarations in front of the loop, inside a brace
    /// that the caller closes.
    pub(crate) fn change_for_init(&mut self, s: StmtId, init: ForInit, changes: &mut Changes) -> bool {
        match init {
            ForInit::None => false,
            ForInit::Expr(e) => {
                self.change_effect(e, changes);
                false
            }
            ForInit::Decl(d) if self.is_rewritten(d) => {
                let mut inner = Changes::new();
                self.decl(d, &mut inner);
                let lo = self.unit.stmts[s].span.lo;
                let decls = inner.into_iter().map(|(_, piece)| piece).collect();
                changes.push((Span::new(lo, lo), seq!["{ ", Piece::Seq(decls)]));
                changes.push((self.unit.decls[d].span, ";".into()));
                true
            }
            ForInit::Decl(d) => {
                self.decl(d, changes);
                false
            }
        }
    }

    fn barrier(&mut self, s: StmtId, kind: BarrierKind, value: Option<ExprId>) -> Piece {
        let function = match kind {
            BarrierKind::Notify => "mer_notify",
            BarrierKind::Wait => "mer_wait",
            BarrierKind::Barrier => "mer_barrier",
        };
        let place = self.where_is(self.unit.stmts[s].span);
        match value {
            Some(e) => {
                let value = self.converted(e).flat();
                seq![format!("{function}(1, ("), value, format!("), \"{place}\");")]
            }
            None => Piece::text(format!("{function}(0, 0, \"{place}\");")),
        }
    }

    /// `file:line`, as a string literal's content.
    pub(crate) fn where_is(&self, span: Span) -> String {
        let place = self.source.presumed(span.lo);
        escape(&format!("{}:{}", self.source.file(place.file).display(), place.line))
    }
}
