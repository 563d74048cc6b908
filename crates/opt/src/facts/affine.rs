//! Subscripts of the form `i + c`.

use c_sema::Typed;
use c_sema::residues::is_signed;
use c_sema::typed::SymId;
use c_syntax::ast::{BinOp, ExprId, ExprKind, Unit};

/// The symbol of a bare name.
pub(crate) fn name(unit: &Unit, typed: &Typed, e: ExprId) -> Option<SymId> {
    let e = unit.bare(e);
    matches!(unit.exprs[e].kind, ExprKind::Ident(_)).then(|| typed.symbol(e)).flatten()
}

/// Returns `c` if `e` is `var + c`, `c + var`, `var - c` or `var`, with c a constant.
pub(crate) fn offset_from(unit: &Unit, typed: &Typed, e: ExprId, var: SymId) -> Option<i64> {
    let e = unit.bare(e);
    if name(unit, typed, e) == Some(var) {
        return Some(0);
    }
    let small =
        |e: ExprId| typed.constant(e).and_then(|c| i64::try_from(c).ok()).filter(|c| c.abs() < 1 << 31);
    match unit.exprs[e].kind {
        ExprKind::Binary(BinOp::Add, a, b) => {
            if let Some(c) = small(b) {
                offset_from(unit, typed, a, var)?.checked_add(c)
            } else {
                offset_from(unit, typed, b, var)?.checked_add(small(a)?)
            }
        }
        ExprKind::Binary(BinOp::Sub, a, b) => offset_from(unit, typed, a, var)?.checked_sub(small(b)?),
        _ => None,
    }
}

/// Returns `c` as [`offset_from`] does, if `e` differs from `var` by `c` as a number too: `i - 1` of an
/// unsigned 0 is a large number, not -1.
pub(crate) fn number_from(unit: &Unit, typed: &Typed, e: ExprId, var: SymId) -> Option<i64> {
    offset_from(unit, typed, e, var).filter(|&c| c == 0 || is_signed(typed, typed.sym(var).ty))
}
