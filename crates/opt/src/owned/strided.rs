//! Loops that step by THREADS: `for (i = MYTHREAD; …; i += THREADS) … a[i] …`.
//!
//! UPC programs without `upc_forall` have such loops. In each iteration, i mod THREADS is the same. So the
//! elements subscripted by i, or rows that are one block, are on one thread, contiguous in its part. If the
//! loop begins at MYTHREAD, or a multiple of THREADS from it, they are the thread's own. A local pointer and
//! a counter address them. `a[i + THREADS]` is the next one; if the loop begins at 0, `a[i + MYTHREAD]` is
//! the own one ([`crate::facts::ownership`]).
//!
//! If the number of iterations is known at entry, the counter alone ends the loop: C compilers cannot compute
//! the number for a step that they do not know. Otherwise the loop keeps its form, and a loop that goes down
//! is not rewritten.
//!
//! *Why it is allowed.* Only the third clause changes the variable (automatic, its address not taken, not
//! assigned in the body or the condition), and the counter steps together with it, after `continue` too. The
//! body has no labels, so that nothing enters it past the counter's beginning. If the first value does not
//! determine the thread of the elements, the thread is computed when the loop is entered, and the elements
//! must be on this host. A pointer that serves as an array must point at thread 0, phase 0, and keep its
//! value while the loop runs. Otherwise the loop runs as written. The operands of the first value are
//! invariant, so that it may be computed twice. The times and the order of the accesses do not change.
//!
//! The number of iterations is known if the condition is `i < hi` or `i <= hi`, downwards `i > lo` or
//! `i >= lo`, the bound keeps its value, the variable does not wrap around before it (32 bits or more), and
//! only the condition ends the loop.
//!
//! *Result.* A [`Node::Loop`] over the counter; or the loop as written, whose step also steps the counter
//! ([`Access::AndNext`]). In both the accesses are [`Access::Element`]s. If there are conditions at run time,
//! [`Node::If`] is around this loop, with the loop as written in the other branch.

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
    /// The first value, if it determines that the elements are the thread's own.
    own: Option<Sum>,
    /// MYTHREAD is added to the variable in the subscripts.
    beside: bool,
    /// The elements.
    rows: Owned,
    step: ExprId,
    /// The variable goes down.
    back: bool,
    /// The loop's bound, if the number of iterations is known.
    counted: Option<Counted>,
}

/// A loop that steps by THREADS up or down to a bound.
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

    /// Returns whether the plan depends on conditions at run time.
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

/// Returns the accesses by `i + k * THREADS` (false), or those by `i + MYTHREAD + k * THREADS` (true). If
/// both exist, returns those that the first value makes the thread's own.
fn rows(body: &Body, var: SymId, begins: Option<Sum>) -> Option<(bool, Owned)> {
    let own = begins.is_some_and(|begins| begins.me == 0);
    [own, !own].into_iter().find_map(|me| {
        let mut rows = Owned::default();
        rows.find(body, var, Numbering::Turns { me });
        (!rows.elements.is_empty()).then_some((me, rows))
    })
}

// ---- rewriting -----------------------------------------------------------------------------------

/// The values that are computed before the loop.
struct Names {
    /// The counter of rows in the thread's part.
    q: Var,
    /// The row of the first iteration.
    from: Term,
    /// The thread that the rows have affinity to.
    thread: Term,
    /// The thread's part of each root.
    parts: Vec<Var>,
}

/// Rewrites a loop. Returns its copy as written, if the plan depends on conditions at run time.
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

/// Computes the thread of the rows, the first row, and the thread's part of each array.
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

/// Makes the test of the conditions at run time.
fn test(tree: &Tree, plan: &Plan, names: &Names) -> Term {
    let local = plan.own.is_none().then(|| {
        let own = Term::bin("==", names.thread.clone(), Term::Name(Primitive::MyThread));
        let at = Term::call(Primitive::PartBits, [plan.rows.roots[0].first(), names.thread.clone()]);
        Term::bin("||", own, Term::Not(Box::new(Term::call(Primitive::RemoteGlobal, [at]))))
    });
    plan.rows.tests(tree).into_iter().chain(local).reduce(Term::and).unwrap_or(Term::Num(1))
}

/// Makes the loop over one thread's rows.
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

/// Returns the value of the program's variable at a row.
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

/// Makes the loop over the counter, in which the program's variable follows it.
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

/// Makes the loop for a variable that goes down. The counter of its iterations goes up.
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
