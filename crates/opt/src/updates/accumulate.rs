//! Updates by the owner: `a[b[i]] += x` sends x to the thread that has the element, which adds it.
//!
//! *Benefit.* As written, an update of a remote object is a read, for whose reply the thread waits, and a
//! write. Done by the owner, the update is one message without a reply, and the messages of many updates
//! travel together (`runtime/transport`). So a histogram or a scatter over remote arrays needs no buffers of
//! the program's. The optimisation helps outside of loops as well.
//!
//! *Conditions.* The update is a statement, so that its value is not used. Its object is relaxed, not
//! volatile, of an integer type or `float` or `double`, and no bit-field. The operator is one for which the
//! owner computes the same value as the thread: `+ - & | ^`, `++`, `--`; integers are taken modulo their
//! size, and a floating operand has no greater rank than the object. The operand is evaluated where the
//! program has it.
//!
//! *Why it is allowed.* An update is a relaxed read R, then a relaxed write W of one object by thread T (C17
//! 6.5.16.2, UPC B.3). The owner does both when the message arrives:
//! - T's earlier writes to the object have been sent earlier to the same owner, and messages between two
//!   threads stay in order, so R sees the last of them or a later value. T's later reads and writes of the
//!   object are sent later. So T's own accesses to the object stay in the order of the program. The model
//!   requires no more of relaxed accesses to the same object.
//! - Relaxed accesses of T to other objects may be passed by W, as any relaxed write of the runtime's may
//!   (`runtime/rma/write.c`), and by R: no access of T depends on R, since W alone uses its value.
//! - A strict access, a fence, `upc_notify`, a lock and the end of the program wait until the owner has done
//!   the update, as for every write.
//! - Other threads see R and W as they would if T had been slower. The owner does nothing else between them
//!   for other threads of other hosts, so this removes some interleavings and adds none.
//!
//! R may read a value that was written after T went on: a relaxed read may return any value that no
//! happened-before write hides, and no access of T can tell the difference.
//!
//! *Result.* The object is [`Access::Accumulated`].

use crate::facts::places::{is_bit_field, is_part_of_own};
use crate::facts::statements::used_values;
use crate::facts::strictness::is_relaxed;
use crate::ir::pass_id::PassId;
use crate::ir::remarks::remark_objects;
use crate::ir::tree::{Access, Tree};
use c_sema::types::{FloatKind, IntKind, QTy, Ty};
use c_syntax::ast::*;
use std::collections::HashSet;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("accumulate");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if tree.typed.types.language.everything() {
        return; // in these dialects, the thread waits until its update is done
    }
    let mut targets = targets(tree);
    targets.retain(|&(target, operand)| {
        let free = tree.access(target).is_none() && !tree.is_left(tree.unit.exprs[target].at);
        free && !is_part_of_own(tree, target) && qualifies(tree, target, operand)
    });
    let targets: HashSet<ExprId> = targets.into_iter().map(|(target, _)| target).collect();
    remark_objects(tree, ID, "updates by the owner", &targets);
    for target in targets {
        tree.mark(target, Access::Accumulated);
    }
}

/// Returns the objects that statements update, without parentheses around them, each with its operand, which
/// is none if the update is by 1.
fn targets(tree: &Tree) -> Vec<(ExprId, Option<ExprId>)> {
    let unit = &tree.unit;
    let values = used_values(unit);
    let mut found = Vec::new();
    for s in unit.stmts.ids().filter(|s| !values.contains(s)) {
        let StmtKind::Expr(Some(e)) = unit.stmts[s].kind else { continue };
        use BinOp::*;
        match unit.exprs[unit.bare(e)].kind {
            ExprKind::Assign(Some(Add | Sub | BitAnd | BitOr | BitXor), target, operand) => {
                found.push((unit.bare(target), Some(operand)));
            }
            ExprKind::Post(_, target) | ExprKind::Pre(_, target) => {
                found.push((unit.bare(target), None));
            }
            _ => {}
        }
    }
    found
}

fn qualifies(tree: &Tree, target: ExprId, operand: Option<ExprId>) -> bool {
    is_relaxed(&tree.unit, &tree.typed, target)
        && !is_bit_field(tree, target)
        && computes_alike(tree, tree.typed.ty(target), operand.map(|e| tree.typed.ty(e)))
}

/// Returns whether the owner, which gets the operand in the object's type, computes the result that C
/// prescribes.
fn computes_alike(tree: &Tree, object: QTy, operand: Option<QTy>) -> bool {
    let types = &tree.typed.types;
    let integer = |q: QTy| matches!(types.of(q), Ty::Int(_) | Ty::Enum(_)) && types.size_of(q) <= Some(8);
    match *types.of(object) {
        Ty::Int(IntKind::Bool) => false,
        Ty::Int(_) => integer(object) && operand.is_none_or(integer),
        Ty::Float(FloatKind::Double) => operand.is_none_or(|q| {
            integer(q) || matches!(types.of(q), Ty::Float(FloatKind::Float | FloatKind::Double))
        }),
        Ty::Float(FloatKind::Float) => {
            operand.is_none_or(|q| integer(q) || matches!(types.of(q), Ty::Float(FloatKind::Float)))
        }
        _ => false,
    }
}
