//! Finds when values, objects and addresses are known: the first stage before which all values on which they
//! depend have been read.

use super::{At, Find, Test, Writes};
use crate::facts::advance::{self, Advance};
use crate::facts::body::Body;
use crate::facts::early::{decides, may_trap};
use crate::facts::equality;
use crate::facts::functions;
use crate::facts::places::is_bit_field;
use c_sema::typed::{SymId, SymKind};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// When a value, an object or an address is known, before its iteration runs.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Known {
    /// The first stage in which it is known.
    pub(super) stage: usize,
    /// The value may be another one when the iteration runs ([`crate::facts::early`]).
    pub(super) guess: bool,
}

impl advance::Known for Known {
    fn and(self, other: Known) -> Known {
        Known { stage: self.stage.max(other.stage), guess: self.guess || other.guess }
    }
}

/// A private object, or a pointer to one, that the iteration accesses regardless of guesses.
pub(super) struct Met {
    /// The object, or the pointer that leads to it.
    by: ExprId,
    /// True if `by` is the pointer.
    pointer: bool,
    /// The branches and loops around it.
    path: Vec<usize>,
}

impl Find<'_> {
    /// Returns when a value at this point is known; none if it cannot be known before its iteration runs.
    pub(super) fn known(&mut self, e: ExprId, at: &At) -> Option<Known> {
        self.begin(at);
        self.value_of(e)
    }

    fn begin(&mut self, at: &At) {
        self.inputs.clear();
        self.tests.clear();
        (self.guessing, self.around, self.stage) = (at.guess || at.unknown, at.path.clone(), at.stage);
    }

    /// Returns when an address is known.
    pub(super) fn known_place(&mut self, e: ExprId, at: &At) -> Option<Known> {
        self.begin(at);
        self.place_of(e)
    }

    /// Returns when a condition is known.
    pub(super) fn known_condition(&mut self, e: ExprId, at: &At) -> Option<Known> {
        let known = self.known(e, at)?;
        let sound = !(known.guess || self.guessing) || decides(self.body.typed, e);
        sound.then_some(known)
    }
}

impl<'a> Advance<'a> for Find<'a> {
    type Known = Known;

    fn body(&self) -> &'a Body<'a> {
        self.body
    }

    fn variable_of(&mut self, e: ExprId) -> Option<Known> {
        let sym = self.body.typed.symbol(e)?;
        if self.vars.contains(&sym) {
            return Some(Known { stage: 0, guess: self.guessed.contains(&sym) });
        }
        if let Some(&(_, known)) = self.locals.get(&sym) {
            return Some(known);
        }
        let kept = self.body.effects.keeps(self.body.typed, sym);
        // A pointer may lead to a variable that other files can name.
        let external = matches!(self.body.typed.sym(sym).kind, SymKind::Static { external: true, .. });
        if kept && external && self.dependences.may_write(e) {
            return match self.writes {
                Writes::Tested => self.tested_input(e, Known::default()),
                Writes::Noted => None,
            };
        }
        kept.then_some(Known::default())
    }

    fn object_of(&mut self, e: ExprId) -> Option<Known> {
        if self.body.typed.types.is_shared(self.body.typed.ty(e)) {
            let cut = &self.cuts.all[self.cut_of(e)?];
            return (!cut.unsettled).then_some(Known { stage: cut.known_in(), guess: cut.guess });
        }
        let known = self.place_of(e)?;
        if known.guess || !self.is_looked_at(e) {
            return None;
        }
        let writes = self.meets(e);
        if writes.is_empty() {
            return Some(known);
        }
        if self.writes == Writes::Tested {
            return self.tested_input(e, known);
        }
        let tested = known.stage == 0 && self.stage == 0 && !self.guessing && !is_bit_field(self.tree, e);
        if tested && self.body.typed_in_front(e) && writes.iter().all(|&write| self.assumed.foreseen[write]) {
            self.tests.push(Test { e, writes, stage: 0 });
            return Some(known);
        }
        // An object written by the name it is read by is not likely to keep its value, unless the write
        // appends.
        let root = self.root(e);
        let stays =
            self.dependences.writes.iter().all(|&write| self.root(write) != root || self.appends(write));
        if is_bit_field(self.tree, e) || !stays {
            return None;
        }
        self.inputs.push(e);
        Some(Known { guess: true, ..known })
    }

    fn atomic_of(&mut self, e: ExprId) -> Option<Known> {
        let cut = &self.cuts.all[self.cut_of(e)?];
        Some(Known { stage: cut.stage + 1, guess: false })
    }

    /// Returns none if a branch depends on private memory that the loop may write: that is neither noted nor
    /// tested there.
    fn branch_of(&mut self, condition: Known, e: ExprId) -> Option<Known> {
        let (noted, guessing) = ((self.inputs.len(), self.tests.len()), self.guessing);
        self.guessing |= condition.guess;
        self.branches += 1;
        self.around.push(self.branches);
        let known = self.value_of(e);
        self.around.pop();
        self.guessing = guessing;
        known.filter(|_| noted == (self.inputs.len(), self.tests.len()))
    }

    /// Refuses operations that may trap, and calls of functions that need not return, if they depend on a
    /// guess or a guess decides whether they are evaluated.
    fn operation_of(&mut self, e: ExprId, operands: Known) -> Option<Known> {
        let guess = operands.guess || self.guessing;
        let ends = match self.body.unit.exprs[e].kind {
            ExprKind::Call(f, _) => functions::returns(self.tree, f),
            _ => true,
        };
        let sound = ends && !may_trap(self.body.unit, self.body.typed, e);
        (sound || !guess).then_some(operands)
    }

    fn address_of(&mut self, place: ExprId, known: Known) -> Option<Known> {
        let shared = self.body.typed.types.is_shared(self.body.typed.ty(place));
        (!known.guess || shared).then_some(known)
    }
}

impl Find<'_> {
    /// Tests a private object that the loop may write, if it is known in advance where.
    fn tested_input(&mut self, e: ExprId, known: Known) -> Option<Known> {
        let writes = self.meets(e);
        let sound = self.body.typed_in_front(e) && !is_bit_field(self.tree, e);
        if !sound || !writes.iter().all(|&write| self.assumed.foreseen[write]) {
            return None;
        }
        self.tests.push(Test { e, writes, stage: known.stage });
        Some(known)
    }

    /// Returns true if reading the private object `e`, whose address is right, cannot fault: the iteration
    /// reads it in any case, or has followed its pointer, or it is a variable or a part of one.
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

    /// Returns true if a private object is a variable, a member of one, or an element with a constant number.
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

    /// Whether an object is `list[n++]`.
    fn appends(&self, place: ExprId) -> bool {
        let unit = self.body.unit;
        let ExprKind::Index(_, n) = unit.exprs[unit.bare(place)].kind else { return false };
        matches!(unit.exprs[unit.bare(n)].kind, ExprKind::Post(IncDec::Inc, _))
    }

    /// Returns the numbers of the writes that may be to an object.
    pub(super) fn meets(&self, e: ExprId) -> Vec<usize> {
        let writes = &self.dependences.writes;
        (0..writes.len()).filter(|&write| self.dependences.may_be(e, writes[write])).collect()
    }

    /// Returns the name by which an object is reached.
    pub(super) fn root(&self, e: ExprId) -> Option<SymId> {
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

/// Returns the pointer that leads to a private object, and true; or the object itself, and false.
fn leads_to(unit: &Unit, e: ExprId) -> (ExprId, bool) {
    match unit.exprs[e].kind {
        ExprKind::Paren(a) | ExprKind::Extension(a) => leads_to(unit, a),
        ExprKind::Unary(UnOp::Deref, p) | ExprKind::Member { base: p, arrow: true, .. } => (p, true),
        ExprKind::Member { base, arrow: false, .. } => leads_to(unit, base),
        _ => (e, false),
    }
}
