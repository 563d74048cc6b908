//! The conduits: those that are here, and the command that starts a job on one of them.

use std::process::Command;

use crate::installation::Places;
use crate::machine;
use crate::options::Conduit;

/// Returns the command that runs a program on a conduit, with `threads` threads, half of them on each of two
/// hosts; more options, the program and its arguments are to be appended. `spread`: threads that share cores
/// are tied to them, evenly. The kernel leaves a job that does nothing but take turns on one core for
/// seconds, or with one or two threads on one core and the rest on the other, so that the result would depend
/// on the kernel's choice.
pub fn launch(
    places: &Places,
    conduit: Conduit,
    hosts: Option<&str>,
    threads: usize,
    spread: bool,
) -> Command {
    let mut command = Command::new(&places.meridian);
    let pin = if spread && threads > machine::cores() { "--pin=always" } else { "--pin=auto" };
    let (number, half) = (threads.to_string(), threads / 2);
    let here_twice = format!("localhost:{half},localhost:{half}");
    command.args(["run", "--timeout", "600"]);
    match conduit {
        Conduit::Smp => command.args(["--local", pin, "-n", &number]),
        Conduit::Am => command.args(["--local", pin, "-n", &number]).env("MERIDIAN_REFERENCE", "1"),
        Conduit::Tcp | Conduit::Ofi => command
            .args(["-H", hosts.unwrap_or(&here_twice), "-n", &number])
            .env("MERIDIAN_CONDUIT", conduit.name()),
    };
    for name in ["MERIDIAN_REFERENCE", "MERIDIAN_REMOTE", "MERIDIAN_THREADS", "MERIDIAN_TAG"] {
        if !(name == "MERIDIAN_REFERENCE" && conduit == Conduit::Am) {
            command.env_remove(name);
        }
    }
    // A profile would change the defaults, which are to be measured.
    command.env("MERIDIAN_PROFILE", "none");
    command
}

/// Returns the conduit that a job on several hosts uses, among those that are there, by the rule of
/// `runtime/conduit/find.c`: libfabric if there is a network that only it reaches or the user addresses it.
/// `MERIDIAN_CONDUIT` takes precedence.
pub fn between_hosts(there: &[Conduit]) -> Conduit {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let cards = || ["/sys/class/infiniband", "/dev/cxi0", "/dev/hfi1_0"].into_iter().any(has_something);
    let ofi = match variable("MERIDIAN_CONDUIT") {
        Some(name) => name == Conduit::Ofi.name(),
        None => variable("FI_PROVIDER").is_some() || cards(),
    };
    if ofi && there.contains(&Conduit::Ofi) { Conduit::Ofi } else { Conduit::Tcp }
}

/// Whether the path is a device, or a directory that is not empty.
fn has_something(path: &str) -> bool {
    let path = std::path::Path::new(path);
    std::fs::read_dir(path).map_or_else(|_| path.exists(), |mut entries| entries.next().is_some())
}

/// Returns the conduits to be measured, and those that are not there, with the reason.
pub fn conduits(places: &Places, wanted: &[Conduit]) -> (Vec<Conduit>, Vec<(Conduit, String)>) {
    let all = [Conduit::Smp, Conduit::Am, Conduit::Tcp, Conduit::Ofi];
    let wanted: Vec<Conduit> =
        all.into_iter().filter(|conduit| wanted.is_empty() || wanted.contains(conduit)).collect();
    let missing = |conduit: Conduit| {
        (conduit == Conduit::Ofi && places.library("meridian/conduit-ofi.so").is_none()).then(|| {
            let why =
                "this Meridian was built without libfabric (conduit-ofi.so); `meridian doctor` says more";
            (conduit, why.to_string())
        })
    };
    let left_out: Vec<_> = wanted.iter().filter_map(|&conduit| missing(conduit)).collect();
    let there = wanted.into_iter().filter(|&conduit| missing(conduit).is_none()).collect();
    (there, left_out)
}
