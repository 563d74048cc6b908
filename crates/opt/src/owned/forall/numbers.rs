//! Affinities that are numbers: whether an iteration's row has the number that the program computes.
//!
//! Rows are counted in signed 64-bit integers. The program computes another number if its type is unsigned
//! and the number would be below zero or wraps around. Near the limits of 64-bit variables, there are rows
//! without a number. If neither the types nor a small first value exclude these cases, the loop tests for
//! them on entry.

use super::Plan;
use crate::facts::body::Body;
use crate::ir::reason::Reason;
use crate::ir::tree::{Term, Tree};
use c_sema::Typed;
use c_sema::types::{IntKind, Ty};
use c_syntax::ast::*;

/// A number that no loop reaches from a small number in steps of one.
const FAR: i64 = 1 << 62;
/// First values and offsets below this are small.
const SMALL: i64 = 1 << 30;

/// The range of row numbers, if it must be tested: the first number, and the one after the last.
type Numbers = Option<[i64; 2]>;

/// Returns the range to test for the loop of a plan, if its affinity is a number.
pub(super) fn of_affinity(body: &Body, affinity: ExprId, plan: &Plan) -> Result<Numbers, Reason> {
    let typed = body.typed;
    let kind = |q| match typed.types.of(q) {
        Ty::Int(kind) => Some(*kind),
        _ => None,
    };
    let var = kind(typed.sym(plan.head.first.var).ty);
    let Some((ty, var)) = kind(typed.ty(affinity)).zip(var) else { return Ok(None) };
    if ty.size().max(var.size()) > 8 {
        return Err(Reason::AffinityNotByIndex);
    }
    let Some(numbers) = to_test(typed, ty, var, plan) else { return Ok(None) };
    // The test evaluates the first value and the bound once more.
    if !body.invariant(plan.head.first.value) {
        return Err(Reason::FirstValueChanges);
    }
    if plan.offset.unsigned_abs() >= SMALL.unsigned_abs() {
        return Err(Reason::AffinityNotByIndex);
    }
    Ok(Some(numbers))
}

/// Returns the range to test for an affinity of type `ty` and a variable of type `var`.
fn to_test(typed: &Typed, ty: IntKind, var: IntKind, plan: &Plan) -> Numbers {
    let small = |e: ExprId| typed.constant(e).is_some_and(|c| (0..i128::from(SMALL)).contains(&c));
    let (from_small, to_small) = (small(plan.head.first.value), small(plan.head.bound));
    let (wide, signed) = (var.size() == 8, !var.is_unsigned(true));
    // An affinity narrower than an int is promoted to int, which is signed.
    if !ty.is_unsigned(true) || ty.size() < 4 {
        let near = from_small && (!plan.down || to_small);
        return (wide && !near).then_some([-FAR, FAR]);
    }
    let itself = plan.offset == 0 && !signed && !wide;
    // An unsigned variable may reach the limit of its type, and a sum with it may wrap around.
    let comes_round = !signed && !wide && var.size() == ty.size();
    let above = from_small && !plan.down && (0..SMALL).contains(&plan.offset) && !comes_round;
    (!itself && !above).then_some([0, if ty.size() == 8 { FAR } else { 1 << 32 }])
}

/// Makes the test that all rows of the loop have numbers in the plan's range.
pub(super) fn test(tree: &mut Tree, plan: &Plan) -> Option<Term> {
    let [least, end] = plan.numbers?.map(|number| number - plan.offset);
    let (low, past) = plan.limits(tree, 0);
    // Copies, since the loop evaluates the limits too.
    let mut holds = |limit: &Term, op, number| Term::bin(op, tree.copy_term(limit), Term::Num(number));
    Some(holds(&low, ">=", least).and(holds(&past, ">=", least)).and(holds(&past, "<=", end)))
}
