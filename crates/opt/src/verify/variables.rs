//! Made variables in the verifier: the kind of each, and the check that it is used as that kind.
//!
//! C converts between most types that a tree can express, and a function of the runtime accepts any argument.
//! So a flag in the place of a counter, or a buffer of another type, compiles, and is wrong.

use super::{Fault, Walk, shown};
use crate::ir::tree::{Slot, Var, VarType, Waiting};
use c_sema::types::QTy;

/// The kind of a made variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A flag, or a count of reads under way: the runtime takes a pointer to it.
    Flag,
    /// A number.
    Number,
    /// A pointer-to-shared without phase.
    Shared,
    /// A local pointer to elements.
    Elements(QTy),
    /// A value of the program's types.
    Value(QTy),
    /// Values that are read in advance.
    Buffer(QTy),
    /// Numbers, one for each iteration of a part.
    Places,
    /// Two counts of reads under way.
    Counts,
    /// An object of the runtime's, which takes a pointer to it.
    State,
    /// The description of a section: an object of the runtime's, which is also copied.
    Section,
    /// The state of reads in rounds.
    Rounds,
    /// The end of a trial.
    Label,
    /// The number of `upc_forall` around a node.
    Outer,
    /// A count of signalling stores.
    Stores,
}

impl Kind {
    /// Whether a variable of this kind stands in expressions.
    fn is_scalar(self) -> bool {
        use Kind::*;
        matches!(self, Flag | Number | Shared | Elements(_) | Value(_) | Label | Outer)
    }

    fn is_number(self) -> bool {
        matches!(self, Kind::Flag | Kind::Number)
    }
}

impl Walk<'_> {
    /// The kind of a variable of this type.
    pub(super) fn kind_of(&self, ty: &VarType) -> Kind {
        match *ty {
            VarType::Int => Kind::Flag,
            VarType::Unsigned | VarType::Index | VarType::Word => Kind::Number,
            VarType::Shared => Kind::Shared,
            VarType::Elements(q) => Kind::Elements(q),
            VarType::Value(q) => Kind::Value(q),
            VarType::Buffer(q) => Kind::Buffer(q),
            VarType::Places => Kind::Places,
            VarType::Counts => Kind::Counts,
            VarType::Extent | VarType::Notes => Kind::State,
            VarType::Section => Kind::Section,
            VarType::Rounds => Kind::Rounds,
            VarType::Like(Slot::Made(var)) => self.scopes.kind(var).unwrap_or(Kind::Number),
            VarType::Like(Slot::Sym(sym)) => Kind::Value(self.tree.typed.sym(sym).ty),
            VarType::Like(Slot::Element(..)) => Kind::Number,
        }
    }

    /// Checks a use of a made variable; `fits` returns whether a variable of its kind may be used so.
    fn used(&mut self, var: Var, fits: impl FnOnce(&Self, Kind) -> bool) {
        match self.scopes.kind(var) {
            None => self.broken(Fault::Undeclared, shown(var)),
            Some(kind) if !fits(self, kind) => self.broken(Fault::Kind, shown(var)),
            Some(_) => {}
        }
    }

    /// Checks a variable whose value is taken.
    pub(super) fn scalar(&mut self, var: Var) {
        self.used(var, |_, kind| kind.is_scalar());
    }

    /// Checks an index, or a number of something.
    pub(super) fn number(&mut self, var: Var) {
        self.used(var, |_, kind| kind.is_number());
    }

    /// Checks a variable that the runtime sets.
    pub(super) fn flag(&mut self, var: Var) {
        self.used(var, |_, kind| kind == Kind::Flag);
    }

    /// Checks a variable that gets another value, or steps.
    pub(super) fn set(&mut self, var: Var) {
        self.used(var, |_, kind| kind.is_scalar() && !matches!(kind, Kind::Label | Kind::Outer));
        if self.counters.contains(&var.number) {
            self.broken(Fault::Counter, shown(var));
        }
    }

    /// Checks that a variable is of this kind.
    pub(super) fn is(&mut self, var: Var, kind: Kind) {
        self.used(var, |_, is| is == kind);
    }

    /// Checks a variable that the runtime takes a pointer to.
    pub(super) fn pointed_to(&mut self, var: Var) {
        self.used(var, |_, kind| matches!(kind, Kind::State | Kind::Section | Kind::Rounds | Kind::Flag));
    }

    /// Checks that a variable holds objects of this type. Qualifiers do not count.
    pub(super) fn holds(&mut self, var: Var, q: QTy) {
        self.used(var, |walk, kind| match kind {
            Kind::Buffer(of) | Kind::Value(of) => walk.alike(of, q),
            _ => false,
        });
    }

    /// Checks that a variable is a local pointer to elements, of this type if there is one. For rows there is
    /// none.
    pub(super) fn leads_to(&mut self, var: Var, q: Option<QTy>) {
        self.used(var, |walk, kind| match kind {
            Kind::Elements(of) => q.is_none_or(|q| walk.alike(of, q)),
            _ => false,
        });
    }

    fn alike(&self, a: QTy, b: QTy) -> bool {
        let types = &self.tree.typed.types;
        types.of(a) == types.of(b)
    }

    /// Checks a variable that counts reads under way.
    pub(super) fn waiting(&mut self, waiting: Waiting) {
        match waiting {
            Waiting::Var(var) => self.flag(var),
            Waiting::Of(counts, which) => {
                self.is(counts, Kind::Counts);
                self.number(which);
            }
        }
    }

    /// Checks a list of numbers, and the index in it.
    pub(super) fn place(&mut self, places: Var, at: Var) {
        self.is(places, Kind::Places);
        self.number(at);
    }

    pub(super) fn slot(&mut self, slot: Slot) {
        match slot {
            Slot::Made(var) => self.set(var),
            Slot::Sym(sym) => self.sym(sym),
            Slot::Element(places, at) => self.place(places, at),
        }
    }
}
