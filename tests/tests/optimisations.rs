//! The loops of `crates/opt/tests/loops`, each program with and without optimisation: what they print is the
//! same with any number of threads, on one host and where the memory of all other threads is remote.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::process;

const LIMIT: Duration = Duration::from_secs(120);

const THREADS: [usize; 5] = [1, 2, 3, 4, 8];

fn main() {
    let arguments = Arguments::from_args();
    let root = tests::home().join("../crates/opt/tests/loops");
    let source = |path: &Path| path.extension().is_some_and(|e| e == "upc" || e == "sc");
    let trials = tests::walk(&root, &source).into_iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        Trial::test(name.clone(), move || test(&path, &name.replace('/', "-")).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn test(source: &Path, name: &str) -> Result<(), String> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("loops-{name}"));
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let compiled = |option: &str| -> Result<_, String> {
        let program = scratch.join(option.trim_start_matches('-'));
        good(Command::new(tests::meridian()).args(["cc", option]).arg(source).arg("-o").arg(&program))?;
        Ok(program)
    };
    let (plain, optimised) = (compiled("-O0")?, compiled("-O2")?);
    for threads in THREADS {
        let wanted = good(&mut run(&plain, threads))?;
        let here = good(&mut run(&optimised, threads))?;
        same(threads, "on one host", &wanted, &here)?;
        let remote = good(run(&optimised, threads).env("MERIDIAN_REMOTE", "1"))?;
        same(threads, "where other memory is remote", &wanted, &remote)?;
        // Parts that are short, and of no power of two.
        let parts = good(run(&optimised, threads).env("MERIDIAN_REMOTE", "1").env("MERIDIAN_PREFETCH", "3"))?;
        same(threads, "with 3 iterations begun at once", &wanted, &parts)?;
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
