//! Variables that each iteration of a loop sets once, before it uses them: `int v = f[i];`, or `v = f[i];` if
//! the function declares `v`. The value of such a variable is known in advance if the value assigned to it
//! is.

use crate::facts::body::{Body, named_alone};
use crate::facts::certain::Certain;
use crate::facts::shapes::counts;
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::HashMap;

/// Variables that are set once, each with the expression whose value it gets.
pub(crate) type Locals = HashMap<SymId, ExprId>;

/// Finds these variables in a body that is a block: they are set in the block itself, in every iteration.
/// `var`, the loop's variable, is excluded.
pub(crate) fn of_body(body: &Body, var: SymId, certain: &Certain) -> Locals {
    let mut locals = Locals::new();
    let StmtKind::Compound(items) = &body.unit.stmts[body.stmt].kind else { return locals };
    for &item in items {
        match body.unit.stmts[item].kind {
            StmtKind::Decl(d) => {
                let DeclKind::Vars { items, .. } = &body.unit.decls[d].kind else { continue };
                for item in items {
                    let set = body.typed.declared(item.declarator).zip(item.init);
                    if let Some((sym, init)) = set
                        && let InitKind::Expr(value) = body.unit.inits[init].kind
                        && !body.effects.assigned.contains(&sym)
                    {
                        locals.insert(sym, value);
                    }
                }
            }
            StmtKind::Expr(Some(e)) => {
                if let ExprKind::Assign(None, target, value) = body.unit.exprs[body.unit.bare(e)].kind
                    && let Some(sym) = body.name(target)
                    && set_once(body, sym, e)
                {
                    locals.insert(sym, value);
                }
            }
            _ => {}
        }
    }
    locals.retain(|&sym, value| sym != var && is_plain(body, sym) && certain.evaluated.contains(value));
    if !locals.is_empty() {
        let names = names(body);
        locals.retain(|&sym, _| names[&body.tree.names().number(sym)] == Some(sym));
    }
    locals
}

/// The names that the body declares or uses, each with its symbol, or `None` if it has several. Variables of
/// such a name are not set in advance: the code before the loop has one block for all blocks of the body.
fn names(body: &Body) -> HashMap<u32, Option<SymId>> {
    let (numbers, mut names) = (body.tree.names(), HashMap::new());
    let mut meet = |sym: SymId| {
        let known = names.entry(numbers.number(sym)).or_insert(Some(sym));
        *known = known.filter(|&known| known == sym);
    };
    body.effects.declared.iter().for_each(|&sym| meet(sym));
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        if matches!(body.unit.exprs[e].kind, ExprKind::Ident(_)) {
            body.typed.symbol(e).into_iter().for_each(&mut meet);
        }
        true
    });
    names
}

/// Whether a variable is an integer or a pointer that is read and written by its name alone, and can be
/// declared before the loop.
fn is_plain(body: &Body, sym: SymId) -> bool {
    let declares = body.effects.type_in_front(body.typed, body.typed.sym(sym).ty);
    declares && named_alone(body.typed, sym) && counts(body.typed, sym)
}

/// Whether the body assigns a variable in this expression alone, and names it only after that. An earlier use
/// would have the value of the previous iteration.
fn set_once(body: &Body, sym: SymId, by: ExprId) -> bool {
    let span = body.unit.exprs[by].at;
    let mut names = 0;
    let mut once = true;
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        let kind = &body.unit.exprs[e].kind;
        if matches!(kind, ExprKind::Ident(_)) && body.typed.symbol(e) == Some(sym) {
            let at = body.unit.exprs[e].at.lo;
            names += u32::from(at < span.hi);
            once &= at >= span.lo;
        }
        if let ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target) = *kind {
            once &= e == body.unit.bare(by) || body.name(target) != Some(sym);
        }
        once
    });
    once && names == 1
}
