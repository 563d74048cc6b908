//! Warns of definitions in a loop's body that lack `next`: `s = s + i` defines another `s`, local to this
//! pass, which needs itself and so never has a value.

use crate::check::resolve::{BindId, Names, Ref};
use crate::stack::with_stack;
use crate::syntax::ast::*;
use crate::syntax::walk;
use base::{Code, Diagnostic};

/// The warnings for a program's own loops.
pub fn check(program: &Program, names: &Names) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    let mut visit = |e: &Expr| {
        if let ExprKind::Loop(l) = &e.kind {
            l.groups.iter().flatten().for_each(|s| in_stmt(s, names, &mut said));
        }
    };
    program.stmts.iter().for_each(|s| walk::stmt(s, &mut visit));
    program.results.iter().for_each(|e| walk::exprs(e, &mut visit));
    said
}

fn in_stmt(s: &Stmt, names: &Names, said: &mut Vec<Diagnostic>) {
    let Stmt::Bind { lhs, value, .. } = s else { return };
    let [Lhs::Pat(Pat { id, span, kind: PatKind::Name(name) })] = lhs.as_slice() else { return };
    let (Some(&own), Some(&outer)) = (names.defined.get(id), names.hidden.get(id)) else { return };
    if needs(value, own, names) {
        said.push(
            Diagnostic::warning(
                Code::IdNeverEnds,
                *span,
                format!("this `{name}` needs its own value, and waits for ever"),
            )
            .also(names.binds[outer].span, format!("this is not the `{name}` outside of the loop"))
            .help(format!("`next {name} = ...` gives `{name}` its value for the next pass")),
        );
    }
}

/// Whether a value needs the definition `own` by operators, arms or arguments. A list or an array whose
/// elements are made of its other elements may be meant.
fn needs(e: &Expr, own: BindId, names: &Names) -> bool {
    match &e.kind {
        ExprKind::Name(_) => names.uses.get(&e.id) == Some(&Ref::Bind(own)),
        ExprKind::Binary(..) | ExprKind::Negate(_) | ExprKind::If(..) | ExprKind::Apply(..) => {
            let mut found = false;
            with_stack(|| walk::children(&e.kind, &mut |inner| found |= needs(inner, own, names)));
            found
        }
        _ => false,
    }
}
