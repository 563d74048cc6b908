//! Flows of values to places that may want a wider type: an int if a float is wanted, an I-array if a
//! functional array is. Both are the same relation of the found type and the wanted type. It extends to the
//! components of tuples and to the parameters and results of functions, and for the kinds of arrays to the
//! parts of all types.
//!
//! As long as the types are not known, the relation waits. So nothing depends on the order in which the parts
//! of a program are visited: equal types are made equal at once, and the remaining relations are decided
//! together when a function is generalised. Numbers that flow into each other are all floats if a float is
//! wanted of one of them, else ints if an int flows into one, else of one type, which stays open. Kinds that
//! flow into each other are one kind.

use super::waiting::{Flow, Waits};
use super::{Infer, Why};
use crate::check::types::*;
use crate::syntax::ast::{Expr, ExprKind};
use base::Span;
use std::collections::HashMap;

/// The depth to which types may differ in numbers and kinds; deeper parts must be equal. Without a limit,
/// types that would hold themselves by way of each other would be copied without end.
const MOST_COPIED: u8 = 8;

/// The numbers of variables and of flows when an expression begins.
pub(super) struct Mark {
    var: usize,
    ints: usize,
}

impl Infer<'_> {
    /// Relates the type of an expression to the type `expected` that is wanted of it.
    pub(super) fn coerce(&mut self, expected: &Ty, e: &Expr, why: Why) {
        let found = self.typed.nodes[&e.id].clone();
        self.typed.widened.insert(e.id, expected.clone());
        let literal = match &e.kind {
            ExprKind::Negate(inner) => matches!(inner.kind, ExprKind::Int(_)),
            kind => matches!(kind, ExprKind::Int(_)),
        };
        if literal {
            // A literal number is of either type, and used only here.
            return self.demand(expected, &found, e.span, why);
        }
        self.flows(expected, &found, e.span, why);
    }

    /// Relates the type `found` of a value to the type `expected` that is wanted of it.
    pub(super) fn flows(&mut self, expected: &Ty, found: &Ty, span: Span, why: Why) {
        let because = why.clone();
        self.demanded(expected, found, span, why, |infer| infer.flow(found, expected, span, &because));
    }

    fn flow(&mut self, found: &Ty, wanted: &Ty, span: Span, why: &Why) -> bool {
        crate::stack::with_stack(|| self.flow_of(found, wanted, span, why))
    }

    fn flow_of(&mut self, found: &Ty, wanted: &Ty, span: Span, why: &Why) -> bool {
        let (f, w) = (self.prune(found), self.prune(wanted));
        match (&f, &w) {
            (Ty::Var(x), Ty::Var(y)) if x == y => true,
            (Ty::Var(x), Ty::Var(y)) => {
                let number = self.typed.types.vars[*x].number || self.typed.types.vars[*y].number;
                for v in [*x, *y] {
                    self.typed.types.vars[v].number |= number;
                }
                self.wait_flow(f, w, false, span, why)
            }
            (Ty::Var(v), other) if is(other, "float") => {
                self.typed.types.vars[*v].number = true;
                self.wait_flow(f, w, false, span, why)
            }
            (other, Ty::Var(v)) if is(other, "int") => {
                self.typed.types.vars[*v].number = true;
                self.ints.push(self.pending.next());
                self.wait_flow(f, w, false, span, why)
            }
            (Ty::Con(..), Ty::Con(..)) if is(&f, "int") && is(&w, "float") => true,
            (Ty::Tuple(xs), Ty::Tuple(ys)) if xs.len() == ys.len() => {
                xs.iter().zip(ys.iter()).all(|(x, y)| self.flow(x, y, span, why))
            }
            (Ty::Fun(x), Ty::Fun(y)) => self.flow(&y.0, &x.0, span, why) && self.flow(&x.1, &y.1, span, why),
            (Ty::Con(x, xs), Ty::Con(y, ys)) if x == y && xs.len() == ys.len() => {
                self.parts_flow(&f, xs, ys, span, why)
            }
            (Ty::Var(v), known) | (known, Ty::Var(v))
                if self.holds_what_flows(known)
                    && self.typed.types.vars[*v].copied < MOST_COPIED
                    && !self.typed.types.holds(known, *v) =>
            {
                if self.typed.types.vars[*v].number {
                    return false;
                }
                let alike = self.alike(known, *v);
                self.typed.types.unify(&Ty::Var(*v), &alike, span) && self.flow(&f, &w, span, why)
            }
            _ => self.typed.types.unify(wanted, found, span),
        }
    }

    /// Relates the arguments of two types that both have the name of `of`.
    fn parts_flow(&mut self, of: &Ty, found: &[Ty], wanted: &[Ty], span: Span, why: &Why) -> bool {
        if kind_of(of).is_none() {
            return found.iter().zip(wanted).all(|(x, y)| self.part_flows(x, y, span, why));
        }
        let (f, w) = (self.prune(&found[0]), self.prune(&wanted[0]));
        (f == w || self.kind_flows(f, w, span, why)) && self.part_flows(&found[1], &wanted[1], span, why)
    }

    /// Relates a part of a named type: only kinds of arrays may differ, since the representations of numbers
    /// do.
    fn part_flows(&mut self, found: &Ty, wanted: &Ty, span: Span, why: &Why) -> bool {
        let (f, w) = (self.prune(found), self.prune(wanted));
        crate::stack::with_stack(|| match (&f, &w) {
            (Ty::Con(x, xs), Ty::Con(y, ys)) if x == y && xs.len() == ys.len() => {
                self.parts_flow(&f, xs, ys, span, why)
            }
            (Ty::Tuple(xs), Ty::Tuple(ys)) if xs.len() == ys.len() => {
                xs.iter().zip(ys.iter()).all(|(x, y)| self.part_flows(x, y, span, why))
            }
            _ => self.typed.types.unify(wanted, found, span),
        })
    }

    fn kind_flows(&mut self, f: Ty, w: Ty, span: Span, why: &Why) -> bool {
        let of = |ty: &Ty| match ty {
            Ty::Con(name, _) => Some(name.to_string()),
            _ => None,
        };
        let reads = |infer: &mut Self, ty: &Ty| infer.typed.types.unify(ty, &con("I"), span);
        match (of(&f).as_deref(), of(&w).as_deref()) {
            (None, None) => self.wait_flow(f, w, true, span, why),
            (Some("I" | "S"), None) => reads(self, &w),
            (None, Some("F")) => reads(self, &f),
            (None, Some("I" | "S")) => self.typed.types.unify(&f, &con("S"), span),
            (Some("F"), Some("I" | "S")) => false,
            (Some("I" | "S" | "F"), Some("F")) | (Some("I" | "S"), Some("I" | "S")) => true,
            _ => self.typed.types.unify(&w, &f, span),
        }
    }

    /// Whether a known type has parts that may be wider elsewhere.
    fn holds_what_flows(&self, ty: &Ty) -> bool {
        match self.prune(ty) {
            Ty::Tuple(_) | Ty::Fun(_) => true,
            ty => kind_of(&ty).is_some(),
        }
    }

    /// A type of the same form for the variable `v`, whose parts may be wider or narrower.
    fn alike(&mut self, ty: &Ty, v: usize) -> Ty {
        match self.prune(ty) {
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|_| self.part_of(v)).collect()),
            Ty::Fun(_) => fun(self.part_of(v), self.part_of(v)),
            Ty::Con(name, parts) if kind_of(&Ty::Con(name.clone(), parts.clone())).is_some() => {
                Ty::Con(name, [self.part_of(v), parts[1].clone()].into())
            }
            other => other,
        }
    }

    fn part_of(&mut self, v: usize) -> Ty {
        let part = self.fresh();
        let Var { first, copied, .. } = self.typed.types.vars[v];
        if let Ty::Var(p) = part {
            (self.typed.types.vars[p].first, self.typed.types.vars[p].copied) = (first, copied + 1);
        }
        part
    }

    fn wait_flow(&mut self, found: Ty, wanted: Ty, kinds: bool, span: Span, why: &Why) -> bool {
        self.wait(Waits::Flow(Flow { found, wanted, kinds, span, why: why.clone() }));
        true
    }

    // ---- decisions -------------------------------------------------------------------------------------

    /// Marks the beginning of an expression that makes variables of its own.
    pub(super) fn mark(&self) -> Mark {
        Mark { var: self.typed.types.vars.len(), ints: self.ints.len() }
    }

    /// Ends such an expression: a variable of its own into which only ints have flowed is an int.
    pub(super) fn close(&mut self, mark: &Mark) {
        let waiting = self.ints.split_off(mark.ints);
        for at in waiting {
            // Another may have taken the number of a decided flow.
            let Some(Waits::Flow(flow)) = self.pending.get(at).filter(|w| self.is_of_int(w)) else {
                continue;
            };
            let (span, wanted) = (flow.span, flow.wanted.clone());
            let Ty::Var(v) = self.prune(&wanted) else { continue };
            if self.typed.types.vars[v].first >= mark.var && !self.is_flowed_into(v) {
                self.typed.types.unify(&wanted, &con("int"), span);
            }
        }
    }

    fn is_of_int(&self, waits: &Waits) -> bool {
        matches!(waits, Waits::Flow(flow) if self.is_int(&flow.found))
    }

    /// Whether a variable of which nothing is known flows into this one.
    fn is_flowed_into(&self, v: usize) -> bool {
        self.pending.of_var(v).any(|waits| match waits {
            Waits::Flow(flow) => {
                self.prune(&flow.wanted) == Ty::Var(v)
                    && matches!(self.prune(&flow.found), Ty::Var(w) if w != v)
            }
            Waits::Operator(_) => false,
        })
    }

    /// Examines a flow again. Returns none if it is decided.
    pub(super) fn decide_flow(&mut self, flow: Flow) -> Option<Waits> {
        let (f, w) = (self.prune(&flow.found), self.prune(&flow.wanted));
        let waits = match (&f, &w) {
            (Ty::Var(x), Ty::Var(y)) => x != y,
            (Ty::Var(_), other) => !flow.kinds && is(other, "float"),
            (other, Ty::Var(_)) => !flow.kinds && is(other, "int"),
            _ => false,
        };
        if waits {
            return Some(Waits::Flow(flow));
        }
        let Flow { found, wanted, kinds, span, why } = flow;
        let because = why.clone();
        self.demanded(&wanted, &found, span, why, |infer| match kinds {
            true => f == w || infer.kind_flows(f, w, span, &because),
            false => infer.flow(&f, &w, span, &because),
        });
        None
    }

    /// Decides the numbers that flow into each other and concern a generalisation to above `level`. Returns
    /// whether there were any.
    pub(super) fn settle_numbers(&mut self, level: usize) -> bool {
        let mut groups = Groups::default();
        let mut bounds: Vec<(usize, bool, Span)> = Vec::new();
        for at in 0..self.pending.next() {
            let Some(Waits::Flow(flow)) = self.pending.get(at) else { continue };
            if flow.kinds || !self.concerns([&flow.found, &flow.wanted].into_iter(), level) {
                continue;
            }
            match (self.prune(&flow.found), self.prune(&flow.wanted)) {
                (Ty::Var(x), Ty::Var(y)) => groups.join(x, y),
                (Ty::Var(x), _) => bounds.push((x, true, flow.span)),
                (_, Ty::Var(y)) => bounds.push((y, false, flow.span)),
                _ => {}
            }
        }
        let mut float: HashMap<usize, (bool, Span)> = HashMap::new();
        for (v, is_float, span) in bounds {
            let of_group = float.entry(groups.of(v)).or_insert((is_float, span));
            if is_float && !of_group.0 {
                *of_group = (true, span);
            }
        }
        let mut decided = false;
        for v in groups.all().chain(float.keys().copied().collect::<Vec<_>>()) {
            if let (Some((is_float, span)), Ty::Var(_)) = (float.get(&groups.of(v)), self.prune(&Ty::Var(v)))
            {
                decided |=
                    self.typed.types.unify(&Ty::Var(v), &con(if *is_float { "float" } else { "int" }), *span);
            }
        }
        decided
    }

    /// Makes the types of the remaining flows equal.
    pub(super) fn settle_flows(&mut self, level: usize) {
        for at in 0..self.pending.next() {
            let Some(Waits::Flow(flow)) = self.pending.get(at) else { continue };
            if !self.concerns([&flow.found, &flow.wanted].into_iter(), level) {
                continue;
            }
            if let Some(Waits::Flow(flow)) = self.pending.take(at) {
                self.demand(&flow.wanted, &flow.found, flow.span, flow.why);
            }
        }
    }
}

/// Sets of variables.
#[derive(Default)]
struct Groups {
    above: HashMap<usize, usize>,
}

impl Groups {
    fn of(&self, v: usize) -> usize {
        let mut v = v;
        while let Some(&up) = self.above.get(&v).filter(|up| **up != v) {
            v = up;
        }
        v
    }

    fn join(&mut self, x: usize, y: usize) {
        let (a, b) = (self.of(x), self.of(y));
        for v in [x, y, a, b] {
            self.above.insert(v, a);
        }
    }

    fn all(&self) -> impl Iterator<Item = usize> + use<> {
        let mut all: Vec<usize> = self.above.keys().copied().collect();
        all.sort_unstable();
        all.into_iter()
    }
}
