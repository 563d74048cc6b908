//! Caching of remote reads for the time of a nest of loops.
//!
//! ```c
//! upc_forall (i = 0; i < n; i++; &c[i][0])
//!     for (j = 0; j < n; j++)
//!         for (k = 0; k < n; k++)
//!             c[i][j] += a[i][k] * b[k][j];
//! ```
//!
//! reads each element of b once for every i, and its rows by columns. Prefetching overlaps these reads, but
//! each remains a message. So within such a nest the thread caches the objects that it reads from other
//! hosts, together with their neighbours in memory (`runtime/rma/ahead/cache.c`): each is requested once, in
//! pieces of many elements.
//!
//! *Why it is allowed.* A cached value was read after the nest was entered, and is not used after the nest.
//! Inside there is nothing strict, no fence, barrier or lock, and no call of a function that might have one.
//! So all accesses are relaxed, and between those of one thread the memory model orders only accesses to the
//! same object of which one is a write (UPC 5.1.2.3 and B.3):
//!
//! - A read that no write of the nest precedes may be done when the nest is entered.
//! - A write of the nest changes the cached copy too, and an owner-side update invalidates it; a later
//!   request arrives after both.
//! - Memory of this host is not cached, so that private pointers, which lead nowhere else, may write
//!   anything.
//! - Two reads of an object may be done in any order: an uncached one may see a later value than a cached one
//!   that follows it.
//! - If the nest reads memory sequentially, the next kilobytes are requested in advance: they too are read
//!   while the nest runs, and a write to one waits until the line is there.
//!
//! No expression of the program is evaluated early here. Neighbours of an object are read only if the owner
//! has memory there ([`crate::facts::early`]).
//!
//! No thread may wait for another in the nest by reading its memory again and again. So a read is cached only
//! if each loop around it, up to the nest's, counts to an end by a variable that its body leaves alone, and
//! its address names one of these variables.
//!
//! *Where it pays.* Neighbours of an element are read soon after it, or the element itself is read again. The
//! first holds if the innermost counter, which steps by one, is the last subscript; the second often holds if
//! an element stands in several loops. Addresses that are read themselves, `a[b[i]]`, are left to
//! prefetching. Of an element by counters of an array that a directory names, `directory[t][i]`, both the
//! directory's element and the array's are cached.
//!
//! *Limits.* UPC; scalars, and structs of a few hundred bytes.
//!
//! *Result.* [`Primitive::CacheBegin`] before the nest, and reads that are [`Access::Cached`]. The later pass
//! for prefetching starts the reads of many iterations, as it does without a cache.

use crate::facts::affine::{name, offset_from};
use crate::facts::body::Body;
use crate::facts::dependences::Dependences;
use crate::facts::places::{is_part_of_own, may_be_copied, not_read, subscripted};
use crate::facts::shapes::{Stride, mentions};
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Access, AccessId, Node, Primitive, Term, Tree};
use crate::ir::walk::{each_nest, each_statement};
use base::Span;
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, Visitor, each_expr, exists, walk_stmt};
use std::collections::HashSet;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("caching");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_nest(tree, ID, &mut |tree, s| plan(tree, s).map(|kept| rewrite(tree, s, &kept)));
}

// ---- analysis ------------------------------------------------------------------------------------

/// A loop of a nest.
struct Level {
    span: Span,
    /// The loop's counter, and whether it steps by one; none if the loop is not sure to count to an end.
    counter: Option<(SymId, bool)>,
}

/// Returns the reads to cache.
fn plan(tree: &Tree, s: StmtId) -> Result<HashSet<AccessId>, Reason> {
    let body = Body::new(tree, s);
    body.followed()?;
    Dependences::new(&body)?;
    let levels = levels(tree, s);
    if levels.iter().any(|level| level.span == tree.unit.stmts[s].at && level.counter.is_none()) {
        return Err(Reason::MayNotEnd);
    }
    // An extremum's object is read by its owner: an update is one access.
    let mut others = not_read(&tree.unit, s);
    others.extend(crate::facts::extrema::objects(&tree.unit, &tree.typed, s).into_values());
    let mut kept = HashSet::new();
    each_expr(&tree.unit, Any::Stmt(s), |e| {
        if can_be_kept(tree, e) && !others.contains(&e) && pays(tree, &levels, e) {
            kept.insert(tree.id(e));
        }
        true
    });
    if kept.is_empty() { Err(Reason::NoReadCached) } else { Ok(kept) }
}

/// Returns the loops of a nest as the program has them, outer ones first.
fn levels(tree: &Tree, s: StmtId) -> Vec<Level> {
    struct Levels<'a>(&'a Tree, Vec<Level>);
    impl<'a> Visitor<'a> for Levels<'a> {
        fn unit(&self) -> &'a Unit {
            &self.0.unit
        }
        fn stmt(&mut self, s: StmtId) {
            use StmtKind::*;
            let stmt = &self.0.unit.stmts[s];
            if matches!(stmt.kind, While(..) | Do(..) | For { .. } | Forall { .. }) {
                self.1.push(Level { span: stmt.at, counter: counter(self.0, s) });
            }
            walk_stmt(self, s);
        }
    }
    let mut levels = Levels(tree, Vec::new());
    levels.stmt(s);
    levels.1
}

/// Returns the counter of a loop with an invariant bound, and whether it steps by one.
fn counter(tree: &Tree, s: StmtId) -> Option<(SymId, bool)> {
    let step = tree.ends_by_step(s, |body, e, var| body.keeps_bound(e, var))?;
    Some((step.var, !matches!(step.by, Stride::By(_))))
}

/// Returns whether an expression is an element or member that may be read from a copy.
fn can_be_kept(tree: &Tree, e: ExprId) -> bool {
    let (types, q) = (&tree.typed.types, tree.typed.ty(e));
    let object = matches!(
        tree.unit.exprs[e].kind,
        ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { .. }
    );
    object && types.is_shared(q) && may_be_copied(types, q) && !crate::facts::places::is_bit_field(tree, e)
}

/// Returns whether a read is likely to hit the cache, and its loops are sure to end.
fn pays(tree: &Tree, levels: &[Level], e: ExprId) -> bool {
    let span = tree.unit.exprs[e].at;
    let around = levels.iter().filter(|level| level.span.lo <= span.lo && span.hi <= level.span.hi);
    let Some(counters) = around.map(|level| level.counter).collect::<Option<Vec<_>>>() else { return false };
    let (unit, typed) = (&tree.unit, &tree.typed);
    let reads = |within: ExprId, but: ExprId| {
        let read = |inner| {
            let q = typed.ty(inner);
            inner != but && typed.types.is_shared(q) && typed.types.is_scalar(q)
        };
        exists(unit, Any::Expr(within), read)
    };
    let counted = |e: ExprId| counters.iter().any(|&(var, _)| mentions(unit, typed, e, var));
    if !counted(e) || (reads(e, e) && !is_of_directory(tree, e, &reads, &counted)) {
        return false;
    }
    let beside = || match (&unit.exprs[e].kind, counters.last()) {
        (&ExprKind::Index(a, b), Some(&(var, true))) => {
            [a, b].into_iter().any(|index| offset_from(unit, typed, index, var).is_some())
        }
        (&ExprKind::Unary(UnOp::Deref, p), Some(&(var, true))) => name(unit, typed, p) == Some(var),
        _ => false,
    };
    counters.len() > 1 || beside()
}

/// Returns whether `e` is an element, subscripted by counters, of an array that a small object names. The
/// address of this object contains no read.
fn is_of_directory(
    tree: &Tree,
    e: ExprId,
    reads: &dyn Fn(ExprId, ExprId) -> bool,
    counted: &dyn Fn(ExprId) -> bool,
) -> bool {
    let ExprKind::Index(a, b) = tree.unit.exprs[e].kind else { return false };
    let (base, index) = subscripted(tree, a, b);
    let named = tree.unit.bare(base);
    can_be_kept(tree, named) && !reads(named, named) && !reads(index, e) && counted(index)
}

// ---- rewriting -----------------------------------------------------------------------------------

/// Marks the reads to cache. Returns false if there is none: all read the thread's own elements or are done
/// in another way.
fn rewrite(tree: &mut Tree, s: StmtId, kept: &HashSet<AccessId>) -> bool {
    let mut reads = Vec::new();
    each_statement(tree, s, &mut |s| {
        each_expr(&tree.unit, Any::Stmt(s), |e| {
            let kept = kept.contains(&tree.id(e)) && can_be_kept(tree, e);
            let remote = tree.access(e).is_none() && !is_part_of_own(tree, e);
            reads.extend((kept && remote).then_some(e));
            true
        });
    });
    if reads.is_empty() {
        return false;
    }
    for e in reads {
        tree.mark(e, Access::Cached(None));
    }
    let inner = match tree.nodes(s) {
        Some(nodes) => nodes.to_vec(),
        None => vec![Node::Stmt(tree.shallow(s))],
    };
    let begin = Node::Do(Term::call(Primitive::CacheBegin, []));
    tree.remark(ID, s, Ok(String::from("reads from other hosts")));
    tree.replace(s, [vec![begin], inner].concat());
    true
}
