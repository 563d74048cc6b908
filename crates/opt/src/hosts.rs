//! Loops that are written twice: for jobs on one host, whose accesses are plain loads and stores, and for jobs in
//! which memory may lie on other hosts, whose accesses ask first.
//!
//! Whether some memory lies elsewhere is constant in a job. gcc and clang take the question out of loops only at -O3,
//! and even there what is left is often not the loop that it would have been; so it is asked in front of a loop.
//!
//! *Why it is allowed.* The two loops do the same where both may run; one of them runs. Nothing in them is of a kind
//! that there is one of: labels, objects of static storage duration, cases of a switch around the loop.
//!
//! *Limits.* A loop whose body is empty waits, and may as well ask; a long one is left to the loops in it.

use crate::effects::of_body;
use c_sema::Typed;
use c_syntax::ast::*;
use std::collections::HashSet;

/// A loop longer than this (bytes of text) is not written twice.
const LONGEST_LOOP: u32 = 4000;

/// The loops that can be written twice.
pub fn repeatable(unit: &Unit, typed: &Typed) -> HashSet<StmtId> {
    unit.stmts.ids().filter(|id| is_repeatable(unit, typed, *id)).collect()
}

fn is_repeatable(unit: &Unit, typed: &Typed, id: StmtId) -> bool {
    let body = match unit.stmts[id].kind {
        // `do … while (0)`, as macros have it, is no loop.
        StmtKind::Do(_, cond) if typed.constant(cond) == Some(0) => return false,
        StmtKind::While(_, body)
        | StmtKind::Do(body, _)
        | StmtKind::For { body, .. }
        | StmtKind::Forall { body, .. } => body,
        _ => return false,
    };
    let span = unit.stmts[id].span;
    !unit.is_empty(body) && span.hi - span.lo <= LONGEST_LOOP && !of_body(unit, typed, id).single
}
