//! The words of messages for operators and conversions.

use c_syntax::ast::BinOp;

/// The purpose of a conversion, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal<'n> {
    /// `a = e`
    Assign,
    /// An initialiser.
    Init,
    /// An argument: its number, from 1, and the function if it has a name.
    Argument(usize, Option<&'n str>),
    /// `return e`
    Return,
}

impl Goal<'_> {
    /// The place of the conversion, in words.
    pub fn words(self) -> String {
        match self {
            Goal::Assign => "in an assignment".into(),
            Goal::Init => "in an initialisation".into(),
            Goal::Argument(n, Some(f)) => format!("as argument {n} of `{f}`"),
            Goal::Argument(n, None) => format!("as argument {n}"),
            Goal::Return => "as the result of this function".into(),
        }
    }
}

/// The spelling of a binary operator.
pub(crate) fn spelling(op: BinOp) -> &'static str {
    match op {
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Lt => "<",
        BinOp::Gt => ">",
        BinOp::Le => "<=",
        BinOp::Ge => ">=",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::BitAnd => "&",
        BinOp::BitXor => "^",
        BinOp::BitOr => "|",
        BinOp::And => "&&",
        BinOp::Or => "||",
        BinOp::Comma => ",",
    }
}
