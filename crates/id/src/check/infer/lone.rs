//! Conditionals without `else`: statements, which have no value. If a value is wanted, such a conditional is
//! an error if its arm has one, since there would be none if the test does not hold.

use super::Infer;
use crate::check::types::{Ty, con, is};
use crate::syntax::ast::{Expr, ExprKind, NodeId};
use base::{Code, Span};
use std::collections::HashSet;

/// Conditionals without `else`, and which of them are statements.
#[derive(Default)]
pub(super) struct Lone {
    /// The expressions whose values are not used.
    statements: HashSet<NodeId>,
    /// The arms whose types are not known yet, and their conditionals.
    later: Vec<(Ty, Span, Span)>,
}

impl Lone {
    fn statement(&mut self, e: &Expr) {
        self.statements.insert(e.id);
        match &e.kind {
            ExprKind::If(_, a, b) => std::iter::once(a).chain(b).for_each(|arm| self.statement(arm)),
            ExprKind::Block(block) => block.result.iter().for_each(|e| self.statement(e)),
            _ => {}
        }
    }
}

impl Infer<'_> {
    /// Infers an expression that is evaluated for its effect.
    pub(super) fn statement(&mut self, e: &Expr) {
        self.lone.statement(e);
        self.expr(e);
    }

    /// The type of the conditional `whole`, whose only arm is `arm`.
    pub(super) fn lone_arm(&mut self, whole: &Expr, arm: &Expr, is_statement: bool) -> Ty {
        if is_statement {
            return con("void");
        }
        let ty = self.prune(&self.typed.nodes[&arm.id].clone());
        if self.is_any(&ty) {
            self.lone.later.push((ty, whole.span, arm.span));
            con("void")
        } else if is(&ty, "void") {
            ty
        } else {
            self.without_else(&ty, whole.span, arm.span);
            self.fresh()
        }
    }

    /// Whether nothing is known of a type.
    fn is_any(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Var(v) if !self.typed.types.vars[*v].number)
    }

    pub(super) fn is_statement(&self, e: &Expr) -> bool {
        self.lone.statements.contains(&e.id)
    }

    /// Checks the arms whose types were not known, when all types are. An arm of any type counts as one
    /// without a value.
    pub(super) fn settle_lone(&mut self) {
        for (ty, whole, arm) in std::mem::take(&mut self.lone.later) {
            let ty = self.prune(&ty);
            if !self.is_any(&ty) && !is(&ty, "void") {
                self.without_else(&ty, whole, arm);
            }
        }
    }

    fn without_else(&mut self, ty: &Ty, whole: Span, arm: Span) {
        let ty = match ty {
            Ty::Var(_) => "a number".to_owned(),
            _ => format!("`{}`", self.typed.types.show(ty)),
        };
        let text = "an `if` without `else` has no value".to_owned();
        let d = self.error(Code::IdType, whole, text);
        d.label = "a value is wanted here".into();
        d.labels.push((arm, format!("this is {ty}")));
        d.help = Some("add an `else` with the value for a false condition".into());
    }
}
