//! `tests/tally` and `tests/progress`, which count the tests that `make check` has run, on logs in the
//! formats of cargo and ctest.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const CARGO: &str = "   Compiling tests v0.1.0\n\nrunning 4 tests\ntest a ... ok\n\
                     test b ... ignored, needs a file\ntest c in two words ... FAILED\ntest d ... ok\n\n\
                     test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out\n";
const MIMIC: &str = "running 3 tests\ntest one   ... ignored (gdb is not installed here (packaging/setup test))\n\
                     test two   ... ignored (gdb is not installed here (packaging/setup test))\n\
                     test three ... ok\n\
                     test result: ok. 1 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out\n";
const CTEST: &str = "      Start  1: test_start\n 1/4 Test  #1: test_start .......   Passed   12.30 sec\n\
                     2/4 Test  #2: conduit_ofi ......***Skipped   0.01 sec\n\
                     3/4 Test  #3: test_lock ........***Failed    0.20 sec\nits own words\n\
                     4/4 Test  #4: test_heap ........***Timeout 300.01 sec\n\
                     50% tests passed, 2 tests failed out of 4\nskipped: no libfabric here\n";

/// Returns the script's output for these logs, and whether it ends well.
fn tally(name: &str, logs: &[&str]) -> (String, bool) {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tally-{name}"));
    std::fs::create_dir_all(&directory).expect("a directory of the test's own");
    let mut command = Command::new(tests::home().join("tally"));
    command.arg("total=1").current_dir(&directory);
    for (i, text) in logs.iter().enumerate() {
        std::fs::write(directory.join(format!("log{i}")), text).expect("a log");
        command.arg(format!("log{i}"));
    }
    let output = command.output().expect("awk");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success())
}

#[test]
fn tests_of_all_harnesses_are_counted_with_their_reasons() {
    let (said, good) = tally("all", &[CARGO, MIMIC, CTEST]);
    let expected = "  PASSED   4 tests\n\
                    \x20 SKIPPED  1 test: needs a file\n\
                    \x20 SKIPPED  2 tests: gdb is not installed here (packaging/setup test)\n\
                    \x20 SKIPPED  1 test: no libfabric here\n\
                    \x20 FAILED   3 tests: c in two words, test_lock, test_heap\n\
                    4 passed, 3 failed, 4 skipped\n";
    assert_eq!(said, expected);
    assert!(!good);
}

#[test]
fn a_part_without_failures_is_good() {
    let (said, good) = tally("good", &[MIMIC]);
    assert!(good && said.ends_with("1 passed, 0 failed, 2 skipped\n"), "{said}");
}

#[test]
fn a_part_that_has_not_run_is_a_failure() {
    let (said, good) = tally("not-run", &[MIMIC, "error: could not compile `tests`\n"]);
    assert!(!good && said.contains("log1 (it holds no result"), "{said}");
    assert!(said.ends_with("1 passed, 1 failed, 2 skipped\n"), "{said}");
    // A harness that dies leaves its tests unnamed.
    let (said, good) = tally("died", &["test result: FAILED. 0 passed; 2 failed; 0 ignored\n"]);
    assert!(!good && said.ends_with("0 passed, 2 failed, 0 skipped\n"), "{said}");
}

#[test]
fn a_test_program_that_dies_is_a_failure() {
    let died = "error: test failed, to rerun pass `-p tests --test upc`\nerror: 1 target failed:\n    `-p tests --test upc`\n";
    let (said, good) = tally("program-died", &[MIMIC, died]);
    assert!(!good && said.contains("a test program that has died"), "{said}");
}

#[test]
fn a_skipped_test_of_ctest_without_a_reason_is_counted() {
    let (said, good) = tally("no-reason", &["1/1 Test #1: test_a ....***Skipped   0.01 sec\n"]);
    assert!(good && said.contains("1 test: no reason given"), "{said}");
}

/// Returns the first line of `tests/progress` for a log.
fn progress(name: &str, log: &str) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("progress-{name}"));
    std::fs::write(&file, log).expect("a log");
    let mut command = Command::new(tests::home().join("progress"));
    command.arg("part").arg(&file).arg("0.01").stdout(Stdio::piped());
    let mut child = command.spawn().expect("bash");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    // SAFETY: the process is this test's own child, and has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
    assert!(child.wait().expect("its end").success(), "it ends when it is told to");
    line
}

#[test]
fn a_part_that_runs_says_how_far_it_is() {
    let running = format!("     Running tests/upc.rs (build/cargo/debug/deps/upc-36d2)\n{CARGO}");
    let said = progress("cargo", &running);
    assert!(said.starts_with("  RUNNING  part: 2 tests passed after 0:0"), "{said}");
    assert!(said.ends_with(", now in tests/upc.rs, FAILED c in two words\n"), "{said}");
    let said = progress("ctest", CTEST);
    assert!(
        said.contains(": 1 tests passed after ") && said.contains(", FAILED test_lock, FAILED test_heap\n"),
        "{said}"
    );
}
