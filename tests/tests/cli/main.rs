//! The tool from outside: `meridian cc` and `meridian run` with good and bad command lines, bad input and bad
//! surroundings. Each fault gives one clear message and a non-zero exit, and never a panic.

mod links;
mod makes;
mod output;
mod refuses;
mod runs;

use std::path::Path;
use std::time::Duration;
use tests::scratch::Scratch;

const LIMIT: Duration = Duration::from_secs(60);

/// A program that greets from each thread and returns 0.
const HELLO: &str = "#include <stdio.h>\n#include <upc.h>\nshared int a[THREADS];\nint main(void) {\n    \
                     a[MYTHREAD] = 1;\n    upc_barrier;\n    printf(\"thread %d of %d\\n\", MYTHREAD, THREADS);\n    \
                     return 0;\n}\n";

#[test]
fn the_doctor_tries_what_is_here() {
    let scratch = scratch("doctor");
    let end = scratch.meridian("doctor");
    assert_eq!(end.status, 0, "{}", end.report());
    for row in ["memory, one host", "conduit tcp"] {
        let tried = end.stdout.split("\nTried").nth(1).unwrap_or_default();
        let line = tried.lines().find(|line| line.contains(row)).unwrap_or_default();
        assert!(line.starts_with("  ok ") && line.contains("correct, in "), "{}", end.report());
    }
    assert_eq!(
        std::fs::read_dir(scratch.directory())
            .unwrap()
            .filter(|e| { e.as_ref().unwrap().file_name().to_string_lossy().starts_with("meridian-doctor") })
            .count(),
        0,
        "the doctor leaves nothing behind"
    );
    let end = scratch.meridian("doctor -H localhost:0");
    let tried = end.stdout.lines().find(|line| line.contains("your hosts")).unwrap_or_default();
    assert!(tried.starts_with("  WRONG") && tried.contains("`localhost:0` is no host"), "{}", end.report());
    assert_eq!(end.status, 1, "hosts that were asked for and are not there: {}", end.report());
}

#[test]
fn the_conduit_to_be_copied_runs_programs() {
    let scratch = scratch("template").file("hello.upc", HELLO);
    scratch.good("cc hello.upc -o hello");
    let end = scratch.shell("MERIDIAN_CONDUIT=template $MERIDIAN run -H localhost:2,localhost:2 ./hello");
    assert_eq!((end.status, end.stdout.lines().count()), (0, 4), "{}", end.report());
}

/// A directory of the test's own.
fn scratch(name: &str) -> Scratch {
    Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name), LIMIT)
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}
