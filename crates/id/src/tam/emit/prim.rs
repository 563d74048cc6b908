//! Operations on words and on the outside world, as C expressions.

use crate::core::language::{Atom, Io, Prim, int};
use crate::tam::c::{Expr, Name, call, call_of, cast};
use base::contract::io as contract;

/// A call of the function of C of this number.
fn external(number: Atom, args: &[Expr], site: usize) -> Expr {
    let number = int(number).expect("a function of C is named by its number") as usize;
    let args = std::iter::once(site.into()).chain(args.iter().cloned());
    call_of(Name::Nth("call_external_", number), args)
}

/// An operation on the outside world, as a C expression of a word; `atoms` are its operands, `w` their words.
pub fn io(io: Io, atoms: &[Atom], w: &[Expr], site: usize) -> Expr {
    let number = match io {
        Io::External => return external(atoms[1], &w[2..], site),
        Io::Put => contract::PUT,
        Io::Get => contract::GET,
        Io::Peek => contract::PEEK,
        Io::Name => contract::NAME,
        Io::Open => contract::OPEN,
        Io::Close => contract::CLOSE,
        Io::Exit => contract::EXIT,
    };
    let operand = |n: usize| cast("int64_t", w.get(n).cloned().unwrap_or(0.into()));
    cast("tam_word", call!("tam_io", number as usize, operand(1), operand(2), site))
}

/// The expression of an operation on the operands `atoms`, whose words are `w`; `site` is for errors.
pub fn expression(prim: Prim, atoms: &[Atom], w: &[Expr], site: usize) -> Expr {
    // The operands as words, as integers and as floats.
    let x = || w.first().cloned().unwrap_or(0.into());
    let y = || w.get(1).cloned().unwrap_or(0.into());
    let (i, j) = (|| cast("int64_t", x()), || cast("int64_t", y()));
    let (u, v) = (|| call!("tam_f", x()), || call!("tam_f", y()));
    let word = |e: Expr| cast("tam_word", e);
    let float = |e: Expr| call!("tam_w", e);
    let one = |function: &'static str| call!("tam_w", call!(function, u()));
    let whole = |e: Expr| cast("tam_word", call!("tam_whole", e));
    match prim {
        Prim::After => x(),
        Prim::AddI => x() + y(),
        Prim::SubI => x() - y(),
        Prim::MulI => x() * y(),
        Prim::PowI => word(call!("tam_power", i(), j(), site)),
        Prim::Quotient => word(call!("tam_quotient", i(), j(), site)),
        Prim::ModI => word(call!("tam_mod", i(), j(), site)),
        Prim::RemI => word(call!("tam_remainder", i(), j(), site)),
        Prim::NegI => Expr::from(0) - x(),
        Prim::AbsI => i().less(0).choose(Expr::from(0) - x(), x()),
        Prim::MinI => i().less(j()).choose(x(), y()),
        Prim::MaxI => i().greater(j()).choose(x(), y()),
        Prim::AddF => float(u() + v()),
        Prim::SubF => float(u() - v()),
        Prim::MulF => float(u() * v()),
        Prim::DivF => float(u() / v()),
        Prim::PowF => float(call!("pow", u(), v())),
        Prim::ModF => float(u() - v() * call!("floor", u() / v())),
        Prim::RemF => float(call!("fmod", u(), v())),
        Prim::NegF => float(-u()),
        Prim::AbsF => one("fabs"),
        Prim::MinF => v().less(u()).choose(y(), x()),
        Prim::MaxF => v().greater(u()).choose(y(), x()),
        Prim::EqI => x().equals(y()),
        Prim::NeI => x().differs(y()),
        Prim::LtI => i().less(j()),
        Prim::LeI => i().at_most(j()),
        Prim::EqF => u().equals(v()),
        Prim::NeF => u().differs(v()),
        Prim::LtF => u().less(v()),
        Prim::LeF => u().at_most(v()),
        Prim::And => x() & y(),
        Prim::Or => x() | y(),
        Prim::Not => Expr::from(1) - x(),
        Prim::ToFloat => float(cast("double", i())),
        Prim::Fix => whole(u()),
        Prim::Floor => whole(call!("floor", u())),
        Prim::Ceiling => whole(call!("ceil", u())),
        Prim::Round => whole(call!("round", u())),
        Prim::Sqrt => one("sqrt"),
        Prim::Sin => one("sin"),
        Prim::Cos => one("cos"),
        Prim::Tan => one("tan"),
        Prim::Asin => one("asin"),
        Prim::Acos => one("acos"),
        Prim::Atan => one("atan"),
        Prim::Atan2 => float(call!("atan2", u(), v())),
        Prim::Exp => one("exp"),
        Prim::Log => one("log"),
        Prim::HasFields => word(call!("tam_has_fields", x(), y())),
        Prim::ShowI => call!("tam_show_int", i(), y()),
        Prim::ShowF => call!("tam_show_float", u(), y()),
        Prim::Text => call!("tam_text_list", cast("unsigned", x())),
        Prim::Argc => word(call!("tam_argc")),
        Prim::Argv => call!("tam_argv", i(), site),
        Prim::External => external(atoms[0], &w[1..], site),
        Prim::Processors => word(call!("tam_processors")),
    }
}
