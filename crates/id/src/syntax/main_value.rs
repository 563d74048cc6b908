//! The result of a program in which no expression stands alone: the value of `main` (docs/id90.md, "A first
//! program").

use crate::syntax::ast::{Expr, ExprKind, Lhs, PatKind, Program, Stmt};
use base::{Code, Diagnostic, Span};

/// Adds the expression `main` to a program without expressions that defines a value of this name. Warns of a
/// program that has only functions, since it would do nothing.
pub fn compute(program: &mut Program) -> Option<Diagnostic> {
    if !program.results.is_empty() {
        return None;
    }
    if let Some(span) = program.stmts.iter().find_map(|stmt| main(stmt, false)) {
        let kind = ExprKind::Name("main".into());
        program.results.push(Expr { id: program.nodes, span, kind, depth: 1 });
        program.nodes += 1;
        return None;
    }
    if program.stmts.iter().any(|stmt| matches!(stmt, Stmt::Bind { .. })) {
        return None; // which may do output
    }
    let warning = |span, text| Diagnostic::warning(Code::IdMain, span, text);
    Some(match program.stmts.iter().find_map(|stmt| main(stmt, true)) {
        Some(span) => warning(span, "`main` takes arguments, and nothing calls it")
            .help("write a call that stands alone: `main 10;`"),
        None => warning(program.stmts.last()?.place(), "the program computes nothing")
            .help("write an expression that stands alone: its value is printed"),
    })
}

/// The position of the name, if this defines `main`, with parameters or without.
fn main(stmt: &Stmt, parameters: bool) -> Option<Span> {
    match stmt {
        Stmt::Def(def) if def.name.text == "main" => {
            (def.clauses.iter().any(|c| !c.params.is_empty()) == parameters).then_some(def.name.span)
        }
        Stmt::Bind { lhs, .. } if !parameters => lhs.iter().find_map(|l| match l {
            Lhs::Pat(p) if matches!(&p.kind, PatKind::Name(name) if name == "main") => Some(p.span),
            _ => None,
        }),
        _ => None,
    }
}
