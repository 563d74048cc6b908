//! Small arrays of a loop that take turns in the same storage.
//!
//! `{s = a0 In {for ... do next s = f s; finally s}}`, where f makes an array of known bounds in line, makes
//! an array in each turn, and the one of the turn before is then needed no more. Nobody but the turn that
//! reads it has ever known it, if
//!
//!   - it was made in a turn of this C function, and until its end was not known to others (`fresh`);
//!   - the parameter that it becomes is used for its elements and bounds, and as the function's result at the
//!     loop's end, and for nothing else: so no cell, array, closure, call or activation holds it while the
//!     loop goes on.
//!
//! So its storage can be used again by the turn after the one that reads it: two arrays take turns. Where the
//! loop is left, for its end or to wait, the C function ends, and nothing is used again. What the arrays hold
//! are words, of which those that were read live on by themselves. The variables that hold the storage lie on
//! the C stack or in registers, where the collector finds it.

use super::{Direct, own_calls};
use crate::core::binds::each;
use crate::core::language::*;
use crate::tam::c::{Expr, Name, Stmt, Writer, call};
use crate::tam::emit::words::variable;
use std::collections::BTreeMap;

/// By the variable of an array that each turn makes: the parameter that it is in the next.
pub(super) fn of(f: &Func, func: FuncId) -> BTreeMap<Var, Var> {
    let mut found = BTreeMap::new();
    if own_calls(&f.body, func) != 1 {
        return found;
    }
    let mut made = Vec::new();
    let mut next = Vec::new();
    each(&f.body, &mut |bind| match &bind.op {
        Op::Alloc { mutable: false, .. } => made.extend(bind.dst.iter().copied()),
        Op::Call { func: callee, args, join: false } if *callee == func => next.clone_from(args),
        _ => {}
    });
    for (p, arg) in f.params.iter().zip(&next) {
        let once = next.iter().filter(|a| *a == arg).count() == 1;
        if let Atom::Var(v) = arg
            && made.contains(v)
            && once
            && for_elements_alone(&f.body, *p)
        {
            found.insert(*v, *p);
        }
    }
    found
}

/// Whether a parameter is used for its elements and bounds, and as the function's result, and not otherwise.
fn for_elements_alone(body: &Block, p: Var) -> bool {
    let (mut uses, mut allowed) = (0, 0);
    body.clone().map(&mut |a| uses += usize::from(*a == Atom::Var(p)));
    each(body, &mut |bind| {
        if let Op::Fetch { array, mode: Mode::I, .. } | Op::Bound { array, .. } = &bind.op {
            allowed += usize::from(*array == Atom::Var(p));
        }
    });
    uses == allowed + as_result(body, p)
}

/// How often it is a result of the function, in the arms of conditionals at its end.
fn as_result(block: &Block, p: Var) -> usize {
    let last = block.binds.iter().find(|bind| {
        !bind.dst.is_empty() && bind.dst.iter().map(|v| Atom::Var(*v)).eq(block.results.iter().copied())
    });
    match last.map(|bind| &bind.op) {
        Some(Op::If { then, other, .. }) => as_result(then, p) + as_result(other, p),
        _ => block.results.iter().filter(|a| **a == Atom::Var(p)).count(),
    }
}

/// The C variable of the array of the turn before, if it was made here.
fn own(param: Var) -> Name {
    Name::Nth("own", param)
}

/// The C variable of the storage that may be used again.
fn spare(param: Var) -> Name {
    Name::Nth("spare", param)
}

impl Direct<'_> {
    /// Variables for the arrays of the turn before, and of the one before that.
    pub(super) fn reuse_variables(&mut self) {
        for p in self.reuse.clone().values() {
            self.add(Stmt::declare("tam_word", own(*p), 0));
            self.add(Stmt::declare("tam_word", spare(*p), 0));
        }
    }

    /// What makes an array, or takes what is spare.
    pub(super) fn array_again(&self, v: Var, dims: usize, count: i64, made: Expr) -> Expr {
        match self.reuse.get(&v) {
            Some(p) => {
                let again = call!("tam_small_again", spare(*p), dims, count);
                Expr::from(spare(*p)).choose(again, made)
            }
            None => made,
        }
    }

    /// At a turn's end: what was read in it is spare, if it was made here.
    pub(super) fn reuse_turn(&mut self) {
        for (v, p) in self.reuse.clone() {
            let made = if self.fresh.contains_key(&v) { variable(v) } else { 0.into() };
            self.add(Stmt::set(spare(p), own(p)));
            self.add(Stmt::set(own(p), made));
        }
    }
}
