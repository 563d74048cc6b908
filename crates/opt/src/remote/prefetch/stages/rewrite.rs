//! Rewrites loops that are read in stages.

use super::super::parts::{Parts, declare, less, object, set, value, when};
use super::{Block, Define, Item, Part, Plan, Slot, Test, Walk, Write};
use crate::facts::affine::name;
use crate::facts::early;
use crate::facts::places::DEPTH;
use crate::ir::tree::{Access, Loop, Node, Primitive, Slot as To, Step, Term, Tree, Var, VarType, Waiting};
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// The variables of a loop that is read in stages.
struct Names {
    /// Counts reads under way.
    waiting: Var,
    /// The rest of the current part has been prefetched.
    fetched: Var,
    /// Something in the part is remote.
    met: Var,
    /// Whether the loop's pointers lead to different objects, if the plan requires that.
    distinct: Option<Var>,
    /// For each loop, the outer one first: the number of its iterations so far in the part.
    at: Vec<Var>,
    /// For each loop inside: that number at its end, indexed by the iteration of the loop around it.
    ends: Vec<Var>,
    /// The outer iterations of a part, the most it takes, and those that run by themselves if one is too
    /// long.
    rows: Var,
    most: Var,
    skip: Var,
    /// The buffers are full, or a read is of no object: the current iteration is not in the part.
    full: Var,
    /// The counter's value at the beginning of the part.
    from: Var,
    /// The values of each slot.
    buffers: Vec<Var>,
    /// The direction of each branch.
    taken: Vec<Var>,
    /// Notes of the writes.
    notes: Var,
    /// The private objects on which early values depend.
    inputs: Var,
    /// The extents that the part will write, each with the number of a write that reads are tested against.
    written: Vec<(usize, Var)>,
}

impl Names {
    fn new(tree: &mut Tree, plan: &Plan) -> Names {
        let mut several = |what, n: usize| (0..n).map(|_| tree.var(what)).collect::<Vec<_>>();
        let (at, ends) = (several("at", plan.loops.len() + 1), several("ends", plan.loops.len()));
        let (buffers, taken) = (several("buffer", plan.slots.len()), several("taken", plan.gates.len()));
        let tested = plan.tested();
        let written = tested.iter().copied().zip(several("written", tested.len())).collect();
        Names {
            waiting: tree.var("waiting"),
            fetched: tree.var("fetched"),
            met: tree.var("met"),
            distinct: (!plan.distinct.is_empty()).then(|| tree.var("distinct")),
            at,
            ends,
            rows: tree.var("rows"),
            most: tree.var("most"),
            skip: tree.var("skip"),
            full: tree.var("full"),
            from: tree.var("from"),
            buffers,
            taken,
            notes: tree.var("notes"),
            inputs: tree.var("inputs"),
            written,
        }
    }

    fn declared(&self, tree: &Tree, plan: &Plan, parts: &Parts) -> Vec<Node> {
        let mut out: Vec<Node> = Vec::new();
        out.extend(
            self.distinct
                .map(|distinct| declare(distinct, VarType::Int, Some(are_distinct(tree, &plan.distinct)))),
        );
        let fetched = self.distinct.map_or(Term::Num(1), Term::from);
        out.extend([
            declare(self.waiting, VarType::Int, Some(Term::Num(0))),
            declare(self.fetched, VarType::Int, Some(fetched)),
            declare(self.met, VarType::Int, None),
            declare(self.full, VarType::Int, None),
            declare(self.rows, VarType::Unsigned, None),
            declare(self.most, VarType::Unsigned, Some(Term::Name(Primitive::PrefetchFirst))),
            declare(self.skip, VarType::Unsigned, Some(Term::Num(1))),
            declare(self.from, VarType::Like(parts.counter), None),
        ]);
        out.extend(self.at.iter().map(|&at| declare(at, VarType::Unsigned, None)));
        out.extend(self.ends.iter().chain(&self.taken).map(|&var| declare(var, VarType::Places, None)));
        if !plan.writes.is_empty() {
            out.push(declare(self.notes, VarType::Notes, Some(Term::Name(Primitive::NotesNone))));
        }
        let used = plan.slots.iter().zip(&self.buffers).filter(|(slot, _)| slot.used);
        out.extend(used.map(|(slot, &var)| declare(var, VarType::Buffer(tree.typed.ty(slot.e)), None)));
        out
    }

    /// Returns the nodes at the beginning of a part.
    fn part(&self, plan: &Plan) -> Vec<Node> {
        let mut out = vec![set(self.met, Term::Num(0)), set(self.rows, Term::Num(0))];
        if plan.has_inputs() {
            out.push(declare(self.inputs, VarType::Extent, Some(Term::Name(Primitive::ExtentNone))));
        }
        if !plan.writes.is_empty() {
            out.push(Node::Do(Term::call(Primitive::NotesPart, [Term::Ref(self.notes)])));
        }
        out
    }

    fn counts_reset(&self) -> Vec<Node> {
        self.at.iter().map(|&at| set(at, Term::Num(0))).collect()
    }
}

/// Returns the rewritten loop, without its first clause.
pub(in super::super) fn rewritten(tree: &mut Tree, plan: &Plan, parts: Parts) -> Vec<Node> {
    let names = Names::new(tree, plan);
    let mut out = names.declared(tree, plan, &parts);
    // Copied before the reads of the original are marked.
    let alone = tree.copy(parts.body).stmt;
    mark(tree, plan, &names, true);
    let stages = Stages { plan, names: &names, parts: &parts };
    let nothing =
        |&(_, var): &(usize, Var)| declare(var, VarType::Extent, Some(Term::Name(Primitive::ExtentNone)));
    let mut start: Vec<Node> = names.written.iter().map(nothing).collect();
    start.push(set(names.from, value(parts.counter)));
    for stage in 0..plan.stages() {
        start.extend(stages.stage(tree, stage));
    }
    mark(tree, plan, &names, false);
    run(tree, plan, &names);
    let &Names { fetched, met, rows, most, skip, .. } = &names;
    let row = names.at[0];
    let iterations = |tree: &mut Tree, go: Term, body: StmtId| {
        let (step, body) = (parts.step(tree, row), parts.each(tree, vec![Node::Stmt(body)]));
        Node::Loop(Loop { go, step, body, counts: None })
    };
    let few = less(row.into(), skip.into()).and(parts.go(tree));
    let few = iterations(tree, few, alone);
    let go = Term::Not(Box::new(met.into())).and(less(row.into(), Term::Name(Primitive::PrefetchPause)));
    let go = Term::choose(fetched.into(), less(row.into(), rows.into()), go.and(parts.go(tree)));
    let run = iterations(tree, go, parts.body);
    let part = [
        names.part(plan),
        vec![when(fetched.into(), start)],
        names.counts_reset(),
        vec![
            Node::If {
                test: Term::from(fetched).and(Term::Not(Box::new(rows.into()))),
                then: vec![few, set(skip, Term::call(Primitive::PrefetchMore, [skip.into()]))],
                otherwise: vec![
                    run,
                    set(skip, Term::Num(1)),
                    set(
                        most,
                        Term::call(Primitive::PrefetchNext, [most, rows, row, fetched].map(Term::from)),
                    ),
                ],
            },
            set(fetched, names.distinct.map_or(met.into(), |distinct| Term::from(met).and(distinct.into()))),
        ],
    ];
    out.push(Node::Loop(Loop { go: parts.go(tree), step: Vec::new(), body: part.concat(), counts: None }));
    if !plan.writes.is_empty() {
        out.push(Node::Do(Term::call(Primitive::NotesEnd, [Term::Ref(names.notes)])));
    }
    out
}

/// Returns a test whether pointers and arrays are of different objects, in pairs.
fn are_distinct(tree: &Tree, pairs: &[[SymId; 2]]) -> Term {
    let mut roots: Vec<SymId> = Vec::new();
    for &sym in pairs.iter().flatten() {
        if !roots.contains(&sym) {
            roots.push(sym);
        }
    }
    let number = |sym| roots.iter().position(|&root| root == sym).unwrap_or(0);
    let bits = pairs.iter().fold(0, |bits, &[a, b]| {
        let [a, b] = [number(a), number(b)];
        bits | 1i64 << (Primitive::MOST_DISTINCT * a.min(b) + a.max(b))
    });
    let root = |&sym: &SymId| {
        let q = tree.typed.sym(sym).ty;
        match tree.typed.types.of(q) {
            Ty::Array(..) if tree.typed.types.is_shared(q) => {
                Term::call(Primitive::Bits, [Term::Num(0), Term::Native(sym)])
            }
            Ty::Pointer(to) if tree.typed.types.is_shared(*to) => Term::Bits(Box::new(Term::Sym(sym))),
            _ => Term::call(Primitive::DistinctPrivate, [Term::Sym(sym)]),
        }
    };
    Term::call(Primitive::Distinct, [Term::Num(bits)].into_iter().chain(roots.iter().map(root)))
}

/// Marks the reads. In the stages, values that earlier stages have read come from the buffers. In the
/// iterations, reads also look for their objects in the notes of writes.
fn mark(tree: &mut Tree, plan: &Plan, names: &Names, in_stages: bool) {
    let &Names { fetched, met, .. } = names;
    for (slot, &buffer) in plan.slots.iter().zip(&names.buffers).filter(|(slot, _)| slot.used) {
        let at = names.at[slot.level];
        if slot.atomic.is_some() {
            tree.mark(slot.e, Access::Fetched { buffer, at, fetched });
            continue;
        }
        for &e in [slot.e].iter().chain(&slot.also) {
            if slot.own {
                if in_stages {
                    let otherwise = tree.copy_expr(e);
                    tree.mark(e, Access::Held { buffer, at, fetched, otherwise });
                } else if slot.written {
                    // The object is read where it is: its condition is evaluated again.
                    if let Some(&Access::Held { otherwise, .. }) = tree.access(e) {
                        // Otherwise, dependent values in the buffers could be those of another value.
                        if slot.leads {
                            tree.mark(e, Access::Again { buffer, at, fetched, otherwise });
                            continue;
                        }
                        match tree.access(otherwise).cloned() {
                            Some(access) => tree.mark(e, access),
                            None => tree.unmark(e),
                        }
                    }
                }
                continue;
            }
            let notes = (!in_stages && slot.written).then_some(names.notes);
            tree.mark(e, Access::Staged { buffer, at, fetched, met, notes, leads: slot.leads });
        }
    }
}

// ---- stages --------------------------------------------------------------------------------------

struct Stages<'a> {
    plan: &'a Plan,
    names: &'a Names,
    parts: &'a Parts,
}

impl Stages<'_> {
    /// Starts the reads of a stage, for as many iterations as there is room for, and waits for them.
    fn stage(&self, tree: &mut Tree, stage: usize) -> Vec<Node> {
        let &Names { waiting, rows, most, full, from, .. } = self.names;
        let row = self.names.at[0];
        let parts = self.parts;
        let go = match stage {
            0 => self.room(tree, most).and(parts.go(tree)),
            _ => less(row.into(), rows.into()),
        };
        let mut body = self.items(tree, &self.plan.items, stage);
        body.push(Node::Leave(full.into()));
        let (step, body) = (parts.step(tree, row), parts.each(tree, body));
        let mut nodes = self.names.counts_reset();
        nodes.extend([
            set(full, Term::Num(0)),
            Node::Loop(Loop { go, step, body, counts: None }),
            Node::Wait(Waiting::Var(waiting)),
            set(rows, row.into()),
            Node::Assign(parts.counter, from.into()),
        ]);
        nodes
    }

    /// Whether there is room for another iteration of the outer loop.
    fn room(&self, tree: &Tree, most: Var) -> Term {
        let row = self.names.at[0];
        let some = less(row.into(), most.into());
        match self.plan.depth(tree) {
            DEPTH => some,
            few => some.and(less(row.into(), Term::Name(few))),
        }
    }

    fn items(&self, tree: &mut Tree, items: &Block, stage: usize) -> Vec<Node> {
        items.iter().flat_map(|item| self.item(tree, item, stage)).collect()
    }

    fn item(&self, tree: &mut Tree, item: &Item, stage: usize) -> Vec<Node> {
        match item {
            &Item::Declare(sym) => vec![Node::Define(sym, Term::Num(0))],
            Item::Define(define) => self.define(tree, define, stage),
            Item::Read(slot, part) => self.read(tree, *slot, part, stage),
            Item::If { gate, cond, part, then, otherwise } => {
                self.branch(tree, (*gate, *cond), part, [then, otherwise], stage)
            }
            Item::Walk(walk) => self.walk(tree, walk, stage),
            Item::Block(items) => braces(self.items(tree, items, stage)),
            Item::Again(part) => self.tests(tree, part, stage),
            &Item::Wrote(number, place, ref part) if stage == 0 => self.wrote(tree, number, place, part),
            Item::Wrote(..) => Vec::new(),
        }
    }

    /// Leaves the current iteration out of the part if it reads an object that the part will have written.
    fn tests(&self, tree: &mut Tree, part: &Part, stage: usize) -> Vec<Node> {
        let tests = if stage == 0 { &part.tests[..] } else { &[] };
        tests.iter().flat_map(|test| self.tested(tree, test)).collect()
    }

    fn tested(&self, tree: &mut Tree, test: &Test) -> Vec<Node> {
        let full = self.names.full;
        let mut nodes = Vec::new();
        for &(_, written) in self.names.written.iter().filter(|(number, _)| test.writes.contains(number)) {
            let meets = Term::call(Primitive::ExtentMeets, object(tree, written, test.e));
            nodes.push(when(meets, vec![set(full, Term::Num(1))]));
        }
        nodes.push(Node::Leave(full.into()));
        nodes
    }

    /// Notes where the part will write.
    fn wrote(&self, tree: &mut Tree, number: usize, place: ExprId, part: &Part) -> Vec<Node> {
        let mut nodes = self.tests(tree, part, 0);
        let written = self.names.written.iter().find(|(of, _)| *of == number);
        nodes.extend(
            written.map(|&(_, written)| {
                Node::Do(Term::call(Primitive::ExtentAdd, object(tree, written, place)))
            }),
        );
        nodes
    }

    /// Notes the private objects on which a value of this stage depends.
    fn inputs(&self, tree: &mut Tree, part: &Part, stage: usize) -> Vec<Node> {
        if part.stage != stage || !self.plan.has_inputs() {
            return Vec::new();
        }
        let noted = |&e: &ExprId| {
            let (size, place) = (Term::Size(tree.typed.ty(e)), Term::Place(tree.copy_expr(e)));
            Node::Do(Term::call(Primitive::ExtentAdd, [Term::Ref(self.names.inputs), place, size]))
        };
        part.inputs.iter().map(noted).collect()
    }

    fn define(&self, tree: &mut Tree, define: &Define, stage: usize) -> Vec<Node> {
        let mut nodes = self.tests(tree, &define.part, stage);
        if define.part.stage > stage {
            return nodes;
        }
        nodes.extend(self.inputs(tree, &define.part, stage));
        let value = Term::Value(evaluated(tree, define.value, &define.part));
        nodes.push(match define.declared {
            true => Node::Assign(To::Sym(define.sym), value),
            false => Node::Define(define.sym, value),
        });
        nodes
    }

    fn read(&self, tree: &mut Tree, slot: usize, part: &Part, stage: usize) -> Vec<Node> {
        let &Slot { e, level, used, scattered, own, .. } = &self.plan.slots[slot];
        let mut nodes = if used { self.tests(tree, part, stage) } else { Vec::new() };
        if part.stage != stage || !used {
            return nodes;
        }
        let read = match tree.access(e) {
            Some(&Access::Held { otherwise, .. }) => tree.copy_expr(otherwise),
            _ => tree.copy_expr(e),
        };
        if scattered && !own {
            tree.scatter(read);
        }
        if part.guess {
            early::defined(tree, read);
        }
        let &Names { waiting, met, full, ref at, ref buffers, .. } = self.names;
        let lost = part.guess.then_some(full);
        nodes.extend(self.inputs(tree, part, stage));
        let waiting = Waiting::Var(waiting);
        nodes.push(Node::Hold { read, buffer: buffers[slot], at: at[level], waiting, met, lost });
        nodes
    }

    fn branch(
        &self,
        tree: &mut Tree,
        (gate, cond): (Option<usize>, ExprId),
        part: &Part,
        [then, otherwise]: [&Block; 2],
        stage: usize,
    ) -> Vec<Node> {
        let mut nodes = self.tests(tree, part, stage);
        if part.stage > stage {
            return nodes;
        }
        let (then, otherwise) = (self.items(tree, then, stage), self.items(tree, otherwise, stage));
        let first = part.stage == stage;
        if then.is_empty() && otherwise.is_empty() && !(first && gate.is_some()) {
            return nodes;
        }
        nodes.extend(self.inputs(tree, part, stage));
        let mut test = || Term::Holds(evaluated(tree, cond, part));
        let test = match gate {
            None => test(),
            Some(gate) => {
                let (taken, at) = (self.names.taken[gate], self.names.at[part.level]);
                if first {
                    let twice = Term::Not(Box::new(Term::Not(Box::new(test()))));
                    nodes.push(Node::Assign(To::Element(taken, at), twice));
                }
                Term::Element(taken, at)
            }
        };
        if !then.is_empty() || !otherwise.is_empty() {
            nodes.push(Node::If { test, then, otherwise });
        }
        nodes
    }

    /// Walks a loop inside. The first stage that does so evaluates the loop's condition; later stages go as
    /// far as that one did. An iteration of the loop may write objects on which its head depends: these are
    /// tested before each iteration, and after the last.
    fn walk(&self, tree: &mut Tree, walk: &Walk, stage: usize) -> Vec<Node> {
        let mut nodes = self.tests(tree, &walk.part, stage);
        if walk.part.stage > stage {
            return nodes;
        }
        let first = walk.part.stage == stage;
        let items = self.items(tree, &walk.items, stage);
        if !first && items.is_empty() {
            return nodes;
        }
        let of = &self.plan.loops[walk.number - 1];
        let full = self.names.full;
        let (at, outer) = (self.names.at[walk.number], self.names.at[of.outer]);
        let ends = self.names.ends[walk.number - 1];
        let (go, room) = if first {
            let cond = Term::Holds(evaluated(tree, of.cond, &walk.part));
            let none = Term::Not(Box::new(less(at.into(), Term::Name(self.plan.depth(tree)))));
            (Term::Not(Box::new(full.into())).and(cond), vec![set(full, none), Node::Leave(full.into())])
        } else {
            (less(at.into(), Term::Element(ends, outer)), Vec::new())
        };
        let step = vec![Step::Next(at), Step::Effect(evaluated(tree, of.step, &walk.part))];
        nodes.extend(self.inputs(tree, &walk.part, stage));
        nodes.push(Node::Define(of.var, Term::Value(evaluated(tree, of.first, &walk.part))));
        let body = [self.tests(tree, &walk.part, stage), room, items].concat();
        nodes.push(Node::Loop(Loop { go, step, body, counts: None }));
        nodes.extend(self.tests(tree, &walk.part, stage));
        if first {
            nodes.push(Node::Assign(To::Element(ends, outer), at.into()));
        }
        // The rest of an iteration that is left out is not evaluated.
        if stage == 0 && !self.names.written.is_empty() {
            nodes.push(Node::Leave(full.into()));
        }
        braces(nodes)
    }
}

/// Returns an expression as a stage evaluates it.
fn evaluated(tree: &mut Tree, e: ExprId, part: &Part) -> ExprId {
    let copy = tree.copy_expr(e);
    if part.guess { early::defined(tree, copy) } else { copy }
}

/// Returns the nodes in a scope of their own.
fn braces(nodes: Vec<Node>) -> Vec<Node> {
    if nodes.is_empty() { nodes } else { vec![when(Term::Num(1), nodes)] }
}

// ---- iterations ----------------------------------------------------------------------------------

/// Rewrites the iterations that run with the early values. Loops and branches that no stage has come to,
/// since nothing after them is read in advance, stay unchanged.
fn run(tree: &mut Tree, plan: &Plan, names: &Names) {
    let (fetched, stages) = (names.fetched, plan.stages());
    for (number, of) in plan.loops.iter().enumerate().filter(|(_, of)| of.stage < stages) {
        let (at, outer) = (names.at[number + 1], names.at[of.outer]);
        let mut still = Term::from(fetched);
        for slot in of.slots.iter().map(|&slot| &plan.slots[slot]).filter(|slot| slot.written) {
            let (size, place) = (Term::Size(tree.typed.ty(slot.e)), Term::InView(tree.copy_expr(slot.e)));
            let args = [fetched.into(), Term::Ref(names.notes), place, size];
            still = still.and(Term::call(Primitive::NotesStill, args));
        }
        let as_far = less(at.into(), Term::Element(names.ends[number], outer));
        let go = Term::choose(still, as_far, Term::Holds(of.cond));
        let step = vec![Step::Next(at), Step::Effect(of.step)];
        let run = Loop { go, step, body: vec![Node::Stmt(of.body)], counts: None };
        tree.replace(of.stmt, vec![Node::First(of.stmt), Node::Loop(run)]);
    }
    for (gate, &taken) in plan.gates.iter().zip(&names.taken).filter(|(gate, _)| gate.stage < stages) {
        let StmtKind::If(cond, then, otherwise) = tree.unit.stmts[gate.stmt].kind else { continue };
        let (way, holds) = (Term::Element(taken, names.at[gate.level]), Term::Holds(cond));
        let test = match gate.slots.iter().any(|&slot| plan.slots[slot].written) {
            true => {
                let lost = Term::Num(i64::from(gate.lost[0]) + 2 * i64::from(gate.lost[1]));
                Term::call(Primitive::PrefetchSame, [fetched.into(), way, holds, lost])
            }
            // Both alternatives have one type, and are 0 or 1.
            false => Term::choose(fetched.into(), way, Term::Not(Box::new(Term::Not(Box::new(holds))))),
        };
        let otherwise = otherwise.map(Node::Stmt).into_iter().collect();
        tree.replace(gate.stmt, vec![Node::If { test, then: vec![Node::Stmt(then)], otherwise }]);
    }
    for write in &plan.writes {
        let mut nodes = value_once(tree, write);
        let noted = noted(tree, plan, write, names);
        let inner = tree.shallow(write.stmt);
        nodes.extend([when(fetched.into(), noted), Node::Stmt(inner)]);
        tree.replace(write.stmt, nodes);
    }
}

/// Evaluates a written value before its note, so that the note and the statement have the same value.
fn value_once(tree: &mut Tree, write: &Write) -> Vec<Node> {
    let Some(value) = write.value.filter(|_| write.once) else { return Vec::new() };
    let (var, q) = (tree.var("value"), tree.typed.ty(write.place));
    let evaluated = Term::Value(tree.copy_expr(value));
    tree.mark(value, Access::Number(var.into()));
    vec![declare(var, VarType::Value(q), Some(evaluated))]
}

/// Notes a write before its statement. Variables that the address steps are set back, since the statement
/// steps them again.
fn noted(tree: &mut Tree, plan: &Plan, write: &Write, names: &Names) -> Vec<Node> {
    let place = write.place;
    let q = tree.typed.ty(place);
    let mut stepped: Vec<SymId> = Vec::new();
    each_expr(&tree.unit, Any::Expr(place), |e| {
        if let ExprKind::Post(_, of) = tree.unit.exprs[e].kind {
            stepped.extend(name(&tree.unit, &tree.typed, of));
        }
        true
    });
    let saved: Vec<(Var, SymId)> = stepped.into_iter().map(|sym| (tree.var("saved"), sym)).collect();
    let back = saved.iter().map(|&(var, sym)| Node::Assign(To::Sym(sym), var.into()));
    let back: Vec<Node> = back.collect();
    let declared =
        |&(var, sym): &(Var, SymId)| declare(var, VarType::Like(To::Sym(sym)), Some(Term::Sym(sym)));
    let mut nodes: Vec<Node> = saved.iter().map(declared).collect();
    if write.input {
        let place = Term::Place(tree.copy_expr(place));
        let args = [names.fetched.into(), Term::Ref(names.inputs), place, Term::Size(q)];
        nodes.push(Node::Do(Term::call(Primitive::InputsStill, args)));
        nodes.extend(back.clone());
    }
    if plan.slots.iter().any(|slot| slot.written) {
        let (notes, at) = (Term::Ref(names.notes), Term::InView(tree.copy_expr(place)));
        nodes.push(Node::Do(match write.value {
            Some(value) => {
                let value = Term::As(q, Box::new(Term::Value(tree.copy_expr(value))));
                Term::call(Primitive::NoteValue, [notes, at, value])
            }
            None => Term::call(Primitive::Note, [notes, at, Term::Size(q), Term::Num(0)]),
        }));
        nodes.extend(back);
    }
    nodes
}
