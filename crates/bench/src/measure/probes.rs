//! The probes: the program of each dialect, its parts and conduits, and its compilation.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::compiling::{align, meridian, run_to_end};
use crate::installation::Places;
use crate::machine;
use crate::options::{Conduit, Part};

/// A program of `bench/probes`.
#[derive(Debug)]
pub struct Probe {
    /// The name in the results.
    pub dialect: &'static str,
    /// The source file.
    pub source: &'static str,
    /// The options of optimisation.
    optimise: &'static [&'static str],
    /// Numbers of threads with which it runs in addition to the user's: on one host, or, for parts that are
    /// not measured on one host, on two.
    pub threads: &'static [usize],
    /// C files that are linked in.
    with: &'static [Object],
    /// The parts that it measures.
    pub parts: &'static [Part],
}

/// A C file of `bench/c`, as it is compiled.
#[derive(Debug)]
struct Object {
    source: &'static str,
    /// The name of the object.
    name: &'static str,
    /// Compiled by `meridian cc`, as UPC, instead of the C compiler.
    translated: bool,
    options: &'static [&'static str],
}

const fn by_c(source: &'static str) -> Object {
    Object { source, name: source, translated: false, options: &[] }
}

const fn livermore(name: &'static str, translated: bool, options: &'static [&'static str]) -> Object {
    Object { source: "livermore", name, translated, options }
}

/// A probe for each dialect, and those of applications, which are compiled in a way of their own.
pub const PROBES: &[Probe] = &[
    Probe {
        dialect: "split-c",
        source: "split-c.sc",
        optimise: &["-O2"],
        threads: &[],
        with: &[by_c("messages"), by_c("view")],
        parts: &[
            Part::Memory,
            Part::Remote,
            Part::Groups,
            Part::Bulk,
            Part::Primitives,
            Part::Exchange,
            Part::Em3d,
        ],
    },
    Probe {
        dialect: "upc",
        source: "upc.upc",
        optimise: &["-O2"],
        threads: &[],
        with: &[],
        parts: &[
            Part::Pointers,
            Part::Small,
            Part::Bulk,
            Part::Primitives,
            Part::Groups,
            Part::Exchange,
            Part::Em3d,
            Part::Applications,
        ],
    },
    Probe {
        dialect: "ac",
        source: "ac.ac",
        optimise: &["-O2"],
        threads: &[],
        with: &[],
        parts: &[Part::Primitives],
    },
    Probe {
        dialect: "split-c",
        source: "sorts.sc",
        optimise: &["-O2"],
        threads: &[],
        with: &[],
        parts: &[Part::Exchange, Part::Sorts],
    },
    Probe {
        dialect: "id90",
        source: "tam.c",
        optimise: &["-O2"],
        threads: &[],
        with: &[],
        parts: &[Part::Tam],
    },
    Probe {
        dialect: "upc",
        source: "peers.upc",
        optimise: &["-O2"],
        threads: &[],
        with: &[],
        parts: &[Part::Peers],
    },
    Probe {
        dialect: "upc",
        source: "livermore.upc",
        optimise: &["-O3"],
        threads: &[],
        with: &[
            livermore("livermore-plain", false, &["-DVERSION=livermore_plain"]),
            livermore("livermore-private", true, &["-DVERSION=livermore_private"]),
            livermore("livermore-shared", true, &["-DVERSION=livermore_shared", "-DSHARED=shared []"]),
        ],
        parts: &[Part::Livermore],
    },
    Probe {
        dialect: "upc",
        source: "shifts.upc",
        optimise: &["-O3"],
        threads: &[8],
        with: &[],
        parts: &[Part::Shifts],
    },
    Probe {
        dialect: "upc",
        source: "operations.upc",
        optimise: &["-O2"],
        threads: &[4, 8],
        with: &[],
        parts: &[Part::Operations],
    },
    Probe {
        dialect: "upc",
        source: "stencils.upc",
        // As the loops that it is compared with: copy-and-scale is compiled here.
        optimise: &["-O3", "-march=native"],
        threads: &[],
        with: &[],
        parts: &[Part::Stencils],
    },
];

/// Returns the conduits and the numbers of threads with which a group of a probe's parts runs, among
/// `conduits` and with the user's number of threads on one host. Between hosts each host has one thread,
/// except for probes that list more; and only one if the user names the hosts, which may have fewer cores.
pub fn places(
    probe: &Probe,
    parts: &[Part],
    conduits: &[Conduit],
    threads: usize,
    named: bool,
) -> Vec<(Conduit, usize)> {
    let says = |conduit: Conduit| parts.iter().all(|&part| meaningful(probe, part, conduit));
    let on_one = says(Conduit::Smp);
    let mut places = Vec::new();
    for conduit in conduits.iter().copied().filter(|&conduit| says(conduit)) {
        let usual = if conduit.between_hosts() { 2 } else { threads };
        places.push((conduit, usual));
        let here = if on_one { conduit == Conduit::Smp } else { conduit.between_hosts() && !named };
        let more = probe.threads.iter().filter(|&&more| here && more != usual);
        places.extend(more.map(|&more| (conduit, more)));
    }
    places
}

/// Returns the wanted parts of a probe, in groups that one process measures. An application and the exchanges
/// that predict it are one group: their points are measured in turn, so that a disturbance of a second
/// affects both. The sorts' probe measures exchanges only together with the sorts, because another probe
/// measures them too.
pub fn together(probe: &Probe, wanted: &dyn Fn(Part) -> bool) -> Vec<Vec<Part>> {
    let parts: Vec<Part> = probe.parts.iter().copied().filter(|&part| wanted(part)).collect();
    let application = |part: &Part| matches!(part, Part::Em3d | Part::Sorts);
    let exchanges = parts.contains(&Part::Exchange);
    let paired = exchanges && parts.iter().any(application);
    let mut groups = Vec::new();
    for &part in &parts {
        match part {
            Part::Exchange if paired || probe.parts.contains(&Part::Sorts) => {}
            part if paired && application(&part) => groups.push(vec![Part::Exchange, part]),
            part => groups.push(vec![part]),
        }
    }
    groups
}

/// Whether a part is measured on this conduit. Parts that need no other processor are measured once. UPC's
/// accesses and copies that are waited for at once are loads and stores within a host, also with
/// `MERIDIAN_REFERENCE=1`.
pub fn meaningful(probe: &Probe, part: Part, conduit: Conduit) -> bool {
    match (part, conduit) {
        (Part::Memory | Part::Pointers | Part::Livermore | Part::Peers, conduit) => conduit == Conduit::Smp,
        (Part::Operations, conduit) => conduit.between_hosts(),
        (Part::Groups, Conduit::Am) => true,
        (_, Conduit::Am) => probe.dialect != "upc",
        _ => true,
    }
}

/// Compiles a probe. Returns the executable.
///
/// # Errors
/// If the C compiler or `meridian cc` refuses a source; the message has the compiler's output.
pub fn compile(places: &Places, probe: &Probe) -> Result<PathBuf> {
    let mut objects = Vec::new();
    for object in probe.with {
        objects.push(compile_object(places, probe, object)?);
    }
    let stem = probe.source.split('.').next().unwrap_or(probe.source);
    let executable = places.result(format!("probe-{stem}"));
    run_to_end(
        meridian(places)
            .args(probe.optimise)
            .args(align(places))
            .arg(places.sources.join("probes").join(probe.source))
            .args(&objects)
            .arg("-o")
            .arg(&executable),
    )?;
    Ok(executable)
}

fn compile_object(places: &Places, probe: &Probe, object: &Object) -> Result<PathBuf> {
    let result = places.result(format!("probe-{}.o", object.name));
    let mut command = if object.translated {
        let mut command = meridian(places);
        // As in a program that is compiled and linked in one command, which is for a fixed address.
        command.args(["-x", "upc", "-fno-pie"]);
        command
    } else {
        // meridian links without PIE, so that statics have the same address everywhere; so do these objects.
        let mut command = Command::new(&places.cc);
        command.arg("-fno-pie").arg(format!("-I{}", places.include.display()));
        command
    };
    command.args(probe.optimise).args(align(places)).args(object.options);
    run_to_end(command.arg("-c").arg(places.c(object.source)).arg("-o").arg(&result))?;
    Ok(result)
}

/// Returns the command that runs `executable` on a conduit, with `threads` threads, half of them on each of
/// two hosts; the probe's own arguments are to be appended.
pub fn command(
    places: &Places,
    executable: &PathBuf,
    conduit: Conduit,
    hosts: Option<&str>,
    threads: usize,
) -> Command {
    let mut command = launch(places, conduit, hosts, threads);
    command.arg(executable);
    command
}

/// Returns the command without the program, so that more options may follow. Threads that share cores are
/// tied to them, evenly: the kernel leaves a job that does nothing but take turns on one core for seconds, or
/// with one or two threads on one core and the rest on the other, so that the result would depend on the
/// kernel's choice.
pub fn launch(places: &Places, conduit: Conduit, hosts: Option<&str>, threads: usize) -> Command {
    let mut command = Command::new(&places.meridian);
    let pin = if threads > machine::cores() { "--pin=always" } else { "--pin=auto" };
    let (number, half) = (threads.to_string(), threads / 2);
    let here_twice = format!("localhost:{half},localhost:{half}");
    command.args(["run", "--timeout", "300"]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_are_measured_in_turn_with_their_exchanges() {
        let of = |source: &str, wanted: &[Part]| {
            let probe = PROBES.iter().find(|probe| probe.source == source).unwrap();
            together(probe, &|part| wanted.contains(&part))
        };
        let (e, bulk) = (Part::Exchange, Part::Bulk);
        assert_eq!(of("upc.upc", &[e, bulk, Part::Em3d]), [vec![bulk], vec![e, Part::Em3d]]);
        assert_eq!(of("upc.upc", &[e, bulk]), [vec![bulk], vec![e]]);
        assert_eq!(of("upc.upc", &[Part::Em3d]), [vec![Part::Em3d]]);
        assert_eq!(of("sorts.sc", &[e, Part::Sorts]), [vec![e, Part::Sorts]]);
        assert_eq!(of("sorts.sc", &[Part::Sorts]), [vec![Part::Sorts]]);
        assert!(of("sorts.sc", &[e]).is_empty());
    }
}
