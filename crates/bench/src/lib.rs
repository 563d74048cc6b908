//! Measuring: what stands behind `meridian bench`.
//!
//! The gray box is the study of a machine through the costs that a language's primitives have on it. The
//! probes are programs below `bench/` that measure themselves, one for each dialect; `measure` compiles them
//! and what stands beside them, runs them on each conduit, interleaved, and every sample is kept in a file of
//! `results`. From the samples alone follow the parameters of the machine and how far Meridian is from what
//! it is meant to reach (`fit`), which the terminal shows in tables (`table`). `commands` puts this together,
//! compares two files, and tries settings of the runtime (`tunables`), of which those that pay are written as
//! the machine's profile (`profile`), which `meridian run` reads.
//!
//! Nothing is asserted of the figures: they belong to the machine and the hour, and only ratios within one
//! run are to be compared. This crate knows nothing of the compiler and of the runtime but the command
//! `meridian`.

mod commands;
pub mod fit;
mod installation;
mod interrupt;
mod machine;
mod measure;
mod noise;
mod numbers;
mod options;
pub mod parameters;
pub mod profile;
pub mod results;
pub mod statistics;
mod table;
pub mod tunables;

pub use noise::noise;
pub use numbers::{bytes, number};
pub use options::Options;

use std::path::Path;

use base::say;

use commands::{compare, measured, tune};
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
