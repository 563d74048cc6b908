//! The loops of `crates/opt/tests/loops`, each program with and without optimisation: its output is the same
//! with any number of threads, on one host, with the memory of all other threads remote, and over hosts
//! between which packets are late and out of order (`tests::network_faults`). Programs with operands that an
//! earlier iteration has yet to set (`early*.upc`) run with parts of several lengths, and over hosts without
//! faults.
//!
//! Many threads on few cores that exchange messages take most of the time. One program of `SHARE` runs with
//! eight threads whose memory is remote, and over hosts, in one layout. All do so in all layouts if
//! MERIDIAN_TEST_HOSTS is set (`make check-net`). A sample (`tests::sample`) has a third of the programs on
//! one host, and a quarter of those over hosts.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::network_faults::{Faults, FaultyNetwork};
use tests::process;
use tests::sample::Sample;
use tests::trial::{Ran, trial};

const LIMIT: Duration = Duration::from_secs(120);

const THREADS: [usize; 5] = [1, 2, 3, 4, 8];

/// Threads on each of some hosts.
const LAYOUTS: [&[usize]; 3] = [&[1, 1], &[2, 2], &[1, 1, 1]];
/// One program of this number runs in the slowest settings.
const SHARE: usize = 3;

fn main() {
    let arguments = Arguments::from_args();
    let root = tests::home().join("../crates/opt/tests/loops");
    let source = |path: &Path| path.extension().is_some_and(|e| e == "upc" || e == "sc");
    let everywhere = std::env::var_os("MERIDIAN_TEST_HOSTS").is_some();
    let sample = Sample::asked();
    let trials = tests::walk(&root, &source).into_iter().enumerate().flat_map(|(n, path)| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        let (again, late_name) = (path.clone(), format!("late/{name}"));
        let slow = everywhere || n % SHARE == 1;
        let (parts, parts_name) = (path.clone(), format!("parts/{name}"));
        let early = path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("early"));
        let here = sample.takes("loops on one host", n / SHARE, 3).then(|| {
            Trial::test(name.clone(), move || {
                test(&path, &name.replace('/', "-"), slow).map_err(Failed::from)
            })
        });
        let layouts =
            if everywhere { &LAYOUTS } else { std::slice::from_ref(&LAYOUTS[n / SHARE % LAYOUTS.len()]) };
        let over_hosts = (everywhere || n % SHARE == 0 && sample.takes("loops over hosts", n / SHARE, 4))
            .then(|| trial(late_name.clone(), move || late(&again, &late_name.replace('/', "-"), layouts)));
        let in_parts = early.then(|| {
            Trial::test(parts_name.clone(), move || {
                of_lengths(&parts, &parts_name.replace('/', "-")).map_err(Failed::from)
            })
        });
        [here, over_hosts, in_parts].into_iter().flatten()
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// A source, compiled with and without optimisation.
fn compiled(source: &Path, name: &str) -> Result<(PathBuf, PathBuf), String> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("loops-{name}"));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let compiled = |option: &str| -> Result<_, String> {
        let program = scratch.join(option.trim_start_matches('-'));
        good(Command::new(tests::meridian()).args(["cc", option]).arg(source).arg("-o").arg(&program))?;
        Ok(program)
    };
    Ok((compiled("-O0")?, compiled("-O2")?))
}

fn late(source: &Path, name: &str, layouts: &[&[usize]]) -> Ran {
    let delay = (Duration::from_micros(10), Duration::from_micros(400));
    for layout in layouts {
        let network = FaultyNetwork::new(layout.len(), Faults { delay, loss: 0 })?;
        let compare = || {
            let (plain, optimised) = compiled(source, name)?;
            let threads = layout.iter().sum();
            let wanted = good(&mut run(&plain, threads))?;
            let whole = good(&mut network.job(layout, &optimised))?;
            same(threads, "over hosts", &wanted, &whole)?;
            let parts = good(network.job(layout, &optimised).env("MERIDIAN_PREFETCH", "3"))?;
            same(threads, "over hosts, with 3 iterations begun at once", &wanted, &parts)
        };
        compare().unwrap_or_else(|error: String| panic!("{error}"));
    }
    Ok(())
}

/// Tests a program on one host; if `slow`, also with every number of threads whose memory is remote.
fn test(source: &Path, name: &str, slow: bool) -> Result<(), String> {
    let (plain, optimised) = compiled(source, name)?;
    for threads in THREADS {
        let wanted = good(&mut run(&plain, threads))?;
        let here = good(&mut run(&optimised, threads))?;
        same(threads, "on one host", &wanted, &here)?;
        if threads <= 4 || slow {
            let remote = good(run(&optimised, threads).env("MERIDIAN_REMOTE", "1"))?;
            same(threads, "where other memory is remote", &wanted, &remote)?;
        }
        // Short parts, whose lengths are no powers of two.
        if threads <= 3 || threads == 4 && slow {
            let mut parts = run(&optimised, threads);
            parts.env("MERIDIAN_REMOTE", "1").env("MERIDIAN_PREFETCH", "3");
            same(threads, "with 3 iterations begun at once", &wanted, &good(&mut parts)?)?;
        }
    }
    Ok(())
}

/// Tests parts of several lengths, with remote memory and between two hosts.
fn of_lengths(source: &Path, name: &str) -> Result<(), String> {
    let (plain, optimised) = compiled(source, name)?;
    for threads in [2, 3] {
        let wanted = good(&mut run(&plain, threads))?;
        for length in ["2", "7", "30", "4096"] {
            let mut remote = run(&optimised, threads);
            remote.env("MERIDIAN_REMOTE", "1").env("MERIDIAN_PREFETCH", length);
            let place = format!("where other memory is remote, {length} iterations begun at once");
            same(threads, &place, &wanted, &good(&mut remote)?)?;
            if threads == 2 {
                let mut hosts = Command::new(tests::meridian());
                hosts.args(["run", "-H", "localhost:1,localhost:1"]).arg(&optimised);
                hosts.env("MERIDIAN_PREFETCH", length);
                let place = format!("between two hosts, {length} iterations begun at once");
                same(threads, &place, &wanted, &good(&mut hosts)?)?;
            }
        }
    }
    Ok(())
}

fn run(program: &Path, threads: usize) -> Command {
    let mut run = Command::new(tests::meridian());
    run.args(["run", "-n", &threads.to_string()]).arg(program);
    run
}

/// The lines that a command prints, sorted.
fn good(command: &mut Command) -> Result<Vec<String>, String> {
    let outcome = process::run(command, None, LIMIT).map_err(|error| error.to_string())?;
    if outcome.status != 0 || outcome.timed_out {
        return Err(format!("{command:?}: {}", outcome.report()));
    }
    let mut lines: Vec<String> = outcome.stdout.lines().map(str::to_owned).collect();
    lines.sort();
    Ok(lines)
}

fn same(threads: usize, place: &str, wanted: &[String], got: &[String]) -> Result<(), String> {
    if wanted == got {
        return Ok(());
    }
    Err(format!("{threads} threads, {place}: optimised it prints\n{got:#?}\nand without\n{wanted:#?}"))
}
