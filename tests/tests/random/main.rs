//! Random programs that do the same computation on shared and on private objects and compare the results.
//! They are reproducible: a program follows from its seed. MERIDIAN_RANDOM=200 makes 200 programs of each
//! kind instead of a few, from the seed MERIDIAN_RANDOM_SEED on. `late` runs them over two or three hosts
//! between which packets are late and out of order (`tests::network_faults`). A sample (`tests::sample`) has
//! a third of the programs, and those over hosts of a quarter of the kinds.
//!
//! `forms` and `constructs` are files of a hundred programs that are only compiled: any message of Meridian
//! or the C compiler about one is a fault. MERIDIAN_RANDOM=170 of them are 100,000 programs.

mod arrays;
mod boxes;
mod constructs;
mod declarators;
mod directories;
mod expressions;
mod gathers;
mod loops;
mod matrices;
mod records;
mod statements;
mod stencils;
mod turns;
mod types;
mod values;

use libtest_mimic::{Arguments, Failed, Trial};
use records::Dialect;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::network_faults::{Faults, FaultyNetwork};
use tests::process;
use tests::random::Random;
use tests::sample::Sample;
use tests::trial::{Ran, trial};

const LIMIT: Duration = Duration::from_secs(240);
/// The limit if every packet is late.
const LATE_LIMIT: Duration = Duration::from_secs(240);
const PROGRAMS: u64 = 8;
/// Programs of each kind over hosts, which take longer.
const LATE: u64 = 1;
/// Files of records and of forms in each dialect, and programs in each.
const FILES: u64 = 1;
const IN_A_FILE: usize = 10;
const FORMS: usize = 100;

/// Makes the program of a seed.
type Program = fn(u64) -> String;

/// Writes a program's source, and returns its directory and the file.
fn written(kind: &str, seed: u64, suffix: &str, text: &str) -> Result<(PathBuf, PathBuf), String> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-{kind}-{seed}"));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let source = scratch.join("random").with_extension(suffix);
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    Ok((scratch, source))
}

/// Makes the file of a seed that holds the programs with these numbers.
type File = fn(u64, Dialect, Range<usize>) -> String;

/// Compiles a file with each compiler, with and without Meridian's optimisation, in both environments. If
/// that fails, keeps the smallest part of the file that still fails, and reports its messages.
fn compiles(kind: &str, dialect: Dialect, seed: u64, file: File) -> Result<(), String> {
    let fixed = if dialect == Dialect::Upc { "-fupc-threads-4" } else { "-fprocs-4" };
    let settings: [&[&str]; 2] = match seed % 2 {
        0 => [&["--cc=gcc", "-O0"], &["--cc=clang", "-O2", fixed]],
        _ => [&["--cc=gcc", "-O2", fixed], &["--cc=clang", "-O0"]],
    };
    let try_part = |programs: Range<usize>, options: &[&str]| {
        let text = file(seed, dialect, programs);
        let (_, source) = written(kind, seed, dialect.suffix(), &text)?;
        let mut compile = Command::new(tests::meridian());
        compile.args(["cc", "-w", "-fsyntax-only", "-I"]).arg(tests::home().join("upc")).args(options);
        good(compile.arg(&source))
    };
    for options in settings {
        let Err(mut message) = try_part(0..FORMS, options) else { continue };
        let mut programs = 0..FORMS;
        while programs.len() > 1 {
            let middle = programs.start + programs.len() / 2;
            let halves = [programs.start..middle, middle..programs.end];
            let part = |half: Range<usize>| try_part(half.clone(), options).err().map(|error| (half, error));
            match halves.into_iter().find_map(part) {
                Some(found) => (programs, message) = found,
                None => break,
            }
        }
        let _ = try_part(programs, options);
        return Err(message);
    }
    Ok(())
}

/// Compiles a source to `random` beside it.
fn compiled(source: &Path, optimisation: &str, environment: Option<&str>) -> Result<PathBuf, String> {
    let program = source.with_extension("");
    let mut compile = Command::new(tests::meridian());
    compile
        .args(["cc", "-w", "-fwrapv", optimisation, "-I"])
        .arg(tests::home().join("upc"))
        .args(environment);
    good(compile.arg(source).arg("-o").arg(&program))?;
    Ok(program)
}

/// Runs a program over hosts between which packets are late.
fn late(kind: &str, text: &str, seed: u64) -> Ran {
    let layout: &[usize] = [&[1, 1][..], &[2, 1, 1], &[2, 2], &[1, 1, 1], &[3, 5]][seed as usize % 5];
    let delay = (Duration::from_micros(10), Duration::from_micros(400));
    let network = FaultyNetwork::new(layout.len(), Faults { delay, loss: 0 })?;
    let run = || {
        let (_, source) = written(&format!("late-{kind}"), seed, "upc", text)?;
        let program = compiled(&source, ["-O2", "-O3"][seed as usize % 2], None)?;
        good_within(&mut network.job(layout, &program), LATE_LIMIT)?;
        let parts = (1 + seed % 9).to_string();
        good_within(network.job(layout, &program).env("MERIDIAN_PREFETCH", parts), LATE_LIMIT)
    };
    run().map_err(|error: String| panic!("{error}"))
}

fn test(kind: &str, suffix: &str, text: &str, seed: u64) -> Result<(), String> {
    let (_, source) = written(kind, seed, suffix, text)?;
    let optimisation = ["-O0", "-O2", "-O3"][seed as usize % 3];
    let fixed = if suffix == "upc" { "-fupc-threads-4" } else { "-fprocs-4" };
    let environment = (seed % 4 == 3).then_some(fixed);
    let program = compiled(&source, optimisation, environment)?;
    let many = [2, 3, 8][seed as usize % 3];
    for threads in if environment.is_some() { [4, 4] } else { [1, many] } {
        let mut run = Command::new(tests::meridian());
        run.args(["run", "-n", &threads.to_string()]).arg(&program);
        good(&mut run)?;
        if matches!(kind, "gathers" | "boxes" | "directories") {
            good(run.env("MERIDIAN_REMOTE", "1"))?;
            // Several parts, two of which are under way at a time.
            good(run.env("MERIDIAN_PREFETCH", (1 + seed % 9).to_string()))?;
        }
        if matches!(kind, "stencils" | "turns") {
            good(run.env("MERIDIAN_REMOTE", "1"))?;
        }
    }
    Ok(())
}

fn good(command: &mut Command) -> Result<(), String> {
    good_within(command, LIMIT)
}

fn good_within(command: &mut Command, limit: Duration) -> Result<(), String> {
    match process::run(command, None, limit) {
        Ok(outcome) if outcome.status == 0 && !outcome.timed_out => Ok(()),
        Ok(outcome) => Err(format!("{command:?}: {}", outcome.report())),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("MERIDIAN_RANDOM_SEED").unwrap_or(1);
    let seeds = first..first + number("MERIDIAN_RANDOM").unwrap_or(PROGRAMS);
    let kinds: [(&'static str, Program); 8] = [
        ("values", values::program),
        ("loops", loops::program),
        ("gathers", gathers::program),
        ("matrices", matrices::program),
        ("boxes", boxes::program),
        ("directories", directories::program),
        ("stencils", stencils::program),
        ("turns", turns::program),
    ];
    let sample = Sample::asked();
    let taken = move |kind: &str, seeds: Range<u64>| {
        let kind = kind.to_owned();
        seeds.filter(move |seed| sample.takes(&kind, *seed as usize, 3))
    };
    let trials = kinds.into_iter().flat_map(|(kind, program)| {
        taken(kind, seeds.clone()).map(move |seed| {
            Trial::test(format!("random/{kind}/{seed}"), move || {
                test(kind, "upc", &program(seed), seed).map_err(Failed::from)
            })
        })
    });
    let over_hosts = first..first + number("MERIDIAN_RANDOM").unwrap_or(LATE);
    let late = kinds.into_iter().enumerate().flat_map(|(n, (kind, program))| {
        let taken = move |seed: &u64| sample.takes("over hosts", n + *seed as usize, 4);
        over_hosts.clone().filter(taken).map(move |seed| {
            trial(format!("random/late/{kind}/{seed}"), move || late(kind, &program(seed), seed))
        })
    });
    let files = first..first + number("MERIDIAN_RANDOM").unwrap_or(FILES);
    let dialects = [Dialect::Upc, Dialect::SplitC, Dialect::Ac];
    let of_files = dialects.into_iter().flat_map(|dialect| {
        files.clone().flat_map(move |seed| {
            let suffix = dialect.suffix();
            let (records, forms) = (format!("records-{suffix}"), format!("forms-{suffix}"));
            let constructs = format!("constructs-{suffix}");
            [
                Trial::test(format!("random/{records}/{seed}"), move || {
                    let text = records::file(seed, dialect, 0..IN_A_FILE);
                    test(&records, suffix, &text, seed).map_err(Failed::from)
                }),
                Trial::test(format!("random/{forms}/{seed}"), move || {
                    compiles(&forms, dialect, seed, records::file).map_err(Failed::from)
                }),
                Trial::test(format!("random/forms/{constructs}/{seed}"), move || {
                    compiles(&constructs, dialect, seed, constructs::file).map_err(Failed::from)
                }),
            ]
        })
    });
    let all = trials.chain(late).chain(of_files).chain(of_arrays(seeds.clone(), sample));
    libtest_mimic::run(&arguments, all.collect()).exit();
}

/// Programs of Split-C and AC. Shared arrays of UPC have programs of their own, among the others.
fn of_arrays(seeds: Range<u64>, sample: Sample) -> impl Iterator<Item = Trial> {
    [Dialect::SplitC, Dialect::Ac].into_iter().flat_map(move |dialect| {
        let taken = move |seed: &u64| sample.takes(dialect.suffix(), *seed as usize, 3);
        seeds.clone().filter(taken).map(move |seed| {
            let (suffix, kind) = (dialect.suffix(), format!("arrays-{}", dialect.suffix()));
            Trial::test(format!("random/{kind}/{seed}"), move || {
                test(&kind, suffix, &arrays::program(seed, dialect), seed).map_err(Failed::from)
            })
        })
    })
}
