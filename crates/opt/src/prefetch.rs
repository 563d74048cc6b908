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

use crate::addresses::{Addresses, Inputs};
use crate::body::Body;
use crate::certain::{self, Certain};
use crate::dependences::Dependences;
use crate::passes::each_loop;
use crate::shapes::{Stride, is_long, mentions};
use crate::tree::{Access, Hosts, Loop, Node, Slot, Step, Term, Tree, Var, VarType};
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::Language;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// More accesses of a loop than these are not prefetched: they take memory.
const MOST_READS: usize = 8;
/// More reads and writes than these are not tested against each other: a test takes time.
const MOST_TESTS: usize = 16;

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

/// What of a loop is prefetched: accesses to shared scalars, without parentheses around them.
struct Plan {
    /// The loop's variable: its step alone changes it.
    var: SymId,
    /// To the same object in all iterations; inner ones, which the addresses of others are made of, come
    /// first.
    once: Vec<ExprId>,
    /// What addresses are made of.
    held: Vec<ExprId>,
    /// To others in each.
    reads: Vec<ExprId>,
    /// To others in each, which the cache keeps.
    cached: Vec<ExprId>,
    /// Whether the addresses of what is held can be computed.
    first: Vec<Event>,
    /// The same of all.
    events: Vec<Event>,
    /// Reads that are left out, with the reason.
    refused: Vec<(ExprId, &'static str)>,
}

/// What an iteration does in advance, in the order of the text.
#[derive(Clone, Debug)]
enum Event {
    /// It reads an object, which one of these writes may be to.
    Read(ExprId, Vec<usize>),
    /// The write of this number is to an object.
    Write(usize, ExprId),
}

impl Plan {
    /// Whether all that varies comes from the cache, and no buffer bounds a part.
    fn cached_alone(&self) -> bool {
        self.reads.is_empty() && self.held.is_empty() && !self.cached.is_empty()
    }

    fn summary(&self, tree: &Tree) -> String {
        let root = |&e: &ExprId| {
            let mut found = String::new();
            each_expr(&tree.unit, Any::Expr(e), |e| {
                if let (ExprKind::Ident(name), true) = (&tree.unit.exprs[e].kind, found.is_empty()) {
                    found = name.text.to_string();
                }
                found.is_empty()
            });
            found
        };
        let names = |list: &[ExprId]| list.iter().map(root).collect::<Vec<_>>().join(" ");
        let lists =
            [("", &self.reads), ("cached ", &self.cached), ("once ", &self.once), ("held ", &self.held)];
        let lists = lists.iter().filter(|(_, list)| !list.is_empty());
        let lists: Vec<_> = lists.map(|(what, list)| format!("{what}[{}]", names(list))).collect();
        let mut summary = lists.join(", ");
        if !self.events.is_empty() {
            summary += ", up to what it writes";
        }
        summary
    }
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
        let (tests, mut body) = in_advance(tree, &plan.first);
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

// ---- analysis ------------------------------------------------------------------------------------

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, &'static str> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let StmtKind::For { cond: Some(cond), step: Some(_), body, .. } = unit.stmts[s].kind else {
        return Err("");
    };
    let step = tree.shape(s).and_then(|shape| shape.step).ok_or("its step is of no known kind")?;
    plan_body(tree, step.var, body, |addresses| {
        if let Stride::By(by) = step.by
            && (mentions(unit, typed, by, step.var) || !addresses.plain(by))
        {
            return Err("its step may change");
        }
        if addresses.plain(cond) { Ok(()) } else { Err("its condition reads what may change") }
    })
}

/// The plan for a loop with this variable and body, if its head can be evaluated before its iterations run.
fn plan_body(
    tree: &Tree,
    var: SymId,
    stmt: StmtId,
    head: impl Fn(&Addresses) -> Result<(), &'static str>,
) -> Result<Plan, &'static str> {
    let typed = &tree.typed;
    if !matches!(typed.types.language, Language::Upc) {
        return Err("");
    }
    if is_long(&tree.unit, stmt) {
        return Err("its body is long");
    }
    let body = Body::new(tree, stmt);
    if body.effects.rigid || body.effects.opaque {
        return Err("its body synchronises, leaves the loop, or is not followed");
    }
    if body.effects.calls {
        return Err("it calls a function that may do anything");
    }
    let dependences = Dependences::new(&body)?;
    if !body.leaves(var) || !matches!(typed.types.of(typed.sym(var).ty), Ty::Int(_) | Ty::Pointer(_)) {
        return Err("more than its step changes the variable");
    }
    let addresses = Addresses::new(&body, var, &dependences);
    head(&addresses)?;
    let certain = certain::of_body(&tree.unit, stmt);
    let finder = Finder { tree, addresses: &addresses, dependences: &dependences, certain: &certain };
    finder.plan(var, |e| typed.types.is_shared(typed.ty(e)) && !body.is_array(e))
}

/// Finds the plan.
struct Finder<'a> {
    tree: &'a Tree,
    addresses: &'a Addresses<'a>,
    dependences: &'a Dependences<'a>,
    certain: &'a Certain,
}

/// What has to be held and tested.
#[derive(Clone, Default)]
struct Found {
    held: Vec<ExprId>,
    /// Reads, each with the writes that it may meet.
    reads: Vec<(ExprId, Vec<usize>)>,
    writes: Vec<usize>,
}

const MOVES: &str = "the address of what it reads may change before the iteration";
const WRITES: &str = "it may write what it reads, and the address of that may change before the iteration";

impl Finder<'_> {
    fn plan(&self, var: SymId, is_object: impl Fn(ExprId) -> bool) -> Result<Plan, &'static str> {
        let mut surely = self.certain.reads.clone();
        let by_owner = |e: ExprId| self.dependences.by_owner.contains(&e);
        let free = |e: ExprId| matches!(self.tree.access(e), None | Some(Access::Cached(_)));
        surely.retain(|&e| is_object(e) && free(e) && !by_owner(e));
        if surely.is_empty() {
            return Err("no iteration is sure to read shared memory");
        }
        let (mut refused, mut found, mut reads, mut once) =
            (Vec::new(), Found::default(), Vec::new(), Vec::new());
        for e in surely {
            let mut more = found.clone();
            match self.fetched(e, &mut more) {
                Ok(()) if self.addresses.varies(e) => {
                    reads.push(e);
                    found = more;
                }
                Ok(()) if self.is_once(e) => once.push(e),
                Ok(()) => refused.push((e, "it reads the same object each time, which the loop may write")),
                Err(why) => refused.push((e, why)),
            }
        }
        // A directory of what the cache keeps is asked for as well, so that the next part finds it there.
        let directories: Vec<ExprId> = reads
            .iter()
            .filter(|&&e| self.is_cached(e))
            .flat_map(|&e| self.addresses.inputs(e).unwrap_or_default().shared)
            .collect();
        reads.retain(|e| !found.held.contains(e) || (self.is_cached(*e) && directories.contains(e)));
        let (cached, reads): (Vec<_>, Vec<_>) = reads.into_iter().partition(|&e| self.is_cached(e));
        match (reads.len(), refused.first()) {
            (0, refused) if once.is_empty() && cached.is_empty() => {
                return Err(refused.map_or("it reads the same object each time", |&(_, why)| why));
            }
            (n, _) if n + found.held.len() > MOST_READS || cached.len() > MOST_READS => {
                return Err("it has more reads than buffers are worth");
            }
            _ => {}
        }
        let (first, events) = (self.first_events(&found)?, self.events(&found, |_| true));
        if events.len() > MOST_TESTS {
            return Err("it may write what it reads, in more places than tests are worth");
        }
        Ok(Plan { var, once, held: found.held, reads, cached, first, events, refused })
    }

    fn is_cached(&self, e: ExprId) -> bool {
        matches!(self.tree.access(e), Some(Access::Cached(_)))
    }

    /// Whether all iterations read the same at `e`.
    fn is_once(&self, e: ExprId) -> bool {
        self.addresses.constant(e) && self.addresses.inputs(e).is_some_and(|inputs| inputs.is_empty())
    }

    /// Notes what a read of the shared object `e` in advance takes.
    fn fetched(&self, e: ExprId, found: &mut Found) -> Result<(), &'static str> {
        let (types, q) = (&self.tree.typed.types, self.tree.typed.ty(e));
        if !types.is_scalar(q) || crate::places::is_bit_field(self.tree, e) {
            return Err("it reads no scalar, or a bit-field");
        }
        let inputs = self.inputs(e, true).ok_or(MOVES)?;
        self.inputs_tested(&inputs, found)?;
        // What the loop writes it writes to the cache too.
        if self.is_cached(e) {
            return Ok(());
        }
        let writes = &self.dependences.writes;
        self.tested(e, |k| self.dependences.may_write_remote(&writes[k], e), found)
    }

    /// What an address is made of, if that can be read in advance; `surely`: each iteration computes it.
    fn inputs(&self, e: ExprId, surely: bool) -> Option<Inputs> {
        let inputs = self.addresses.inputs(e)?;
        let holds = |&h: &ExprId| {
            let other = matches!(self.tree.access(h),
                Some(access) if !matches!(access, Access::Element { .. } | Access::Cached(_)));
            let simple = self.addresses.inputs(h);
            let simple = simple.is_some_and(|inputs| inputs.shared.is_empty() && !inputs.conditional);
            simple && !other && self.certain.reads.contains(&h)
        };
        let sound = (surely || inputs.is_empty()) && !inputs.conditional && inputs.shared.iter().all(holds);
        sound.then_some(inputs)
    }

    fn inputs_tested(&self, inputs: &Inputs, found: &mut Found) -> Result<(), &'static str> {
        for &e in &inputs.private {
            self.input(e, found)?;
        }
        for &h in &inputs.shared {
            if !found.held.contains(&h) {
                found.held.push(h);
                self.input(h, found)?;
            }
        }
        Ok(())
    }

    /// An input has to have the same value when the iteration runs, be it on this host.
    fn input(&self, e: ExprId, found: &mut Found) -> Result<(), &'static str> {
        let writes = &self.dependences.writes;
        self.tested(e, |k| self.dependences.may_be(e, writes[k].place), found)
    }

    /// Notes which writes may be to what is read at `e`, and what has to be known of these.
    fn tested(&self, e: ExprId, may: impl Fn(usize) -> bool, found: &mut Found) -> Result<(), &'static str> {
        let known = found.reads.iter().position(|read| read.0 == e);
        let new = |&k: &usize| may(k) && known.is_none_or(|at| !found.reads[at].1.contains(&k));
        let writes: Vec<usize> = (0..self.dependences.writes.len()).filter(new).collect();
        match known {
            _ if writes.is_empty() => return Ok(()),
            Some(at) => found.reads[at].1.extend(&writes),
            None => found.reads.push((e, writes.clone())),
        }
        for k in writes {
            if !found.writes.contains(&k) {
                found.writes.push(k);
                let place = self.dependences.writes[k].place;
                let surely = self.certain.evaluated.contains(&place);
                let inputs =
                    self.inputs(place, surely).filter(|_| !crate::places::is_bit_field(self.tree, place));
                self.inputs_tested(&inputs.ok_or(WRITES)?, found)?;
            }
        }
        Ok(())
    }

    /// Whether the address of `e` takes what is held.
    fn takes_held(&self, e: ExprId) -> bool {
        self.addresses.inputs(e).is_some_and(|inputs| !inputs.shared.is_empty())
    }

    /// The events of those reads and writes, in the order of the text: an assignment is done when its
    /// operands have been evaluated, and inner reads come before outer ones.
    fn events(&self, found: &Found, which: impl Fn(ExprId) -> bool) -> Vec<Event> {
        let mut events = Vec::new();
        let all = &self.dependences.writes;
        for (e, writes) in found.reads.iter().filter(|read| which(read.0)) {
            let span = self.tree.unit.exprs[*e].span;
            let writes: Vec<usize> = writes.iter().copied().filter(|&k| which(all[k].place)).collect();
            events.push(((span.hi, false, std::cmp::Reverse(span.lo)), Event::Read(*e, writes)));
        }
        for &k in found.writes.iter().filter(|&&k| which(all[k].place)) {
            events.push(((all[k].end, true, std::cmp::Reverse(0)), Event::Write(k, all[k].place)));
        }
        events.sort_by_key(|event| event.0);
        events.into_iter().map(|event| event.1).collect()
    }

    /// What has to be tested before what is held can be read: nothing where its addresses take no memory. An
    /// address that takes what is held cannot be known yet.
    fn first_events(&self, found: &Found) -> Result<Vec<Event>, &'static str> {
        let private = |h: &ExprId| self.addresses.inputs(*h).unwrap_or_default().private;
        let inputs: Vec<ExprId> = found.held.iter().flat_map(private).collect();
        let tested = found.reads.iter().filter(|read| inputs.contains(&read.0)).flat_map(|read| &read.1);
        if tested.clone().any(|&k| self.takes_held(self.dependences.writes[k].place)) {
            return Err(WRITES);
        }
        match tested.count() {
            0 => Ok(Vec::new()),
            _ => Ok(self.events(found, |e| !self.takes_held(e))),
        }
    }
}
