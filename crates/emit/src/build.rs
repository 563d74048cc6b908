//! Builders of C, one for each construct, so that braces, parentheses and semicolons are balanced by
//! construction.
//!
//! Their results are new text around the pieces that they take. Statements end in a blank, so that they can
//! follow each other.

use crate::{Piece, seq};

/// `{ a b c }`
pub fn block(stmts: impl IntoIterator<Item = Piece>) -> Piece {
    seq!["{ ", Piece::Seq(stmts.into_iter().collect()), "} "]
}

/// The two ends of a block around text that keeps its place: `{ front` and `behind }`.
pub fn around(front: Piece, behind: Piece) -> (Piece, Piece) {
    (seq!["{ ", front], seq![" ", behind, "}"])
}

/// `if (test) then else otherwise`; both are blocks.
pub fn if_else(test: Piece, then: Piece, otherwise: Option<Piece>) -> Piece {
    match otherwise {
        Some(otherwise) => seq!["if (", test, ") ", then, "else ", otherwise],
        None => seq!["if (", test, ") ", then],
    }
}

/// `for (first; go; step) body`; `first` holds its semicolon, as a declaration does.
pub fn for_loop(first: Piece, go: Piece, step: Piece, body: Piece) -> Piece {
    seq!["for (", first, " ", go, "; ", step, ") ", body]
}

/// `e;`
pub fn statement(e: impl Into<Piece>) -> Piece {
    seq![e.into(), "; "]
}

/// `declared = value;`, with type and name as `declared`.
pub fn declare(declared: impl Into<Piece>, value: Option<Piece>) -> Piece {
    match value {
        Some(value) => statement(assign(declared, value)),
        None => statement(declared),
    }
}

/// `to = value`
pub fn assign(to: impl Into<Piece>, value: impl Into<Piece>) -> Piece {
    seq![to.into(), " = ", value.into()]
}

/// `__extension__ ({ a b value; })`: statements, and then a value.
pub fn after(stmts: impl IntoIterator<Item = Piece>, value: impl Into<Piece>) -> Piece {
    seq!["__extension__ ({ ", Piece::Seq(stmts.into_iter().collect()), statement(value), "})"]
}

/// `{a, b}`: an initialiser.
pub fn initializer(values: impl IntoIterator<Item = Piece>) -> Piece {
    let mut parts = vec![Piece::text("{")];
    for (n, value) in values.into_iter().enumerate() {
        if n > 0 {
            parts.push(", ".into());
        }
        parts.push(value);
    }
    parts.push("}".into());
    Piece::Seq(parts)
}

/// `name(a, b)`, of values that convert to pieces.
#[macro_export]
macro_rules! call {
    ($name:expr; $($part:expr),* $(,)?) => { $crate::Piece::call(&$name, [$($crate::Piece::from($part)),*]) };
}
