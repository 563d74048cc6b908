//! Optimisations of communication on the typed tree.
//!
//! [`optimise`] runs the optimisations of [`passes::PASSES`] over a [`Tree`], one after the other. Each is
//! one file: its first lines argue why what it does is allowed, then it finds out from the tree where, and
//! rewrites it there, so that each sees what earlier ones did. [`print`] shows the tree between any two. What
//! they ask of a loop is found once: [`shapes`] how it counts, [`effects`] and [`body`] what its body may do,
//! [`certain`] what every iteration evaluates, [`addresses`] what of that is known before, [`dependences`]
//! what its own writes do to that; [`rows`], [`residues`], [`streams`] and [`places`] where its accesses lie.
//!
//! In front of all of them, [`inline`] puts short functions in the place of their calls in loops.
//!
//! [`communication`] tells the user what has become of each access.
//!
//! [`verify`] checks after each of them that every name means, where it is rendered, what it means to the
//! program.
//!
//! Lowering takes the tree as it is; one that nothing has been done to (`-O0`) is right too, only slower.

mod accumulate;
mod addresses;
mod affine;
mod asking;
mod body;
mod caching;
mod certain;
pub mod communication;
mod copy;
mod dependences;
mod directories;
pub mod early;
mod effects;
mod equality;
pub mod explain;
mod extrema;
mod extremum;
mod forall;
mod forall_pointers;
mod functions;
mod halos;
mod indefinite;
mod induction;
pub mod inline;
mod local_rows;
mod locals;
mod names;
mod neighbours;
mod own;
pub mod passes;
pub mod places;
mod prefetch;
pub mod print;
mod reduction;
mod remarks;
mod residues;
mod roots;
mod rows;
mod scatter;
mod sections;
mod shapes;
mod statements;
mod store_counting;
mod streams;
pub mod strictness;
mod strided;
mod strip_mining;
pub mod tree;
mod unroll;
pub mod verify;
mod versioning;
mod walk;
mod while_loops;

pub use tree::Tree;

/// Runs all optimisations, in order. A loop that one of them would break stays what it was, so that the C
/// compiler never sees it; in a build with assertions it is a failure.
pub fn optimise(tree: &mut Tree) {
    let broken = passes::run(tree, passes::PASSES, cfg!(debug_assertions));
    debug_assert!(broken.is_empty(), "{:?}", broken[0]);
    tree.optimised = true;
}
