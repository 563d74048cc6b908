//! Streams: sequences of elements that a loop of Split-C or AC traverses, one element an iteration. The
//! elements are those of cyclic, spread and dist arrays, accessed by subscripts or by pointers that step.

use crate::facts::affine::offset_from;
use crate::facts::body::Body;
use crate::facts::certain::{self, Certain};
use crate::facts::places::is_element;
use crate::facts::rows::add_place;
use c_sema::typed::SymId;
use c_sema::types::{Block, QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::{HashMap, HashSet};

/// The counter of a loop's iterations.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counter {
    /// An integer goes up to a bound.
    Up {
        /// The integer.
        var: SymId,
        /// The bound.
        hi: ExprId,
        /// `<=` rather than `<`.
        inclusive: bool,
    },
    /// An integer goes down to 0, and holds `last` after the loop.
    Down {
        /// The integer.
        var: SymId,
        /// 0, or -1 if the condition decrements the integer.
        last: i64,
    },
    /// A pointer goes up to another.
    Pointer {
        /// The pointer.
        var: SymId,
        /// The pointer at which it stops.
        end: ExprId,
        /// The type that the pointer points to.
        elem: QTy,
    },
}

impl Counter {
    /// The variable.
    pub(crate) fn var(&self) -> SymId {
        match *self {
            Counter::Up { var, .. } | Counter::Down { var, .. } | Counter::Pointer { var, .. } => var,
        }
    }
}

/// A sequence of elements, one an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stream {
    /// The array or pointer.
    pub(crate) sym: SymId,
    /// A pointer rather than an array.
    pub(crate) pointer: bool,
    /// Iteration i accesses element i + shift; `None` if the pointer itself steps.
    pub(crate) shift: Option<i64>,
    /// The elements' type.
    pub(crate) elem: QTy,
}

/// The elements that a loop's body goes over.
pub(crate) struct Streams<'a> {
    body: &'a Body<'a>,
    counter: Counter,
    /// The loop steps by THREADS.
    turns: bool,
    /// How often the body has `*p++`, by pointer.
    stepped: HashMap<SymId, u32>,
    pub(crate) streams: Vec<Stream>,
    /// The accesses, each with the index of its stream.
    pub(crate) places: HashMap<ExprId, usize>,
    /// Expressions inside of the accesses, which belong to them.
    pub(crate) inside: HashSet<ExprId>,
}

impl<'a> Streams<'a> {
    /// Finds the streams of a loop that counts by `counter`.
    pub(crate) fn new(body: &'a Body<'a>, counter: Counter, turns: bool) -> Streams<'a> {
        let (stepped, places, inside) = (HashMap::new(), HashMap::new(), HashSet::new());
        let mut found = Streams { body, counter, turns, stepped, streams: Vec::new(), places, inside };
        found.accesses();
        found
    }

    fn accesses(&mut self) {
        let (unit, body) = (self.body.unit, self.body.stmt);
        let mut numbered = (*self.body.tree.addressed(body)).clone();
        // A signalling store needs the processor's number.
        each_expr(unit, Any::Stmt(body), |e| {
            if let ExprKind::Split(SplitOp::Store, target, _) = unit.exprs[e].kind {
                add_place(self.body.tree, target, &mut numbered);
            }
            true
        });
        each_expr(unit, Any::Stmt(body), |e| {
            if !numbered.contains(&e)
                && let Some((stream, inside)) = self.stream(e)
            {
                let n = self.streams.iter().position(|s| s.sym == stream.sym && s.shift == stream.shift);
                let n = n.unwrap_or_else(|| {
                    self.streams.push(stream);
                    self.streams.len() - 1
                });
                self.places.insert(e, n);
                self.inside.extend(inside);
            }
            true
        });
    }

    /// Returns the stream of `a[i + c]`, `p[i + c]`, `*p++`, or `*p` if p is the counter, and the expressions
    /// inside that belong to the access.
    fn stream(&mut self, e: ExprId) -> Option<(Stream, Vec<ExprId>)> {
        let (unit, typed) = (self.body.unit, self.body.typed);
        match unit.exprs[e].kind {
            ExprKind::Index(root, index) => {
                let Counter::Up { var, .. } = self.counter else { return None };
                let shift = offset_from(unit, typed, index, var)?;
                let sym = self.body.name(root)?;
                if !self.body.in_front(sym) {
                    return None;
                }
                let (elem, pointer) = match typed.types.of(typed.sym(sym).ty) {
                    Ty::Array(elem, _) => (self.body.plain_element(*elem)?, false),
                    Ty::Pointer(_) if self.body.leaves(sym) => (self.body.element(typed.sym(sym).ty)?, true),
                    _ => return None,
                };
                Some((Stream { sym, pointer, shift: Some(shift), elem }, vec![root, index]))
            }
            ExprKind::Unary(UnOp::Deref, p) => {
                let p = unit.bare(p);
                let counts = |sym| matches!(self.counter, Counter::Pointer { var, .. } if var == sym);
                let (root, steps) = match unit.exprs[p].kind {
                    ExprKind::Post(IncDec::Inc, root) if !self.turns => (root, true),
                    ExprKind::Ident(_) => (p, false),
                    _ => return None,
                };
                let sym = self.body.name(root)?;
                if !self.body.automatic(sym) || (!steps && !counts(sym)) {
                    return None;
                }
                let elem = self.body.element(typed.sym(sym).ty)?;
                if steps {
                    *self.stepped.entry(sym).or_default() += 1;
                }
                Some((Stream { sym, pointer: true, shift: None, elem }, vec![p, root]))
            }
            _ => None,
        }
    }

    /// Whether pointers that step are named by their accesses alone, and step once an iteration.
    pub(crate) fn pointers_only_step(&self) -> bool {
        let certain = certain::of_body(self.body.unit, self.body.stmt);
        let in_condition = matches!(self.counter, Counter::Pointer { .. });
        let steps_in_body = |sym: SymId| self.stepped.get(&sym).copied().unwrap_or(0);
        self.streams.iter().filter(|s| s.shift.is_none()).all(|s| {
            let counter = in_condition && s.sym == self.counter.var();
            let accesses = self.places.values().filter(|&&n| self.streams[n].sym == s.sym).count();
            let once = match steps_in_body(s.sym) {
                0 => counter,
                1 => accesses == 1 && self.surely_steps(&certain, s.sym),
                _ => false,
            };
            once && !self.body.names_otherwise(s.sym, &self.inside)
        }) && (!in_condition || self.streams.iter().any(|s| s.sym == self.counter.var()))
    }

    /// Whether every iteration evaluates the only `*p++`.
    fn surely_steps(&self, certain: &Certain, sym: SymId) -> bool {
        let place = self.places.iter().find(|&(_, &n)| self.streams[n].sym == sym);
        place.is_some_and(|(place, _)| certain.evaluated.contains(place))
    }
}

impl Body<'_> {
    /// The type that a pointer to cyclic elements points to, if each is a unit of its own, and neither
    /// volatile nor atomic.
    pub(crate) fn element(&self, pointer: QTy) -> Option<QTy> {
        let Ty::Pointer(to) = self.typed.types.of(pointer) else { return None };
        self.plain_element(*to)
    }

    fn plain_element(&self, q: QTy) -> Option<QTy> {
        let types = &self.typed.types;
        let quals = types.object_quals(q);
        let cyclic = matches!(quals.shared, Some(Block::Spread | Block::Size(1)));
        (cyclic && is_element(types, q) && !quals.is_volatile && !quals.is_atomic).then_some(q)
    }
}
