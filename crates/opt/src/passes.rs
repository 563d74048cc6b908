//! The list of the optimisations, in their order, and the functions that run them.
//!
//! To add an optimisation: a file with its argument, its name, its analysis and its rewriting; a row in
//! [`PASSES`]; and a directory of loops in `tests/loops`.

use crate::ir::pass_id::PassId;
use crate::ir::reason::Reason;
use crate::ir::tree::{Remark, Tree};
use crate::ir::walk::definitions;
use crate::loops::{induction, unroll, while_loops};
use crate::owned::{
    forall, forall_pointers, indefinite, local_rows, neighbours, own, store_counting, strided, strip_mining,
};
use crate::remote::{caching, directories, halos, prefetch, sections, versioning};
use crate::updates::{accumulate, extremum, scatter};
use crate::verify::{Broken, verify_bodies};
use base::Span;
use c_syntax::ast::*;

/// An optimisation.
pub struct Pass {
    /// The name of the pass.
    pub id: PassId,
    pub(crate) run: fn(&mut Tree),
    /// The pass is a choice for the accesses of a loop that may go to other hosts.
    pub(crate) plans: bool,
}

impl Pass {
    const fn new(id: PassId, run: fn(&mut Tree)) -> Pass {
        Pass { id, run, plans: false }
    }

    /// Returns a choice for accesses that may go to other hosts. The choices stand in their order, better
    /// ones first: a pass takes the loops, and the accesses in them, that those before it have left.
    const fn choice(id: PassId, run: fn(&mut Tree)) -> Pass {
        Pass { id, run, plans: true }
    }
}

/// All passes, in their order. Those from sections to prefetch are the choices of the plan for accesses that
/// may go to other hosts; `--emit=tree` prints the plan of each loop ([`crate::explain`]). The comment of a
/// row gives the effect of the pass, its *needs* from earlier passes, and the results that it *leaves* to
/// later ones and to lowering.
pub const PASSES: &[Pass] = &[
    // `while` loops that count become `for` loops.
    // Leaves: loops whose shape is known (`facts/shapes.rs`).
    Pass::new(while_loops::ID, while_loops::run),
    // `a[MYTHREAD]` and similar elements are at a constant distance from the thread's part.
    // Leaves: `Access::Own`.
    Pass::new(own::ID, own::run),
    // Split-C: a loop counts its signalling stores in a register.
    // Leaves: `Access::Counted`.
    Pass::new(store_counting::ID, store_counting::run),
    // Split-C, AC: loops over cyclic and spread arrays go a processor at a time.
    // Leaves: `Access::Element`, `Access::Reduction`.
    Pass::new(strip_mining::ID, strip_mining::run),
    // `upc_forall` by an index goes over the thread's own rows by local pointers.
    // Leaves: `Node::Loop` over own rows, `Access::Element`; the plain form, which runs seldom.
    Pass::new(forall::ID, forall::run),
    // `upc_forall` by a pointer, likewise.
    // Leaves: as `forall`.
    Pass::new(forall_pointers::ID, forall_pointers::run),
    // Loops that step by THREADS go over own elements by a local pointer.
    // Leaves: `Access::Element`, `Access::AndNext`.
    Pass::new(strided::ID, strided::run),
    // A loop becomes two: for jobs on one host, and for jobs on several.
    // Needs: marks on own elements, whose accesses need no test.
    // Leaves: `Node::Known`.
    Pass::new(versioning::ID, versioning::run),
    // Neighbours of own elements of cyclic arrays, by local pointers.
    // Needs: loops over own rows; the version for one host.
    // Leaves: `Access::Element`.
    Pass::new(neighbours::ID, neighbours::run),
    // The box of an array that a nest accesses is copied before the nest, and put back after it.
    // Needs: the version for several hosts.
    // Leaves: `Access::Element` of the copies.
    Pass::choice(sections::ID, sections::run),
    // A loop over rows that lie on this host runs as on one host.
    // Needs: the version for several hosts.
    // Leaves: `Node::Known` inside of it.
    Pass::choice(local_rows::ID, local_rows::run),
    // Remote reads of a nest are cached by lines.
    // Needs: the version for several hosts.
    // Leaves: `Access::Cached`.
    Pass::choice(caching::ID, caching::run),
    // Rows of others are requested before a loop over own rows.
    // Needs: reads that are cached; loops over own rows.
    // Leaves: requests; the loop in another order.
    Pass::choice(halos::ID, halos::run),
    // Parts of arrays that a directory names are requested before their loop.
    // Needs: reads that are cached; sections that copy the directory.
    // Leaves: requests.
    Pass::choice(directories::ID, directories::run),
    // Reads of many iterations are under way at a time: parts, nests, stages, rounds.
    // Needs: the version for several hosts; the cache's marks.
    // Leaves: `Access::Prefetched`, `Access::Held` and their loops.
    Pass::choice(prefetch::ID, prefetch::run),
    // Elements of indefinite arrays, by local pointers.
    // Needs: all own elements are marked.
    // Leaves: `Access::Element`.
    Pass::new(indefinite::ID, indefinite::run),
    // Pointers-to-shared that walk through one thread's memory, as counters.
    // Needs: as `indefinite`.
    // Leaves: `Access::Element`, `Access::Step`.
    Pass::new(induction::ID, induction::run),
    // Updates `op=` are done by the owner of the object.
    // Needs: objects that no earlier pass has marked.
    // Leaves: `Access::Accumulated`.
    Pass::new(accumulate::ID, accumulate::run),
    // Minima and maxima are done by the owner of the object.
    // Needs: objects that no earlier pass has marked.
    // Leaves: `Node::Extremum`.
    Pass::new(extremum::ID, extremum::run),
    // Accesses in no order choose between local and remote objects without a branch.
    // Needs: all accesses are known.
    // Leaves: marks (`Tree::scatter`).
    Pass::new(scatter::ID, scatter::run),
    // On one host, a few iterations for each test of the condition.
    // Needs: all accesses are known.
    // Leaves: `Node::Unrolled`.
    Pass::new(unroll::ID, unroll::run),
];

/// Runs passes, and verifies the result ([`crate::verify`]): after each of them (`each`), or once after all,
/// which costs a tenth of the time. If the check after all passes finds a fault, all changes are undone, and
/// the passes run again with a check after each. Returns the faults of each pass.
pub(crate) fn run(tree: &mut Tree, passes: &[Pass], each: bool) -> Vec<(PassId, Broken)> {
    if !each {
        tree.begin_pass();
        passes.iter().for_each(|pass| (pass.run)(tree));
        if verify_bodies(tree, &changed(tree)).is_empty() {
            return Vec::new();
        }
        tree.undo_pass();
    }
    let faults =
        |pass: &Pass| apply(tree, pass).into_iter().map(|broken| (pass.id, broken)).collect::<Vec<_>>();
    passes.iter().flat_map(faults).collect()
}

/// Runs a pass, and verifies the functions that it has changed ([`crate::verify`]). A loop that the pass
/// breaks stays as it was: all changes of the pass are undone, and it runs again without that loop. Returns
/// the faults.
pub fn apply(tree: &mut Tree, pass: &Pass) -> Vec<Broken> {
    let mut faults = Vec::new();
    loop {
        tree.begin_pass();
        (pass.run)(tree);
        let broken = verify_bodies(tree, &changed(tree));
        if broken.is_empty() {
            break;
        }
        let culprits: Vec<Span> = broken.iter().filter_map(|broken| culprit(tree, broken)).collect();
        tree.undo_pass();
        faults.extend(broken);
        if culprits.is_empty() {
            break;
        }
        culprits.into_iter().for_each(|part| _ = tree.leave(part));
    }
    for part in tree.end_pass() {
        let (at, begins) = (part.lo, tree.unit.begins(part));
        let (outcome, excluded) = (Err(Reason::WouldBreak), Vec::new());
        tree.remarks.push(Remark { pass: pass.id, at, begins, outcome, excluded });
    }
    faults
}

/// The bodies of the functions in which a pass has changed something.
fn changed(tree: &Tree) -> Vec<StmtId> {
    let mut places: Vec<u32> = tree.edited().collect();
    places.sort_unstable();
    let changed = |&body: &StmtId| {
        let span = tree.unit.stmts[body].at;
        places.get(places.partition_point(|&at| at < span.lo)).is_some_and(|&at| at < span.hi)
    };
    definitions(tree).map(|of| of.body).filter(changed).collect()
}

/// The part that a pass must leave alone, so that a fault does not come again: the innermost loop around the
/// fault that the pass has rewritten, otherwise the outermost loop, or the function. None if the pass leaves
/// all of these alone already.
fn culprit(tree: &Tree, broken: &Broken) -> Option<Span> {
    let free = |part: &&Span| !tree.is_left(**part);
    let rewritten = broken.loops.iter().rev().find(|part| tree.has_rewritten(**part) && free(part));
    rewritten.or(broken.loops.iter().chain([&broken.body]).find(free)).copied()
}
