//! Small texts of C.

use crate::core::Atom;

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
