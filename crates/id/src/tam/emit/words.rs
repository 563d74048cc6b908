//! Expressions of C that code-blocks and C functions share: constants, bounds, subscripts, code-blocks.

use crate::core::language::{Atom, Mode, Var};
use crate::tam::c::{Expr, Name, cast, compound};

/// The C variable of a variable.
pub fn variable(v: Var) -> Expr {
    Name::Var(v).into()
}

/// A constant word.
pub fn constant(atom: Atom) -> Expr {
    match atom {
        Atom::Int(n) => Expr::Word(n as u64),
        Atom::Float(x) => Expr::Float(x.to_bits()),
        Atom::Var(v) => variable(v),
    }
}

/// A register of the machine: a member of `tam_registers` in `tam.h`.
pub fn register(name: &'static str) -> Expr {
    Expr::from("tam_registers").member(name)
}

/// The address of the descriptor of a code-block.
pub fn codeblock(number: usize) -> Expr {
    Expr::from(Name::Nth("cb", number)).address()
}

/// The bits of a new array's kind.
pub fn kind(mutable: bool, numbers: bool) -> Expr {
    match (mutable, numbers) {
        (false, false) => 0.into(),
        (false, true) => "TAM_NUMBERS".into(),
        (true, false) => "TAM_MUTABLE".into(),
        (true, true) => Expr::from("TAM_MUTABLE") | "TAM_NUMBERS",
    }
}

/// The bounds of an array, made of words.
pub fn bounds(words: &[Expr]) -> Expr {
    compound("const int64_t[]", words.iter().map(|b| cast("int64_t", b)))
}

/// The constant of `tam.h` for a mode of access.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::I => "TAM_I",
        Mode::Take => "TAM_TAKE",
        Mode::Examine => "TAM_EXAMINE",
    }
}

/// The three subscripts that functions of the runtime take: 0 for dimensions that an array does not have.
pub fn subscripts(index: &[Expr]) -> [Expr; 3] {
    std::array::from_fn(|n| index.get(n).map_or(0.into(), |w| cast("int64_t", w)))
}
