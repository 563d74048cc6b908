//! Accesses that must happen when the program does them, and relaxed ones, which the object's owner may do.

use crate::ir::reason::Reason;
use c_sema::Typed;
use c_sema::types::QTy;
use c_syntax::ast::*;

/// Returns the reason if an access to an object may be done neither early, nor late, nor by the owner.
pub(crate) fn keeps_time(unit: &Unit, typed: &Typed, e: ExprId) -> Option<Reason> {
    let quals = typed.types.object_quals(typed.ty(e));
    if quals.shared.is_some() && typed.is_strict(unit, e) {
        return Some(Reason::Strict);
    }
    let volatile = quals.is_volatile.then_some(Reason::Volatile);
    volatile.or_else(|| quals.is_atomic.then_some(Reason::Atomic))
}

/// Whether an object is shared, and its owner may change it when a message arrives.
pub(crate) fn is_relaxed(unit: &Unit, typed: &Typed, e: ExprId) -> bool {
    typed.types.is_shared(typed.ty(e)) && keeps_time(unit, typed, e).is_none()
}

/// Whether a type is a shared and relaxed one, neither volatile nor atomic: an access to such an object may
/// compute its address in another way, at the time when the program does it. So may an access that is strict
/// by a pragma.
pub(crate) fn is_plain(typed: &Typed, q: QTy) -> bool {
    let quals = typed.types.object_quals(q);
    quals.shared.is_some() && !quals.is_strict && !quals.is_volatile && !quals.is_atomic
}
