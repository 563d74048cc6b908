//! Neighbours of own elements, in arrays that are dealt out one by one, by local pointers.
//!
//! ```c
//! upc_forall (i = 1; i < n - 1; i++; &b[i])
//!     b[i] = a[i - 1] + a[i + 1];
//! ```
//!
//! In a cyclic array, element i + k is on the same thread in all iterations of one thread. From one iteration
//! to the next, i goes up by THREADS, so that the element is the next one in that thread's part. In a job on
//! one host, all parts are mapped. So the address of the first such element is computed before the loop,
//! which saves a division by THREADS for each element: with two neighbours in each iteration, the loop takes
//! a fraction of the time, and less time to compile.
//!
//! *Why it is allowed.* The same objects are accessed, in the same order. The loop's variable goes up by
//! THREADS when its counter goes up by one, and the body leaves it alone ([`crate::owned::forall`],
//! [`crate::owned::strided`]); k is a constant. A pointer that serves as array keeps its value while the loop
//! runs, and may point at any thread. The address is computed from the variable's value in the first
//! iteration, even if the address is outside of the array. It is first used in an iteration in which the
//! program's own access is inside.
//!
//! *Limits.* UPC; relaxed objects that are neither volatile nor atomic, whose address is not taken, in loops
//! whose variable steps by THREADS, in the version for one host ([`crate::remote::versioning`]).
//!
//! *Result.* A local pointer for each array and each k, and [`Access::Element`]s.

use crate::facts::body::Body;
use crate::facts::ownership::{Element, Numbering, Owned};
use crate::facts::rows::Root;
use crate::facts::strictness::is_plain;
use crate::ir::pass_id::PassId;
use crate::ir::tree::{Access, Counting, Hosts, Loop, Node, Primitive, Term, Tree, Var, VarType};
use crate::ir::walk::{each_loop, rewrite_loops};
use c_sema::typed::SymId;
use c_syntax::ast::*;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("neighbours");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if tree.typed.types.language.everything() {
        return;
    }
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::One {
            rewrite_loops(tree, s, context.hosts, &mut |tree, l, _| in_loop(tree, s, l));
        }
        context.hosts != Hosts::Many
    });
}

/// Rewrites a loop over own elements.
fn in_loop(tree: &mut Tree, s: StmtId, l: &Loop) -> Option<Vec<Node>> {
    let Some((Counting { counter, var, turns: true }, body, Some(value))) = l.iterated() else {
        return None;
    };
    let own = neighbours(tree, body, var);
    if own.elements.is_empty() {
        return None;
    }
    let from = tree.var("from");
    let mut out = vec![Node::index(from, counter.into())];
    let mut known: Vec<((usize, i64), Var)> = Vec::new();
    for &Element { e, root, shift, .. } in &own.elements {
        let near = known.iter().find(|known| known.0 == (root, shift)).map(|&(_, near)| near);
        let near = near.unwrap_or_else(|| {
            let (var, of) = (tree.var("near"), &own.roots[root]);
            let value = Some(place(of, value, shift));
            out.push(Node::Declare { var, ty: VarType::Elements(of.elem), value });
            known.push(((root, shift), var));
            var
        });
        let index = Term::bin("-", counter.into(), from.into());
        tree.mark(e, Access::Element { base: near, index, inside: Vec::new() });
    }
    tree.remark(ID, s, Ok(format!("{} of own elements", known.len())));
    out.push(Node::Loop(l.clone()));
    Some(out)
}

/// Returns the accesses in a loop's body to neighbours of the element with the number `var`.
fn neighbours(tree: &Tree, stmt: StmtId, var: SymId) -> Owned {
    let (mut own, addressed) = (Owned::default(), tree.addressed(stmt));
    own.find(&Body::new(tree, stmt), var, Numbering::Cyclic);
    own.elements.retain(|of| {
        tree.access(of.e).is_none()
            && !addressed.contains(&of.e)
            && is_plain(&tree.typed, tree.typed.ty(of.e))
    });
    own
}

/// Makes a local pointer to element `value` + k of an array.
fn place(root: &Root, value: &Term, k: i64) -> Term {
    let n = Term::index(value.clone()).plus(k);
    Term::call(Primitive::NearCyclic, [root.first(), n, Term::Size(root.elem)])
}
