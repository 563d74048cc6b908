//! The programs of `upc/run/stress` over hosts between which packets are late, out of order and lost
//! (`tests::network_faults`), over every conduit: what a job computes does not depend on the network's
//! faults.

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

/// The conduits one after the other: the names of the hosts are this process's.
fn main() {
    static ONE: Mutex<()> = Mutex::new(());
    let trials = tests::conduits().into_iter().map(|conduit| {
        trial(format!("programs run right over {conduit}"), move || {
            let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
            programs_run_right(conduit)
        })
    });
    tests::trial::run(trials.collect());
}
