//! Strip-mined traversal of cyclic, spread and dist arrays, a processor at a time.
//!
//! A loop goes through elements k, k + 1, k + 2 …, each of which is on the next processor. Their addresses
//! jump: the C compiler neither steps them by addition nor reads several elements at once. But the elements
//! at distances of THREADS from each other are on one processor, and contiguous. So the loop is run as
//! THREADS loops, each over one processor's elements by a local pointer. A loop that steps by THREADS itself
//! becomes one such loop.
//!
//! *Why it is allowed.* For a step by THREADS, the order does not change. Otherwise the iterations run in
//! another order, which must make no difference. So a body qualifies ([`crate::owned::reduction`]) if it only
//! assigns the current element, and adds to, multiplies, or combines bit by bit integers that it does not use
//! otherwise; no iteration assigns an object that the body reads. Accesses are relaxed (Split-C, AC), so that
//! other processors may not rely on an order between synchronisations. Signed sums are computed unsigned,
//! since they may overflow in another order.
//!
//! *Trip count.* The number of iterations is known at entry: the bound keeps its value (its operands are
//! automatic, their addresses not taken, not assigned), as does a pointer that serves as array; only the step
//! changes the variable. For remote memory and for few iterations, the loop as written runs, which is kept as
//! the other version.
//!
//! *Result.* [`Node::If`] on the conditions at run time; in it a [`Node::Loop`] over the processors and one
//! over a processor's elements, these [`Access::Element`]s and sums [`Access::Reduction`]s; else the loop as
//! written.

use crate::facts::body::Body;
use crate::facts::shapes::{Condition, Shape, Step, Stride, is_long, past};
use crate::facts::streams::{Counter, Stream, Streams};
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{self, Access, Hosts, Loop, Node, Primitive, Slot, Term, Tree, Var, VarType};
use crate::ir::walk::each_loop;
use crate::owned::reduction;
use c_sema::Typed;
use c_sema::types::Ty;
use c_syntax::ast::*;
use std::collections::{HashMap, HashSet};

/// Loops with fewer iterations for each processor are run as written.
const FEWEST_TURNS: i64 = 4;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("strip-mining");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if !tree.typed.types.language.everything() {
        return;
    }
    each_loop(tree, &mut |tree, s, _| {
        if tree.is_free(s) {
            match plan(tree, s) {
                Ok(plan) => {
                    tree.remark(ID, s, Ok(plan.summary(tree)));
                    rewrite(tree, s, &plan);
                }
                Err(why) => tree.remark(ID, s, Err(why)),
            }
        }
        true
    });
}

/// How a loop is run a processor at a time.
struct Plan {
    /// The counter of the iterations.
    counter: Counter,
    /// The loop steps by THREADS: there is one processor.
    turns: bool,
    /// The sequences of elements that the loop goes over.
    streams: Vec<Stream>,
    /// The accesses to elements, each with the number of its stream.
    places: HashMap<ExprId, usize>,
    /// The body uses the loop variable for other things than the elements.
    uses_variable: bool,
    /// The assignments `sum op= …` to integers.
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

// ---- analysis ------------------------------------------------------------------------------------

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, Reason> {
    let shape = tree.shape(s).filter(|_| !matches!(tree.unit.stmts[s].kind, StmtKind::Forall { .. }));
    let counted = shape.and_then(|shape| Some((counter(&tree.typed, &shape)?, shape)));
    let (counter, shape) = counted.ok_or(Reason::HeadUnknown)?;
    let turns = shape.step.is_some_and(|step| step.threads);
    let body = Body::new(tree, shape.body);
    if is_long(&tree.unit, shape.body) {
        return Err(Reason::BodyLong);
    }
    if body.effects.rigid || body.effects.opaque {
        return Err(Reason::BodySynchronises);
    }
    if !is_sound(&body, counter) {
        return Err(Reason::VariableChanges);
    }
    let found = Streams::new(&body, counter, turns);
    if found.streams.is_empty() {
        return Err(Reason::NoElements);
    }
    if !found.pointers_only_step() {
        return Err(Reason::PointerStepsTwice);
    }
    let uses_variable = body.names_otherwise(counter.var(), &found.inside);
    if uses_variable && !matches!(counter, Counter::Up { .. }) {
        return Err(Reason::BodyUsesCounter);
    }
    let Streams { streams, places, .. } = found;
    let sums = match turns {
        true => HashSet::new(),
        false => reduction::sums(&body, counter.var(), &streams, &places)?,
    };
    Ok(Plan { counter, turns, streams, places, uses_variable, sums, body: shape.body })
}

/// Returns the counter of a loop of this shape.
fn counter(typed: &Typed, shape: &Shape) -> Option<Counter> {
    let (var, condition) = shape.condition.filter(|_| !shape.steps_otherwise)?;
    match shape.step {
        Some(Step { by: Stride::Down, in_condition, .. }) => {
            let last = if in_condition { -1 } else { 0 };
            shape.ends_at_zero(typed).then_some(Counter::Down { var, last })
        }
        Some(Step { by: Stride::By(_), threads: false, .. }) => None,
        Some(_) | None => match (typed.types.of(typed.sym(var).ty), condition) {
            // If the loop has no step, `*p++` in the body is the step.
            (Ty::Int(_), _) => {
                // A narrower variable may wrap around before it reaches the bound.
                let wide = typed.types.size_of(typed.sym(var).ty).is_some_and(|size| size >= 4);
                let (hi, inclusive) = shape.bound(typed).filter(|_| wide && shape.step.is_some())?;
                Some(Counter::Up { var, hi, inclusive })
            }
            (_, Condition::Compare(BinOp::Lt | BinOp::Ne, end)) if typed.conversion(end).is_none() => {
                Some(Counter::Pointer { var, end, elem: typed.types.pointee(typed.sym(var).ty)? })
            }
            _ => None,
        },
    }
}

/// Returns whether the loop's step alone changes its variable, and its bound keeps its value.
fn is_sound(body: &Body, counter: Counter) -> bool {
    let var = counter.var();
    let ty = body.typed.sym(var).ty;
    match counter {
        Counter::Up { hi, .. } => body.leaves(var) && body.keeps_bound(hi, var),
        Counter::Down { .. } => body.leaves(var) && matches!(body.typed.types.of(ty), Ty::Int(_)),
        // `*p++` in the body may be the step.
        Counter::Pointer { end, .. } => {
            body.automatic(var) && body.element(ty).is_some() && body.keeps_bound(end, var)
        }
    }
}

// ---- rewriting -----------------------------------------------------------------------------------

/// Variables that are set before the loop.
struct Names {
    /// First value of the counter, if it is an integer that counts up.
    lo: Var,
    /// The number of iterations.
    n: Var,
    /// The beginning of each stream.
    starts: Vec<Var>,
}

fn rewrite(tree: &mut Tree, s: StmtId, plan: &Plan) {
    let starts = plan.streams.iter().map(|_| tree.var("start")).collect();
    let names = Names { lo: tree.var("lo"), n: tree.var("n"), starts };
    let plain = tree.copy(s).stmt;
    tree.settle(plain);
    let mut nodes = vec![Node::First(s)];
    nodes.extend(front(&tree.typed, plan, &names));
    let mut then = by_processor(tree, plan, &names);
    then.extend(behind(tree, plan, &names));
    nodes.push(Node::If { test: guard(plan, &names), then, otherwise: vec![Node::Continued(plain)] });
    tree.replace(s, nodes);
    tree.settle(s);
}

/// Computes the number of iterations and the beginnings of the streams.
fn front(typed: &Typed, plan: &Plan, names: &Names) -> Vec<Node> {
    let Names { lo, n, .. } = *names;
    let variable = |var| Term::index(Term::Sym(var));
    let turns = |count: Term| if plan.turns { Term::call(Primitive::CeilDivThreads, [count]) } else { count };
    let mut out = match plan.counter {
        Counter::Up { var, hi, inclusive } => {
            let count = Term::bin("-", past(typed, var, hi, inclusive), lo.into());
            vec![Node::index(lo, variable(var)), Node::index(n, turns(count))]
        }
        Counter::Down { var, .. } => vec![Node::index(n, turns(variable(var)))],
        Counter::Pointer { var, end, elem } => {
            let count =
                Term::call(Primitive::DiffCyclic, [Term::Value(end), Term::Sym(var), Term::Size(elem)]);
            vec![Node::index(n, turns(count))]
        }
    };
    for (stream, &var) in plan.streams.iter().zip(&names.starts) {
        let value = Some(beginning(stream, lo));
        out.push(Node::Declare { var, ty: VarType::Shared, value });
    }
    out
}

/// Returns the beginning of a stream. If a loop reads under a condition (`i == 0 ? b : a[i - 1]`), the
/// beginning may be before the array, where [`Primitive::ElementCyclic`] knows no elements.
fn beginning(stream: &Stream, lo: Var) -> Term {
    let size = || Term::Size(stream.elem);
    let of = match stream.pointer {
        true => Term::Sym(stream.sym),
        false => Term::call(Primitive::ElementCyclic, [Term::Native(stream.sym), Term::Num(0), size()]),
    };
    match stream.shift {
        None => of,
        Some(shift) => Term::call(Primitive::AddCyclic, [of, Term::Var(lo).plus(shift), size()]),
    }
}

/// Makes the loop over the processors; for a loop that steps by THREADS, the loop over one processor's
/// elements.
fn by_processor(tree: &mut Tree, plan: &Plan, names: &Names) -> Vec<Node> {
    let (j, q, end) = (tree.var("j"), tree.var("q"), tree.var("end"));
    let Names { lo, n, .. } = *names;
    let threads = || Term::Name(Primitive::Threads);
    let count = match plan.turns {
        true => n.into(),
        false => Term::call(Primitive::CeilDivThreads, [Term::bin("-", n.into(), j.into())]),
    };
    let mut one = vec![Node::index(end, count)];
    let rows: Vec<Var> = plan.streams.iter().map(|_| tree.var("row")).collect();
    for ((stream, &start), &row) in plan.streams.iter().zip(&names.starts).zip(&rows) {
        let at = match plan.turns {
            true => start.into(),
            false => Term::call(Primitive::AddCyclic, [start.into(), j.into(), Term::Size(stream.elem)]),
        };
        let value = Some(Term::call(Primitive::At, [Term::Bits(Box::new(at))]));
        one.push(Node::Declare { var: row, ty: VarType::Elements(stream.elem), value });
    }
    let copy = tree.copy(plan.body);
    for (&e, &stream) in &plan.places {
        tree.mark(copy.expr(e), Access::Element { base: rows[stream], index: q.into(), inside: Vec::new() });
    }
    for &e in &plan.sums {
        tree.mark(copy.expr(e), Access::Reduction);
    }
    let (mut step, mut body) = (vec![tree::Step::Next(q)], Vec::new());
    if plan.uses_variable {
        // The variable is stepped by addition: gcc does not reduce a product with THREADS to an addition.
        let k = tree.var("k");
        let first = if plan.turns { lo.into() } else { Term::bin("+", lo.into(), j.into()) };
        one.push(Node::Declare { var: k, ty: VarType::Word, value: Some(first) });
        step.push(tree::Step::Add(k, threads()));
        let var = plan.counter.var();
        let ty = tree.typed.sym(var).ty;
        body.push(Node::Define(var, Term::As(ty, Box::new(k.into()))));
    }
    one.push(Node::index(q, Term::Num(0)));
    body.push(Node::Stmt(copy.stmt));
    one.push(Node::Loop(Loop { go: Term::bin("<", q.into(), end.into()), step, body, counts: None }));
    if plan.turns {
        return one;
    }
    let over = Loop {
        go: Term::bin("<", j.into(), threads()),
        step: vec![tree::Step::Next(j)],
        body: one,
        counts: None,
    };
    vec![Node::Known(Hosts::One, vec![Node::index(j, Term::Num(0)), Node::Loop(over)])]
}

/// Gives the loop's variables their values after the loop.
fn behind(tree: &Tree, plan: &Plan, names: &Names) -> Vec<Node> {
    let Names { lo, n, .. } = *names;
    let steps = match plan.turns {
        true => Term::bin("*", n.into(), Term::threads()),
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
        let past = Term::call(Primitive::AddCyclic, [start.into(), steps.clone(), Term::Size(stream.elem)]);
        out.push(Node::Assign(Slot::Sym(stream.sym), past));
    }
    out
}

/// Makes the test that the plan applies: there are enough iterations, and the memory is local.
fn guard(plan: &Plan, names: &Names) -> Term {
    let n = || Term::Var(names.n);
    let threads = Term::threads();
    let mut guard = if plan.turns {
        Term::bin(">", n(), Term::Num(0))
    } else {
        let enough = Term::bin(">=", n(), Term::bin("*", Term::Num(FEWEST_TURNS), threads));
        enough.and(Term::Not(Box::new(Term::Name(Primitive::HasRemote))))
    };
    for &start in &names.starts {
        let bits = || Term::Bits(Box::new(start.into()));
        let local = Term::Not(Box::new(Term::call(Primitive::RemoteGlobal, [bits()])));
        guard = guard.and(match plan.turns {
            true => Term::bin("||", local, Term::call(Primitive::MinePointer, [bits()])),
            false => local,
        });
    }
    guard
}
