//! Small texts of C.

use crate::core::language::{Atom, Mode};

/// A string literal of these bytes.
pub fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match b {
            b'"' | b'\\' | b'?' => {
                out.push('\\');
                out.push(char::from(b));
            }
            32..=126 => out.push(char::from(b)),
            _ => out.push_str(&format!("\\{b:03o}")),
        }
    }
    out.push('"');
    out
}

/// A constant word.
pub fn constant(atom: Atom) -> String {
    match atom {
        Atom::Int(n) => format!("UINT64_C({})", n as u64),
        Atom::Float(x) => format!("UINT64_C({}) /* {x:?} */", x.to_bits()),
        Atom::Var(v) => format!("v{v}"),
    }
}

/// The bits of a new array's kind.
pub fn kind(mutable: bool, numbers: bool) -> &'static str {
    match (mutable, numbers) {
        (false, false) => "0",
        (false, true) => "TAM_NUMBERS",
        (true, false) => "TAM_MUTABLE",
        (true, true) => "TAM_MUTABLE | TAM_NUMBERS",
    }
}

/// The bounds of an array, of words.
pub fn bounds(words: &[String]) -> String {
    let list: Vec<String> = words.iter().map(|b| format!("(int64_t)({b})")).collect();
    format!("(const int64_t[]){{{}}}", list.join(", "))
}

/// The constant of `tam.h` for a way of access.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::I => "TAM_I",
        Mode::Take => "TAM_TAKE",
        Mode::Examine => "TAM_EXAMINE",
    }
}

/// Three subscripts, of which the last may be 0.
pub fn three(index: &[String]) -> String {
    let of = |n: usize| index.get(n).map_or("0".to_owned(), |w| format!("(int64_t)({w})"));
    format!("{}, {}, {}", of(0), of(1), of(2))
}
