//! Privatisation of `upc_forall`: a thread goes through its own part by local pointers.
//!
//! A loop `upc_forall (i = lo; i < hi; i++; affinity)` asks every thread to go through all iterations and
//! run those that are its own. Where the owner of iteration i follows from i alone, a thread can go
//! straight from one of its iterations to the next, and what it touches there with the same affinity is its
//! own memory, one row after the other.
//!
//! *Rows.* Let the affinity be `&a[i + c]…`: row r = i + c ([`crate::facts::rows`]) belongs to thread (r / R)
//! mod THREADS. R = 1 is the cyclic case, and the integer affinity `i + c` is it as well. An access `b[i +
//! c]…` to another array with the same R and the same c is to the same thread's memory, and local.
//!
//! *Neighbours.* Where rows are single elements and blocks longer, `b[i + c + d]` with a small constant d is
//! in the own block too except at its borders; so the rows of a block that are not close to either border run
//! with local pointers for these as well.
//!
//! *Turns.* Where a row is an element, and i its number, `i / THREADS` is how many own rows lie before it,
//! and `i % THREADS` is MYTHREAD: nothing divides. Not below 0, where C rounds the other way.
//!
//! *Flat.* A thread's blocks follow one another in its part. If the loop variable is used for nothing but
//! local subscripts, the blocks need not be told apart, and the loop is one over all own rows.
//!
//! *Why it is allowed.* By 6.6.2 the affinity and the condition are single-valued and iterations run by other
//! threads may not affect ours, so iterations of others need not be stepped through: the condition and the
//! affinity have no effects (both are checked to be such), and the step is known. The loop variable is an
//! automatic object whose address is not taken and that the body does not assign; it has the value of the
//! sequential loop in each iteration and after the loop. The bound keeps its value while the body runs. A
//! pointer that serves as an array keeps its value too, and points at thread 0, phase 0: that is tested when
//! the loop is entered, as is that no outer upc_forall is in control; otherwise the plain form runs.
//!
//! *Steps.* A loop downwards goes through the same rows from the last one on. Of one by a constant greater
//! than 1 the first own row that the steps meet is looked for where the loop begins, or a block does; those
//! behind it are equally far apart. Downwards each own row is tested. None of them has neighbours.
//!
//! *Limits.* Steps of up to [`LONGEST_STEP`], downwards [`LONGEST_STEP_DOWN`]; bodies without labels, gotos,
//! `break`, `return` or statics, since the body is written twice.
//!
//! *What it becomes.* [`Node::If`] on the conditions of entry; in it the loops over own rows with
//! [`Access::Element`]s, and the plain form, which goes through all iterations.

mod beside;

use crate::facts::affine::offset_from;
use crate::facts::body::Body;
use crate::facts::roots::Rows;
use crate::facts::rows::{Accesses, Root, element, rows_of};
use crate::facts::shapes::{Condition, First, Shape, assigned, is_long, past, unsigned_int};
use crate::ir::copy::Copy;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Counting, Hosts, Loop, Node, Primitive, Slot, Step, Term, Tree, Var, VarType};
use crate::ir::walk::each_loop;
use beside::Steps;
use c_sema::Typed;
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr, has_effects};
use std::collections::{HashMap, HashSet};

/// So many rows are looked at, at most, for the first that the steps meet.
const LONGEST_STEP: u64 = 64;
/// By longer steps fewer iterations are gone through as written than there are own rows to test.
const LONGEST_STEP_DOWN: u64 = 4;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("forall");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_shared_out(tree, ID, &mut |tree, s| {
        let plan = plan(tree, s)?;
        rewrite(tree, s, &plan);
        Ok(plan.summary(tree))
    });
}

/// Rewrites the loops that share out their iterations; `rewrite` says what it has made of one, or why it is
/// left alone.
pub(crate) fn each_shared_out(
    tree: &mut Tree,
    pass: PassId,
    rewrite: &mut dyn FnMut(&mut Tree, StmtId) -> Result<String, Reason>,
) {
    each_loop(tree, &mut |tree, s, context| {
        let shared_out =
            matches!(tree.unit.stmts[s].kind, StmtKind::Forall { affinity: Affinity::Expr(_), .. });
        // Inside of another one every thread runs every iteration.
        if shared_out && !context.controlled && tree.is_free(s) {
            let outcome = rewrite(tree, s);
            tree.remark(pass, s, outcome);
        }
        true
    });
}

/// How to run a shared-out loop over the own part.
struct Plan {
    /// The loop variable.
    var: SymId,
    /// Whether the loop declares it.
    declares: bool,
    /// Its first value.
    start: ExprId,
    /// Its bound.
    bound: ExprId,
    /// `<=` or `>=` rather than `<` or `>`.
    inclusive: bool,
    /// It goes down.
    down: bool,
    /// By how much it steps, up or down.
    by: i64,
    /// Variables that step with it.
    beside: Vec<beside::Beside>,
    /// c: iteration i works on row i + c.
    offset: i64,
    /// R: rows a block.
    rows: u64,
    /// Arrays whose rows are gone through.
    roots: Vec<Root>,
    /// Local accesses.
    local: Accesses,
    /// Subscript expressions `root[i + c + d]` that are local inside a block, with d.
    neighbours: HashMap<ExprId, (usize, i64)>,
    /// `i / THREADS` and `i % THREADS` that follow from the row.
    turns: HashMap<ExprId, BinOp>,
    /// The loop variable serves for local subscripts and turns only.
    flat: bool,
    body: StmtId,
}

impl Plan {
    fn summary(&self, tree: &Tree) -> String {
        let names: Vec<&str> = self.roots.iter().map(|root| &*tree.typed.sym(root.sym).name).collect();
        let flat = if self.flat { ", flat" } else { "" };
        let neighbours = if self.neighbours.is_empty() { "" } else { ", with neighbours" };
        let down = if self.down { ", downwards" } else { "" };
        let by = if self.by == 1 { String::new() } else { format!(", in steps of {}", self.by) };
        let beside = if self.beside.is_empty() { "" } else { ", with other steps" };
        let names = names.join(" ");
        format!("own rows of [{names}], {} a block{neighbours}{flat}{down}{by}{beside}", self.rows)
    }
}

// ---- analysis ------------------------------------------------------------------------------------

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, Reason> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let StmtKind::Forall { step, affinity: Affinity::Expr(affinity), body: stmt, .. } = unit.stmts[s].kind
    else {
        return Err(Reason::NoAffinity);
    };
    if is_long(unit, stmt) {
        return Err(Reason::BodyLong);
    }
    let Some(shape @ Shape { first: Some(First { var, declares, value: start }), .. }) = tree.shape(s) else {
        return Err(Reason::FirstClause);
    };
    let body = Body::new(tree, stmt);
    let ty = typed.sym(var).ty;
    if !body.automatic(var) || !matches!(typed.types.of(ty), Ty::Int(_)) {
        return Err(Reason::VariableNoInteger);
    }
    let steps = step.and_then(|step| beside::steps(tree, step, var));
    let longest = |steps: &Steps| if steps.by < 0 { LONGEST_STEP_DOWN } else { LONGEST_STEP };
    let steps = steps.filter(|steps| (1..=longest(steps)).contains(&steps.by.unsigned_abs()));
    let Steps { by, beside } = steps.ok_or(Reason::StepNotSmall)?;
    let (down, by) = (by < 0, by.abs());
    let limit = if down { shape.floor(typed) } else { shape.bound(typed).or_else(|| end(typed, &shape, by)) };
    let (bound, inclusive) = limit.ok_or(Reason::ConditionNotByIndex)?;
    if !beside.iter().all(|beside| beside::follows(&body, beside, bound)) {
        return Err(Reason::StepsChanged);
    }
    if body.effects.rigid {
        return Err(Reason::BodyOnceOrLeaves);
    }
    if !body.leaves(var) {
        return Err(Reason::BodyAssignsVariable);
    }
    if !body.keeps_bound(bound, var) {
        return Err(Reason::BoundChanges);
    }
    let rows = Rows { body: &body, roots: Vec::new() };
    let mut finder =
        Finder { rows, var, local: Accesses::new(), neighbours: HashMap::new(), subscripts: HashSet::new() };
    let (offset, rows) = finder.affinity(affinity).ok_or(Reason::AffinityNotByIndex)?;
    // `i - 1` of an unsigned 0 is a large number, not the one below 0.
    if offset < 0 && unsigned_int(typed, ty) {
        return Err(Reason::RowBelowUnsigned);
    }
    finder.accesses(offset, rows);
    let Finder { rows: Rows { roots, .. }, local, mut neighbours, mut subscripts, .. } = finder;
    if beside.iter().any(|beside| roots.iter().any(|root| root.sym == beside.var)) {
        return Err(Reason::StepsArray);
    }
    if down || by > 1 {
        neighbours.clear();
    }
    // Of any type that the variable may have.
    let from_zero = typed.constant(start).is_some_and(|lo| (0..128).contains(&lo)) && !down;
    let turns = if from_zero && offset == 0 && rows == 1 { turns(&body, var) } else { HashMap::new() };
    subscripts.extend(turns.keys());
    let flat =
        by == 1 && beside.is_empty() && neighbours.is_empty() && !body.names_otherwise(var, &subscripts);
    Ok(Plan {
        var,
        declares,
        start,
        bound,
        inclusive,
        down,
        by,
        beside,
        offset,
        rows,
        roots,
        local,
        neighbours,
        turns,
        flat,
        body: stmt,
    })
}

/// The bound of `i != hi`, where a signed variable steps by 1: it would pass what its type holds if it did
/// not meet that.
fn end(typed: &Typed, shape: &Shape, by: i64) -> Option<(ExprId, bool)> {
    use c_sema::types::IntKind::{Int, Long, LongLong};
    let Some((var, Condition::Compare(BinOp::Ne, hi))) = shape.condition else { return None };
    let signed = |q| matches!(typed.types.of(q), Ty::Int(Int | Long | LongLong));
    (by == 1 && signed(typed.sym(var).ty) && signed(typed.ty(hi))).then_some((hi, false))
}

/// The quotients and remainders of a variable by THREADS.
fn turns(body: &Body, var: SymId) -> HashMap<ExprId, BinOp> {
    let mut found = HashMap::new();
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        if let ExprKind::Binary(op @ (BinOp::Div | BinOp::Rem), a, b) = body.unit.exprs[e].kind
            && body.name(a) == Some(var)
            && matches!(body.unit.exprs[body.unit.bare(b)].kind, ExprKind::Threads)
        {
            found.insert(e, op);
        }
        true
    });
    found
}

struct Finder<'a> {
    rows: Rows<'a>,
    var: SymId,
    local: Accesses,
    neighbours: HashMap<ExprId, (usize, i64)>,
    /// The row subscripts of `local`.
    subscripts: HashSet<ExprId>,
}

impl Finder<'_> {
    /// (c, R) of an affinity expression.
    fn affinity(&mut self, e: ExprId) -> Option<(i64, u64)> {
        let Body { unit, typed, .. } = *self.rows.body;
        let e = unit.bare(e);
        if let Some(c) = offset_from(unit, typed, e, self.var) {
            return Some((c, 1));
        }
        let place = match unit.exprs[e].kind {
            ExprKind::Unary(UnOp::Addr, place) => unit.bare(place),
            ExprKind::Binary(BinOp::Add, p, i) => {
                // p + i, the same as &p[i]
                let (root, block) = self.rows.root(p)?;
                let c = offset_from(unit, typed, i, self.var)?;
                let rows = rows_of(&root, block)?;
                self.rows.intern(&root);
                return Some((c, rows));
            }
            _ => return None,
        };
        let (subscript, rows) = self.rows.in_blocks(place)?;
        // They are not evaluated any more.
        if subscript.planes.iter().any(|&(plane, _)| has_effects(unit, plane)) {
            return None;
        }
        let c = offset_from(unit, typed, subscript.row, self.var)?;
        // The element that is named must lie in row i: constants inside the row.
        let inside: Option<u64> = subscript.rest.iter().try_fold(0u64, |sum, (e, step)| {
            let index = typed.constant(*e).and_then(|c| u64::try_from(c).ok())?;
            sum.checked_add(index.checked_mul(*step)?)
        });
        if inside.is_none_or(|n| n >= subscript.root.row) {
            return None;
        }
        self.rows.intern(&subscript.root);
        Some((c, rows))
    }

    /// Finds the accesses of the body that are local.
    fn accesses(&mut self, offset: i64, rows: u64) {
        let body = self.rows.body;
        let addressed = body.tree.addressed(body.stmt);
        each_expr(body.unit, Any::Stmt(body.stmt), |e| {
            let Some((s, r)) = self.rows.in_blocks(e) else { return true };
            let Some(c) = offset_from(body.unit, body.typed, s.row, self.var) else { return true };
            if r != rows {
                return true;
            }
            if c == offset {
                if !addressed.contains(&e) {
                    self.subscripts.insert(s.row);
                }
                let root = self.rows.intern(&s.root);
                self.local.insert(e, (root, s.inside()));
            } else if s.planes.is_empty() && s.root.row == 1 && (c - offset).unsigned_abs() < rows {
                let root = self.rows.intern(&s.root);
                self.neighbours.insert(e, (root, c - offset));
            }
            true
        });
    }
}

// ---- rewriting -----------------------------------------------------------------------------------

/// The names of a loop over own rows. Rows are numbered r = i + c.
struct Names {
    /// The first row, and the one behind the last.
    lo: Var,
    hi: Var,
    /// The row at hand, among the thread's own or in its block.
    q: Var,
    /// The first values of variables that step beside the loop's.
    beside: Vec<Var>,
}

fn rewrite(tree: &mut Tree, s: StmtId, plan: &Plan) {
    let pointers = plan.roots.iter().filter(|root| root.pointer);
    let tests: Vec<Term> = pointers.map(|root| root.begins_at_origin(tree)).collect();
    own_or_all(tree, s, tests, |tree| over_own_rows(tree, plan));
}

/// A shared-out loop becomes the one over its own iterations, which `own` makes, where no outer upc_forall is
/// in control and the tests hold, and else the one as written, over all iterations.
pub(crate) fn own_or_all(
    tree: &mut Tree,
    s: StmtId,
    tests: Vec<Term>,
    own: impl FnOnce(&mut Tree) -> Vec<Node>,
) {
    let outer = tree.var("outer");
    let plain = tree.copy(s).stmt;
    tree.settle(plain);
    let nodes = own(tree);
    let fast = tree.made(s, nodes);
    // Without other tests the plain form is run seldom: no loop around it is versioned for its sake.
    let seldom = tests.is_empty();
    let test = tests.into_iter().fold(Term::bin("==", outer.into(), Term::Num(0)), Term::and);
    let plain = Node::Known(Hosts::Many, vec![Node::AllIterations { forall: plain, outer, seldom }]);
    let versions = Node::If { test, then: vec![Node::Stmt(fast)], otherwise: vec![plain] };
    tree.replace(s, vec![Node::ForallScope(outer), versions]);
    tree.settle(s);
}

fn over_own_rows(tree: &mut Tree, plan: &Plan) -> Vec<Node> {
    let (lo, hi, q) = (tree.var("lo"), tree.var("hi"), tree.var("q"));
    let (beside, kept) = beside::first_values(tree, plan);
    let names = Names { lo, hi, q, beside };
    let c = plan.offset;
    let index = |var: Var, value: Option<Term>| Node::Declare { var, ty: VarType::Index, value };
    let start = assigned(&tree.typed, plan.var, plan.start).plus(c);
    let (first, past) = match plan.down {
        false => (start, past(&tree.typed, plan.var, plan.bound, plan.inclusive).plus(c)),
        true => {
            let bound = Term::Index(Box::new(Term::Value(plan.bound)));
            (bound.plus(i64::from(!plan.inclusive) + c), start.plus(1))
        }
    };
    let mut out = vec![index(lo, Some(first)), index(hi, Some(past))];
    out.extend(kept);
    let own: Vec<Var> = plan.roots.iter().map(|_| tree.var("own")).collect();
    for (root, &var) in plan.roots.iter().zip(&own) {
        out.push(Node::Declare { var, ty: VarType::Elements(root.elem), value: Some(root.own_part()) });
    }
    let ty = tree.typed.sym(plan.var).ty;
    let (threads, me) = (Term::Name(Primitive::Threads), Term::Name(Primitive::MyThread));
    if plan.rows == 1 || plan.flat {
        let end = tree.var("end");
        let own_before = |row: Var| match plan.rows {
            1 => Term::call(Primitive::CeilDivThreads, [Term::bin("-", row.into(), me.clone())]),
            r => Term::call(Primitive::OwnRows, [row.into(), Term::Num(r as i64)]),
        };
        let (from, to) = (own_before(lo), own_before(hi));
        out.extend(go_through(plan, (q, end), from, to));
        let row = Term::bin("+", Term::bin("*", q.into(), Term::Index(Box::new(threads))), me.clone());
        let each = (!plan.flat).then_some(row);
        out.extend(rows_loop(tree, plan, &names, end, each, &own, false));
    } else {
        out.extend(blocks(tree, plan, &own, &names));
    }
    out.extend(beside::values(tree, plan, &names, &iterations(plan, &names)));
    if !plan.declares {
        out.push(Node::Assign(Slot::Sym(plan.var), Term::As(ty, Box::new(behind(plan, &names).plus(-c)))));
    }
    out
}

/// How many iterations there are in so many rows.
fn gone(plan: &Plan, rows: Term) -> Term {
    if plan.by == 1 { rows } else { Term::bin("/", rows.plus(plan.by - 1), Term::Num(plan.by)) }
}

/// How many iterations the loop has.
fn iterations(plan: &Plan, names: &Names) -> Term {
    let (lo, hi) = (|| Term::Var(names.lo), || Term::Var(names.hi));
    Term::choose(Term::bin("<", lo(), hi()), gone(plan, Term::bin("-", hi(), lo())), Term::Num(0))
}

/// The row at which the variable is behind the loop.
fn behind(plan: &Plan, names: &Names) -> Term {
    let (lo, hi) = (|| Term::Var(names.lo), || Term::Var(names.hi));
    if !plan.down && plan.by == 1 {
        return Term::choose(Term::bin("<", lo(), hi()), hi(), lo());
    }
    let steps = Term::bin("*", iterations(plan, names), Term::Num(plan.by));
    if plan.down { Term::bin("-", hi().plus(-1), steps) } else { Term::bin("+", lo(), steps) }
}

/// Declares the row at hand and the end of the loop over the rows from ... to - 1, in the loop's direction.
fn go_through(plan: &Plan, (q, end): (Var, Var), from: Term, to: Term) -> [Node; 2] {
    let index = |var: Var, value: Term| Node::Declare { var, ty: VarType::Index, value: Some(value) };
    match plan.down {
        false => [index(q, from), index(end, to)],
        true => [index(q, to.plus(-1)), index(end, from)],
    }
}

/// The loop over the rows from q to `end`, which is behind the last one, or downwards the last one. `each`
/// is the row as all threads number it; from it the program's variable gets its value.
fn rows_loop(
    tree: &mut Tree,
    plan: &Plan,
    names: &Names,
    end: Var,
    each: Option<Term>,
    rows: &[Var],
    inside: bool,
) -> Vec<Node> {
    let q = names.q;
    let copy = local_body(tree, plan, rows, q, inside);
    let ty = tree.typed.sym(plan.var).ty;
    let mut body: Vec<Node> = Vec::new();
    if let Some(row) = &each {
        let value = Term::As(ty, Box::new(row.clone().plus(-plan.offset)));
        body.push(match plan.declares {
            true => Node::Define(plan.var, value),
            false => Node::Assign(Slot::Sym(plan.var), value),
        });
    }
    let first = if plan.down { Term::Var(names.hi).plus(-1) } else { names.lo.into() };
    let away =
        each.map(|row| if plan.down { Term::bin("-", first, row) } else { Term::bin("-", row, first) });
    let before = away.clone().map(|away| gone(plan, away));
    let mut own: Vec<Node> = before.iter().flat_map(|gone| beside::values(tree, plan, names, gone)).collect();
    own.push(Node::Stmt(copy.stmt));
    let away = away.filter(|_| plan.by > 1);
    if plan.down {
        return vec![downwards(plan, q, end, away, body, own)];
    }
    body.extend(own);
    upwards(plan, q, end, away, body)
}

/// The loop down to row `end`. Where the steps are longer than one, each row is asked how far `away` it is.
fn downwards(plan: &Plan, q: Var, end: Var, away: Option<Term>, mut body: Vec<Node>, own: Vec<Node>) -> Node {
    match away {
        None => body.extend(own),
        Some(away) => {
            let beyond = Term::bin("%", away, Term::Num(plan.by));
            let test = Term::bin("==", beyond, Term::Num(0));
            body.push(Node::If { test, then: own, otherwise: Vec::new() });
        }
    }
    let go = Term::bin(">=", q.into(), end.into());
    Node::Loop(Loop { go, step: vec![Step::Add(q, Term::Num(-1))], body, counts: None })
}

/// The loop up to row `end`. Where the steps are longer than one, it begins at the first row that they meet.
fn upwards(plan: &Plan, q: Var, end: Var, away: Option<Term>, body: Vec<Node>) -> Vec<Node> {
    let go = Term::bin("<", q.into(), end.into());
    let counts = Counting { counter: q, var: plan.var, turns: plan.rows == 1 };
    let counts = plan.beside.is_empty().then_some(counts);
    let (mut out, mut step) = (Vec::new(), Step::Next(q));
    if let Some(away) = away {
        // From one own row to the next.
        let by = || Term::Num(plan.by);
        let (apart, met) = match plan.rows {
            1 => {
                let threads = Term::Index(Box::new(Term::Name(Primitive::Threads)));
                (threads.clone(), Term::call(Primitive::StepsApart, [threads, by()]))
            }
            _ => (Term::Num(1), by()),
        };
        let first = Term::call(Primitive::StepsMeet, [q.into(), end.into(), away, apart, by()]);
        out.push(Node::Assign(Slot::Made(q), first));
        step = Step::Add(q, met);
    }
    out.push(Node::Loop(Loop { go, step: vec![step], body, counts }));
    out
}

/// The body with its local accesses by the pointers `rows`; `inside` a block its neighbours too.
fn local_body(tree: &mut Tree, plan: &Plan, rows: &[Var], q: Var, inside: bool) -> Copy {
    let copy = tree.copy(plan.body);
    for (&e, (root, rest)) in &plan.local {
        let rest: Vec<_> = rest.iter().map(|&(e, step)| (copy.expr(e), step)).collect();
        tree.mark(copy.expr(e), element(rows[*root], q, 0, plan.roots[*root].row, &rest));
    }
    for (&e, &(root, shift)) in plan.neighbours.iter().filter(|_| inside) {
        tree.mark(copy.expr(e), element(rows[root], q, shift, 1, &[]));
    }
    for (&e, op) in &plan.turns {
        let number = if *op == BinOp::Div { q.into() } else { Term::Name(Primitive::MyThread) };
        let number = Term::As(tree.typed.ty(e), Box::new(number));
        tree.mark(copy.expr(e), Access::Number(number));
    }
    copy
}

/// The blocked case: a loop over the own blocks, in it one over the rows of a block. With neighbours the rows
/// of a block are run in three parts: those whose neighbours may lie before the block, the inside, and those
/// whose neighbours may lie behind it.
fn blocks(tree: &mut Tree, plan: &Plan, own: &[Var], names: &Names) -> [Node; 2] {
    let &Names { lo, hi, q, .. } = names;
    let (k, first, last) = (tree.var("k"), tree.var("first"), tree.var("last"));
    let r = || Term::Num(plan.rows as i64);
    let (threads, me) = (Term::Name(Primitive::Threads), Term::Name(Primitive::MyThread));
    let index = |var: Var, value: Term| Node::Declare { var, ty: VarType::Index, value: Some(value) };
    let less = |a: Term, b: Term| Term::choose(Term::bin("<", a.clone(), b.clone()), a, b);
    let block = Term::bin("+", Term::bin("*", k.into(), Term::Index(Box::new(threads))), me.clone());
    let start = Term::bin("*", block, r());
    let from_block = Term::bin("-", lo.into(), first.into());
    let past = Term::bin(">", lo.into(), first.into());
    let mut body = vec![
        index(first, start.clone()),
        index(last, Term::bin("-", less(Term::bin("+", first.into(), r()), hi.into()), first.into())),
    ];
    let end = if plan.down { tree.var("end") } else { last };
    let [at, to] = go_through(plan, (q, end), Term::choose(past, from_block, Term::Num(0)), last.into());
    body.push(at);
    body.extend(plan.down.then_some(to));
    let rows: Vec<Var> = plan.roots.iter().map(|_| tree.var("row")).collect();
    for ((root, &own), &row) in plan.roots.iter().zip(own).zip(&rows) {
        let blocks = Term::bin("*", Term::bin("*", k.into(), r()), Term::Num(root.row as i64));
        let at = Term::bin("+", own.into(), blocks);
        body.push(Node::Declare { var: row, ty: VarType::Elements(root.elem), value: Some(at) });
    }
    let each = Term::bin("+", first.into(), q.into());
    match neighbourhood(plan) {
        None => body.extend(rows_loop(tree, plan, names, end, Some(each), &rows, false)),
        Some((before, behind)) => {
            let (side, inner, end) = (tree.var("side"), tree.var("inner"), tree.var("side_end"));
            let border = rows_loop(tree, plan, names, end, Some(each.clone()), &rows, false);
            let inside = rows_loop(tree, plan, names, inner, Some(each), &rows, true);
            let first_side = less(Term::Num(before), last.into());
            let side_end = Term::choose(side.into(), last.into(), first_side);
            body.push(index(inner, less(last.into(), r().plus(-behind))));
            body.push(Node::Declare { var: side, ty: VarType::Int, value: Some(Term::Num(0)) });
            let first_done = Term::Not(Box::new(side.into()));
            let mut sides = vec![index(end, side_end)];
            sides.extend(border);
            sides.push(Node::If { test: first_done, then: inside, otherwise: Vec::new() });
            let go = Term::bin("<", side.into(), Term::Num(2));
            body.push(Node::Loop(Loop { go, step: vec![Step::Next(side)], body: sides, counts: None }));
        }
    }
    // The first own block that is not wholly in front of lo, or downwards the last one not behind hi.
    let own_of = |row: Term| Term::bin("-", Term::call(Primitive::FloorDiv, [row, r()]), me.clone());
    let (from, go, step) = match plan.down {
        false => {
            let from = Term::call(Primitive::CeilDivThreads, [own_of(lo.into())]);
            (from, Term::bin("<", start, hi.into()), Step::Next(k))
        }
        true => {
            let from = Term::call(Primitive::FloorDivThreads, [own_of(Term::Var(hi).plus(-1))]);
            let go = Term::bin(">", Term::bin("+", start, r()), lo.into());
            (from, go, Step::Add(k, Term::Num(-1)))
        }
    };
    [index(k, from), Node::Loop(Loop { go, step: vec![step], body, counts: None })]
}

/// How many rows before and behind its own a plan's neighbours reach; none where it has no neighbours.
fn neighbourhood(plan: &Plan) -> Option<(i64, i64)> {
    let shifts = || plan.neighbours.values().map(|&(_, shift)| shift);
    let (least, most) = (shifts().min()?, shifts().max()?);
    Some(((-least).max(0), most.max(0)))
}
