//! `while` loops that count become `for` loops, which the other optimisations know.
//!
//! `while (i < n) { s += a[i]; i++; }` is `for (; i < n; i++) s += a[i];` if nothing in the body continues
//! the loop, since then the last statement runs between two iterations as a step does. It may not name what
//! the body declares. Only loops with accesses to shared memory are rewritten.

use crate::certain::continues;
use crate::passes::each_loop;
use crate::tree::{Node, Tree};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, exists};

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, _| {
        if let Some((made, name)) = counting(tree, s) {
            tree.remark("while", s, Ok(format!("by {name}")));
            tree.replace(s, vec![Node::Stmt(made)]);
        }
        true
    });
}

/// The `for` loop that a `while` loop is, and the name of its variable.
fn counting(tree: &mut Tree, s: StmtId) -> Option<(StmtId, String)> {
    let StmtKind::While(cond, body) = tree.unit.stmts[s].kind else { return None };
    let StmtKind::Compound(items) = &tree.unit.stmts[body].kind else { return None };
    let (&last, front) = items.split_last()?;
    let StmtKind::Expr(Some(step)) = tree.unit.stmts[last].kind else { return None };
    if front.is_empty() || !tree.is_free(s) || continues(&tree.unit, body) {
        return None;
    }
    let types = &tree.typed.types;
    if !exists(&tree.unit, Any::Stmt(body), |e| types.is_shared(tree.typed.ty(e))) {
        return None;
    }
    let declared = &tree.effects(body).declared;
    if exists(&tree.unit, Any::Expr(step), |e| {
        tree.typed.symbol(e).is_some_and(|sym| declared.contains(&sym))
    }) {
        return None;
    }
    let front = front.to_vec();
    let (whole, inside, end) =
        (tree.unit.stmts[s].span, tree.unit.stmts[body].span, tree.unit.stmts[last].span);
    let nothing = tree.unit.stmts.add(Stmt { span: end, kind: StmtKind::Expr(None) });
    let items = [front, vec![nothing]].concat();
    let rest = tree.unit.stmts.add(Stmt { span: inside, kind: StmtKind::Compound(items) });
    let kind = StmtKind::For { init: ForInit::None, cond: Some(cond), step: Some(step), body: rest };
    let made = tree.unit.stmts.add(Stmt { span: whole, kind });
    let var = crate::shapes::of_loop(tree, made).filter(|shape| {
        shape.step.is_some_and(|step| shape.condition.is_some_and(|(var, _)| var == step.var))
    });
    let var = var.and_then(|shape| shape.step)?.var;
    tree.replace(nothing, Vec::new());
    Some((made, tree.typed.sym(var).name.to_string()))
}
