//! Measurement: the programs of `bench/` are compiled and run, interleaved, and produce samples.
//!
//! `probes` measure themselves, one for each dialect, and so do the `peers` and the `others`, which are other
//! systems; a `session` runs all of these in turn and gathers their samples. `programs` and `id90` run whole
//! programs and the same in other languages, and `plain_c` kernels of each dialect and the same in plain C.
//! `compiling` is the common part of all compilations, and `terminal` shows the progress.

mod compiling;
pub mod id90;
pub mod others;
pub mod peers;
pub mod plain_c;
pub mod probes;
pub mod programs;
pub mod session;
pub mod terminal;
