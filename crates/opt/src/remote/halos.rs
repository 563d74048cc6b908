//! Halos: the rows of other threads that a thread's border rows need travel while it computes its inner rows.
//!
//! ```c
//! upc_forall (i = 1; i < n - 1; i++; &c[i][0])
//!     for (j = 1; j < m - 1; j++)
//!         c[i][j] = a[i - 1][j] + a[i + 1][j];
//! ```
//!
//! reads rows of other threads at the borders of each block, and would wait for each of them. But these rows
//! are known before the block. So they are requested there into the cache ([`crate::remote::caching`]), each
//! by as few messages as possible. If the order of the iterations does not matter, those that read no remote
//! row run first.
//!
//! *Why rows may be requested.* As for all reads of the cache while its nest runs, though the program may not
//! come to them: [`crate::remote::caching`]. A write of the nest to a requested row waits until the row is
//! there (`runtime/rma/ahead/cache.c`). Only memory that the owner has is read, since a row that the program
//! would not read may lie outside of the array. Rows are named by right values ([`crate::facts::early`]).
//!
//! *Why the order may change.* All accesses are relaxed, and between those of one thread the memory model
//! orders only accesses to the same object of which one is a write (UPC 5.1.2.3 and B.3). So iterations may
//! run in any order if none writes an object that another reads or writes:
//!
//! - An iteration writes to rows of static arrays that its own variable counts. The distance is the same for
//!   all writes to an array, so that no other iteration writes there. A subscript inside of a row stays in it
//!   (C 6.5.6).
//! - Its reads are of objects with another name or type, or in such a row at the same distance.
//! - Private objects are assigned by name alone. They are the iteration's own, or count inner loops from the
//!   same value to the same bound in all iterations. Such counters are not named outside of their loops, so
//!   that they end with the same value whichever iteration is the last.
//!
//! *Limits.* Loops over own rows ([`crate::owned::forall`]) that the cache serves, of static arrays and of
//! pointers that serve as arrays; rows of 64 bytes to 1 MB, subscripted by `i + c`. The order changes if the
//! body is one nest of which [`crate::owned::local_rows`] has made two versions.
//!
//! *Result.* Before the loop, a loop that requests the rows ([`Primitive::CacheRow`]). If the order may
//! change, the loop itself becomes two: one with the version for rows on this host, then one with the other.

use crate::facts::affine::offset_from;
use crate::facts::body::Body;
use crate::facts::dependences::Dependences;
use crate::facts::equality::is_written_alike;
use crate::facts::ownership::{row_of, without_members};
use crate::facts::rows::INDEFINITE;
use crate::facts::shapes::{Condition, Stride};
use crate::facts::statements::sole_loop;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, AccessId, Counting, Early, Hosts, Loop, Node, Primitive, Slot, Term, Tree};
use crate::ir::walk::{each_loop, each_statement, rewrite_loops};
use c_sema::typed::SymId;
use c_sema::types::{Len, QTy, Ty};
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::{HashMap, HashSet};

/// Bytes of a row that is requested as a whole, at least and at most.
const LEAST_ROW: u64 = 64;
const MOST_ROW: u64 = 1 << 20;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("halos");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::One || context.seldom {
            return false;
        }
        rewrite_loops(tree, s, context.hosts, &mut |tree, l, hosts| match hosts {
            Hosts::Many => over_rows(tree, s, l),
            _ => None,
        });
        true
    });
}

/// Rewrites a loop over own rows, if memory may be remote.
fn over_rows(tree: &mut Tree, s: StmtId, l: &Loop) -> Option<Vec<Node>> {
    let (Counting { counter, var, .. }, body, _) = l.counted()?;
    let Rows { rows, reads } = rows(tree, body, var);
    if rows.is_empty() {
        return None;
    }
    reads.into_iter().for_each(|id| tree.ask_early(Early::Halo, id));
    let from = tree.var("from");
    let begin = Node::index(from, counter.into());
    let again = Node::Assign(Slot::Made(counter), from.into());
    let mut out = vec![begin, asking(tree, l, &rows), call(Primitive::CacheRowsSent), again.clone()];
    match parted(tree, body, var) {
        Ok(versions) => {
            tree.remark(ID, s, Ok(format!("{} rows an iteration, those on this host first", rows.len())));
            let [local, remote] =
                versions.map(|last| Node::Loop(Loop { body: with_last(tree, l, last), ..l.clone() }));
            out.extend([local, again, remote]);
        }
        Err(why) => {
            tree.remark(ID, s, Ok(format!("{} rows an iteration, in order: {why}", rows.len())));
            out.push(Node::Loop(l.clone()));
        }
    }
    Some(out)
}

// ---- rows ----------------------------------------------------------------------------------------

/// The cached reads of an iteration in rows that its variable counts.
struct Rows {
    /// The rows, each with its type.
    rows: Vec<(ExprId, QTy)>,
    reads: HashSet<AccessId>,
}

fn rows(tree: &Tree, body: StmtId, var: SymId) -> Rows {
    let mut rows: Vec<(ExprId, QTy)> = Vec::new();
    let mut reads = HashSet::new();
    let facts = Body::new(tree, body);
    each_statement(tree, body, &mut |s| {
        each_expr(&tree.unit, Any::Stmt(s), |e| {
            let cached = matches!(tree.access(e), Some(Access::Cached(_)));
            if let Some(found) = cached.then(|| row(&facts, e, var)).flatten() {
                reads.insert(tree.id(e));
                rows.extend(
                    (!rows.iter().any(|&(known, _)| is_written_alike(tree, known, found.0))).then_some(found),
                );
            }
            true
        });
    });
    Rows { rows, reads }
}

/// Returns the row that the object is in, with its type, if `var` counts the row.
fn row(body: &Body, e: ExprId, var: SymId) -> Option<(ExprId, QTy)> {
    let (of, row) = row_of(body, e).filter(|(of, _)| of.block != INDEFINITE)?;
    offset_from(body.unit, body.typed, of.row, var)?;
    let bytes = bytes(body.tree, of.root.whole)?;
    (LEAST_ROW..=MOST_ROW).contains(&bytes).then_some((row, of.root.whole))
}

/// Returns the size of an array in bytes, if it is constant.
fn bytes(tree: &Tree, q: QTy) -> Option<u64> {
    match tree.typed.types.of(q) {
        Ty::Array(elem, Len::Const(n)) => bytes(tree, *elem)?.checked_mul(*n),
        Ty::Array(..) => None,
        _ => tree.typed.types.size_of(q),
    }
}

/// Makes the loop that requests the remote rows.
fn asking(tree: &mut Tree, l: &Loop, rows: &[(ExprId, QTy)]) -> Node {
    let mut asks = Vec::new();
    for &(row, whole) in rows {
        let bytes = bytes(tree, whole).unwrap_or(0);
        let (remote, at) = (Term::Remote(tree.copy_expr(row)), Term::Address(tree.copy_expr(row)));
        let ask = Node::Do(Term::call(Primitive::CacheRow, [at, Term::Num(bytes as i64)]));
        asks.push(Node::If { test: remote, then: vec![ask], otherwise: Vec::new() });
    }
    let full = Node::Leave(Term::Name(Primitive::CacheRowsFull));
    let mut body = tree.copy_nodes(&l.body[..l.body.len() - 1]);
    body.extend(asks);
    body.push(full);
    Node::Loop(Loop { body, counts: None, ..l.clone() })
}

fn call(function: Primitive) -> Node {
    Node::Do(Term::call(function, []))
}

/// Returns the nodes that begin an iteration, and `last` in place of its last node.
fn with_last(tree: &mut Tree, l: &Loop, last: Node) -> Vec<Node> {
    let mut body = tree.copy_nodes(&l.body[..l.body.len() - 1]);
    body.push(last);
    body
}

// ---- order ---------------------------------------------------------------------------------------

/// Returns the bodies for iterations that read rows on this host alone, and for all others, if the order of
/// the iterations does not matter.
fn parted(tree: &mut Tree, body: StmtId, var: SymId) -> Result<[Node; 2], Reason> {
    let nest = sole_loop(&tree.unit, body).ok_or(Reason::NoSingleNest)?;
    let versions = match tree.nodes(nest) {
        Some([Node::If { test, then, otherwise }]) if matches!(then[..], [Node::Known(Hosts::One, _)]) => {
            (test.clone(), then.clone(), otherwise.clone())
        }
        _ => return Err(Reason::NoVersionForRows),
    };
    independent(&Body::new(tree, nest), var)?;
    let (test, then, otherwise) = versions;
    let remote = Term::Not(Box::new(tree.copy_term(&test)));
    Ok([
        Node::If { test, then, otherwise: Vec::new() },
        Node::If { test: remote, then: otherwise, otherwise: Vec::new() },
    ])
}

/// Checks that no iteration writes an object that another one reads or writes. `var` counts the iterations.
fn independent(body: &Body, var: SymId) -> Result<(), Reason> {
    if body.effects.rigid || body.effects.opaque || body.effects.calls || body.effects.atomics {
        return Err(Reason::NestNotFollowed);
    }
    let dependences = Dependences::new(body)?;
    let own = |e: ExprId| {
        let found = body.tree.subscript(without_members(body.tree, e))?;
        let known = !found.root.pointer && body.in_front(found.root.sym);
        let shift = offset_from(body.unit, body.typed, found.row, var)?;
        known.then_some((found.root.sym, shift))
    };
    let mut written: HashMap<SymId, i64> = HashMap::new();
    for &write in &dependences.writes {
        let (sym, shift) = own(write).ok_or(Reason::WritesOtherRows)?;
        if *written.entry(sym).or_insert(shift) != shift {
            return Err(Reason::WritesSeveralRows);
        }
    }
    let mut reads = Ok(());
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        let own_row = || own(e).is_some_and(|(sym, shift)| written.get(&sym) == Some(&shift));
        if body.is_object(e) && dependences.may_write(e) && !own_row() {
            reads = Err(Reason::ReadsOtherIterations);
        }
        if takes_pointer(body, e) {
            reads = Err(Reason::CallReadsByPointer);
        }
        true
    });
    reads?;
    let leaves = |&sym: &SymId| !body.in_front(sym) || ends_alike(body, sym, var);
    let all = body.effects.assigned.iter().all(leaves);
    if all { Ok(()) } else { Err(Reason::VariablesOutlast) }
}

/// Returns whether an expression is a call with a pointer among its arguments.
fn takes_pointer(body: &Body, e: ExprId) -> bool {
    let ExprKind::Call(_, args) = &body.unit.exprs[e].kind else { return false };
    let pointer =
        |&a: &ExprId| matches!(body.typed.types.of(body.typed.ty(a)), Ty::Pointer(_) | Ty::Array(..));
    args.iter().any(pointer)
}

/// Returns whether a variable of the function counts loops whose ends are the same in all iterations, and is
/// not named elsewhere in the body.
fn ends_alike(body: &Body, sym: SymId, var: SymId) -> bool {
    let same = |e: ExprId| body.keeps_bound(e, var);
    let counts = |s: StmtId| {
        let shape = body.tree.shape(s)?;
        let (first, step, (_, condition)) = (shape.first?, shape.step?, shape.condition?);
        let Condition::Compare(_, bound) = condition else { return None };
        let steady = matches!(step.by, Stride::Up | Stride::Down) && step.var == sym && first.var == sym;
        let inside = Body::new(body.tree, shape.body).leaves(sym);
        (steady && inside && same(first.value) && same(bound)).then_some(body.unit.stmts[s].at)
    };
    let mut loops = Vec::new();
    each_statement(body.tree, body.stmt, &mut |s| loops.extend(counts(s)));
    let mut outside = false;
    each_expr(body.unit, Any::Stmt(body.stmt), |e| {
        let span = body.unit.exprs[e].at;
        outside |= body.name(e) == Some(sym) && !loops.iter().any(|of| of.lo <= span.lo && span.hi <= of.hi);
        true
    });
    body.automatic(sym) && !loops.is_empty() && !outside
}
