//! Measures what Meridian's programs cost against plain C, and prints one table.
//!
//! The programs below `bench/` measure themselves; this tool compiles them in their variants, runs them
//! interleaved for many rounds and computes medians, quartiles and ratios. Nothing is asserted of the
//! figures: they belong to the machine and the hour, and only ratios within one run are to be compared.

mod compile;
mod measure;
mod plan;
mod report;
mod sample;
mod statistics;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;

use compile::{Places, Variant};
use measure::{Effort, Ready};

/// Measure Meridian's programs against plain C
#[derive(Parser)]
struct Options {
    /// The meridian command under measurement
    #[arg(long, default_value = "build/bin/meridian")]
    meridian: PathBuf,
    /// The directory of the benchmarks' sources
    #[arg(long, default_value = "bench")]
    sources: PathBuf,
    /// The directory of meridian/abi.h
    #[arg(long, default_value = "runtime/include")]
    include: PathBuf,
    /// Where programs and results go
    #[arg(long, default_value = "build/bench")]
    out: PathBuf,
    /// Passes over all programs
    #[arg(long, default_value_t = 4)]
    passes: usize,
    /// Rounds over the kernels in each run of a program
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Measure at this level alone: -O2 or -O3
    #[arg(short = 'O', value_parser = ["2", "3"])]
    optimise: Option<String>,
    /// Measure these programs alone
    programs: Vec<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let places = Places {
        meridian: options
            .meridian
            .canonicalize()
            .with_context(|| format!("there is no {}: build it with `make`", options.meridian.display()))?,
        sources: options.sources,
        out: options.out,
        include: options.include,
        cc: std::env::var("CC").unwrap_or_else(|_| "gcc".to_string()),
    };
    std::fs::create_dir_all(&places.out)
        .with_context(|| format!("cannot create {}", places.out.display()))?;
    let wanted = |name: &str| options.programs.is_empty() || options.programs.iter().any(|p| p == name);
    let levels: Vec<&'static str> = ["-O3", "-O2"]
        .into_iter()
        .filter(|level| options.optimise.as_ref().is_none_or(|only| level.ends_with(only.as_str())))
        .collect();

    let mut ready = Vec::new();
    for program in plan::PROGRAMS.iter().filter(|program| wanted(program.name)) {
        for &optimise in &levels {
            for fixed in [true, false] {
                if fixed || program.dynamic {
                    let variant = Variant { optimise, fixed };
                    measure::progress(&format!(
                        "compiling {} {optimise} {}",
                        program.name,
                        variant.threads()
                    ));
                    let executable = compile::program(&places, program, variant)?;
                    ready.push(Ready { program, variant, executable });
                }
            }
        }
    }
    let results =
        measure::programs(&places, &ready, Effort { passes: options.passes, rounds: options.rounds })?;
    for &optimise in &levels {
        print!("{}", report::table(&results, optimise));
        if wanted("private") {
            let same = compile::same_private_code(&places, Variant { optimise, fixed: true })?;
            println!(
                "\n  machine code of the private loops, {optimise}: {} the C compiler's own",
                if same { "identical to" } else { "differs from" }
            );
        }
    }
    write(&places, "results.jsonl", &report::json_lines(&results))?;
    write(&places, "samples.jsonl", &report::sample_lines(&results))?;
    if wanted("hello") {
        let samples = measure::commands(&places, options.passes * 5)?;
        print!("{}", report::commands(&samples));
        let line = serde_json::json!({"version": 1, "commands": samples});
        write(&places, "commands.jsonl", &format!("{line}\n"))?;
    }
    println!("\n{LEGEND}");
    Ok(())
}

fn write(places: &Places, name: &str, text: &str) -> Result<()> {
    let path = places.result(name);
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

const LEGEND: &str = "\
ratio: ours to the reference in the same process and round, median over the rounds; over: above the goal.
others, elsewhere: the best figures known of other UPC systems, static and dynamic THREADS, -O2, two threads,
measured on another day: for orientation only, they enter no ratio.";
