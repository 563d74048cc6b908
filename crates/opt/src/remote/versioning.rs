//! Loop versioning: a loop for jobs on one host, whose accesses are plain loads and stores, and one for jobs
//! in which memory may be remote, whose accesses test this first.
//!
//! Whether some memory is remote is constant in a job. gcc and clang move the test out of loops only at -O3,
//! and even then the remaining loop is often not as good as one without the test. So the test stands before a
//! loop.
//!
//! *Why it is allowed.* The two loops do the same if both may run; one of them runs. They contain nothing
//! that must exist only once: labels, objects of static storage duration, cases of a switch around the loop.
//!
//! Nothing of the program's is evaluated early ([`crate::facts::early`]).
//!
//! *Limits.* A loop with an empty body waits, and may as well test. In a long loop, and in one that
//! synchronises and contains loops, only the inner loops are versioned: a barrier costs far more than a
//! locality test, and two versions double the work of the C compiler.
//!
//! *Not done.* If the version for several hosts is a function of its own that gcc compiles with -O1,
//! compiling takes 0.7 of the time. But the locality test then stays in the loop: between hosts, a walk over
//! own elements takes 2.8 ns for each rather than 0.5.
//!
//! *Result.* [`Node::If`] on [`Primitive::HasRemote`], each version under [`Node::Known`].

use crate::facts::asking::asking;
use crate::facts::shapes::is_long;
use crate::facts::statements::run_once;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Hosts, Node, Primitive, Term, Tree};
use crate::ir::walk::each_loop;
use c_syntax::ast::*;

/// A loop longer than this (bytes of text) is not written twice.
const LONGEST_LOOP: u32 = 4000;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("versioning");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts != Hosts::Unknown {
            return false;
        }
        if !tree.is_free(s) {
            return true;
        }
        match plan(tree, s) {
            Ok(()) => {
                tree.remark(ID, s, Ok("for one host and for several".into()));
                rewrite(tree, s);
                false
            }
            Err(why) => {
                tree.remark(ID, s, Err(why));
                true
            }
        }
    });
}

fn plan(tree: &Tree, s: StmtId) -> Result<(), Reason> {
    let (unit, typed) = (&tree.unit, &tree.typed);
    let body = match unit.stmts[s].kind {
        _ if run_once(unit, typed, s).is_some() => return Err(Reason::OtherKind),
        StmtKind::While(_, body)
        | StmtKind::Do(body, _)
        | StmtKind::For { body, .. }
        | StmtKind::Forall { body, .. } => body,
        _ => return Err(Reason::OtherKind),
    };
    let span = unit.stmts[s].at;
    if unit.is_empty(body) {
        return Err(Reason::BodyEmpty);
    }
    let long = match tree.nodes(s) {
        Some(_) => is_long(unit, body),
        None => span.hi - span.lo > LONGEST_LOOP,
    };
    if long {
        return Err(Reason::Long);
    }
    if tree.effects(s).single {
        return Err(Reason::Single);
    }
    if tree.effects(s).synchronises && tree.effects(s).loops {
        return Err(Reason::InnerVersioned);
    }
    let (objects, calls) = asking(tree, s);
    if calls || !objects.is_empty() { Ok(()) } else { Err(Reason::NothingAsks) }
}

fn rewrite(tree: &mut Tree, s: StmtId) {
    let (many, one) = (tree.copy(s).stmt, tree.copy(s).stmt);
    let version = |hosts, s| vec![Node::Known(hosts, vec![Node::Stmt(s)])];
    let test = Term::Name(Primitive::HasRemote);
    let (then, otherwise) = (version(Hosts::Many, many), version(Hosts::One, one));
    tree.replace(s, vec![Node::If { test, then, otherwise }]);
}
