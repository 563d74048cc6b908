//! Writes of programs with `-fsanitize=pgas` through private pointers, which may point into shared memory.
//!
//! The C compiler instruments loads and stores (`crates/driver/src/sanitize.rs`), but gcc takes a store as
//! done if it has just instrumented a load of the same place: `*p += 1` would be a read. So the program
//! writes through another pointer (`MER_WRITTEN`, `runtime/include/meridian/abi/sanitize.h`).

use crate::Lower;
use crate::program::Program;
use crate::update::Update;
use c_sema::types::Ty;
use c_syntax::ast::*;
use emit::{Piece, call};
use opt::places::is_bit_field;

impl Program<'_> {
    /// Whether a write to this private target is to be observed: it is reached through a pointer, and its
    /// address can be taken.
    pub(crate) fn is_observed(&self, target: ExprId) -> bool {
        if !self.observed || is_bit_field(self.tree, target) {
            return false;
        }
        let q = self.typed.ty(target);
        let itself = !self.typed.types.object_quals(q).is_atomic && !self.is_pts(q);
        itself && self.is_behind_pointer(target)
    }

    fn is_behind_pointer(&self, e: ExprId) -> bool {
        match &self.unit.exprs[e].kind {
            ExprKind::Paren(inner) | ExprKind::Extension(inner) => self.is_behind_pointer(*inner),
            ExprKind::Unary(UnOp::Deref, pointer) => {
                matches!(self.typed.types.of(self.typed.ty(*pointer)), Ty::Pointer(..))
            }
            ExprKind::Member { arrow: true, .. } => true,
            ExprKind::Member { base, arrow: false, .. } => self.is_behind_pointer(*base),
            ExprKind::Index(a, b) => {
                let (array, _) = self.subscripted(*a, *b);
                match self.typed.types.of(self.typed.ty(array)) {
                    Ty::Pointer(..) => true,
                    Ty::Array(..) => self.is_behind_pointer(array),
                    _ => false,
                }
            }
            _ => false,
        }
    }
}

impl Lower<'_> {
    /// The write of `value` to `object`.
    pub(crate) fn set_observed(&self, object: Piece, value: Piece) -> Piece {
        call!["MER_OBSERVED_SET"; object.paren(), value]
    }

    /// The change of `object`.
    pub(crate) fn change_observed(&self, object: Piece, update: Update) -> Piece {
        match update {
            Update::Assign(sign, value) => call!["MER_OBSERVED_CHANGE"; object.paren(), sign, value],
            Update::Step { op, post } => {
                let sign = if op == IncDec::Inc { "+" } else { "-" };
                call!["MER_OBSERVED_STEP"; object.paren(), sign, if post { "mer_old_" } else { "mer_new_" }]
            }
        }
    }
}
