//! Programs with one mistake each, in `bugs/KIND`, that `-fsanitize=pgas` finds when they run. At the head of
//! a program, a line `// running finds: LINE: words` names a line of the program that a report has to have,
//! and words of the report. The repaired twin, `NAME.ok.upc`, has no report.

use std::path::{Path, PathBuf};
use std::time::Duration;
use tests::process::Outcome;
use tests::scratch::Scratch;

/// Exit code of a job with findings (`runtime/sanitize/report.h`).
const FOUND: i32 = 66;

const MARK: &str = "// running finds: ";

/// The programs whose mistakes are found when they run.
fn programs() -> Vec<PathBuf> {
    let is_program = |path: &Path| {
        path.extension().is_some_and(|end| end == "upc")
            && std::fs::read_to_string(path).is_ok_and(|text| text.starts_with(MARK))
    };
    let mut programs = tests::walk(&tests::home().join("bugs"), &is_program);
    programs.sort();
    assert!(programs.len() >= 18, "only {} programs", programs.len());
    programs
}

/// The lines of a program's expected reports, and the words.
fn expected(program: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(program).unwrap();
    let heads = text.lines().filter_map(|line| line.strip_prefix(MARK));
    let parts = |head: &str| {
        let (line, words) = head.split_once(": ").unwrap_or_else(|| panic!("{program:?}: `{head}`"));
        let name = program.file_name().unwrap().to_string_lossy();
        (format!("{name}:{line}"), words.to_string())
    };
    heads.map(parts).collect()
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
    for program in programs() {
        let end = run(&program, options);
        let reports = reports(&end);
        let is_told = |(line, words): &(String, String)| {
            reports.iter().any(|told| told.contains(line) && told.contains(words))
        };
        if end.status != FOUND || !expected(&program).iter().all(is_told) {
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
