//! Runs the programs, interleaved: each pass runs every variant of every program once, so that a change of
//! the machine's speed during the minutes of a measurement affects all of them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, anyhow};

use super::compile::Variant;
use super::plan::Program;
use super::sample::{self, Samples};
use crate::installation::Places;
use crate::interrupt;
use crate::measure::compiling::{meridian, run_to_end};
use crate::measure::terminal::progress;

/// A program ready to run.
#[derive(Debug)]
pub struct Ready<'a> {
    /// The program, with its kernels.
    pub program: &'a Program,
    /// How it was compiled.
    pub variant: Variant,
    /// The executable.
    pub executable: PathBuf,
}

/// The amount of measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Passes over all programs.
    pub passes: usize,
    /// Rounds over the kernels within a run of a program.
    pub rounds: usize,
}

/// All samples: by program, and by variant (`-O3`, `static`).
pub type Results = BTreeMap<(&'static str, &'static str, &'static str), Samples>;

/// Runs every program `passes` times, round robin.
pub fn programs(places: &Places, ready: &[Ready], effort: Effort) -> Result<Results> {
    let mut results = Results::new();
    for pass in 0..effort.passes {
        for each in ready.iter().take_while(|_| !interrupt::arrived()) {
            progress(&format!("pass {} of {}: {}", pass + 1, effort.passes, each.program.name));
            let rounds = effort.rounds.min(each.program.most_rounds);
            let output = run_to_end(
                Command::new(&places.meridian)
                    .args(["run", "--timeout", "600", "-n", &each.program.threads.to_string()])
                    .arg(&each.executable)
                    .args([rounds.to_string(), each.program.sample_ns.to_string()])
                    .envs(each.program.reference.then_some(("MERIDIAN_REFERENCE", "1"))),
            );
            let output = match output {
                Err(_) if interrupt::arrived() => return Ok(results),
                other => other?,
            };
            let key = (each.program.name, each.variant.optimise, each.variant.threads());
            sample::add(&output, results.entry(key).or_default())
                .map_err(|error| anyhow!("{}: {error}", each.executable.display()))?;
        }
    }
    progress("");
    Ok(results)
}

/// Measures compiling and starting hello: wall time of whole commands, in nanoseconds.
pub fn commands(places: &Places, times: usize) -> Result<Samples> {
    let mut samples = Samples::new();
    let ours = places.result("hello");
    let plain = places.result("hello-plain");
    for turn in 0..times {
        progress(&format!("hello, {} of {times}", turn + 1));
        let mut compile_plain = Command::new(&places.cc);
        compile_plain.arg(places.c("hello")).arg("-o").arg(&plain);
        let mut compile_ours = meridian(places);
        compile_ours.arg(places.sources.join("upc/hello.upc")).arg("-o").arg(&ours);
        let mut start_4 = Command::new(&places.meridian);
        start_4.args(["run", "-n", "4"]).arg(&ours);
        let commands = [
            ("compile_cc", compile_plain),
            ("compile_ours", compile_ours),
            ("start_4", start_4),
            ("start_plain", Command::new(&plain)),
        ];
        for (name, mut command) in commands {
            let start = Instant::now();
            let status = command.stdout(Stdio::null()).status().context("cannot start a command")?;
            let took = start.elapsed().as_nanos() as f64;
            anyhow::ensure!(status.success(), "{command:?} failed ({status})");
            samples.entry(name.to_string()).or_default().push(took);
        }
    }
    progress("");
    Ok(samples)
}
