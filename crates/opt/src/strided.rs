//! Loops over a thread's own numbers: `for (i = MYTHREAD; …; i += THREADS) … a[i] …`.
//!
//! This is how UPC is written without `upc_forall`. In each iteration i mod THREADS is MYTHREAD, so an
//! element, or a row that is one block, of a static array that is subscripted by i itself is the thread's
//! own, and the next iteration's is the next in its part. So a local pointer and a counter serve for it; the
//! loop stays as it is.
//!
//! *Why it is allowed.* The variable begins at MYTHREAD, only the third clause changes it (automatic, its
//! address not taken, not assigned in the body or the condition), and the counter steps where it steps, after
//! `continue` too. The body has no labels, so that nothing enters it past the counter's beginning.
//!
//! *What it becomes.* The loop as it is, with [`Access::Element`]s, whose step takes the counter along
//! ([`Access::AndNext`]).

use crate::body::Body;
use crate::forall::own_rows;
use crate::passes::each_loop;
use crate::rows::{Accesses, Root, element};
use crate::shapes::First;
use crate::tree::{Access, Node, Term, Tree, Var, VarType};
use c_syntax::ast::*;
use c_syntax::visit::has_effects;

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, _| {
        if tree.is_free(s) && tree.nodes(s).is_none() {
            match plan(tree, s) {
                Ok(plan) => {
                    tree.remark("strided", s, Ok(plan.summary(tree)));
                    rewrite(tree, s, &plan);
                }
                Err(why) => tree.remark("strided", s, Err(why)),
            }
        }
        true
    });
}

/// A loop whose accesses to own elements go by local pointers.
struct Plan {
    /// Arrays that are gone through.
    roots: Vec<Root>,
    /// Local accesses.
    local: Accesses,
    step: ExprId,
}

impl Plan {
    fn summary(&self, tree: &Tree) -> String {
        let names: Vec<&str> = self.roots.iter().map(|root| &*tree.typed.sym(root.sym).name).collect();
        format!("own rows of [{}]", names.join(" "))
    }
}

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, &'static str> {
    let unit = &tree.unit;
    let StmtKind::For { cond, step: Some(step), body: stmt, .. } = unit.stmts[s].kind else { return Err("") };
    let shape = tree.shape(s).ok_or("")?;
    let First { var, value: lo, .. } = shape.first.ok_or("")?;
    if !matches!(unit.exprs[unit.bare(lo)].kind, ExprKind::MyThread) {
        return Err("");
    }
    if shape.step.is_none_or(|step| step.var != var || !step.threads) {
        return Err("its step is not THREADS");
    }
    let body = Body::new(tree, stmt);
    if !body.automatic(var) {
        return Err("its variable is not automatic, or its address is taken");
    }
    if body.effects.opaque {
        return Err("its body may be entered from outside, or is not followed");
    }
    if !body.leaves(var) || cond.is_some_and(|c| has_effects(unit, c)) {
        return Err("more than its step changes the variable");
    }
    let (roots, local) = own_rows(&body, var);
    if local.is_empty() {
        return Err("it has no accesses to own elements of static arrays");
    }
    Ok(Plan { roots, local, step })
}

fn rewrite(tree: &mut Tree, s: StmtId, plan: &Plan) {
    let q = tree.var("q");
    let own: Vec<Var> = plan.roots.iter().map(|_| tree.var("own")).collect();
    let copy = tree.copy(s);
    tree.settle(copy.stmt);
    for (&e, (root, rest)) in &plan.local {
        let rest: Vec<_> = rest.iter().map(|&(e, step)| (copy.expr(e), step)).collect();
        tree.mark(copy.expr(e), element(own[*root], q, 0, plan.roots[*root].row, &rest));
    }
    tree.mark(copy.expr(plan.step), Access::AndNext(q));
    let parts = plan.roots.iter().zip(&own).map(|(root, &var)| Node::Declare {
        var,
        ty: VarType::Elements(root.elem),
        value: Some(root.own_part()),
    });
    let mut nodes: Vec<Node> = parts.collect();
    nodes.push(Node::Declare { var: q, ty: VarType::Index, value: Some(Term::Num(0)) });
    nodes.push(Node::Stmt(copy.stmt));
    tree.replace(s, nodes);
}
