//! Measuring: the implementation of `meridian bench`.
//!
//! The gray box is the study of a machine through the costs that a language's primitives have on it.
//!
//! - Probes are programs below `bench/` that measure themselves, one for each dialect.
//! - `measure` compiles the probes and their counterparts, and runs them on each conduit, interleaved. Every
//!   sample is kept in a file of `results`.
//! - `fit` derives from the samples alone the parameters of the machine, and the distance of Meridian from
//!   its goals, in tables (`sheet`) that the terminal and the report show.
//! - `commands` has the command itself, the comparison of two files, and the search for settings of the
//!   runtime (`tunables`) that pay. These become the machine's profile (`profile`), which `meridian run`
//!   reads.
//!
//! The figures are not asserted by any test: they belong to the machine and the moment, and only ratios
//! within one run are comparable. This crate knows the compiler and the runtime only through the command
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
pub mod sheet;
pub mod statistics;
pub mod tunables;

pub use noise::noise;
pub use numbers::{bytes, number, short, time};
pub use options::Options;

use std::path::Path;

use base::say;

use commands::{compare, measured, tune};
use options::Action;

/// Carries out `meridian bench`; `meridian` is the command under measurement. Returns the exit code: 0; 1 if
/// a probe failed, if `compare` found a slower point or if the command itself failed; 130 after an interrupt.
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
