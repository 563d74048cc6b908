//! Loops over a thread's own numbers: `for (i = MYTHREAD; …; i += THREADS) … a[i] …`.
//!
//! This is how UPC is written without `upc_forall`. In each iteration i mod THREADS is MYTHREAD, so an
//! element, or a row that is one block, of a static array that is subscripted by i itself is the thread's
//! own, and the next iteration's is the next in its part. So a local pointer and a counter serve for it.
//! Where the number of iterations is known at entry, the counter alone says how long the loop goes on: C
//! compilers cannot tell that of a step that they do not know. Else the loop stays as it is.
//!
//! *Why it is allowed.* The variable begins at MYTHREAD, only the third clause changes it (automatic, its
//! address not taken, not assigned in the body or the condition), and the counter steps where it steps, after
//! `continue` too. The body has no labels, so that nothing enters it past the counter's beginning.
//!
//! The number is known where the condition is `i < hi` or `i <= hi`, the bound keeps its value, the variable
//! does not come round before it (32 bits or more), and nothing but the condition ends the loop.
//!
//! *What it becomes.* A [`Node::Loop`] over the counter; or the loop as it is, whose step takes the counter
//! along ([`Access::AndNext`]). In both the accesses are [`Access::Element`]s.

use crate::body::Body;
use crate::forall::own_rows;
use crate::passes::each_loop;
use crate::rows::{Accesses, Root, element};
use crate::shapes::{First, past};
use crate::tree::{Access, Counting, Loop, Node, Slot, Step, Term, Tree, Var, VarType};
use c_sema::typed::SymId;
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
    /// Where the number of iterations is known.
    counted: Option<Counted>,
}

/// A loop from MYTHREAD by THREADS up to a bound.
struct Counted {
    var: SymId,
    /// The loop declares it.
    declares: bool,
    hi: ExprId,
    /// `<=` rather than `<`.
    inclusive: bool,
    /// The variable serves for own subscripts only.
    flat: bool,
    body: StmtId,
}

impl Plan {
    fn summary(&self, tree: &Tree) -> String {
        let names: Vec<&str> = self.roots.iter().map(|root| &*tree.typed.sym(root.sym).name).collect();
        let counted = if self.counted.is_some() { ", counted" } else { "" };
        format!("own rows of [{}]{counted}", names.join(" "))
    }
}

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, &'static str> {
    let unit = &tree.unit;
    let StmtKind::For { cond, step: Some(step), body: stmt, .. } = unit.stmts[s].kind else { return Err("") };
    let shape = tree.shape(s).ok_or("")?;
    let First { var, declares, value: lo } = shape.first.ok_or("")?;
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
    let (roots, local, subscripts) = own_rows(&body, var);
    if local.is_empty() {
        return Err("it has no accesses to own elements of static arrays");
    }
    let wide = tree.typed.types.size_of(tree.typed.sym(var).ty).is_some_and(|size| size >= 4);
    let bound = shape.bound(&tree.typed).filter(|&(hi, _)| wide && body.keeps_bound(hi, var));
    let counted = bound.filter(|_| !body.effects.rigid).map(|(hi, inclusive)| {
        let flat = !body.names_otherwise(var, &subscripts);
        Counted { var, declares, hi, inclusive, flat, body: stmt }
    });
    Ok(Plan { roots, local, step, counted })
}

fn rewrite(tree: &mut Tree, s: StmtId, plan: &Plan) {
    let q = tree.var("q");
    let own: Vec<Var> = plan.roots.iter().map(|_| tree.var("own")).collect();
    let copy = tree.copy(plan.counted.as_ref().map_or(s, |counted| counted.body));
    for (&e, (root, rest)) in &plan.local {
        let rest: Vec<_> = rest.iter().map(|&(e, step)| (copy.expr(e), step)).collect();
        tree.mark(copy.expr(e), element(own[*root], q, 0, plan.roots[*root].row, &rest));
    }
    let parts = plan.roots.iter().zip(&own).map(|(root, &var)| Node::Declare {
        var,
        ty: VarType::Elements(root.elem),
        value: Some(root.own_part()),
    });
    let mut nodes: Vec<Node> = parts.collect();
    nodes.push(Node::Declare { var: q, ty: VarType::Index, value: Some(Term::Num(0)) });
    match &plan.counted {
        Some(counted) => nodes.extend(by_counter(tree, counted, q, copy.stmt)),
        None => {
            tree.settle(copy.stmt);
            tree.mark(copy.expr(plan.step), Access::AndNext(q));
            nodes.push(Node::Stmt(copy.stmt));
        }
    }
    tree.replace(s, nodes);
}

/// The loop over the counter, in which the program's variable follows it.
fn by_counter(tree: &mut Tree, counted: &Counted, q: Var, body: StmtId) -> Vec<Node> {
    let &Counted { var, declares, hi, inclusive, flat, .. } = counted;
    let (end, ty) = (tree.var("end"), tree.typed.sym(var).ty);
    let (threads, me) = (Term::Name("MER_THREADS"), Term::Name("MER_MYTHREAD"));
    let past = past(&tree.typed, var, hi, inclusive);
    let count = Term::call("mer_ceildivt", [Term::bin("-", past, me.clone())]);
    let number = |q: Term| {
        let all = Term::bin("*", q, Term::Index(Box::new(threads.clone())));
        Term::As(ty, Box::new(Term::bin("+", all, me.clone())))
    };
    let mut each = Vec::new();
    if !flat {
        each.push(Node::Define(var, number(q.into())));
    }
    each.push(Node::Stmt(body));
    let go = Term::bin("<", q.into(), end.into());
    let counts = Some(Counting { counter: q, var, turns: true });
    let mut nodes = vec![
        Node::Declare { var: end, ty: VarType::Index, value: Some(count) },
        Node::Loop(Loop { go, step: vec![Step::Next(q)], body: each, counts }),
    ];
    if !declares {
        let none = Term::bin(">", end.into(), Term::Num(0));
        let last = Term::choose(none, end.into(), Term::Num(0));
        nodes.push(Node::Assign(Slot::Sym(var), number(last)));
    }
    nodes
}
