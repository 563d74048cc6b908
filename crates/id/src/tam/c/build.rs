//! Short ways to make the trees of C: operators, calls, and conversions of numbers and names.

use super::{Count, Declaration, Expr, Infix, Name, Prefix, Stmt, Type};
use std::ops;

impl From<Name> for Expr {
    fn from(name: Name) -> Expr {
        Expr::Name(name)
    }
}

impl From<&'static str> for Name {
    fn from(name: &'static str) -> Name {
        let is_identifier = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        debug_assert!(is_identifier, "`{name}` is no identifier");
        Name::Plain(name)
    }
}

impl From<&'static str> for Expr {
    fn from(name: &'static str) -> Expr {
        Expr::Name(name.into())
    }
}

impl From<usize> for Expr {
    fn from(n: usize) -> Expr {
        Expr::Int(n as i64)
    }
}

impl From<i64> for Expr {
    fn from(n: i64) -> Expr {
        Expr::Int(n)
    }
}

impl From<i32> for Expr {
    fn from(n: i32) -> Expr {
        Expr::Int(n.into())
    }
}

impl From<&Expr> for Expr {
    fn from(e: &Expr) -> Expr {
        e.clone()
    }
}

impl From<Expr> for Stmt {
    fn from(e: Expr) -> Stmt {
        Stmt::Expr(e)
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $infix:ident),*) => {
        $(impl<T: Into<Expr>> ops::$operator<T> for Expr {
            type Output = Expr;
            fn $method(self, other: T) -> Expr {
                Expr::Infix(Infix::$infix, Box::new(self), Box::new(other.into()))
            }
        })*
    };
}

operators!(
    Add add Add, Sub sub Subtract, Mul mul Multiply, Div div Divide, Rem rem Remainder, BitAnd bitand BitAnd,
    BitOr bitor BitOr
);

impl ops::Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        Expr::Prefix(Prefix::Minus, Box::new(self))
    }
}

impl ops::Not for Expr {
    type Output = Expr;
    fn not(self) -> Expr {
        Expr::Prefix(Prefix::Not, Box::new(self))
    }
}

macro_rules! comparisons {
    ($($method:ident $infix:ident $text:literal),*) => {
        $(#[doc = concat!("`a ", $text, " b`")]
        pub fn $method(self, other: impl Into<Expr>) -> Expr {
            Expr::Infix(Infix::$infix, Box::new(self), Box::new(other.into()))
        })*
    };
}

impl Expr {
    comparisons!(less Less "<", at_most AtMost "<=", greater Greater ">", at_least AtLeast ">=", equals Equal "==",
        differs Unequal "!=", and And "&&", or Or "||");

    /// `a ? b : c`
    pub fn choose(self, then: impl Into<Expr>, other: impl Into<Expr>) -> Expr {
        Expr::Choice(Box::new(self), Box::new(then.into()), Box::new(other.into()))
    }

    /// `a[i]`
    pub fn at(self, index: impl Into<Expr>) -> Expr {
        Expr::Index(Box::new(self), Box::new(index.into()))
    }

    /// `a.member`
    pub fn member(self, name: &'static str) -> Expr {
        Expr::Member(Box::new(self), name)
    }

    /// `a->member`
    pub fn arrow(self, name: &'static str) -> Expr {
        Expr::Arrow(Box::new(self), name)
    }

    /// `a++`
    pub fn then_raised(self) -> Expr {
        Expr::Increment(Box::new(self))
    }

    /// The operator before this operand.
    pub fn after(self, operator: Prefix) -> Expr {
        Expr::Prefix(operator, Box::new(self))
    }

    /// `&a`
    pub fn address(self) -> Expr {
        self.after(Prefix::Address)
    }
}

/// `(type)a`
pub fn cast(ty: Type, e: impl Into<Expr>) -> Expr {
    Expr::Cast(ty, Box::new(e.into()))
}

/// `(type){a, b}`
pub fn compound(ty: Type, list: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::Compound(ty, list.into_iter().collect())
}

/// An array of words as an argument; C has none without elements.
pub fn words(list: &[Expr]) -> Expr {
    compound("const tam_word[]", if list.is_empty() { vec![0.into()] } else { list.to_vec() })
}

/// A call.
pub fn call_of(name: Name, args: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::Call(name, args.into_iter().collect())
}

/// The types of arguments of `call!`: one expression, or a list of them.
pub trait Args {
    /// Adds the argument, or the list, to others.
    fn add_to(self, list: &mut Vec<Expr>);
}

impl<T: Into<Expr>> Args for T {
    fn add_to(self, list: &mut Vec<Expr>) {
        list.push(self.into());
    }
}

impl Args for &[Expr] {
    fn add_to(self, list: &mut Vec<Expr>) {
        list.extend_from_slice(self);
    }
}

impl Args for Vec<Expr> {
    fn add_to(self, list: &mut Vec<Expr>) {
        list.extend(self);
    }
}

impl<const N: usize> Args for [Expr; N] {
    fn add_to(self, list: &mut Vec<Expr>) {
        list.extend(self);
    }
}

/// A call of a function or macro of this name: `call!("tam_at", word)`.
macro_rules! call {
    ($name:expr $(, $arg:expr)* $(,)?) => {{
        #[allow(unused_mut)]
        let mut list: Vec<$crate::tam::c::Expr> = Vec::new();
        $($crate::tam::c::Args::add_to($arg, &mut list);)*
        $crate::tam::c::Expr::Call($crate::tam::c::Name::from($name), list)
    }};
}
pub(crate) use call;

impl Stmt {
    /// `type name = value;`
    pub fn declare(ty: Type, name: impl Into<Name>, value: impl Into<Expr>) -> Stmt {
        let value = Some(value.into());
        Stmt::Declare(Declaration { ty, name: name.into(), count: Count::One, value })
    }

    /// `type name;`
    pub fn declare_only(ty: Type, name: impl Into<Name>) -> Stmt {
        Stmt::Declare(Declaration { ty, name: name.into(), count: Count::One, value: None })
    }

    /// `type name[count];`
    pub fn declare_array(ty: Type, name: impl Into<Name>, count: usize) -> Stmt {
        Stmt::Declare(Declaration { ty, name: name.into(), count: Count::Array(count), value: None })
    }

    /// `place = value;`
    pub fn set(place: impl Into<Expr>, value: impl Into<Expr>) -> Stmt {
        Stmt::Set(place.into(), value.into())
    }

    /// `return value;`
    pub fn give(value: impl Into<Expr>) -> Stmt {
        Stmt::Return(Some(value.into()))
    }

    /// `if (test) { ... }`
    pub fn when(test: impl Into<Expr>, then: Vec<Stmt>) -> Stmt {
        Stmt::If(test.into(), then, Vec::new())
    }
}
