//! Programs with one mistake each (`tests::bugs`) that the compiler finds: each is reported at its line and
//! nowhere else, and its repaired twin is not.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::bugs::{COMPILED, Finds, RUNNING, expected, programs};
use tests::{diagnostics, process};

fn is_repaired(program: &Path) -> bool {
    program.file_stem().is_some_and(|stem| Path::new(stem).extension().is_some_and(|end| end == "ok"))
}

/// Whether the mistake is found only when the program runs (`tests/races.rs`).
fn is_found_later(program: &Path) -> bool {
    !expected(program, RUNNING).is_empty()
}

/// The messages of the compiler about a program, with further options.
fn said(program: &Path, options: &[&str]) -> String {
    let mut command = Command::new(tests::meridian());
    command.args(["cc", "-Wall", "-fdiagnostics-format=text", "-fsyntax-only"]).args(options).arg(program);
    process::run(&mut command, None, Duration::from_secs(60)).unwrap().stderr
}

#[test]
fn each_mistake_is_reported_at_its_line() {
    let mut wrong = String::new();
    for program in programs().iter().filter(|program| !is_repaired(program) && !is_found_later(program)) {
        let said = said(program, &[]);
        let found = diagnostics::parse(&said);
        let expected = expected(program, COMPILED);
        let is_told = |finds: &Finds| {
            found.iter().any(|told| told.line == finds.line && told.message.contains(&finds.words))
        };
        let fine = !expected.is_empty() && expected.iter().all(is_told) && found.len() == expected.len();
        if !fine {
            wrong += &format!("{}:\n{said}\n", program.display());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn repaired_programs_have_no_report() {
    let mut wrong = String::new();
    for program in programs().iter().filter(|program| is_repaired(program)) {
        for options in [&[][..], &["-T", "4"]] {
            let said = said(program, options);
            if !said.is_empty() {
                wrong += &format!("{} {options:?}:\n{said}\n", program.display());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn each_program_has_a_twin() {
    let all = programs();
    for program in &all {
        let ending = program.extension().unwrap().to_str().unwrap();
        let twin = match is_repaired(program) {
            true => program.with_extension("").with_extension(ending),
            false => program.with_extension(format!("ok.{ending}")),
        };
        assert!(all.contains(&twin), "{} has no {}", program.display(), twin.display());
    }
}

#[test]
fn each_warning_has_a_name_that_turns_it_off() {
    for (kind, name) in
        [("barrier", "upc-divergence"), ("lock", "upc-lock"), ("index", "array-bounds"), ("race", "upc-race")]
    {
        for program in programs().iter().filter(|program| program.parent().unwrap().ends_with(kind)) {
            assert_eq!(said(program, &[&format!("-Wno-{name}")]), "", "{}", program.display());
            if !is_repaired(program) {
                let errors = said(program, &[&format!("-Werror={name}")]);
                assert!(errors.contains("error"), "{}: {errors}", program.display());
            }
        }
    }
}
