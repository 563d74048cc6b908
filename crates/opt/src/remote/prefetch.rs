//! Prefetching of remote reads.
//!
//! `for (i = 0; i < n; i++) sum += a[k[i]];` waits for each element in turn. Over a network each read is a
//! round trip. But the reads of iteration i can be requested before earlier iterations have run. So the loop
//! is split into *parts* of many iterations: a part first computes all their addresses and starts all their
//! reads, then it runs the iterations with the values that have arrived.
//!
//! *Why it is allowed.* A relaxed read may be done before others, and before private work, unless the program
//! could tell (UPC 5.1.2.3). A loop gets a plan only if it has no strict accesses, calls no function that
//! could have any, and is left by its condition alone. If the loop may write to prefetched objects, a part
//! ends before the first iteration that reads an object which an earlier iteration of the part writes
//! ([`crate::facts::dependences`]). Local objects are read in advance as well, so that an iteration need not
//! test where its object is, unless the loop writes by a private pointer that may lead to the object: such
//! writes are not tested.
//!
//! [`cuts`] finds the accesses at which an iteration waits, and the *stage* of each: the number of reads that
//! its address or a condition around it depends on, one after the other. The facts of the loop decide how it
//! is read ahead:
//!
//! - [`rounds`], a cut that repeats: the loop follows the values that it reads for an unknown number of
//!   steps.
//! - [`stages`], several cuts: it has accesses under conditions or in loops inside, atomic operations with
//!   results, or writes that are not known in advance.
//! - [`parts`], one cut, or several in a row: all other loops.
//!
//! The rest of this text is about parts. All early values here are right, in the sense of
//! [`crate::facts::early`]: an iteration's variables, tests and reads come in the order of the text, so
//! nothing is computed from a value that has not been tested, and no address is followed that the program
//! would not follow.
//!
//! An object with the same address in all iterations is read once for a part: an element of a directory of
//! shared pointers, `dir[t][i] = x`. If nothing else is read in advance, a part is a few thousand iterations.
//!
//! *Two parts under way.* While a part runs, the reads of the next part travel: each pass of the loop over
//! parts starts the reads of the next part before it waits for those of the current one. The two then count
//! as one part, of which the first half runs first, so the argument above holds. If the loop may write to the
//! objects that it reads, the next part ends before the first iteration that reads an object which an earlier
//! iteration of either part writes. A read is therefore done in advance of two parts at most. Parts do not
//! overlap if the cache is used, which may forget requested lines when a part begins, nor if an object is
//! read once for a part.
//!
//! *Addresses that are read themselves*, `table[index[i]]` with a shared `index`: the elements of `index` are
//! *held*. Their reads, local ones included, are started in an earlier stage, for the whole part, and the
//! part keeps their values. So each address is computed once, from one value, even if other threads write
//! there meanwhile. Only the last stage of the next part travels while a part runs.
//!
//! *Bounds that are read themselves*, `for (k = row[v]; k < row[v + 1]; k++)` with a shared `row`: if the
//! loop does not write the bound, it is read once before the loop, where the condition reads it in any case.
//! Several reads of one object may all have the value that it had at one time, if this thread neither writes
//! it nor synchronises between them.
//!
//! *Bounds that grow*, `for (head = 0; head < tail; head++)` where iterations append to a queue (`tail++`):
//! if the condition holds for an iteration now, it still holds when that iteration runs.
//!
//! A `upc_forall` over a thread's own part is such a loop too. Accesses that [`crate::owned::forall`] has
//! found to be local are not prefetched.
//!
//! *Limits.*
//!
//! - UPC only, and only the version of a loop for several hosts ([`crate::remote::versioning`]).
//! - Scalars, and structs of a few hundred bytes, of which fewer are under way.
//!
//! *Generated code.* A loop over parts ([`parts`]). Each part has:
//!
//! - for each stage, a [`Node::Loop`] that tests reads ([`Node::Leave`]), notes writes, and starts reads into
//!   buffers ([`Node::Hold`], [`Node::Start`]), and a [`Node::Wait`] ([`walk`]);
//! - the iterations, whose reads are [`Access::Staged`], [`Access::Prefetched`] and [`Access::Held`].
//!
//! All these loops count by the program's own variable. After a part without remote objects, iterations run
//! without prefetching until one has read a remote object.
//!
//! [`Access::Staged`]: crate::ir::tree::Access::Staged
//! [`Access::Prefetched`]: crate::ir::tree::Access::Prefetched
//! [`Access::Held`]: crate::ir::tree::Access::Held
//! [`Node::Hold`]: crate::ir::tree::Node::Hold
//! [`Node::Wait`]: crate::ir::tree::Node::Wait
//! [`Node::Leave`]: crate::ir::tree::Node::Leave
//! [`Node::Start`]: crate::ir::tree::Node::Start

mod cuts;
mod head;
mod iterations;
mod nodes;
mod parts;
mod rounds;
mod stages;
mod walk;

use self::cuts::Cuts;
use self::head::Head;
use self::iterations::Iterations;
use self::nodes::{Parts, reads_once};
use crate::facts::heads::Heads;
use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Counting, Excluded, Hosts, Loop, Node, Slot, Step, Term, Tree};
use crate::ir::walk::{each_loop, rewrite_loops};
use c_sema::typed::SymId;
use c_syntax::ast::*;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("prefetch");

/// Runs the pass.
pub(crate) fn run(tree: &mut Tree) {
    each_loop(tree, &mut |tree, s, context| {
        if context.hosts == Hosts::One || context.seldom {
            return false;
        }
        if tree.nodes(s).is_some() {
            rewrite_loops(tree, s, context.hosts, &mut |tree, l, hosts| match hosts {
                Hosts::Many => made_loop(tree, s, l),
                _ => None,
            });
        } else if context.hosts == Hosts::Many && tree.is_free(s) {
            program_loop(tree, s);
        }
        true
    });
}

/// How a loop is read ahead.
enum Planned {
    /// In parts, with two under way if possible: its writes are tested.
    Parts(Cuts),
    /// In stages: its writes are noted.
    Stages(Cuts),
    /// In rounds, as far as its reads lead.
    Rounds(rounds::Plan),
}

/// Chooses the way of reading ahead the loop `s` with this variable and body. Returns it with the better ways
/// that the loop's facts exclude. `head` says whether the loop's own head can be evaluated before its
/// iterations run. Reports the reads that are left out, with the reasons, and a loop for which there is no
/// way.
fn choose(
    tree: &mut Tree,
    s: StmtId,
    var: SymId,
    body: StmtId,
    head: impl Fn(&Tree, &Heads) -> Result<(), Reason>,
) -> Option<(Planned, Vec<Excluded>)> {
    let mut excluded = Vec::new();
    let known = |heads: &Heads| head(tree, heads);
    let planned = iterations::of_loop(tree, s, var, body, known, |of| Ok(way(of, &mut excluded)));
    let no_rounds = match (&planned, excluded.first()) {
        (Err(why), _) => *why,
        (Ok(_), Some(first)) => first.why,
        (Ok(_), None) => Reason::NothingFollowed,
    };
    if !matches!(no_rounds, Reason::NothingFollowed | Reason::OtherKind) {
        rounds::followed(tree, body).into_iter().for_each(|e| tree.refuse(e, no_rounds));
    }
    match planned.and_then(|planned| planned) {
        Ok(planned) => Some((planned, excluded)),
        Err(why) => {
            tree.choice(ID, s, Err(why), excluded);
            None
        }
    }
}

/// Returns the way of these iterations. Adds the ways that their facts exclude to `excluded`, rounds first.
fn way(of: &Iterations, excluded: &mut Vec<Excluded>) -> Result<Planned, Reason> {
    let mut not = |way, why| excluded.push(Excluded { way, why });
    match rounds::plan(of) {
        Ok(plan) => return Ok(Planned::Rounds(plan)),
        Err(why) => not("rounds", why),
    }
    let tested = cuts::tested(of);
    match cuts::noted(of, tested.as_ref().ok()) {
        Ok(cuts) => return Ok(Planned::Stages(cuts)),
        Err(why) => not("stages", why),
    }
    tested.map(Planned::Parts)
}

impl Planned {
    /// Returns the rewritten loop. Reports which reads are prefetched and which are not.
    fn rewritten(&self, tree: &mut Tree, s: StmtId, excluded: Vec<Excluded>, parts: Parts) -> Vec<Node> {
        let (summary, refused) = match self {
            Planned::Parts(cuts) => (cuts.summary_tested(tree), &cuts.refused[..]),
            Planned::Stages(cuts) => (cuts.summary(tree), &cuts.refused[..]),
            Planned::Rounds(plan) => (plan.summary(tree), &[][..]),
        };
        refused.iter().for_each(|&(e, why)| tree.refuse(e, why));
        tree.choice(ID, s, Ok(summary), excluded);
        match self {
            Planned::Parts(cuts) => parts::rewritten(tree, cuts, parts),
            Planned::Stages(cuts) => stages::rewritten(tree, cuts, parts),
            Planned::Rounds(plan) => rounds::rewritten(tree, plan, parts),
        }
    }
}

/// Rewrites a loop of the program's text.
fn program_loop(tree: &mut Tree, s: StmtId) {
    let StmtKind::For { cond: Some(cond), step: Some(step), body, .. } = tree.unit.stmts[s].kind else {
        return;
    };
    let head = match Head::of(tree, s, cond) {
        Ok(head) => head,
        Err(why) => return tree.remark(ID, s, Err(why)),
    };
    let (var, known) = (head.step.var, |tree: &Tree, heads: &Heads| head.is_known(tree, heads));
    let Some((planned, excluded)) = choose(tree, s, var, body, known) else { return };
    // The first clause stays that of the original statement.
    let mut front = vec![Node::First(s)];
    let bounds = reads_once(tree, &head.bounds.into_inner(), &mut front);
    let (counter, go, step) = (Slot::Sym(var), Term::Holds(cond), vec![Step::Effect(step)]);
    let parts = Parts { counter, go, step, each: Vec::new(), body };
    let parted = planned.rewritten(tree, s, excluded, parts);
    tree.replace(s, [front, bounds, parted].concat());
}

/// Rewrites a loop that an earlier optimisation has made, in the version for several hosts. If it counts
/// iterations of the program, the last node of its body is the iteration; no other loop is rewritten.
fn made_loop(tree: &mut Tree, s: StmtId, l: &Loop) -> Option<Vec<Node>> {
    let (Counting { counter, var, .. }, &Node::Stmt(body)) = (l.counts?, l.body.last()?) else { return None };
    let (planned, excluded) = choose(tree, s, var, body, |_, _| Ok(()))?;
    let each = l.body[..l.body.len() - 1].to_vec();
    let (counter, go, step) = (Slot::Made(counter), l.go.clone(), l.step.clone());
    Some(planned.rewritten(tree, s, excluded, Parts { counter, go, step, each, body }))
}
