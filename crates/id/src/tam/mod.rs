//! From functions of bindings to the threaded abstract machine of runtime/tam: dataflow graphs, threads, the
//! plan of the C that these need, and the C; or a description of graphs and threads for people.

pub(crate) mod c;
mod counts;
pub(crate) mod emit;
mod graph;
pub(crate) mod plan;
pub(crate) mod show;
mod strict;
pub(crate) mod threads;
