//! The programs of `upc/run/stress` over hosts between which packets are late, out of order and lost
//! (`tests::weather`): what a job computes does not depend on the network's mood.  Over all conduits that are here.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tests::directives::{self, Directives};
use tests::process;
use tests::programs::programs;
use tests::weather::{Storm, Weather};

/// Longer than anything here takes on a loaded machine.
const LONG: Duration = Duration::from_secs(240);

fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The programs, compiled, and the status with which each is to end.
fn compiled() -> Vec<(PathBuf, i32)> {
    let all = programs("upc", "upc").into_iter().filter(|program| program.name.starts_with("run/stress/"));
    let programs: Vec<_> = all
        .map(|program| {
            let out = scratch().join(program.name.replace(['/', '.'], "-"));
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

#[test]
fn programs_hold_in_a_bad_network() {
    let delay = (Duration::from_micros(100), Duration::from_micros(900));
    let Some(storm) = Storm::new(3, Weather { delay, loss: 200 }) else { return };
    let hosts: Vec<_> =
        [1, 2, 1].iter().enumerate().map(|(i, n)| format!("{}:{n}", storm.namespace(i))).collect();
    for (program, status) in compiled() {
        for conduit in tests::conduits() {
            let mut command = Command::new("ip");
            command.args(["netns", "exec", &storm.namespace(0)]).arg(tests::meridian());
            command.args(["run", "-H", &hosts.join(","), "--ssh", "ip netns exec"]).arg(&program);
            command.env("MERIDIAN_CONDUIT", conduit);
            let outcome = process::run(&mut command, None, LONG, scratch(), "weather").expect("it runs");
            let what = format!("{} over `{conduit}`: {}", program.display(), outcome.report());
            assert!(!outcome.timed_out && outcome.status == status, "{what}");
        }
    }
    assert!(storm.lost() > 0, "the weather was fine");
}
