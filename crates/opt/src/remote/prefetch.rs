//! Prefetching of remote reads.
//!
//! `for (i = 0; i < n; i++) sum += a[k[i]];` waits for each element in turn. Over a network each read is a
//! round trip. But the reads of iteration i can be requested before earlier iterations have run. So the loop
//! is split into *parts* of some hundred iterations: a part first computes all their addresses and starts all
//! their reads, then it runs the iterations with the values that have arrived.
//!
//! *Why it is allowed.* A relaxed read may be done before others, and before private work, unless the program
//! could tell (UPC 5.1.2.3). A loop gets a plan only if it has no strict accesses, calls no function that
//! could have any, and is left by its condition alone. If the loop may write to prefetched objects, a part
//! ends before the first iteration that reads an object which an earlier iteration of the part writes
//! ([`crate::facts::dependences`]). Local objects are read in advance as well, so that an iteration need not
//! test where its object is, unless the loop writes by a private pointer that may lead to the object: such
//! writes are not tested.
//!
//! The addresses that are computed first are those that the iterations compute ([`crate::facts::addresses`]):
//! all early values here are right, in the sense of [`crate::facts::early`]. Only reads that every iteration
//! does are prefetched. An iteration's variables, tests and reads come in the order of the text, so nothing
//! is computed from a value that has not been tested, and no address is followed that the program would not
//! follow.
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
//! *held*. Their reads, local ones included, are started first, for the whole part, and the part keeps their
//! values. So each address is computed once, from one value, even if other threads write there meanwhile.
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
//! - An address takes at most one more read of the same iteration. Longer chains, and reads under conditions,
//!   are done in [`stages`]. Chains of unknown length, which a loop inside follows, are done in [`rounds`].
//!
//! *Generated code.* A loop over parts ([`parts`]). Each part has:
//!
//! - a [`Node::Loop`] that starts the held reads ([`Node::Hold`]), and a [`Node::Wait`];
//! - a loop that tests ([`Node::Leave`]), notes writes, and starts the part's other reads ([`Node::Start`])
//!   into buffers, and a [`Node::Wait`] for all of them;
//! - the iterations, whose reads are [`Access::Prefetched`] and [`Access::Held`].
//!
//! All these loops count by the program's own variable. After a part without remote objects, iterations run
//! without prefetching until one has read a remote object.
//!
//! [`Access::Prefetched`]: crate::ir::tree::Access::Prefetched
//! [`Access::Held`]: crate::ir::tree::Access::Held
//! [`Node::Hold`]: crate::ir::tree::Node::Hold
//! [`Node::Wait`]: crate::ir::tree::Node::Wait
//! [`Node::Leave`]: crate::ir::tree::Node::Leave
//! [`Node::Start`]: crate::ir::tree::Node::Start

mod iterations;
mod parts;
mod plan;
mod rounds;
mod stages;

use self::iterations::Iterations;
use self::parts::{Parts, reads_once, rewritten};
use self::plan::{Head, Plan};
use crate::facts::addresses::Addresses;
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
    /// With one cut.
    Alone(Plan),
    /// In stages, in the order of the dependences between its reads.
    Stages(stages::Plan),
    /// In rounds, as far as its reads lead.
    Rounds(rounds::Plan),
}

/// Chooses the best way of reading ahead the loop `s` with this variable and body. Returns it with the better
/// ways that the loop's facts exclude. `head` says whether the loop's own head can be evaluated before its
/// iterations run. Reports the reads that are left out, with the reasons, and a loop for which there is no
/// way.
///
/// Rounds are for loops inside that follow the values they read, since each of their steps says nothing of
/// the next. Stages are for several cuts, cuts in loops inside, or conditions, if they read more ahead than
/// the plan with one cut.
fn choose(
    tree: &mut Tree,
    s: StmtId,
    var: SymId,
    body: StmtId,
    head: impl Fn(&Tree, &Addresses) -> Result<(), Reason>,
) -> Option<(Planned, Vec<Excluded>)> {
    let mut excluded = Vec::new();
    let known = |addresses: &Addresses| head(tree, addresses);
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

/// Returns the best way of these iterations. Adds the better ways that are not possible to `excluded`, rounds
/// first.
fn way(of: &Iterations, excluded: &mut Vec<Excluded>) -> Result<Planned, Reason> {
    let mut not = |way, why| excluded.push(Excluded { way, why });
    match rounds::plan(of) {
        Ok(plan) => return Ok(Planned::Rounds(plan)),
        Err(why) => not("rounds", why),
    }
    let alone = plan::plan(of);
    match stages::plan(of, alone.as_ref().ok()) {
        Ok(plan) => return Ok(Planned::Stages(plan)),
        Err(why) => not("stages", why),
    }
    alone.map(Planned::Alone)
}

impl Planned {
    /// Returns the rewritten loop. Reports which reads are prefetched and which are not.
    fn rewritten(&self, tree: &mut Tree, s: StmtId, excluded: Vec<Excluded>, parts: Parts) -> Vec<Node> {
        let (summary, refused) = match self {
            Planned::Alone(plan) => (plan.summary(tree), &plan.refused[..]),
            Planned::Stages(plan) => (plan.summary(tree), &plan.refused[..]),
            Planned::Rounds(plan) => (plan.summary(tree), &[][..]),
        };
        refused.iter().for_each(|&(e, why)| tree.refuse(e, why));
        tree.choice(ID, s, Ok(summary), excluded);
        match self {
            Planned::Alone(plan) => rewritten(tree, plan, parts),
            Planned::Stages(plan) => stages::rewritten(tree, plan, parts),
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
    let (var, known) = (head.step.var, |tree: &Tree, addresses: &Addresses| head.is_known(tree, addresses));
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
