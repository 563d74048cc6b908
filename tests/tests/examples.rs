//! Every program of examples/ compiles, checks itself, and prints the same with any number of threads (but
//! for times). The demo runs on the subset of its data that lies beside it.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::process::{self, Outcome};

const LIMIT: Duration = Duration::from_secs(120);

/// The lines that tell of times, or of threads, begin so.
const TIMING: [&str; 3] = ["time", "counted", "hello"];

fn main() {
    let arguments = Arguments::from_args();
    let root = tests::home().join("../examples");
    let programs = tests::walk(&root, &|path| path.extension().is_some_and(|e| e == "upc"));
    let trials = programs.into_iter().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name.clone(), move || test(&path, &name).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn test(path: &Path, name: &str) -> Result<(), String> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let mut printed = None;
    for (label, option) in [("dynamic", None), ("static", Some("-fupc-threads-4"))] {
        let program = scratch.join(label);
        let mut compile = Command::new(tests::meridian());
        compile.args(["cc", "-O2"]).args(option).arg(path).arg("-lm").arg("-o").arg(&program);
        good(&mut compile, &scratch)?;
        for threads in if option.is_some() { vec![4] } else { vec![1, 2, 3, 4, 7] } {
            let mut run = Command::new(tests::meridian());
            run.args(["run", "-n", &threads.to_string()]).arg(&program).args(arguments(name));
            let outcome = good(&mut run, &scratch)?;
            let lines: Vec<String> =
                outcome.stdout.lines().filter(|line| !is_timing(line)).map(String::from).collect();
            let before = printed.get_or_insert_with(|| lines.clone());
            if *before != lines {
                return Err(format!("{run:?} prints\n{lines:#?}\nand before it was\n{before:#?}"));
            }
        }
    }
    Ok(())
}

fn is_timing(line: &str) -> bool {
    TIMING.iter().any(|word| line.starts_with(word))
}

fn arguments(name: &str) -> Vec<std::path::PathBuf> {
    let data = tests::home().join("../examples/data");
    match name {
        "kmer.upc" => {
            vec![data.join("reads_1.fq.gz"), data.join("reads_2.fq.gz"), data.join("lambda_10k.fa")]
        }
        _ => Vec::new(),
    }
}

fn good(command: &mut Command, scratch: &Path) -> Result<Outcome, String> {
    match process::run(command, None, LIMIT, scratch, "last") {
        Ok(outcome) if outcome.status == 0 && !outcome.timed_out => Ok(outcome),
        Ok(outcome) => Err(format!("{command:?}: {}", outcome.report())),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
