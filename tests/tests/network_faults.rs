//! The programs of `upc/run/stress` over hosts between which packets are late, out of order and lost
//! (`tests::network_faults`), over every conduit: a job's results do not depend on the network's faults. The
//! command `delayed`, which runs another command in such a network, is tested, too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tests::directives::{self, Directives};
use tests::network_faults::{Faults, FaultyNetwork};
use tests::process;
use tests::programs::programs;
use tests::trial::{Ran, trial};

/// Longer than anything here takes on a loaded machine.
const LONG: Duration = Duration::from_secs(240);

fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The programs, compiled, and the status with which each is to end.
fn compiled(conduit: &str) -> Vec<(PathBuf, i32)> {
    let all = programs("upc", "upc").into_iter().filter(|program| program.name.starts_with("run/stress/"));
    let programs: Vec<_> = all
        .map(|program| {
            let out = scratch().join(format!("{}-{conduit}", program.name.replace(['/', '.'], "-")));
            let mut command = Command::new(tests::meridian());
            command.args(["cc", "-O2"]).arg(&program.path).arg("-o").arg(&out);
            assert!(command.status().expect("meridian cc").success(), "{}", program.name);
            let directives = Directives::read(&directives::head(&program.path)).expect("directives");
            (out, directives.exit.unwrap_or(0))
        })
        .collect();
    assert!(!programs.is_empty());
    programs
}

/// Every program over one conduit, on three hosts.
fn programs_run_right(conduit: &str) -> Ran {
    tests::has_conduit(conduit)?;
    let delay = (Duration::from_micros(100), Duration::from_micros(900));
    let network = FaultyNetwork::new(3, Faults { delay, loss: 200 })?;
    for (program, status) in compiled(conduit) {
        let mut command = network.job(&[1, 2, 1], &program);
        command.env("MERIDIAN_CONDUIT", conduit);
        let outcome = process::run(&mut command, None, LONG).expect("it runs");
        let what = format!("{} over `{conduit}`: {}", program.display(), outcome.report());
        assert!(!outcome.timed_out && outcome.status == status, "{what}");
    }
    assert!(network.lost() > 0, "no packet was lost");
    Ok(())
}

/// Prints the microseconds of a read from the other host, the shortest of some.
const READ: &str = "#include <stdio.h>
#include <upc.h>
#include <upc_tick.h>
shared int here[THREADS];
int main(void) {
    upc_tick_t least = ~(upc_tick_t)0;
    for (int i = 0; i < 8; i++) {
        upc_tick_t begin = upc_ticks_now();
        int value = here[(MYTHREAD + 1) % THREADS];
        upc_tick_t took = upc_ticks_now() - begin;
        if (took < least && !value)
            least = took;
    }
    if (MYTHREAD == 0)
        printf(\"%llu\\n\", (unsigned long long)(upc_ticks_to_ns(least) / 1000));
    return 0;
}
";

fn delayed(words: &[&str]) -> process::Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_delayed"));
    process::run(command.args(words), None, LONG).expect("it runs")
}

fn a_delayed_command_runs_between_two_hosts() -> Ran {
    // Skips the test if this machine does not permit namespaces.
    drop(FaultyNetwork::new(1, Faults { delay: (Duration::ZERO, Duration::ZERO), loss: 0 })?);
    let (source, program) = (scratch().join("delayed-read.upc"), scratch().join("delayed-read"));
    std::fs::write(&source, READ).expect("the program is written");
    let mut compile = Command::new(tests::meridian());
    assert!(compile.arg("cc").arg(&source).arg("-o").arg(&program).status().expect("cc").success());
    let (meridian, program) = (tests::meridian(), program.display().to_string());
    let meridian = meridian.display().to_string();
    let outcome = delayed(&["3000", &meridian, "run", "-H", "HOSTS", "-n", "2", &program]);
    let least: u64 = outcome.stdout.trim().parse().unwrap_or_else(|_| panic!("{}", outcome.report()));
    assert!(least >= 6000, "a read over a network of 3,000 us one way took {least} us");
    let outcome = delayed(&["0", "sh", "-c", "ssh -x ${0#*,} 'hostname; exit 3'", "HOSTS"]);
    assert_eq!(outcome.status, 3, "{}", outcome.report());
    assert!(outcome.stdout.trim().ends_with("h1"), "{}", outcome.report());
    Ok(())
}

fn delayed_says_what_is_wrong() -> Ran {
    let outcome = delayed(&["soon", "true"]);
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("`soon` is not a number of microseconds"), "{}", outcome.report());
    let outcome = delayed(&["50"]);
    assert!(outcome.status == 2 && outcome.stderr.contains("usage: delayed"), "{}", outcome.report());
    Ok(())
}

/// The conduits one after the other: the names of the hosts are this process's.
fn main() {
    static ONE: Mutex<()> = Mutex::new(());
    let mut trials: Vec<_> = tests::conduits()
        .into_iter()
        .map(|conduit| {
            trial(format!("programs run right over {conduit}"), move || {
                let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
                programs_run_right(conduit)
            })
        })
        .collect();
    trials.push(trial("a delayed command runs between two hosts", a_delayed_command_runs_between_two_hosts));
    trials.push(trial("delayed says what is wrong", delayed_says_what_is_wrong));
    tests::trial::run(trials);
}
