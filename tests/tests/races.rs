//! Programs with one mistake each (`tests::bugs`) that `-fsanitize=pgas` finds when they run: a report has
//! the line and the words, and the repaired twin has no report.

use std::path::{Path, PathBuf};
use std::time::Duration;
use tests::bugs::{Finds, RUNNING, expected, programs};
use tests::process::Outcome;
use tests::scratch::Scratch;

/// Exit code of a job with findings (`runtime/sanitize/report.h`).
const FOUND: i32 = 66;

/// The programs whose mistakes are found when they run.
fn wrong_programs() -> Vec<PathBuf> {
    let wrong = |program: &PathBuf| !expected(program, RUNNING).is_empty();
    let programs: Vec<PathBuf> = programs().into_iter().filter(wrong).collect();
    assert!(programs.len() >= 18, "only {} programs", programs.len());
    programs
}

/// Whether a report has the line of the program, and the words.
fn tells(report: &str, program: &Path, finds: &Finds) -> bool {
    let line = format!("{}:{}", program.file_name().unwrap().to_string_lossy(), finds.line);
    report.contains(&line) && report.contains(&finds.words)
}

/// Compiles the program with these options and runs it with four threads.
fn run(program: &Path, options: &str) -> Outcome {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("races{options}"));
    let scratch = Scratch::new(directory, Duration::from_secs(120));
    scratch.good(&format!("cc -g -fsanitize=pgas {options} {} -o prog", program.display()));
    scratch.meridian("run -n 4 ./prog")
}

/// The reports of a job: each begins with the place of an access.
fn reports(end: &Outcome) -> Vec<String> {
    let mut reports = Vec::new();
    for line in end.stderr.lines() {
        match reports.last_mut() {
            Some(report) if line.starts_with(' ') => *report = format!("{report}{line}\n"),
            _ => reports.push(format!("{line}\n")),
        }
    }
    reports
}

/// What is wrong with the reports of all programs under these options.
fn wrong(options: &str) -> String {
    let mut wrong = String::new();
    for program in wrong_programs() {
        let end = run(&program, options);
        let reports = reports(&end);
        let is_told = |finds: &Finds| reports.iter().any(|report| tells(report, &program, finds));
        if end.status != FOUND || !expected(&program, RUNNING).iter().all(is_told) {
            wrong += &format!("{} {options}: {}\n", program.display(), end.report());
        }
        let end = run(&program.with_extension("ok.upc"), options);
        if end.status != 0 || !end.stderr.is_empty() {
            wrong += &format!("the repaired {} {options}: {}\n", program.display(), end.report());
        }
    }
    wrong
}

#[test]
fn mistakes_are_found_in_optimised_code() {
    assert_eq!(wrong("-O2"), "");
}

#[test]
fn mistakes_are_found_in_code_without_optimisation() {
    assert_eq!(wrong("-O0"), "");
}
