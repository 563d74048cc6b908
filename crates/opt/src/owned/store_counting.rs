//! Counting a loop's signalling stores (`:-`) in a register.
//!
//! A store to local memory is complete at once, but if the program waits for bytes (`store_sync`), they must
//! be counted for the receiver. The count is an additional write, with which a core has only half as many
//! scattered stores under way. So a loop counts locally, in a word with a field for each receiver. It adds
//! the word to the counts when a field may be full, and whenever the loop is left (`struct mer_stores` in
//! `everything.h`).
//!
//! *Why it is allowed.* A receiver learns of bytes after they have come. This is allowed, since nothing
//! prescribes when a store arrives. But the receiver must learn of them eventually, and the loop must not
//! meanwhile wait for an action that the receiver takes only then. So the pass takes only loops that end by
//! themselves: `for` and `while` with an automatic counter on its way to a bound that keeps its value, and
//! inner loops of the same kind. They call only functions of the C library that do not wait. All their stores
//! are of one size, so that stores can be counted instead of bytes.
//!
//! Whether the program waits for bytes anywhere is known when it is linked. The loop is written twice, so
//! that without such waits it is the same as with plain stores.
//!
//! *Result.* [`Node::If`] on whether the program counts; in the one version [`Node::StoreCounts`], and its
//! stores [`Access::Counted`].

use crate::facts::shapes::is_long;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Node, Primitive, Term, Tree};
use crate::ir::walk::each_loop;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// The name of the pass.
pub(crate) const ID: PassId = PassId("store-counting");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, _| {
        if !tree.is_free(s) {
            return true;
        }
        match plan(tree, s) {
            Ok(plan) => {
                tree.remark(ID, s, Ok(format!("stores of {} bytes", plan.size)));
                rewrite(tree, s, &plan);
                false
            }
            Err(why) => {
                tree.remark(ID, s, Err(why));
                true
            }
        }
    });
}

struct Plan {
    /// The stores.
    stores: Vec<ExprId>,
    /// Bytes of each.
    size: u64,
}

fn plan(tree: &Tree, s: StmtId) -> Result<Plan, Reason> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let body = match unit.stmts[s].kind {
        StmtKind::While(_, body) | StmtKind::For { body, .. } => body,
        _ => return Err(Reason::OtherKind),
    };
    let (mut stores, mut sizes) = (Vec::new(), Vec::new());
    each_expr(unit, Any::Stmt(body), |e| {
        if let ExprKind::Split(SplitOp::Store, target, _) = unit.exprs[e].kind {
            stores.push(e);
            sizes.push(typed.types.size_of(typed.ty(target)));
        }
        true
    });
    let size = sizes.first().ok_or(Reason::OtherKind)?.ok_or(Reason::StoreSizeUnknown)?;
    if sizes.iter().any(|&other| other != Some(size)) {
        return Err(Reason::StoresOfSizes);
    }
    let ends = Ends { tree };
    if ends.head(s).is_none() {
        return Err(Reason::MayWait);
    }
    if is_long(unit, body) || tree.effects(body).single {
        return Err(Reason::WrittenOnce);
    }
    if !ends.stmt(body) {
        return Err(Reason::InnerMayWait);
    }
    Ok(Plan { stores, size })
}

fn rewrite(tree: &mut Tree, s: StmtId, plan: &Plan) {
    let var = tree.var("stores");
    let (counted, plain) = (tree.copy(s), tree.copy(s));
    for &store in &plan.stores {
        tree.mark(counted.expr(store), Access::Counted(Some(var)));
        tree.mark(plain.expr(store), Access::Counted(None));
    }
    let then = vec![Node::StoreCounts(var, plan.size), Node::Stmt(counted.stmt)];
    let otherwise = vec![Node::Stmt(plain.stmt)];
    tree.replace(s, vec![Node::If { test: Term::Name(Primitive::CountsStores), then, otherwise }]);
    tree.settle(s);
}

/// Decides whether statements end by themselves.
struct Ends<'a> {
    tree: &'a Tree,
}

impl Ends<'_> {
    /// Returns the body of a loop, if the loop ends by itself. Its step may depend on its variable:
    /// `k -= k & -k`.
    fn head(&self, s: StmtId) -> Option<StmtId> {
        self.tree.ends_by_step(s, |body, e, _| body.invariant(e))?;
        let body = self.tree.shape(s)?.body;
        let effects = self.tree.effects(body);
        (!effects.calls && !effects.atomics && !effects.opaque).then_some(body)
    }

    fn stmt(&self, id: StmtId) -> bool {
        match &self.tree.unit.stmts[id].kind {
            StmtKind::Compound(items) => items.iter().all(|&s| self.stmt(s)),
            StmtKind::If(_, a, b) => self.stmt(*a) && b.is_none_or(|b| self.stmt(b)),
            StmtKind::For { .. } | StmtKind::While(..) => self.head(id).is_some_and(|body| self.stmt(body)),
            StmtKind::Switch(_, body) => self.stmt(*body),
            StmtKind::Case(_, _, s) | StmtKind::Default(s) => self.stmt(*s),
            StmtKind::Expr(_)
            | StmtKind::Decl(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Opaque => true,
            _ => false,
        }
    }
}
