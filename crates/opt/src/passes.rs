//! The list of the optimisations, in their order, and the way they take through the tree.
//!
//! To add one: a file with its argument, its analysis and its rewriting, a row in [`PASSES`], and a directory
//! of loops in `tests/loops`.

use crate::tree::{Remark, Tree};
use crate::verify::{Broken, verify_bodies};
use crate::walk::definitions;
use crate::{
    accumulate, caching, directories, extremum, forall, forall_pointers, halos, indefinite, induction,
    local_rows, neighbours, own, prefetch, scatter, sections, store_counting, strided, strip_mining, unroll,
    versioning, while_loops,
};
use base::Span;
use c_syntax::ast::*;

/// An optimisation.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    pub(crate) run: fn(&mut Tree),
}

/// All of them, in order. `while` loops become `for` loops first. What finds own elements comes next: the
/// rest need not ask where these are. Versioning comes before what is for one of the versions. Updates that
/// are left are done by their owners. What is in no order is found when all accesses are known, and so is
/// what is unrolled.
pub const PASSES: &[Pass] = &[
    Pass { name: "while", run: while_loops::run },
    Pass { name: "own", run: own::run },
    Pass { name: "store-counting", run: store_counting::run },
    Pass { name: "strip-mining", run: strip_mining::run },
    Pass { name: "forall", run: forall::run },
    Pass { name: "forall-pointers", run: forall_pointers::run },
    Pass { name: "strided", run: strided::run },
    Pass { name: "versioning", run: versioning::run },
    Pass { name: "neighbours", run: neighbours::run },
    Pass { name: "sections", run: sections::run },
    Pass { name: "local-rows", run: local_rows::run },
    Pass { name: "caching", run: caching::run },
    Pass { name: "halos", run: halos::run },
    Pass { name: "directories", run: directories::run },
    Pass { name: "prefetch", run: prefetch::run },
    Pass { name: "indefinite", run: indefinite::run },
    Pass { name: "induction", run: induction::run },
    Pass { name: "accumulate", run: accumulate::run },
    Pass { name: "extremum", run: extremum::run },
    Pass { name: "scatter", run: scatter::run },
    Pass { name: "unroll", run: unroll::run },
];

/// What is said of a loop that a pass would have broken.
pub const LEFT: &str = "left as it is: a name in it would not mean what it means to the program";

/// Runs passes, and verifies what comes out ([`crate::verify`]): after each of them (`each`), or once behind
/// all, which costs a tenth of the time. If that finds a fault, all is undone, and they run again with a look
/// after each. Gives the faults of each pass.
pub(crate) fn run(tree: &mut Tree, passes: &[Pass], each: bool) -> Vec<(&'static str, Broken)> {
    if !each {
        tree.begin_pass();
        passes.iter().for_each(|pass| (pass.run)(tree));
        if verify_bodies(tree, &changed(tree)).is_empty() {
            return Vec::new();
        }
        tree.undo_pass();
    }
    let faults =
        |pass: &Pass| apply(tree, pass).into_iter().map(|broken| (pass.name, broken)).collect::<Vec<_>>();
    passes.iter().flat_map(faults).collect()
}

/// Runs a pass, and verifies the functions that it has changed ([`crate::verify`]). A loop that it breaks
/// stays what it was: all that the pass has done is undone, and it runs again without that loop. Gives the
/// faults.
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
        tree.remarks.push(Remark { pass: pass.name, at: part.lo, outcome: Err(LEFT) });
    }
    faults
}

/// The bodies of the functions in which a pass has changed something.
fn changed(tree: &Tree) -> Vec<StmtId> {
    let mut places: Vec<u32> = tree.edited().collect();
    places.sort_unstable();
    let changed = |&body: &StmtId| {
        let span = tree.unit.stmts[body].span;
        places.get(places.partition_point(|&at| at < span.lo)).is_some_and(|&at| at < span.hi)
    };
    definitions(tree).map(|of| of.body).filter(changed).collect()
}

/// What a pass must leave alone, so that a fault does not come again: the innermost loop around it that the
/// pass has rewritten; else the outermost loop, or the function. None if that has not helped.
fn culprit(tree: &Tree, broken: &Broken) -> Option<Span> {
    let free = |part: &&Span| !tree.is_left(**part);
    let rewritten = broken.loops.iter().rev().find(|part| tree.has_rewritten(**part) && free(part));
    rewritten.or(broken.loops.iter().chain([&broken.body]).find(free)).copied()
}
