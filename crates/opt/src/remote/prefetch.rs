//! Prefetching of remote reads.
//!
//! `for (i = 0; i < n; i++) sum += a[k[i]];` waits for each element in turn. Over a network each is a message
//! there and back. But what iteration i reads can be requested before earlier iterations have run. So the
//! loop goes in parts of some hundred iterations: first it computes all their addresses and starts all their
//! reads, then it runs the iterations with the values that have come.
//!
//! *Why it is allowed.* A relaxed read may be done before others, and before private work, unless the
//! program could tell (UPC 5.1.2.3). A plan is for loops that have no strict accesses, call nothing that
//! could, and are left by their condition alone. Where such a loop may write to what is read in advance, a
//! part ends in front of the first iteration that reads what an earlier one of the part writes
//! ([`crate::facts::dependences`]). What is on this host is read in advance as well, so that an iteration
//! need not ask where its object is, unless the loop writes by a private pointer that may lead to it: that is
//! not tested. The addresses that are computed first are those that the iterations compute
//! ([`crate::facts::addresses`]): all that is early here is right, as [`crate::facts::early`] says. Only what
//! every iteration reads is prefetched, and an iteration's variables, tests and reads come in the order of
//! the text, so that nothing is computed of a value that has not been tested. So no address is followed that
//! the program would not follow. What is read at the same address in all iterations is read once for a
//! part: an element of a directory of shared pointers, `dir[t][i] = x`. Where nothing else is read in
//! advance, a part is a few thousand iterations.
//!
//! *Two parts under way.* While a part runs, the reads of the part behind it travel: a turn starts these
//! before it waits for its own. That is as if the two were one part, of which the first half runs first, so
//! it is allowed for the same reason; where the loop may write to what it reads, the part behind ends in
//! front of the first iteration that reads what an earlier one of either part writes. A read is therefore
//! done in advance of two parts at most. Not where the cache is asked, which may forget what is under way
//! when a part begins, nor where something is read once for a part.
//!
//! *Addresses that are read themselves*, `table[index[i]]` with a shared `index`: what they are made of is
//! held. Its reads, be they local, are started first, for the whole part, and its values stay those of the
//! part. So an address is computed once of one value, whatever other threads write there meanwhile.
//!
//! *Bounds that are read themselves*, `for (k = row[v]; k < row[v + 1]; k++)` with a shared `row`: if the
//! loop does not write the bound, it is read once in front of the loop, where the condition reads it in any
//! case. Reads of one object between which this thread neither writes it nor synchronises may all have the
//! value that it had at one time.
//!
//! *Bounds that grow*, `for (head = 0; head < tail; head++)` where iterations append to a queue (`tail++`):
//! an iteration that the condition lets run now, it lets run when its turn has come.
//!
//! A `upc_forall` that goes over a thread's own part ([`crate::owned::forall`]) is such a loop too; what it
//! has found to be local is not prefetched.
//!
//! *Limits.* UPC; scalars, and structs of a few hundred bytes, of which fewer are under way; addresses that
//! take at most one more read of the same iteration; what takes more, or depends on conditions, is read in
//! [`stages`], and what a loop inside follows, nobody knows how far, in [`rounds`]. In the version of a loop
//! for several hosts only ([`crate::remote::versioning`]).
//!
//! *What it becomes.* A loop over parts ([`parts`]): one [`Node::Loop`] that starts the reads of what is held
//! ([`Node::Hold`]) and a [`Node::Wait`]; one that tests ([`Node::Leave`]), notes what is written, and starts
//! the part's other reads ([`Node::Start`]) into buffers, a [`Node::Wait`] for all of them, and the
//! iterations, whose reads are [`Access::Prefetched`] and [`Access::Held`]. All count by the program's own
//! variable. After a part in which nothing was remote the iterations run without that, until one has met
//! something that is.
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

/// The optimisation.
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
    /// By itself.
    Alone(Plan),
    /// By what its reads depend on.
    Stages(stages::Plan),
    /// As far as its reads lead.
    Rounds(rounds::Plan),
}

/// The best way of the loop `s` with this variable and body, and the better ones that its facts exclude;
/// `head` says whether its own head can be evaluated before its iterations run. Tells of reads that are left
/// out, and why; and of a loop for which there is no way.
///
/// What follows what it reads goes in rounds, since one part of it knows nothing of the next. Stages are for
/// what has cuts in loops inside, several, or conditions, if they read more ahead than the plan with one cut.
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

/// The best way of these iterations. Those that are better than it are `excluded`, rounds first.
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
    /// What the loop becomes; tells what is prefetched and what is not.
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

/// Rewrites a loop of the program's.
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
    // The first clause is the original's, what it was stays there.
    let mut front = vec![Node::First(s)];
    let bounds = reads_once(tree, &head.bounds.into_inner(), &mut front);
    let (counter, go, step) = (Slot::Sym(var), Term::Holds(cond), vec![Step::Effect(step)]);
    let parts = Parts { counter, go, step, each: Vec::new(), body };
    let parted = planned.rewritten(tree, s, excluded, parts);
    tree.replace(s, [front, bounds, parted].concat());
}

/// Rewrites a loop that an earlier optimisation has made, where memory may be remote: of one that counts
/// iterations of the program's, the last node is the iteration.
fn made_loop(tree: &mut Tree, s: StmtId, l: &Loop) -> Option<Vec<Node>> {
    let (Counting { counter, var, .. }, &Node::Stmt(body)) = (l.counts?, l.body.last()?) else { return None };
    let (planned, excluded) = choose(tree, s, var, body, |_, _| Ok(()))?;
    let each = l.body[..l.body.len() - 1].to_vec();
    let (counter, go, step) = (Slot::Made(counter), l.go.clone(), l.step.clone());
    Some(planned.rewritten(tree, s, excluded, Parts { counter, go, step, each, body }))
}
