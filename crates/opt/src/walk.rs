//! Walks over cyclic, spread and dist arrays, a processor at a time.
//!
//! A walk takes elements k, k + 1, k + 2 … in turn, each of which is the next processor's: an address that jumps, which
//! the C compiler neither steps by addition nor reads several of at once. But the elements k, k + THREADS,
//! k + 2·THREADS … are one processor's, one behind the other. So the loop is run as THREADS loops, each over one
//! processor's elements by a local pointer. A loop that steps by THREADS itself is one of these.
//!
//! *Why it is allowed.* A step by THREADS changes the order of nothing. Else the iterations run in another order, and
//! must not notice: a body is taken ([`crate::reorder`]) if all it does is to assign the element that it walks over, and to
//! add to, multiply, or combine bit by bit integers that it does not use otherwise; what it reads, no iteration
//! assigns. Accesses are relaxed (Split-C, AC), so that other processors may not rely on an order between
//! synchronisations. Signed sums are formed without sign, since in another order they may pass what the type holds.
//!
//! *The trip.* The number of iterations is known at entry: the bound keeps its value (its operands are automatic,
//! their addresses not taken, not assigned), as does a pointer that serves as array; the walking
//! variable is changed by its step alone. Memory that is not in reach is left to the loop as written, which stands
//! beside the plan; so are short walks.

use crate::affine::{name, offset_from};
use crate::effects::{Effects, of_body};
use crate::forall::{LONGEST_BODY, addressed, bound, mentions, steps_by_one};
use crate::reorder;
use crate::strided::steps_by_threads;
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{Block, QTy, Ty};
use c_syntax::Language;
use c_syntax::ast::*;
use std::collections::{HashMap, HashSet};

/// How a loop that walks is run a processor at a time.
#[derive(Debug)]
pub struct Walk {
    /// What counts its iterations.
    pub counter: Counter,
    /// It steps by THREADS: there is one processor.
    pub turns: bool,
    /// The elements that are walked over.
    pub streams: Vec<Stream>,
    /// Which accesses are to which of them.
    pub places: HashMap<ExprId, usize>,
    /// The body uses the loop variable for other things than the elements.
    pub uses_variable: bool,
    /// `sum op= …` of signed integers.
    pub sums: HashSet<ExprId>,
}

/// What counts the iterations of a loop.
#[derive(Clone, Copy, Debug)]
pub enum Counter {
    /// An integer goes up to a bound.
    Up {
        /// The integer.
        var: SymId,
        /// The bound.
        hi: ExprId,
        /// `<=` rather than `<`.
        inclusive: bool,
    },
    /// An integer goes down to 0, and holds `last` behind the loop.
    Down {
        /// The integer.
        var: SymId,
        /// 0, or -1 where it is lowered by the condition.
        last: i64,
    },
    /// A pointer goes up to another.
    Pointer {
        /// The pointer.
        var: SymId,
        /// The other.
        end: ExprId,
    },
}

impl Counter {
    /// The variable.
    pub fn var(&self) -> SymId {
        match *self {
            Counter::Up { var, .. } | Counter::Down { var, .. } | Counter::Pointer { var, .. } => var,
        }
    }
}

/// A sequence of elements, one an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The array or pointer.
    pub sym: SymId,
    /// A name of it in the program.
    pub root: ExprId,
    /// A pointer rather than an array.
    pub pointer: bool,
    /// Iteration i is at element i + shift; none: the pointer itself steps along.
    pub shift: Option<i64>,
    /// The elements' type.
    pub elem: QTy,
}

/// The plan for a statement, if it is such a loop.
pub fn walk(unit: &Unit, typed: &Typed, id: StmtId) -> Option<Walk> {
    if !matches!(typed.types.language, Language::SplitC | Language::Ac) {
        return None;
    }
    let (counter, turns, body) = head(unit, typed, id)?;
    let span = unit.stmts[body].span;
    let effects = of_body(unit, typed, body);
    if span.hi - span.lo > LONGEST_BODY || effects.rigid || effects.opaque {
        return None;
    }
    let mut finder = Finder {
        unit,
        typed,
        effects: &effects,
        counter,
        turns,
        stepped: HashMap::new(),
        streams: Vec::new(),
        places: HashMap::new(),
        inside: Vec::new(),
    };
    if !finder.counter_is_sound() {
        return None;
    }
    finder.accesses(body);
    if finder.streams.is_empty() || !finder.pointers_only_walk(body) {
        return None;
    }
    let uses_variable = finder.uses_variable(body);
    if uses_variable && !matches!(counter, Counter::Up { .. }) {
        return None;
    }
    let Finder { streams, places, .. } = finder;
    let sums = if turns {
        HashSet::new()
    } else {
        reorder::sums(unit, typed, &effects, counter.var(), &streams, &places, body)?
    };
    Some(Walk { counter, turns, streams, places, uses_variable, sums })
}

/// (counter, steps by THREADS, body) of a loop.
fn head(unit: &Unit, typed: &Typed, id: StmtId) -> Option<(Counter, bool, StmtId)> {
    match unit.stmts[id].kind {
        StmtKind::For { cond: Some(cond), step: Some(step), body, .. } => {
            if let Some(var) = lowered(unit, typed, step) {
                let positive = match unit.exprs[unit.bare(cond)].kind {
                    ExprKind::Binary(BinOp::Gt | BinOp::Ne, a, zero) if typed.constant(zero) == Some(0) => a,
                    _ => cond,
                };
                return (name(unit, typed, positive) == Some(var)).then_some((
                    Counter::Down { var, last: 0 },
                    false,
                    body,
                ));
            }
            let var = stepped(unit, typed, step)?;
            let turns = steps_by_threads(unit, typed, step, var);
            if !turns && !steps_by_one(unit, typed, step, var) {
                return None;
            }
            Some((upwards(unit, typed, cond, var)?, turns, body))
        }
        StmtKind::While(cond, body) => {
            let lowering = match unit.exprs[unit.bare(cond)].kind {
                ExprKind::Binary(BinOp::Gt, a, zero) if typed.constant(zero) == Some(0) => a,
                _ => cond,
            };
            if let ExprKind::Post(IncDec::Dec, n) = unit.exprs[unit.bare(lowering)].kind {
                return Some((Counter::Down { var: name(unit, typed, n)?, last: -1 }, false, body));
            }
            let ExprKind::Binary(BinOp::Lt | BinOp::Ne, p, _) = unit.exprs[unit.bare(cond)].kind else {
                return None;
            };
            let counter = upwards(unit, typed, cond, name(unit, typed, p)?)?;
            matches!(counter, Counter::Pointer { .. }).then_some((counter, false, body))
        }
        _ => None,
    }
}

/// The variable that a third clause steps.
fn stepped(unit: &Unit, typed: &Typed, step: ExprId) -> Option<SymId> {
    match unit.exprs[unit.bare(step)].kind {
        ExprKind::Post(IncDec::Inc, e) | ExprKind::Pre(IncDec::Inc, e) | ExprKind::Assign(_, e, _) => {
            name(unit, typed, e)
        }
        _ => None,
    }
}

/// `n--`
fn lowered(unit: &Unit, typed: &Typed, step: ExprId) -> Option<SymId> {
    match unit.exprs[unit.bare(step)].kind {
        ExprKind::Post(IncDec::Dec, e) | ExprKind::Pre(IncDec::Dec, e) => name(unit, typed, e),
        _ => None,
    }
}

/// A condition that holds until `var`, going up, has come to a bound.
fn upwards(unit: &Unit, typed: &Typed, cond: ExprId, var: SymId) -> Option<Counter> {
    if matches!(typed.types.of(typed.sym(var).ty), Ty::Int(_)) {
        // A narrower one may come round before it reaches the bound.
        typed.types.size_of(typed.sym(var).ty).filter(|&size| size >= 4)?;
        let (hi, inclusive) = bound(unit, typed, cond, var)?;
        return Some(Counter::Up { var, hi, inclusive });
    }
    match unit.exprs[unit.bare(cond)].kind {
        ExprKind::Binary(BinOp::Lt | BinOp::Ne, p, end)
            if name(unit, typed, p) == Some(var) && typed.conversion(end).is_none() =>
        {
            Some(Counter::Pointer { var, end })
        }
        _ => None,
    }
}

struct Finder<'a> {
    unit: &'a Unit,
    typed: &'a Typed,
    effects: &'a Effects,
    counter: Counter,
    turns: bool,
    /// How often the body has `*p++`.
    stepped: HashMap<SymId, u32>,
    streams: Vec<Stream>,
    places: HashMap<ExprId, usize>,
    /// Expressions inside of the accesses, which go with them.
    inside: Vec<ExprId>,
}

impl Finder<'_> {
    fn automatic(&self, sym: SymId) -> bool {
        let s = self.typed.sym(sym);
        matches!(s.kind, SymKind::Auto | SymKind::Param)
            && !s.address_taken
            && !s.ty.quals.is_volatile
            && !self.typed.types.is_shared(s.ty)
            && !self.effects.declared.contains(&sym)
    }

    /// Changed by the loop's step alone, and its bound keeps its value.
    fn counter_is_sound(&self) -> bool {
        let var = self.counter.var();
        let kept = |e| self.invariant(e) && !mentions(self.unit, self.typed, e, var);
        let assigned = self.effects.assigned.contains(&var);
        self.automatic(var)
            && match self.counter {
                Counter::Up { hi, .. } => !assigned && kept(hi),
                Counter::Down { .. } => {
                    !assigned && matches!(self.typed.types.of(self.typed.sym(var).ty), Ty::Int(_))
                }
                // `*p++` in the body is its step.
                Counter::Pointer { end, .. } => self.element(self.typed.sym(var).ty).is_some() && kept(end),
            }
    }

    /// As [`Effects::invariant`], pointers-to-shared and static arrays as addresses included.
    fn invariant(&self, e: ExprId) -> bool {
        let unit = self.unit;
        if let ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) = unit.exprs[unit.bare(e)].kind {
            return self.invariant(a) && self.invariant(b);
        }
        let array = name(unit, self.typed, e).is_some_and(|s| {
            matches!(self.typed.types.of(self.typed.sym(s).ty), Ty::Array(..))
                && !self.effects.declared.contains(&s)
        });
        array || self.effects.invariant(unit, self.typed, e)
    }

    /// What a pointer to cyclic elements points to, if these are units of their own and plain.
    fn element(&self, pointer: QTy) -> Option<QTy> {
        let Ty::Pointer(to) = self.typed.types.of(pointer) else { return None };
        self.plain_element(*to)
    }

    fn plain_element(&self, q: QTy) -> Option<QTy> {
        let types = &self.typed.types;
        let quals = types.object_quals(q);
        let cyclic = matches!(quals.shared, Some(Block::Spread | Block::Size(1)));
        let plain = !matches!(types.of(q), Ty::Array(..) | Ty::Void | Ty::Error | Ty::Function(_));
        (cyclic && plain && !quals.is_volatile && !quals.is_atomic).then_some(q)
    }

    fn accesses(&mut self, body: StmtId) {
        let span = self.unit.stmts[body].span;
        let mut remote = addressed(self.unit, self.typed);
        // A signalling store needs the processor.
        remote.extend(self.unit.exprs.ids().filter_map(|e| match self.unit.exprs[e].kind {
            ExprKind::Split(SplitOp::Store, target, _) => Some(self.unit.bare(target)),
            _ => None,
        }));
        for e in self.unit.exprs.ids() {
            let at = self.unit.exprs[e].span;
            if at.lo < span.lo || at.hi > span.hi || remote.contains(&e) {
                continue;
            }
            if let Some((stream, inside)) = self.stream(e) {
                let n = self.streams.iter().position(|s| s.sym == stream.sym && s.shift == stream.shift);
                let n = n.unwrap_or_else(|| {
                    self.streams.push(stream);
                    self.streams.len() - 1
                });
                self.places.insert(e, n);
                self.inside.extend(inside);
            }
        }
    }

    /// `a[i + c]`, `p[i + c]`, `*p++`, or `*p` where p is the counter; and the expressions inside that go with it.
    fn stream(&mut self, e: ExprId) -> Option<(Stream, Vec<ExprId>)> {
        let (unit, typed) = (self.unit, self.typed);
        match unit.exprs[e].kind {
            ExprKind::Index(root, index) => {
                let Counter::Up { var, .. } = self.counter else { return None };
                let shift = offset_from(unit, typed, index, var)?;
                let sym = name(unit, typed, root)?;
                if self.effects.declared.contains(&sym) {
                    return None;
                }
                let (elem, pointer) = match typed.types.of(typed.sym(sym).ty) {
                    Ty::Array(elem, _) => (self.plain_element(*elem)?, false),
                    Ty::Pointer(_) if self.automatic(sym) && !self.effects.assigned.contains(&sym) => {
                        (self.element(typed.sym(sym).ty)?, true)
                    }
                    _ => return None,
                };
                Some((
                    Stream { sym, root: unit.bare(root), pointer, shift: Some(shift), elem },
                    vec![root, index],
                ))
            }
            ExprKind::Unary(UnOp::Deref, p) => {
                let p = unit.bare(p);
                let counts = |sym| matches!(self.counter, Counter::Pointer { var, .. } if var == sym);
                let (root, steps) = match unit.exprs[p].kind {
                    ExprKind::Post(IncDec::Inc, root) if !self.turns => (root, true),
                    ExprKind::Ident(_) => (p, false),
                    _ => return None,
                };
                let sym = name(unit, typed, root)?;
                if !self.automatic(sym) || (!steps && !counts(sym)) {
                    return None;
                }
                let elem = self.element(typed.sym(sym).ty)?;
                if steps {
                    *self.stepped.entry(sym).or_default() += 1;
                }
                Some((Stream { sym, root: unit.bare(root), pointer: true, shift: None, elem }, vec![p, root]))
            }
            _ => None,
        }
    }

    /// Pointers that step are named by their accesses alone, and step once an iteration.
    fn pointers_only_walk(&self, body: StmtId) -> bool {
        let in_condition = matches!(self.counter, Counter::Pointer { .. });
        let steps_in_body = |sym: SymId| self.stepped.get(&sym).copied().unwrap_or(0);
        self.streams.iter().filter(|s| s.shift.is_none()).all(|s| {
            let counter = in_condition && s.sym == self.counter.var();
            let accesses = self.places.values().filter(|&&n| self.streams[n].sym == s.sym).count();
            let once = match steps_in_body(s.sym) {
                0 => counter,
                1 => accesses == 1 && self.unconditional(body, s.sym),
                _ => false,
            };
            once && !self.named_otherwise(body, s.sym)
        }) && (!in_condition || self.streams.iter().any(|s| s.sym == self.counter.var()))
    }

    /// Whether `*p++` is at the top of a statement of the body that always runs.
    fn unconditional(&self, body: StmtId, sym: SymId) -> bool {
        let Some((&place, _)) = self.places.iter().find(|&(_, &n)| self.streams[n].sym == sym) else {
            return false;
        };
        let items = match &self.unit.stmts[body].kind {
            StmtKind::Compound(items) => items.clone(),
            _ => vec![body],
        };
        items.iter().any(|&item| {
            match &self.unit.stmts[item].kind {
            StmtKind::Expr(Some(e)) => self.evaluates(*e, place),
            StmtKind::Decl(d) => match &self.unit.decls[*d].kind {
                DeclKind::Vars { items, .. } => items.iter().filter_map(|item| item.init).any(|init| {
                    matches!(self.unit.inits[init].kind, InitKind::Expr(e) if self.evaluates(e, place))
                }),
                _ => false,
            },
            _ => false,
        }
        })
    }

    /// Whether evaluating `e` always evaluates `place`.
    fn evaluates(&self, e: ExprId, place: ExprId) -> bool {
        e == place
            || match self.unit.exprs[e].kind {
                ExprKind::Paren(a)
                | ExprKind::Unary(_, a)
                | ExprKind::Cast(_, a)
                | ExprKind::Member { base: a, .. } => self.evaluates(a, place),
                ExprKind::Binary(BinOp::And | BinOp::Or, a, _) => self.evaluates(a, place),
                ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => {
                    self.evaluates(a, place) || self.evaluates(b, place)
                }
                _ => false,
            }
    }

    fn named_otherwise(&self, body: StmtId, sym: SymId) -> bool {
        let span = self.unit.stmts[body].span;
        self.unit.exprs.ids().any(|e| {
            let at = self.unit.exprs[e].span;
            span.lo <= at.lo
                && at.hi <= span.hi
                && matches!(self.unit.exprs[e].kind, ExprKind::Ident(_))
                && self.typed.symbol(e) == Some(sym)
                && !self
                    .inside
                    .iter()
                    .any(|&i| self.unit.exprs[i].span.lo <= at.lo && at.hi <= self.unit.exprs[i].span.hi)
        })
    }

    fn uses_variable(&self, body: StmtId) -> bool {
        self.named_otherwise(body, self.counter.var())
    }
}
