//! Bit-fields of shared objects: their places, and reads, writes and updates of them. They have macros of
//! their own in `access.h`, since a bit-field has no address.

use crate::Lower;
use crate::aliasing;
use crate::place::{Place, path_text};
use crate::program::Program;
use crate::update::{Update, change_own, new_value};
use c_sema::Member;
use c_syntax::ast::*;
use emit::{Piece, call, seq};

impl Lower<'_> {
    /// For an `e` that names a bit-field: its struct, its name, and its place in the struct.
    pub(crate) fn field(&mut self, e: ExprId) -> Option<(Place, String, Member)> {
        let (place, name, member) = self.find_field(e)?;
        Some((self.known(place), name, member))
    }

    fn find_field(&mut self, e: ExprId) -> Option<(Place, String, Member)> {
        let unit = self.program.unit;
        match &unit.exprs[e].kind {
            ExprKind::Paren(inner) | ExprKind::Extension(inner) => self.find_field(*inner),
            ExprKind::Member { base, arrow, name } => {
                let object =
                    if *arrow { self.program.points_to(*base) } else { Some(self.program.typed.ty(*base)) };
                let types = &self.program.typed.types;
                let member = types.member(types.as_record(object?)?, &name.text)?;
                member.width?;
                Some((self.record(*base, *arrow), name.text.to_string(), member))
            }
            _ => None,
        }
    }
}

/// The first arguments of the macros for bit-fields.
fn field_args(
    program: &Program,
    whole: &str,
    bits: Piece,
    path: Vec<Piece>,
    name: &str,
    member: &Member,
) -> Piece {
    let bit = member.bit.map_or_else(|| format!("MER_FIELD_BIT({name})"), |bit| bit.to_string());
    let width = member.width.unwrap_or(0);
    let ty = program.type_text(member.ty);
    seq![format!("{ty}, {whole}, "), bits, ", ", path_text(path), format!(", {name}, {bit}, {width}")]
}

/// The value of the bit-field `e`, which is the `member` with this name of the struct at `place`.
pub(crate) fn read_field(program: &Program, e: ExprId, place: Place, name: &str, member: &Member) -> Piece {
    match place {
        Place::Own(object) => seq![object, ".", name.to_owned()],
        Place::Shared { whole, bits, path } => {
            let args = field_args(program, &whole, bits, path, name, member);
            aliasing::in_order(program, e, call!["MER_GET_FIELD"; args])
        }
    }
}

pub(crate) fn write_field(
    program: &Program,
    e: ExprId,
    place: Place,
    name: &str,
    member: &Member,
    value: Piece,
) -> Piece {
    match place {
        Place::Own(object) => seq!["(", object, ".", name.to_owned(), " = ", value, ")"],
        Place::Shared { whole, bits, path } => {
            let args = field_args(program, &whole, bits, path, name, member);
            aliasing::in_order(program, e, call!["MER_PUT_FIELD"; args, value])
        }
    }
}

pub(crate) fn change_field(
    program: &Program,
    e: ExprId,
    place: Place,
    name: &str,
    member: &Member,
    update: Update,
) -> Piece {
    match place {
        Place::Own(object) => change_own(seq![object, ".", name.to_owned()], update),
        Place::Shared { whole, bits, path } => {
            let (post, new) = new_value(update);
            let function = if post { "MER_UPDATE_FIELD_POST" } else { "MER_UPDATE_FIELD" };
            let args = field_args(program, &whole, bits, path, name, member);
            aliasing::in_order(program, e, call![function; args, new])
        }
    }
}
