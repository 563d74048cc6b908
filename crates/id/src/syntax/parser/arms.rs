//! `next` in arms: a conditional that is a statement of a loop's body, and defines in each arm the next
//! values of the same variables, becomes a binding of these to a conditional.
//!
//! ```text
//! if c then {next s = a} else {next s = b}     next s = if c then {"next s" = a In next s} else {...}
//! ```
//!
//! Within an arm a variable of the name `next s`, which no program can write, stands for the next value. So
//! `next s` in an expression of the arm means this value, as in the body itself. A block that is a statement,
//! and a `case`, are treated in the same way.

use super::Parser;
use crate::stack::with_stack;
use crate::syntax::ast::*;
use base::{Code, Diagnostic, Span};

impl Parser<'_> {
    /// Rewrites the statements of a loop's body.
    pub(super) fn next_in_arms(&mut self, groups: Vec<Vec<Stmt>>) -> Vec<Vec<Stmt>> {
        groups.into_iter().map(|g| g.into_iter().map(|s| self.lifted(s, true)).collect()).collect()
    }

    /// Makes a binding of a statement of the body, or of an arm, if its arms define next values.
    fn lifted(&mut self, stmt: Stmt, of_body: bool) -> Stmt {
        let Stmt::Do(e) = stmt else { return stmt };
        let names = given(&e);
        if names.is_empty() || !self.all_arms_give(&e, &names) {
            return Stmt::Do(e);
        }
        let span = e.span;
        let value = self.value(e, &names);
        let lhs = names.into_iter().map(|name| self.target(name, of_body)).collect();
        Stmt::Bind { lhs, value, span }
    }

    fn target(&mut self, name: Name, of_body: bool) -> Lhs {
        let id = self.new_id();
        if of_body { Lhs::Next(name, id) } else { Lhs::Pat(variable(&name, id)) }
    }

    /// Whether each arm defines all of these next values; reports one that does not.
    fn all_arms_give(&mut self, e: &Expr, names: &[Name]) -> bool {
        with_stack(|| match &e.kind {
            ExprKind::If(_, yes, no) => match no {
                Some(no) => self.all_arms_give(yes, names) && self.all_arms_give(no, names),
                None => self.missing(&names[0], e.span, "there is no `else`"),
            },
            ExprKind::Case(_, arms) => arms.iter().all(|arm| self.all_arms_give(&arm.body, names)),
            _ => {
                let own = given(e);
                let absent = names.iter().find(|n| own.iter().all(|o| o.text != n.text));
                absent.is_none_or(|name| self.missing(name, e.span, "not in this one"))
            }
        })
    }

    fn missing(&mut self, name: &Name, at: Span, label: &str) -> bool {
        let text = format!("`next {}` stands in one arm alone", name.text);
        let help = format!("`next {0} = {0}` keeps its value in the other", name.text);
        self.said.push(Diagnostic::error(Code::IdLoop, name.span, text).also(at, label).help(help));
        false
    }

    /// The statement as an expression whose value is that of the next values.
    fn value(&mut self, e: Expr, names: &[Name]) -> Expr {
        with_stack(|| self.value_of(e, names))
    }

    fn value_of(&mut self, e: Expr, names: &[Name]) -> Expr {
        let Expr { id, span, kind, .. } = e;
        let kind = match kind {
            ExprKind::If(test, yes, no) => {
                let no = no.map(|no| Box::new(self.value(*no, names)));
                ExprKind::If(test, Box::new(self.value(*yes, names)), no)
            }
            ExprKind::Case(tested, arms) => {
                let arm = |arm: Arm, p: &mut Self| Arm { body: p.value(arm.body, names), ..arm };
                ExprKind::Case(tested, arms.into_iter().map(|a| arm(a, self)).collect())
            }
            ExprKind::Block(Block { groups, .. }) => {
                let groups = groups.into_iter().map(|g| g.into_iter().map(|s| self.in_arm(s)).collect());
                let groups = groups.collect();
                let next = |n: &Name, p: &mut Self| p.expr(n.span, ExprKind::Next(n.clone()));
                let mut values: Vec<Expr> = names.iter().map(|n| next(n, self)).collect();
                let result = match values.len() {
                    1 => values.remove(0),
                    _ => self.expr(span, ExprKind::Tuple(values)),
                };
                ExprKind::Block(Block { groups, result: Some(Box::new(result)) })
            }
            other => other,
        };
        let depth = crate::syntax::walk::depth(&kind);
        Expr { id, span, kind, depth }
    }

    /// Rewrites a statement of an arm, in which next values are variables.
    fn in_arm(&mut self, stmt: Stmt) -> Stmt {
        match self.lifted(stmt, false) {
            Stmt::Bind { lhs, value, span } => {
                let local = |l: Lhs| match l {
                    Lhs::Next(name, id) => Lhs::Pat(variable(&name, id)),
                    other => other,
                };
                Stmt::Bind { lhs: lhs.into_iter().map(local).collect(), value, span }
            }
            other => other,
        }
    }
}

/// The variable that stands for a next value in an arm.
fn variable(name: &Name, id: NodeId) -> Pat {
    Pat { id, span: name.span, kind: PatKind::Name(format!("next {}", name.text)) }
}

/// The variables whose next values a statement's arms define, each once.
fn given(e: &Expr) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    visit_given(e, &mut |name| {
        if found.iter().all(|f| f.text != name.text) {
            found.push(name.clone());
        }
    });
    found
}

fn visit_given(e: &Expr, visit: &mut dyn FnMut(&Name)) {
    with_stack(|| match &e.kind {
        ExprKind::If(_, yes, no) => {
            visit_given(yes, visit);
            no.iter().for_each(|no| visit_given(no, visit));
        }
        ExprKind::Case(_, arms) => arms.iter().for_each(|arm| visit_given(&arm.body, visit)),
        ExprKind::Block(Block { groups, result: None }) => {
            for stmt in groups.iter().flatten() {
                match stmt {
                    Stmt::Bind { lhs, .. } => lhs.iter().for_each(|l| {
                        if let Lhs::Next(name, _) = l {
                            visit(name);
                        }
                    }),
                    Stmt::Do(e) => visit_given(e, visit),
                    _ => {}
                }
            }
        }
        _ => {}
    });
}
