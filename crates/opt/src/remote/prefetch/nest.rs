//! Loops around one loop that reads remote memory: both are read ahead.
//!
//! ```c
//! for (i = 0; i < n; i++) {
//!     double sum = 0;
//!     for (k = row[i]; k < row[i + 1]; k++)
//!         sum += value[k] * x[column[k]];
//!     y[i] = sum;
//! }
//! ```
//!
//! The inner loop by itself is read ahead as well, but it has few iterations: each row waits for its own
//! reads. So a part is rows, as many as have some thousand elements in all. It is a part of the loop over all
//! elements, of which `i` and `k` are functions; what [`super`] says of a part holds for it. Each element's
//! number in the buffers is its place in that order.
//!
//! The inner loop's bounds are evaluated when the part is read ahead. Where a row ends in the buffers is
//! noted then, and the row that runs goes as far: so the two cannot come apart, not even if another thread
//! writes to a bound through memory that both see. A row that has more elements than a part, or reads what it
//! has written itself, runs by itself, as the inner loop would without this.
//!
//! Where the nest may write what the bounds are made of, that is tested as other reads are, in front of each
//! element and behind the last: the part ends in front of such a row. So all that is early here is right
//! ([`crate::facts::early`]).
//!
//! *Limits.* One loop in the other, to which each iteration of the other comes. Bounds are of private memory
//! at addresses that are the same for the whole row. Nothing is held, read once for a part or asked of the
//! cache: such nests, and the rest of a deeper nest, are left to the inner loop.
//!
//! *What it becomes.*
//!
//! ```text
//! for (; go; ) {
//!     if (fetched) {
//!         start the reads of `rows' rows; row r ends in front of element ends[r]
//!         wait
//!     }
//!     if (fetched && !rows) { one row by itself }
//!     else { run rows, or, if nothing is remote, go on without until something is met that is }
//! }
//! ```

use super::iterations::Iterations;
use super::parts::{Parts, computed, declare, extents, less, set, started, value, when};
use super::plan::{Event, Finder, Local, Plan};
use crate::facts::addresses::Addresses;
use crate::facts::body::{Body, named_alone};
use crate::facts::certain;
use crate::facts::locals;
use crate::facts::shapes::{self, Stride, counts, mentions};
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Loop, Node, Primitive, Slot, Step, Term, Tree, Var, VarType, Waiting};
use crate::ir::walk::{each_statement, has_loop};
use base::Span;
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// What of a nest is prefetched.
pub(super) struct Nest {
    pub(super) plan: Plan,
    /// What the inner loop's head is made of and iterations of the outer one set.
    bounds: Vec<Local>,
    /// The objects that the inner loop's head is made of, and the nest may write.
    head: Vec<ExprId>,
    inner: Inner,
}

/// The inner loop.
#[derive(Clone, Copy)]
struct Inner {
    stmt: StmtId,
    cond: ExprId,
    step: ExprId,
    body: StmtId,
    /// Where its body stands.
    span: Span,
}

/// Where in an outer iteration something is evaluated.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Before,
    Inside,
    Behind,
}

impl Inner {
    fn when(&self, tree: &Tree, e: ExprId) -> When {
        let span = tree.unit.exprs[e].span;
        if span.hi <= self.span.lo {
            When::Before
        } else if span.lo < self.span.hi {
            When::Inside
        } else {
            When::Behind
        }
    }
}

impl Nest {
    fn when(&self, tree: &Tree, e: ExprId) -> When {
        self.inner.when(tree, e)
    }
}

/// The plan for a loop that has one other in it.
pub(super) fn plan(of: &Iterations) -> Result<Nest, Reason> {
    let &Iterations { body, var, dependences, certain, .. } = of;
    let tree = body.tree;
    let inner = inner_of(tree, body.stmt)?;
    let shape = tree.shape(inner.stmt).ok_or(Reason::InnerHeadUnknown)?;
    let (first, step) = shape.first.zip(shape.step).ok_or(Reason::InnerHeadUnknown)?;
    let within = Body::new(tree, inner.body);
    let keeps = !within.effects.assigned.contains(&step.var);
    if first.var != step.var
        || !keeps
        || !is_its_own(body, &inner, step.var)
        || !counts(&tree.typed, step.var)
    {
        return Err(Reason::InnerVariableShared);
    }
    if within.effects.rigid {
        return Err(Reason::InnerLeft);
    }
    let inside = certain::of_body(&tree.unit, inner.body);
    if certain.loops != [inner.stmt] {
        return Err(Reason::InnerNotSure);
    }
    let mut locals = of.locals.clone();
    locals.extend(locals::of_body(&within, step.var, &inside));
    let vars = [var, step.var];
    let addresses = &Addresses::new(body, &vars, dependences, &locals);
    let head = &head_of(tree, addresses, first.value, inner.cond, &step).ok_or(Reason::InnerBoundsUnknown)?;
    let certain = &certain.and(inside);
    let finder = Finder { tree, addresses, dependences, certain, head };
    let plan = finder.plan()?;
    if !plan.held.is_empty() || !plan.once.is_empty() || !plan.cached.is_empty() {
        return Err(Reason::NestHolds);
    }
    if !plan.reads.iter().any(|&e| inner.when(tree, e) == When::Inside) {
        return Err(Reason::InnerReadsNothing);
    }
    let bounds = finder.locals([first.value, inner.cond, inner.step].iter(), &[]);
    Ok(Nest { bounds, head: head.clone(), inner, plan })
}

/// What the inner loop's head is made of that the nest may write: objects at addresses that are the same for
/// the whole row.
fn head_of(
    tree: &Tree,
    addresses: &Addresses,
    first: ExprId,
    cond: ExprId,
    step: &shapes::Step,
) -> Option<Vec<ExprId>> {
    let mut head = addresses.private_inputs(first)?;
    head.extend(addresses.private_inputs(cond)?);
    if let Stride::By(by) = step.by {
        head.extend(addresses.private_inputs(by)?);
        if mentions(&tree.unit, &tree.typed, by, step.var) {
            return None;
        }
    }
    let same = |&e: &ExprId| !mentions(&tree.unit, &tree.typed, e, step.var);
    head.iter().all(same).then_some(head)
}

/// The only loop in a statement, which has none in it and is as the program wrote it.
fn inner_of(tree: &Tree, stmt: StmtId) -> Result<Inner, Reason> {
    let mut loops = Vec::new();
    each_statement(tree, stmt, &mut |s| {
        if let StmtKind::For { cond: Some(cond), step: Some(step), body, .. } = tree.unit.stmts[s].kind {
            let span = tree.unit.stmts[body].span;
            loops.push(Inner { stmt: s, cond, step, body, span });
        }
    });
    match loops[..] {
        [inner]
            if tree.nodes(inner.stmt).is_none()
                && tree.is_free(inner.stmt)
                && !has_loop(tree, inner.body) =>
        {
            Ok(inner)
        }
        _ => Err(Reason::NoOneLoop),
    }
}

/// Whether the body of the outer loop names the inner loop's variable in the inner loop alone, where it is
/// set first.
fn is_its_own(body: &Body, inner: &Inner, var: SymId) -> bool {
    let around = body.unit.stmts[inner.stmt].span;
    let mut own = named_alone(body.typed, var);
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        let named =
            matches!(body.unit.exprs[e].kind, ExprKind::Ident(_)) && body.typed.symbol(e) == Some(var);
        let span = body.unit.exprs[e].span;
        own &= !named || (around.lo <= span.lo && span.hi <= around.hi);
        own
    });
    own
}

/// The names of a nest that goes in parts.
struct Names {
    /// Counts reads under way.
    waiting: Waiting,
    /// The part at hand has been prefetched.
    fetched: Var,
    /// Something in it is remote.
    met: Var,
    /// Elements whose reads have been started, and that have run.
    n: Var,
    m: Var,
    /// Rows whose reads have been started, and that have run.
    rows: Var,
    row: Var,
    /// The end of each row.
    ends: Var,
    /// Where the part begins.
    from: Var,
}

fn names(tree: &mut Tree, parts: &Parts, out: &mut Vec<Node>) -> Names {
    let waiting = tree.var("waiting");
    let names = Names {
        waiting: Waiting::Var(waiting),
        fetched: tree.var("fetched"),
        met: tree.var("met"),
        n: tree.var("n"),
        m: tree.var("m"),
        rows: tree.var("rows"),
        row: tree.var("row"),
        ends: tree.var("ends"),
        from: tree.var("from"),
    };
    out.extend([
        declare(waiting, VarType::Int, Some(Term::Num(0))),
        declare(names.fetched, VarType::Int, Some(Term::Num(1))),
        declare(names.met, VarType::Int, None),
        declare(names.ends, VarType::Places, None),
        declare(names.from, VarType::Like(parts.counter), None),
    ]);
    out.extend([names.n, names.m, names.rows, names.row].map(|var| declare(var, VarType::Unsigned, None)));
    names
}

/// What the outer loop becomes, from behind its first clause on.
pub(super) fn rewritten(tree: &mut Tree, nest: &Nest, parts: Parts) -> Vec<Node> {
    let mut out = Vec::new();
    let names = names(tree, &parts, &mut out);
    let &Names { fetched, met, n, m, rows, row, .. } = &names;
    // Before the reads of the original become something else.
    let alone = tree.copy(parts.body).stmt;
    let start = starts(tree, nest, &parts, &names, &mut out);
    let go = Term::Not(Box::new(met.into())).and(less(m.into(), Term::Name(Primitive::PrefetchPause)));
    let go = Term::choose(fetched.into(), less(row.into(), rows.into()), go.and(parts.go(tree)));
    let mut iterations = |go: Term, body: StmtId| {
        let (step, body) = (parts.step(tree, row), parts.each(tree, vec![Node::Stmt(body)]));
        Node::Loop(Loop { go, step, body, counts: None })
    };
    let part = vec![
        set(met, Term::Num(0)),
        set(n, Term::Num(0)),
        set(rows, Term::Num(0)),
        when(fetched.into(), start),
        set(m, Term::Num(0)),
        set(row, Term::Num(0)),
        Node::If {
            test: Term::from(fetched).and(Term::Not(Box::new(rows.into()))),
            then: vec![iterations(less(row.into(), Term::Num(1)), alone)],
            otherwise: vec![iterations(go, parts.body)],
        },
        set(fetched, met.into()),
    ];
    out.push(Node::Loop(Loop { go: parts.go(tree), step: Vec::new(), body: part, counts: None }));
    out
}

/// Starts the reads of a part, and says of each what it becomes in the rows that run, and how far the inner
/// loop goes there.
fn starts(tree: &mut Tree, nest: &Nest, parts: &Parts, names: &Names, out: &mut Vec<Node>) -> Vec<Node> {
    let &Names { waiting, fetched, n, m, rows, row, ends, from, .. } = names;
    let inner = nest.inner;
    let copy = tree.copy(inner.stmt);
    let (cond, step) = (copy.expr(inner.cond), copy.expr(inner.step));
    let depth = nest.plan.depth(tree);
    let (front, extents) = extents(tree, &nest.plan, &nest.plan.events, None, out);
    let mut marks = Vec::new();
    let mut begun = |tree: &mut Tree, when| {
        let mut nodes = computed(tree, &locals_of(tree, nest, when), &events_of(tree, nest, when), &extents);
        nodes.extend(begun(tree, nest, names, when, out, &mut marks));
        nodes
    };
    let before = begun(tree, When::Before);
    let elements = Node::Loop(Loop {
        go: less(n.into(), depth.clone()).and(Term::Holds(cond)),
        step: vec![Step::Next(n), Step::Effect(step)],
        body: begun(tree, When::Inside),
        counts: None,
    });
    // Where the inner loop would go on, the row has not been read to its end.
    let goes_on = Term::Holds(tree.copy_expr(cond));
    let whole = vec![Node::First(copy.stmt), elements, Node::Leave(goes_on)];
    let end = vec![Node::Assign(Slot::Element(ends, rows), n.into())];
    let row_read = [before, whole, begun(tree, When::Behind), end].concat();
    let all = Node::Loop(Loop {
        go: less(rows.into(), depth.clone()).and(less(n.into(), depth)).and(parts.go(tree)),
        step: parts.step(tree, rows),
        body: parts.each(tree, row_read),
        counts: None,
    });
    marks.into_iter().for_each(|(e, access)| tree.mark(e, access));
    let as_far =
        Term::choose(fetched.into(), less(m.into(), Term::Element(ends, row)), Term::Holds(inner.cond));
    let step = vec![Step::Next(m), Step::Effect(inner.step)];
    let run = Loop { go: as_far, step, body: vec![Node::Stmt(inner.body)], counts: None };
    tree.replace(inner.stmt, vec![Node::First(inner.stmt), Node::Loop(run)]);
    let begin = vec![set(from, value(parts.counter))];
    let back = vec![all, Node::Wait(waiting), Node::Assign(parts.counter, from.into())];
    [begin, front, back].concat()
}

/// What an outer iteration sets at this point of it, and the inner loop or addresses are made of.
fn locals_of(tree: &Tree, nest: &Nest, when: When) -> Vec<Local> {
    let known = &nest.plan.locals;
    let more = nest.bounds.iter().filter(|local| !known.iter().any(|known| known.sym == local.sym));
    known.iter().chain(more).copied().filter(|local| nest.when(tree, local.value) == when).collect()
}

/// The reads and writes at this point that are tested against each other. What the inner loop's head is made
/// of is tested at each: an element of the same row may write it.
fn events_of(tree: &Tree, nest: &Nest, when: When) -> Vec<Event> {
    let here = |event: &&Event| match event {
        Event::Read(e, _) if nest.head.contains(e) => true,
        Event::Read(e, _) | Event::Write(_, e, _) => nest.when(tree, *e) == when,
    };
    nest.plan.events.iter().filter(here).cloned().collect()
}

/// Starts the reads at this point, and notes what they become: those of the inner loop have an element of
/// their buffer each, others one a row.
fn begun(
    tree: &mut Tree,
    nest: &Nest,
    names: &Names,
    when: When,
    out: &mut Vec<Node>,
    marks: &mut Vec<(ExprId, Access)>,
) -> Vec<Node> {
    let &Names { waiting, fetched, met, n, m, rows, row, .. } = names;
    let (to, at) = if when == When::Inside { (n, m) } else { (rows, row) };
    let mut nodes = Vec::new();
    for &e in &nest.plan.reads {
        if nest.when(tree, e) != when {
            continue;
        }
        let buffer = tree.var("buffer");
        out.push(declare(buffer, VarType::Buffer(tree.typed.ty(e)), None));
        nodes.push(started(tree, &nest.plan, e, [buffer, to, met], waiting));
        let all = nest.plan.all.contains(&e);
        marks.push((e, Access::Prefetched { buffer, at, fetched, met, all }));
    }
    nodes
}
