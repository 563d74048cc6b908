//! The program as functions of unordered bindings: the source of the graph, and the input of the interpreter.
//!
//! Types are erased: each value is a word. Functions have no free variables; loops and comprehensions are
//! functions too. The bindings of a block run when their operands are available, in any order; a name may be
//! used before its binding.

use crate::check::external::External;
use crate::stack::with_stack;
use base::Span;
use std::collections::{BTreeMap, HashMap};

/// A variable of a function.
pub type Var = usize;
/// A function: index into [`Program::funcs`].
pub type FuncId = usize;

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Atom {
    /// A variable.
    Var(Var),
    /// A word that is a whole number, a character, a constructor without fields.
    Int(i64),
    /// A float.
    Float(f64),
}

impl Atom {
    /// Returns a key that distinguishes operands of any kind; floats by their bits.
    pub fn key(self) -> AtomKey {
        match self {
            Atom::Var(v) => (true, v as u64),
            Atom::Int(n) => (false, n as u64),
            Atom::Float(x) => (false, x.to_bits()),
        }
    }
}

/// An operand as a key: whether it is a variable; and its number or bits.
pub type AtomKey = (bool, u64);

/// Returns the operand's whole number, if it is a constant one.
pub fn int(atom: Atom) -> Option<i64> {
    match atom {
        Atom::Int(n) => Some(n),
        _ => None,
    }
}

/// Returns the operands' whole numbers, if all are constant ones.
pub fn ints(atoms: &[Atom]) -> Option<Vec<i64>> {
    atoms.iter().map(|a| int(*a)).collect()
}

/// How an element is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// I-structure: a read waits for the value, which is written once.
    I,
    /// M-structure: take; put.
    Take,
    /// M-structure: read and leave; replace.
    Examine,
}

/// Strict operations on words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Prim {
    AddI,
    SubI,
    MulI,
    PowI,
    Quotient,
    ModI,
    RemI,
    NegI,
    AbsI,
    MinI,
    MaxI,
    AddF,
    SubF,
    MulF,
    DivF,
    PowF,
    ModF,
    RemF,
    NegF,
    AbsF,
    MinF,
    MaxF,
    EqI,
    NeI,
    LtI,
    LeI,
    EqF,
    NeF,
    LtF,
    LeF,
    And,
    Or,
    Not,
    ToFloat,
    Fix,
    Floor,
    Ceiling,
    Round,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Exp,
    Log,
    /// Whether a constructor with fields has this number.
    HasFields,
    /// The first operand, when the second is available too.
    After,
    /// The characters of a number, before a list.
    ShowI,
    ShowF,
    /// The bytes of the program's string of this number, as a list.
    Text,
    Argc,
    Argv,
    /// How many processors run the program, and which this is.
    Processors,
    /// The function of C of this number, of the other operands.
    External,
}

impl Prim {
    /// Whether the operation gives a float.
    pub fn gives_float(self) -> bool {
        use Prim::*;
        matches!(
            self,
            AddF | SubF
                | MulF
                | DivF
                | PowF
                | ModF
                | RemF
                | NegF
                | AbsF
                | MinF
                | MaxF
                | ToFloat
                | Sqrt
                | Sin
                | Cos
                | Tan
                | Asin
                | Acos
                | Atan
                | Atan2
                | Exp
                | Log
        )
    }
}

/// Operations on the outside world; each takes and gives the token that orders them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Io {
    /// A character to a file.
    Put,
    /// The next character of a file, or -1.
    Get,
    /// The next character, which stays unread, or -1.
    Peek,
    /// Adds a character to the name of the file that is opened next.
    Name,
    /// Opens: 0 to read, 1 to write, 2 to append; -1 if that fails.
    Open,
    Close,
    /// Ends the program with a code.
    Exit,
    /// The function of C of this number, of the other operands.
    External,
}

/// The content of a field of a new cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Init {
    /// The value, when it is available.
    Value(Atom),
    /// Nothing.
    Empty,
    /// The result of the closure, computed on demand.
    Delayed(Atom),
}

/// An operation.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Op {
    Copy(Atom),
    Prim(Prim, Vec<Atom>),
    /// A cell of a constructor (by its number among those with fields) or a tuple.
    Make {
        tag: usize,
        fields: Vec<Init>,
    },
    Field {
        cell: Atom,
        at: usize,
        mode: Mode,
    },
    StoreField {
        cell: Atom,
        at: usize,
        value: Atom,
        mode: Mode,
    },
    /// An array: lower and upper bound of each dimension.
    /// `numbers`: no element will ever be a reference.
    Alloc {
        mutable: bool,
        numbers: bool,
        bounds: Vec<Atom>,
    },
    Bound {
        array: Atom,
        at: usize,
    },
    Fetch {
        array: Atom,
        index: Vec<Atom>,
        mode: Mode,
    },
    Store {
        array: Atom,
        index: Vec<Atom>,
        value: Atom,
        mode: Mode,
    },
    /// With `join` the last result arrives when all work that the call has started has ended.
    Call {
        func: FuncId,
        args: Vec<Atom>,
        join: bool,
    },
    Closure {
        func: FuncId,
        args: Vec<Atom>,
    },
    Apply {
        f: Atom,
        args: Vec<Atom>,
    },
    If {
        test: Atom,
        then: Block,
        other: Block,
    },
    Io {
        io: Io,
        token: Atom,
        args: Vec<Atom>,
    },
    /// Ends the program: index into [`Program::texts`] of the message.
    Fail {
        text: usize,
    },
}

/// A binding: an operation and the variables of its results.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Bind {
    pub dst: Vec<Var>,
    pub op: Op,
    pub span: Span,
}

/// Bindings, and the results of the block.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Block {
    pub binds: Vec<Bind>,
    pub results: Vec<Atom>,
}

/// A function.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Func {
    pub name: String,
    pub params: Vec<Var>,
    pub body: Block,
    /// How many variables there are.
    pub vars: usize,
    pub results: usize,
    /// Does input or output: runs on processor 0.
    pub io: bool,
    /// A loop or a part of a comprehension.
    pub looped: bool,
    pub span: Span,
}

/// A program.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Program {
    pub funcs: Vec<Func>,
    pub main: FuncId,
    /// Where the text of the library ends and the user's begins.
    pub user_from: u32,
    /// Strings of the program.
    pub texts: Vec<Vec<u8>>,
    /// The functions of C.
    pub externals: Vec<External>,
    /// By function: the names that variables have in the text. For descriptions of the program; passes do not
    /// keep them.
    pub names: HashMap<FuncId, BTreeMap<Var, String>>,
}

impl Op {
    /// The operands that the operation itself names, not those inside arms.
    pub fn atoms(&self) -> Vec<Atom> {
        match self {
            Op::Copy(a) => vec![*a],
            Op::Prim(_, args) | Op::Call { args, .. } | Op::Closure { args, .. } => args.clone(),
            Op::Make { fields, .. } => fields
                .iter()
                .filter_map(|f| match f {
                    Init::Value(a) | Init::Delayed(a) => Some(*a),
                    Init::Empty => None,
                })
                .collect(),
            Op::Field { cell, .. } => vec![*cell],
            Op::StoreField { cell, value, .. } => vec![*cell, *value],
            Op::Alloc { bounds, .. } => bounds.clone(),
            Op::Bound { array, .. } => vec![*array],
            Op::Fetch { array, index, .. } => [&[*array], &index[..]].concat(),
            Op::Store { array, index, value, .. } => [&[*array], &index[..], &[*value]].concat(),
            Op::Apply { f, args } => [&[*f], &args[..]].concat(),
            Op::If { test, .. } => vec![*test],
            Op::Io { token, args, .. } => [&[*token], &args[..]].concat(),
            Op::Fail { .. } => Vec::new(),
        }
    }

    /// Calls `f` for each operand, to change it; inside arms too.
    pub fn map(&mut self, f: &mut dyn FnMut(&mut Atom)) {
        match self {
            Op::Copy(a) => f(a),
            Op::Prim(_, args) | Op::Call { args, .. } | Op::Closure { args, .. } => {
                args.iter_mut().for_each(f)
            }
            Op::Make { fields, .. } => {
                for field in fields {
                    if let Init::Value(a) | Init::Delayed(a) = field {
                        f(a);
                    }
                }
            }
            Op::Field { cell, .. } => f(cell),
            Op::StoreField { cell, value, .. } => {
                f(cell);
                f(value);
            }
            Op::Alloc { bounds, .. } => bounds.iter_mut().for_each(f),
            Op::Bound { array, .. } => f(array),
            Op::Fetch { array, index, .. } => {
                f(array);
                index.iter_mut().for_each(f);
            }
            Op::Store { array, index, value, .. } => {
                f(array);
                index.iter_mut().for_each(&mut *f);
                f(value);
            }
            Op::Apply { f: function, args } => {
                f(function);
                args.iter_mut().for_each(f);
            }
            Op::If { test, then, other } => {
                f(test);
                then.map(f);
                other.map(f);
            }
            Op::Io { token, args, .. } => {
                f(token);
                args.iter_mut().for_each(f);
            }
            Op::Fail { .. } => {}
        }
    }
}

impl Block {
    /// Calls `f` for each operand, to change it.
    pub fn map(&mut self, f: &mut dyn FnMut(&mut Atom)) {
        with_stack(|| {
            for bind in &mut self.binds {
                bind.op.map(f);
            }
            self.results.iter_mut().for_each(f);
        });
    }
}
