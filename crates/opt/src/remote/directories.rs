//! Directories: a loop over a thread's own numbers that reads the elements with these numbers, of every array
//! that a directory names, requests them in advance.
//!
//! ```c
//! upc_forall (c = 0; c < n; c++; c)
//!     for (int t = 0; t < THREADS; t++)
//!         sum[c] += counts[t][c];
//! ```
//!
//! reads every THREADS-th element of each of these arrays. The cache ([`crate::remote::caching`]) detects
//! after some reads that those of an array are sequential, and then requests some kilobytes in advance;
//! until then the loop waits for each line, of each array. But the first and the last element are known
//! before the loop. So this whole range is requested there, by one message or a few for each array.
//!
//! *Why it is allowed.* As for all reads of the cache while its nest runs, though the program may not come to
//! them ([`crate::remote::caching`]). A write of the nest to requested memory waits until the data is there
//! (`runtime/rma/ahead/cache.c`), and only memory that the owner has is read. The directory's elements come
//! from a copy ([`crate::remote::sections`]): the nest reads all of them, and follows each, since the read of
//! the pointer is a part of the read that goes through the pointer. The nest does not write to them. So, by
//! the rule of [`crate::facts::early`], no pointer is followed that the program would not follow. A
//! variable of the inner loop alone counts the arrays, and the ends of this loop are the same in all
//! iterations.
//!
//! *Limits.* Loops over own numbers ([`crate::owned::forall`]) that contain one loop, in steps of one, around
//! a read `directory[t][c + k]` that the cache serves. If the loop steps by THREADS, so many elements must
//! fit into a piece of the cache, which would then request no less.
//!
//! *Result.* A loop over the arrays, before the loop, that requests the elements ([`Primitive::CacheRow`]).

use crate::facts::affine::number_from;
use crate::facts::body::Body;
use crate::facts::dependences::Dependences;
use crate::facts::equality::is_written_alike;
use crate::facts::places::subscripted;
use crate::facts::shapes::{Head, mentions};
use crate::ir::pass_id::PassId;
use crate::ir::tree::{Access, Counting, Early, Hosts, Loop, Node, Primitive, Step, Term, Tree};
use crate::ir::walk::{each_loop, each_statement, is_loop, rewrite_loops};
use c_sema::typed::SymId;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};

/// Bytes of a piece of the cache.
const PIECE: i64 = 64;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("directories");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::One || context.seldom {
            return false;
        }
        rewrite_loops(tree, s, context.hosts, &mut |tree, l, hosts| match hosts {
            Hosts::Many => over_numbers(tree, s, l),
            _ => None,
        });
        true
    });
}

/// Rewrites a loop over own numbers, if memory may be remote.
fn over_numbers(tree: &mut Tree, s: StmtId, l: &Loop) -> Option<Vec<Node>> {
    let (counting, body, _) = l.counted()?;
    let end = l.end()?;
    let found = reads(tree, body, counting.var);
    let mut asks = Vec::new();
    for read in &found {
        tree.ask_early(Early::Directory, tree.id(read.e));
        asks.push(asking(tree, l, counting, end.into(), read));
    }
    if asks.is_empty() {
        return None;
    }
    tree.remark(ID, s, Ok(format!("{} reads of arrays that directories name", found.len())));
    asks.push(Node::Do(Term::call(Primitive::CacheRowsSent, [])));
    let ask = Node::If { test: tree.copy_term(&l.go), then: asks, otherwise: Vec::new() };
    Some(vec![ask, Node::Loop(l.clone())])
}

/// A read of an element of an array that a directory names.
struct Read {
    e: ExprId,
    /// The directory's element.
    named: ExprId,
    /// The loop that counts the directory's elements.
    over: StmtId,
    /// Bytes of an element.
    size: i64,
}

/// Returns the reads in a loop's body whose last subscript `var` counts; one for each directory and
/// subscript.
fn reads(tree: &Tree, body: StmtId, var: SymId) -> Vec<Read> {
    let mut loops = Vec::new();
    each_statement(tree, body, &mut |s| loops.extend(is_loop(&tree.unit.stmts[s].kind).then_some(s)));
    let facts = Body::new(tree, body);
    let Ok(dependences) = Dependences::new(&facts) else { return Vec::new() };
    let mut found: Vec<Read> = Vec::new();
    for &over in &loops {
        let span = tree.unit.stmts[over].at;
        let alone = loops.iter().all(|&other| {
            let of = tree.unit.stmts[other].at;
            other == over || of.hi <= span.lo || span.hi <= of.lo
        });
        if !alone || tree.nodes(over).is_some() {
            continue;
        }
        each_expr(&tree.unit, Any::Stmt(over), |e| {
            let read = read(&facts, e, over, var);
            let read = read.filter(|read| !dependences.may_write(read.named));
            let known =
                |read: &Read| found.iter().any(|of| of.over == over && is_written_alike(tree, of.e, read.e));
            found.extend(read.filter(|read| !known(read)));
            true
        });
    }
    found
}

fn read(body: &Body, e: ExprId, over: StmtId, var: SymId) -> Option<Read> {
    let Body { tree, unit, typed, .. } = *body;
    let (Some(Access::Cached(_)), ExprKind::Index(a, b)) = (tree.access(e), &unit.exprs[e].kind) else {
        return None;
    };
    let (base, index) = subscripted(tree, *a, *b);
    number_from(unit, typed, index, var)?;
    let named = unit.bare(base);
    let copied = matches!(tree.access(named), Some(Access::Element { .. }))
        && tree.is_asked_early(Early::Section, named);
    let Head { first, bound, .. } = tree.counts_up(over).filter(|head| head.first.declares)?;
    let ends = [first.value, bound].into_iter().all(|e| body.keeps_bound(e, var));
    let size = i64::try_from(typed.types.size_of(typed.ty(e))?).ok()?;
    let taken = mentions(unit, typed, named, first.var)
        && !mentions(unit, typed, named, var)
        && body.named_in_front(named, &[first.var]);
    (copied && ends && taken).then_some(Read { e, named, over, size })
}

/// Requests the range from the first to the last element that the loop reads of each array, if the array is
/// remote.
fn asking(tree: &mut Tree, l: &Loop, counting: Counting, end: Term, read: &Read) -> Node {
    let over = tree.copy(read.over);
    let StmtKind::For { cond: Some(cond), step: Some(step), .. } = tree.unit.stmts[over.stmt].kind else {
        unreachable!("it has a bound and steps")
    };
    let threads = Term::threads;
    let last = Term::bin("-", end, counting.counter.into()).plus(-1);
    let last = if counting.turns { Term::bin("*", last, threads()) } else { last };
    let bytes = Term::bin("*", last.plus(1), Term::Num(read.size));
    let first = Term::Address(tree.copy_expr(over.expr(read.e)));
    let row = Term::call(Primitive::CacheRow, [first, bytes]);
    let remote = Term::Remote(over.expr(read.named));
    let inside = vec![
        Node::If { test: remote, then: vec![Node::Do(row)], otherwise: Vec::new() },
        Node::Leave(Term::Name(Primitive::CacheRowsFull)),
    ];
    let arrays = Loop { go: Term::Holds(cond), step: vec![Step::Effect(step)], body: inside, counts: None };
    // The variable has its first value, in a scope of its own.
    let mut once = tree.copy_nodes(&l.body[..l.body.len() - 1]);
    once.extend([Node::First(over.stmt), Node::Loop(arrays)]);
    let dense = match counting.turns {
        true => Term::bin("<=", Term::bin("*", threads(), Term::Num(read.size)), Term::Num(PIECE)),
        false => Term::Num(1),
    };
    Node::If { test: dense, then: once, otherwise: Vec::new() }
}
