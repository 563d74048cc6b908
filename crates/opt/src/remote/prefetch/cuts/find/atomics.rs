//! Atomic operations that stages do in advance.
//!
//! A read that is done in advance may be dropped. An atomic operation may not: it has changed its object. So
//! a stage does one in advance only if the program does exactly the same one, and takes its value:
//!
//! - *It is done.* The conditions and bounds around it, its target, its domain and its operands are right
//!   ([`crate::facts::early`]), and nothing gives up a part whose iterations have done their operations: the
//!   loop writes nothing on which the stages depend.
//! - *It is in the part.* Stages that may end a part early (full buffers, tests, guesses) come before all
//!   stages with atomic operations: a part has all of its iterations then.
//! - *Its order stays.* Accesses of one thread to one object keep their order (UPC B.3). No other access of
//!   the loop is to an object that may be the same, except atomic operations of the same stage, which does
//!   them in the order of the program. Relaxed accesses to other objects have no order. If the only obstacle
//!   is that pointers may lead to one object, the loop tests at its beginning whether they lead to different
//!   ones ([`crate::facts::dependences`]). If they do not, nothing is done in advance.
//!
//! Other threads see a relaxed access at another time, as they may, regardless of this thread's accesses in
//! between.

use super::super::{Block, Cut, Cuts, Item, Part, each_item};
use super::{At, Find, Iterations};
use crate::facts::atomics;
use crate::ir::reason::Reason;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::HashSet;

/// The last stage that is worth a round trip for atomic operations.
const LAST_STAGE: usize = 6;

/// Whether atomic operations are done in advance.
#[derive(Clone, Copy)]
pub(super) enum Early {
    /// Done from this stage on. `distinct`: if different pointers lead to different objects.
    From { stage: usize, distinct: bool },
    /// Each is done by its iteration, for this reason.
    Never(Reason),
}

impl Early {
    pub(super) const FIRST: Early = Early::From { stage: 0, distinct: false };

    pub(super) fn assumes_distinct(self) -> bool {
        matches!(self, Early::From { distinct: true, .. })
    }
}

impl Find<'_> {
    /// Does an atomic operation in advance, if its value is used.
    pub(super) fn atomic(&mut self, e: ExprId, at: &At, out: &mut Block) {
        let Some(place) = atomics::object_of(self.tree, e) else { return };
        if !atomics::gives_value(self.body.typed, e) {
            return;
        }
        match self.part_of_atomic(e, place, at) {
            Ok(part) => {
                self.leads(e);
                self.filled.push(at.clone());
                let mut cut = Cut::new(e, at.level, part.stage);
                (cut.atomic, cut.leads, cut.varies) = (Some(place), true, true);
                self.cuts.all.push(cut);
                out.push(Item::Read(self.cuts.all.len() - 1, part));
            }
            Err(why) => self.cuts.refused.push((e, why)),
        }
    }

    /// Returns the point at which an atomic operation is known, if it depends on no guess.
    fn part_of_atomic(&mut self, e: ExprId, place: ExprId, at: &At) -> Result<Part, Reason> {
        let floor = match self.early {
            Early::From { stage, .. } => stage,
            Early::Never(why) => return Err(why),
        };
        if at.unknown || at.guess {
            return Err(Reason::ReadDepends);
        }
        let atomic = atomics::of(self.body.unit, self.body.typed, e).ok_or(Reason::OtherKind)?;
        let (mut stage, mut tests) = (at.stage.max(floor), Vec::new());
        for (n, &value) in [place, atomic.domain].iter().chain(atomic.operands).enumerate() {
            let known = if n == 0 { self.known_place(value, at) } else { self.known(value, at) };
            let right = known.filter(|known| !known.guess && self.inputs.is_empty());
            let in_front = self.body.typed_in_front(value);
            stage = stage.max(right.filter(|_| in_front).ok_or(Reason::AddressMoves)?.stage);
            tests.append(&mut self.tests);
        }
        Ok(Part { stage, level: at.level, guess: false, inputs: Vec::new(), tests })
    }
}

/// Returns how to cuts again, if a cuts does atomic operations in advance that it may not.
pub(super) fn again(of: &Iterations, cuts: &Result<Cuts, Reason>, early: Early) -> Option<Early> {
    let Early::From { stage, distinct } = early else { return None };
    if !of.body.effects.atomics {
        return None;
    }
    // Objects that may be the same may turn out to be different when the program runs.
    let but_distinct = |why| if distinct { Early::Never(why) } else { Early::From { stage, distinct: true } };
    let cuts = match cuts {
        Ok(cuts) => cuts,
        Err(why) => return Some(but_distinct(*why)),
    };
    // Operands that may be written by another pointer are guesses.
    let is_atomic = |e: ExprId| atomics::object_of(of.body.tree, e).is_some();
    if let Some(&(_, why)) = cuts.refused.iter().find(|(e, _)| is_atomic(*e) && !distinct) {
        return Some(but_distinct(why));
    }
    let Some(first) = operations(cuts).map(|cut| cut.stage).min() else {
        return distinct.then_some(Early::Never(Reason::AtomicMeets));
    };
    match last_end(cuts) {
        Some(last) if last >= LAST_STAGE => Some(Early::Never(Reason::AtomicDecides)),
        Some(last) if last >= first => Some(Early::From { stage: last + 1, distinct }),
        _ if gives_up(cuts) => Some(but_distinct(Reason::WritesAndMoves)),
        _ if meets(of, cuts) => Some(but_distinct(Reason::AtomicMeets)),
        _ if of.dependences.assumes_too_much() => Some(Early::Never(Reason::AtomicMeets)),
        _ => None,
    }
}

/// Returns the atomic operations that are done in advance.
fn operations(cuts: &Cuts) -> impl Iterator<Item = &Cut> {
    cuts.all.iter().filter(|cut| cut.atomic.is_some())
}

/// Returns the last stage that may end a part early.
fn last_end(cuts: &Cuts) -> Option<usize> {
    let mut last = None;
    each_item(&cuts.items, &mut |item| {
        let Some(part) = item.part() else { return };
        let ends = match item {
            Item::Walk(_) => Some(part.stage),
            Item::Read(..) if part.guess => Some(part.stage),
            _ => (!part.tests.is_empty()).then_some(0),
        };
        last = last.max(ends);
    });
    last
}

/// Returns true if an iteration may give up the part that it is in.
fn gives_up(cuts: &Cuts) -> bool {
    let gated = |cut| cuts.gates.iter().any(|gate| gate.cuts.contains(&cut));
    let lost = |(number, cut): (usize, &Cut)| cut.written && (cut.leads || gated(number));
    cuts.has_inputs() || cuts.all.iter().enumerate().any(lost)
}

/// Returns true if another access of the loop may be to the object of an operation.
fn meets(of: &Iterations, cuts: &Cuts) -> bool {
    let (body, dependences) = (of.body, of.dependences);
    let places: Vec<(ExprId, usize)> =
        operations(cuts).filter_map(|cut| Some((cut.atomic?, cut.stage))).collect();
    let stage = |e: ExprId| places.iter().find(|of| of.0 == e).map(|of| of.1);
    let (mut accessed, mut addressed) = (Vec::new(), HashSet::new());
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        match body.unit.exprs[e].kind {
            ExprKind::Unary(UnOp::Addr, object) => _ = addressed.insert(body.unit.bare(object)),
            _ if body.is_object(e) => accessed.push(e),
            _ => {}
        }
        true
    });
    accessed.retain(|e| !addressed.contains(e));
    accessed.extend(&dependences.writes);
    accessed.into_iter().any(|e| {
        places
            .iter()
            .any(|&(place, other)| e != place && stage(e) != Some(other) && dependences.may_be(e, place))
    })
}
