//! Every program of examples/ compiles, checks itself, and prints the same with any number of threads (except
//! times). Programs that take numbers run with several choices of them, and refuse other arguments. The demo
//! runs on the subset of its data that is in the repository. The same binaries run over two hosts, which are
//! agents on this machine with memory of their own. If `MERIDIAN_TEST_HOSTS` is set (`make check-net`), they
//! run over more hosts, and so do the programs that send a message for each element.
//!
//! A program is a file, or a directory `x.d` with all its files.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::process::{self, Outcome};

const LIMIT: Duration = Duration::from_secs(120);

/// The ways of compiling a program, and the numbers of threads with which it then runs.
const SETTINGS: [(&str, &[&str], &[usize]); 3] = [
    ("O2", &["-O2"], &[1, 2, 3, 4, 7, 8]),
    ("O0", &["-O0"], &[1, 4, 7]),
    ("static", &["-O2", "-fupc-threads-4"], &[4]),
];

/// The hosts over which the binaries also run, unless they are made by -O0 or for another number of threads.
/// `make check` takes the first.
const HOSTS: [(&str, usize); 3] = [
    ("localhost:2,localhost:2", 4),
    ("localhost,localhost,localhost,localhost", 4),
    ("localhost:2,localhost:2,localhost:2,localhost:2", 8),
];

/// Programs that send so many messages that they take ten seconds of system calls over hosts on one machine.
const FINE_GRAINED: [&str; 2] = ["heat.upc", "histogram.upc"];

/// Programs that take numbers (or the class of a benchmark), with the arguments of their runs. The first run
/// has no arguments.
const NUMBERS: [(&str, &[&str]); 16] = [
    ("bitonic.sc", SORTS),
    ("column.sc", SORTS),
    ("radix.sc", SORTS),
    ("sample.sc", SORTS),
    ("em3d.sc", &["", "1 3 50 4 2", "10 3 100 2 5", "500 9 5 3 9"]),
    ("cannon.sc", &["", "1 3 2", "3 4 3", "5 1 4"]),
    ("components.sc", &["", "1 1 50", "3 40 60 4", "50 50 100 5", "60 50 0 6", "70 90 48 7"]),
    ("stencil.sc", &["", "1 1 5", "3 40 6", "50 2 10", "7 7 0"]),
    ("blocks.ac", &[""]),
    ("blocks_messages.c", &["", "2"]),
    ("three.d", &["", "1", "7", "5000"]),
    ("ep.upc", &[""]),
    ("is.upc", &["", "W"]),
    ("cg.upc", &[""]),
    ("mg.upc", &[""]),
    ("ft.upc", &[""]),
];

/// Keys, seed, bits: no remainder and some; fewer keys than threads; keys of which many are equal.
const SORTS: &[&str] = &["", "1680 2", "4999 3 8", "5 4", "1 5", "3000 6 1"];

/// The beginnings of lines with times or with thread numbers.
const TIMING: [&str; 3] = ["time", "counted", "hello"];

fn main() {
    let arguments = Arguments::from_args();
    let root = tests::home().join("../examples");
    let programs = tests::walk(&root, &|path| is_source(path) || extension(path) == "d");
    let trials = programs.into_iter().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name.clone(), move || test(&path, &name).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or_default()
}

fn is_source(path: &Path) -> bool {
    ["upc", "sc", "ac", "c"].contains(&extension(path))
}

fn test(path: &Path, name: &str) -> Result<(), String> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let sources = if path.is_dir() { tests::walk(path, &is_source) } else { vec![path.to_path_buf()] };
    let mut printed = vec![None; runs(name).len()];
    for (label, options, threads) in SETTINGS {
        let program = scratch.join(label);
        let mut compile = Command::new(tests::meridian());
        compile.arg("cc").args(options).args(&sources).arg("-lm").arg("-o").arg(&program);
        good(&mut compile)?;
        for &threads in threads {
            for (arguments, before) in runs(name).iter().zip(&mut printed) {
                let mut run = start(&program, threads);
                let outcome = good(run.args(arguments))?;
                same(&outcome, before).map_err(|why| format!("{run:?} prints\n{why}"))?;
            }
            if takes_numbers(name) {
                refuses(start(&program, threads).arg("many"))?;
            }
        }
        let fits = |many: usize| label != "O0" && threads.contains(&many);
        let most = match std::env::var_os("MERIDIAN_TEST_HOSTS") {
            Some(_) => HOSTS.len(),
            None => usize::from(!FINE_GRAINED.contains(&name)),
        };
        for (hosts, _) in HOSTS.into_iter().filter(|(_, many)| fits(*many)).take(most) {
            over_hosts(&program, hosts, &runs(name)[0], &mut printed[0])?;
        }
    }
    Ok(())
}

/// The first of a program's runs again, over hosts.
fn over_hosts(
    program: &Path,
    hosts: &str,
    arguments: &[PathBuf],
    before: &mut Option<Vec<String>>,
) -> Result<(), String> {
    let mut run = Command::new(tests::meridian());
    run.args(["run", "-H", hosts]).arg(program).args(arguments);
    let outcome = good(&mut run)?;
    same(&outcome, before).map_err(|why| format!("{run:?} prints\n{why}"))
}

fn start(program: &Path, threads: usize) -> Command {
    let mut run = Command::new(tests::meridian());
    run.args(["run", "-n", &threads.to_string()]).arg(program);
    run
}

fn takes_numbers(name: &str) -> bool {
    NUMBERS.iter().any(|(program, _)| *program == name)
}

/// The arguments of each run.
fn runs(name: &str) -> Vec<Vec<PathBuf>> {
    let data = tests::home().join("../examples/data");
    if name == "kmer.upc" {
        return vec![["reads_1.fq.gz", "reads_2.fq.gz", "lambda_10k.fa"].map(|file| data.join(file)).into()];
    }
    match NUMBERS.iter().find(|(program, _)| *program == name) {
        Some((_, lists)) => {
            lists.iter().map(|list| list.split_whitespace().map(PathBuf::from).collect()).collect()
        }
        None => vec![Vec::new()],
    }
}

/// Checks that the output, except times, is the same as the output `before` with the same arguments.
fn same(outcome: &Outcome, before: &mut Option<Vec<String>>) -> Result<(), String> {
    let timing = |line: &&str| TIMING.iter().any(|word| line.starts_with(word));
    let lines: Vec<String> = outcome.stdout.lines().filter(|line| !timing(line)).map(String::from).collect();
    let before = before.get_or_insert_with(|| lines.clone());
    if *before == lines { Ok(()) } else { Err(format!("{lines:#?}\nand before it was\n{before:#?}")) }
}

/// Checks that a bad argument is refused with a message that names the right ones.
fn refuses(command: &mut Command) -> Result<(), String> {
    match process::run(command, None, LIMIT) {
        Ok(outcome) if outcome.status == 2 && outcome.stderr.contains("usage: ") => Ok(()),
        Ok(outcome) => Err(format!("{command:?}: must refuse: {}", outcome.report())),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

fn good(command: &mut Command) -> Result<Outcome, String> {
    match process::run(command, None, LIMIT) {
        Ok(outcome) if outcome.status == 0 && !outcome.timed_out => Ok(outcome),
        Ok(outcome) => Err(format!("{command:?}: {}", outcome.report())),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
