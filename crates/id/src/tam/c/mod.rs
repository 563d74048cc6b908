//! The generated C, as a tree: expressions, statements, declarations and functions. The tree has only the
//! forms that crates/id generates. All C is made as this tree, so that questions such as which variables a
//! statement uses are answered from it; text is made at the end (print.rs).
//!
//! Types are given by their text. Names are identifiers, most of them with a number: see [`Name`].

mod build;
mod print;
mod write;

pub(crate) use build::call;
pub use build::{Args, call_of, cast, compound, words};
pub use print::{print, quoted};
pub use write::Writer;

use crate::core::language::Var;
use std::collections::BTreeSet;

/// The text of a type, as it stands in a declaration before the name.
pub type Type = &'static str;

/// An identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// The C variable of a variable of a function: `v3`.
    Var(Var),
    /// A name of the runtime, or one that a function declares for itself: `tam_at`, `join`.
    Plain(&'static str),
    /// A numbered name: `cb3`.
    Nth(&'static str, usize),
    /// A numbered name of a function: `o3_4`.
    Of(&'static str, usize, usize),
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Prefix {
    Not,
    Minus,
    Address,
    /// The address of a label, an extension of GNU C.
    LabelAddress,
    Dereference,
    Increment,
    Decrement,
    Sizeof,
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Infix {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Unequal,
    BitAnd,
    BitOr,
    And,
    Or,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A variable, a constant of an enumeration, a function.
    Name(Name),
    /// A decimal constant.
    Int(i64),
    /// A decimal constant of type `unsigned`.
    Unsigned(usize),
    /// A constant word.
    Word(u64),
    /// The bits of a float as a constant word.
    Float(u64),
    /// A string literal of these bytes.
    Text(Vec<u8>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `a.b`
    Member(Box<Expr>, &'static str),
    /// `a->b`
    Arrow(Box<Expr>, &'static str),
    /// `f(a, b)`
    Call(Name, Vec<Expr>),
    /// `-a`
    Prefix(Prefix, Box<Expr>),
    /// `a++`
    Increment(Box<Expr>),
    /// `a + b`
    Infix(Infix, Box<Expr>, Box<Expr>),
    /// `a ? b : c`
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(type)a`
    Cast(Type, Box<Expr>),
    /// `(type){a, b}`
    Compound(Type, Vec<Expr>),
    /// `{a, b}`, of a declaration or within another such list.
    List(Vec<Expr>),
}

/// The number of objects that a declaration declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// A single object, which is no array.
    One,
    /// An array of this number.
    Array(usize),
    /// An array of as many as its initializer lists.
    Listed,
}

/// A declaration of an object. The type includes `static` and `const`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Declaration {
    pub ty: Type,
    pub name: Name,
    pub count: Count,
    pub value: Option<Expr>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Stmt {
    Expr(Expr),
    /// `a = b;`
    Set(Expr, Expr),
    /// `a += b;`
    Raise(Expr, Expr),
    Declare(Declaration),
    /// The second arm may be empty.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    Block(Vec<Stmt>),
    /// `for (;;)`
    Forever(Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    /// The arms are cases 0, 1, and so on. None falls through.
    Switch(Expr, Vec<Vec<Stmt>>),
    Label(Name),
    Goto(Name),
    /// `goto *a;`, an extension of GNU C.
    GotoAddress(Expr),
    Break,
    Return(Option<Expr>),
}

/// A parameter of a function.
pub type Param = (Type, Name);

/// The head of a function: its name, result and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Head {
    /// The type of the result, with `static` and attributes.
    pub result: Type,
    pub name: Name,
    pub params: Vec<Param>,
}

/// A definition of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// A comment before the function: its name in the program's text.
    pub title: Option<String>,
    #[allow(missing_docs)]
    pub head: Head,
    #[allow(missing_docs)]
    pub body: Vec<Stmt>,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A line for the preprocessor, or another complete line of text.
    Line(String),
    #[allow(missing_docs)]
    Declare(Declaration),
    #[allow(missing_docs)]
    Prototype(Head),
    /// A declaration of a function that the linker knows by this symbol: its result, name and parameters.
    External(Type, Name, Vec<Type>, String),
    /// A definition.
    Function(Function),
    /// Text for the assembler.
    Assembly(Vec<u8>),
}

/// Adds the variables of functions ([`Name::Var`]) that statements use.
pub fn variables(stmts: &[Stmt], found: &mut BTreeSet<Var>) {
    for stmt in stmts {
        match stmt {
            Stmt::Expr(e) | Stmt::GotoAddress(e) | Stmt::Return(Some(e)) => used(e, found),
            Stmt::Set(a, b) | Stmt::Raise(a, b) => {
                used(a, found);
                used(b, found);
            }
            Stmt::Declare(d) => d.value.iter().for_each(|e| used(e, found)),
            Stmt::If(e, then, other) => {
                used(e, found);
                variables(then, found);
                variables(other, found);
            }
            Stmt::Block(inner) | Stmt::Forever(inner) => variables(inner, found),
            Stmt::While(e, inner) => {
                used(e, found);
                variables(inner, found);
            }
            Stmt::Switch(e, arms) => {
                used(e, found);
                arms.iter().for_each(|arm| variables(arm, found));
            }
            Stmt::Label(_) | Stmt::Goto(_) | Stmt::Break | Stmt::Return(None) => {}
        }
    }
}

fn used(e: &Expr, found: &mut BTreeSet<Var>) {
    match e {
        Expr::Name(Name::Var(v)) => {
            found.insert(*v);
        }
        Expr::Name(_) | Expr::Int(_) | Expr::Unsigned(_) | Expr::Word(_) | Expr::Float(_) | Expr::Text(_) => {
        }
        Expr::Index(a, b) | Expr::Infix(_, a, b) => {
            used(a, found);
            used(b, found);
        }
        Expr::Member(a, _)
        | Expr::Arrow(a, _)
        | Expr::Prefix(_, a)
        | Expr::Increment(a)
        | Expr::Cast(_, a) => used(a, found),
        Expr::Choice(a, b, c) => [a, b, c].into_iter().for_each(|e| used(e, found)),
        Expr::Call(_, list) | Expr::Compound(_, list) | Expr::List(list) => {
            list.iter().for_each(|e| used(e, found));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_statements_are_those_of_their_expressions() {
        let var = |v| Expr::from(Name::Var(v));
        let inner = vec![Stmt::Set(var(1), var(2) + Expr::from(Name::Nth("cb", 7)))];
        let stmts = [
            Stmt::If(var(3).less(0), inner, vec![Stmt::Return(Some(compound("t", [var(4)])))]),
            Stmt::Declare(Declaration {
                ty: "tam_word",
                name: Name::Nth("n", 8),
                count: Count::One,
                value: Some(var(5)),
            }),
            Stmt::Expr(call_of(Name::Plain("f"), [var(6).arrow("v").at(0)])),
            Stmt::Label(Name::Nth("t", 9)),
        ];
        let mut found = BTreeSet::new();
        variables(&stmts, &mut found);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    }
}
