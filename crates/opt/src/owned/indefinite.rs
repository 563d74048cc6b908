//! Elements of indefinite arrays, by local pointers.
//!
//! `a[i]` of `shared [] double a[N]`, or of a pointer to such elements, masks the thread off the address of
//! each element. This hides the address from C compilers: they neither compute it once nor vectorise the
//! loop. But all elements are contiguous on one thread. So the address of the first element is computed
//! before the loop, and the subscripts count from there, as in a private array.
//!
//! In an array of arrays, each subscript stays separate: for C compilers a sum of products may reach from row
//! to row, and they then keep the order of nested loops. If a row that is named by constants may stand for
//! the whole array, traversed by its last subscript, the subscripts are one sum all the same.
//!
//! *Why it is allowed.* All memory is on this host ([`crate::remote::versioning`]), in one address space. An
//! array does not move. A pointer serves if the loop does not change it: it is assigned nowhere in the loop,
//! its address is not taken, and if it is of static storage duration, the loop calls no function of the
//! program's. The accesses, their times and their order are as written. Only the address computation changes.
//!
//! *Limits.* `a[i]…`, `*p` and `*(p + i)` of relaxed objects that are neither volatile nor atomic.
//!
//! *Result.* The declarations of the local pointers, then the loop with [`Access::Element`]s. For pointers
//! that change in this loop, the pass rewrites an inner loop.

use crate::facts::rows::{INDEFINITE, Root, Subscript};
use crate::facts::strictness::is_plain;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, Hosts, Node, Term, Tree, Var, VarType};
use crate::ir::walk::each_loop;
use c_sema::typed::SymId;
use c_sema::types::Ty;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::HashSet;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("indefinite");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if tree.typed.types.language.everything() {
        return;
    }
    let mut rewritten = HashSet::new();
    each_loop(tree, &mut |tree, s, context| {
        let fresh = tree.nodes(s).is_none() && !rewritten.contains(&s);
        if context.hosts == Hosts::One && tree.is_free(s) && fresh {
            match plan(tree, s) {
                Ok(places) => {
                    rewritten.insert(rewrite(tree, s, &places));
                }
                Err(why) => tree.remark(ID, s, Err(why)),
            }
        }
        context.hosts != Hosts::Many
    });
}

/// An element.
struct Place {
    access: ExprId,
    root: Root,
    /// The subscripts, each with the number of elements that it steps over.
    subscripts: Vec<(ExprId, u64)>,
}

impl Place {
    /// Returns whether the last subscript may go on beyond the row that constants name.
    fn is_flat(&self, tree: &Tree) -> bool {
        let (_, rows) = self.subscripts.split_last().unwrap_or((&(self.access, 1), &[]));
        !rows.is_empty() && rows.iter().all(|&(e, _)| tree.typed.constant(e).is_some())
    }
}

// ---- analysis ------------------------------------------------------------------------------------

fn plan(tree: &Tree, s: StmtId) -> Result<Vec<Place>, Reason> {
    let (effects, addressed) = (tree.effects(s), tree.addressed(s));
    let mut places = Vec::new();
    each_expr(&tree.unit, Any::Stmt(s), |e| {
        if tree.access(e).is_none() && !addressed.contains(&e) && is_plain(&tree.typed, tree.typed.ty(e)) {
            places.extend(place(tree, e));
        }
        true
    });
    if places.is_empty() {
        return Err(Reason::OtherKind);
    }
    places.retain(|place| effects.serves(&tree.typed, &place.root));
    if places.is_empty() { Err(Reason::PointerChanges) } else { Ok(places) }
}

fn place(tree: &Tree, e: ExprId) -> Option<Place> {
    let unit = &tree.unit;
    match unit.exprs[e].kind {
        ExprKind::Index(..) => {
            let found = tree.subscript(e).filter(|s| s.block == INDEFINITE)?;
            let Subscript { root, row, rest, .. } = &*found;
            let mut subscripts = vec![(*row, root.row)];
            subscripts.extend(rest);
            Some(Place { access: e, root: root.clone(), subscripts })
        }
        ExprKind::Unary(UnOp::Deref, p) => {
            let (p, index) = match unit.exprs[unit.bare(p)].kind {
                ExprKind::Binary(BinOp::Add, p, index) => (p, Some(index)),
                _ => (p, None),
            };
            let (root, block) = crate::facts::rows::root(tree, p)?;
            let scalar = !matches!(tree.typed.types.of(tree.typed.ty(e)), Ty::Array(..));
            let subscripts = index.map(|index| (index, root.row)).into_iter().collect();
            (block == INDEFINITE && scalar).then_some(Place { access: e, root, subscripts })
        }
        _ => None,
    }
}

// ---- rewriting -----------------------------------------------------------------------------------

/// Rewrites a loop. Returns the copy of the loop that stands in the new form.
fn rewrite(tree: &mut Tree, s: StmtId, places: &[Place]) -> StmtId {
    let mut roots: Vec<(&Root, Var)> = Vec::new();
    let flat: HashSet<SymId> =
        places.iter().filter(|place| place.is_flat(tree)).map(|place| place.root.sym).collect();
    for Place { access, root, subscripts } in places {
        let known = roots.iter().find(|(known, _)| known.sym == root.sym && known.elem == root.elem);
        let base = known.map(|&(_, base)| base).unwrap_or_else(|| {
            let base = tree.var("at");
            roots.push((root, base));
            base
        });
        let value = |e: ExprId| Term::index(Term::Value(e));
        let access_by = if flat.contains(&root.sym) {
            let terms = subscripts.iter().map(|&(e, step)| match step {
                1 => value(e),
                step => Term::bin("*", value(e), Term::Num(step as i64)),
            });
            let index = terms.reduce(|sum, term| Term::bin("+", sum, term)).unwrap_or(Term::Num(0));
            Access::Element { base, index, inside: Vec::new() }
        } else {
            let mut subscripts = subscripts.iter().map(|&(e, _)| value(e));
            let index = subscripts.next().unwrap_or(Term::Num(0));
            Access::Element { base, index, inside: subscripts.collect() }
        };
        tree.mark(*access, access_by);
    }
    let names: Vec<&str> = roots.iter().map(|(root, _)| &*tree.typed.sym(root.sym).name).collect();
    tree.remark(ID, s, Ok(format!("[{}]", names.join(" "))));
    let mut nodes: Vec<Node> = roots
        .iter()
        .map(|&(root, var)| {
            let elem = if flat.contains(&root.sym) { root.elem } else { root.whole };
            Node::Declare { var, ty: VarType::Elements(elem), value: Some(root.first_local()) }
        })
        .collect();
    let inner = tree.shallow(s);
    nodes.push(Node::Stmt(inner));
    tree.replace(s, nodes);
    inner
}
