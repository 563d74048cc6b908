//! Measuring: what stands behind `meridian bench`.
//!
//! The gray box is the study of a machine through the costs that a language's primitives have on it. The
//! probes are programs below `bench/` that measure themselves, one for each dialect; this crate compiles
//! them, runs them on each conduit, interleaved (`session`), and keeps every sample in a file of results
//! (`results`). From the samples follow the parameters of the machine (`fit`), the comparison of two files
//! (`compare`), and the tables that the terminal shows (`table`). `plain_c` measures whole kernels of each
//! dialect against plain C, `programs` whole programs against the same in OpenMP and MPI. `tune` tries
//! settings of the runtime (`tunables`) and writes those that pay as the machine's profile (`profile`),
//! which `meridian run` reads.
//!
//! Nothing is asserted of the figures: they belong to the machine and the hour, and only ratios within one
//! run are to be compared. This crate knows nothing of the compiler and of the runtime but the command
//! `meridian`.

mod compare;
mod compiling;
pub mod fit;
mod id90;
mod installation;
mod interrupt;
mod machine;
mod measured;
mod noise;
mod numbers;
mod options;
mod others;
pub mod parameters;
mod peers;
mod plain_c;
mod probes;
pub mod profile;
mod programs;
pub mod results;
mod session;
pub mod statistics;
mod table;
mod terminal;
pub mod tunables;
mod tune;

pub use noise::noise;
pub use numbers::{bytes, number};
pub use options::Options;

use std::path::Path;

use base::say;

use options::Action;

/// Carries out `meridian bench`; `meridian` is the command under measurement. The exit code: 0; 1 if a probe
/// failed, if `compare` found something slower or if the command itself failed; 130 after an interrupt.
pub fn run(options: &Options, meridian: &Path, version: &str) -> i32 {
    let done = match &options.action {
        None => measured::run(&options.measure, meridian, version),
        Some(Action::Compare(options)) => compare::run(options),
        Some(Action::Tune(options)) => tune::run(options, meridian, version),
    };
    done.unwrap_or_else(|error: anyhow::Error| {
        say::error(format_args!("meridian bench: {error:#}\n"));
        1
    })
}
