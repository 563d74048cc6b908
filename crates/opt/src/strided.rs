//! Loops over a thread's own numbers: `for (i = MYTHREAD; …; i += THREADS) … a[i] …`.
//!
//! This is how UPC is written without `upc_forall`. In each iteration i mod THREADS is MYTHREAD, so an element, or
//! a row that is one block, of a static array that is subscripted by i itself is the thread's own, and the next
//! iteration's is the next in its part. So a local pointer and a counter serve for it; the loop stays as it is.
//!
//! *Why it is allowed.* The variable begins at MYTHREAD, only the third clause changes it (automatic, its address
//! not taken, not assigned in the body or the condition), and the counter steps where it steps, after
//! `continue` too. The body has no labels, so that nothing enters it past the counter's beginning.

use crate::affine::name;
use crate::effects::of_body;
use crate::forall::{Accesses, Root, first_clause, own_rows};
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_syntax::ast::*;

/// A loop whose accesses to own elements go by local pointers.
#[derive(Debug)]
pub struct Strided {
    /// Arrays that are walked.
    pub roots: Vec<Root>,
    /// Local accesses.
    pub local: Accesses,
}

/// The plan for a statement, if it is such a loop and has such accesses.
pub fn strided(unit: &Unit, typed: &Typed, id: StmtId) -> Option<Strided> {
    let StmtKind::For { init, cond, step, body } = unit.stmts[id].kind else { return None };
    let (var, _, lo) = first_clause(unit, typed, init)?;
    let symbol = typed.sym(var);
    let automatic = matches!(symbol.kind, SymKind::Auto | SymKind::Param) && !symbol.address_taken;
    let begins = matches!(unit.exprs[unit.bare(lo)].kind, ExprKind::MyThread);
    if !automatic || !begins || !steps_by_threads(unit, typed, step?, var) {
        return None;
    }
    let effects = of_body(unit, typed, body);
    let plain = cond.is_none_or(|c| has_no_effects(unit, c));
    if !plain || effects.opaque || effects.assigned.contains(&var) {
        return None;
    }
    let (roots, local) = own_rows(unit, typed, &effects, var, body);
    (!local.is_empty()).then_some(Strided { roots, local })
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

/// Whether an expression assigns and calls nothing.
fn has_no_effects(unit: &Unit, e: ExprId) -> bool {
    match unit.exprs[e].kind {
        ExprKind::Ident(_) | ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => {
            true
        }
        ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..) => true,
        ExprKind::Paren(a)
        | ExprKind::Cast(_, a)
        | ExprKind::Unary(_, a)
        | ExprKind::Member { base: a, .. } => has_no_effects(unit, a),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
            has_no_effects(unit, a) && has_no_effects(unit, b)
        }
        _ => false,
    }
}
