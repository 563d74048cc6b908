//! Prefetching of remote reads.
//!
//! `for (i = 0; i < n; i++) sum += a[k[i]];` waits for each element in turn. Over a network each is a message
//! there and back. But what iteration i reads can be requested before earlier iterations have run. So the
//! loop goes in parts of some hundred iterations: first it computes all their addresses and starts all their
//! reads, then it runs the iterations with the values that have come. What is on this host is read as before.
//!
//! *Why it is allowed.* A relaxed read may be done before others, and before private work, unless the program
//! could tell (UPC 5.1.2.3). A plan is for loops that have no strict accesses, call nothing that could, and
//! are left by their condition alone. Where such a loop may write to what is read in advance, a part ends in
//! front of the first iteration that reads what an earlier one of the part writes ([`crate::dependences`]).
//! What private pointers lead to is on this host and so is not prefetched, even if the loop writes there. The
//! addresses that are computed first are those that the iterations compute ([`crate::addresses`]). Only what
//! every iteration reads is prefetched, so that no address is followed that the program would not follow.
//! What is read at the same address in all iterations is read once for a part: an element of a directory of
//! shared pointers, `dir[t][i] = x`. Where nothing else is read in advance, a part is a few thousand
//! iterations.
//!
//! *Addresses that are read themselves*, `table[index[i]]` with a shared `index`: what they are made of is
//! held. Its reads, be they local, are started first, for the whole part, and its values stay those of the
//! part. So an address is computed once of one value, whatever other threads write there meanwhile.
//!
//! A `upc_forall` that goes over a thread's own part ([`crate::forall`]) is such a loop too; what it has
//! found to be local is not prefetched.
//!
//! *Limits.* UPC, scalars, and addresses that take at most one more read of the same iteration. In the
//! version of a loop for several hosts only ([`crate::versioning`]).
//!
//! *What it becomes.* A loop over parts: one [`Node::Loop`] that starts the reads of what is held
//! ([`Node::Hold`]) and a [`Node::Wait`]; one that tests ([`Node::Leave`]), notes what is written, and starts
//! the part's other reads ([`Node::Start`]) into buffers, a [`Node::Wait`] for all of them, and the
//! iterations, whose reads are [`Access::Prefetched`] and [`Access::Held`]. All count by the program's own
//! variable. After a part in which nothing was remote the iterations run without that, until one has met
//! something that is.

mod plan;

use self::plan::{Event, Plan, plan, plan_body};
use crate::passes::each_loop;
use crate::tree::{Access, Hosts, Loop, Node, Slot, Step, Term, Tree, Var, VarType};
use c_syntax::ast::*;

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::One || context.seldom {
            return false;
        }
        match tree.nodes(s).map(<[Node]>::to_vec) {
            Some(nodes) => {
                let nodes = loops_in(tree, s, nodes, context.hosts);
                tree.replace(s, nodes);
            }
            None if context.hosts == Hosts::Many && tree.is_free(s) => program_loop(tree, s),
            None => {}
        }
        true
    });
}

/// Rewrites a loop of the program's.
fn program_loop(tree: &mut Tree, s: StmtId) {
    match plan(tree, s) {
        Ok(plan) => {
            let StmtKind::For { cond: Some(cond), step: Some(step), body, .. } = tree.unit.stmts[s].kind
            else {
                return;
            };
            said(tree, s, &plan);
            let parts = Parts {
                counter: Slot::Sym(plan.var),
                go: Term::Holds(cond),
                step: vec![Step::Effect(step)],
                each: Vec::new(),
                body,
            };
            let mut nodes = vec![Node::First(s)];
            nodes.extend(rewritten(tree, &plan, parts));
            // The first clause is the original's, what it was stays there.
            tree.replace(s, nodes);
        }
        Err(why) => tree.remark("prefetch", s, Err(why)),
    }
}

/// Rewrites loops that earlier optimisations have made, where memory may be remote.
fn loops_in(tree: &mut Tree, s: StmtId, nodes: Vec<Node>, hosts: Hosts) -> Vec<Node> {
    let mut out = Vec::new();
    for node in nodes {
        match node {
            Node::Known(hosts, body) => out.push(Node::Known(hosts, loops_in(tree, s, body, hosts))),
            Node::If { test, then, otherwise } => {
                let (then, otherwise) = (loops_in(tree, s, then, hosts), loops_in(tree, s, otherwise, hosts));
                out.push(Node::If { test, then, otherwise });
            }
            Node::Loop(l) if hosts == Hosts::Many => out.extend(made_loop(tree, s, l)),
            Node::Loop(l) => {
                let body = loops_in(tree, s, l.body, hosts);
                out.push(Node::Loop(Loop { body, ..l }));
            }
            other => out.push(other),
        }
    }
    out
}

/// Rewrites such a loop: of one that counts iterations of the program's, the last node is the iteration.
fn made_loop(tree: &mut Tree, s: StmtId, l: Loop) -> Vec<Node> {
    if let (Some((counter, var)), Some(&Node::Stmt(body))) = (l.counts, l.body.last()) {
        match plan_body(tree, var, body, |_| Ok(())) {
            Ok(plan) => {
                said(tree, s, &plan);
                let each = l.body[..l.body.len() - 1].to_vec();
                let parts = Parts { counter: Slot::Made(counter), go: l.go, step: l.step, each, body };
                return rewritten(tree, &plan, parts);
            }
            Err(why) => tree.remark("prefetch", s, Err(why)),
        }
    }
    let body = loops_in(tree, s, l.body, Hosts::Many);
    vec![Node::Loop(Loop { body, ..l })]
}

/// Tells what is prefetched and what is not.
fn said(tree: &mut Tree, s: StmtId, plan: &Plan) {
    tree.remark("prefetch", s, Ok(plan.summary(tree)));
    plan.refused.iter().for_each(|&(e, why)| tree.refuse(e, why));
}

// ---- rewriting -----------------------------------------------------------------------------------

/// A loop that is to go in parts.
struct Parts {
    /// What counts its iterations.
    counter: Slot,
    go: Term,
    step: Vec<Step>,
    /// What an iteration begins with.
    each: Vec<Node>,
    body: StmtId,
}

/// The names of a loop that goes in parts.
struct Names {
    /// Reads under way.
    waiting: Var,
    /// The part at hand has been prefetched.
    fetched: Var,
    /// Something in it is remote.
    met: Var,
    /// Iterations for which the reads of what is held have been started.
    ready: Var,
    /// Iterations whose reads have been started.
    n: Var,
    /// Iterations that have run.
    m: Var,
    /// Where the part begins.
    from: Var,
}

fn set(var: Var, value: Term) -> Node {
    Node::Assign(Slot::Made(var), value)
}

fn declare(var: Var, ty: VarType, value: Option<Term>) -> Node {
    Node::Declare { var, ty, value }
}

fn less(a: Term, b: Term) -> Term {
    Term::bin("<", a, b)
}

fn rewritten(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    if plan.reads.is_empty() && plan.held.is_empty() && plan.cached.is_empty() {
        once_a_part(tree, plan, parts)
    } else {
        in_parts(tree, plan, parts)
    }
}

/// A loop that reads the same objects in all iterations, and nothing else in advance.
fn once_a_part(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let m = tree.var("m");
    let mut out = vec![declare(m, VarType::Unsigned, None)];
    let mut part = reads_once(tree, plan, &mut out);
    let mut body = parts.each;
    body.push(Node::Stmt(parts.body));
    let go = less(m.into(), Term::Name("MER_PREFETCH_PAUSE")).and(parts.go.clone());
    let step = [vec![Step::Next(m)], parts.step].concat();
    part.push(set(m, Term::Num(0)));
    part.push(Node::Loop(Loop { go, step, body, counts: None }));
    out.push(Node::Loop(Loop { go: parts.go, step: Vec::new(), body: part, counts: None }));
    out
}

fn in_parts(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let names = Names {
        waiting: tree.var("waiting"),
        fetched: tree.var("fetched"),
        met: tree.var("met"),
        ready: tree.var("ready"),
        n: tree.var("n"),
        m: tree.var("m"),
        from: tree.var("from"),
    };
    let Names { waiting, fetched, met, n, m, from, .. } = names;
    let first = if plan.cached_alone() { Term::Name("mer_cache_cold") } else { Term::Num(1) };
    let mut out = vec![
        declare(waiting, VarType::Int, Some(Term::Num(0))),
        // The cache may have all, or what is here may be all.
        declare(fetched, VarType::Int, Some(first)),
        declare(met, VarType::Int, None),
        declare(n, VarType::Unsigned, None),
        declare(m, VarType::Unsigned, None),
        declare(from, VarType::Like(parts.counter), None),
    ];
    let once = reads_once(tree, plan, &mut out);
    let start = starts(tree, plan, &parts, &names, &mut out);
    let alone = Term::Not(Box::new(met.into())).and(less(m.into(), Term::Name("MER_PREFETCH_PAUSE")));
    let runs = Term::choose(fetched.into(), less(m.into(), n.into()), alone.and(parts.go.clone()));
    let mut body = parts.each;
    body.push(Node::Stmt(parts.body));
    let step = [vec![Step::Next(m)], parts.step].concat();
    let second = Node::Loop(Loop { go: runs, step, body, counts: None });
    let part = [
        once,
        vec![
            set(met, Term::Num(0)),
            set(n, Term::Num(0)),
            Node::If { test: fetched.into(), then: start, otherwise: Vec::new() },
            set(m, Term::Num(0)),
            second,
            set(fetched, met.into()),
        ],
    ];
    out.push(Node::Loop(Loop { go: parts.go, step: Vec::new(), body: part.concat(), counts: None }));
    out
}

/// Reads what is the same in all iterations. Reads are copied for where they are done now, as the marks in
/// front of them have made them.
fn reads_once(tree: &mut Tree, plan: &Plan, out: &mut Vec<Node>) -> Vec<Node> {
    let mut once = Vec::new();
    for &e in &plan.once {
        let (var, read) = (tree.var("once"), tree.copy_expr(e));
        out.push(declare(var, VarType::Value(tree.typed.ty(e)), None));
        once.push(set(var, Term::Value(read)));
        tree.mark(e, Access::Value(var));
    }
    once
}

/// Starts the reads of a part.
fn starts(tree: &mut Tree, plan: &Plan, parts: &Parts, names: &Names, out: &mut Vec<Node>) -> Vec<Node> {
    let &Names { waiting, fetched, met, ready, n, m, from } = names;
    let counter = match parts.counter {
        Slot::Made(var) => Term::Var(var),
        Slot::Sym(sym) => Term::Sym(sym),
    };
    let part = |count: Var, most: Term, body: Vec<Node>| {
        let step = [vec![Step::Next(count)], parts.step.clone()].concat();
        let body = [parts.each.clone(), body].concat();
        let go = less(count.into(), most).and(parts.go.clone());
        [Node::Loop(Loop { go, step, body, counts: None }), Node::Wait(waiting)]
    };
    let again = Node::Assign(parts.counter, from.into());
    let mut start = vec![set(from, counter)];
    let depth = if plan.cached_alone() { "MER_CACHE_DEPTH" } else { "MER_PREFETCH_DEPTH" };
    let mut most = Term::Name(depth);
    let mut held = Vec::new();
    if !plan.held.is_empty() {
        let (tests, body) = in_advance(tree, &plan.first);
        let (body, marks) = holds(tree, plan, names, body, out);
        held = marks;
        out.push(declare(ready, VarType::Unsigned, None));
        start.push(set(ready, Term::Num(0)));
        start.extend(tests);
        start.extend(part(ready, most, body));
        start.push(again.clone());
        most = ready.into();
    }
    let (tests, mut body) = in_advance(tree, &plan.events);
    let mut marks = held;
    for &e in &plan.reads {
        let (buffer, read) = (tree.var("buffer"), tree.copy_expr(e));
        out.push(declare(buffer, VarType::Buffer(tree.typed.ty(e)), None));
        body.push(Node::Start { read, buffer, at: n, waiting, met });
        marks.push((e, Access::Prefetched { buffer, at: m, fetched, met }));
    }
    if !plan.cached.is_empty() {
        start.push(Node::Do(Term::call("mer_cache_part", [])));
        body.insert(0, Node::Leave(Term::call("mer_cache_part_full", [])));
    }
    for &e in &plan.cached {
        body.push(Node::StartCached { read: tree.copy_expr(e), waiting, met });
        if !plan.held.contains(&e) {
            marks.push((e, Access::Cached(Some(met))));
        }
    }
    let stops = !tests.is_empty();
    start.extend(tests);
    start.extend(part(n, most, body));
    start.push(again);
    if stops {
        // The first iteration reads what it has written: it runs by itself.
        let none = Term::bin("==", n.into(), Term::Num(0));
        let then = vec![set(fetched, Term::Num(0)), set(met, Term::Num(0))];
        start.push(Node::If { test: none, then, otherwise: Vec::new() });
    }
    marks.into_iter().for_each(|(e, access)| tree.mark(e, access));
    start
}

/// Holds what addresses are made of, behind what an iteration begins with: the iteration, and what the
/// accesses become in the part; until then they are what the loop that starts the other reads needs.
fn holds(
    tree: &mut Tree,
    plan: &Plan,
    names: &Names,
    mut body: Vec<Node>,
    out: &mut Vec<Node>,
) -> (Vec<Node>, Vec<(ExprId, Access)>) {
    let &Names { waiting, fetched, met, ready, n, m, .. } = names;
    let mut held = Vec::new();
    for &e in &plan.held {
        let (buffer, read) = (tree.var("buffer"), tree.copy_expr(e));
        out.push(declare(buffer, VarType::Buffer(tree.typed.ty(e)), None));
        body.push(Node::Hold { read, buffer, at: ready, waiting, met });
        let otherwise = tree.copy_expr(e);
        match tree.access(e) {
            None => tree.mark(otherwise, Access::Prefetched { buffer, at: m, fetched, met }),
            Some(Access::Cached(_)) => {
                tree.mark(read, Access::Cached(None));
                tree.mark(otherwise, Access::Cached(Some(met)));
            }
            Some(_) => {}
        }
        held.push((e, Access::Held { buffer, at: m, fetched, otherwise }));
        tree.mark(e, Access::Held { buffer, at: n, fetched, otherwise });
    }
    (body, held)
}

/// What is declared in front of a loop that computes addresses in advance, and what its body begins with: it
/// leaves the loop in front of an iteration that reads what an earlier one writes.
fn in_advance(tree: &mut Tree, events: &[Event]) -> (Vec<Node>, Vec<Node>) {
    let (mut front, mut body, mut extents) = (Vec::new(), Vec::new(), Vec::new());
    for event in events {
        if let &Event::Write(write, _) = event {
            let var = tree.var("written");
            front.push(declare(var, VarType::Extent, Some(Term::Name("MER_EXTENT_NONE"))));
            extents.push((write, var));
        }
    }
    let extent = |write: usize| extents.iter().find(|of| of.0 == write).map(|of| of.1);
    let object = |tree: &mut Tree, var: Var, e: ExprId| {
        let place = Term::Place(tree.copy_expr(e));
        [Term::Ref(var), place, Term::Size(tree.typed.ty(e))]
    };
    for event in events {
        match event {
            Event::Read(e, writes) => {
                for var in writes.iter().filter_map(|&write| extent(write)) {
                    body.push(Node::Leave(Term::call("mer_extent_meets", object(tree, var, *e))));
                }
            }
            &Event::Write(write, e) => {
                if let Some(var) = extent(write) {
                    body.push(Node::Do(Term::call("mer_extent_add", object(tree, var, e))));
                }
            }
        }
    }
    (front, body)
}
