//! The state of the checks inside a function: its labels and jumps, and the constructs around the present
//! point.

use super::Checker;
use crate::types::QTy;
use base::Span;
use c_syntax::ast::Name;
use rustc_hash::FxHashMap;

/// The function whose body is being checked.
pub(crate) struct Function<'a> {
    /// The name.
    pub name: &'a str,
    /// The result type.
    pub ret: QTy,
    /// Enclosing loops and switches, innermost last.
    pub loops: Vec<Loop>,
    /// Labels with the constructs around them.
    pub labels: FxHashMap<&'a str, (Span, Around)>,
    /// Jumps to labels (true) and labels whose address is taken (false), judged at the end of the function.
    pub gotos: Vec<(&'a Name, Around, bool)>,
    /// The names of the automatic spread and dist objects that are in scope.
    pub automatics: Vec<Span>,
    /// The function declares local labels, which may repeat.
    pub local_labels: bool,
    /// Values of the `case`s of the enclosing switches, innermost last.
    pub switches: Vec<Switch>,
    /// The number for the next `upc_forall`: how many have been checked.
    pub next_forall: u32,
    /// The function around a nested one (GNU).
    pub outer: Option<Box<Function<'a>>>,
}

/// The constructs that a jump must not enter.
#[derive(Clone, Default)]
pub(crate) struct Around {
    /// `upc_forall`s, by number.
    pub foralls: Vec<u32>,
    /// The names of automatic spread and dist objects in scope: their memory comes at the declaration.
    pub automatics: Vec<Span>,
}

/// A switch that is being checked.
#[derive(Default)]
pub(crate) struct Switch {
    pub cases: FxHashMap<i128, Span>,
    pub default: Option<Span>,
    /// The number of `upc_forall`s around the switch.
    pub foralls: usize,
    /// The number of automatic spread and dist objects in scope around the switch.
    pub automatics: usize,
}

/// A statement that `break` or `continue` refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loop {
    /// `for`, `while`, `do`
    Plain,
    Switch,
    /// `upc_forall`: its number within the function, and its place.
    Forall(u32, Span),
}

impl<'a> Checker<'a> {
    /// The function being checked. Statements are only checked inside one.
    pub fn here(&mut self) -> Option<&mut Function<'a>> {
        self.function.as_deref_mut()
    }
}
