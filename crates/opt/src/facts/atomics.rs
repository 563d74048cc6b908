//! Atomic operations by value: calls of `upc_atomic_relaxed` that [`crate::loops::atomics`] has rewritten.
//!
//! The arguments of such a call are the domain, the operation, the address of the target and the values of
//! the operands; its value is the target's old value. So the call reads and writes the target, and nothing
//! else (UPC 7.6.4.3). A call with all six arguments of the library's function is no such operation: it may
//! do anything.

use crate::ir::tree::Tree;
use c_sema::Typed;
use c_sema::library::Effects;
use c_sema::types::Ty;
use c_syntax::ast::*;

/// Arguments of the library's function.
const ARGUMENTS: usize = 6;

/// An atomic operation by value.
#[derive(Clone, Copy, Debug)]
pub struct Atomic<'a> {
    /// The domain.
    pub domain: ExprId,
    /// The operation, a constant.
    pub op: ExprId,
    /// The address of the target: `&` and the target.
    pub target: ExprId,
    /// The values of the operands.
    pub operands: &'a [ExprId],
}

/// Whether `f` names the library's function.
pub(crate) fn is_relaxed(typed: &Typed, f: ExprId) -> bool {
    typed.library(f).is_some_and(|row| row.effects == Effects::Atomic)
}

/// The arguments of a call of the library's function as the program has it.
pub(crate) fn arguments<'a>(unit: &'a Unit, typed: &Typed, e: ExprId) -> Option<&'a [ExprId; ARGUMENTS]> {
    match &unit.exprs[e].kind {
        ExprKind::Call(f, args) if is_relaxed(typed, unit.bare(*f)) => args.as_slice().try_into().ok(),
        _ => None,
    }
}

/// The atomic operation that an expression is, if it is one by value.
pub fn of<'a>(unit: &'a Unit, typed: &Typed, e: ExprId) -> Option<Atomic<'a>> {
    let ExprKind::Call(f, args) = &unit.exprs[e].kind else { return None };
    match args.as_slice() {
        &[domain, op, target, ref operands @ ..]
            if args.len() < ARGUMENTS && is_relaxed(typed, unit.bare(*f)) =>
        {
            Some(Atomic { domain, op, target, operands })
        }
        _ => None,
    }
}

/// The target object of an atomic operation.
pub fn object(unit: &Unit, atomic: Atomic) -> ExprId {
    let target = unit.bare(atomic.target);
    match unit.exprs[target].kind {
        ExprKind::Unary(UnOp::Addr, place) => unit.bare(place),
        _ => target,
    }
}

/// Whether an atomic operation has a value that the program uses.
pub fn gives_value(typed: &Typed, e: ExprId) -> bool {
    !matches!(typed.types.of(typed.ty(e)), Ty::Void)
}

/// The object of the atomic operation that an expression is.
pub(crate) fn object_of(tree: &Tree, e: ExprId) -> Option<ExprId> {
    of(&tree.unit, &tree.typed, e).map(|atomic| object(&tree.unit, atomic))
}
