//! Loops that step by THREADS: `for (i = MYTHREAD; …; i += THREADS) … a[i] …`.
//!
//! This is how UPC is written without `upc_forall`. In each iteration i mod THREADS is the same. So the
//! elements, or rows that are one block, that are subscripted by i are one thread's, one behind the other in
//! its part; where the loop begins at MYTHREAD, or some THREADS from it, they are the thread's own. A local
//! pointer and a counter serve for them. `a[i + THREADS]` is the next one; where the loop begins at 0,
//! `a[i + MYTHREAD]` is the own one ([`crate::facts::ownership`]).
//!
//! Where the number of iterations is known at entry, the counter alone says how long the loop goes on: C
//! compilers cannot tell that of a step that they do not know. Else the loop stays as it is; one that goes
//! down does so without local pointers.
//!
//! *Why it is allowed.* Only the third clause changes the variable (automatic, its address not taken, not
//! assigned in the body or the condition), and the counter steps where it steps, after `continue` too. The
//! body has no labels, so that nothing enters it past the counter's beginning. Where the first value does not
//! say which thread's the elements are, that is computed when the loop is entered. They must be on this host
//! then, and a pointer that serves as an array must point at thread 0, phase 0, and keep its value while the
//! loop runs; otherwise the loop runs as written. The first value is made of what the loop leaves alone, so
//! that it may be computed twice. An element is accessed when it was, so that there is nothing to be said of
//! the order.
//!
//! The number is known where the condition is `i < hi` or `i <= hi`, downwards `i > lo` or `i >= lo`, the
//! bound keeps its value, the variable does not come round before it (32 bits or more), and nothing but the
//! condition ends the loop.
//!
//! *What it becomes.* A [`Node::Loop`] over the counter; or the loop as it is, whose step takes the counter
//! along ([`Access::AndNext`]). In both the accesses are [`Access::Element`]s. [`Node::If`] on what must hold
//! at run time is around it, the loop as written being in the other branch.

use crate::facts::body::Body;
use crate::facts::ownership::{Numbering, Owned, sum};
use crate::facts::shapes::{First, Head, is_long};
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Counting, Hosts, Loop, Node, Primitive, Step, Term, Tree, Var};
use crate::ir::walk::each_loop;
use crate::owned::over_own::{leave, pointers};
use c_sema::residues::{Sum, fits};
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::has_effects;
use std::collections::HashSet;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("strided");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    let mut as_written = HashSet::new();
    each_loop(tree, &mut |tree, s, _| {
        if tree.is_free(s) && tree.nodes(s).is_none() && !as_written.contains(&s) {
            match plan(tree, s) {
                Ok(plan) => {
                    tree.remark(ID, s, Ok(plan.summary(tree)));
                    as_written.extend(rewrite(tree, s, &plan));
                }
                Err(why) => tree.remark(ID, s, Err(why)),
            }
        }
        true
    });
}

/// A loop whose accesses to one thread's elements go by local pointers.
struct Plan {
    first: First,
    /// The first value, where it says that the elements are the thread's own.
    own: Option<Sum>,
    /// MYTHREAD is added to the variable in the subscripts.
    beside: bool,
    /// The elements.
    rows: Owned,
    step: ExprId,
    /// The variable goes down.
    back: bool,
    /// Where the number of iterations is known.
    counted: Option<Counted>,
}

/// A loop by THREADS up or down to a bound.
struct Counted {
    head: Head,
    /// The variable serves for the subscripts of the rows only.
    flat: bool,
    body: StmtId,
}

impl Plan {
    fn summary(&self, tree: &Tree) -> String {
        let rows = if self.own.is_some() { "own rows" } else { "one thread's rows" };
        let counted = if self.counted.is_some() { ", counted" } else { "" };
        let back = if self.back { " down" } else { "" };
        format!("{rows} of [{}]{counted}{back}", self.rows.names(tree))
    }

    /// Whether something must hold at run time.
    fn is_tested(&self) -> bool {
        self.own.is_none() || self.rows.roots.iter().any(|root| root.pointer)
    }
}

// ---- analysis ------------------------------------------------------------------------------------

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, Reason> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let StmtKind::For { cond, step: Some(step), body: stmt, .. } = unit.stmts[s].kind else {
        return Err(Reason::OtherKind);
    };
    let shape = tree.shape(s).ok_or(Reason::OtherKind)?;
    let first = shape.first.ok_or(Reason::OtherKind)?;
    let First { var, value: lo, .. } = first;
    let begins_at_me = matches!(unit.exprs[unit.bare(lo)].kind, ExprKind::MyThread);
    let stepped = shape.step.filter(|step| step.var == var && (step.threads || step.back));
    let Some(stepped) = stepped else {
        return Err(if begins_at_me { Reason::StepNotThreads } else { Reason::OtherKind });
    };
    if !matches!(typed.types.of(typed.sym(var).ty), Ty::Int(_)) {
        return Err(Reason::OtherKind);
    }
    let body = Body::new(tree, stmt);
    if !body.automatic(var) {
        return Err(Reason::VariableNotAutomatic);
    }
    if body.effects.opaque {
        return Err(Reason::BodyEntered);
    }
    if !body.leaves(var) || cond.is_some_and(|c| has_effects(unit, c)) {
        return Err(Reason::VariableSteppedTwice);
    }
    let ty = typed.sym(var).ty;
    let begins = sum(unit, typed, lo, var).filter(|&sum| sum.var == 0 && fits(typed, sum, lo, ty));
    let (beside, rows) = rows(&body, var, begins).ok_or(Reason::NoRowsByVariable)?;
    let wide = typed.types.size_of(ty).is_some_and(|size| size >= 4);
    let bound = if stepped.back { shape.floor(typed) } else { shape.bound(typed) };
    let bound = bound.filter(|&(bound, _)| wide && body.keeps_bound(bound, var) && !body.effects.rigid);
    let counted = bound.map(|(bound, inclusive)| {
        let flat = !body.names_otherwise(var, &rows.subscripts(&body));
        Counted { head: Head { first, bound, inclusive }, flat, body: stmt }
    });
    let own = begins.filter(|begins| begins.me + i64::from(beside) == 1);
    let plan = Plan { first, own, beside, rows, step, back: stepped.back, counted };
    if !wide || (plan.back && plan.counted.is_none()) {
        return Err(Reason::IterationsUnknown);
    }
    if !begins_at_me && !body.invariant(lo) {
        return Err(Reason::FirstValueChanges);
    }
    if plan.is_tested() && (body.effects.single || is_long(unit, stmt)) {
        return Err(Reason::BodyOnceOrLong);
    }
    Ok(plan)
}

/// The accesses by `i + k * THREADS`, or those by `i + MYTHREAD + k * THREADS` (true): those that the first
/// value makes the thread's own if there are such.
fn rows(body: &Body, var: SymId, begins: Option<Sum>) -> Option<(bool, Owned)> {
    let own = begins.is_some_and(|begins| begins.me == 0);
    [own, !own].into_iter().find_map(|me| {
        let mut rows = Owned::default();
        rows.find(body, var, Numbering::Turns { me });
        (!rows.elements.is_empty()).then_some((me, rows))
    })
}

// ---- rewriting -----------------------------------------------------------------------------------

/// What stands in front of the loop.
struct Names {
    /// Counts the rows, of the thread's part.
    q: Var,
    /// The row of the first iteration.
    from: Term,
    /// Which thread's the rows are.
    thread: Term,
    /// The thread's part of each root.
    parts: Vec<Var>,
}

/// Answers the copy that is as written, if there has to be one.
fn rewrite(tree: &mut Tree, s: StmtId, plan: &Plan) -> Option<StmtId> {
    let plain = plan.is_tested().then(|| tree.copy(s).stmt);
    let (mut nodes, names) = front(tree, plan);
    let Some(plain) = plain else {
        nodes.extend(by_rows(tree, s, plan, &names));
        tree.replace(s, nodes);
        return None;
    };
    let fast = by_rows(tree, s, plan, &names);
    let then = vec![Node::Stmt(tree.made(s, fast))];
    // On one host a pointer alone can lead here.
    let otherwise = vec![Node::Known(Hosts::Many, vec![Node::Stmt(plain)])];
    nodes.push(Node::If { test: test(tree, plan, &names), then, otherwise });
    tree.replace(s, nodes);
    tree.settle(s);
    Some(plain)
}

/// Whose rows they are, and where these begin.
fn front(tree: &mut Tree, plan: &Plan) -> (Vec<Node>, Names) {
    let me = || Term::Name(Primitive::MyThread);
    let mut nodes = Vec::new();
    let lo = plan.first.begins(&tree.typed);
    let row = if plan.beside { Term::bin("+", lo, me()) } else { lo };
    let (q, from, thread) = match plan.own {
        Some(Sum { turns: Some(turns), .. }) => (tree.var("q"), Term::Num(turns), me()),
        _ => {
            let (at, from) = (tree.var("at"), tree.var("from"));
            nodes.push(Node::index(at, row));
            nodes.push(Node::index(from, Term::call(Primitive::FloorDivThreads, [at.into()])));
            let thread = match plan.own {
                Some(_) => me(),
                None => {
                    let thread = tree.var("thread");
                    let begin = Term::bin("*", from.into(), Term::threads());
                    nodes.push(Node::index(thread, Term::bin("-", at.into(), begin)));
                    thread.into()
                }
            };
            (tree.var("q"), from.into(), thread)
        }
    };
    let what = if plan.own.is_some() { "own" } else { "part" };
    let (parts, declared) = pointers(tree, &plan.rows, what, |_, root| match plan.own {
        Some(_) => root.own_part(),
        None => Term::call(Primitive::Part, [root.first(), thread.clone()]),
    });
    nodes.extend(declared);
    (nodes, Names { q, from, thread, parts })
}

/// What must hold at run time.
fn test(tree: &Tree, plan: &Plan, names: &Names) -> Term {
    let local = plan.own.is_none().then(|| {
        let own = Term::bin("==", names.thread.clone(), Term::Name(Primitive::MyThread));
        let at = Term::call(Primitive::PartBits, [plan.rows.roots[0].first(), names.thread.clone()]);
        Term::bin("||", own, Term::Not(Box::new(Term::call(Primitive::RemoteGlobal, [at]))))
    });
    plan.rows.tests(tree).into_iter().chain(local).reduce(Term::and).unwrap_or(Term::Num(1))
}

/// The loop over one thread's rows.
fn by_rows(tree: &mut Tree, s: StmtId, plan: &Plan, names: &Names) -> Vec<Node> {
    let copy = tree.copy(plan.counted.as_ref().map_or(s, |counted| counted.body));
    for of in &plan.rows.elements {
        tree.mark(copy.expr(of.e), of.access(&copy, names.parts[of.root], names.q));
    }
    match &plan.counted {
        Some(counted) if plan.back => down(tree, plan, counted, names, copy.stmt),
        Some(counted) => up(tree, plan, counted, names, copy.stmt),
        None => {
            tree.settle(copy.stmt);
            tree.mark(copy.expr(plan.step), Access::AndNext(names.q));
            vec![Node::index(names.q, names.from.clone()), Node::Stmt(copy.stmt)]
        }
    }
}

/// The value that the program's variable has at a row.
fn number(tree: &Tree, plan: &Plan, names: &Names, q: Term) -> Term {
    let all = Term::bin("*", q, Term::threads());
    let value = match (plan.own, plan.beside) {
        (Some(_), true) => all,
        (_, false) => Term::bin("+", all, names.thread.clone()),
        (None, true) => {
            let beyond = Term::bin("-", names.thread.clone(), Term::Name(Primitive::MyThread));
            Term::bin("+", all, beyond)
        }
    };
    Term::As(tree.typed.sym(plan.first.var).ty, Box::new(value))
}

/// The loop over the counter, in which the program's variable follows it.
fn up(tree: &mut Tree, plan: &Plan, counted: &Counted, names: &Names, body: StmtId) -> Vec<Node> {
    let (q, end) = (names.q, tree.var("end"));
    let past = counted.head.past(&tree.typed);
    let rows = match (plan.own, plan.beside) {
        (Some(_), true) => past,
        (_, false) => Term::bin("-", past, names.thread.clone()),
        (None, true) => {
            let past = Term::bin("+", past, Term::Name(Primitive::MyThread));
            Term::bin("-", past, names.thread.clone())
        }
    };
    let mut each = Vec::new();
    if !counted.flat {
        each.push(Node::Define(plan.first.var, number(tree, plan, names, q.into())));
    }
    each.push(Node::Stmt(body));
    let go = Term::bin("<", q.into(), end.into());
    let counts = Some(Counting { counter: q, var: plan.first.var, turns: true });
    let mut nodes = vec![
        Node::index(q, names.from.clone()),
        Node::index(end, Term::call(Primitive::CeilDivThreads, [rows])),
        Node::Loop(Loop { go, step: vec![Step::Next(q)], body: each, counts }),
    ];
    let some = Term::bin(">", end.into(), names.from.clone());
    let last = Term::choose(some, end.into(), names.from.clone());
    nodes.extend(leave(plan.first, number(tree, plan, names, last)));
    nodes
}

/// The same for a loop that goes down: the counter of its iterations goes up.
fn down(tree: &mut Tree, plan: &Plan, counted: &Counted, names: &Names, body: StmtId) -> Vec<Node> {
    let (k, n) = (tree.var("k"), tree.var("n"));
    let below = Term::index(Term::Value(counted.head.bound)).plus(-i64::from(counted.head.inclusive));
    let lo = tree.copy_term(&plan.first.begins(&tree.typed));
    let before = |steps: Term| Term::bin("-", names.from.clone(), steps);
    let mut each = vec![Node::index(names.q, before(k.into()))];
    if !counted.flat {
        each.push(Node::Define(plan.first.var, number(tree, plan, names, names.q.into())));
    }
    each.push(Node::Stmt(body));
    let go = Term::bin("<", k.into(), n.into());
    let mut nodes = vec![
        Node::index(n, Term::call(Primitive::CeilDivThreads, [Term::bin("-", lo, below)])),
        Node::index(k, Term::Num(0)),
        Node::Loop(Loop { go, step: vec![Step::Next(k)], body: each, counts: None }),
    ];
    let some = Term::bin(">", n.into(), Term::Num(0));
    let last = before(Term::choose(some, n.into(), Term::Num(0)));
    nodes.extend(leave(plan.first, number(tree, plan, names, last)));
    nodes
}
