//! Shapes of loops: first clauses, bounds and steps that optimisations know how to count by.

use crate::affine::{name, offset_from};
use c_sema::Typed;
use c_sema::typed::SymId;
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node, exists};

/// A body longer than this (bytes of text) is not written twice.
pub(crate) const LONGEST_BODY: u32 = 8000;

/// Whether a body is too long to be written twice.
pub(crate) fn is_long(unit: &Unit, body: StmtId) -> bool {
    let span = unit.stmts[body].span;
    span.hi - span.lo > LONGEST_BODY
}

/// The variable that a third clause steps, and by what if that is not 1.
pub(crate) fn stepped(unit: &Unit, typed: &Typed, step: ExprId) -> Option<(SymId, Option<ExprId>)> {
    match unit.exprs[unit.bare(step)].kind {
        ExprKind::Pre(_, e) | ExprKind::Post(_, e) => Some((name(unit, typed, e)?, None)),
        ExprKind::Assign(Some(BinOp::Add | BinOp::Sub), e, by) => Some((name(unit, typed, e)?, Some(by))),
        _ => None,
    }
}

/// `i = lo` or `int i = lo`.
pub(crate) fn first_clause(unit: &Unit, typed: &Typed, init: ForInit) -> Option<(SymId, bool, ExprId)> {
    match init {
        ForInit::None => None,
        ForInit::Expr(e) => match unit.exprs[unit.bare(e)].kind {
            ExprKind::Assign(None, target, value) => Some((name(unit, typed, target)?, false, value)),
            _ => None,
        },
        ForInit::Decl(d) => {
            let DeclKind::Vars { items, .. } = &unit.decls[d].kind else { return None };
            let [item] = items.as_slice() else { return None };
            let InitKind::Expr(value) = unit.inits[item.init?].kind else { return None };
            Some((typed.declared(item.declarator)?, true, value))
        }
    }
}

/// `i++`, `++i`, `i += 1`, `i = i + 1`.
pub(crate) fn steps_by_one(unit: &Unit, typed: &Typed, step: ExprId, var: SymId) -> bool {
    match unit.exprs[unit.bare(step)].kind {
        ExprKind::Post(IncDec::Inc, e) | ExprKind::Pre(IncDec::Inc, e) => name(unit, typed, e) == Some(var),
        ExprKind::Assign(Some(BinOp::Add), e, one) => {
            name(unit, typed, e) == Some(var) && typed.constant(one) == Some(1)
        }
        ExprKind::Assign(None, e, sum) => {
            name(unit, typed, e) == Some(var) && offset_from(unit, typed, sum, var) == Some(1)
        }
        _ => false,
    }
}

/// `i < hi`, `i <= hi`, `hi > i`, `hi >= i`.
pub(crate) fn bound(unit: &Unit, typed: &Typed, cond: ExprId, var: SymId) -> Option<(ExprId, bool)> {
    let ExprKind::Binary(op, a, b) = unit.exprs[unit.bare(cond)].kind else { return None };
    let left = name(unit, typed, a) == Some(var);
    let right = name(unit, typed, b) == Some(var);
    match op {
        BinOp::Lt if left => Some((b, false)),
        BinOp::Le if left => Some((b, true)),
        BinOp::Gt if right => Some((a, false)),
        BinOp::Ge if right => Some((a, true)),
        _ => None,
    }
    .filter(|&(hi, _)| matches!(typed.types.of(typed.ty(hi)), Ty::Int(_)))
    // An unsigned comparison of a signed variable is not the comparison of the values.
    .filter(|&(hi, _)| {
        !unsigned_mix(typed, typed.ty(hi), typed.sym(var).ty) || typed.constant(hi).is_some_and(|c| c >= 0)
    })
}

fn unsigned_mix(typed: &Typed, hi: QTy, var: QTy) -> bool {
    use c_sema::types::IntKind::*;
    let unsigned = |q| matches!(typed.types.of(q), Ty::Int(UInt | ULong | ULongLong | UInt128));
    unsigned(hi) || matches!(typed.types.of(var), Ty::Int(ULong | ULongLong | UInt128 | Int128))
}

pub(crate) fn unsigned_int(typed: &Typed, var: QTy) -> bool {
    matches!(typed.types.of(var), Ty::Int(c_sema::types::IntKind::UInt))
}

/// Whether a name occurs in an expression.
pub(crate) fn mentions(unit: &Unit, typed: &Typed, e: ExprId, var: SymId) -> bool {
    exists(unit, Node::Expr(e), |e| {
        matches!(unit.exprs[e].kind, ExprKind::Ident(_)) && typed.symbol(e) == Some(var)
    })
}

/// `i += THREADS` or `i = i + THREADS`.
pub(crate) fn steps_by_threads(unit: &Unit, typed: &Typed, step: ExprId, var: SymId) -> bool {
    let is_var = |e| name(unit, typed, e) == Some(var);
    let is_threads = |e: ExprId| match unit.exprs[unit.bare(e)].kind {
        ExprKind::Threads => true,
        _ => typed.static_threads.is_some_and(|n| typed.constant(e) == Some(i128::from(n))),
    };
    match unit.exprs[unit.bare(step)].kind {
        ExprKind::Assign(Some(BinOp::Add), target, by) => is_var(target) && is_threads(by),
        ExprKind::Assign(None, target, sum) => match unit.exprs[unit.bare(sum)].kind {
            ExprKind::Binary(BinOp::Add, a, b) => {
                is_var(target) && ((is_var(a) && is_threads(b)) || (is_threads(a) && is_var(b)))
            }
            _ => false,
        },
        _ => false,
    }
}
