//! Cuts of a loop whose writes are tested in advance: every iteration does these accesses, all values on
//! which they depend are right ([`crate::facts::early`]), and it is known in advance where the loop writes.
//!
//! The part ends before the first iteration that reads an object which an earlier iteration writes
//! ([`crate::facts::dependences`]). A value is tested no later than in the first stage that uses it, so
//! nothing is computed from an untested value. That stage must know the places of the writes that may be to
//! the object. A write under a condition, or in a statement that is not walked, is noted as if it were done,
//! if its address can be computed in any case.

use super::{At, Find, Iterations};
use crate::ir::reason::Reason;
use crate::ir::tree::Access;
use crate::ir::walk::has_loop;
use crate::remote::prefetch::cuts::{Block, Cut, Cuts, Item, Part, Test, each_item, each_item_mut};
use base::contract;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, exists};
use std::collections::HashSet;

/// The most tests of an iteration, and extents of the writes that these are against: they take time.
const MOST_TESTS: usize = contract::MOST_EXTENTS as usize;

impl Find<'_> {
    /// Adds the cut of a read with an address that is known at `part`, or the reason why there is none.
    pub(super) fn cut_tested(&mut self, cut: Cut, part: Part, at: &At, out: &mut Block) {
        match self.tested_cut(cut, &part) {
            Ok(cut) => self.cut(cut, part, at, out),
            Err((e, why)) => self.cuts.refused.push((e, why)),
        }
    }

    fn tested_cut(&self, cut: Cut, part: &Part) -> Result<Cut, (ExprId, Reason)> {
        let e = cut.e;
        let foreseen = |write: &usize| self.assumed.foreseen[*write];
        let all = self.meets(e);
        let unsettled = !all.iter().all(foreseen);
        let leads = self.assumed.leading.contains(&e) && !unsettled;
        let cached = !cut.own && matches!(self.tree.access(e), Some(Access::Cached(_)));
        let once = !cut.own
            && !cut.varies
            && part.stage == 0
            && part.tests.is_empty()
            && !self.dependences.may_write(e);
        let (mut tests, mut late_here) = (Vec::new(), false);
        if leads {
            tests = all;
        } else if cut.varies && !(cut.own || cached) {
            // A write by a private pointer is to an object on this host.
            let remote =
                |write: &usize| self.dependences.may_write_remote(self.dependences.writes[*write], e);
            let (far, near): (Vec<usize>, Vec<usize>) = all.into_iter().partition(remote);
            (tests, late_here) = (far, !near.is_empty());
        }
        if self.assumed.untested.contains(&e) || !tests.iter().all(foreseen) {
            return Err((e, Reason::WritesAndMoves));
        }
        Ok(Cut { once, cached: cached && !once, late_here, tests, unsettled, ..cut })
    }

    /// Returns true if the address of `e` depends on the loop's variable, or on variables that an iteration
    /// sets.
    pub(super) fn varies(&self, e: ExprId) -> bool {
        exists(self.body.unit, Any::Expr(e), |e| {
            let name = matches!(self.body.unit.exprs[e].kind, ExprKind::Ident(_));
            let sym = if name { self.body.typed.symbol(e) } else { None };
            sym.is_some_and(|sym| self.vars.contains(&sym) || self.locals.contains_key(&sym))
        })
    }

    /// Adds the writes of a statement or an expression that have not been added, if writes are tested. They
    /// may not be done.
    pub(super) fn writes_within(&mut self, node: Any, at: &At, out: &mut Block) {
        if self.writes == super::Writes::Tested {
            let unknown = At { unknown: true, ..at.clone() };
            self.add_writes(node, &unknown, out);
        }
    }

    /// Adds the writes of a statement or an expression whose places are known at `at`.
    pub(super) fn add_writes(&mut self, node: Any, at: &At, out: &mut Block) {
        for number in 0..self.dependences.writes.len() {
            let place = self.dependences.writes[number];
            if self.assumed.foreseen[number]
                && !self.added.contains(&number)
                && exists(self.body.unit, node, |e| e == place)
            {
                self.add_write(number, at, out);
            }
        }
    }

    /// Adds a write, if its place is known at `at`.
    pub(super) fn add_write(&mut self, number: usize, at: &At, out: &mut Block) {
        let place = self.dependences.writes[number];
        if let Some(known) = self.known_place(place, at) {
            let part = self.part(known, at);
            self.added.insert(number);
            out.push(Item::Wrote(number, place, part));
        }
    }
}

/// Completes the cuts of a loop. Fails if there are none, or if tests would take too much time.
pub(super) fn check(of: &Iterations, cuts: &mut Cuts) -> Result<(), Reason> {
    for cut in &mut cuts.all {
        cut.used = cut.leads || cut.pays();
        // The same object in all iterations, which the loop writes.
        if !cut.used && !cut.own {
            cuts.refused.push((cut.e, Reason::SameObjectWritten));
        }
    }
    if !cuts.all.iter().any(|cut| cut.pays() && !cut.leads) {
        let none = if cuts.all.is_empty() { Reason::NoSureRead } else { Reason::SameObject };
        return Err(cuts.refused.first().map_or(none, |&(_, why)| why));
    }
    if cuts.all.iter().filter(|cut| cut.cached && cut.used).count() > super::MOST_READS {
        return Err(Reason::MoreReadsThanBuffers);
    }
    cuts.nested = has_loop(of.body.tree, of.body.stmt);
    put_last(cuts);
    let (mut tests, mut extents) = (0, HashSet::new());
    each_item(&cuts.items, &mut |item| {
        for test in item.part().into_iter().flat_map(|part| &part.tests) {
            tests += 1;
            extents.extend(test.writes.iter().map(|&write| (test.stage, write)));
        }
    });
    if tests + extents.len() > MOST_TESTS { Err(Reason::WritesInManyPlaces) } else { Ok(()) }
}

/// Moves the cuts on which nothing else depends to the last stage, whose requests travel while the part
/// before runs, and the tests of each cut to the first stage that uses its value.
fn put_last(cuts: &mut Cuts) {
    let mut last = 0;
    each_item(&cuts.items, &mut |item| last = last.max(item.part().map_or(0, |part| part.stage)));
    for cut in cuts.all.iter_mut().filter(|cut| !cut.leads && !cut.once) {
        cut.stage = last;
    }
    let known: Vec<(bool, usize)> = cuts.all.iter().map(|cut| (cut.leads, cut.known_in())).collect();
    let of_test: Vec<(ExprId, usize)> = cuts
        .all
        .iter()
        .enumerate()
        .flat_map(|(number, cut)| cut.also.iter().chain([&cut.e]).map(move |&e| (e, number)))
        .collect();
    let cut_of = |e: ExprId| of_test.iter().find(|of| of.0 == e).map(|of| known[of.1]);
    let stages: Vec<usize> = cuts.all.iter().map(|cut| cut.stage).collect();
    each_item_mut(&mut cuts.items, &mut |item| {
        let number = if let Item::Read(number, _) = item { Some(*number) } else { None };
        let Some(part) = item.part_mut() else { return };
        if let Some(number) = number {
            part.stage = stages[number];
        }
        for Test { e, stage, .. } in &mut part.tests {
            match cut_of(*e) {
                Some((true, known)) => *stage = known.min(last),
                Some((false, _)) => *stage = last,
                None => {}
            }
        }
    });
}
