//! Strict and relaxed accesses to shared objects (UPC 1.3, 6.5.1.1).

use c_sema::Typed;
use c_syntax::ast::*;

/// Whether a shared object is accessed strictly.
pub fn is_strict(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    let quals = typed.types.object_quals(typed.ty(e));
    quals.is_strict || (!quals.is_relaxed && unit.strict_at(unit.exprs[e].span.lo))
}

/// Whether an object is shared, and its owner may change it when a message arrives.
pub(crate) fn is_relaxed(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    let quals = typed.types.object_quals(typed.ty(e));
    typed.types.is_shared(typed.ty(e)) && !is_strict(unit, typed, e) && !quals.is_volatile && !quals.is_atomic
}
