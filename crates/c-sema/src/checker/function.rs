//! What the checks keep while they are inside a function: its labels and jumps, and what is around the point
//! that they have reached.

use super::Checker;
use crate::types::QTy;
use base::Span;
use c_syntax::ast::Name;
use rustc_hash::FxHashMap;

/// The function whose body is being checked.
pub(crate) struct Function<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it returns.
    pub ret: QTy,
    /// Enclosing loops and switches, innermost last.
    pub loops: Vec<Loop>,
    /// Labels with what is around them.
    pub labels: FxHashMap<&'a str, (Span, Around)>,
    /// Jumps to labels, judged at the end of the function, and (false) labels whose address is taken.
    pub gotos: Vec<(&'a Name, Around, bool)>,
    /// The names of the automatic spread and dist objects that are in scope.
    pub automatics: Vec<Span>,
    /// Declares local labels, which may repeat.
    pub local_labels: bool,
    /// Values of the `case`s of the enclosing switches, innermost last.
    pub switches: Vec<Switch>,
    /// How many `upc_forall`s were met, which numbers them.
    pub next_forall: u32,
    /// The function around a nested one (GNU).
    pub outer: Option<Box<Function<'a>>>,
}

/// What a jump must not enter.
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
    /// How many `upc_forall`s are around it.
    pub foralls: usize,
    /// How many automatic spread and dist objects are in scope around it.
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
