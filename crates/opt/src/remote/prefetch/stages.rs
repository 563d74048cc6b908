//! Loops whose accesses depend on each other and on conditions, and whose writes are noted. They are read
//! ahead in stages.
//!
//! ```c
//! upc_forall (v = 0; v < n; v++; &rank[v]) {
//!     double sum = 0;
//!     for (k = row[v]; k < row[v + 1]; k++) {
//!         int u = column[k];
//!         if (degree[u] > 0)
//!             sum += rank[u] / degree[u];
//!     }
//!     next[v] = sum;
//! }
//! ```
//!
//! All arrays here are shared. The set of rows is known before anything is read; the bounds of a row, after
//! the reads of `row`; the numbers `u`, after the reads of `column`; and the ranks to read, after the reads
//! of `degree`. So the loop goes in parts, and each part is read in *stages*. A stage walks the iterations of
//! the part as far as they are known, starts all reads whose addresses and conditions earlier stages have
//! read, and waits for them together. After the last stage, the iterations run with the values from the
//! buffers. A part is some thousand iterations of the innermost loop. The number of outer iterations in a
//! part is learnt from the parts before.
//!
//! *Why it is allowed.* The loop is one that [`super`] may read ahead: it has no strict access, no call and
//! no barrier. Only expressions that have the same meaning in advance are evaluated in advance. A stage
//! starts a read only if the iteration comes to the read: the conditions and bounds around it have been
//! evaluated, from held values.
//!
//! If the loop may write to objects on which those values, or the read's address, depend, they are guesses
//! ([`crate::facts::early`]), unless they have been tested (below): an earlier iteration may have yet to set
//! an index, a pointer or a bound. An evaluation with guesses defines arithmetic for all operands, and reads
//! a shared object only if there is memory (`mer_there`). If there is none, the part ends before that
//! iteration, which comes first in the next part, or reads by itself. Private memory is read early only at
//! addresses that are right, and only if the iteration reads it regardless of guesses.
//!
//! A value that has been read is held: later stages and the iteration use it, even if other threads write
//! there meanwhile. The direction of a branch, and the number of iterations of an inner loop, are noted when
//! they are first known, and held likewise. So the execution is one in which all the reads of the part were
//! done when they were requested, each after the reads on which its address and conditions depend. Relaxed
//! reads of different objects may be done in any order (UPC 5.1.2.3, B.3). Two reads of the same object may
//! both have the value that it had at one time, as long as no write of this thread stands between them.
//!
//! *Writes known in advance.* Before anything is read, it may be known where each write that may be to an
//! object lies, and that the write is done. Then the first stage notes these writes, iteration by iteration
//! and in the order of the text. The part ends before an iteration that comes to read an object which it, or
//! an earlier one, has noted. So a value that is read before the first write to its object is noted is right:
//! it is no guess, and may be used to address private memory. The head of a loop inside is tested before each
//! of its iterations, and after the last. An object that is written by the name by which it is read is likely
//! to be read again, and parts would be short. So shared objects of that kind are not tested, but noted as
//! follows.
//!
//! *Other writes.* If a write may be to an object that has been read in advance, the iteration notes its
//! place when it writes (`runtime/rma/ahead/write_log.c`), and its value, if that can be evaluated before the
//! statement. A read of a noted object takes the noted value, which is that of the last write before it, or
//! reads the object itself:
//!
//! - If nothing else depends on the read, that is all.
//! - If addresses or bounds depend on it, the rest of the part is given up (`fetched` becomes 0): from there
//!   on each access is done by itself.
//! - A condition that may have changed is evaluated again. If it goes another way than was noted, the rest of
//!   the part is given up likewise, unless nothing has been read in advance on the new way, and the other has
//!   no loops, whose iterations are counted.
//! - An object on this host is read where it is. If something depends on it, and its value is not the early
//!   one, the rest of the part is given up likewise.
//! - Private objects on which early values depend are noted in the stage of these values. A write to such an
//!   object gives up the rest of the part, before anything else is computed from it.
//!
//! Up to the first such point, the iterations have the values, take the branches and compute the addresses
//! that the stages had, by induction over the accesses of the part in the order of the program: so each finds
//! its own value in the buffers. An iteration computes an address again, before its read, if the address
//! depends on objects that may have been written. Unlike with the tests of [`crate::facts::dependences`], the
//! places of the loop's writes need not be known in advance. So a search that marks the nodes of a graph as
//! it meets them is read ahead.
//!
//! *Limits.*
//!
//! - UPC only; scalars, and structs of a few hundred bytes.
//! - Inner loops count, and are left by their conditions alone.
//! - Conditions and bounds depend on the loops' variables, invariants, private memory, early reads, and
//!   variables that an iteration sets once. A read under another condition is done by itself, unless the same
//!   object has been read before it.
//! - Loops of which [`super::parts`] reads ahead the same accesses are left to it: it has two parts under
//!   way.
//!
//! *Generated code.*
//!
//! ```text
//! for (; go; ) {
//!     if (fetched) {
//!         for each stage { walk `most' iterations or fewer, start reads; wait }
//!     }
//!     if (fetched && !rows) { one iteration, or a few, by themselves: it has more elements than a part }
//!     else { run rows, or, if nothing is remote, others without until one reads a remote object }
//! }
//! ```

use super::cuts::{Cuts, Write};
use super::nodes::{Parts, declare, less, not, set, value, when};
use super::walk::{Walker, Written};
use crate::facts::affine::name;
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
    /// The values of each cut.
    buffers: Vec<Var>,
    /// The direction of each branch.
    taken: Vec<Var>,
    /// Notes of the writes.
    notes: Var,
    /// The private objects on which early values depend.
    inputs: Var,
    /// The extents that the part will write.
    written: Vec<Written>,
}

impl Names {
    fn new(tree: &mut Tree, cuts: &Cuts) -> Names {
        let mut several = |what, n: usize| (0..n).map(|_| tree.var(what)).collect::<Vec<_>>();
        let (at, ends) = (several("at", cuts.loops.len() + 1), several("ends", cuts.loops.len()));
        let (buffers, taken) = (several("buffer", cuts.all.len()), several("taken", cuts.gates.len()));
        let tested = cuts.tested();
        let written =
            tested.into_iter().map(|write| Written { write, part: tree.var("written"), before: None });
        let written = written.collect();
        Names {
            waiting: tree.var("waiting"),
            fetched: tree.var("fetched"),
            met: tree.var("met"),
            distinct: (!cuts.distinct.is_empty()).then(|| tree.var("distinct")),
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

    fn declared(&self, tree: &Tree, cuts: &Cuts, parts: &Parts) -> Vec<Node> {
        let mut out: Vec<Node> = Vec::new();
        out.extend(
            self.distinct
                .map(|distinct| declare(distinct, VarType::Int, Some(are_distinct(tree, &cuts.distinct)))),
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
        if !cuts.writes.is_empty() {
            out.push(declare(self.notes, VarType::Notes, Some(Term::Name(Primitive::NotesNone))));
        }
        let used = cuts.all.iter().zip(&self.buffers).filter(|(cut, _)| cut.used);
        out.extend(used.map(|(cut, &var)| declare(var, VarType::Buffer(tree.typed.ty(cut.e)), None)));
        out
    }

    /// Returns the nodes at the beginning of a part.
    fn part(&self, cuts: &Cuts) -> Vec<Node> {
        let mut out = vec![set(self.met, Term::Num(0)), set(self.rows, Term::Num(0))];
        if cuts.has_inputs() {
            out.push(declare(self.inputs, VarType::Extent, Some(Term::Name(Primitive::ExtentNone))));
        }
        if !cuts.writes.is_empty() {
            out.push(Node::Do(Term::call(Primitive::NotesPart, [Term::Ref(self.notes)])));
        }
        out
    }

    fn counts_reset(&self) -> Vec<Node> {
        self.at.iter().map(|&at| set(at, Term::Num(0))).collect()
    }
}

/// Returns the rewritten loop, without its first clause.
pub(super) fn rewritten(tree: &mut Tree, cuts: &Cuts, parts: Parts) -> Vec<Node> {
    let names = Names::new(tree, cuts);
    let mut out = names.declared(tree, cuts, &parts);
    // Copied before the reads of the original are marked.
    let alone = tree.copy(parts.body).stmt;
    mark(tree, cuts, &names, true);
    let nothing = |of: &Written| declare(of.part, VarType::Extent, Some(Term::Name(Primitive::ExtentNone)));
    let mut start: Vec<Node> = names.written.iter().map(nothing).collect();
    start.push(set(names.from, value(parts.counter)));
    for number in 0..cuts.stages() {
        start.extend(stage(tree, cuts, (&names, &parts), number));
    }
    mark(tree, cuts, &names, false);
    run(tree, cuts, &names);
    let &Names { fetched, met, rows, most, skip, .. } = &names;
    let row = names.at[0];
    let few = less(row.into(), skip.into()).and(parts.go(tree));
    let few = parts.iterations(tree, row, few, vec![Node::Stmt(alone)]);
    let go = not(met.into()).and(less(row.into(), Term::Name(Primitive::PrefetchPause)));
    let go = Term::choose(fetched.into(), less(row.into(), rows.into()), go.and(parts.go(tree)));
    let run = parts.iterations(tree, row, go, vec![Node::Stmt(parts.body)]);
    let part = [
        names.part(cuts),
        vec![when(fetched.into(), start)],
        names.counts_reset(),
        vec![
            Node::If {
                test: Term::from(fetched).and(not(rows.into())),
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
    out.push(parts.over(tree, part.concat()));
    if !cuts.writes.is_empty() {
        out.push(Node::Do(Term::call(Primitive::NotesEnd, [Term::Ref(names.notes)])));
    }
    out
}

/// Starts the reads of a stage, for as many iterations as there is room for, and waits for them.
fn stage(tree: &mut Tree, cuts: &Cuts, (names, parts): (&Names, &Parts), stage: usize) -> Vec<Node> {
    let &Names { waiting, rows, most, full, from, .. } = names;
    let row = names.at[0];
    let go = match stage {
        0 => room(tree, cuts, row, most).and(parts.go(tree)),
        _ => less(row.into(), rows.into()),
    };
    let walker = Walker {
        cuts,
        stage,
        waiting: Waiting::Var(waiting),
        met: names.met,
        full: Some(full),
        at: &names.at,
        ends: &names.ends,
        buffers: &names.buffers,
        taken: &names.taken,
        inputs: cuts.has_inputs().then_some(names.inputs),
        written: &names.written,
    };
    let mut body = walker.iteration(tree);
    body.push(Node::Leave(full.into()));
    let mut nodes = names.counts_reset();
    nodes.extend([
        set(full, Term::Num(0)),
        parts.iterations(tree, row, go, body),
        Node::Wait(Waiting::Var(waiting)),
        set(rows, row.into()),
        Node::Assign(parts.counter, from.into()),
    ]);
    nodes
}

/// Returns whether there is room for another iteration of the outer loop.
fn room(tree: &Tree, cuts: &Cuts, row: Var, most: Var) -> Term {
    let some = less(row.into(), most.into());
    match cuts.depth(tree) {
        DEPTH => some,
        few => some.and(less(row.into(), Term::Name(few))),
    }
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
fn mark(tree: &mut Tree, cuts: &Cuts, names: &Names, in_stages: bool) {
    let &Names { fetched, met, .. } = names;
    for (cut, &buffer) in cuts.all.iter().zip(&names.buffers).filter(|(cut, _)| cut.used) {
        let at = names.at[cut.level];
        if cut.atomic.is_some() {
            tree.mark(cut.e, Access::Fetched { buffer, at, fetched });
            continue;
        }
        for &e in [cut.e].iter().chain(&cut.also) {
            if cut.own {
                if in_stages {
                    let otherwise = tree.copy_expr(e);
                    tree.mark(e, Access::Held { buffer, at, fetched, otherwise });
                } else if cut.written {
                    // The object is read where it is: its condition is evaluated again.
                    if let Some(&Access::Held { otherwise, .. }) = tree.access(e) {
                        // Otherwise, dependent values in the buffers could be those of another value.
                        if cut.leads {
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
            let notes = (!in_stages && cut.written).then_some(names.notes);
            tree.mark(e, Access::Staged { buffer, at, fetched, met, notes, leads: cut.leads });
        }
    }
}

// ---- iterations ----------------------------------------------------------------------------------

/// Rewrites the iterations that run with the early values. Loops and branches that no stage has come to,
/// since nothing after them is read in advance, stay unchanged.
fn run(tree: &mut Tree, cuts: &Cuts, names: &Names) {
    let (fetched, stages) = (names.fetched, cuts.stages());
    for (number, of) in cuts.loops.iter().enumerate().filter(|(_, of)| of.stage < stages) {
        let (at, outer) = (names.at[number + 1], names.at[of.outer]);
        let mut still = Term::from(fetched);
        for cut in of.cuts.iter().map(|&cut| &cuts.all[cut]).filter(|cut| cut.written) {
            let (size, place) = (Term::Size(tree.typed.ty(cut.e)), Term::InView(tree.copy_expr(cut.e)));
            let args = [fetched.into(), Term::Ref(names.notes), place, size];
            still = still.and(Term::call(Primitive::NotesStill, args));
        }
        let as_far = less(at.into(), Term::Element(names.ends[number], outer));
        let go = Term::choose(still, as_far, Term::Holds(of.cond));
        let step = vec![Step::Next(at), Step::Effect(of.step)];
        let run = Loop { go, step, body: vec![Node::Stmt(of.body)], counts: None };
        tree.replace(of.stmt, vec![Node::First(of.stmt), Node::Loop(run)]);
    }
    for (gate, &taken) in cuts.gates.iter().zip(&names.taken).filter(|(gate, _)| gate.stage < stages) {
        let StmtKind::If(cond, then, otherwise) = tree.unit.stmts[gate.stmt].kind else { continue };
        let (way, holds) = (Term::Element(taken, names.at[gate.level]), Term::Holds(cond));
        let test = match gate.cuts.iter().any(|&cut| cuts.all[cut].written) {
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
    for write in &cuts.writes {
        let mut nodes = value_once(tree, write);
        let noted = noted(tree, cuts, write, names);
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
fn noted(tree: &mut Tree, cuts: &Cuts, write: &Write, names: &Names) -> Vec<Node> {
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
    if cuts.all.iter().any(|cut| cut.written) {
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
