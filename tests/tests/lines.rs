//! One-line programs: those of `upc/refused.txt` must be refused with an error on their line, those of
//! `upc/accepted.txt` must be accepted without a word. A line that begins with `--` is a heading; `@` begins
//! a new line of the program, where a directive needs one.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::{diagnostics, process};

fn programs(list: &str) -> Vec<String> {
    let text = std::fs::read_to_string(tests::home().join("upc").join(list)).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("--"));
    lines.map(String::from).collect()
}

/// Compiles each program of a list; what `wrong` says of the outcome is collected.
fn check(list: &str, wrong: impl Fn(&process::Outcome) -> Option<String>) {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(list);
    std::fs::create_dir_all(&scratch).unwrap();
    let mut faults = String::new();
    for program in programs(list) {
        let source = format!("#include <upc.h>\n{}\n", program.replace('@', "\n"));
        std::fs::write(scratch.join("line.upc"), source).unwrap();
        let mut command = Command::new(tests::meridian());
        command.args(["cc", "-fsyntax-only", "line.upc"]).current_dir(&scratch);
        let outcome = process::run(&mut command, None, Duration::from_secs(60), &scratch, "last").unwrap();
        if let Some(fault) = wrong(&outcome) {
            faults += &format!("{program}\n  {fault}\n");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn every_line_of_refused_is_refused() {
    check("refused.txt", |outcome| {
        let on_its_line = diagnostics::parse(&outcome.stderr).iter().any(|found| {
            found.severity == diagnostics::Severity::Error && found.line > 1 && found.file == "line.upc"
        });
        let fine = outcome.status == 1 && (on_its_line || outcome.stderr.contains("line.upc:2:"));
        (!fine).then(|| format!("status {}: {}", outcome.status, outcome.stderr))
    });
}

#[test]
fn every_line_of_accepted_is_accepted() {
    check("accepted.txt", |outcome| {
        let fine = outcome.status == 0 && outcome.stderr.is_empty();
        (!fine).then(|| format!("status {}: {}", outcome.status, outcome.stderr))
    });
}
