//! Affinities that are numbers: whether an iteration's row has the number that the program computes.
//!
//! Rows are counted in 64 bits with a sign. What the program computes is another number where its type has no
//! sign and it comes out below zero, or comes round; and beside variables of 64 bits that come near to the
//! ends of these there are rows without a number. Where neither the types nor a small first value exclude
//! that, it is tested when the loop is entered.

use super::Plan;
use crate::facts::body::Body;
use crate::ir::reason::Reason;
use crate::ir::tree::{Term, Tree};
use c_sema::Typed;
use c_sema::types::{IntKind, Ty};
use c_syntax::ast::*;

/// No loop comes so far, one by one, from a small number.
const FAR: i64 = 1 << 62;
/// What a first value and an offset are below that are small.
const SMALL: i64 = 1 << 30;

/// Which numbers rows may have, where that is to be tested: from the first to in front of the second.
type Numbers = Option<[i64; 2]>;

/// Those for the loop of a plan, if its affinity is a number.
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
    // Both are evaluated once more.
    if !body.invariant(plan.head.first.value) {
        return Err(Reason::FirstValueChanges);
    }
    if plan.offset.unsigned_abs() >= SMALL.unsigned_abs() {
        return Err(Reason::AffinityNotByIndex);
    }
    Ok(Some(numbers))
}

/// The same for an affinity of this type and a variable of that.
fn to_test(typed: &Typed, ty: IntKind, var: IntKind, plan: &Plan) -> Numbers {
    let small = |e: ExprId| typed.constant(e).is_some_and(|c| (0..i128::from(SMALL)).contains(&c));
    let (from_small, to_small) = (small(plan.head.first.value), small(plan.head.bound));
    let (wide, signed) = (var.size() == 8, !var.is_unsigned(true));
    // Of less than an int it is one, with a sign.
    if !ty.is_unsigned(true) || ty.size() < 4 {
        let near = from_small && (!plan.down || to_small);
        return (wide && !near).then_some([-FAR, FAR]);
    }
    let itself = plan.offset == 0 && !signed && !wide;
    // A variable without a sign goes as far as its type does, and what is added to it farther.
    let comes_round = !signed && !wide && var.size() == ty.size();
    let above = from_small && !plan.down && (0..SMALL).contains(&plan.offset) && !comes_round;
    (!itself && !above).then_some([0, if ty.size() == 8 { FAR } else { 1 << 32 }])
}

/// Whether all rows of the loop have such numbers.
pub(super) fn test(tree: &mut Tree, plan: &Plan) -> Option<Term> {
    let [least, end] = plan.numbers?.map(|number| number - plan.offset);
    let (low, past) = plan.limits(tree, 0);
    // The loop evaluates them too.
    let mut holds = |limit: &Term, op, number| Term::bin(op, tree.copy_term(limit), Term::Num(number));
    Some(holds(&low, ">=", least).and(holds(&past, ">=", least)).and(holds(&past, "<=", end)))
}
