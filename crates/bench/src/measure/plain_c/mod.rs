//! The part plain-c: kernels of each dialect against plain C, in the same process and round.
//!
//! The programs below `bench/upc`, `split-c` and `ac` measure themselves (`bench/measure.h`). This module
//! compiles them in their variants (`compile`), runs them interleaved for many rounds (`measure`) and
//! computes medians, quartiles and ratios (`table`). The list of all measurements is `plan`.

mod compile;
mod measure;
mod mixed;
mod plan;
mod sample;
mod table;

use std::collections::BTreeMap;

use anyhow::Result;

use crate::installation::Places;
use crate::interrupt;
use crate::measure::terminal::progress;
use crate::options::Measure;
use crate::results::Point;
use compile::Variant;
use measure::{Effort, Ready, Results};

/// Returns the names of the programs.
pub fn names() -> impl Iterator<Item = &'static str> {
    ["hello", "mixed"].into_iter().chain(plan::PROGRAMS.iter().map(|program| program.name))
}

/// Measures. Returns the table, and the samples as points: their series is program/kernel, their `what` the
/// variant.
///
/// # Errors
/// If a program does not compile, or a run fails.
pub fn measure(options: &Measure, places: &Places) -> Result<(String, Vec<Point>)> {
    let wanted = |name: &str| options.programs.is_empty() || options.programs.iter().any(|p| p == name);
    let levels: Vec<&'static str> = ["-O3", "-O2"]
        .into_iter()
        .filter(|level| options.optimise.as_ref().is_none_or(|only| level.ends_with(only.as_str())))
        .collect();
    let ready = compile_all(places, &levels, &wanted)?;
    let effort = Effort {
        passes: options.passes.unwrap_or(if options.quick { 1 } else { 4 }) as usize,
        rounds: options.rounds.unwrap_or(if options.quick { 5 } else { 15 }) as usize,
    };
    let results = measure::programs(places, &ready, effort)?;
    let mut text = String::new();
    for &optimise in &levels {
        text += &table::table(&results, optimise);
        if wanted("private") && !results.is_empty() {
            let same = compile::same_private_code(places, Variant { optimise, fixed: true })?;
            let is = if same { "identical to" } else { "differs from" };
            text +=
                &format!("\n  machine code of the private loops, {optimise}: {is} the C compiler's own\n");
        }
    }
    let mut points = points(&results);
    if wanted("hello") && !interrupt::arrived() {
        let samples = measure::commands(places, effort.passes * 5)?;
        text += &table::commands(&samples);
        points.extend(samples.iter().map(|(name, ns)| point(&format!("hello/{name}"), "command", ns)));
    }
    if wanted("mixed") && !interrupt::arrived() {
        let samples = mixed::measure(places, effort.passes)?;
        text += &mixed::table(&samples);
        points.extend(samples.iter().map(|(name, ns)| point(&format!("mixed/{name}"), "command", ns)));
    }
    text += &format!("\n{LEGEND}\n");
    Ok((text, points))
}

fn compile_all(
    places: &Places,
    levels: &[&'static str],
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<Ready<'static>>> {
    let mut ready = Vec::new();
    for program in plan::PROGRAMS.iter().filter(|program| wanted(program.name)) {
        for &optimise in levels {
            for fixed in [true, false] {
                if (fixed || program.dynamic) && !interrupt::arrived() {
                    let variant = Variant { optimise, fixed };
                    progress(&format!("compiling {} {optimise} {}", program.name, variant.threads()));
                    let executable = compile::program(places, program, variant)?;
                    ready.push(Ready { program, variant, executable });
                }
            }
        }
    }
    Ok(ready)
}

fn points(results: &Results) -> Vec<Point> {
    let of = |((program, optimise, threads), samples): (&(&str, &str, &str), &sample::Samples)| {
        let what = format!("{optimise} {threads}");
        samples
            .iter()
            .map(|(kernel, ns)| point(&format!("{program}/{kernel}"), &what, ns))
            .collect::<Vec<_>>()
    };
    results.iter().flat_map(of).collect()
}

fn point(series: &str, what: &str, ns: &[f64]) -> Point {
    Point {
        part: "plain-c".into(),
        dialect: "all".into(),
        conduit: "smp".into(),
        series: series.into(),
        what: what.into(),
        at: BTreeMap::new(),
        ns: ns.to_vec(),
    }
}

const LEGEND: &str = "\
ratio: ours to the reference in the same process and round, median over the rounds; over: above the goal.
other UPC systems: the best figures known of them, static and dynamic THREADS, -O2, two threads,
measured on another day: for orientation only, they enter no ratio.";
