//! Equal expressions: pairs of which one can replace the other, and pairs that are written alike.

use crate::facts::strictness::keeps_time;
use crate::ir::tree::Tree;
use c_sema::Typed;
use c_syntax::ast::*;

/// Whether two expressions are the same, and have no effect that could be seen if one of them were left out.
pub(crate) fn same(unit: &Unit, typed: &Typed, a: ExprId, b: ExprId) -> bool {
    use ExprKind::*;
    let (a, b) = (unit.bare(a), unit.bare(b));
    let (qa, qb) = (typed.ty(a), typed.ty(b));
    if qa != qb || typed.conversion(a) != typed.conversion(b) {
        return false;
    }
    if let (Some(a), Some(b)) = (typed.constant(a), typed.constant(b)) {
        return a == b;
    }
    if keeps_time(unit, typed, a).is_some() {
        return false;
    }
    let same = |a, b| same(unit, typed, a, b);
    match (&unit.exprs[a].kind, &unit.exprs[b].kind) {
        (Ident(_), Ident(_)) => typed.symbol(a).is_some() && typed.symbol(a) == typed.symbol(b),
        (Threads, Threads) | (MyThread, MyThread) => true,
        (&Index(a, i), &Index(b, j)) => same(a, b) && same(i, j),
        (Member { base: a, arrow: x, name: m }, Member { base: b, arrow: y, name: n }) => {
            x == y && m.text == n.text && same(*a, *b)
        }
        (&Unary(x, a), &Unary(y, b)) => x == y && same(a, b),
        (&Binary(x, a, c), &Binary(y, b, d)) => x == y && same(a, b) && same(c, d),
        (&Cast(_, a), &Cast(_, b)) => same(a, b),
        _ => false,
    }
}

/// Whether two rows are written the same: names and constants in the same places.
pub(crate) fn is_written_alike(tree: &Tree, a: ExprId, b: ExprId) -> bool {
    let (a, b) = (tree.unit.bare(a), tree.unit.bare(b));
    let constant = |e: ExprId| tree.typed.constant(e);
    match (&tree.unit.exprs[a].kind, &tree.unit.exprs[b].kind) {
        _ if constant(a).is_some() => constant(a) == constant(b),
        (ExprKind::Ident(_), ExprKind::Ident(_)) => tree.typed.symbol(a) == tree.typed.symbol(b),
        (&ExprKind::Index(a, i), &ExprKind::Index(b, j)) => {
            is_written_alike(tree, a, b) && is_written_alike(tree, i, j)
        }
        (&ExprKind::Binary(p, a, i), &ExprKind::Binary(q, b, j)) => {
            p == q && is_written_alike(tree, a, b) && is_written_alike(tree, i, j)
        }
        _ => false,
    }
}
