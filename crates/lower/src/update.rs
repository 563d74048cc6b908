//! Updates of objects: `op=`, `++` and `--`.

use c_syntax::ast::IncDec;
use emit::{Piece, seq};

/// The change that an update makes to an object.
pub(crate) enum Update {
    /// `op=`, without the `=`.
    Assign(String, Piece),
    /// `++x` and `x++`, `--x` and `x--`.
    Step { op: IncDec, post: bool },
}

pub(crate) fn change_own(object: Piece, update: Update) -> Piece {
    match update {
        Update::Assign(op, value) => seq!["(", object, format!(" {op}= "), value, ")"],
        Update::Step { op, post: true } => seq!["(", object, step_text(op), ")"],
        Update::Step { op, post: false } => seq!["(", step_text(op), object, ")"],
    }
}

fn step_text(op: IncDec) -> &'static str {
    if op == IncDec::Inc { "++" } else { "--" }
}

/// The operation that the owner of a remote object performs (abi.h).
pub(crate) fn accumulation(sign: &str) -> &'static str {
    match sign.trim() {
        "+" => "MER_ACCUMULATE_ADD",
        "-" => "MER_ACCUMULATE_SUB",
        "&" => "MER_ACCUMULATE_AND",
        "|" => "MER_ACCUMULATE_OR",
        "^" => "MER_ACCUMULATE_XOR",
        other => unreachable!("the owner does not do `{other}`"),
    }
}

/// Whether the value of an update is the old one, and the new value computed from `mer_old_`.
pub(crate) fn new_value(update: Update) -> (bool, Piece) {
    match update {
        Update::Assign(op, value) => (false, seq![format!("mer_old_ {op} "), value.paren()]),
        Update::Step { op, post } => {
            (post, Piece::text(if op == IncDec::Inc { "mer_old_ + 1" } else { "mer_old_ - 1" }))
        }
    }
}
