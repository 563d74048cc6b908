//! Loops whose reads depend on each other, and on conditions: they are read ahead in stages.
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
//! Here all arrays are shared. Which rows there are is known before anything is read; where a row begins and
//! ends, when the `row`s have been read; of whom an element is, when the `column`s have; and which ranks are
//! read, when the `degree`s have. So the loop goes in parts, and each part is read in *stages*. A stage goes
//! through the iterations of the part by what is known of them, starts all reads whose addresses and
//! conditions the stages before have read, and waits for them together. When the last has, the iterations
//! run with the values from the buffers. The part is some thousand iterations of the innermost loop; the
//! number of those that it takes of the outer one, it learns from the parts before.
//!
//! *Why it is allowed.* The loop is one that [`super`] may read ahead: nothing strict, no call, no barrier,
//! and only what has the same meaning in advance is evaluated in advance. A stage starts a read only where
//! the iteration comes to it: the conditions and bounds around it have been evaluated, from values that are
//! held. If the loop may write to what those values, or the read's address, are made of, they are guesses
//! ([`crate::facts::early`]), unless they have been tested (below): an index, a pointer or a bound that an
//! earlier iteration has yet to set. A shared object is then looked at only if there is memory
//! (`mer_there`), and arithmetic is defined for all operands; if there is none, the part ends in front of
//! that iteration, which comes first in the next part, or reads by itself. Private memory is read early only
//! at addresses that are right, and if the iteration comes there whichever way guesses go. A value that has
//! been read is held: later stages and the iteration have that one, whatever other threads write there
//! meanwhile. Which branch is taken, and how far an inner loop goes, is noted when it is first known, and
//! held likewise. So what runs is an execution in which all the reads of the part were done when they were
//! asked for, each after those that its address and conditions are made of. Relaxed reads of different
//! objects may be done in any order (UPC 5.1.2.3, B.3); two of the same object may both have the value that
//! it had at one time, as long as no write of this thread's stands between them.
//!
//! *What the loop writes, known in advance.* Where each write that may be to an object lies, and that it is
//! done, may be known before anything is read. Then the first stage notes that, iteration by iteration and in
//! the order of the text, and the part ends in front of an iteration that comes to read what an earlier one,
//! or itself, has noted. So what is read before the first write is noted has its right value, and no guess is
//! made of it: private memory may be looked at by it. The head of a loop inside is tested in front of each of
//! its iterations, and behind the last. What is written by the name that it is read by is likely to be read
//! again: a part would be short, so shared objects of that kind are not tested, but noted as follows.
//!
//! *What it writes elsewhere.* It is noted where it writes, when it does (`runtime/rma/notes.c`), if that
//! may be to what has been read in advance, and which value, if that is made of variables. A read whose
//! object is found there has that value, which is that of the last write in front of it, or the object
//! itself, as it is:
//!
//! - Of a read that nothing else depends on, that is all.
//! - Where addresses or bounds depend on it, the rest of the part is given up (`fetched` becomes 0): from
//!   there on each access is done by itself. So is it where a branch goes another way than was noted, since
//!   the condition is evaluated again if it may have changed; but not if nothing has been read in advance of
//!   the way that it goes, nor loops of the other one, whose iterations are counted.
//! - An object on this host is read where it is. If something depends on it, and it has another value than in
//!   advance, the rest of the part is given up likewise.
//! - Private objects that something was made of in advance are noted in that stage; a write to one of
//!   them gives the rest of the part up, before anything else is made of it.
//!
//! Up to the first such point, the iterations have the values, take the branches and compute the addresses
//! that the stages had, by induction over the accesses of the part in the order of the program: so each
//! finds its own value in the buffers. An iteration computes an address again, in front of its read, if it
//! is made of what may have been written. Unlike with the tests of [`crate::facts::dependences`], where the
//! loop writes need not be known in advance. So a search that marks the nodes of a graph as it meets them is
//! read ahead.
//!
//! *Limits.* UPC; scalars, and structs of a few hundred bytes; inner loops that count and are left by their
//! conditions alone; conditions and bounds of the loops' variables, of what stays, of private memory, of
//! reads in advance, and of variables that an iteration sets once. What stands under another condition is
//! read by itself, unless the same object has been read in front of it. Loops that the plan for one cut
//! reads ahead as a whole are left to it: it has two parts under way.
//!
//! *What it becomes.*
//!
//! ```text
//! for (; go; ) {
//!     if (fetched) {
//!         for each stage { go through `most' iterations or fewer, start reads; wait }
//!     }
//!     if (fetched && !rows) { one iteration, or a few, by themselves: it has more elements than a part }
//!     else { run rows, or, if nothing is remote, go on without until something is met that is }
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

/// What of a loop is read in stages.
#[derive(Default)]
pub(super) struct Plan {
    items: Block,
    slots: Vec<Slot>,
    /// The loops inside, the first of which has number 1.
    loops: Vec<Walked>,
    /// Branches of which it is held which way they went.
    gates: Vec<Gate>,
    /// Writes that are noted.
    writes: Vec<Write>,
    /// Pointers and arrays that have to be of different objects, in pairs, or nothing is read in advance.
    distinct: Vec<[SymId; 2]>,
    /// Reads that are left out, with the reason.
    pub(super) refused: Vec<(ExprId, Reason)>,
}

/// What an iteration does, in the order of the text: as much of it as reads depend on.
type Block = Vec<Item>;

enum Item {
    /// A variable is declared: a number or a private pointer, which gets its value later.
    Declare(SymId),
    Define(Define),
    /// The read of a slot.
    Read(usize, Part),
    If {
        /// Where it is held which way it goes; none within an expression.
        gate: Option<usize>,
        cond: ExprId,
        part: Part,
        then: Block,
        otherwise: Block,
    },
    Walk(Walk),
    Block(Block),
    /// What is tested is read again, and was written in between.
    Again(Part),
    /// The write of this number, to this object.
    Wrote(usize, ExprId, Part),
}

/// An object that is read, and the numbers of writes that may be to it: the part ends in front of an
/// iteration that reads what an earlier one of the part writes.
#[derive(Clone)]
struct Test {
    e: ExprId,
    writes: Vec<usize>,
}

/// When something is first known.
struct Part {
    stage: usize,
    /// The loop in which it stands.
    level: usize,
    /// It is made of guesses, or they decide whether the iteration comes to it ([`crate::facts::early`]).
    guess: bool,
    /// Private objects that it is made of, and the loop may write.
    inputs: Vec<ExprId>,
    /// The same where it is known in advance what the loop writes.
    tests: Vec<Test>,
}

/// A variable that is set once in an iteration.
struct Define {
    sym: SymId,
    value: ExprId,
    /// It has been declared before, maybe in a block around this one.
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
    /// Where its condition is evaluated first.
    stage: usize,
    /// What its condition is made of.
    slots: Vec<usize>,
}

/// A read in advance.
struct Slot {
    e: ExprId,
    /// Reads of the same object where this one has been read.
    also: Vec<ExprId>,
    level: usize,
    stage: usize,
    /// It is an atomic operation on this object, which is done in advance.
    atomic: Option<ExprId>,
    /// It is found by a local pointer.
    own: bool,
    /// Addresses, bounds or conditions inside of expressions are made of it.
    leads: bool,
    /// Where something is written depends on it.
    fixed: bool,
    /// Its address takes what lies in memory.
    scattered: bool,
    /// It is another one in each iteration.
    varies: bool,
    /// It is read in advance.
    used: bool,
    /// The loop may write it, or what its address is made of.
    written: bool,
    /// Writes that may be to it, and are known in advance.
    tests: Vec<usize>,
    /// Its value may be another one when the iteration runs ([`crate::facts::early`]).
    guess: bool,
}

/// A branch.
struct Gate {
    stmt: StmtId,
    level: usize,
    /// Where its condition is evaluated first.
    stage: usize,
    /// What its condition is made of.
    slots: Vec<usize>,
    /// If the condition does not hold after all, and if it does: whether the rest of the part is given up.
    lost: [bool; 2],
}

/// A write that may be to what has been read in advance.
struct Write {
    /// The statement that does it, and nothing else.
    stmt: StmtId,
    place: ExprId,
    /// What it writes, if that can be evaluated in front of the statement.
    value: Option<ExprId>,
    /// That may come out otherwise a second time, since it is made of what lies in memory.
    once: bool,
    /// It may be to private objects that something was made of.
    input: bool,
}

impl Item {
    /// When what it does itself is known.
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

    /// The writes that reads are tested against.
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

    /// Whether private objects are noted that something is made of.
    fn has_inputs(&self) -> bool {
        self.writes.iter().any(|write| write.input)
    }

    /// For how many iterations of each loop all buffers have objects.
    fn depth(&self, tree: &Tree) -> Primitive {
        depth_of_all(tree, self.slots.iter().filter(|slot| slot.used).map(|slot| slot.e))
    }

    fn stages(&self) -> usize {
        self.slots.iter().filter(|slot| slot.used).map(|slot| slot.stage + 1).max().unwrap_or(0)
    }

    /// Whether more is read in advance than by a plan for the loop alone, and by those for the loops inside.
    fn gains(&self, tree: &Tree, alone: Option<&plan::Plan>) -> bool {
        let taken = |e: ExprId| {
            alone.is_some_and(|plan| {
                [&plan.once, &plan.held, &plan.reads, &plan.cached].iter().any(|list| list.contains(&e))
            })
        };
        // Of three loops or more, the inner ones take what the outer one reads nothing for.
        let inner = self.loops.iter().any(|of| of.outer > 0);
        if inner && !self.slots.iter().any(|slot| slot.used && slot.level == 0) {
            return false;
        }
        let cached = |e: ExprId| matches!(tree.access(e), Some(Access::Cached(_)));
        // An object that is read again, where not every iteration comes to it, is read ahead too.
        let more = |slot: &Slot| !taken(slot.e) || slot.also.iter().any(|&e| !taken(e));
        self.slots.iter().any(|slot| slot.used && !slot.own && slot.varies && !cached(slot.e) && more(slot))
    }

    /// What is read, stage by stage.
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

/// Whether something in it is read in advance.
fn reads(items: &Block) -> bool {
    has(items, &|item| matches!(item, Item::Read(..) | Item::Walk(_)))
}

/// Whether a loop in it is gone through in advance.
fn walks(items: &Block) -> bool {
    has(items, &|item| matches!(item, Item::Walk(_)))
}

/// Whether it has such an item.
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

/// The plan for a loop, if it reads more in advance than `alone`.
pub(super) fn plan(of: &Iterations, alone: Option<&plan::Plan>) -> Result<Plan, Reason> {
    let plan = Find::plan(of)?;
    if plan.gains(of.body.tree, alone) { Ok(plan) } else { Err(Reason::StagesReadNoMore) }
}
