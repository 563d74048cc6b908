//! When values, objects and addresses are known: before which stage what they are made of has been read.

use super::{At, Find};
use crate::facts::early::{decides, may_trap};
use crate::facts::equality;
use crate::facts::functions::{self, Summary};
use crate::facts::places::is_bit_field;
use c_sema::typed::{SymId, SymKind};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// What is known of a value, an object or an address before its iteration runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// The stage from which on it is.
    pub(super) stage: usize,
    /// It may be another one when the iteration runs ([`crate::facts::early`]).
    pub(super) guess: bool,
}

impl Known {
    /// This, and another one that a value is made of too.
    fn and(self, other: Known) -> Known {
        Known { stage: self.stage.max(other.stage), guess: self.guess || other.guess }
    }
}

/// A private object, or a pointer to one, that the iteration looks at whichever way guesses go.
pub(super) struct Met {
    /// The object, or the pointer that leads to it.
    by: ExprId,
    /// It is the pointer.
    pointer: bool,
    /// The branches and loops around it.
    path: Vec<usize>,
}

impl Find<'_> {
    /// What is known of a value at this point; none if it cannot be known before its iteration runs.
    pub(super) fn known(&mut self, e: ExprId, at: &At) -> Option<Known> {
        self.inputs.clear();
        (self.guessing, self.around) = (at.guess || at.unknown, at.path.clone());
        self.value_of(e)
    }

    /// The same of an address.
    pub(super) fn known_place(&mut self, e: ExprId, at: &At) -> Option<Known> {
        self.inputs.clear();
        (self.guessing, self.around) = (at.guess || at.unknown, at.path.clone());
        self.place_of(e)
    }

    /// The same of a condition.
    pub(super) fn known_condition(&mut self, e: ExprId, at: &At) -> Option<Known> {
        let known = self.known(e, at)?;
        let sound = !(known.guess || self.guessing) || decides(self.body.typed, e);
        sound.then_some(known)
    }

    fn value_of(&mut self, e: ExprId) -> Option<Known> {
        let (unit, typed) = (self.body.unit, self.body.typed);
        if typed.constant(e).is_some() && self.body.named_in_front(e, &[]) {
            return Some(Known::default());
        }
        if self.body.is_array(e) {
            return self.place_of(e);
        }
        match &unit.exprs[e].kind {
            &ExprKind::Paren(a) | &ExprKind::Extension(a) => self.value_of(a),
            &ExprKind::Cast(..) if !self.body.typed_in_front(e) => None,
            &ExprKind::Cast(_, a)
            | &ExprKind::Unary(UnOp::Plus | UnOp::Minus | UnOp::Not | UnOp::BitNot, a) => {
                let known = self.value_of(a)?;
                self.operates(known, e)
            }
            &ExprKind::Unary(UnOp::Addr, place) => {
                let known = self.place_of(place)?;
                (!known.guess || typed.types.is_shared(typed.ty(place))).then_some(known)
            }
            &ExprKind::Binary(op, a, b) if op != BinOp::Comma => {
                let first = self.value_of(a)?;
                let under = matches!(op, BinOp::And | BinOp::Or);
                let second = if under { self.under_value(first, b)? } else { self.value_of(b)? };
                self.operates(first.and(second), e)
            }
            &ExprKind::Cond(c, a, b) => {
                let mut known = self.value_of(c)?;
                let condition = known;
                for e in a.into_iter().chain([b]) {
                    known = known.and(self.under_value(condition, e)?);
                }
                self.operates(known, e)
            }
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => {
                Some(Known::default())
            }
            ExprKind::Call(f, args) if functions::of_call(self.tree, *f) == Summary::Arguments => {
                let mut known = Known::default();
                for &a in args {
                    known = known.and(self.value_of(a)?);
                }
                let sound = !(known.guess || self.guessing) || functions::returns(self.tree, *f);
                self.operates(known, e).filter(|_| sound)
            }
            ExprKind::Ident(_) if !typed.types.is_shared(typed.ty(e)) => self.known_variable(e),
            ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Unary(UnOp::Deref, _)
            | ExprKind::Member { .. } => self.known_object(e),
            _ => None,
        }
    }

    /// A value that is evaluated if a condition holds, or if it does not: private memory that the loop may
    /// write is not noted there.
    fn under_value(&mut self, condition: Known, e: ExprId) -> Option<Known> {
        let (inputs, guessing) = (self.inputs.len(), self.guessing);
        self.guessing |= condition.guess;
        self.branches += 1;
        self.around.push(self.branches);
        let known = self.value_of(e);
        self.around.pop();
        self.guessing = guessing;
        known.filter(|_| inputs == self.inputs.len())
    }

    /// What is made of operands: none where an operation that may trap would be done of a guess.
    fn operates(&self, known: Known, e: ExprId) -> Option<Known> {
        let traps = may_trap(self.body.unit, self.body.typed, e);
        (!traps || !(known.guess || self.guessing)).then_some(known)
    }

    fn known_variable(&mut self, e: ExprId) -> Option<Known> {
        let sym = self.body.typed.symbol(e)?;
        if self.vars.contains(&sym) {
            return Some(Known { stage: 0, guess: self.guessed.contains(&sym) });
        }
        if let Some(&(_, known)) = self.locals.get(&sym) {
            return Some(known);
        }
        let kept = self.body.effects.keeps(self.body.typed, sym);
        // A pointer may lead to what other files can name.
        let external = matches!(self.body.typed.sym(sym).kind, SymKind::Static { external: true, .. });
        (kept && !(external && self.dependences.may_write(e))).then_some(Known::default())
    }

    fn known_object(&mut self, e: ExprId) -> Option<Known> {
        if self.body.typed.types.is_shared(self.body.typed.ty(e)) {
            let slot = &self.plan.slots[self.slot_of(e)?];
            return Some(Known { stage: slot.stage + 1, guess: slot.guess });
        }
        let known = self.place_of(e)?;
        if known.guess || !self.is_looked_at(e) {
            return None;
        }
        if !self.dependences.may_write(e) {
            return Some(known);
        }
        // What is written by the same name is not likely to stay, unless it is appended to.
        let root = self.root(e);
        let stays = self
            .dependences
            .writes
            .iter()
            .all(|write| self.root(write.place) != root || self.appends(write.place));
        if is_bit_field(self.tree, e) || !stays {
            return None;
        }
        self.inputs.push(e);
        Some(Known { guess: true, ..known })
    }

    /// Whether looking at the private object `e`, whose address is right, cannot fault: the iteration does so
    /// in any case, or has come by its pointer, or it is a variable or a part of one.
    fn is_looked_at(&mut self, e: ExprId) -> bool {
        let (unit, typed) = (self.body.unit, self.body.typed);
        if self.is_named_part(e) {
            return true;
        }
        let (by, pointer) = leads_to(unit, e);
        if !self.guessing {
            self.met.push(Met { by, pointer, path: self.around.clone() });
            return true;
        }
        self.met.iter().any(|met| {
            met.pointer == pointer
                && self.around.starts_with(&met.path)
                && equality::same(unit, typed, met.by, by)
        })
    }

    /// Whether a private object is a variable, a member of one, or an element with a constant number.
    fn is_named_part(&self, e: ExprId) -> bool {
        match self.body.unit.exprs[e].kind {
            ExprKind::Ident(_) => true,
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.is_named_part(a),
            ExprKind::Member { base, arrow: false, .. } => self.is_named_part(base),
            ExprKind::Index(a, n) => {
                self.body.is_array(a) && self.body.typed.constant(n).is_some() && self.is_named_part(a)
            }
            _ => false,
        }
    }

    /// What is known of an address.
    fn place_of(&mut self, e: ExprId) -> Option<Known> {
        match self.body.unit.exprs[e].kind {
            ExprKind::Ident(_) => {
                let sym = self.body.typed.symbol(e)?;
                let kept = !self.body.effects.assigned.contains(&sym);
                let known = match self.body.typed.sym(sym).kind {
                    SymKind::Static { external: true, .. } => true,
                    SymKind::Static { .. } | SymKind::Auto | SymKind::Param => kept,
                    _ => false,
                };
                (known && self.body.in_front(sym)).then(Known::default)
            }
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.place_of(a),
            ExprKind::Index(a, b) => Some(self.value_of(a)?.and(self.value_of(b)?)),
            ExprKind::Unary(UnOp::Deref, p) => self.value_of(p),
            ExprKind::Member { base, arrow: true, .. } => self.value_of(base),
            ExprKind::Member { base, .. } => self.place_of(base),
            _ => None,
        }
    }

    /// Whether an object is `list[n++]`.
    fn appends(&self, place: ExprId) -> bool {
        let unit = self.body.unit;
        let ExprKind::Index(_, n) = unit.exprs[unit.bare(place)].kind else { return false };
        matches!(unit.exprs[unit.bare(n)].kind, ExprKind::Post(IncDec::Inc, _))
    }

    /// What an object is reached by.
    fn root(&self, e: ExprId) -> Option<SymId> {
        let mut root = None;
        each_expr(self.body.unit, Any::Expr(e), |e| {
            if matches!(self.body.unit.exprs[e].kind, ExprKind::Ident(_)) && root.is_none() {
                root = self.body.typed.symbol(e);
            }
            root.is_none()
        });
        root
    }
}

/// The pointer that leads to a private object, and true; or the object itself.
fn leads_to(unit: &Unit, e: ExprId) -> (ExprId, bool) {
    match unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => leads_to(unit, a),
        ExprKind::Unary(UnOp::Deref, p) | ExprKind::Member { base: p, arrow: true, .. } => (p, true),
        ExprKind::Member { base, arrow: false, .. } => leads_to(unit, base),
        _ => (e, false),
    }
}
