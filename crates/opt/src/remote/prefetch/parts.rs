//! Rewrites a loop so that it goes in parts.
//!
//! With two parts under way ([`in_turns`]), each pass starts the reads of the next part, waits for those of
//! the current part, and runs the current part:
//!
//! ```text
//! for (; first < last || go; ) {
//!     begin = next * DEPTH, n = begin;
//!     if (met) { start the reads of DEPTH iterations or fewer from `front' on, up to n, in waiting[next] }
//!     wait for waiting[now];
//!     run iterations first ... last of the current part, or, if there is none and nothing is remote,
//!         iterations without prefetching
//!     first = begin, last = n, now = next, next = !now;
//! }
//! ```
//!
//! Element m of a buffer is iteration m's. Iterations of one part count from 0, those of the other from
//! DEPTH. If nothing in the next part is remote, the part is dropped, and its iterations run without
//! prefetching.

use super::plan::{Event, Local, Plan, Position};
use crate::ir::tree::{Access, Loop, Node, Primitive, Slot, Step, Term, Tree, Var, VarType, Waiting};
use c_syntax::ast::*;

/// A loop that is to go in parts.
pub(super) struct Parts {
    /// The counter of its iterations.
    pub(super) counter: Slot,
    pub(super) go: Term,
    pub(super) step: Vec<Step>,
    /// Nodes at the beginning of each iteration.
    pub(super) each: Vec<Node>,
    pub(super) body: StmtId,
}

// Each of these stands in several generated loops, so these functions return copies.
impl Parts {
    pub(super) fn go(&self, tree: &mut Tree) -> Term {
        tree.copy_term(&self.go)
    }

    /// Returns the steps of a loop that also counts in a variable of its own.
    pub(super) fn step(&self, tree: &mut Tree, count: Var) -> Vec<Step> {
        [vec![Step::Next(count)], tree.copy_steps(&self.step)].concat()
    }

    /// Returns the nodes at the beginning of an iteration, followed by `rest`.
    pub(super) fn each(&self, tree: &mut Tree, rest: Vec<Node>) -> Vec<Node> {
        [tree.copy_nodes(&self.each), rest].concat()
    }
}

/// The variables of a loop that goes in parts.
struct Names {
    /// Counts reads under way.
    waiting: Waiting,
    /// The current part has been prefetched.
    fetched: Var,
    /// Something in the part is remote.
    met: Var,
    /// The number of iterations whose held reads have been started.
    ready: Var,
    /// The number of iterations whose reads have been started.
    n: Var,
    /// The number of iterations that have run.
    m: Var,
    /// The counter's value at the beginning of the part.
    from: Var,
    /// Set if the next part is started before the current one has run.
    ahead: Option<Ahead>,
}

/// The variables of a loop with two parts under way.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// The first iteration whose reads have not been started.
    front: Var,
    /// The current part is iterations `first` to `last` - 1.
    first: Var,
    last: Var,
    /// The first buffer element of the next part.
    begin: Var,
    /// Two counts, and the indices of the current part's and the next part's count.
    waiting: Var,
    now: Var,
    next: Var,
}

impl Ahead {
    fn new(tree: &mut Tree) -> Ahead {
        Ahead {
            front: tree.var("front"),
            first: tree.var("first"),
            last: tree.var("last"),
            begin: tree.var("begin"),
            waiting: tree.var("waiting"),
            now: tree.var("now"),
            next: tree.var("next"),
        }
    }

    /// Returns whether there is a current part that has not run.
    fn pending(&self) -> Term {
        less(self.first.into(), self.last.into())
    }
}

impl Names {
    /// Returns the buffer index of the first iteration whose reads are to be started.
    fn begin(&self) -> Term {
        self.ahead.map_or(Term::Num(0), |ahead| ahead.begin.into())
    }
}

pub(super) fn set(var: Var, value: Term) -> Node {
    Node::Assign(Slot::Made(var), value)
}

pub(super) fn declare(var: Var, ty: VarType, value: Option<Term>) -> Node {
    Node::Declare { var, ty, value }
}

pub(super) fn less(a: Term, b: Term) -> Term {
    Term::bin("<", a, b)
}

pub(super) fn when(test: Term, then: Vec<Node>) -> Node {
    Node::If { test, then, otherwise: Vec::new() }
}

/// Returns the value of the iterations' counter.
pub(super) fn value(slot: Slot) -> Term {
    match slot {
        Slot::Made(var) => Term::Var(var),
        Slot::Sym(sym) => Term::Sym(sym),
        Slot::Element(buffer, at) => Term::Element(buffer, at),
    }
}

pub(super) fn rewritten(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    if plan.reads.is_empty() && plan.held.is_empty() && plan.cached.is_empty() {
        once_a_part(tree, plan, parts)
    } else if plan.overlaps() {
        in_turns(tree, plan, parts)
    } else {
        in_parts(tree, plan, parts)
    }
}

/// Returns a loop that reads the same objects in all iterations, and nothing else in advance.
fn once_a_part(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let m = tree.var("m");
    let mut out = vec![declare(m, VarType::Unsigned, None)];
    let mut part = reads_once(tree, &plan.once, &mut out);
    let go = less(m.into(), Term::Name(Primitive::PrefetchPause)).and(parts.go(tree));
    part.push(set(m, Term::Num(0)));
    part.push(iterations(tree, &parts, m, go));
    out.push(Node::Loop(Loop { go: parts.go(tree), step: Vec::new(), body: part, counts: None }));
    out
}

/// Returns the loop over the iterations of a part, which runs while `go` holds and counts them in `m`.
fn iterations(tree: &mut Tree, parts: &Parts, m: Var, go: Term) -> Node {
    let (body, step) = (parts.each(tree, vec![Node::Stmt(parts.body)]), parts.step(tree, m));
    Node::Loop(Loop { go, step, body, counts: None })
}

/// Returns the loop over the iterations up to `last` of the buffers, or over iterations that are not
/// prefetched.
fn prefetched(tree: &mut Tree, parts: &Parts, names: &Names, last: Var) -> Node {
    let &Names { fetched, met, m, .. } = names;
    let alone = Term::Not(Box::new(met.into())).and(less(m.into(), Term::Name(Primitive::PrefetchPause)));
    let go = Term::choose(fetched.into(), less(m.into(), last.into()), alone.and(parts.go(tree)));
    iterations(tree, parts, m, go)
}

fn names(tree: &mut Tree, ahead: Option<Ahead>) -> Names {
    let waiting = match ahead {
        Some(ahead) => Waiting::Of(ahead.waiting, ahead.next),
        None => Waiting::Var(tree.var("waiting")),
    };
    Names {
        waiting,
        fetched: tree.var("fetched"),
        met: tree.var("met"),
        ready: tree.var("ready"),
        n: tree.var("n"),
        m: tree.var("m"),
        from: tree.var("from"),
        ahead,
    }
}

/// Returns a loop that starts the reads of a part and runs it.
fn in_parts(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let names = names(tree, None);
    let Names { fetched, met, n, m, from, .. } = names;
    let first = if plan.served_by_cache(tree) { Term::Name(Primitive::CacheCold) } else { Term::Num(1) };
    let mut out = Vec::new();
    if let Waiting::Var(waiting) = names.waiting {
        out.push(declare(waiting, VarType::Int, Some(Term::Num(0))));
    }
    out.extend([
        // The cache may hold all objects, or all may be on this host.
        declare(fetched, VarType::Int, Some(first)),
        declare(met, VarType::Int, None),
        declare(n, VarType::Unsigned, None),
        declare(m, VarType::Unsigned, None),
        declare(from, VarType::Like(parts.counter), None),
    ]);
    let once = reads_once(tree, &plan.once, &mut out);
    let start = starts(tree, plan, &parts, &names, &mut out);
    let run = prefetched(tree, &parts, &names, n);
    let part = [
        once,
        vec![
            set(met, Term::Num(0)),
            set(n, Term::Num(0)),
            when(fetched.into(), start),
            set(m, Term::Num(0)),
            run,
            set(fetched, met.into()),
        ],
    ];
    let go = parts.go(tree);
    out.push(Node::Loop(Loop { go, step: Vec::new(), body: part.concat(), counts: None }));
    out
}

/// Returns a loop that starts the reads of the next part before it runs the current one.
fn in_turns(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let ahead = Ahead::new(tree);
    let names = names(tree, Some(ahead));
    let Names { fetched, met, n, m, from, .. } = names;
    let Ahead { first, last, now, next, .. } = ahead;
    let depth = plan.depth(tree);
    let mut out = vec![
        declare(ahead.waiting, VarType::Counts, None),
        declare(now, VarType::Int, Some(Term::Num(1))),
        declare(next, VarType::Int, Some(Term::Num(0))),
        declare(fetched, VarType::Int, None),
        declare(met, VarType::Int, Some(Term::Num(1))),
        declare(first, VarType::Unsigned, Some(Term::Num(0))),
        declare(last, VarType::Unsigned, Some(Term::Num(0))),
        declare(ahead.begin, VarType::Unsigned, None),
        declare(n, VarType::Unsigned, None),
        declare(m, VarType::Unsigned, None),
        declare(from, VarType::Like(parts.counter), None),
        declare(ahead.front, VarType::Like(parts.counter), Some(value(parts.counter))),
    ];
    let start = starts(tree, plan, &parts, &names, &mut out);
    let go = Term::bin("||", ahead.pending(), parts.go(tree));
    let run = prefetched(tree, &parts, &names, last);
    let turn = vec![
        set(ahead.begin, Term::choose(next.into(), depth, Term::Num(0))),
        set(n, ahead.begin.into()),
        when(met.into(), start),
        Node::Wait(Waiting::Of(ahead.waiting, now)),
        set(fetched, ahead.pending()),
        set(m, Term::choose(fetched.into(), first.into(), Term::Num(0))),
        run,
        set(first, ahead.begin.into()),
        set(last, n.into()),
        set(now, next.into()),
        set(next, Term::Not(Box::new(now.into()))),
    ];
    out.push(Node::Loop(Loop { go, step: Vec::new(), body: turn, counts: None }));
    out
}

/// Reads the objects that are the same in all iterations. Each read is copied, with the marks of the reads
/// before it, to the place where it is done now.
pub(super) fn reads_once(tree: &mut Tree, reads: &[ExprId], out: &mut Vec<Node>) -> Vec<Node> {
    let mut once = Vec::new();
    for &e in reads {
        let (var, read) = (tree.var("once"), tree.copy_expr(e));
        out.push(declare(var, VarType::Value(tree.typed.ty(e)), None));
        once.push(set(var, Term::Value(read)));
        tree.mark(e, Access::Value(var));
    }
    once
}

/// Starts the reads of a part: of the next part, if two are under way.
fn starts(tree: &mut Tree, plan: &Plan, parts: &Parts, names: &Names, out: &mut Vec<Node>) -> Vec<Node> {
    let &Names { waiting, fetched, met, ready, n, m, from, ahead } = names;
    let part = |tree: &mut Tree, count: Var, most: Term, body: Vec<Node>| {
        let (step, body) = (parts.step(tree, count), parts.each(tree, body));
        let go = less(count.into(), most).and(parts.go(tree));
        Node::Loop(Loop { go, step, body, counts: None })
    };
    let to = |var: Var| Node::Assign(parts.counter, var.into());
    let begins = ahead.map_or(from, |ahead| ahead.front);
    let mut start = vec![set(from, value(parts.counter))];
    if let Some(ahead) = ahead {
        let none = Term::Not(Box::new(ahead.pending()));
        start.push(when(none, vec![set(ahead.front, from.into())]));
        start.extend([to(ahead.front), set(met, Term::Num(0)), set(fetched, Term::Num(1))]);
    }
    let most = plan.depth(tree);
    let mut most = if ahead.is_some() { Term::bin("+", names.begin(), most) } else { most };
    let mut held = Vec::new();
    if !plan.held.is_empty() {
        let (tests, extents) = extents(tree, plan, &plan.first, ahead, out);
        let body = computed(tree, &plan.first_locals, &plan.first, &extents);
        let (body, marks) = holds(tree, plan, names, body, out);
        held = marks;
        out.push(declare(ready, VarType::Unsigned, None));
        start.push(set(ready, names.begin()));
        start.extend(tests);
        start.extend([part(tree, ready, most, body), Node::Wait(waiting), to(begins)]);
        most = ready.into();
    }
    let (tests, extents) = extents(tree, plan, &plan.events, ahead, out);
    let mut body = computed(tree, &plan.locals, &plan.events, &extents);
    let mut marks = held;
    for &e in &plan.reads {
        let buffer = tree.var("buffer");
        out.push(declare(buffer, VarType::Buffer(tree.typed.ty(e)), None));
        body.push(started(tree, plan, e, [buffer, n, met], waiting));
        let all = plan.all.contains(&e);
        marks.push((e, Access::Prefetched { buffer, at: m, fetched, met, all }));
    }
    if !plan.cached.is_empty() {
        start.push(Node::Do(Term::call(Primitive::CachePart, [])));
        body.insert(0, Node::Leave(Term::call(Primitive::CachePartFull, [])));
    }
    for &e in &plan.cached {
        body.push(Node::StartCached { read: tree.copy_expr(e), waiting, met });
        if !plan.held.contains(&e) {
            marks.push((e, Access::Cached(Some(met))));
        }
    }
    let stops = !tests.is_empty();
    start.extend(tests);
    start.push(part(tree, n, most, body));
    match ahead {
        None => start.extend([Node::Wait(waiting), to(from)]),
        Some(ahead) => start.extend([set(ahead.front, value(parts.counter)), to(from)]),
    }
    start.extend(unstarted(names, stops));
    marks.into_iter().for_each(|(e, access)| tree.mark(e, access));
    start
}

/// Starts the read `e` into element `at` of a buffer. `met` is set if the object is remote.
pub(super) fn started(
    tree: &mut Tree,
    plan: &Plan,
    e: ExprId,
    [buffer, at, met]: [Var; 3],
    waiting: Waiting,
) -> Node {
    let read = tree.copy_expr(e);
    if plan.scattered.contains(&e) {
        tree.scatter(read);
    }
    match plan.all.contains(&e) {
        true => Node::Hold { read, buffer, at, waiting, met, lost: None },
        false => Node::Start { read, buffer, at, waiting, met },
    }
}

/// Returns the nodes for a part of which nothing has been started. `stops`: a part ends before an iteration
/// that reads an object which an earlier one writes.
fn unstarted(names: &Names, stops: bool) -> Vec<Node> {
    let &Names { fetched, met, n, ahead, .. } = names;
    // The first iteration reads an object that it, or the part before, writes: it is not prefetched.
    let none = Term::bin("==", n.into(), names.begin());
    let alone = match ahead {
        None => vec![set(fetched, Term::Num(0)), set(met, Term::Num(0))],
        Some(ahead) => vec![set(met, ahead.pending())],
    };
    let stopped = if stops { vec![when(none, alone)] } else { Vec::new() };
    match ahead {
        None => stopped,
        Some(_) => {
            let then = vec![set(n, names.begin())];
            vec![Node::If { test: Term::Not(Box::new(met.into())), then, otherwise: stopped }]
        }
    }
}

/// Holds the reads on which addresses depend, after the beginning of an iteration (`body`). Returns the
/// iteration, and the accesses' marks in the part. Until these are set, the accesses have the marks that the
/// loop for the other reads needs.
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
        body.push(Node::Hold { read, buffer, at: ready, waiting, met, lost: None });
        let otherwise = tree.copy_expr(e);
        match tree.access(e) {
            None => tree.mark(otherwise, Access::Prefetched { buffer, at: m, fetched, met, all: false }),
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

/// The extents that a part writes: the number of each write, with the variable for its own part and, if two
/// parts are under way, the one for the part before.
pub(super) type Extents = Vec<(usize, Vec<Var>)>;

/// Declares the extents of the writes among these events. Returns the nodes that precede the loop which
/// computes addresses in advance, and the extents.
pub(super) fn extents(
    tree: &mut Tree,
    plan: &Plan,
    events: &[Event],
    ahead: Option<Ahead>,
    out: &mut Vec<Node>,
) -> (Vec<Node>, Extents) {
    let (mut front, mut extents) = (Vec::new(), Vec::new());
    for event in events {
        if let &Event::Write(write, ..) = event {
            let var = tree.var("written");
            let none =
                || Some(Term::Name(if plan.nested { Primitive::ExtentRange } else { Primitive::ExtentNone }));
            let Some(ahead) = ahead else {
                front.push(declare(var, VarType::Extent, none()));
                extents.push((write, vec![var]));
                continue;
            };
            let before = tree.var("before");
            out.extend([declare(before, VarType::Extent, none()), declare(var, VarType::Extent, none())]);
            let next = [Term::Ref(before), Term::Ref(var), ahead.pending()];
            front.push(Node::Do(Term::call(Primitive::ExtentNext, next)));
            extents.push((write, vec![var, before]));
        }
    }
    (front, extents)
}

/// Returns an extent, the place of the object `e`, and its size. The place does not depend on how the value
/// is read.
pub(super) fn object(tree: &mut Tree, extent: Var, e: ExprId) -> [Term; 3] {
    let place = match tree.access(e) {
        Some(&Access::Held { otherwise, .. }) => tree.copy_expr(otherwise),
        _ => tree.copy_expr(e),
    };
    if let Some(Access::Staged { .. } | Access::Prefetched { .. }) = tree.access(place) {
        tree.unmark(place);
    }
    [Term::Ref(extent), Term::Place(place), Term::Size(tree.typed.ty(e))]
}

/// Returns the nodes by which an iteration of that loop follows the program, in the order of the text: it
/// sets variables on which addresses depend, notes writes, and tests reads. The loop is left before an
/// iteration that reads an object which an earlier one writes, possibly one of the current part. So nothing
/// is computed from an untested value.
pub(super) fn computed(tree: &mut Tree, locals: &[Local], events: &[Event], extents: &Extents) -> Vec<Node> {
    let of = |write: usize| extents.iter().find(|of| of.0 == write).map_or(&[][..], |of| &of.1);
    let mut steps: Vec<(Position, Vec<Node>)> = Vec::new();
    for local in locals {
        let value = Term::Value(tree.copy_expr(local.value));
        steps.push((local.position(tree), vec![Node::Define(local.sym, value)]));
    }
    for event in events {
        let nodes = match event {
            Event::Read(e, writes) => {
                let vars = writes.iter().flat_map(|&write| of(write));
                vars.map(|&var| Node::Leave(Term::call(Primitive::ExtentMeets, object(tree, var, *e))))
                    .collect()
            }
            &Event::Write(write, e, _) => {
                let first = of(write).first();
                first
                    .map(|&var| Node::Do(Term::call(Primitive::ExtentAdd, object(tree, var, e))))
                    .into_iter()
                    .collect()
            }
        };
        steps.push((event.position(tree), nodes));
    }
    steps.sort_by_key(|step| step.0);
    steps.into_iter().flat_map(|step| step.1).collect()
}
