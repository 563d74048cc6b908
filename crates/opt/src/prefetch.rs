//! Prefetching of remote reads.
//!
//! `for (i = 0; i < n; i++) sum += a[k[i]];` waits for each element in turn. Over a network each is a message
//! there and back. But what iteration i reads can be requested before earlier iterations have run. So the
//! loop goes in parts of some hundred iterations: first it computes all their addresses and starts all their
//! reads, then it runs the iterations with the values that have come. What is on this host is read as before.
//!
//! *Why it is allowed.* A relaxed read may be done before others, and before private work, unless the program
//! could tell (UPC 5.1.2.3). A plan is for loops that have no strict accesses, call nothing that could, write
//! no shared memory but static arrays that they do not read, and are left by their condition alone. What
//! private pointers lead to is on this host and so is not prefetched, even if the loop writes there. The
//! addresses that are computed first are those that the iterations compute ([`crate::addresses`]). Only what
//! every iteration reads is prefetched, so that no address is followed that the program would not follow.
//! What is read at the same address in all iterations is read once for a part.
//!
//! A `upc_forall` that goes over a thread's own part ([`crate::forall`]) is such a loop too; what it has
//! found to be local is not prefetched.
//!
//! *Limits.* UPC, scalars, and addresses that are found without waiting for another read of the same
//! iteration. In the version of a loop for several hosts only ([`crate::versioning`]).
//!
//! *What it becomes.* A loop over parts: a [`Node::Loop`] that starts the part's reads ([`Node::Start`]) into
//! buffers, a [`Node::Wait`] for all of them, and the iterations, whose reads are [`Access::Prefetched`]. All
//! count by the program's own variable. After a part in which nothing was remote the iterations run without
//! that, until one has met something that is.

use crate::addresses::Addresses;
use crate::body::Body;
use crate::certain;
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

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::One {
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
            tree.remark("prefetch", s, Ok(plan.summary(tree)));
            let parts = Parts {
                counter: Slot::Sym(plan.var),
                go: Term::Holds(cond),
                step: vec![Step::Effect(step)],
                each: Vec::new(),
                body,
            };
            let mut nodes = vec![Node::First(s)];
            nodes.extend(in_parts(tree, &plan, parts));
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
                tree.remark("prefetch", s, Ok(plan.summary(tree)));
                let each = l.body[..l.body.len() - 1].to_vec();
                let parts = Parts { counter: Slot::Made(counter), go: l.go, step: l.step, each, body };
                return in_parts(tree, &plan, parts);
            }
            Err(why) => tree.remark("prefetch", s, Err(why)),
        }
    }
    let body = loops_in(tree, s, l.body, Hosts::Many);
    vec![Node::Loop(Loop { body, ..l })]
}

/// What of a loop is prefetched: accesses to shared scalars, without parentheses around them.
struct Plan {
    /// The loop's variable: its step alone changes it.
    var: SymId,
    /// To the same object in all iterations; inner ones, which the addresses of others are made of, come
    /// first.
    once: Vec<ExprId>,
    /// To others in each.
    reads: Vec<ExprId>,
}

impl Plan {
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
        match self.once.is_empty() {
            true => format!("[{}]", names(&self.reads)),
            false => format!("[{}], once [{}]", names(&self.reads), names(&self.once)),
        }
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
    /// Iterations whose reads have been started.
    n: Var,
    /// Iterations that have run.
    m: Var,
    /// Where the part begins.
    from: Var,
}

fn in_parts(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let names = Names {
        waiting: tree.var("waiting"),
        fetched: tree.var("fetched"),
        met: tree.var("met"),
        n: tree.var("n"),
        m: tree.var("m"),
        from: tree.var("from"),
    };
    let Names { waiting, fetched, met, n, m, from } = names;
    let set = |var: Var, value: Term| Node::Assign(Slot::Made(var), value);
    let declare = |var: Var, ty: VarType, value: Option<Term>| Node::Declare { var, ty, value };
    let counter = match parts.counter {
        Slot::Made(var) => Term::Var(var),
        Slot::Sym(sym) => Term::Sym(sym),
    };
    let mut out = vec![
        declare(waiting, VarType::Int, Some(Term::Num(0))),
        declare(fetched, VarType::Int, Some(Term::Num(1))),
        declare(met, VarType::Int, None),
        declare(n, VarType::Unsigned, None),
        declare(m, VarType::Unsigned, None),
        declare(from, VarType::Like(parts.counter), None),
    ];
    // Reads are copied for where they are done now, as the marks in front of them have made them.
    let mut once = Vec::new();
    for &e in &plan.once {
        let (var, read) = (tree.var("once"), tree.copy_expr(e));
        out.push(declare(var, VarType::Value(tree.typed.ty(e)), None));
        once.push(set(var, Term::Value(read)));
        tree.mark(e, Access::Value(var));
    }
    let mut starts = Vec::new();
    for &e in &plan.reads {
        let (buffer, read) = (tree.var("buffer"), tree.copy_expr(e));
        out.push(declare(buffer, VarType::Buffer(tree.typed.ty(e)), None));
        starts.push(Node::Start { read, buffer, at: n, waiting, met });
        tree.mark(e, Access::Prefetched { buffer, at: m, fetched, met });
    }
    let bounded = |var: Var, most: Term| Term::bin("<", var.into(), most);
    let next = |var: Var| [vec![Step::Next(var)], parts.step.clone()].concat();
    let first = Node::Loop(Loop {
        go: bounded(n, Term::Name("MER_PREFETCH_DEPTH")).and(parts.go.clone()),
        step: next(n),
        body: [parts.each.clone(), starts].concat(),
        counts: None,
    });
    let start =
        vec![set(from, counter), first, Node::Wait(waiting), Node::Assign(parts.counter, from.into())];
    let alone = Term::Not(Box::new(met.into())).and(bounded(m, Term::Name("MER_PREFETCH_PAUSE")));
    let runs = Term::choose(fetched.into(), bounded(m, n.into()), alone.and(parts.go.clone()));
    let mut body = parts.each;
    body.push(Node::Stmt(parts.body));
    let second = Node::Loop(Loop { go: runs, step: next(m), body, counts: None });
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
    let addresses = Addresses::new(&body, var)?;
    if !body.leaves(var) || !matches!(typed.types.of(typed.sym(var).ty), Ty::Int(_) | Ty::Pointer(_)) {
        return Err("more than its step changes the variable");
    }
    head(&addresses)?;
    let mut surely = certain::of_body(&tree.unit, stmt).reads;
    surely.retain(|&e| typed.types.is_shared(typed.ty(e)) && !body.is_array(e) && tree.access(e).is_none());
    if surely.is_empty() {
        return Err("no iteration is sure to read shared memory");
    }
    let mut why = None;
    surely.retain(|&e| addresses.fetchable(e).map_err(|reason| why.get_or_insert(reason)).is_ok());
    if let (true, Some(why)) = (surely.is_empty(), why) {
        return Err(why);
    }
    let (reads, mut once): (Vec<_>, Vec<_>) = surely.into_iter().partition(|&e| addresses.varies(e));
    once.retain(|&e| addresses.constant(e));
    match reads.len() {
        0 => Err("it reads the same object each time"),
        n if n > MOST_READS => Err("it has more reads than buffers are worth"),
        _ => Ok(Plan { var, once, reads }),
    }
}
