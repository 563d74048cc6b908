//! Finds the writes of a loop in stages that may be to objects read in advance, and the statements at which
//! they are noted.

use super::{Block, Cut, Cuts, Write, each_item};
use crate::facts::body::{Body, named_alone};
use crate::facts::dependences::Dependences;
use crate::facts::equality;
use crate::facts::extrema;
use crate::facts::places::is_bit_field;
use crate::facts::statements;
use crate::ir::reason::Reason;
use crate::ir::tree::Tree;
use crate::ir::walk::each_statement;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr, exists, has_effects};

/// The most writes that are noted: notes take time.
const MOST_WRITES: usize = 4;

/// Finds the cuts that are needed, the writes that may be to them, and the statements of these writes.
pub(super) fn note(
    tree: &Tree,
    body: &Body,
    dependences: &Dependences,
    cuts: &mut Cuts,
) -> Result<(), Reason> {
    // An object on this host is read by its iteration, unless something else depends on the value.
    let gated: Vec<usize> = cuts.gates.iter().flat_map(|gate| gate.cuts.iter().copied()).collect();
    for (number, cut) in cuts.all.iter_mut().enumerate() {
        cut.used = !cut.own || cut.leads || gated.contains(&number);
    }
    let inputs = all_inputs(&cuts.items);
    let early: Vec<ExprId> = cuts.all.iter().filter_map(|cut| cut.atomic).collect();
    // An atomic operation in advance meets no other access ([`super::find`]).
    let late = |write: &(usize, &ExprId)| !early.contains(write.1);
    for (number, &place) in dependences.writes.iter().enumerate().filter(late) {
        let meets = |cut: &Cut| {
            let read = cut.used && cut.atomic.is_none() && !cut.tests.contains(&number);
            read && dependences.may_be(cut.e, place)
        };
        let meets: Vec<usize> = (0..cuts.all.len()).filter(|&cut| meets(&cuts.all[cut])).collect();
        let input = inputs.iter().any(|&e| dependences.may_be(e, place));
        if meets.is_empty() && !input {
            continue;
        }
        let stmt = statement(tree, body, place).ok_or(Reason::WritesAndMoves)?;
        if is_bit_field(tree, place) {
            return Err(Reason::WritesAndMoves);
        }
        held(body, cuts, place)?;
        meets.into_iter().for_each(|cut| cuts.all[cut].written = true);
        let value = value(body, stmt);
        let once = value.is_some_and(|value| !of_variables(body, value));
        cuts.writes.push(Write { stmt, place, value, once, input });
    }
    if cuts.writes.len() > MOST_WRITES {
        return Err(Reason::WritesInManyPlaces);
    }
    // Inner cuts come first: an address may change if a value on which it depends has been written.
    for cut in 0..cuts.all.len() {
        let mut written = cuts.all[cut].written;
        each_expr(body.unit, Any::Expr(cuts.all[cut].e), |e| {
            written |= cuts.cut_of(e).is_some_and(|inner| cuts.all[inner].written);
            true
        });
        cuts.all[cut].written = written;
    }
    let late = |cut: &Cut| cut.written && cut.fixed;
    if cuts.all.iter().any(late) { Err(Reason::WritesAndMoves) } else { Ok(()) }
}

fn all_inputs(items: &Block) -> Vec<ExprId> {
    let mut inputs = Vec::new();
    each_item(items, &mut |item| {
        inputs.extend(item.part().into_iter().flat_map(|part| &part.inputs));
    });
    inputs
}

/// Returns the statement that is an assignment to this object, and nothing else. Statements inside of one
/// that another pass has made versions of are left out: in the other versions the write would not be noted.
fn statement(tree: &Tree, body: &Body, place: ExprId) -> Option<StmtId> {
    let unit = body.unit;
    let mut found = None;
    each_statement(tree, body.stmt, &mut |s| {
        let object = match (extrema::of_stmt(unit, body.typed, s), &unit.stmts[s].kind) {
            (Some(of), _) => Some(of.object),
            (None, &StmtKind::Expr(Some(e))) => match unit.exprs[unit.bare(e)].kind {
                ExprKind::Assign(_, target, _) | ExprKind::Pre(_, target) | ExprKind::Post(_, target) => {
                    Some(unit.bare(target))
                }
                _ => None,
            },
            _ => None,
        };
        if object == Some(place) && tree.nodes(s).is_none() {
            found = found.or(Some(s));
        }
    });
    found.filter(|&s| !is_in_rewritten(tree, body.stmt, s))
}

/// Whether a statement stands in another one of `within` that a pass has rewritten.
fn is_in_rewritten(tree: &Tree, within: StmtId, s: StmtId) -> bool {
    let mut found = false;
    each_statement(tree, within, &mut |around| {
        if around != s && tree.nodes(around).is_some() {
            each_statement(tree, around, &mut |inner| found |= inner == s);
        }
    });
    found
}

/// Holds the shared reads on which the address of a write depends. Fails if the address may be another one
/// before the statement.
fn held(body: &Body, cuts: &mut Cuts, place: ExprId) -> Result<(), Reason> {
    let (unit, typed) = (body.unit, body.typed);
    let mut sound = true;
    let mut of_place = Vec::new();
    each_expr(unit, Any::Expr(place), |e| {
        let q = typed.ty(e);
        match unit.exprs[e].kind {
            // `queue[n++] = v`
            ExprKind::Post(_, of) => sound &= body.name(of).is_some_and(|sym| body.automatic(sym)),
            ExprKind::Pre(..) | ExprKind::Assign(..) | ExprKind::Call(..) | ExprKind::Split(..) => {
                sound = false
            }
            ExprKind::Index(..)
            | ExprKind::Unary(UnOp::Deref, _)
            | ExprKind::Member { .. }
            | ExprKind::Ident(_)
                if e != place && typed.types.is_shared(q) && typed.types.is_scalar(q) =>
            {
                match cuts.cut_of(e) {
                    Some(cut) => of_place.push(cut),
                    None => sound = false,
                }
            }
            _ => {}
        }
        true
    });
    for cut in of_place {
        cuts.all[cut].leads = true;
        cuts.all[cut].used = true;
        cuts.all[cut].fixed = true;
    }
    if sound { Ok(()) } else { Err(Reason::WritesAndMoves) }
}

/// Returns the written value, if the statement is an assignment of a number, and the value has no effects and
/// does not depend on the object's old value, which its owner may change.
fn value(body: &Body, stmt: StmtId) -> Option<ExprId> {
    let (unit, typed) = (body.unit, body.typed);
    let (target, value) = statements::assignment(unit, stmt)?;
    if extrema::of_stmt(unit, typed, stmt).is_some() {
        return None;
    }
    let number = |e| matches!(typed.types.of(typed.ty(e)), Ty::Int(_) | Ty::Enum(_) | Ty::Float(_));
    let small = |e| typed.types.size_of(typed.ty(e)).is_some_and(|size| size <= 8);
    let updates = exists(unit, Any::Expr(value), |e| equality::same(unit, typed, e, target));
    let known = number(target) && small(target) && number(value);
    (known && !has_effects(unit, value) && !updates).then_some(value)
}

/// Returns true if a value depends only on variables that nothing but their names reaches.
fn of_variables(body: &Body, e: ExprId) -> bool {
    if body.typed.constant(e).is_some() {
        return true;
    }
    match body.unit.exprs[e].kind {
        ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => true,
        ExprKind::Ident(_) => body.name(e).is_some_and(|sym| named_alone(body.typed, sym)),
        ExprKind::Paren(a) | ExprKind::Cast(_, a) => of_variables(body, a),
        ExprKind::Unary(op, a) => !matches!(op, UnOp::Addr | UnOp::Deref) && of_variables(body, a),
        ExprKind::Binary(op, a, b) => op != BinOp::Comma && of_variables(body, a) && of_variables(body, b),
        _ => false,
    }
}
