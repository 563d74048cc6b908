//! One-line programs: those of `upc/refused.txt` must be refused with the error whose code precedes them
//! (`U0610: program`; `cc`: an error of the C compiler), on their line; those of `upc/accepted.txt` must be
//! accepted without a message. A line that begins with `--` is a heading; `@` begins a new line of the
//! program, for a directive.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::{diagnostics, process};

/// The lines of a list, each as the expected code and the program.
fn programs(list: &str, refused: bool) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(tests::home().join("upc").join(list)).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("--"));
    let split = |line: &str| {
        if !refused {
            return (String::new(), line.to_string());
        }
        let found = line.strip_prefix("cc: ").map(|program| ("", program)).or(diagnostics::code(line));
        let (code, program) = found.unwrap_or_else(|| panic!("{list}: no code in front of `{line}`"));
        (code.to_string(), program.to_string())
    };
    lines.map(split).collect()
}

/// Compiles each program of a list, and collects the faults that `wrong` finds, given its expected code and
/// the outcome.
fn check(list: &str, refused: bool, wrong: impl Fn(&str, &process::Outcome) -> Option<String>) {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(list);
    std::fs::create_dir_all(&scratch).unwrap();
    let mut faults = String::new();
    for (code, program) in programs(list, refused) {
        let source = format!("#include <upc.h>\n{}\n", program.replace('@', "\n"));
        std::fs::write(scratch.join("line.upc"), source).unwrap();
        let mut command = Command::new(tests::meridian());
        command.args(["cc", "-fdiagnostics-format=text", "-fsyntax-only", "line.upc"]).current_dir(&scratch);
        let outcome = process::run(&mut command, None, Duration::from_secs(60)).unwrap();
        if let Some(fault) = wrong(&code, &outcome) {
            faults += &format!("{program}\n  {fault}\n");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn every_line_of_refused_is_refused() {
    check("refused.txt", true, |code, outcome| {
        let on_its_line = diagnostics::parse(&outcome.stderr).iter().any(|found| {
            found.severity == diagnostics::Severity::Error
                && found.code == code
                && found.line > 1
                && found.file == "line.upc"
        });
        let by_c_compiler = code.is_empty() && outcome.stderr.contains("line.upc:2:");
        let fine = outcome.status == 1 && (on_its_line || by_c_compiler);
        (!fine).then(|| format!("no error {code}; status {}: {}", outcome.status, outcome.stderr))
    });
}

#[test]
fn every_line_of_accepted_is_accepted() {
    check("accepted.txt", false, |_, outcome| {
        let fine = outcome.status == 0 && outcome.stderr.is_empty();
        (!fine).then(|| format!("status {}: {}", outcome.status, outcome.stderr))
    });
}
