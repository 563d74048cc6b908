//! Writes, updates and prefetches at places in no order: `table[index[i]] = x`.
//!
//! Some of these places are on this host and others are not, and a processor cannot predict which comes next.
//! A branch on the locality costs more than the rest of such an access: half of the time of a scatter over
//! two hosts. So the code has no branch and always does both of these
//! (`runtime/include/meridian/abi/rows.h`):
//!
//! - It writes the words of the message after those that wait for the owner, and counts them if the object is
//!   remote.
//! - It does the local access to the object if this is local, else to a dummy variable.
//!
//! If the places are in some order, the branch is better: it is predicted, and local accesses then cost
//! nothing more.
//!
//! *Why it is allowed.* No access changes its time or its order: messages are sent, and values stored, where
//! the program has the access. The additional writes go to memory that this thread alone sees. Volatile,
//! strict and atomic objects are left alone all the same, since their writes must not be doubled.
//!
//! *Which places.* A subscript inside of a loop whose operands include a value read from memory, the result
//! of a call, or a variable that each iteration sets and no loop counts. Of the prefetched reads
//! ([`crate::remote::prefetch`]), those whose addresses depend on another read.
//!
//! *Result.* The object, or the read, is in [`Tree::scattered`]. This has no effect in the version for one
//! host and in loops that seldom run. Two writes to one thread are done together ([`together`]), by one
//! branch.

mod together;

use crate::facts::body::Body;
use crate::facts::places::is_bit_field;
use crate::facts::strictness::is_relaxed;
use crate::ir::pass_id::PassId;
use crate::ir::remarks::remark_objects;
use crate::ir::tree::{Access, Hosts, Tree};
use crate::ir::walk::{each_loop, each_statement};
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::Language;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::HashSet;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("scatter");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if !matches!(tree.typed.types.language, Language::Upc) {
        return;
    }
    let mut found = HashSet::new();
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::One || context.seldom {
            return false;
        }
        let objects = objects(tree, s);
        together::mark(tree, s, &objects);
        found.extend(objects);
        true
    });
    remark_objects(tree, ID, "objects in no order", &found);
    found.into_iter().for_each(|e| tree.scatter(e));
}

/// Returns the objects that a loop writes or updates in no order.
fn objects(tree: &Tree, s: StmtId) -> HashSet<ExprId> {
    let body = Body::new(tree, s);
    let counters = counters(tree, s);
    let mut found = HashSet::new();
    each_statement(tree, s, &mut |s| {
        each_expr(&tree.unit, Any::Stmt(s), |e| {
            let (ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target)) =
                tree.unit.exprs[e].kind
            else {
                return true;
            };
            let (target, plain) =
                (tree.unit.bare(target), matches!(tree.unit.exprs[e].kind, ExprKind::Assign(None, ..)));
            let taken = match tree.access(target) {
                None => plain,
                Some(Access::Accumulated) => !plain,
                Some(_) => false,
            };
            if taken && is_word(tree, target) && body.in_no_order(&counters, target) {
                found.insert(target);
            }
            true
        });
    });
    found
}

/// The variables that count loops in a statement.
fn counters(tree: &Tree, s: StmtId) -> HashSet<SymId> {
    let mut found = HashSet::new();
    each_statement(tree, s, &mut |s| {
        found.extend(tree.shape(s).and_then(|shape| shape.step).map(|step| step.var));
    });
    found
}

/// Returns whether an object is a relaxed number that fits into a word.
fn is_word(tree: &Tree, e: ExprId) -> bool {
    let (types, q) = (&tree.typed.types, tree.typed.ty(e));
    is_relaxed(&tree.unit, &tree.typed, e)
        && matches!(types.of(q), Ty::Int(_) | Ty::Enum(_) | Ty::Float(_))
        && matches!(types.size_of(q), Some(1 | 2 | 4 | 8))
        && !is_bit_field(tree, e)
}
