//! `while` loops that count become `for` loops, which the other optimisations know.
//!
//! `while (i < n) { s += a[i]; i++; }` is `for (; i < n; i++) s += a[i];` if nothing before the step
//! continues the loop, since then the step runs between two iterations. The step may not name a variable that
//! the body declares. A step by a constant in the middle of the body is moved to the body's end if the rest
//! of the body neither names the variable nor leaves the loop. The step in `v = queue[i++]` is moved as well,
//! if the body names the variable nowhere else and every iteration does the step. Only loops with accesses to
//! shared memory are rewritten.

use crate::facts::body::{Body, named_alone};
use crate::facts::certain::{self, continues};
use crate::facts::shapes::{Step, mentions, step_of};
use crate::ir::pass_id::PassId;
use crate::ir::tree::{Access, Node, Term, Tree};
use crate::ir::walk::each_loop;
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr, exists};

/// The name of the pass.
pub(crate) const ID: PassId = PassId("while");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, _| {
        if let Some((made, name)) = counting(tree, s) {
            tree.remark(ID, s, Ok(format!("by {name}")));
            tree.replace(s, vec![Node::Stmt(made)]);
        }
        true
    });
}

/// Where the body of a `while` loop steps its variable.
#[derive(Clone, Copy)]
enum Stepped {
    /// The statement of this number in its block, which is this expression.
    Statement(usize, ExprId),
    /// This expression `i++`, which is a part of a statement.
    Within(ExprId),
}

/// Makes the `for` loop that a `while` loop is. Returns the loop and the name of its variable.
fn counting(tree: &mut Tree, s: StmtId) -> Option<(StmtId, String)> {
    let StmtKind::While(cond, body) = tree.unit.stmts[s].kind else { return None };
    let StmtKind::Compound(items) = &tree.unit.stmts[body].kind else { return None };
    let mut items = items.clone();
    let types = &tree.typed.types;
    if !tree.is_free(s) || !exists(&tree.unit, Any::Stmt(body), |e| types.is_shared(tree.typed.ty(e))) {
        return None;
    }
    let stepped = in_statement(tree, cond, body, &items).or_else(|| within(tree, cond, body))?;
    let step = match stepped {
        Stepped::Statement(n, step) => {
            items[n] = tree.beside(items[n], StmtKind::Expr(None));
            tree.replace(items[n], Vec::new());
            step
        }
        Stepped::Within(e) => tree.copy_expr(e),
    };
    let rest = tree.beside(body, StmtKind::Compound(items));
    let kind = StmtKind::For { init: ForInit::None, cond: Some(cond), step: Some(step), body: rest };
    let made = tree.beside(s, kind);
    let shape = tree.shape(made)?;
    let var = shape.step.filter(|step| shape.condition.is_some_and(|(var, _)| var == step.var))?.var;
    if let Stepped::Within(e) = stepped
        && let ExprKind::Post(_, target) = tree.unit.exprs[e].kind
    {
        tree.reform(e, ExprKind::Paren(target));
        tree.mark(e, Access::Number(Term::Sym(var)));
    }
    Some((made, tree.typed.sym(var).name.to_string()))
}

/// A statement of the body that steps the variable of the condition, and may be done at the body's end.
fn in_statement(tree: &Tree, cond: ExprId, body: StmtId, items: &[StmtId]) -> Option<Stepped> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let (n, e, Step { var, by, .. }) = (0..items.len()).rev().find_map(|n| {
        let StmtKind::Expr(Some(e)) = unit.stmts[items[n]].kind else { return None };
        let step = step_of(tree, e).filter(|step| mentions(unit, typed, cond, step.var))?;
        Some((n, e, step))
    })?;
    let effects = tree.effects(body);
    let last = n + 1 == items.len();
    let moves = last || (by.is_constant(typed) && named_alone(typed, var) && !effects.rigid);
    let named_behind = items[n + 1..].iter().any(|&item| is_named(tree, item, var, None));
    let continued = items[..n].iter().any(|&item| continues(unit, item));
    let means_the_same = effects.named_in_front(unit, typed, e, &[]);
    (items.len() > 1 && moves && !named_behind && !continued && means_the_same)
        .then_some(Stepped::Statement(n, e))
}

/// `i++` as a part of a statement, if the body names `i` nowhere else.
fn within(tree: &Tree, cond: ExprId, body: StmtId) -> Option<Stepped> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    if tree.effects(body).rigid {
        return None;
    }
    let certain = certain::of_body(unit, body);
    let mut found = None;
    each_expr(unit, Any::Stmt(body), |e| {
        if let ExprKind::Post(_, target) = unit.exprs[e].kind
            && let Some(sym) = crate::facts::affine::name(unit, typed, target)
            && named_alone(typed, sym)
            && mentions(unit, typed, cond, sym)
            && certain.evaluated.contains(&e)
            && !is_named(tree, body, sym, Some(e))
        {
            found = found.or(Some(Stepped::Within(e)));
        }
        true
    });
    found
}

/// Whether a statement names a variable anywhere except in this expression.
fn is_named(tree: &Tree, s: StmtId, sym: SymId, but: Option<ExprId>) -> bool {
    Body::new(tree, s).names_otherwise(sym, &but.into_iter().collect())
}
