//! Measurement: the programs of `bench/` are compiled and run, interleaved, and produce samples.
//!
//! From the bottom up:
//!
//! - `system` has the systems in which programs are written, `conduits` the ways to reach remote memory, and
//!   `table` the measured programs: a row for each program in each system.
//! - `build` compiles rows, and `runs` makes of each row the runs of a measurement; `commands` has those of
//!   compilers and of hello.
//! - `session` carries out runs in turn and gathers their samples: `process` waits for each, and `reading`
//!   reads its output. `terminal` shows the progress.

pub mod build;
pub mod commands;
pub mod conduits;
mod process;
pub mod reading;
pub mod runs;
pub mod session;
pub mod system;
pub mod table;
pub mod terminal;
