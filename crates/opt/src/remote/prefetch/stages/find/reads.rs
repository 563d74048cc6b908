//! Finds the reads in an expression, in the order of their evaluation, each with the values that have to be
//! known before it.

use super::super::{Block, Item, Slot, Test};
use super::{At, Find};
use crate::facts::equality;
use crate::facts::places::{is_bit_field, is_part_of_own, may_be_copied};
use crate::facts::shapes::mentions;
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
                self.atomic(e, at, out);
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
        if !types.is_shared(q) || !may_be_copied(types, q) || matches!(types.of(q), Ty::Array(..)) {
            return;
        }
        if !self.body.typed_in_front(e)
            || is_bit_field(self.tree, e)
            || self.dependences.by_owner.contains(&e)
        {
            return;
        }
        let (unit, typed) = (self.body.unit, self.body.typed);
        let same = (0..self.plan.slots.len()).find(|&slot| {
            at.path.starts_with(&self.filled[slot].path)
                && equality::same(unit, typed, self.plan.slots[slot].e, e)
        });
        if let Some(slot) = same {
            self.plan.slots[slot].also.push(e);
            return self.again(e, slot, at, out);
        }
        // Objects that are requested by rows are not requested by elements as well.
        if self.tree.is_asked_early(Early::Halo, e) || self.tree.is_asked_early(Early::Directory, e) {
            return;
        }
        let own = match self.tree.access(e) {
            None | Some(Access::Cached(_)) => is_part_of_own(self.tree, e),
            Some(Access::Element { .. } | Access::Own) => true,
            Some(_) => return,
        };
        let Some(known) = self.known_place(e, at).filter(|_| !at.unknown) else {
            if !own {
                self.plan
                    .refused
                    .push((e, if at.unknown { Reason::ReadDepends } else { Reason::AddressMoves }));
            }
            return;
        };
        let mut part = self.part(known, at);
        // The copy of a section lies in private memory.
        if part.guess && own && self.tree.is_asked_early(Early::Section, e) {
            return;
        }
        self.leads_inside(e);
        self.filled.push(at.clone());
        let mut slot = Slot::new(e, at.level, part.stage, own);
        slot.tests = if part.stage == 0 && !part.guess { self.tested(e) } else { Vec::new() };
        if !slot.tests.is_empty() {
            part.tests.push(Test { e, writes: slot.tests.clone() });
        }
        slot.guess = known.guess || (slot.tests.is_empty() && self.dependences.may_write(e));
        slot.scattered = self.in_no_order(e);
        slot.varies = slot.scattered || self.vars.iter().any(|&var| mentions(unit, typed, e, var));
        self.plan.slots.push(slot);
        out.push(Item::Read(self.plan.slots.len() - 1, part));
    }

    /// Returns the writes that the shared object `e` is tested against: none if one of them is by the same
    /// name. Such an object is likely to be read again, and the part then goes on with the notes of writes
    /// ([`super::super::writes`]).
    fn tested(&self, e: ExprId) -> Vec<usize> {
        let writes = self.meets(e);
        let sound = |&write: &usize| {
            self.foreseen[write] && self.root(self.dependences.writes[write].place) != self.root(e)
        };
        if !self.untested.contains(&e) && writes.iter().all(sound) { writes } else { Vec::new() }
    }

    /// Visits a second read, as `e`, of the object that slot `slot` has read: the program may have written
    /// the object in between.
    fn again(&mut self, e: ExprId, slot: usize, at: &At, out: &mut Block) {
        let first = &self.plan.slots[slot];
        let writes = first.tests.clone();
        if writes.is_empty() {
            return;
        }
        let known = match at.unknown || at.guess || at.stage > 0 {
            true => None,
            false => self.known_place(e, at).filter(|known| known.stage == 0 && !known.guess),
        };
        match known {
            Some(known) => {
                self.tests.push(Test { e, writes });
                out.push(Item::Again(self.part(known, at)));
            }
            None => _ = self.untested.insert(self.plan.slots[slot].e),
        }
    }

    /// Adds a write, if it is known in advance that the write is done, and where.
    fn write(&mut self, target: ExprId, at: &At, out: &mut Block) {
        let place = self.body.unit.bare(target);
        let Some(number) = self.dependences.writes.iter().position(|write| write.place == place) else {
            return;
        };
        if !self.foreseen[number] || at.unknown || at.guess || at.stage > 0 {
            return;
        }
        let known = self.known_place(place, at).filter(|known| known.stage == 0 && !known.guess);
        if let Some(known) = known.filter(|_| self.inputs.is_empty()) {
            let part = self.part(known, at);
            out.push(Item::Wrote(number, place, part));
        }
    }

    /// Returns true if the address depends on a number that lies in memory.
    fn in_no_order(&self, e: ExprId) -> bool {
        exists(self.body.unit, Any::Expr(e), |inner| {
            inner != e
                && match self.body.unit.exprs[inner].kind {
                    ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Call(..) => {
                        matches!(self.body.typed.types.of(self.body.typed.ty(inner)), Ty::Int(_))
                    }
                    ExprKind::Ident(_) => {
                        self.body.typed.symbol(inner).is_some_and(|sym| self.locals.contains_key(&sym))
                    }
                    _ => false,
                }
        })
    }
}
