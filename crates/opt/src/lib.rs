//! Optimisations of communication on the typed tree.
//!
//! [`optimise`] runs the passes of [`passes::PASSES`], the file to read first, over a [`Tree`], one after the
//! other. Each pass is one file. Its first lines argue why the rewriting is allowed. The pass finds the loops
//! that it can rewrite, and rewrites them, so that each pass sees the work of earlier ones.
//!
//! The folders, each of which uses only those below it:
//!
//! | folder | holds |
//! |---|---|
//! | [`passes`], [`explain`] | the list of passes, and the effect of each on a program |
//! | [`communication`] | the outcome for each access, for the user |
//! | `owned`, `remote`, `updates`, `loops` | the passes |
//! | [`verify`] | the check that every name has the program's meaning where it is rendered |
//! | `facts` | analyses of the program as it was written |
//! | `ir` | the tree, copies, walks, and the tree as text |
//!
//! Before all passes, [`prepare`] replaces calls of short functions in loops by their bodies ([`inline`]),
//! and rewrites atomic operations as expressions of values ([`atomics`]).
//!
//! Lowering takes the tree as it is. A tree without optimisations (`-O0`) is right too, only slower.

pub mod communication;
pub mod explain;
mod facts;
mod ir;
mod loops;
mod owned;
pub mod passes;
mod remote;
mod updates;
pub mod verify;

pub use facts::{atomics, early, places};
pub use ir::pass_id::PassId;
pub use ir::tree::Tree;
pub use ir::{print, reason, tree};
pub use loops::atomics::by_value;
pub use loops::inline;

use base::Source;

/// Prepares a program for the optimisations: short functions replace their calls in loops, and atomic
/// operations become expressions of values.
pub fn prepare(tree: &mut Tree, source: &Source) {
    inline::inline(tree, source);
    by_value(tree);
}

/// Runs all optimisations, in order. A loop that one of them would break stays as it was, so that the C
/// compiler never sees broken code. In a build with assertions, a broken loop fails an assertion.
pub fn optimise(tree: &mut Tree) {
    let broken = passes::run(tree, passes::PASSES, cfg!(debug_assertions));
    debug_assert!(broken.is_empty(), "{:?}", broken[0]);
    tree.optimised = true;
}
