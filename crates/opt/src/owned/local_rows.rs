//! Loops over rows that lie on this host, in jobs on several.
//!
//! `for (j = 1; j < n - 1; j++) c[i][j] = a[i - 1][j] + a[i + 1][j];` tests for each element whether it is
//! remote, and the C compiler does not vectorise such tests. But the elements of a row lie on one thread. So
//! the loop tests the rows once: if all are on this host, it runs as in a job on one host.
//!
//! *Why it is allowed.* As in [`crate::remote::versioning`]: the two loops do the same, and one of them runs.
//! The subscripts that name the rows are invariant in the loop, and a subscript inside of a row stays in it
//! (C 6.5.6). The loop need not come to a row that is tested: the row's number is computed without faults
//! ([`crate::facts::early`]).
//!
//! *Limits.* Short loops of UPC, without inner loops, or with one loop as their body and so on. All of their
//! accesses are to rows, or by indefinite pointers that the loop leaves alone, or known to be local.
//!
//! *Result.* [`Node::If`] on [`Term::Remote`] of the rows, the first version under [`Hosts::One`].

use crate::facts::asking::asking;
use crate::facts::body::Body;
use crate::facts::early::cannot_fault;
use crate::facts::equality::is_written_alike;
use crate::facts::ownership::row_of;
use crate::facts::rows::INDEFINITE;
use crate::facts::statements::sole_loop;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Hosts, Node, Term, Tree};
use crate::ir::walk::each_loop;
use c_syntax::Language;
use c_syntax::ast::*;

/// A loop longer than this (bytes of text) is not duplicated.
const LONGEST_LOOP: u32 = 600;
/// Maximum number of rows to test.
const MOST_ROWS: usize = 8;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("local-rows");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if !matches!(tree.typed.types.language, Language::Upc) {
        return;
    }
    each_loop(tree, &mut |tree, s, context| {
        if context.seldom {
            return false;
        }
        if context.hosts == Hosts::Many && tree.nodes(s).is_none() && tree.is_free(s) {
            match plan(tree, s) {
                Ok(rows) => {
                    rewrite(tree, s, &rows);
                    return false;
                }
                Err(why) => tree.remark(ID, s, Err(why)),
            }
        }
        context.hosts != Hosts::One
    });
}

/// Returns the rows that the loop reads and writes: arrays, or pointers to indefinite elements.
fn plan(tree: &Tree, s: StmtId) -> Result<Vec<ExprId>, Reason> {
    let span = tree.unit.stmts[s].at;
    let body = Body::new(tree, s);
    let nest = body.effects.loops;
    if matches!(tree.unit.stmts[s].kind, StmtKind::Forall { .. }) || (nest && !is_nest(tree, s)) {
        return Err(Reason::OtherKind);
    }
    if span.hi - span.lo > LONGEST_LOOP {
        return Err(Reason::Long);
    }
    if body.effects.single || body.effects.opaque || body.effects.synchronises {
        return Err(Reason::SynchronisesOrSingle);
    }
    let (objects, calls) = asking(tree, s);
    if calls || objects.is_empty() {
        return Err(Reason::OtherKind);
    }
    let mut rows: Vec<ExprId> = Vec::new();
    for e in objects {
        let elsewhere = if nest { Reason::OtherKind } else { Reason::NotInRows };
        let row = row(&body, e).ok_or(elsewhere)?;
        if !rows.iter().any(|&known| is_written_alike(tree, known, row)) {
            rows.push(row);
        }
    }
    if rows.len() > MOST_ROWS { Err(Reason::ManyRows) } else { Ok(rows) }
}

/// Returns whether a loop is a perfect nest of loops, none of them rewritten.
fn is_nest(tree: &Tree, s: StmtId) -> bool {
    let StmtKind::For { body, .. } = tree.unit.stmts[s].kind else { return false };
    tree.nodes(s).is_none()
        && match sole_loop(&tree.unit, body) {
            Some(inner) => is_nest(tree, inner),
            None => !tree.effects(s).loops,
        }
}

/// Returns the row that contains the object `e`, which may be a part of an element, if the row is the same in
/// all iterations. The loop need not come to the row.
fn row(body: &Body, e: ExprId) -> Option<ExprId> {
    let (of, row) = row_of(body, e)?;
    let named = || !of.root.pointer && body.invariant(of.row) && cannot_fault(body.unit, body.typed, of.row);
    (of.block == INDEFINITE || named()).then_some(row)
}

fn rewrite(tree: &mut Tree, s: StmtId, rows: &[ExprId]) {
    let local = |tree: &mut Tree, row: ExprId| Term::Not(Box::new(Term::Remote(tree.copy_expr(row))));
    let tests: Vec<Term> = rows.iter().map(|&row| local(tree, row)).collect();
    let Some(test) = tests.into_iter().reduce(Term::and) else { return };
    let (one, many) = (tree.copy(s).stmt, tree.shallow(s));
    tree.remark(ID, s, Ok(format!("by the places of {} rows", rows.len())));
    let then = vec![Node::Known(Hosts::One, vec![Node::Stmt(one)])];
    tree.replace(s, vec![Node::If { test, then, otherwise: vec![Node::Stmt(many)] }]);
}
