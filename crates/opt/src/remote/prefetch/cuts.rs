//! The cuts of a loop's body: accesses to objects that may be remote, at which an iteration waits.
//!
//! A loop that is read ahead goes in parts of many iterations. Its body is cut at the accesses that are done
//! in advance, and the cuts lie in *stages*: those of stage 0 have addresses and conditions that depend on no
//! cut, those of stage n + 1 depend on cuts of stage n. A stage walks the iterations of the part as far as
//! they are known, and requests its accesses together ([`super::walk`]). [`find`] finds the cuts, and when
//! each value on which they depend is known.
//!
//! There are two ways to keep early values right in a loop that writes ([`Writes`]): all writes are tested in
//! advance, or they are noted when they are done. Two generators take the cuts: [`super::parts`] those of
//! loops whose writes are tested, [`super::stages`] those of loops whose writes are noted.

mod find;
mod needed;
mod writes;

use self::find::Find;
use super::iterations::Iterations;
use crate::facts::places::depth_of_all;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Primitive, Tree};
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// How early values are kept right in a loop that writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writes {
    /// The places that the loop writes are known in advance. A part ends before an iteration that reads an
    /// object which an earlier iteration writes. All early values are right ([`crate::facts::early`]), and
    /// only accesses that every iteration does are cuts.
    Tested,
    /// Writes are noted when they are done, unless they are known in the first stage. Early values may be
    /// guesses. Accesses under conditions and in loops inside are cuts too.
    Noted,
}

/// The cuts of a loop, and the facts on which they depend.
#[derive(Default)]
pub(super) struct Cuts {
    pub(super) items: Block,
    /// The cuts, in the order of the text.
    pub(super) all: Vec<Cut>,
    /// The loops inside, the first of which has number 1.
    pub(super) loops: Vec<Walked>,
    /// Branches whose directions are held.
    pub(super) gates: Vec<Gate>,
    /// Writes that are noted.
    pub(super) writes: Vec<Write>,
    /// Pointers and arrays that have to be of different objects, in pairs, or nothing is read in advance.
    pub(super) distinct: Vec<[SymId; 2]>,
    /// Loops inside may write, and are not walked.
    pub(super) nested: bool,
    /// Reads that are left out, with the reason.
    pub(super) refused: Vec<(ExprId, Reason)>,
}

/// An iteration, in the order of the text, as far as early reads depend on it.
pub(super) type Block = Vec<Item>;

pub(super) enum Item {
    /// A variable is declared: a number or a private pointer, which gets its value later.
    Declare(SymId),
    Define(Define),
    /// The read of a cut.
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
pub(super) struct Test {
    pub(super) e: ExprId,
    pub(super) writes: Vec<usize>,
    /// The first stage that uses the value. The places of the writes have to be known in it.
    pub(super) stage: usize,
}

/// The stage in which a value is first known, and the objects on which the value depends.
pub(super) struct Part {
    pub(super) stage: usize,
    /// The number of the loop in which it stands.
    pub(super) level: usize,
    /// The value depends on guesses, or they decide whether the iteration comes to it
    /// ([`crate::facts::early`]).
    pub(super) guess: bool,
    /// Private objects on which the value depends, and which the loop may write.
    pub(super) inputs: Vec<ExprId>,
    /// Objects that are tested against writes known in advance.
    pub(super) tests: Vec<Test>,
}

/// A variable that is set once in an iteration.
pub(super) struct Define {
    pub(super) sym: SymId,
    pub(super) value: ExprId,
    /// The variable has been declared before, maybe in a block around this one.
    pub(super) declared: bool,
    pub(super) part: Part,
}

/// A loop inside.
pub(super) struct Walk {
    pub(super) number: usize,
    pub(super) part: Part,
    pub(super) items: Block,
}

/// A loop inside, as the program has it.
pub(super) struct Walked {
    pub(super) stmt: StmtId,
    pub(super) var: SymId,
    pub(super) first: ExprId,
    pub(super) cond: ExprId,
    pub(super) step: ExprId,
    pub(super) body: StmtId,
    /// The loop around it.
    pub(super) outer: usize,
    /// The stage in which its condition is first evaluated.
    pub(super) stage: usize,
    /// The cuts on which its condition depends.
    pub(super) cuts: Vec<usize>,
}

/// A read in advance.
pub(super) struct Cut {
    pub(super) e: ExprId,
    /// Reads of the same object after this one.
    pub(super) also: Vec<ExprId>,
    pub(super) level: usize,
    pub(super) stage: usize,
    /// Set for an atomic operation on this object, which is done in advance.
    pub(super) atomic: Option<ExprId>,
    /// The object is known to be on this host.
    pub(super) own: bool,
    /// All iterations read the same object, which nothing writes: it is read once for a part.
    pub(super) once: bool,
    /// The object comes from the cache of its nest ([`crate::remote::caching`]).
    pub(super) cached: bool,
    /// A write may be to the object whose place is not known in advance: nothing in advance may depend on the
    /// value, if writes are tested.
    pub(super) unsettled: bool,
    /// The cuts on whose values the address depends.
    pub(super) needs: Vec<usize>,
    /// The loop may write the object by a private pointer, in which case it is on this host. There it is not
    /// read in advance.
    pub(super) late_here: bool,
    /// Addresses, bounds or conditions inside of expressions depend on the value.
    pub(super) leads: bool,
    /// The place of a write depends on the value.
    pub(super) fixed: bool,
    /// The address depends on values in memory.
    pub(super) scattered: bool,
    /// Each iteration reads another object.
    pub(super) varies: bool,
    /// The read is done in advance.
    pub(super) used: bool,
    /// The loop may write the object, or one on which its address depends.
    pub(super) written: bool,
    /// Numbers of the writes that may be to the object, and are known in advance.
    pub(super) tests: Vec<usize>,
    /// The value may be another one when the iteration runs ([`crate::facts::early`]).
    pub(super) guess: bool,
}

/// A branch.
pub(super) struct Gate {
    pub(super) stmt: StmtId,
    pub(super) level: usize,
    /// The stage in which its condition is first evaluated.
    pub(super) stage: usize,
    /// The cuts on which its condition depends.
    pub(super) cuts: Vec<usize>,
    /// Whether the rest of the part is given up if the condition, evaluated again, is false, and if it is
    /// true.
    pub(super) lost: [bool; 2],
}

/// A write that may be to an object that has been read in advance.
pub(super) struct Write {
    /// The statement that consists of this write.
    pub(super) stmt: StmtId,
    pub(super) place: ExprId,
    /// The written value, if it can be evaluated before the statement.
    pub(super) value: Option<ExprId>,
    /// The value is evaluated once, since it depends on memory, and a second evaluation may differ.
    pub(super) once: bool,
    /// The write may be to private objects on which early values depend.
    pub(super) input: bool,
}

impl Item {
    /// Returns the point at which the item itself is known.
    pub(super) fn part(&self) -> Option<&Part> {
        match self {
            Item::Define(Define { part, .. }) | Item::If { part, .. } | Item::Walk(Walk { part, .. }) => {
                Some(part)
            }
            Item::Read(_, part) | Item::Again(part) | Item::Wrote(_, _, part) => Some(part),
            Item::Block(_) | Item::Declare(_) => None,
        }
    }

    fn part_mut(&mut self) -> Option<&mut Part> {
        match self {
            Item::Define(Define { part, .. }) | Item::If { part, .. } | Item::Walk(Walk { part, .. }) => {
                Some(part)
            }
            Item::Read(_, part) | Item::Again(part) | Item::Wrote(_, _, part) => Some(part),
            Item::Block(_) | Item::Declare(_) => None,
        }
    }
}

impl Cut {
    fn new(e: ExprId, level: usize, stage: usize) -> Cut {
        let [own, once, cached, late_here, unsettled, leads, fixed, scattered, varies, used, written, guess] =
            [false; 12];
        let (also, needs, tests, atomic) = (Vec::new(), Vec::new(), Vec::new(), None);
        Cut {
            e,
            also,
            level,
            stage,
            atomic,
            own,
            once,
            cached,
            unsettled,
            needs,
            late_here,
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

    /// Returns the first stage that can use the value.
    pub(super) fn known_in(&self) -> usize {
        if self.once { 0 } else { self.stage + 1 }
    }

    /// Returns true if a read in advance saves a wait, even if nothing in advance depends on its value.
    /// Writes are tested.
    fn pays(&self) -> bool {
        !self.own && (self.varies || self.once)
    }

    /// Returns true if a buffer holds the values of the part.
    pub(super) fn buffered(&self) -> bool {
        self.used && !self.once && (!self.cached || self.leads)
    }
}

impl Cuts {
    pub(super) fn cut_of(&self, e: ExprId) -> Option<usize> {
        self.all.iter().position(|cut| cut.e == e || cut.also.contains(&e))
    }

    /// Returns the numbers of the writes that reads are tested against.
    pub(super) fn tested(&self) -> Vec<usize> {
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
    pub(super) fn has_inputs(&self) -> bool {
        self.writes.iter().any(|write| write.input)
    }

    /// Returns the number of iterations of each loop for which all buffers have elements.
    pub(super) fn depth(&self, tree: &Tree) -> Primitive {
        depth_of_all(tree, self.all.iter().filter(|cut| cut.buffered()).map(|cut| cut.e))
    }

    pub(super) fn stages(&self) -> usize {
        self.all.iter().filter(|cut| cut.used).map(|cut| cut.stage + 1).max().unwrap_or(0)
    }

    /// Returns true if more is read in advance than by the cuts of a loop whose writes are tested, and by the
    /// loops inside by themselves.
    fn gains(&self, tree: &Tree, tested: Option<&Cuts>) -> bool {
        let taken =
            |e: ExprId| tested.is_some_and(|cuts| cuts.cut_of(e).is_some_and(|cut| cuts.all[cut].used));
        // In a nest of three loops or more, the inner ones are planned by themselves if the outer one reads
        // nothing.
        let inner = self.loops.iter().any(|of| of.outer > 0);
        if inner && !self.all.iter().any(|cut| cut.used && cut.level == 0) {
            return false;
        }
        let cached = |e: ExprId| matches!(tree.access(e), Some(Access::Cached(_)));
        // Further reads of an object count too, if not every iteration comes to them.
        let more = |cut: &Cut| !taken(cut.e) || cut.also.iter().any(|&e| !taken(e));
        self.all.iter().any(|cut| cut.used && !cut.own && cut.varies && !cached(cut.e) && more(cut))
    }

    /// Returns the cuts, stage by stage.
    pub(super) fn summary(&self, tree: &Tree) -> String {
        let name = |cut: &Cut| match cut.atomic {
            Some(place) => format!("atomic {}", root_text(tree, place)),
            None => root_text(tree, cut.e),
        };
        let stage = |number: usize| {
            let cuts = self.all.iter().filter(|cut| cut.used && cut.stage == number);
            format!("[{}]", cuts.map(name).collect::<Vec<_>>().join(" "))
        };
        let stages: Vec<_> = (0..self.stages()).map(stage).collect();
        let written = match (self.tested().is_empty(), self.writes.is_empty()) {
            (true, true) => "",
            (false, true) => ", up to written objects",
            (true, false) => ", with notes of written objects",
            (false, false) => ", up to some written objects, with notes of the others",
        };
        format!("stages {}{written}", stages.join(", "))
    }

    /// Returns the cuts of a loop whose writes are tested.
    pub(super) fn summary_tested(&self, tree: &Tree) -> String {
        let names = |which: &dyn Fn(&Cut) -> bool| {
            let cuts = self.all.iter().filter(|cut| cut.used && which(cut));
            cuts.map(|cut| root_text(tree, cut.e)).collect::<Vec<_>>().join(" ")
        };
        let lists = [
            ("", names(&|cut| cut.buffered() && !cut.leads)),
            ("cached ", names(&|cut| cut.cached && !cut.once && !cut.leads)),
            ("once ", names(&|cut| cut.once)),
            ("held ", names(&|cut| cut.buffered() && cut.leads)),
        ];
        let lists = lists.iter().filter(|(_, list)| !list.is_empty());
        let mut summary = lists.map(|(what, list)| format!("{what}[{list}]")).collect::<Vec<_>>().join(", ");
        if !self.tested().is_empty() {
            summary += ", up to written objects";
        }
        summary
    }
}

/// Returns the name that an expression begins with, for remarks.
pub(super) fn root_text(tree: &Tree, e: ExprId) -> String {
    let mut found = String::new();
    each_expr(&tree.unit, Any::Expr(e), |e| {
        if let (ExprKind::Ident(name), true) = (&tree.unit.exprs[e].kind, found.is_empty()) {
            found = name.text.to_string();
        }
        found.is_empty()
    });
    found
}

/// Returns true if something in the block is read in advance.
pub(super) fn reads(items: &Block) -> bool {
    has(items, &|item| matches!(item, Item::Read(..) | Item::Walk(_)))
}

/// Returns true if a loop in the block is walked in advance.
pub(super) fn walks(items: &Block) -> bool {
    has(items, &|item| matches!(item, Item::Walk(_)))
}

/// Returns true if the block has such an item.
pub(super) fn has(items: &Block, is: &dyn Fn(&Item) -> bool) -> bool {
    let mut found = false;
    each_item(items, &mut |item| found |= is(item));
    found
}

/// Calls `each` for every item, those of branches, blocks and loops included.
pub(super) fn each_item<'a>(items: &'a Block, each: &mut dyn FnMut(&'a Item)) {
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

/// Calls `each` for every item, likewise, to change it.
fn each_item_mut(items: &mut Block, each: &mut dyn FnMut(&mut Item)) {
    for item in items {
        each(item);
        match item {
            Item::If { then, otherwise, .. } => {
                each_item_mut(then, each);
                each_item_mut(otherwise, each);
            }
            Item::Walk(Walk { items, .. }) | Item::Block(items) => each_item_mut(items, each),
            Item::Declare(_) | Item::Define(_) => {}
            Item::Read(..) | Item::Again(_) | Item::Wrote(..) => {}
        }
    }
}

/// Returns the cuts of a loop whose writes are tested in advance.
pub(super) fn tested(of: &Iterations) -> Result<Cuts, Reason> {
    Find::cuts(of, Writes::Tested)
}

/// Returns the cuts of a loop whose writes are noted, if these are more than the `tested` ones.
pub(super) fn noted(of: &Iterations, tested: Option<&Cuts>) -> Result<Cuts, Reason> {
    let cuts = Find::cuts(of, Writes::Noted)?;
    if cuts.gains(of.body.tree, tested) { Ok(cuts) } else { Err(Reason::StagesReadNoMore) }
}
