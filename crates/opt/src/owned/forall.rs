//! Privatisation of `upc_forall`: a thread goes through its own part of the arrays by local pointers.
//!
//! In a loop `upc_forall (i = lo; i < hi; i++; affinity)`, every thread goes through all iterations and runs
//! its own. If the owner of iteration i follows from i alone, a thread can go straight from one of its
//! iterations to the next, and its accesses with the same affinity are to consecutive rows of its own memory.
//!
//! *Rows.* With the affinity `&a[i + c]…`, iteration i works on row i + c; with the affinity `i + c`, on row
//! i + c of a cyclic array. The elements of this row, in all arrays with as many rows in each block, are the
//! thread's own ([`crate::facts::ownership`]).
//!
//! *Neighbours.* Elements at a small distance are the thread's own too, except at the borders of a block. So
//! the rows that are not close to either border run with local pointers for these as well.
//!
//! *Turns.* If a row is an element, and i its number, `i / THREADS` is the number of own rows before it, and
//! `i % THREADS` is MYTHREAD: no division is necessary. This does not hold for i below 0, since C rounds
//! towards zero.
//!
//! *Flat.* A thread's blocks follow one another in its part. If the loop variable serves for local subscripts
//! and turns only, the blocks need not be distinguished, and there is one loop over all own rows.
//!
//! *Why it is allowed.* By 6.6.2, the affinity and the condition are single-valued and iterations of other
//! threads may not affect ours. So a thread may skip the others' iterations: the condition and the affinity
//! have no effects (both are checked), and the step is known. The loop variable is an automatic object whose
//! address is not taken and that the body does not assign; it has the value of the sequential loop in each
//! iteration and after the loop. The bound keeps its value while the body runs. So does a pointer that serves
//! as an array. On entry, the loop tests the following, else the plain form runs:
//!
//! - Such a pointer points at thread 0, phase 0.
//! - No outer upc_forall is in control.
//! - An affinity that is a number is the row's ([`numbers`]).
//!
//! *Steps.* A loop downwards goes through the same rows from the last one on. If the step is a constant
//! greater than 1, the first own row that the steps meet is searched when the loop, or a block, begins; the
//! rows after it are equally far apart. Downwards, each own row is tested. None of these loops treats
//! neighbours as own.
//!
//! *Limits.* Steps of up to [`LONGEST_STEP`], downwards [`LONGEST_STEP_DOWN`]; bodies without labels, gotos,
//! `break`, `return` or statics, since the body is written twice.
//!
//! *Result.* [`Node::If`] on the conditions of entry; in it the loops over own rows with
//! [`Access::Element`]s, and the plain form, which goes through all iterations.

mod beside;
mod numbers;

use crate::facts::body::Body;
use crate::facts::ownership::{Numbering, Owned};
use crate::facts::shapes::{Condition, Head, Shape, is_long, unsigned_int};
use crate::ir::copy::Copy;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Counting, Loop, Node, Primitive, Slot, Step, Term, Tree, Var, VarType};
use crate::owned::over_own::{each_shared_out, enter, leave, own_or_all, pointers};
use beside::Steps;
use c_sema::Typed;
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::HashMap;

/// Longest step upwards, which bounds the search for the first row that the steps meet.
const LONGEST_STEP: u64 = 64;
/// Longest step downwards. With longer steps, the loop as written may have fewer iterations than there are
/// own rows to test.
const LONGEST_STEP_DOWN: u64 = 4;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("forall");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_shared_out(tree, ID, &mut |tree, s| {
        let plan = plan(tree, s)?;
        let tests = plan.own.tests(tree).into_iter().chain(numbers::test(tree, &plan)).collect();
        own_or_all(tree, s, tests, |tree| over_own_rows(tree, &plan));
        Ok(plan.summary(tree))
    });
}

/// How to run a shared-out loop over the own part.
struct Plan {
    head: Head,
    /// The loop variable goes down.
    down: bool,
    /// The absolute value of the step.
    by: i64,
    /// Other variables that the third clause steps.
    beside: Vec<beside::Beside>,
    /// c: iteration i works on row i + c.
    offset: i64,
    /// R: rows in a block.
    rows: u64,
    /// The range of row numbers, if it must be tested.
    numbers: Option<[i64; 2]>,
    /// Elements of the current row, and, inside a block, of its neighbours.
    own: Owned,
    /// `i / THREADS` and `i % THREADS` that follow from the row.
    turns: HashMap<ExprId, BinOp>,
    /// The loop variable serves for local subscripts and turns only.
    flat: bool,
    body: StmtId,
}

impl Plan {
    fn summary(&self, tree: &Tree) -> String {
        let flat = if self.flat { ", flat" } else { "" };
        let neighbours = if self.neighbourhood().is_some() { ", with neighbours" } else { "" };
        let down = if self.down { ", downwards" } else { "" };
        let by = if self.by == 1 { String::new() } else { format!(", in steps of {}", self.by) };
        let beside = if self.beside.is_empty() { "" } else { ", with other steps" };
        let names = self.own.names(tree);
        format!("own rows of [{names}], {} a block{neighbours}{flat}{down}{by}{beside}", self.rows)
    }

    /// Returns how many rows before and after the current one the neighbours reach; none without neighbours.
    fn neighbourhood(&self) -> Option<(i64, i64)> {
        let shifts = || self.own.elements.iter().map(|of| of.shift).filter(|&shift| shift != 0);
        let (least, most) = (shifts().min()?, shifts().max()?);
        Some(((-least).max(0), most.max(0)))
    }

    /// Returns the first row, and the one after the last, if iteration i worked on row i + `c`.
    fn limits(&self, tree: &Tree, c: i64) -> (Term, Term) {
        let (head, start) = (self.head, self.head.first.begins(&tree.typed));
        if !self.down {
            return (start.plus(c), head.past(&tree.typed).plus(c));
        }
        let bound = Term::index(Term::Value(head.bound));
        (bound.plus(i64::from(!head.inclusive) + c), start.plus(c).plus(1))
    }

    /// Returns the value of the loop variable at a row.
    fn value(&self, tree: &Tree, row: Term) -> Term {
        Term::As(tree.typed.sym(self.head.first.var).ty, Box::new(row.plus(-self.offset)))
    }

    /// Returns the number of iterations in so many rows.
    fn gone(&self, rows: Term) -> Term {
        if self.by == 1 { rows } else { Term::bin("/", rows.plus(self.by - 1), Term::Num(self.by)) }
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
    let Some(shape @ Shape { first: Some(first), .. }) = tree.shape(s) else {
        return Err(Reason::FirstClause);
    };
    let (body, var) = (Body::new(tree, stmt), first.var);
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
    let mut own = Owned::default();
    let (offset, rows) = own.affinity(&body, affinity, var).ok_or(Reason::AffinityNotByIndex)?;
    let number = matches!(typed.types.of(typed.ty(affinity)), Ty::Int(_));
    // `i - 1` of an unsigned 0 is a large number, not the one below 0.
    if offset < 0 && unsigned_int(typed, ty) && !number {
        return Err(Reason::RowBelowUnsigned);
    }
    own.find(&body, var, Numbering::Dealt { offset, rows });
    if beside.iter().any(|beside| own.roots.iter().any(|root| root.sym == beside.var)) {
        return Err(Reason::StepsArray);
    }
    if down || by > 1 {
        own.elements.retain(|of| of.shift == 0);
    }
    // 0 to 127 are values of any type that the variable may have.
    let from_zero = typed.constant(first.value).is_some_and(|lo| (0..128).contains(&lo)) && !down;
    let turns = if from_zero && offset == 0 && rows == 1 { turns(&body, var) } else { HashMap::new() };
    let mut subscripts = own.subscripts(&body);
    subscripts.extend(turns.keys());
    let head = Head { first, bound, inclusive };
    let numbers = None;
    let mut plan =
        Plan { head, down, by, beside, offset, rows, numbers, own, turns, flat: false, body: stmt };
    plan.numbers = numbers::of_affinity(&body, affinity, &plan)?;
    plan.flat = by == 1
        && plan.beside.is_empty()
        && plan.neighbourhood().is_none()
        && !body.names_otherwise(var, &subscripts);
    Ok(plan)
}

/// Returns the bound of `i != hi`, if a signed variable steps by 1. The variable must meet the bound: it
/// would overflow otherwise.
fn end(typed: &Typed, shape: &Shape, by: i64) -> Option<(ExprId, bool)> {
    use c_sema::types::IntKind::{Int, Long, LongLong};
    let Some((var, Condition::Compare(BinOp::Ne, hi))) = shape.condition else { return None };
    let signed = |q| matches!(typed.types.of(q), Ty::Int(Int | Long | LongLong));
    (by == 1 && signed(typed.sym(var).ty) && signed(typed.ty(hi))).then_some((hi, false))
}

/// Returns the quotients and remainders of a variable by THREADS.
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

// ---- rewriting -----------------------------------------------------------------------------------

/// The loop over own rows, during its construction. Rows are numbered r = i + c.
struct OwnRows<'a> {
    plan: &'a Plan,
    /// The first row, and the one after the last.
    lo: Var,
    hi: Var,
    /// The current row, counted among the thread's own or in its block.
    q: Var,
    /// The first values of the other variables that step.
    beside: Vec<Var>,
}

fn over_own_rows(tree: &mut Tree, plan: &Plan) -> Vec<Node> {
    let (lo, hi, q) = (tree.var("lo"), tree.var("hi"), tree.var("q"));
    let (beside, kept) = beside::first_values(tree, plan);
    let head = plan.head;
    let (first, past) = plan.limits(tree, plan.offset);
    let mut out = vec![Node::index(lo, first), Node::index(hi, past)];
    out.extend(kept);
    let (own, parts) = pointers(tree, &plan.own, "own", |_, root| root.own_part());
    out.extend(parts);
    let rows = OwnRows { plan, lo, hi, q, beside };
    if plan.rows == 1 || plan.flat {
        let (end, me) = (tree.var("end"), Term::Name(Primitive::MyThread));
        let own_before = |row: Var| match plan.rows {
            1 => Term::call(Primitive::CeilDivThreads, [Term::bin("-", row.into(), me.clone())]),
            r => Term::call(Primitive::OwnRows, [row.into(), Term::Num(r as i64)]),
        };
        out.extend(rows.limits(end, own_before(lo), own_before(hi)));
        let row = Term::bin("+", Term::bin("*", q.into(), Term::threads()), me);
        out.extend(rows.each(tree, end, (!plan.flat).then_some(row), &own, false));
    } else {
        out.extend(rows.blocks(tree, &own));
    }
    out.extend(beside::values(tree, &rows, rows.iterations()));
    out.extend(leave(head.first, plan.value(tree, rows.behind())));
    out
}

impl OwnRows<'_> {
    /// Returns the number of iterations of the loop.
    fn iterations(&self) -> Term {
        let (lo, hi) = (|| Term::Var(self.lo), || Term::Var(self.hi));
        Term::choose(Term::bin("<", lo(), hi()), self.plan.gone(Term::bin("-", hi(), lo())), Term::Num(0))
    }

    /// Returns the row of the variable's value after the loop.
    fn behind(&self) -> Term {
        let (lo, hi) = (|| Term::Var(self.lo), || Term::Var(self.hi));
        if !self.plan.down && self.plan.by == 1 {
            return Term::choose(Term::bin("<", lo(), hi()), hi(), lo());
        }
        let steps = Term::bin("*", self.iterations(), Term::Num(self.plan.by));
        if self.plan.down { Term::bin("-", hi().plus(-1), steps) } else { Term::bin("+", lo(), steps) }
    }

    /// Declares the current row and the end of the loop over the rows from ... to - 1, in the loop's
    /// direction.
    fn limits(&self, end: Var, from: Term, to: Term) -> [Node; 2] {
        match self.plan.down {
            false => [Node::index(self.q, from), Node::index(end, to)],
            true => [Node::index(self.q, to.plus(-1)), Node::index(end, from)],
        }
    }

    /// Makes the loop over the rows from q to `end`, by the pointers `rows`. `end` is the row after the last
    /// one, or downwards the last one. If `inside` holds, neighbours are local too. `each` is the row as all
    /// threads number it; from it the program's variable gets its value.
    fn each(&self, tree: &mut Tree, end: Var, each: Option<Term>, rows: &[Var], inside: bool) -> Vec<Node> {
        let plan = self.plan;
        let copy = self.local_body(tree, rows, inside);
        let mut body = Vec::from_iter(each.clone().map(|row| enter(plan.head.first, plan.value(tree, row))));
        let away = each.map(|row| match plan.down {
            true => Term::bin("-", Term::Var(self.hi).plus(-1), row),
            false => Term::bin("-", row, self.lo.into()),
        });
        let gone = away.clone().map(|away| plan.gone(away));
        let mut own: Vec<Node> = gone.map(|gone| beside::values(tree, self, gone)).unwrap_or_default();
        own.push(Node::Stmt(copy.stmt));
        let away = away.filter(|_| plan.by > 1);
        if plan.down {
            return vec![self.downwards(end, away, body, own)];
        }
        body.extend(own);
        self.upwards(end, away, body)
    }

    /// Makes the loop down to row `end`. If the steps are longer than one, each row's distance `away` from
    /// the first one is tested.
    fn downwards(&self, end: Var, away: Option<Term>, mut body: Vec<Node>, own: Vec<Node>) -> Node {
        match away {
            None => body.extend(own),
            Some(away) => {
                let beyond = Term::bin("%", away, Term::Num(self.plan.by));
                let test = Term::bin("==", beyond, Term::Num(0));
                body.push(Node::If { test, then: own, otherwise: Vec::new() });
            }
        }
        let go = Term::bin(">=", self.q.into(), end.into());
        Node::Loop(Loop { go, step: vec![Step::Add(self.q, Term::Num(-1))], body, counts: None })
    }

    /// Makes the loop up to row `end`. If the steps are longer than one, it begins at the first row that they
    /// meet; `away` is the distance of row q from the loop's first row.
    fn upwards(&self, end: Var, away: Option<Term>, body: Vec<Node>) -> Vec<Node> {
        let (plan, q) = (self.plan, self.q);
        let go = Term::bin("<", q.into(), end.into());
        let counts = Counting { counter: q, var: plan.head.first.var, turns: plan.rows == 1 };
        let counts = plan.beside.is_empty().then_some(counts);
        let (mut out, mut step) = (Vec::new(), Step::Next(q));
        if let Some(away) = away {
            // `apart`: iterations from one own row to the next; `met`: own rows from one met row to the next.
            let by = || Term::Num(plan.by);
            let (apart, met) = match plan.rows {
                1 => (Term::threads(), Term::call(Primitive::StepsApart, [Term::threads(), by()])),
                _ => (Term::Num(1), by()),
            };
            let first = Term::call(Primitive::StepsMeet, [q.into(), end.into(), away, apart, by()]);
            out.push(Node::Assign(Slot::Made(q), first));
            step = Step::Add(q, met);
        }
        out.push(Node::Loop(Loop { go, step: vec![step], body, counts }));
        out
    }

    /// Copies the body, with its local accesses by the pointers `rows`. If `inside` holds, neighbours are
    /// local too.
    fn local_body(&self, tree: &mut Tree, rows: &[Var], inside: bool) -> Copy {
        let copy = tree.copy(self.plan.body);
        for of in self.plan.own.elements.iter().filter(|of| inside || of.shift == 0) {
            tree.mark(copy.expr(of.e), of.access(&copy, rows[of.root], self.q));
        }
        for (&e, op) in &self.plan.turns {
            let number = if *op == BinOp::Div { self.q.into() } else { Term::Name(Primitive::MyThread) };
            let number = Term::As(tree.typed.ty(e), Box::new(number));
            tree.mark(copy.expr(e), Access::Number(number));
        }
        copy
    }

    /// Makes the loops for blocks: one over the own blocks, in it one over the rows of a block. With
    /// neighbours, the rows of a block are run in three parts: those whose neighbours may lie before the
    /// block, the inside, and those whose neighbours may lie after the block.
    fn blocks(&self, tree: &mut Tree, own: &[Var]) -> [Node; 2] {
        let &OwnRows { plan, lo, hi, q, .. } = self;
        let (k, first, last) = (tree.var("k"), tree.var("first"), tree.var("last"));
        let r = || Term::Num(plan.rows as i64);
        let me = Term::Name(Primitive::MyThread);
        let less = |a: Term, b: Term| Term::choose(Term::bin("<", a.clone(), b.clone()), a, b);
        let block = Term::bin("+", Term::bin("*", k.into(), Term::threads()), me.clone());
        let start = Term::bin("*", block, r());
        let from_block = Term::bin("-", lo.into(), first.into());
        let past = Term::bin(">", lo.into(), first.into());
        let mut body = vec![
            Node::index(first, start.clone()),
            Node::index(
                last,
                Term::bin("-", less(Term::bin("+", first.into(), r()), hi.into()), first.into()),
            ),
        ];
        let end = if plan.down { tree.var("end") } else { last };
        let [at, to] = self.limits(end, Term::choose(past, from_block, Term::Num(0)), last.into());
        body.push(at);
        body.extend(plan.down.then_some(to));
        let (rows, parts) = pointers(tree, &plan.own, "row", |n, root| {
            let blocks = Term::bin("*", Term::bin("*", k.into(), r()), Term::Num(root.row as i64));
            Term::bin("+", own[n].into(), blocks)
        });
        body.extend(parts);
        let each = Term::bin("+", first.into(), q.into());
        match plan.neighbourhood() {
            None => body.extend(self.each(tree, end, Some(each), &rows, false)),
            Some((before, behind)) => {
                let (side, inner, end) = (tree.var("side"), tree.var("inner"), tree.var("side_end"));
                let border = self.each(tree, end, Some(each.clone()), &rows, false);
                let inside = self.each(tree, inner, Some(each), &rows, true);
                let first_side = less(Term::Num(before), last.into());
                let side_end = Term::choose(side.into(), last.into(), first_side);
                body.push(Node::index(inner, less(last.into(), r().plus(-behind))));
                body.push(Node::Declare { var: side, ty: VarType::Int, value: Some(Term::Num(0)) });
                let first_done = Term::Not(Box::new(side.into()));
                let mut sides = vec![Node::index(end, side_end)];
                sides.extend(border);
                sides.push(Node::If { test: first_done, then: inside, otherwise: Vec::new() });
                let go = Term::bin("<", side.into(), Term::Num(2));
                body.push(Node::Loop(Loop { go, step: vec![Step::Next(side)], body: sides, counts: None }));
            }
        }
        // The first own block that is not wholly before lo, or downwards the last one that begins before hi.
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
        [Node::index(k, from), Node::Loop(Loop { go, step: vec![step], body, counts: None })]
    }
}
