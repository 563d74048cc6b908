//! The plan of a loop with one cut: which reads are prefetched, the inputs of their addresses, and the writes
//! that may be to the same objects. All early values here are right ([`crate::facts::early`]): each is tested
//! before anything is computed from it.

use super::iterations::Iterations;
use crate::facts::addresses::{Addresses, Inputs};
use crate::facts::certain::Certain;
use crate::facts::dependences::{Dependences, Write};
use crate::facts::places::{depth_of_all, may_be_copied};
use crate::facts::shapes::{Condition, Shape, Step, Stride, mentions};
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Primitive, Term, Tree};
use crate::ir::walk::has_loop;
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr, exists};
use std::cell::RefCell;
use std::cmp::Reverse;

/// The most accesses of a loop that are prefetched: their buffers take memory.
const MOST_READS: usize = 8;
/// The most reads and writes that are tested against each other: a test takes time.
const MOST_TESTS: usize = 16;

/// The accesses of a loop that are prefetched: shared scalars, without parentheses around them.
pub(super) struct Plan {
    /// Reads of the same object in all iterations. Inner reads, on which the addresses of others depend, come
    /// first.
    pub(super) once: Vec<ExprId>,
    /// Reads on whose values other addresses depend.
    pub(super) held: Vec<ExprId>,
    /// Variables that iterations set and addresses depend on.
    pub(super) locals: Vec<Local>,
    /// The subset of `locals` on which the addresses of held reads and of `first` depend.
    pub(super) first_locals: Vec<Local>,
    /// Reads of another object in each iteration.
    pub(super) reads: Vec<ExprId>,
    /// The subset of `reads` that is done in advance even if the object is on this host.
    pub(super) all: Vec<ExprId>,
    /// The subset of `reads` with indirect addresses.
    pub(super) scattered: Vec<ExprId>,
    /// Reads of another object in each iteration, which the cache keeps.
    pub(super) cached: Vec<ExprId>,
    /// Tests that decide whether the addresses of held reads can be computed.
    pub(super) first: Vec<Event>,
    /// Tests that decide whether all addresses can be computed.
    pub(super) events: Vec<Event>,
    /// The loop has loops inside, which may write in parts of their own.
    pub(super) nested: bool,
    /// Reads that are left out, with the reason.
    pub(super) refused: Vec<(ExprId, Reason)>,
}

/// A variable that each iteration sets.
#[derive(Clone, Copy)]
pub(super) struct Local {
    pub(super) sym: SymId,
    /// The value that it is set to.
    pub(super) value: ExprId,
}

/// An access of an iteration that is noted or tested in advance, in the order of the program.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A read of this object, and the numbers of the writes that may be to it.
    Read(ExprId, Vec<usize>),
    /// The write of this number, its object, and the position in the text where the assignment ends.
    Write(usize, ExprId, u32),
}

/// The place of an early computation in the order of the program. An assignment is done after the evaluation
/// of its operands, and inner reads come before outer ones.
pub(super) type Position = (u32, u8, Reverse<u32>);

impl Event {
    pub(super) fn position(&self, tree: &Tree) -> Position {
        match *self {
            Event::Read(e, _) => {
                let span = tree.unit.exprs[e].at;
                (span.hi, 0, Reverse(span.lo))
            }
            Event::Write(_, _, end) => (end, 2, Reverse(0)),
        }
    }
}

impl Local {
    pub(super) fn position(&self, tree: &Tree) -> Position {
        (tree.unit.exprs[self.value].at.hi, 1, Reverse(0))
    }
}

impl Plan {
    /// Returns true if all varying reads come from the cache, so that no buffer bounds a part.
    pub(super) fn cached_alone(&self) -> bool {
        self.reads.is_empty() && self.held.is_empty() && !self.cached.is_empty()
    }

    /// Returns true if a part has no requests once the cache holds its lines: all varying reads are cached,
    /// and those on which addresses depend are cached or the thread's own.
    pub(super) fn served_by_cache(&self, tree: &Tree) -> bool {
        let near = |&e: &ExprId| {
            matches!(tree.access(e), Some(Access::Element { .. } | Access::Own | Access::Cached(_)))
        };
        self.reads.is_empty() && !self.cached.is_empty() && self.held.iter().all(near)
    }

    /// Returns true if the reads of a part may be started before the previous part has run. Not if the cache
    /// is used, which may forget requested lines when a part begins, nor if an object is read once for a
    /// part, since it has one value at a time.
    pub(super) fn overlaps(&self) -> bool {
        self.cached.is_empty() && self.once.is_empty()
    }

    /// Returns the most iterations that are read ahead at a time: as many as all buffers have elements for.
    pub(super) fn depth(&self, tree: &Tree) -> Term {
        Term::Name(match self.cached_alone() {
            true => Primitive::CacheDepth,
            false => depth_of_all(tree, self.reads.iter().copied()),
        })
    }

    pub(super) fn summary(&self, tree: &Tree) -> String {
        let names = |list: &[ExprId]| list.iter().map(|&e| root_text(tree, e)).collect::<Vec<_>>().join(" ");
        let lists =
            [("", &self.reads), ("cached ", &self.cached), ("once ", &self.once), ("held ", &self.held)];
        let lists = lists.iter().filter(|(_, list)| !list.is_empty());
        let lists: Vec<_> = lists.map(|(what, list)| format!("{what}[{}]", names(list))).collect();
        let mut summary = lists.join(", ");
        if !self.events.is_empty() {
            summary += ", up to what it writes";
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

/// The head of a loop of the program's text.
pub(super) struct Head {
    pub(super) step: Step,
    cond: ExprId,
    /// The comparison of its variable in its condition.
    compares: Option<Condition>,
    /// Reads of its condition that are to be done once, before the loop.
    pub(super) bounds: RefCell<Vec<ExprId>>,
}

impl Head {
    /// Returns the head of the loop `s` with this condition.
    pub(super) fn of(tree: &Tree, s: StmtId, cond: ExprId) -> Result<Head, Reason> {
        let Some(Shape { step: Some(step), condition, .. }) = tree.shape(s) else {
            return Err(Reason::StepUnknown);
        };
        let compares = condition.map(|(_, compares)| compares);
        Ok(Head { step, cond, compares, bounds: RefCell::default() })
    }

    /// Checks that the step and the condition can be evaluated before the iterations run, once the `bounds`,
    /// which this function sets, have been read.
    pub(super) fn is_known(&self, tree: &Tree, addresses: &Addresses) -> Result<(), Reason> {
        if let Stride::By(by) = self.step.by
            && (mentions(&tree.unit, &tree.typed, by, self.step.var) || !addresses.steady(by))
        {
            return Err(Reason::StepChanges);
        }
        if !addresses.steady(self.cond) && !self.rises(tree, addresses) {
            self.bounds.replace(addresses.bounds(self.cond).ok_or(Reason::ConditionChanges)?);
        }
        Ok(())
    }

    /// Returns true if the condition compares the variable with one that iterations only let grow: if it
    /// holds for an iteration in advance, it holds when that iteration runs.
    fn rises(&self, tree: &Tree, addresses: &Addresses) -> bool {
        let Some(Condition::Compare(BinOp::Lt | BinOp::Le, bound)) = self.compares else { return false };
        let types = &tree.typed.types;
        let same = types.of(tree.typed.ty(bound)) == types.of(tree.typed.sym(self.step.var).ty);
        same && addresses.rises(bound)
    }
}

/// Plans a loop with one cut: reads that each iteration does in any case.
pub(super) fn plan(of: &Iterations) -> Result<Plan, Reason> {
    let vars = [of.var];
    let &Iterations { body, dependences, certain, locals, .. } = of;
    let tree = body.tree;
    let addresses = &Addresses::new(body, &vars, dependences, locals);
    let plan = Finder { tree, addresses, dependences, certain }.plan()?;
    Ok(Plan { nested: has_loop(tree, body.stmt), ..plan })
}

/// Finds the plan.
struct Finder<'a> {
    tree: &'a Tree,
    addresses: &'a Addresses<'a>,
    dependences: &'a Dependences<'a>,
    certain: &'a Certain,
}

/// Reads that have to be held, and accesses that have to be tested.
#[derive(Clone, Default)]
struct Found {
    held: Vec<ExprId>,
    /// Tested reads, each with the numbers of the writes that may be to it.
    reads: Vec<(ExprId, Vec<usize>)>,
    writes: Vec<usize>,
}

impl Finder<'_> {
    fn plan(&self) -> Result<Plan, Reason> {
        let mut surely = self.certain.reads.clone();
        let types = &self.tree.typed.types;
        let is_object = |q| types.is_shared(q) && !matches!(types.of(q), Ty::Array(..));
        let by_owner = |e: ExprId| self.dependences.by_owner.contains(&e);
        let free = |e: ExprId| {
            matches!(self.tree.access(e), None | Some(Access::Cached(_)))
                && !crate::facts::places::is_part_of_own(self.tree, e)
        };
        surely.retain(|&e| is_object(self.tree.typed.ty(e)) && free(e) && !by_owner(e));
        if surely.is_empty() {
            return Err(Reason::NoSureRead);
        }
        let (mut refused, mut found, mut reads, mut once) =
            (Vec::new(), Found::default(), Vec::new(), Vec::new());
        for e in surely {
            let mut more = found.clone();
            match self.fetched(e, &mut more) {
                Ok(()) if self.addresses.varies(e) => {
                    reads.push(e);
                    found = more;
                }
                Ok(()) if self.is_once(e) => once.push(e),
                Ok(()) => refused.push((e, Reason::SameObjectWritten)),
                Err(why) => refused.push((e, why)),
            }
        }
        // Directories of cached objects are requested as well, so that the next part finds them in the cache.
        let directories: Vec<ExprId> = reads
            .iter()
            .filter(|&&e| self.is_cached(e))
            .flat_map(|&e| self.addresses.inputs(e).unwrap_or_default().shared)
            .collect();
        reads.retain(|e| !found.held.contains(e) || (self.is_cached(*e) && directories.contains(e)));
        let (cached, reads): (Vec<_>, Vec<_>) = reads.into_iter().partition(|&e| self.is_cached(e));
        match (reads.len(), refused.first()) {
            (0, refused) if once.is_empty() && cached.is_empty() => {
                return Err(refused.map_or(Reason::SameObject, |&(_, why)| why));
            }
            (n, _) if n + found.held.len() > MOST_READS || cached.len() > MOST_READS => {
                return Err(Reason::MoreReadsThanBuffers);
            }
            _ => {}
        }
        let (first, events) = (self.first_events(&found)?, self.events(&found, |_| true));
        if events.len() > MOST_TESTS {
            return Err(Reason::WritesInManyPlaces);
        }
        let all = reads.iter().copied().filter(|&e| self.may_be_early(e)).collect();
        let scattered = reads.iter().copied().filter(|&e| self.takes_memory(e)).collect();
        let locals = self.locals(found.held.iter().chain(&reads).chain(&cached), &events);
        let first_locals = self.locals(found.held.iter(), &first);
        let (held, nested) = (found.held, false);
        Ok(Plan {
            once,
            held,
            locals,
            first_locals,
            reads,
            all,
            scattered,
            cached,
            first,
            events,
            nested,
            refused,
        })
    }

    /// Returns true if the address of `e` depends on an integer in memory, possibly through a variable that
    /// an iteration sets.
    fn takes_memory(&self, e: ExprId) -> bool {
        let tree = self.tree;
        let reads = |within: ExprId| {
            exists(&tree.unit, Any::Expr(within), |inner| {
                let lies = matches!(
                    tree.unit.exprs[inner].kind,
                    ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { .. }
                );
                lies && matches!(tree.typed.types.of(tree.typed.ty(inner)), Ty::Int(_))
            })
        };
        // The object that a member belongs to is not read.
        let mut place = e;
        while let ExprKind::Member { base, arrow: false, .. } | ExprKind::Paren(base) =
            tree.unit.exprs[place].kind
        {
            place = base;
        }
        let subscripts = match tree.unit.exprs[place].kind {
            ExprKind::Index(a, b) => vec![a, b],
            ExprKind::Unary(UnOp::Deref, p) | ExprKind::Member { base: p, .. } => vec![p],
            _ => Vec::new(),
        };
        subscripts.into_iter().any(reads)
            || self.addresses.locals_in(e).into_iter().any(|(_, value)| reads(value))
    }

    /// Returns the iteration's variables on which these values or addresses, and those of the events, depend.
    fn locals<'e>(&self, reads: impl Iterator<Item = &'e ExprId>, events: &[Event]) -> Vec<Local> {
        let places = events.iter().map(|event| match event {
            Event::Read(e, _) | Event::Write(_, e, _) => e,
        });
        let mut found: Vec<Local> = Vec::new();
        for (sym, value) in reads.copied().chain(places.copied()).flat_map(|e| self.addresses.locals_in(e)) {
            if !found.iter().any(|known| known.sym == sym) {
                found.push(Local { sym, value });
            }
        }
        found
    }

    fn is_cached(&self, e: ExprId) -> bool {
        matches!(self.tree.access(e), Some(Access::Cached(_)))
    }

    /// Returns true if `e` may be read in advance even if it is on this host: every write that may be to it
    /// there is tested.
    fn may_be_early(&self, e: ExprId) -> bool {
        let tested =
            |w: &Write| !self.dependences.may_be(e, w.place) || self.dependences.may_write_remote(w, e);
        self.dependences.writes.iter().all(tested)
    }

    /// Returns true if all iterations read the same object at `e`, and none writes it.
    fn is_once(&self, e: ExprId) -> bool {
        self.addresses.constant(e) && self.addresses.inputs(e).is_some_and(|inputs| inputs.is_empty())
    }

    /// Notes the held reads and the tests that an early read of the shared object `e` requires.
    fn fetched(&self, e: ExprId, found: &mut Found) -> Result<(), Reason> {
        let (types, q) = (&self.tree.typed.types, self.tree.typed.ty(e));
        if !self.addresses.typed_in_front(e) {
            return Err(Reason::ReadsTypeOfBody);
        }
        if !may_be_copied(types, q) || crate::facts::places::is_bit_field(self.tree, e) {
            return Err(Reason::ReadsBitField);
        }
        let inputs = self.inputs(e, true).ok_or(Reason::AddressMoves)?;
        self.inputs_tested(&inputs, found)?;
        // The loop's writes update the cache too.
        if self.is_cached(e) {
            return Ok(());
        }
        let writes = &self.dependences.writes;
        self.tested(e, |k| self.dependences.may_write_remote(&writes[k], e), found)
    }

    /// Returns the inputs of an address, if they can be read in advance. `surely`: each iteration computes
    /// the address.
    fn inputs(&self, e: ExprId, surely: bool) -> Option<Inputs> {
        let inputs = self.addresses.inputs(e)?;
        let holds = |&h: &ExprId| {
            let other = matches!(self.tree.access(h),
                Some(access) if !matches!(access, Access::Element { .. } | Access::Own | Access::Cached(_)));
            let simple = self.addresses.inputs(h);
            let simple = simple.is_some_and(|inputs| inputs.shared.is_empty() && !inputs.conditional);
            simple && !other && self.certain.reads.contains(&h)
        };
        let sound = (surely || !inputs.direct) && !inputs.conditional && inputs.shared.iter().all(holds);
        sound.then_some(inputs)
    }

    fn inputs_tested(&self, inputs: &Inputs, found: &mut Found) -> Result<(), Reason> {
        for &e in &inputs.private {
            self.input(e, found)?;
        }
        for &h in &inputs.shared {
            if !found.held.contains(&h) {
                found.held.push(h);
                self.input(h, found)?;
            }
        }
        Ok(())
    }

    /// Notes the tests of an input: it has to have the same value when the iteration runs, even if it is on
    /// this host.
    fn input(&self, e: ExprId, found: &mut Found) -> Result<(), Reason> {
        let writes = &self.dependences.writes;
        self.tested(e, |k| self.dependences.may_be(e, writes[k].place), found)
    }

    /// Notes which writes may be to the object `e`, and the inputs of their addresses.
    fn tested(&self, e: ExprId, may: impl Fn(usize) -> bool, found: &mut Found) -> Result<(), Reason> {
        let known = found.reads.iter().position(|read| read.0 == e);
        let new = |&k: &usize| may(k) && known.is_none_or(|at| !found.reads[at].1.contains(&k));
        let writes: Vec<usize> = (0..self.dependences.writes.len()).filter(new).collect();
        match known {
            _ if writes.is_empty() => return Ok(()),
            Some(at) => found.reads[at].1.extend(&writes),
            None => found.reads.push((e, writes.clone())),
        }
        for k in writes {
            if !found.writes.contains(&k) {
                found.writes.push(k);
                let place = self.dependences.writes[k].place;
                let surely = self.certain.evaluated.contains(&place);
                let inputs = self
                    .inputs(place, surely)
                    .filter(|_| !crate::facts::places::is_bit_field(self.tree, place));
                self.inputs_tested(&inputs.ok_or(Reason::WritesAndMoves)?, found)?;
            }
        }
        Ok(())
    }

    /// Returns true if the address of `e` depends on held values.
    fn takes_held(&self, e: ExprId) -> bool {
        self.addresses.inputs(e).is_some_and(|inputs| !inputs.shared.is_empty())
    }

    /// Returns the events of the found reads and writes that `which` selects.
    fn events(&self, found: &Found, which: impl Fn(ExprId) -> bool) -> Vec<Event> {
        let mut events = Vec::new();
        let all = &self.dependences.writes;
        for (e, writes) in found.reads.iter().filter(|read| which(read.0)) {
            let writes: Vec<usize> = writes.iter().copied().filter(|&k| which(all[k].place)).collect();
            events.push(Event::Read(*e, writes));
        }
        for &k in found.writes.iter().filter(|&&k| which(all[k].place)) {
            events.push(Event::Write(k, all[k].place, all[k].end));
        }
        events
    }

    /// Returns the tests that precede the held reads: none if the loop writes to no private object on which
    /// their addresses depend. Events with addresses that depend on held values are left out, since those
    /// values are not known yet.
    fn first_events(&self, found: &Found) -> Result<Vec<Event>, Reason> {
        let private = |h: &ExprId| self.addresses.inputs(*h).unwrap_or_default().private;
        let inputs: Vec<ExprId> = found.held.iter().flat_map(private).collect();
        let tested = found.reads.iter().filter(|read| inputs.contains(&read.0)).flat_map(|read| &read.1);
        if tested.clone().any(|&k| self.takes_held(self.dependences.writes[k].place)) {
            return Err(Reason::WritesAndMoves);
        }
        match tested.count() {
            0 => Ok(Vec::new()),
            _ => Ok(self.events(found, |e| !self.takes_held(e))),
        }
    }
}
