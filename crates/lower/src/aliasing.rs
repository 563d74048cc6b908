//! Accesses of parts of unions, which the C compiler must not move past others of the same memory.

use crate::program::Program;
use c_sema::types::Ty;
use c_syntax::ast::*;
use emit::{Piece, call};
use opt::places::is_bit_field;

/// The type by which the macros access `e`, through a pointer. If `e` is a part of a union, the C
/// compiler does not see through that pointer that the union's other members lie there too (C11 6.5 p7).
/// So the type of such a number may alias everything. Structs and their bit-fields are [`in_order`]
/// instead.
pub(crate) fn access_type(program: &Program, e: ExprId, ty: String) -> String {
    if !may_alias(program, e) {
        return ty;
    }
    let (types, q) = (&program.typed.types, program.typed.ty(e));
    match (types.of(q), types.int_kind(q)) {
        // gcc ignores `may_alias` for an enum that has been defined, but not for its integer type.
        (Ty::Enum(_), Some(kind)) => {
            let volatile = if types.object_quals(q).is_volatile { "volatile " } else { "" };
            format!("MER_ALIASED({volatile}{})", kind.spelling())
        }
        _ => format!("MER_ALIASED({ty})"),
    }
}

pub(crate) fn may_alias(program: &Program, e: ExprId) -> bool {
    let typed = program.typed;
    let number = typed.types.is_scalar(typed.ty(e)) && !program.is_pts(typed.ty(e));
    number && !is_bit_field(program.tree, e) && program.through_union(e)
}

/// The access to `e`, in order if needed: if `e` is a part of a union and its type does not say that it
/// may alias, the C compiler must move the access past no other. (gcc ignores `may_alias` for structs
/// that have been defined, and a pointer-to-shared is one.)
pub(crate) fn in_order(program: &Program, e: ExprId, access: Piece) -> Piece {
    let fenced = program.through_union(e) && !may_alias(program, e);
    if fenced { call!["MER_IN_ORDER"; access] } else { access }
}
