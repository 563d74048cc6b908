//! Strip-mined traversal of cyclic, spread and dist arrays, a processor at a time.
//!
//! A loop takes elements k, k + 1, k + 2 … in turn, each of which is the next processor's: an address that
//! jumps, which the C compiler neither steps by addition nor reads several of at once. But the elements at
//! distances of THREADS from each other are one processor's, one behind the other. So the loop is run as
//! THREADS loops, each over one processor's elements by a local pointer. A loop that steps by THREADS itself
//! is one of these.
//!
//! *Why it is allowed.* A step by THREADS changes the order of nothing. Else the iterations run in another
//! order, and must not notice: a body is taken ([`crate::reduction`]) if all it does is to assign the element
//! that it is at, and to add to, multiply, or combine bit by bit integers that it does not use otherwise;
//! what it reads, no iteration assigns. Accesses are relaxed (Split-C, AC), so that other processors may not
//! rely on an order between synchronisations. Signed sums are formed without sign, since in another order
//! they may pass what the type holds.
//!
//! *The trip.* The number of iterations is known at entry: the bound keeps its value (its operands are
//! automatic, their addresses not taken, not assigned), as does a pointer that serves as array; the variable
//! is changed by its step alone. Remote memory is left to the loop as written, which stands beside the other;
//! so are short loops.
//!
//! *What it becomes.* [`Node::If`] on what must hold at run time; in it a [`Node::Loop`] over the processors
//! and one over a processor's elements, these [`Access::Element`]s and sums [`Access::Reduction`]s; else the
//! loop as written.

use crate::affine::{name, offset_from};
use crate::effects::Effects;
use crate::passes::each_loop;
use crate::reduction;
use crate::rows::named_otherwise;
use crate::shapes::{bound, is_long, mentions, steps_by_one, steps_by_threads};
use crate::tree::{Access, Hosts, Loop, Node, Slot, Step, Term, Tree, Var, VarType};
use c_sema::Typed;
use c_sema::typed::{SymId, SymKind};
use c_sema::types::{Block, QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::{HashMap, HashSet};

/// Loops that go round the processors fewer times are run as written.
const FEWEST_TURNS: i64 = 4;

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if !tree.typed.types.language.everything() {
        return;
    }
    each_loop(tree, &mut |tree, s, _| {
        if tree.is_free(s) {
            match plan(tree, s) {
                Ok(plan) => {
                    tree.remark("strip-mining", s, Ok(plan.summary(tree)));
                    rewrite(tree, s, &plan);
                }
                Err(why) => tree.remark("strip-mining", s, Err(why)),
            }
        }
        true
    });
}

/// How a loop is run a processor at a time.
struct Plan {
    /// What counts its iterations.
    counter: Counter,
    /// It steps by THREADS: there is one processor.
    turns: bool,
    /// The elements that it goes over.
    streams: Vec<Stream>,
    /// Which accesses are to which of them.
    places: HashMap<ExprId, usize>,
    /// The body uses the loop variable for other things than the elements.
    uses_variable: bool,
    /// `sum op= …` of signed integers.
    sums: HashSet<ExprId>,
    body: StmtId,
}

impl Plan {
    fn summary(&self, tree: &Tree) -> String {
        let names: Vec<&str> = self.streams.iter().map(|s| &*tree.typed.sym(s.sym).name).collect();
        let turns = if self.turns { ", one processor's" } else { "" };
        let sums = if self.sums.is_empty() { "" } else { ", with reductions" };
        format!("[{}]{turns}{sums}", names.join(" "))
    }
}

/// What counts the iterations of a loop.
#[derive(Clone, Copy, Debug)]
enum Counter {
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
        /// What it points to.
        elem: QTy,
    },
}

impl Counter {
    /// The variable.
    fn var(&self) -> SymId {
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
    /// Iteration i is at element i + shift; none: the pointer itself steps along.
    pub(crate) shift: Option<i64>,
    /// The elements' type.
    pub(crate) elem: QTy,
}

// ---- analysis ------------------------------------------------------------------------------------

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, &'static str> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let (counter, turns, body) = head(unit, typed, s).ok_or("its head is of no known kind")?;
    let effects = tree.effects(body);
    if is_long(unit, body) {
        return Err("its body is long");
    }
    if effects.rigid || effects.opaque {
        return Err("its body synchronises, leaves the loop, or is not followed");
    }
    let mut finder = Finder {
        tree,
        unit,
        typed,
        effects: &effects,
        counter,
        turns,
        stepped: HashMap::new(),
        streams: Vec::new(),
        places: HashMap::new(),
        inside: HashSet::new(),
    };
    if !finder.counter_is_sound() {
        return Err("its variable or bound may change");
    }
    finder.accesses(body);
    if finder.streams.is_empty() {
        return Err("it goes over no elements");
    }
    if !finder.pointers_only_step(body) {
        return Err("a pointer does more than step once an iteration");
    }
    let uses_variable = named_otherwise(tree, body, counter.var(), &finder.inside);
    if uses_variable && !matches!(counter, Counter::Up { .. }) {
        return Err("its body uses the variable that counts down or steps");
    }
    let Finder { streams, places, .. } = finder;
    let sums = match turns {
        true => HashSet::new(),
        false => reduction::sums(tree, &effects, counter.var(), &streams, &places, body)?,
    };
    Ok(Plan { counter, turns, streams, places, uses_variable, sums, body })
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
            Some(Counter::Pointer { var, end, elem: typed.types.pointee(typed.sym(var).ty)? })
        }
        _ => None,
    }
}

struct Finder<'a> {
    tree: &'a Tree,
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
    inside: HashSet<ExprId>,
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
        let unit = self.unit;
        let mut numbered = (*self.tree.addressed(body)).clone();
        // A signalling store needs the processor.
        each_expr(unit, Any::Stmt(body), |e| {
            if let ExprKind::Split(SplitOp::Store, target, _) = unit.exprs[e].kind {
                numbered.insert(unit.bare(target));
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

    /// `a[i + c]`, `p[i + c]`, `*p++`, or `*p` where p is the counter; and the expressions inside that go
    /// with it.
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
                let sym = name(unit, typed, root)?;
                if !self.automatic(sym) || (!steps && !counts(sym)) {
                    return None;
                }
                let elem = self.element(typed.sym(sym).ty)?;
                if steps {
                    *self.stepped.entry(sym).or_default() += 1;
                }
                Some((Stream { sym, pointer: true, shift: None, elem }, vec![p, root]))
            }
            _ => None,
        }
    }

    /// Pointers that step are named by their accesses alone, and step once an iteration.
    fn pointers_only_step(&self, body: StmtId) -> bool {
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
            once && !named_otherwise(self.tree, body, s.sym, &self.inside)
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
}

// ---- rewriting -----------------------------------------------------------------------------------

/// Names of what stands in front of the loop.
struct Names {
    /// First value of the counter, where it is an integer.
    lo: Var,
    /// How many iterations.
    n: Var,
    /// Where each stream begins.
    starts: Vec<Var>,
}

fn rewrite(tree: &mut Tree, s: StmtId, plan: &Plan) {
    let starts = plan.streams.iter().map(|_| tree.var("start")).collect();
    let names = Names { lo: tree.var("lo"), n: tree.var("n"), starts };
    let plain = tree.copy(s).stmt;
    tree.settle(plain);
    let mut nodes = vec![Node::First(s)];
    nodes.extend(front(plan, &names));
    let mut then = by_processor(tree, plan, &names);
    then.extend(behind(tree, plan, &names));
    nodes.push(Node::If { test: guard(plan, &names), then, otherwise: vec![Node::Continued(plain)] });
    tree.replace(s, nodes);
    tree.settle(s);
}

fn index(var: Var, value: Term) -> Node {
    Node::Declare { var, ty: VarType::Index, value: Some(value) }
}

/// The number of iterations and the beginnings of the streams.
fn front(plan: &Plan, names: &Names) -> Vec<Node> {
    let Names { lo, n, .. } = *names;
    let variable = |var| Term::Index(Box::new(Term::Sym(var)));
    let turns = |count: Term| if plan.turns { Term::call("mer_ceildivt", [count]) } else { count };
    let mut out = match plan.counter {
        Counter::Up { var, hi, inclusive } => {
            let past = Term::Index(Box::new(Term::Value(hi))).plus(i64::from(inclusive));
            let count = Term::bin("-", past, lo.into());
            vec![index(lo, variable(var)), index(n, turns(count))]
        }
        Counter::Down { var, .. } => vec![index(n, turns(variable(var)))],
        Counter::Pointer { var, end, elem } => {
            let count = Term::call("mer_diff_c", [Term::Value(end), Term::Sym(var), Term::Size(elem)]);
            vec![index(n, turns(count))]
        }
    };
    for (stream, &var) in plan.streams.iter().zip(&names.starts) {
        let value = Some(beginning(stream, lo));
        out.push(Node::Declare { var, ty: VarType::Shared, value });
    }
    out
}

fn beginning(stream: &Stream, lo: Var) -> Term {
    let (of, size) = (Term::Sym(stream.sym), Term::Size(stream.elem));
    match stream.shift {
        None => of,
        Some(shift) if stream.pointer => Term::call("mer_add_c", [of, Term::Var(lo).plus(shift), size]),
        Some(shift) => Term::call("mer_elem_c", [Term::Native(stream.sym), Term::Var(lo).plus(shift), size]),
    }
}

/// The loop over the processors; of a loop that steps by THREADS, the one over one processor's elements.
fn by_processor(tree: &mut Tree, plan: &Plan, names: &Names) -> Vec<Node> {
    let (j, q, end) = (tree.var("j"), tree.var("q"), tree.var("end"));
    let Names { lo, n, .. } = *names;
    let threads = || Term::Name("MER_THREADS");
    let count = match plan.turns {
        true => n.into(),
        false => Term::call("mer_ceildivt", [Term::bin("-", n.into(), j.into())]),
    };
    let mut one = vec![index(end, count)];
    let rows: Vec<Var> = plan.streams.iter().map(|_| tree.var("row")).collect();
    for ((stream, &start), &row) in plan.streams.iter().zip(&names.starts).zip(&rows) {
        let at = match plan.turns {
            true => start.into(),
            false => Term::call("mer_add_c", [start.into(), j.into(), Term::Size(stream.elem)]),
        };
        let value = Some(Term::call("mer_at", [Term::Bits(Box::new(at))]));
        one.push(Node::Declare { var: row, ty: VarType::Elements(stream.elem), value });
    }
    let copy = tree.copy(plan.body);
    for (&e, &stream) in &plan.places {
        tree.mark(copy.expr(e), Access::Element { base: rows[stream], index: q.into() });
    }
    for &e in &plan.sums {
        tree.mark(copy.expr(e), Access::Reduction);
    }
    let (mut step, mut body) = (vec![Step::Next(q)], Vec::new());
    if plan.uses_variable {
        // The variable goes along by addition: gcc does not make one of a product with THREADS.
        let k = tree.var("k");
        let first = if plan.turns { lo.into() } else { Term::bin("+", lo.into(), j.into()) };
        one.push(Node::Declare { var: k, ty: VarType::Word, value: Some(first) });
        step.push(Step::Add(k, threads()));
        let var = plan.counter.var();
        let ty = tree.typed.sym(var).ty;
        body.push(Node::Define(var, Term::As(ty, Box::new(k.into()))));
    }
    one.push(index(q, Term::Num(0)));
    body.push(Node::Stmt(copy.stmt));
    one.push(Node::Loop(Loop { go: Term::bin("<", q.into(), end.into()), step, body, counts: None }));
    if plan.turns {
        return one;
    }
    let over =
        Loop { go: Term::bin("<", j.into(), threads()), step: vec![Step::Next(j)], body: one, counts: None };
    vec![Node::Known(Hosts::One, vec![index(j, Term::Num(0)), Node::Loop(over)])]
}

/// The values that the loop's variables have behind it.
fn behind(tree: &Tree, plan: &Plan, names: &Names) -> Vec<Node> {
    let Names { lo, n, .. } = *names;
    let steps = match plan.turns {
        true => Term::bin("*", n.into(), Term::Index(Box::new(Term::Name("MER_THREADS")))),
        false => n.into(),
    };
    let var = plan.counter.var();
    let ty = tree.typed.sym(var).ty;
    let last = match plan.counter {
        Counter::Up { .. } => Some(Term::bin("+", lo.into(), steps.clone())),
        Counter::Down { last, .. } => Some(Term::Num(last)),
        Counter::Pointer { .. } => None,
    };
    let mut out: Vec<Node> =
        last.map(|last| Node::Assign(Slot::Sym(var), Term::As(ty, Box::new(last)))).into_iter().collect();
    for (stream, &start) in plan.streams.iter().zip(&names.starts).filter(|(s, _)| s.shift.is_none()) {
        let past = Term::call("mer_add_c", [start.into(), steps.clone(), Term::Size(stream.elem)]);
        out.push(Node::Assign(Slot::Sym(stream.sym), past));
    }
    out
}

/// What must hold for the plan: enough to do, in memory that is local.
fn guard(plan: &Plan, names: &Names) -> Term {
    let n = || Term::Var(names.n);
    let threads = Term::Index(Box::new(Term::Name("MER_THREADS")));
    let mut guard = if plan.turns {
        Term::bin(">", n(), Term::Num(0))
    } else {
        let enough = Term::bin(">=", n(), Term::bin("*", Term::Num(FEWEST_TURNS), threads));
        enough.and(Term::Not(Box::new(Term::Name("MER_HAS_REMOTE"))))
    };
    for &start in &names.starts {
        let bits = || Term::Bits(Box::new(start.into()));
        let local = Term::Not(Box::new(Term::call("mer_remote_global", [bits()])));
        guard = guard.and(match plan.turns {
            true => Term::bin("||", local, Term::call("mer_mine_ptr", [bits()])),
            false => local,
        });
    }
    guard
}
