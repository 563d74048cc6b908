//! Operations on words and on the outside world, as C expressions.

use crate::core::language::{Io, Prim};

/// A call of a function of C; the first word is its number.
pub fn external(words: &[String], site: usize) -> String {
    let number = words[0].rsplit('(').next().unwrap_or("").trim_end_matches(|c: char| !c.is_ascii_digit());
    format!("call_external_{number}({site}, {})", words[1..].join(", "))
}

/// An operation on the outside world, as a C expression of a word.
pub fn io_text(io: Io, w: &[String], site: usize) -> String {
    let number = match io {
        Io::External => return external(&w[1..], site),
        Io::Put => 0,
        Io::Get => 1,
        Io::Peek => 2,
        Io::Name => 3,
        Io::Open => 4,
        Io::Close => 5,
        Io::Exit => 6,
    };
    let a = w.get(1).map_or("0", String::as_str);
    let b = w.get(2).map_or("0", String::as_str);
    format!("(tam_word)tam_io({number}, (int64_t)({a}), (int64_t)({b}), {site})")
}

/// The expression of an operation on operands that are C expressions of words; `site` for errors.
pub fn expression(prim: Prim, a: &[String], site: usize) -> String {
    let x = a.first().map_or("0", String::as_str);
    let y = a.get(1).map_or("0", String::as_str);
    let int = |w: &str| format!("(int64_t)({w})");
    let (i, j) = (int(x), int(y));
    let (u, v) = (format!("tam_f({x})"), format!("tam_f({y})"));
    let one = |function: &str| format!("tam_w({function}({u}))");
    let whole = |function: &str| format!("(tam_word)tam_whole({function}({u}))");
    match prim {
        Prim::After => x.to_owned(),
        Prim::AddI => format!("{x} + {y}"),
        Prim::SubI => format!("{x} - {y}"),
        Prim::MulI => format!("{x} * {y}"),
        Prim::PowI => format!("(tam_word)tam_power({i}, {j}, {site})"),
        Prim::Quotient => format!("(tam_word)tam_quotient({i}, {j}, {site})"),
        Prim::ModI => format!("(tam_word)tam_mod({i}, {j}, {site})"),
        Prim::RemI => format!("(tam_word)tam_remainder({i}, {j}, {site})"),
        Prim::NegI => format!("0 - ({x})"),
        Prim::AbsI => format!("{i} < 0 ? 0 - ({x}) : ({x})"),
        Prim::MinI => format!("{i} < {j} ? ({x}) : ({y})"),
        Prim::MaxI => format!("{i} > {j} ? ({x}) : ({y})"),
        Prim::AddF => format!("tam_w({u} + {v})"),
        Prim::SubF => format!("tam_w({u} - {v})"),
        Prim::MulF => format!("tam_w({u} * {v})"),
        Prim::DivF => format!("tam_w({u} / {v})"),
        Prim::PowF => format!("tam_w(pow({u}, {v}))"),
        Prim::ModF => format!("tam_w({u} - {v} * floor({u} / {v}))"),
        Prim::RemF => format!("tam_w(fmod({u}, {v}))"),
        Prim::NegF => format!("tam_w(-{u})"),
        Prim::AbsF => one("fabs"),
        Prim::MinF => format!("{v} < {u} ? ({y}) : ({x})"),
        Prim::MaxF => format!("{v} > {u} ? ({y}) : ({x})"),
        Prim::EqI => format!("{x} == {y}"),
        Prim::NeI => format!("{x} != {y}"),
        Prim::LtI => format!("{i} < {j}"),
        Prim::LeI => format!("{i} <= {j}"),
        Prim::EqF => format!("{u} == {v}"),
        Prim::NeF => format!("{u} != {v}"),
        Prim::LtF => format!("{u} < {v}"),
        Prim::LeF => format!("{u} <= {v}"),
        Prim::And => format!("{x} & {y}"),
        Prim::Or => format!("{x} | {y}"),
        Prim::Not => format!("1 - ({x})"),
        Prim::ToFloat => format!("tam_w((double){i})"),
        Prim::Fix => whole(""),
        Prim::Floor => whole("floor"),
        Prim::Ceiling => whole("ceil"),
        Prim::Round => whole("round"),
        Prim::Sqrt => one("sqrt"),
        Prim::Sin => one("sin"),
        Prim::Cos => one("cos"),
        Prim::Tan => one("tan"),
        Prim::Asin => one("asin"),
        Prim::Acos => one("acos"),
        Prim::Atan => one("atan"),
        Prim::Atan2 => format!("tam_w(atan2({u}, {v}))"),
        Prim::Exp => one("exp"),
        Prim::Log => one("log"),
        Prim::HasFields => format!("(tam_word)tam_has_fields({x}, {y})"),
        Prim::ShowI => format!("tam_show_int({i}, {y})"),
        Prim::ShowF => format!("tam_show_float({u}, {y})"),
        Prim::Text => format!("tam_text_list((unsigned)({x}))"),
        Prim::Argc => "(tam_word)tam_argc()".into(),
        Prim::Argv => format!("tam_argv({i}, {site})"),
        Prim::External => external(a, site),
        Prim::Processors => "(tam_word)tam_processors()".into(),
    }
}
