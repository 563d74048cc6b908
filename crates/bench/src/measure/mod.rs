//! What is measured, and how: the programs of `bench/` are compiled and run, interleaved, and leave samples.
//!
//! `probes` measure themselves, one for each dialect, and so do the `peers` and the `others`, which are other
//! systems beside them; a `session` runs all of these in turn and gathers their samples. `programs` and
//! `id90` run whole programs beside the same in other languages, and `plain_c` kernels of each dialect beside
//! plain C. `compiling` is what all compilations have in common, and `terminal` says what is going on.

mod compiling;
pub mod id90;
pub mod others;
pub mod peers;
pub mod plain_c;
pub mod probes;
pub mod programs;
pub mod session;
pub mod terminal;
