//! Operators and flows that wait until their types are known: operators whose operands' types are not all
//! known, and values that may be widened.
//!
//! Each waits for the variables among its types. When one of them is fixed, the operator or flow is examined
//! again. When two variables are made equal, all that wait for either wait for the remaining one. So a sum of
//! many terms costs a few steps a term.

use super::{Infer, Why};
use crate::check::types::*;
use crate::syntax::ast::Op;
use base::Span;
use std::collections::HashMap;

/// An operator whose operands' types are not all known.
pub(super) struct Pending {
    pub a: (Ty, Span),
    pub b: (Ty, Span),
    /// The result; none for a comparison.
    pub result: Option<(Ty, Span)>,
    pub op: Op,
    /// For an array element that is an argument: why the float that is the second operand is wanted.
    pub wanted: Option<Why>,
}

impl Pending {
    pub(super) fn types(&self) -> impl Iterator<Item = &Ty> {
        [&self.a.0, &self.b.0].into_iter().chain(self.result.iter().map(|r| &r.0))
    }
}

/// A relation that waits: of two variables, or of one and a number.
pub(super) struct Flow {
    pub found: Ty,
    pub wanted: Ty,
    /// The relation is of kinds of arrays, not of types.
    pub kinds: bool,
    pub span: Span,
    pub why: Why,
}

/// An operator or a flow that waits.
pub(super) enum Waits {
    Operator(Pending),
    Flow(Flow),
}

impl Waits {
    fn types(&self) -> Vec<&Ty> {
        match self {
            Waits::Operator(p) => p.types().collect(),
            Waits::Flow(flow) => vec![&flow.found, &flow.wanted],
        }
    }
}

/// The waiting operators and flows, oldest first, and by the variables for which they wait.
#[derive(Default)]
pub(super) struct Waiting {
    pub all: Vec<Option<Waits>>,
    /// May refer to decided operators, or to others in their places: to examine these again does no harm.
    pub by_var: HashMap<usize, Vec<usize>>,
}

impl Waiting {
    /// The number of the next operator or flow.
    pub(super) fn next(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Waits> {
        self.all.get(at)?.as_ref()
    }

    pub(super) fn take(&mut self, at: usize) -> Option<Waits> {
        self.all.get_mut(at)?.take()
    }

    /// The operators and flows that wait for this variable.
    pub(super) fn of_var(&self, v: usize) -> impl Iterator<Item = &Waits> {
        self.by_var.get(&v).into_iter().flatten().filter_map(|&at| self.get(at))
    }
}

impl Infer<'_> {
    /// Keeps an operator or a flow until its types are known.
    pub(super) fn wait(&mut self, p: Waits) {
        let at = self.pending.all.len();
        for ty in p.types() {
            if let Ty::Var(v) = self.typed.types.prune(ty) {
                self.pending.by_var.entry(v).or_default().push(at);
            }
        }
        self.pending.all.push(Some(p));
    }

    /// Whether a generalisation to above `level` concerns one of these types.
    pub(super) fn concerns<'t>(&self, types: impl Iterator<Item = &'t Ty>, level: usize) -> bool {
        types.into_iter().any(|ty| match self.prune(ty) {
            Ty::Var(v) => self.typed.types.vars[v].level > level || level == 0,
            _ => false,
        })
    }
}
