//! More processes than the network allows: no descriptor left, no port free, connections that nobody answers.
//! The job ends with one message, which names the limit to raise; with a sufficient limit it runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tests::process::{self, LONG, Outcome};
use tests::trial::{Ran, trial};
use tests::world::World;

/// `net/everyone.upc`, compiled.
static EVERYONE: LazyLock<PathBuf> =
    LazyLock::new(|| tests::net_program("everyone", Path::new(env!("CARGO_TARGET_TMPDIR"))));

/// `meridian run` with these words, over this conduit.
fn run(conduit: &str, words: &[&str]) -> Outcome {
    let mut command = Command::new(tests::meridian());
    tests::forget(&mut command, "MERIDIAN_");
    command.arg("run").args(words).env("MERIDIAN_CONDUIT", conduit).env("MERIDIAN_SILENCE", "4");
    process::run(&mut command, None, LONG).expect("meridian run")
}

fn is_refused(end: &Outcome, says: &[&str]) {
    assert!(end.status != 0 && !end.timed_out, "{}", end.report());
    assert_eq!(end.stderr.lines().count(), 1, "one message: {}", end.report());
    assert!(says.iter().all(|text| end.stderr.contains(text)), "{says:?}: {}", end.report());
}

fn is_right(end: &Outcome, threads: usize) {
    let right = end.status == 0 && end.stdout == format!("{threads} threads\n") && end.stderr.is_empty();
    assert!(right, "{}", end.report());
}

/// From too few descriptors to enough, one by one: a job either runs or names the lack.
fn a_process_without_descriptors_says_so(conduit: &str) -> Ran {
    tests::has_conduit(conduit)?;
    let mut refused = 0;
    for limit in 7.. {
        assert!(limit < 100, "{conduit}: a few descriptors do");
        let script = format!("ulimit -n {limit}; exec \"$0\"");
        let words = ["-H", "localhost:3,localhost:3", "sh", "-c", &script, EVERYONE.to_str().unwrap()];
        let end = run(conduit, &words);
        if end.status == 0 {
            is_right(&end, 6);
            break;
        }
        // Over `ofi` a peer that still has a descriptor may be the first to notice: libfabric does not
        // report a connection that it could not accept.
        let own = format!("its limit on open files, {limit}; raise the limit (`ulimit -Hn'");
        let peer = "check its limit on open files (`ulimit -Hn')";
        let says = if conduit == "ofi" && !end.stderr.contains(&own) { peer } else { &own };
        is_refused(&end, &["thread ", " of 6 on host localhost: ", says]);
        refused += 1;
    }
    assert!(refused > 2, "{conduit}: the limit is in the way");
    Ok(())
}

fn a_launcher_without_descriptors_says_so() {
    for (hosts, limit) in
        [("localhost:4,localhost:4", 12), ("localhost:4,localhost:4", 18), ("localhost:20", 24)]
    {
        let script = format!("ulimit -n {limit}; exec \"$0\" run -H {hosts} \"$1\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).arg(tests::meridian()).arg(&*EVERYONE);
        let end = process::run(&mut command, None, LONG).expect("sh");
        is_refused(&end, &["Too many open files; raise the limit on open files of a process (`ulimit -n`"]);
    }
}

/// A launcher raises its own limit of descriptors as far as it may; its threads keep the original limit.
fn a_launcher_takes_what_the_hard_limit_admits() {
    let script = "ulimit -Sn 12; exec \"$0\" run -H localhost:4,localhost:4 sh -c 'ulimit -Sn >&2; exec \"$0\"' \"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(tests::meridian()).arg(&*EVERYONE);
    let end = process::run(&mut command, None, LONG).expect("sh");
    assert_eq!((end.status, end.stdout.as_str()), (0, "8 threads\n"), "{}", end.report());
    assert!(
        end.stderr.lines().all(|line| line == "12") && end.stderr.lines().count() == 8,
        "{}",
        end.report()
    );
}

/// Two threads on one host, four on the other.
fn over(world: &World, conduit: &str) -> Outcome {
    let hosts = format!("{}:2,{}:4", world.namespace(0), world.namespace(1));
    let words = ["--ssh", "ip netns exec", "-H", &hosts, EVERYONE.to_str().unwrap()];
    run(conduit, &words)
}

fn shell(world: &World, i: usize, script: &str) {
    let status = world.inside(i, Path::new("sh")).args(["-c", script]).status().expect("sh");
    assert!(status.success(), "{script}");
}

fn a_host_without_ports_says_so(conduit: &str) -> Ran {
    tests::has_conduit(conduit)?;
    let world = World::new(2, false)?;
    is_right(&over(&world, conduit), 6);
    // One port; and enough for the listening sockets, but not for connections.
    for last in [40000, 40003] {
        shell(&world, 1, &format!("echo 40000 {last} >/proc/sys/net/ipv4/ip_local_port_range"));
        let range = format!("no port is free; this host's range of ports is 40000 to {last}: widen");
        is_refused(&over(&world, conduit), &[" of 6 on host ", &range, "ip_local_port_range"]);
    }
    Ok(())
}

/// Connections meet silence, as from a firewall, or from a full table of connections.
fn connections_that_nobody_answers_end_the_job(conduit: &str) -> Ran {
    tests::has_conduit(conduit)?;
    let world = World::new(2, false)?;
    world.pass_nothing();
    let says = if conduit == "ofi" { "firewall" } else { "its limit on connections" };
    is_refused(&over(&world, conduit), &["thread ", " is lost: ", says]);
    Ok(())
}

/// A test of one conduit, and its name.
type OfConduit = (&'static str, fn(&str) -> Ran);

fn main() {
    let of_conduits: [OfConduit; 3] = [
        ("a_process_without_descriptors_says_so", a_process_without_descriptors_says_so),
        ("a_host_without_ports_says_so", a_host_without_ports_says_so),
        ("connections_that_nobody_answers_end_the_job", connections_that_nobody_answers_end_the_job),
    ];
    let mut trials =
        tests::trials![a_launcher_without_descriptors_says_so, a_launcher_takes_what_the_hard_limit_admits,];
    for (name, test) in of_conduits {
        for conduit in tests::conduits() {
            trials.push(trial(format!("{name}, {conduit}"), move || test(conduit)));
        }
    }
    tests::trial::run_waiting(trials);
}
