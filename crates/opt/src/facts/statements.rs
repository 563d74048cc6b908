//! Forms of statements that several passes look for.

use c_sema::Typed;
use c_sema::library::Effects;
use c_syntax::ast::*;
use std::collections::HashSet;

/// The last statements of statement expressions, whose values are used.
pub(crate) fn used_values(unit: &Unit) -> HashSet<StmtId> {
    let mut values = HashSet::new();
    for e in unit.exprs.ids() {
        let ExprKind::Stmts(body) = unit.exprs[e].kind else { continue };
        let StmtKind::Compound(items) = &unit.stmts[body].kind else { continue };
        let mut last = items.last().copied();
        while let Some(s) = last {
            values.insert(s);
            last = if let StmtKind::Label(_, inner) = unit.stmts[s].kind { Some(inner) } else { None };
        }
    }
    values
}

/// Whether `f` names the function that a failed assertion calls, which ends the job.
pub(crate) fn is_failure(typed: &Typed, f: ExprId) -> bool {
    typed.library(f).is_some_and(|row| row.effects == Effects::Fails)
}

/// The condition of an assertion, as `<assert.h>` writes it for gcc: `({ if (condition) ; else
/// __assert_fail(...); })`. It does nothing but evaluate the condition, unless the job ends.
pub(crate) fn assertion(unit: &Unit, typed: &Typed, e: ExprId) -> Option<ExprId> {
    let ExprKind::Stmts(body) = unit.exprs[e].kind else { return None };
    let StmtKind::If(condition, then, Some(otherwise)) = unit.stmts[only(unit, body)].kind else {
        return None;
    };
    let StmtKind::Expr(Some(failure)) = unit.stmts[only(unit, otherwise)].kind else { return None };
    let ExprKind::Call(f, _) = unit.exprs[unit.bare(failure)].kind else { return None };
    (unit.is_empty(then) && is_failure(typed, unit.bare(f))).then_some(condition)
}

/// Returns the body of `do … while (0)`, as macros write it: the body runs once, so this is no loop.
pub(crate) fn run_once(unit: &Unit, typed: &Typed, s: StmtId) -> Option<StmtId> {
    match unit.stmts[s].kind {
        StmtKind::Do(body, condition) if typed.constant(condition) == Some(0) => Some(body),
        _ => None,
    }
}

/// The only statement of a block, or else `s` itself.
pub(crate) fn only(unit: &Unit, s: StmtId) -> StmtId {
    match &unit.stmts[s].kind {
        StmtKind::Compound(items) if items.len() == 1 => only(unit, items[0]),
        _ => s,
    }
}

/// `target = value;`
pub(crate) fn assignment(unit: &Unit, s: StmtId) -> Option<(ExprId, ExprId)> {
    let StmtKind::Expr(Some(e)) = unit.stmts[s].kind else { return None };
    let ExprKind::Assign(None, target, value) = unit.exprs[unit.bare(e)].kind else { return None };
    Some((unit.bare(target), value))
}

/// Returns the loop if a statement is one, or a block with nothing else in it.
pub(crate) fn sole_loop(unit: &Unit, s: StmtId) -> Option<StmtId> {
    match &unit.stmts[s].kind {
        StmtKind::Compound(items) => match items[..] {
            [item] => sole_loop(unit, item),
            _ => None,
        },
        StmtKind::For { .. } | StmtKind::While(..) | StmtKind::Do(..) => Some(s),
        _ => None,
    }
}
