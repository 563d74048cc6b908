//! Relaxed accesses to shared objects, which their owner may do.

use c_sema::Typed;
use c_syntax::ast::*;

/// Whether an object is shared, and its owner may change it when a message arrives.
pub(crate) fn is_relaxed(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    let quals = typed.types.object_quals(typed.ty(e));
    typed.types.is_shared(typed.ty(e)) && !typed.is_strict(unit, e) && !quals.is_volatile && !quals.is_atomic
}
