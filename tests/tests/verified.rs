//! Names in optimised programs denote the same objects as in the source. Loops made of templates
//! (`crates/opt/tests/common/templates.rs`) become C that the C compiler accepts: the tests of `opt` check
//! all combinations, and here one of each head and each statement before the body is compiled. The verifier
//! (`--emit=tree`) finds no fault in any program of the tests; a sample (`tests::sample`) has a quarter of
//! them.

#[path = "../../crates/opt/tests/common/templates.rs"]
mod templates;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tests::process;
use tests::sample::Sample;

const LIMIT: Duration = Duration::from_secs(300);

/// The functions that the front end accepts: some declare a name twice.
fn accepted(text: &str, scratch: &Path) -> String {
    let outcome = checked(text, scratch, "-fsyntax-only");
    let wrong: Vec<usize> = outcome
        .stderr
        .lines()
        .filter(|line| line.contains(": error: "))
        .filter_map(|line| line.split(':').nth(1)?.parse().ok())
        .collect();
    let lines = (1..).zip(text.split_inclusive('\n'));
    lines.filter(|(line, _)| !wrong.contains(line)).map(|(_, text)| text).collect()
}

/// Checks a program with the compiler, and returns the outcome.
fn checked(text: &str, scratch: &Path, option: &str) -> process::Outcome {
    let source = scratch.join("loops.upc");
    std::fs::write(&source, text).expect("a file");
    let mut compile = Command::new(tests::meridian());
    compile.args(["cc", "-fsyntax-only", option, "-fmax-errors=0"]).arg(&source);
    process::run(&mut compile, None, LIMIT).expect("a run")
}

#[test]
fn the_c_compiler_takes_what_loops_become() {
    let scratch = tempfile::tempdir().expect("a directory");
    let text = accepted(&templates::sample().replace("# 1 \"t\"\n", ""), scratch.path());
    assert!(text.matches("\nint f").count() > 250, "{text}");
    let outcome = checked(&text, scratch.path(), "-O2");
    assert!(outcome.status == 0, "{}", outcome.report());
}

#[test]
fn no_optimisation_breaks_a_program_of_the_tests() {
    let is_source = |path: &Path| path.extension().is_some_and(|e| e == "upc" || e == "sc" || e == "ac");
    let root = tests::home().join("..");
    let folders = ["crates/opt/tests/loops", "tests/upc/run", "tests/splitc/run", "tests/ac/run", "examples"];
    let mut programs: Vec<_> =
        folders.iter().flat_map(|folder| tests::walk(&root.join(folder), &is_source)).collect();
    assert!(programs.len() > 300, "{} programs", programs.len());
    let (sample, mut n) = (Sample::asked(), 0..);
    programs.retain(|_| n.next().is_some_and(|n| sample.takes("verified", n, 4)));
    let broken = |program: &Path| {
        let mut compile = Command::new(tests::meridian());
        compile.args(["cc", "-O2", "--emit=tree", "-w"]).arg(program);
        let outcome = process::run(&mut compile, None, LIMIT).expect("a run");
        // Some programs need options that are not given here.
        outcome.stderr.lines().find(|line| line.contains("the optimisation `")).map(str::to_owned)
    };
    let (one, other) = programs.split_at(programs.len() / 2);
    let said = std::thread::scope(|scope| {
        let half = |programs| scope.spawn(move || -> Vec<String> { find(programs, broken) });
        let halves = [half(one), half(other)];
        halves.map(|half| half.join().expect("an answer")).concat()
    });
    assert!(said.is_empty(), "{}", said.join("\n"));
}

fn find(programs: &[PathBuf], broken: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    programs.iter().filter_map(|program| broken(program)).collect()
}
