//! `MERIDIAN_ENCRYPT=1`: a job whose hosts differ in it, or that cannot encrypt, ends with one message that
//! names a remedy. `runtime/tests/test_channel.c` and `test_tcp.c` test the bytes on the wire; `hosts.rs`
//! runs encrypted programs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tests::process::{self, LONG, Outcome};
use tests::trial::Ran;

/// `net/everyone.upc`, compiled.
static EVERYONE: LazyLock<PathBuf> =
    LazyLock::new(|| tests::net_program("everyone", Path::new(env!("CARGO_TARGET_TMPDIR"))));

/// Runs the program on two hosts, with these variables, by this shell script, whose `$0` is the program.
fn run(script: &str, variables: &[(&str, &str)]) -> Outcome {
    let mut command = Command::new(tests::meridian());
    tests::forget(&mut command, "MERIDIAN_");
    command.args(["run", "-H", "localhost:2,localhost:2", "sh", "-c", script]).arg(&*EVERYONE);
    command.envs(variables.iter().copied());
    process::run(&mut command, None, LONG).expect("meridian run")
}

const ALIKE: &str = "exec \"$0\"";

fn is_refused(end: &Outcome, says: &[&str]) {
    assert!(end.status != 0 && !end.timed_out, "{}", end.report());
    assert_eq!(end.stderr.lines().count(), 1, "one message: {}", end.report());
    assert!(says.iter().all(|text| end.stderr.contains(text)), "{says:?}: {}", end.report());
}

fn an_encrypted_job_runs() -> Ran {
    tests::has_encryption()?;
    for conduit in [None, Some(("MERIDIAN_CONDUIT", "tcp"))] {
        let variables: Vec<_> = conduit.into_iter().chain([("MERIDIAN_ENCRYPT", "1")]).collect();
        let end = run(ALIKE, &variables);
        assert_eq!((end.status, end.stdout.as_str()), (0, "4 threads\n"), "{}", end.report());
    }
    Ok(())
}

fn hosts_that_differ_are_refused() -> Ran {
    tests::has_encryption()?;
    let script = "test $MERIDIAN_HOST = 0 || export MERIDIAN_ENCRYPT=1; exec \"$0\"";
    let end = run(script, &[("MERIDIAN_CONDUIT", "tcp")]);
    is_refused(
        &end,
        &["MERIDIAN_ENCRYPT is ", " here, but ", "set MERIDIAN_ENCRYPT to the same value on all hosts"],
    );
    Ok(())
}

fn a_job_without_the_module_says_what_to_install() {
    let end = run(ALIKE, &[("MERIDIAN_ENCRYPT", "1"), ("MERIDIAN_MODULES", "/nonexistent")]);
    is_refused(&end, &["MERIDIAN_ENCRYPT=1: ", "/nonexistent/encrypt-openssl.so", "libssl-dev"]);
}

fn a_conduit_that_does_not_encrypt_is_refused() {
    let end = run(ALIKE, &[("MERIDIAN_ENCRYPT", "1"), ("MERIDIAN_CONDUIT", "template")]);
    is_refused(&end, &["the conduit `template' does not encrypt; set MERIDIAN_CONDUIT=tcp"]);
}

fn main() {
    tests::trial::run(tests::trials![
        an_encrypted_job_runs,
        hosts_that_differ_are_refused,
        a_job_without_the_module_says_what_to_install,
        a_conduit_that_does_not_encrypt_is_refused,
    ]);
}
