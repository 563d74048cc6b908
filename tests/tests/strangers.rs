//! Attacks by another user of a job's machine. A stranger with plain libfabric or plain sockets, who finds
//! the job's ports as anybody can, reads nothing, writes nothing, and is ignored; the job ends with 0 and
//! right results. A job on one machine cannot be found from outside.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use tempfile::TempDir;
use tests::process::{self, LONG, Outcome};
use tests::trial::{Ran, Skip, trial};
use tests::world::World;

/// The user `nobody` of every system.
const NOBODY: &str = "65534";

/// `net/besieged.upc`, compiled.
static BESIEGED: LazyLock<PathBuf> =
    LazyLock::new(|| tests::net_program("besieged", Path::new(env!("CARGO_TARGET_TMPDIR"))));

/// `net/stranger-CONDUIT.c`, compiled into a directory that every user may read.
fn stranger(conduit: &str) -> Result<(PathBuf, TempDir), Skip> {
    let directory =
        tempfile::Builder::new().prefix("meridian-stranger-").tempdir_in("/tmp").expect("a directory");
    fs::set_permissions(directory.path(), Permissions::from_mode(0o755)).expect("a directory");
    let (source, out) = (format!("net/stranger-{conduit}.c"), directory.path().join("stranger"));
    let mut command = Command::new("cc");
    command
        .arg("-O1")
        .arg("-I")
        .arg(tests::faults::runtime())
        .arg(tests::home().join(source))
        .arg("-o")
        .arg(&out);
    if conduit == "ofi" {
        command.arg("-lfabric");
    }
    let end = process::run(&mut command, None, LONG).expect("cc");
    assert_eq!(end.status, 0, "{}", end.report());
    fs::set_permissions(&out, Permissions::from_mode(0o755)).expect("a program");
    Ok((out, directory))
}

/// The listening sockets of host `i`, as the kernel writes their addresses.
fn listeners(world: &World, i: usize) -> Vec<String> {
    let output =
        world.inside(i, Path::new("cat")).args(["/proc/net/tcp", "/proc/net/tcp6"]).output().expect("cat");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let of_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words.len() > 3 && words[3] == "0A").then(|| words[1].to_string())
    };
    text.lines().filter_map(of_line).collect()
}

/// Returns true if an address, as the kernel writes it, is one of loopback.
fn is_loopback(address: &str) -> bool {
    let host = address.split(':').next().unwrap_or("");
    host.ends_with("7F") && host.len() == 8 || host == "00000000000000000000000001000000"
}

/// The attempts of the stranger of a conduit, one after the other: its arguments.
fn attempts(conduit: &str) -> &'static [&'static str] {
    if conduit == "ofi" { &["memory", "packets"] } else { &["greetings"] }
}

/// Runs the job, attacks it from host 0 while it runs, and lets it end. Returns the attacker's output each
/// time.
fn attacked(world: &World, conduit: &str, words: &[&str], within: bool) -> Result<Vec<Outcome>, Skip> {
    let (program, directory) = stranger(conduit)?;
    let end = directory.path().join("end");
    let mut job = if within { world.inside(0, &tests::meridian()) } else { Command::new(tests::meridian()) };
    tests::forget(&mut job, "MERIDIAN_");
    job.arg("run").args(words).arg(&*BESIEGED).arg(&end).env("MERIDIAN_CONDUIT", conduit);
    process::with_default_signals(&mut job);
    let mut job = job.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("meridian run");
    let mut said = BufReader::new(job.stdout.take().expect("a pipe"));
    let mut line = String::new();
    said.read_line(&mut line).expect("a line");
    assert_eq!(line, "ready\n", "the job runs");
    if within {
        let outside: Vec<String> = listeners(world, 0).into_iter().filter(|at| !is_loopback(at)).collect();
        assert!(outside.is_empty(), "a job on one machine listens outside of loopback: {outside:?}");
    }
    let attack = |attempt: &&str| {
        let mut attack = world.inside(0, Path::new("setpriv"));
        attack.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]).arg(&program).arg(attempt);
        process::run(attack.current_dir("/"), None, LONG).expect("setpriv")
    };
    let attacks: Vec<Outcome> = attempts(conduit).iter().map(attack).collect();
    fs::write(&end, "").expect("a file");
    let left = job.wait_with_output().expect("the job");
    let mut rest = String::new();
    said.read_line(&mut rest).expect("a line");
    let report = String::from_utf8_lossy(&left.stderr).into_owned();
    assert!(left.status.success() && report.is_empty(), "{}: {report}; {attacks:?}", left.status);
    assert_eq!(rest, "right\n", "{attacks:?}");
    Ok(attacks)
}

/// The numbers in a line such as "2 endpoints, 0 read".
fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Checks that the stranger has reached the job, and achieved nothing.
fn are_refused(attacks: &[Outcome], conduit: &str) {
    let all: Vec<Vec<u32>> = attacks.iter().map(|attack| numbers(&attack.stdout)).collect();
    match (conduit, &all.iter().map(|numbers| &numbers[..]).collect::<Vec<_>>()[..]) {
        ("ofi", [[endpoints, read, written, _], [_, _, _, sent]]) => {
            assert!(*endpoints > 0 && *sent > 0, "{attacks:?}");
            assert_eq!((*read, *written), (0, 0), "{attacks:?}");
        }
        ("tcp", [[endpoints, calls, answered]]) => {
            assert!(*endpoints > 0 && *calls > 0, "{attacks:?}");
            assert_eq!(*answered, 0, "{attacks:?}");
        }
        _ => panic!("{attacks:?}"),
    }
}

fn nobody_else_is_heard_on_one_machine(conduit: &str) -> Ran {
    tests::has_conduit(conduit)?;
    tests::has_commands(&["setpriv", "cc"])?;
    let world = World::new(1, false)?;
    let attacks = attacked(&world, conduit, &["-H", "localhost:1,localhost:1"], true)?;
    are_refused(&attacks, conduit);
    Ok(())
}

fn nobody_else_is_heard_on_one_of_two_hosts(conduit: &str) -> Ran {
    tests::has_conduit(conduit)?;
    tests::has_commands(&["setpriv", "cc"])?;
    let world = World::new(2, false)?;
    let hosts = format!("{}:1,{}:1", world.namespace(0), world.namespace(1));
    let attacks = attacked(&world, conduit, &["--ssh", "ip netns exec", "-H", &hosts], false)?;
    are_refused(&attacks, conduit);
    Ok(())
}

/// A test of one conduit, and its name.
type OfConduit = (&'static str, fn(&str) -> Ran);

fn main() {
    let of_conduits: [OfConduit; 2] = [
        ("nobody_else_is_heard_on_one_machine", nobody_else_is_heard_on_one_machine),
        ("nobody_else_is_heard_on_one_of_two_hosts", nobody_else_is_heard_on_one_of_two_hosts),
    ];
    let mut trials = Vec::new();
    for (name, test) in of_conduits {
        for conduit in tests::conduits() {
            trials.push(trial(format!("{name}, {conduit}"), move || test(conduit)));
        }
    }
    tests::trial::run_waiting(trials);
}
