//! Warns of loops whose last values are lost: a loop without `finally` has no value, and its changes by
//! `next` are local to it (docs/id90.md, "Loops"). If such a loop only computes a variable's next value from
//! it, as in a count, the program probably wants the last value.

use crate::check::resolve::{BindId, Names, Ref};
use crate::syntax::ast::*;
use crate::syntax::walk;
use base::{Code, Diagnostic};

/// The warnings for a program's own loops.
pub fn check(program: &Program, names: &Names) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    let mut visit = |e: &Expr| {
        if let ExprKind::Loop(l) = &e.kind
            && l.finally.is_none()
        {
            in_loop(l, e.id, names, &mut said);
        }
    };
    program.stmts.iter().for_each(|s| walk::stmt(s, &mut visit));
    program.results.iter().for_each(|e| walk::exprs(e, &mut visit));
    said
}

fn in_loop(l: &Loop, id: NodeId, names: &Names, said: &mut Vec<Diagnostic>) {
    for variable in names.loops.get(&id).into_iter().flatten() {
        let find = Find { names, current: variable.current, next: variable.next };
        if !find.looks_at(l) {
            let name = &names.binds[variable.outer].name;
            said.push(
                Diagnostic::warning(
                    Code::IdLost,
                    variable.span,
                    format!("the last value of `{name}` is lost: the loop has no `finally`"),
                )
                .note(format!("`next {name}` changes `{name}` from pass to pass of this loop alone"))
                .help(format!("end the loop with `finally {name}`, and bind the loop's value")),
            );
        }
    }
}

/// A search for uses of a variable.
struct Find<'a> {
    names: &'a Names,
    current: BindId,
    next: BindId,
}

impl Find<'_> {
    /// Whether the loop uses the variable except to compute its next value by operators.
    fn looks_at(&self, l: &Loop) -> bool {
        let head = match &l.head {
            LoopHead::Range(_, _, range) => [Some(&range.from), Some(&range.to), range.by.as_ref()]
                .into_iter()
                .flatten()
                .any(|e| self.in_expr(e)),
            LoopHead::List(_, e) | LoopHead::While(e) => self.in_expr(e),
        };
        head || l.bound.iter().any(|e| self.in_expr(e)) || l.groups.iter().flatten().any(|s| self.in_stmt(s))
    }

    fn in_stmt(&self, s: &Stmt) -> bool {
        if let Stmt::Bind { lhs, value, .. } = s
            && let [Lhs::Next(_, node)] = lhs.as_slice()
            && self.names.defined.get(node) == Some(&self.next)
        {
            return self.in_own_value(value);
        }
        let mut found = false;
        walk::stmt(s, &mut |e| found |= self.is_meant(e));
        found
    }

    /// Whether the value of `next x` uses `x` otherwise: operators and arms pass `x` on; all else may do more
    /// with it.
    fn in_own_value(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Name(_) | ExprKind::Next(_) => false,
            ExprKind::Binary(..) | ExprKind::Negate(_) | ExprKind::If(..) | ExprKind::Cons { .. } => {
                let mut found = false;
                walk::children(&e.kind, &mut |inner| found |= self.in_own_value(inner));
                found
            }
            _ => self.in_expr(e),
        }
    }

    fn in_expr(&self, e: &Expr) -> bool {
        let mut found = false;
        walk::exprs(e, &mut |e| found |= self.is_meant(e));
        found
    }

    /// Whether an expression names the variable, or is a loop that begins with its value.
    fn is_meant(&self, e: &Expr) -> bool {
        let is_it = |id: BindId| id == self.current || id == self.next;
        matches!(self.names.uses.get(&e.id), Some(&Ref::Bind(id)) if is_it(id))
            || self.names.loops.get(&e.id).is_some_and(|inner| inner.iter().any(|v| is_it(v.outer)))
    }
}
