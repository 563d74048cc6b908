//! Roots: variables from which objects are reached by steps within one object.
//!
//! The root of `p[i]`, `*(p + i)`, `p[i].x` and `*&p[i]` is `p`, a pointer that the loop leaves alone; the
//! root of `a[i]` is the array `a`. A variable that each iteration declares, and sets to such an address, has
//! the root of that address. Arithmetic on a pointer stays within the object that it leads to (C 6.5.6p8), so
//! all parts that are reached from a pointer belong to one object.

use crate::facts::affine::name;
use crate::facts::body::{Body, named_alone};
use crate::facts::places::subscripted;
use crate::ir::walk::each_statement;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::Ty;
use c_syntax::ast::*;

/// The maximum number of declarations that are followed from a pointer to its root.
const MOST_STEPS: usize = 4;

/// The root of the object `e`, if it is known.
pub(crate) fn of(body: &Body, e: ExprId) -> Option<SymId> {
    place(body, e, MOST_STEPS)
}

fn place(body: &Body, e: ExprId, steps: usize) -> Option<SymId> {
    match body.unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => place(body, a, steps),
        ExprKind::Member { base, arrow: false, .. } => place(body, base, steps),
        ExprKind::Member { base, arrow: true, .. } => pointer(body, base, steps),
        ExprKind::Unary(UnOp::Deref, p) => pointer(body, p, steps),
        ExprKind::Index(a, b) => {
            let (base, _) = subscripted(body.tree, a, b);
            if body.is_array(base) { place(body, base, steps) } else { pointer(body, base, steps) }
        }
        ExprKind::Ident(_) if body.is_array(e) => {
            let object = |sym: &SymId| {
                matches!(body.typed.sym(*sym).kind, SymKind::Static { .. }) && body.in_front(*sym)
            };
            body.typed.symbol(e).filter(object)
        }
        _ => None,
    }
}

fn pointer(body: &Body, e: ExprId, steps: usize) -> Option<SymId> {
    if body.is_array(e) {
        return place(body, e, steps);
    }
    match body.unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => pointer(body, a, steps),
        ExprKind::Cast(_, a) if is_pointer(body, a) && is_pointer(body, e) => pointer(body, a, steps),
        ExprKind::Unary(UnOp::Addr, object) => place(body, object, steps),
        ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => {
            pointer(body, if is_pointer(body, a) { a } else { b }, steps)
        }
        ExprKind::Ident(_) => {
            let sym = name(body.unit, body.typed, e)?;
            if body.typed.types.is_shared(body.typed.sym(sym).ty) {
                return None;
            }
            if body.effects.keeps(body.typed, sym) {
                return Some(sym);
            }
            pointer(body, declared_as(body, sym)?, steps.checked_sub(1)?)
        }
        _ => None,
    }
}

/// Whether an expression is a pointer, or an array that becomes one.
fn is_pointer(body: &Body, e: ExprId) -> bool {
    matches!(body.typed.types.of(body.typed.ty(e)), Ty::Pointer(_) | Ty::Array(..))
}

/// The initial value of a variable that the body declares and does not assign otherwise.
fn declared_as(body: &Body, sym: SymId) -> Option<ExprId> {
    if !named_alone(body.typed, sym) || body.effects.assigned.contains(&sym) {
        return None;
    }
    let mut found = None;
    each_statement(body.tree, body.stmt, &mut |s| {
        let StmtKind::Decl(d) = body.unit.stmts[s].kind else { return };
        let DeclKind::Vars { items, .. } = &body.unit.decls[d].kind else { return };
        for item in items.iter().filter(|item| body.typed.declared(item.declarator) == Some(sym)) {
            found = item.init.and_then(|init| body.unit.only_expression(init));
        }
    });
    found
}
