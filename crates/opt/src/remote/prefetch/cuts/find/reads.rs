//! Finds the reads in an expression, in the order of their evaluation, each with the values that have to be
//! known before it.

use super::super::{Block, Cut, Item, Part, Test, Writes};
use super::{At, Find};
use crate::facts::equality;
use crate::facts::places::{is_bit_field, is_part_of_own, may_be_copied};
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Early};
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, exists};

impl Find<'_> {
    /// Finds the reads of an expression that is evaluated, in the order of evaluation.
    pub(super) fn value(&mut self, e: ExprId, at: &mut At, out: &mut Block) {
        let unit = self.body.unit;
        // A constant expression reads none of the objects that it names: `1 || a[i]`.
        if self.body.typed.constant(e).is_some() {
            return;
        }
        match &unit.exprs[e].kind {
            &ExprKind::Paren(a) | &ExprKind::Extension(a) | &ExprKind::Cast(_, a) => self.value(a, at, out),
            &ExprKind::Unary(UnOp::Addr, a) => self.place(a, at, out),
            &ExprKind::Unary(op, a) if op != UnOp::Deref => self.value(a, at, out),
            &ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => {
                let or = matches!(unit.exprs[e].kind, ExprKind::Binary(BinOp::Or, ..));
                let (then, otherwise) = if or { (None, Some(b)) } else { (Some(b), None) };
                self.choice(a, then, otherwise, at, out);
            }
            &ExprKind::Cond(c, a, b) => self.choice(c, a, Some(b), at, out),
            &ExprKind::Binary(_, a, b) => {
                self.value(a, at, out);
                self.value(b, at, out);
            }
            &ExprKind::Assign(_, target, value) => {
                self.place(target, at, out);
                self.value(value, at, out);
                self.write(target, at, out);
            }
            &ExprKind::Pre(_, target) | &ExprKind::Post(_, target) => {
                self.place(target, at, out);
                self.write(target, at, out);
            }
            ExprKind::Call(_, args) => {
                args.iter().for_each(|&a| self.value(a, at, out));
                match self.writes {
                    // An atomic operation.
                    Writes::Tested => self.add_writes(Any::Expr(e), at, out),
                    Writes::Noted => self.atomic(e, at, out),
                }
            }
            ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Unary(UnOp::Deref, _)
            | ExprKind::Member { .. } => {
                self.place(e, at, out);
                self.read(e, at, out);
            }
            _ => {}
        }
    }

    pub(super) fn place(&mut self, e: ExprId, at: &mut At, out: &mut Block) {
        match self.body.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.place(a, at, out),
            ExprKind::Index(a, b) => {
                self.value(a, at, out);
                self.value(b, at, out);
            }
            ExprKind::Unary(UnOp::Deref, a) | ExprKind::Member { base: a, arrow: true, .. } => {
                self.value(a, at, out);
            }
            ExprKind::Member { base, .. } => self.place(base, at, out),
            _ => {}
        }
    }

    pub(super) fn choice(
        &mut self,
        cond: ExprId,
        a: Option<ExprId>,
        b: Option<ExprId>,
        at: &mut At,
        out: &mut Block,
    ) {
        self.value(cond, at, out);
        if self.writes == Writes::Tested {
            let under = [a, b].into_iter().flatten();
            return under.for_each(|e| self.writes_within(Any::Expr(e), at, out));
        }
        let mut blocks = [Block::new(), Block::new()];
        let mut last = at.clone();
        for (branch, items) in [a, b].into_iter().zip(&mut blocks) {
            let Some(e) = branch else { continue };
            last = self.under(cond, at, false);
            self.value(e, &mut last, items);
        }
        self.close(None, cond, (at, &last), blocks, out);
    }

    /// Visits a read of the object `e`, which may be private.
    pub(super) fn read(&mut self, e: ExprId, at: &At, out: &mut Block) {
        let types = &self.body.typed.types;
        let q = self.body.typed.ty(e);
        if !types.is_shared(q)
            || matches!(types.of(q), Ty::Array(..))
            || self.dependences.by_owner.contains(&e)
        {
            return;
        }
        if let Err(why) = self.may_be_read(e) {
            return self.cuts.refused.push((e, why));
        }
        let (unit, typed) = (self.body.unit, self.body.typed);
        let same = (0..self.cuts.all.len()).find(|&cut| {
            at.path.starts_with(&self.filled[cut].path)
                && equality::same(unit, typed, self.cuts.all[cut].e, e)
        });
        if let Some(cut) = same {
            self.cuts.all[cut].also.push(e);
            return self.again(e, cut, at, out);
        }
        let asked = self.tree.is_asked_early(Early::Halo, e) || self.tree.is_asked_early(Early::Directory, e);
        // Objects that are requested by rows are not requested by elements as well.
        if asked && self.writes == Writes::Noted {
            return;
        }
        let own = match self.tree.access(e) {
            None | Some(Access::Cached(_)) => is_part_of_own(self.tree, e),
            Some(Access::Element { .. } | Access::Own) => true,
            Some(_) => return,
        };
        let Some(known) = self.known_place(e, at).filter(|_| !at.unknown) else {
            // Only accesses that every iteration does count there.
            let counts = self.writes == Writes::Noted || !at.unknown;
            if !own && counts {
                let why = if at.unknown { Reason::ReadDepends } else { Reason::AddressMoves };
                self.cuts.refused.push((e, why));
            }
            return;
        };
        let part = self.part(known, at);
        // The copy of a section lies in private memory.
        if part.guess && own && self.tree.is_asked_early(Early::Section, e) {
            return;
        }
        let mut cut = Cut { own, guess: known.guess, ..Cut::new(e, at.level, part.stage) };
        cut.scattered = self.in_no_order(e);
        cut.varies = cut.scattered || self.varies(e);
        match self.writes {
            Writes::Tested => self.cut_tested(cut, part, at, out),
            Writes::Noted => {
                cut.tests = if part.stage == 0 && !part.guess { self.tested(e) } else { Vec::new() };
                cut.guess |= cut.tests.is_empty() && self.dependences.may_write(e);
                self.cut(cut, part, at, out);
            }
        }
    }

    /// Checks that the shared object `e` can be copied before its iteration.
    fn may_be_read(&self, e: ExprId) -> Result<(), Reason> {
        if !self.body.typed_in_front(e) {
            return Err(Reason::ReadsTypeOfBody);
        }
        let q = self.body.typed.ty(e);
        if !may_be_copied(&self.body.typed.types, q) || is_bit_field(self.tree, e) {
            return Err(Reason::ReadsBitField);
        }
        Ok(())
    }

    /// Adds a cut that is known at `part`.
    pub(super) fn cut(&mut self, cut: Cut, mut part: Part, at: &At, out: &mut Block) {
        if !cut.tests.is_empty() {
            let stage = if self.writes == Writes::Tested { cut.known_in() } else { 0 };
            part.tests.push(Test { e: cut.e, writes: cut.tests.clone(), stage });
        }
        self.leads_inside(cut.e);
        self.filled.push(at.clone());
        let needs =
            self.cuts_in(cut.e).into_iter().filter(|&other| self.cuts.all[other].e != cut.e).collect();
        self.cuts.all.push(Cut { needs, ..cut });
        out.push(Item::Read(self.cuts.all.len() - 1, part));
    }

    /// Returns the writes that the shared object `e` is tested against: none if one of them is by the same
    /// name. Such an object is likely to be read again, and the part then goes on with the notes of writes
    /// ([`super::super::writes`]).
    fn tested(&self, e: ExprId) -> Vec<usize> {
        let writes = self.meets(e);
        let sound = |&write: &usize| {
            self.assumed.foreseen[write] && self.root(self.dependences.writes[write]) != self.root(e)
        };
        if !self.assumed.untested.contains(&e) && writes.iter().all(sound) { writes } else { Vec::new() }
    }

    /// Visits a second read, as `e`, of the object that cut `cut` has read: the program may have written
    /// the object in between.
    fn again(&mut self, e: ExprId, cut: usize, at: &At, out: &mut Block) {
        let first = &self.cuts.all[cut];
        let writes = first.tests.clone();
        if writes.is_empty() {
            return;
        }
        let (place, unforeseen) = (first.e, at.unknown || at.guess || at.stage > 0);
        let (stage, last) = match self.writes {
            Writes::Tested => (first.known_in(), first.stage),
            Writes::Noted => (0, 0),
        };
        let known = if unforeseen { None } else { self.known_place(e, at) };
        match known.filter(|known| known.stage <= last && !known.guess) {
            Some(known) => {
                self.tests.push(Test { e, writes, stage });
                out.push(Item::Again(self.part(known, at)));
            }
            None => _ = self.assumed.untested.insert(place),
        }
    }

    /// Adds a write, if it is known in advance that the write is done, and where.
    fn write(&mut self, target: ExprId, at: &At, out: &mut Block) {
        let place = self.body.unit.bare(target);
        let Some(number) = self.dependences.writes.iter().position(|&write| write == place) else {
            return;
        };
        if !self.assumed.foreseen[number] {
            return;
        }
        if self.writes == Writes::Tested {
            return self.add_write(number, at, out);
        }
        if at.unknown || at.guess || at.stage > 0 {
            return;
        }
        let known = self.known_place(place, at).filter(|known| known.stage == 0 && !known.guess);
        if known.is_some() && self.inputs.is_empty() {
            self.add_write(number, at, out);
        }
    }

    /// Returns true if the address depends on an integer in memory, possibly through a variable that an
    /// iteration sets.
    fn in_no_order(&self, e: ExprId) -> bool {
        let (unit, typed) = (self.body.unit, self.body.typed);
        let in_memory = |inner: ExprId| {
            inner != e
                && match unit.exprs[inner].kind {
                    ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Call(..) => {
                        matches!(typed.types.of(typed.ty(inner)), Ty::Int(_))
                    }
                    ExprKind::Ident(_) => typed
                        .symbol(inner)
                        .and_then(|sym| self.locals.get(&sym))
                        .is_some_and(|&(value, _)| self.is_in_memory(value) || self.in_no_order(value)),
                    _ => false,
                }
        };
        exists(unit, Any::Expr(e), in_memory)
    }

    /// Returns true if an expression is an integer in memory, or the value of a call.
    fn is_in_memory(&self, e: ExprId) -> bool {
        let unit = self.body.unit;
        let memory = matches!(
            unit.exprs[unit.bare(e)].kind,
            ExprKind::Index(..)
                | ExprKind::Unary(UnOp::Deref, _)
                | ExprKind::Member { .. }
                | ExprKind::Call(..)
        );
        memory && matches!(self.body.typed.types.of(self.body.typed.ty(e)), Ty::Int(_))
    }
}
