//! Two consecutive writes to one thread: `rows[c][k] = i; values[c][k] = x;`.
//!
//! The words for both are added together ([`super`]): the code finds the owner and its row of words once. A
//! branch tests where both objects are: a misprediction costs less than both the send and the local access
//! for two objects.
//!
//! *Why it is allowed.* Both writes happen at the place of the second one, in their order. The value and the
//! subscripts of the second one are computed before the first one. They have no effects and do not read the
//! object of the first write: this is an element of an array that they do not name, and they follow no
//! pointer. The owner is the same, since the subscripts are equal and the arrays are the same or of one type.
//!
//! *Result.* The first assignment is [`Access::WithNext`], the second one [`Access::Done`].

use crate::facts::equality::same;
use crate::facts::places::subscripted;
use crate::facts::strictness::keeps_time;
use crate::ir::tree::{Access, Tree};
use crate::ir::walk::each_statement;
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, exists};
use std::collections::HashSet;

/// Marks the pairs among the writes that are in no order.
pub(super) fn mark(tree: &mut Tree, s: StmtId, objects: &HashSet<ExprId>) {
    let mut pairs = Vec::new();
    each_statement(tree, s, &mut |s| {
        let StmtKind::Compound(items) = &tree.unit.stmts[s].kind else { return };
        let mut items = items.iter().map(|&item| assignment(tree, item, objects)).peekable();
        while let Some(first) = items.next() {
            if let (Some(a), Some(&Some(b))) = (first, items.peek())
                && together(tree, a, b)
            {
                pairs.push((a, b));
                items.next();
            }
        }
    });
    for (a, b) in pairs {
        tree.mark(a, Access::WithNext(b));
        tree.mark(b, Access::Done);
    }
}

/// Returns the assignment of a statement, if its target is one of the objects.
fn assignment(tree: &Tree, s: StmtId, objects: &HashSet<ExprId>) -> Option<ExprId> {
    let StmtKind::Expr(Some(e)) = tree.unit.stmts[s].kind else { return None };
    let e = tree.unit.bare(e);
    let ExprKind::Assign(None, target, _) = tree.unit.exprs[e].kind else { return None };
    (tree.nodes(s).is_none() && objects.contains(&tree.unit.bare(target))).then_some(e)
}

/// Returns whether two assignments can be done together.
fn together(tree: &Tree, a: ExprId, b: ExprId) -> bool {
    let parts = |e: ExprId| match tree.unit.exprs[e].kind {
        ExprKind::Assign(None, target, value) => Some((element(tree, target)?, value)),
        _ => None,
    };
    let (Some(((array, first), value)), Some(((other, second), next))) = (parts(a), parts(b)) else {
        return false;
    };
    let ty = |sym: SymId| tree.typed.sym(sym).ty;
    let alike = array == other || ty(array) == ty(other);
    let same = |(&i, &j): (&ExprId, &ExprId)| same(&tree.unit, &tree.typed, i, j);
    alike
        && first.len() == second.len()
        && first.iter().zip(&second).all(same)
        && plain(tree, value, None)
        && second.iter().chain([&next]).all(|&e| plain(tree, e, Some(array)))
}

/// The array and the subscripts of `array[i][j]`, of which a member may be named.
fn element(tree: &Tree, e: ExprId) -> Option<(SymId, Vec<ExprId>)> {
    let mut e = tree.unit.bare(e);
    let mut subscripts = Vec::new();
    loop {
        e = tree.unit.bare(match tree.unit.exprs[e].kind {
            ExprKind::Member { base, arrow: false, .. } if subscripts.is_empty() => base,
            ExprKind::Index(a, b) => {
                let (base, index) = subscripted(tree, a, b);
                subscripts.push(index);
                base
            }
            ExprKind::Ident(_) if is_array(tree, e) => return Some((tree.typed.symbol(e)?, subscripts)),
            _ => return None,
        });
        if !subscripts.is_empty() && !is_array(tree, e) {
            return None;
        }
    }
}

fn is_array(tree: &Tree, e: ExprId) -> bool {
    matches!(tree.typed.types.of(tree.typed.ty(e)), Ty::Array(..))
}

/// Returns whether an expression has no effects. If `but` is an object, the expression must also read only
/// named objects other than `but`.
fn plain(tree: &Tree, e: ExprId, but: Option<SymId>) -> bool {
    let (unit, typed) = (&tree.unit, &tree.typed);
    !exists(unit, Any::Expr(e), |e| {
        let allowed = match unit.exprs[e].kind {
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::Paren(_) | ExprKind::Binary(..) | ExprKind::Cond(..) | ExprKind::Cast(..) => true,
            ExprKind::Unary(UnOp::Deref, _) => but.is_none(),
            ExprKind::Unary(op, _) => op != UnOp::Addr,
            ExprKind::Member { arrow, .. } => but.is_none() || !arrow,
            ExprKind::Index(a, b) => but.is_none() || is_array(tree, subscripted(tree, a, b).0),
            ExprKind::Ident(_) => but.is_none() || typed.symbol(e) != but,
            _ => false,
        };
        !allowed || keeps_time(unit, typed, e).is_some()
    })
}
