//! A node's operation as text, in the notation of Id if it has one.

use super::names::Names;
use crate::core::language::{Atom, FuncId, Io, Mode, Prim, int};
use crate::tam::graph::*;

/// The operation of a node, without its results.
pub fn operation(names: &Names, graph: &Graph, node: &Node) -> String {
    let ins: Vec<String> = node.ins.iter().map(|a| names.atom(a)).collect();
    match &node.act {
        Act::Prim(p) => prim(names, *p, &node.ins, &ins),
        Act::Make { tag, fields } => format!("cell of {}, constructor {tag}", counted(*fields, "field")),
        Act::Closure { func, held } => {
            format!("closure of {} with {}", names.func(*func), counted(*held, "value"))
        }
        Act::Fill { at, delayed: false } => format!("fill {}.{at} with {}", ins[0], ins[1]),
        Act::Fill { at, delayed: true } => format!("fill {}.{at} when asked, by {}", ins[0], ins[1]),
        Act::Field { at, mode } => format!("{} {}.{at}", reading(*mode), ins[0]),
        Act::StoreField { at, mode } => format!("{} {}.{at} = {}", storing(*mode), ins[0], ins[1]),
        Act::Alloc { mutable, numbers } => {
            let bounds: Vec<String> = ins.chunks(2).map(|b| format!("({})", b.join(", "))).collect();
            let kind = if *mutable { "mutable array" } else { "array" };
            let numbers = if *numbers { " of numbers" } else { "" };
            format!("{kind}{numbers} {}", bounds.join(", "))
        }
        Act::Bound { at } => {
            let which = if at % 2 == 0 { "lower" } else { "upper" };
            format!("{which} bound {} of {}", at / 2 + 1, ins[0])
        }
        Act::Fetch { mode } => format!("{} {}[{}]", reading(*mode), ins[0], ins[1..].join(", ")),
        Act::Store { mode } => {
            let (value, to) = ins.split_last().expect("a value to store");
            format!("{} {}[{}] = {value}", storing(*mode), to[0], to[1..].join(", "))
        }
        Act::Call { func, late, join, tail, .. } => {
            let how = match (join, tail) {
                (true, _) => "call to its end ",
                (false, true) => "tail call ",
                (false, false) => "call ",
            };
            format!("{how}{}", call(names, *func, late, ins))
        }
        Act::SendArg { func, param, .. } => {
            format!("send {} to {} of {} {}", ins[1], names.param(*func, *param), names.func(*func), ins[0])
        }
        Act::Apply { by_cell } => {
            let args =
                ins[1..].iter().zip(by_cell).map(|(a, l)| format!("{a}{}", if *l { " late" } else { "" }));
            format!("apply {} ({})", ins[0], args.collect::<Vec<_>>().join(", "))
        }
        Act::Switch => format!("switch {}", ins[0]),
        Act::Write { event } => match graph.events[*event].var {
            Some(v) => format!("{} becomes {}", names.var(v), ins[0]),
            None => format!("give {}", ins[0]),
        },
        Act::Return { result: 0 } => format!("return {}", ins[0]),
        Act::Return { result } => format!("return {} as result {}", ins[0], result + 1),
        Act::Io(Io::External) => external(names, &node.ins[1..], &ins[1..]),
        Act::Io(io) => format!("{} ({})", io_name(*io), ins[1..].join(", ")),
        Act::Fail { text } => format!("fail {}", quoted(&names.program.texts[*text])),
        Act::Stuck => "wait for ever".into(),
    }
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A call, with `late` in place of arguments that come later.
fn call(names: &Names, func: FuncId, late: &[bool], given: Vec<String>) -> String {
    let mut given = given.into_iter();
    let args: Vec<String> = late
        .iter()
        .map(|late| if *late { "late".to_owned() } else { given.next().unwrap_or_default() })
        .collect();
    format!("{} ({})", names.func(func), args.join(", "))
}

/// A call of a function of C, whose number is the first operand.
fn external(names: &Names, atoms: &[Atom], words: &[String]) -> String {
    let symbol = int(atoms[0]).and_then(|n| names.program.externals.get(n as usize)).map(|e| &e.symbol);
    let symbol = symbol.map_or(words[0].as_str(), String::as_str);
    format!("call C's {symbol} ({})", words[1..].join(", "))
}

fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", String::from_utf8_lossy(bytes).escape_debug())
}

fn reading(mode: Mode) -> &'static str {
    match mode {
        Mode::I => "read",
        Mode::Take => "take",
        Mode::Examine => "examine",
    }
}

fn storing(mode: Mode) -> &'static str {
    match mode {
        Mode::I => "store",
        Mode::Take => "put",
        Mode::Examine => "replace",
    }
}

fn io_name(io: Io) -> &'static str {
    match io {
        Io::Put => "write character",
        Io::Get => "read character",
        Io::Peek => "peek character",
        Io::Name => "add to name",
        Io::Open => "open",
        Io::Close => "close",
        Io::Exit => "exit",
        Io::External => "call C",
    }
}

/// An operation on words. `ins`: the texts of its operands.
fn prim(names: &Names, p: Prim, atoms: &[Atom], ins: &[String]) -> String {
    match (p, ins) {
        (Prim::External, _) => external(names, atoms, ins),
        (Prim::Text, _) => match int(atoms[0]).and_then(|n| names.program.texts.get(n as usize)) {
            Some(text) => quoted(text),
            None => format!("string {}", ins[0]),
        },
        (Prim::HasFields, [cell, tag]) => format!("{cell} has constructor {tag}"),
        (Prim::After, [value, before]) => format!("{value} after {before}"),
        (Prim::NegI | Prim::NegF, [x]) => format!("-{x}"),
        (_, [x, y]) if infix(p).is_some() => format!("{x} {} {y}", infix(p).unwrap_or_default()),
        _ => [&[word(p).to_owned()], ins].concat().join(" "),
    }
}

/// The operator of an operation that is written between its operands.
fn infix(p: Prim) -> Option<&'static str> {
    Some(match p {
        Prim::AddI | Prim::AddF => "+",
        Prim::SubI | Prim::SubF => "-",
        Prim::MulI | Prim::MulF => "*",
        Prim::DivF => "/",
        Prim::PowI | Prim::PowF => "^",
        Prim::EqI | Prim::EqF => "==",
        Prim::NeI | Prim::NeF => "<>",
        Prim::LtI | Prim::LtF => "<",
        Prim::LeI | Prim::LeF => "<=",
        Prim::And => "and",
        Prim::Or => "or",
        _ => return None,
    })
}

/// The name of an operation that is written before its operands.
fn word(p: Prim) -> &'static str {
    match p {
        Prim::Quotient => "quotient",
        Prim::ModI | Prim::ModF => "mod",
        Prim::RemI | Prim::RemF => "remainder",
        Prim::NegI | Prim::NegF => "negate",
        Prim::AbsI | Prim::AbsF => "abs",
        Prim::MinI | Prim::MinF => "min",
        Prim::MaxI | Prim::MaxF => "max",
        Prim::Not => "not",
        Prim::ToFloat => "float",
        Prim::Fix => "fix",
        Prim::Floor => "floor",
        Prim::Ceiling => "ceiling",
        Prim::Round => "round",
        Prim::Sqrt => "sqrt",
        Prim::Sin => "sin",
        Prim::Cos => "cos",
        Prim::Tan => "tan",
        Prim::Asin => "asin",
        Prim::Acos => "acos",
        Prim::Atan => "atan",
        Prim::Atan2 => "atan2",
        Prim::Exp => "exp",
        Prim::Log => "log",
        Prim::HasFields => "has_fields",
        Prim::After => "after",
        Prim::ShowI | Prim::ShowF => "characters",
        Prim::Text => "string",
        Prim::Argc => "argc",
        Prim::Argv => "argv",
        Prim::Processors => "processors",
        Prim::External => "call C",
        p => infix(p).unwrap_or("operation"),
    }
}
