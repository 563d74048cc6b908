//! Other variables that a `upc_forall` steps: `upc_forall (i = 0; i < n; i++, p++, q++; i)`.
//!
//! Every thread steps them in every iteration, its own or not. So the value of such a variable is its first
//! value plus one step for each previous iteration. A thread that goes straight to its own iterations knows
//! their number, and computes the value in each of them and after the loop.
//!
//! *Why it is allowed.* These variables are automatic objects whose addresses are not taken and that step by
//! constants: integers other than `_Bool`, and pointers to objects of known size. The body does not change
//! them, and the bound does not name them.

use super::{OwnRows, Plan};
use crate::facts::body::Body;
use crate::facts::places::{is_sized_element, stepped};
use crate::facts::shapes::{Step, Stride, mentions, step_of};
use crate::ir::tree::{Node, Slot, Term, Tree, Var, VarType};
use c_sema::typed::SymId;
use c_sema::types::{Block, IntKind, Ty};
use c_syntax::ast::*;

/// A variable that steps with the loop's.
pub(super) struct Beside {
    pub(super) var: SymId,
    /// The step.
    by: i64,
}

/// The steps of a third clause.
pub(super) struct Steps {
    /// The step of the loop's variable.
    pub(super) by: i64,
    pub(super) beside: Vec<Beside>,
}

/// Returns the steps of a third clause; none if the clause does more than step variables by constants.
pub(super) fn steps(tree: &Tree, third: ExprId, var: SymId) -> Option<Steps> {
    let (mut own, mut beside) = (None, Vec::new());
    let mut rest = vec![third];
    while let Some(e) = rest.pop() {
        if let ExprKind::Binary(BinOp::Comma, a, b) = tree.unit.exprs[tree.unit.bare(e)].kind {
            rest.extend([a, b]);
            continue;
        }
        let step = step_of(tree, e)?;
        let by = constant(tree, e, step)?;
        match step.var == var {
            true if own.is_none() => own = Some(by),
            false if beside.iter().all(|other: &Beside| other.var != step.var) => {
                beside.push(Beside { var: step.var, by });
            }
            _ => return None,
        }
    }
    Some(Steps { by: own?, beside })
}

/// Returns by how much a step changes its variable, if that is constant.
fn constant(tree: &Tree, e: ExprId, step: Step) -> Option<i64> {
    let by = match step.by {
        Stride::Up => return Some(1),
        Stride::Down => return Some(-1),
        Stride::By(by) => i64::from(i32::try_from(tree.typed.constant(by)?).ok()?),
    };
    match tree.unit.exprs[tree.unit.bare(e)].kind {
        ExprKind::Assign(Some(op), ..) => Some(if op == BinOp::Sub { -by } else { by }),
        _ => None,
    }
}

/// Returns whether such a variable can be computed in each iteration, if the loop ends at `bound`.
pub(super) fn follows(body: &Body, beside: &Beside, bound: ExprId) -> bool {
    let (typed, var) = (body.typed, beside.var);
    let known = match *typed.types.of(typed.sym(var).ty) {
        // A `_Bool` has only two values: `flag--` inverts it each time.
        Ty::Int(kind) => kind != IntKind::Bool,
        Ty::Pointer(to) => {
            let shared = typed.types.object_quals(to).shared;
            is_sized_element(&typed.types, to) && !matches!(shared, Some(Block::Star | Block::Spread))
        }
        _ => false,
    };
    known && body.leaves(var) && !mentions(body.unit, typed, bound, var)
}

/// Saves the first values in variables, and returns these with their declarations.
pub(super) fn first_values(tree: &mut Tree, plan: &Plan) -> (Vec<Var>, Vec<Node>) {
    let keep = |beside: &Beside| {
        let (var, ty) = (tree.var("start"), VarType::Value(tree.typed.sym(beside.var).ty));
        (var, Node::Declare { var, ty, value: Some(Term::Sym(beside.var)) })
    };
    plan.beside.iter().map(keep).unzip()
}

/// Gives the variables the values that they have after `gone` iterations of all threads.
pub(super) fn values(tree: &Tree, rows: &OwnRows, gone: Term) -> Vec<Node> {
    let value = |(beside, &start): (&Beside, &Var)| {
        let (types, ty) = (&tree.typed.types, tree.typed.sym(beside.var).ty);
        let by = Term::bin("*", gone.clone(), Term::Num(beside.by));
        let value = match *types.of(ty) {
            Ty::Pointer(to) => stepped(types, to, start.into(), by),
            _ => Term::As(ty, Box::new(Term::bin("+", start.into(), by))),
        };
        Node::Assign(Slot::Sym(beside.var), value)
    };
    rows.plan.beside.iter().zip(&rows.beside).map(value).collect()
}
