//! Loops whose reads depend on each other and on conditions. They are read ahead in stages.
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
//! place when it writes (`runtime/rma/notes.c`), and its value, if that can be evaluated before the
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
//! - Loops that the plan for one cut reads ahead as a whole are left to it: it has two parts under way.
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

mod find;
mod rewrite;
mod writes;

use self::find::Find;
pub(super) use self::rewrite::rewritten;
use super::iterations::Iterations;
use super::plan;
use crate::facts::places::depth_of_all;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Primitive, Tree};
use c_sema::typed::SymId;
use c_syntax::ast::*;

/// The reads that a loop does in stages, and the facts on which they depend.
#[derive(Default)]
pub(super) struct Plan {
    items: Block,
    slots: Vec<Slot>,
    /// The loops inside, the first of which has number 1.
    loops: Vec<Walked>,
    /// Branches whose directions are held.
    gates: Vec<Gate>,
    /// Writes that are noted.
    writes: Vec<Write>,
    /// Pointers and arrays that have to be of different objects, in pairs, or nothing is read in advance.
    distinct: Vec<[SymId; 2]>,
    /// Reads that are left out, with the reason.
    pub(super) refused: Vec<(ExprId, Reason)>,
}

/// An iteration, in the order of the text, as far as early reads depend on it.
type Block = Vec<Item>;

enum Item {
    /// A variable is declared: a number or a private pointer, which gets its value later.
    Declare(SymId),
    Define(Define),
    /// The read of a slot.
    Read(usize, Part),
    If {
        /// The gate that holds its direction; none within an expression.
        gate: Option<usize>,
        cond: ExprId,
        part: Part,
        then: Block,
        otherwise: Block,
    },
    Walk(Walk),
    Block(Block),
    /// A tested object is read again, maybe after a write.
    Again(Part),
    /// The write of this number, to this object.
    Wrote(usize, ExprId, Part),
}

/// An object that is read, and the numbers of writes that may be to it. The part ends before an iteration
/// that reads an object which an earlier one of the part writes.
#[derive(Clone)]
struct Test {
    e: ExprId,
    writes: Vec<usize>,
}

/// The stage in which a value is first known, and the objects on which the value depends.
struct Part {
    stage: usize,
    /// The number of the loop in which it stands.
    level: usize,
    /// The value depends on guesses, or they decide whether the iteration comes to it
    /// ([`crate::facts::early`]).
    guess: bool,
    /// Private objects on which the value depends, and which the loop may write.
    inputs: Vec<ExprId>,
    /// Objects that are tested against writes known in advance.
    tests: Vec<Test>,
}

/// A variable that is set once in an iteration.
struct Define {
    sym: SymId,
    value: ExprId,
    /// The variable has been declared before, maybe in a block around this one.
    declared: bool,
    part: Part,
}

/// A loop inside.
struct Walk {
    number: usize,
    part: Part,
    items: Block,
}

/// A loop inside, as the program has it.
struct Walked {
    stmt: StmtId,
    var: SymId,
    first: ExprId,
    cond: ExprId,
    step: ExprId,
    body: StmtId,
    /// The loop around it.
    outer: usize,
    /// The stage in which its condition is first evaluated.
    stage: usize,
    /// The slots on which its condition depends.
    slots: Vec<usize>,
}

/// A read in advance.
struct Slot {
    e: ExprId,
    /// Reads of the same object after this one.
    also: Vec<ExprId>,
    level: usize,
    stage: usize,
    /// Set for an atomic operation on this object, which is done in advance.
    atomic: Option<ExprId>,
    /// The object is known to be on this host.
    own: bool,
    /// Addresses, bounds or conditions inside of expressions depend on the value.
    leads: bool,
    /// The place of a write depends on the value.
    fixed: bool,
    /// The address depends on values in memory.
    scattered: bool,
    /// Each iteration reads another object.
    varies: bool,
    /// The read is done in advance.
    used: bool,
    /// The loop may write the object, or one on which its address depends.
    written: bool,
    /// Numbers of the writes that may be to the object, and are known in advance.
    tests: Vec<usize>,
    /// The value may be another one when the iteration runs ([`crate::facts::early`]).
    guess: bool,
}

/// A branch.
struct Gate {
    stmt: StmtId,
    level: usize,
    /// The stage in which its condition is first evaluated.
    stage: usize,
    /// The slots on which its condition depends.
    slots: Vec<usize>,
    /// Whether the rest of the part is given up if the condition, evaluated again, is false, and if it is
    /// true.
    lost: [bool; 2],
}

/// A write that may be to an object that has been read in advance.
struct Write {
    /// The statement that consists of this write.
    stmt: StmtId,
    place: ExprId,
    /// The written value, if it can be evaluated before the statement.
    value: Option<ExprId>,
    /// The value is evaluated once, since it depends on memory, and a second evaluation may differ.
    once: bool,
    /// The write may be to private objects on which early values depend.
    input: bool,
}

impl Item {
    /// Returns the point at which the item itself is known.
    fn part(&self) -> Option<&Part> {
        match self {
            Item::Define(Define { part, .. }) | Item::If { part, .. } | Item::Walk(Walk { part, .. }) => {
                Some(part)
            }
            Item::Read(_, part) | Item::Again(part) | Item::Wrote(_, _, part) => Some(part),
            Item::Block(_) | Item::Declare(_) => None,
        }
    }
}

impl Slot {
    fn new(e: ExprId, level: usize, stage: usize, own: bool) -> Slot {
        let [leads, fixed, scattered, varies, used, written, guess] = [false; 7];
        let (also, tests) = (Vec::new(), Vec::new());
        Slot {
            e,
            also,
            level,
            stage,
            atomic: None,
            own,
            leads,
            fixed,
            scattered,
            varies,
            used,
            written,
            tests,
            guess,
        }
    }
}

impl Plan {
    fn slot_of(&self, e: ExprId) -> Option<usize> {
        self.slots.iter().position(|slot| slot.e == e || slot.also.contains(&e))
    }

    /// Returns the numbers of the writes that reads are tested against.
    fn tested(&self) -> Vec<usize> {
        let mut writes = Vec::new();
        each_item(&self.items, &mut |item| {
            let tests = item.part().into_iter().flat_map(|part| &part.tests);
            writes.extend(tests.flat_map(|test| &test.writes));
        });
        writes.sort_unstable();
        writes.dedup();
        writes
    }

    /// Returns true if private objects are noted on which early values depend.
    fn has_inputs(&self) -> bool {
        self.writes.iter().any(|write| write.input)
    }

    /// Returns the number of iterations of each loop for which all buffers have elements.
    fn depth(&self, tree: &Tree) -> Primitive {
        depth_of_all(tree, self.slots.iter().filter(|slot| slot.used).map(|slot| slot.e))
    }

    fn stages(&self) -> usize {
        self.slots.iter().filter(|slot| slot.used).map(|slot| slot.stage + 1).max().unwrap_or(0)
    }

    /// Returns true if more is read in advance than by a plan for the loop alone, and by plans for the loops
    /// inside.
    fn gains(&self, tree: &Tree, alone: Option<&plan::Plan>) -> bool {
        let taken = |e: ExprId| {
            alone.is_some_and(|plan| {
                [&plan.once, &plan.held, &plan.reads, &plan.cached].iter().any(|list| list.contains(&e))
            })
        };
        // In a nest of three loops or more, the inner ones are planned by themselves if the outer one reads
        // nothing.
        let inner = self.loops.iter().any(|of| of.outer > 0);
        if inner && !self.slots.iter().any(|slot| slot.used && slot.level == 0) {
            return false;
        }
        let cached = |e: ExprId| matches!(tree.access(e), Some(Access::Cached(_)));
        // Further reads of an object count too, if not every iteration comes to them.
        let more = |slot: &Slot| !taken(slot.e) || slot.also.iter().any(|&e| !taken(e));
        self.slots.iter().any(|slot| slot.used && !slot.own && slot.varies && !cached(slot.e) && more(slot))
    }

    /// Returns the reads, stage by stage.
    pub(super) fn summary(&self, tree: &Tree) -> String {
        let name = |slot: &Slot| match slot.atomic {
            Some(place) => format!("atomic {}", plan::root_text(tree, place)),
            None => plan::root_text(tree, slot.e),
        };
        let stage = |number: usize| {
            let slots = self.slots.iter().filter(|slot| slot.used && slot.stage == number);
            format!("[{}]", slots.map(name).collect::<Vec<_>>().join(" "))
        };
        let stages: Vec<_> = (0..self.stages()).map(stage).collect();
        let written = match (self.tested().is_empty(), self.writes.is_empty()) {
            (true, true) => "",
            (false, true) => ", up to what it writes",
            (true, false) => ", but what it writes",
            (false, false) => ", up to some of what it writes, but the rest",
        };
        format!("stages {}{written}", stages.join(", "))
    }
}

/// Returns true if something in the block is read in advance.
fn reads(items: &Block) -> bool {
    has(items, &|item| matches!(item, Item::Read(..) | Item::Walk(_)))
}

/// Returns true if a loop in the block is walked in advance.
fn walks(items: &Block) -> bool {
    has(items, &|item| matches!(item, Item::Walk(_)))
}

/// Returns true if the block has such an item.
fn has(items: &Block, is: &dyn Fn(&Item) -> bool) -> bool {
    let mut found = false;
    each_item(items, &mut |item| found |= is(item));
    found
}

/// Calls `each` for every item, those of branches, blocks and loops included.
fn each_item<'a>(items: &'a Block, each: &mut dyn FnMut(&'a Item)) {
    for item in items {
        each(item);
        match item {
            Item::If { then, otherwise, .. } => {
                each_item(then, each);
                each_item(otherwise, each);
            }
            Item::Walk(Walk { items, .. }) | Item::Block(items) => each_item(items, each),
            Item::Declare(_) | Item::Define(_) => {}
            Item::Read(..) | Item::Again(_) | Item::Wrote(..) => {}
        }
    }
}

/// Returns the plan for a loop, if it reads more in advance than `alone`.
pub(super) fn plan(of: &Iterations, alone: Option<&plan::Plan>) -> Result<Plan, Reason> {
    let plan = Find::plan(of)?;
    if plan.gains(of.body.tree, alone) { Ok(plan) } else { Err(Reason::StagesReadNoMore) }
}
