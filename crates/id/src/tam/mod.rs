//! From functions of bindings to the threaded abstract machine of runtime/tam: dataflow graphs, threads, and
//! the C of these, or a description of graphs and threads for people.

mod blocks;
pub(crate) mod c;
mod counts;
pub(crate) mod emit;
mod graph;
pub(crate) mod show;
mod strict;
pub(crate) mod threads;
