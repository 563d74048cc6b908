//! Finds the cuts of a loop: a walk over its body that finds the accesses, and the values that have to be
//! known before each.

mod atomics;
mod known;
mod reads;
mod tested;
mod variables;

use self::atomics::Early;
use self::known::{Known, Met};
use super::needed;
use super::{Block, Cut, Cuts, Gate, Item, Part, Test, Walk, Walked, Writes};
use crate::facts::body::{Body, named_alone};
use crate::facts::dependences::Dependences;
use crate::facts::extrema;
use crate::facts::places::is_bit_field;
use crate::facts::shapes::{Step, Stride, counts, mentions};
use crate::facts::statements;
use crate::ir::reason::Reason;
use crate::ir::tree::Tree;
use crate::ir::walk::has;
use crate::remote::prefetch::iterations::Iterations;
use base::contract;
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr, exists};
use std::collections::{HashMap, HashSet};

/// The most reads of a plan: each has a buffer.
const MOST_READS: usize = contract::MOST_READS as usize;
/// The most writes that reads are tested against: tests take time.
const MOST_TESTED: usize = 4;
/// The most loops inside of the loop that are walked; more are left to themselves.
const MOST_LOOPS: usize = 3;

/// The place of an evaluation.
#[derive(Clone, Default)]
struct At {
    /// The loop: 0 is the outer one.
    level: usize,
    /// The first stage in which it is known whether this runs.
    stage: usize,
    /// No stage knows whether it runs.
    unknown: bool,
    /// A guess decides whether it runs ([`crate::facts::early`]).
    guess: bool,
    /// The branches and loops around it.
    path: Vec<usize>,
}

/// Assumptions of a walk. A walk that refutes one is done again without it.
#[derive(Clone, PartialEq, Eq)]
struct Assumed {
    /// Whether each write is known in advance.
    foreseen: Vec<bool>,
    /// Objects that are not to be tested.
    untested: HashSet<ExprId>,
    /// Objects on whose values other cuts depend, if writes are tested.
    leading: HashSet<ExprId>,
}

pub(super) struct Find<'a> {
    tree: &'a Tree,
    body: &'a Body<'a>,
    dependences: &'a Dependences<'a>,
    /// The variables of the loops around, the outer one first.
    vars: Vec<SymId>,
    /// The subset of `vars` whose values may be others when the iteration runs.
    guessed: HashSet<SymId>,
    /// Variables that each iteration has set, once: their values, and when these are known.
    locals: HashMap<SymId, (ExprId, Known)>,
    /// How often the body assigns or declares a variable.
    assigned: HashMap<SymId, usize>,
    /// Variables that a block of the body declares without a value: the end of the block, and the branches
    /// and loops around it.
    declared: HashMap<SymId, (u32, Vec<usize>)>,
    /// The place at which each cut is filled.
    filled: Vec<At>,
    /// Private objects on which values depend, and which the loop may write.
    inputs: Vec<ExprId>,
    /// Objects that are to be tested against writes known in advance.
    tests: Vec<Test>,
    writes: Writes,
    assumed: Assumed,
    /// Private objects that the iteration accesses regardless of guesses.
    met: Vec<Met>,
    /// Whether atomic operations are done in advance.
    early: Early,
    /// Whether a guess decides if the current expression is evaluated, and the branches and loops around it.
    guessing: bool,
    around: Vec<usize>,
    /// The first stage in which it is known whether the current expression is evaluated.
    stage: usize,
    branches: usize,
    /// Writes that items note.
    added: HashSet<usize>,
    cuts: Cuts,
}

impl<'a> Find<'a> {
    /// Returns the cuts of a loop. Atomic operations are done in advance if all else permits it.
    pub(super) fn cuts(of: &Iterations<'a>, writes: Writes) -> Result<Cuts, Reason> {
        if writes == Writes::Tested {
            return Find::cuts_with(of, writes, Early::Never(Reason::OtherKind));
        }
        let mut early = Early::FIRST;
        loop {
            of.dependences.assume_distinct(early.assumes_distinct());
            let cuts = Find::cuts_with(of, writes, early);
            let next = atomics::again(of, &cuts, early);
            let distinct = of.dependences.assume_distinct(false);
            match next {
                Some(next) => early = next,
                None => return cuts.map(|cuts| Cuts { distinct, ..cuts }),
            }
        }
    }

    /// Returns the cuts. Every write is assumed to be known in advance until the walk shows that it is not.
    fn cuts_with(of: &Iterations<'a>, writes: Writes, early: Early) -> Result<Cuts, Reason> {
        let &Iterations { body, dependences, .. } = of;
        let tree = body.tree;
        let in_front = |&write: &ExprId| body.typed_in_front(write) && !is_bit_field(tree, write);
        let mut assumed = Assumed {
            foreseen: dependences.writes.iter().map(in_front).collect(),
            untested: HashSet::new(),
            leading: HashSet::new(),
        };
        let mut cuts = loop {
            let known = assumed.clone();
            let mut find = Find::new(of, (writes, early), assumed);
            let mut items = find.run(body.stmt, &mut At::default());
            let mut cuts = find.cuts;
            assumed = find.assumed;
            needed::keep(body, writes, &mut items, &mut cuts);
            variables::keep_defined(&mut items);
            cuts.items = items;
            if writes == Writes::Tested {
                assumed.leading.extend(cuts.all.iter().filter(|cut| cut.leads).map(|cut| cut.e));
            }
            unforeseen(&cuts, writes, &mut assumed.foreseen);
            if assumed == known {
                break cuts;
            }
        };
        match writes {
            Writes::Tested => tested::check(of, &mut cuts)?,
            Writes::Noted => super::writes::note(tree, body, dependences, &mut cuts)?,
        }
        if cuts.all.iter().filter(|cut| cut.buffered()).count() > MOST_READS {
            return Err(Reason::MoreReadsThanBuffers);
        }
        Ok(cuts)
    }

    fn new(of: &Iterations<'a>, (writes, early): (Writes, Early), assumed: Assumed) -> Find<'a> {
        let &Iterations { body, dependences, var, .. } = of;
        Find {
            tree: body.tree,
            body,
            dependences,
            vars: vec![var],
            guessed: HashSet::new(),
            locals: HashMap::new(),
            assigned: variables::assigned(body),
            declared: HashMap::new(),
            filled: Vec::new(),
            inputs: Vec::new(),
            tests: Vec::new(),
            writes,
            assumed,
            met: Vec::new(),
            early,
            guessing: false,
            around: Vec::new(),
            stage: 0,
            branches: 0,
            added: HashSet::new(),
            cuts: Cuts::default(),
        }
    }

    // ---- statements ------------------------------------------------------------------------------

    fn run(&mut self, s: StmtId, at: &mut At) -> Block {
        let mut items = Block::new();
        self.stmt(s, None, at, &mut items);
        items
    }

    /// Visits a statement. `block`: the end of the block that the statement stands in. `at` tells whether the
    /// statement is in doubt, since an earlier one may `continue`.
    fn stmt(&mut self, s: StmtId, block: Option<u32>, at: &mut At, out: &mut Block) {
        let unit = self.body.unit;
        // A statement that a pass has made versions of is skipped: each version reads by itself.
        if self.tree.nodes(s).is_some() {
            return self.writes_within(Any::Stmt(s), at, out);
        }
        let extremum = extrema::of_stmt(unit, self.body.typed, s).is_some();
        match &unit.stmts[s].kind {
            StmtKind::Compound(all) => self.compound(s, all, at, out),
            &StmtKind::Decl(d) => self.declaration(d, block, at, out),
            &StmtKind::Expr(Some(e)) => {
                match unit.exprs[unit.bare(e)].kind {
                    // The owner compares, and has the branches.
                    ExprKind::Assign(None, _, value) if extremum => {
                        if let ExprKind::Cond(test, ..) = unit.exprs[unit.bare(value)].kind {
                            self.value(test, at, out);
                        }
                    }
                    _ => self.value(e, at, out),
                }
                if extremum && self.writes == Writes::Tested {
                    self.add_writes(Any::Stmt(s), at, out);
                }
                if let &ExprKind::Assign(None, target, value) = &unit.exprs[unit.bare(e)].kind
                    && let Some(sym) = self.body.name(target)
                {
                    let outer = self.declared.get(&sym).filter(|(_, path)| *path == at.path);
                    let (end, declared) = (outer.map(|outer| outer.0).or(block), outer.is_some());
                    if end.is_some_and(|end| self.set_once(sym, unit.exprs[e].at, end)) {
                        self.define(sym, value, declared, at, out);
                    }
                }
            }
            &StmtKind::If(cond, ..) if extremum || self.writes == Writes::Tested => {
                self.value(cond, at, out);
                if extremum && self.writes == Writes::Tested {
                    self.add_writes(Any::Stmt(s), at, out);
                }
            }
            &StmtKind::If(cond, then, otherwise) => self.branch(s, cond, then, otherwise, at, out),
            StmtKind::For { .. } if self.writes == Writes::Noted => self.inner(s, at, out),
            StmtKind::Do(..) => {
                let block = statements::run_once(unit, self.body.typed, s);
                if let Some(body) = block.filter(|&body| !jumps(self.tree, body)) {
                    self.stmt(body, None, at, out);
                }
            }
            _ => {}
        }
        self.writes_within(Any::Stmt(s), at, out);
    }

    fn compound(&mut self, s: StmtId, all: &[StmtId], at: &mut At, out: &mut Block) {
        let end = self.body.unit.stmts[s].at.hi;
        let mut items = Block::new();
        self.sequence(all, end, s == self.body_at(at), at, &mut items);
        out.extend((!items.is_empty()).then_some(Item::Block(items)));
    }

    /// Visits the statements of a block that ends at `end`. `body`: the block is the body of the current
    /// loop.
    fn sequence(&mut self, all: &[StmtId], end: u32, body: bool, at: &mut At, out: &mut Block) {
        let unit = self.body.unit;
        for (n, &item) in all.iter().enumerate() {
            let leaves = continues(unit, item);
            match unit.stmts[item].kind {
                // The statements after `if (c) continue;` are its other branch.
                StmtKind::If(cond, then, None)
                    if body && leaves && self.writes == Writes::Noted && is_continue(unit, then) =>
                {
                    self.value(cond, at, out);
                    let (mut rest, mut behind) = (self.under(cond, at, true), Block::new());
                    let inside = rest.clone();
                    self.sequence(&all[n + 1..], end, body, &mut rest, &mut behind);
                    self.close(Some(item), cond, (at, &inside), [Block::new(), behind], out);
                    return;
                }
                _ => self.stmt(item, Some(end), at, out),
            }
            at.unknown |= leaves;
        }
    }

    /// Returns the body of the current loop.
    fn body_at(&self, at: &At) -> StmtId {
        match at.level {
            0 => self.body.stmt,
            level => self.cuts.loops[level - 1].body,
        }
    }

    /// Returns the point at which a value is known. Takes the inputs and tests that have been found last,
    /// which have to be those of this value.
    fn part(&mut self, known: Known, at: &At) -> Part {
        let (stage, guess) = (known.stage.max(at.stage), known.guess || at.guess);
        let (inputs, tests) = (std::mem::take(&mut self.inputs), std::mem::take(&mut self.tests));
        Part { stage, level: at.level, guess, inputs, tests }
    }

    fn branch(
        &mut self,
        s: StmtId,
        cond: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
        at: &mut At,
        out: &mut Block,
    ) {
        self.value(cond, at, out);
        let inside = self.under(cond, at, true);
        let then = self.run(then, &mut inside.clone());
        let mut other = self.under(cond, at, true);
        let otherwise = otherwise.map(|s| self.run(s, &mut other)).unwrap_or_default();
        self.close(Some(s), cond, (at, &inside), [then, otherwise], out);
    }

    /// Returns the place under a condition. `stored`: the outcome of the condition is kept.
    fn under(&mut self, cond: ExprId, at: &At, stored: bool) -> At {
        self.branches += 1;
        let mut inside = at.clone();
        inside.path.push(self.branches);
        match self.known_condition(cond, at) {
            // The program evaluates the condition again, which must have the same outcome.
            Some(known) if stored || !self.leads_to_memory(cond) => {
                (inside.stage, inside.guess) = (known.stage.max(at.stage), known.guess || at.guess);
            }
            _ => inside.unknown = true,
        }
        inside
    }

    /// Returns true if an expression reads private memory other than variables.
    fn leads_to_memory(&self, e: ExprId) -> bool {
        let (unit, types) = (self.body.unit, &self.body.typed.types);
        exists(unit, Any::Expr(e), |e| {
            let memory = matches!(
                unit.exprs[e].kind,
                ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { .. }
            );
            memory && !types.is_shared(self.body.typed.ty(e))
        })
    }

    /// Adds a branch, if something in it is read in advance. `around`, `at`: the places around the condition
    /// and under it.
    fn close(
        &mut self,
        stmt: Option<StmtId>,
        cond: ExprId,
        (around, at): (&At, &At),
        [then, otherwise]: [Block; 2],
        out: &mut Block,
    ) {
        if !super::reads(&then) && !super::reads(&otherwise) {
            return;
        }
        self.known(cond, around);
        let part = self.part(Known::default(), at);
        if stmt.is_none() {
            self.leads(cond);
        }
        let gate = stmt.map(|stmt| {
            let lost = [[&otherwise, &then], [&then, &otherwise]];
            let lost = lost.map(|[taken, left]| super::reads(taken) || super::walks(left));
            let cuts = self.cuts_in(cond);
            self.cuts.gates.push(Gate { stmt, level: at.level, stage: at.stage, cuts, lost });
            self.cuts.gates.len() - 1
        });
        out.push(Item::If { gate, cond, part, then, otherwise });
    }

    /// Visits a loop inside.
    fn inner(&mut self, s: StmtId, at: &At, out: &mut Block) {
        let unit = self.body.unit;
        let StmtKind::For { cond: Some(cond), step: Some(step), body, .. } = unit.stmts[s].kind else {
            return;
        };
        let Some((Step { var, by, .. }, first)) = self.counts(s, body) else { return };
        let mut at = at.clone();
        self.value(first, &mut at, out);
        if !mentions(unit, self.body.typed, cond, var) {
            return;
        }
        // The condition reads the same objects each time, and reads them in any case.
        let (cuts, items) = (self.cuts.all.len(), out.len());
        let known_first = self.known(first, &at);
        let (mut inputs, mut tests) = (std::mem::take(&mut self.inputs), std::mem::take(&mut self.tests));
        // The step has to be known from the first stage on, in which the loop is walked.
        let steps = match by {
            Stride::By(by) => {
                self.known(by, &at).is_some_and(|by| by.stage == 0 && !by.guess) && self.tests.is_empty()
            }
            Stride::Up | Stride::Down => true,
        };
        self.vars.push(var);
        if known_first.is_some_and(|known| known.guess) {
            self.guessed.insert(var);
        }
        self.value(cond, &mut at, out);
        let head = known_first.zip(self.known_condition(cond, &at)).filter(|_| steps);
        self.inputs.append(&mut inputs);
        self.tests.append(&mut tests);
        let varies = |cut: &Cut| mentions(unit, self.body.typed, cut.e, var);
        let steady = !self.cuts.all[cuts..].iter().any(varies)
            && out[items..].iter().all(|item| matches!(item, Item::Read(..)));
        let Some((a, b)) = head.filter(|_| steady && !at.unknown && self.cuts.loops.len() < MOST_LOOPS)
        else {
            self.cuts.all.truncate(cuts);
            self.filled.truncate(cuts);
            out.truncate(items);
            self.vars.pop();
            self.guessed.remove(&var);
            return;
        };
        self.branches += 1;
        let stage = at.stage.max(a.stage).max(b.stage);
        let mut inside = At { stage, guess: at.guess || a.guess || b.guess, ..at.clone() };
        inside.path.push(self.branches);
        let part = self.part(Known { stage, guess: inside.guess }, &at);
        self.cuts.loops.push(Walked {
            stmt: s,
            var,
            first,
            cond,
            step,
            body,
            outer: at.level,
            stage: inside.stage,
            cuts: Vec::new(),
        });
        let number = self.cuts.loops.len();
        inside.level = number;
        let items = self.run(body, &mut inside);
        self.vars.pop();
        self.guessed.remove(&var);
        if super::reads(&items) {
            self.leads(first);
            self.leads(cond);
            let cuts = self.cuts_in(cond);
            self.cuts.loops[number - 1].cuts = cuts;
            out.push(Item::Walk(Walk { number, part, items }));
        } else {
            // The loops inside of it have no reads either, and have been removed.
            self.cuts.loops.pop();
        }
    }

    /// Returns the step of a loop that counts, and its first value.
    fn counts(&self, s: StmtId, body: StmtId) -> Option<(Step, ExprId)> {
        if self.tree.nodes(s).is_some() || !self.tree.is_free(s) {
            return None;
        }
        let shape = self.tree.shape(s)?;
        let (first, step) = (shape.first?, shape.step?);
        let effects = self.tree.effects(body);
        let typed = self.body.typed;
        if let Stride::By(by) = step.by
            && !Body::new(self.tree, body).keeps_bound(by, step.var)
        {
            return None;
        }
        let own = first.var == step.var && named_alone(typed, step.var) && counts(typed, step.var);
        let left = !effects.rigid && !effects.assigned.contains(&step.var) && !self.vars.contains(&step.var);
        (own && left).then_some((step, first.value))
    }

    fn cut_of(&self, e: ExprId) -> Option<usize> {
        self.cuts.cut_of(e)
    }

    // ---- dependences between cuts ---------------------------------------------------------------

    /// Notes that other early reads depend on the reads in this expression.
    fn leads(&mut self, e: ExprId) {
        for cut in self.cuts_in(e) {
            self.cuts.all[cut].leads = true;
        }
    }

    fn leads_inside(&mut self, e: ExprId) {
        let inner: Vec<ExprId> = match self.body.unit.exprs[e].kind {
            ExprKind::Index(a, b) => vec![a, b],
            ExprKind::Unary(_, a) | ExprKind::Member { base: a, arrow: true, .. } => vec![a],
            ExprKind::Member { base, .. } | ExprKind::Paren(base) => return self.leads_inside(base),
            _ => Vec::new(),
        };
        inner.into_iter().for_each(|e| self.leads(e));
    }

    /// Returns the cuts on which a value depends.
    fn cuts_in(&self, e: ExprId) -> Vec<usize> {
        let mut found = Vec::new();
        self.add_cuts(e, &mut found);
        found
    }

    fn add_cuts(&self, e: ExprId, found: &mut Vec<usize>) {
        let mut values = Vec::new();
        each_expr(self.body.unit, Any::Expr(e), |e| {
            if let Some(cut) = self.cut_of(e)
                && !found.contains(&cut)
            {
                found.push(cut);
            }
            if matches!(self.body.unit.exprs[e].kind, ExprKind::Ident(_)) {
                let local = self.body.typed.symbol(e).and_then(|sym| self.locals.get(&sym));
                values.extend(local.map(|local| local.0));
            }
            true
        });
        values.into_iter().for_each(|e| self.add_cuts(e, found));
    }
}

/// Clears `foreseen` for the writes that reads are tested against, but whose places are not known in time. If
/// noted writes are the alternative, and reads are tested against more than [`MOST_TESTED`], all of these are
/// cleared, since tests take time.
fn unforeseen(cuts: &Cuts, writes: Writes, foreseen: &mut [bool]) {
    let tested = cuts.tested();
    if writes == Writes::Noted && tested.len() > MOST_TESTED {
        return tested.into_iter().for_each(|write| foreseen[write] = false);
    }
    let mut known = HashMap::new();
    super::each_item(&cuts.items, &mut |item| {
        if let Item::Wrote(write, _, part) = item {
            known.insert(*write, part.stage);
        }
    });
    super::each_item(&cuts.items, &mut |item| {
        for test in item.part().into_iter().flat_map(|part| &part.tests) {
            let late = |write: &&usize| known.get(write).is_none_or(|&stage| stage > test.stage);
            test.writes.iter().filter(late).for_each(|&write| foreseen[write] = false);
        }
    });
}

/// Whether a statement may `continue` the loop that it stands in.
fn continues(unit: &Unit, s: StmtId) -> bool {
    match &unit.stmts[s].kind {
        StmtKind::Continue => true,
        StmtKind::Compound(items) => items.iter().any(|&item| continues(unit, item)),
        StmtKind::If(_, then, otherwise) => {
            continues(unit, *then) || otherwise.is_some_and(|s| continues(unit, s))
        }
        StmtKind::Switch(_, body) => crate::facts::certain::continues(unit, *body),
        _ => false,
    }
}

/// Whether a statement may leave, or begin again, a loop around it.
fn jumps(tree: &Tree, s: StmtId) -> bool {
    has(tree, s, |kind| matches!(kind, StmtKind::Break | StmtKind::Continue))
}

fn is_continue(unit: &Unit, s: StmtId) -> bool {
    match &unit.stmts[s].kind {
        StmtKind::Continue => true,
        StmtKind::Compound(items) => matches!(items[..], [only] if is_continue(unit, only)),
        _ => false,
    }
}
