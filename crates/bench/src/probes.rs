//! The probes: which dialect's program measures which parts, on which conduits, and how they are compiled.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::installation::Places;
use crate::options::{Conduit, Part};
use crate::plain_c::run_to_end;

/// A program of `bench/probes`.
#[derive(Debug)]
pub struct Probe {
    /// As the results call it.
    pub dialect: &'static str,
    /// Its file.
    source: &'static str,
    /// C files of `bench/c` that go with it.
    with: &'static [&'static str],
    /// Its parts.
    pub parts: &'static [Part],
}

/// One for each dialect.
pub const PROBES: &[Probe] = &[
    Probe {
        dialect: "split-c",
        source: "split-c.sc",
        with: &["messages", "view"],
        parts: &[Part::Memory, Part::Remote, Part::Groups, Part::Bulk, Part::Primitives, Part::Em3d],
    },
    Probe {
        dialect: "upc",
        source: "upc.upc",
        with: &[],
        parts: &[Part::Pointers, Part::Small, Part::Bulk, Part::Primitives, Part::Applications],
    },
    Probe { dialect: "ac", source: "ac.ac", with: &[], parts: &[Part::Primitives] },
];

/// Whether a part says something on this conduit. What needs no other processor is measured once. UPC's
/// accesses and copies are loads and stores within a host, also with `MERIDIAN_REFERENCE=1`.
pub fn meaningful(probe: &Probe, part: Part, conduit: Conduit) -> bool {
    match (part, conduit) {
        (Part::Memory | Part::Pointers, conduit) => conduit == Conduit::Smp,
        (_, Conduit::Am) => probe.dialect != "upc",
        _ => true,
    }
}

/// Compiles a probe; the result is the executable.
///
/// # Errors
/// When the C compiler or `meridian cc` refuses a source; the message has what it said.
pub fn compile(places: &Places, probe: &Probe) -> Result<PathBuf> {
    let mut objects = Vec::new();
    for name in probe.with {
        let object = places.result(format!("probe-{name}.o"));
        run_to_end(
            Command::new(&places.cc)
                .args(["-O2", "-fno-pie", "-c"])
                .arg(format!("-I{}", places.include.display()))
                .arg(places.c(name))
                .arg("-o")
                .arg(&object),
        )?;
        objects.push(object);
    }
    let executable = places.result(format!("probe-{}", probe.dialect));
    run_to_end(
        Command::new(&places.meridian)
            .arg("cc")
            .env("CC", &places.cc)
            .arg("-O2")
            .arg(places.sources.join("probes").join(probe.source))
            .args(&objects)
            .arg("-o")
            .arg(&executable),
    )?;
    Ok(executable)
}

/// The command that runs `executable` on a conduit; the probe's own arguments are to be appended.
pub fn command(places: &Places, executable: &PathBuf, conduit: Conduit, hosts: Option<&str>) -> Command {
    let mut command = Command::new(&places.meridian);
    command.args(["run", "--timeout", "300"]);
    match conduit {
        Conduit::Smp => command.args(["--local", "-n", "2"]),
        Conduit::Am => command.args(["--local", "-n", "2"]).env("MERIDIAN_REFERENCE", "1"),
        Conduit::Tcp | Conduit::Ofi => command
            .args(["-H", hosts.unwrap_or("localhost:1,localhost:1"), "-n", "2"])
            .env("MERIDIAN_CONDUIT", conduit.name()),
    };
    for name in ["MERIDIAN_REFERENCE", "MERIDIAN_REMOTE", "MERIDIAN_THREADS", "MERIDIAN_TAG"] {
        if !(name == "MERIDIAN_REFERENCE" && conduit == Conduit::Am) {
            command.env_remove(name);
        }
    }
    // A profile would stand between the measurement and the defaults.
    command.env("MERIDIAN_PROFILE", "none");
    command.arg(executable);
    command
}

/// The conduits to be measured, and those that are not there, with the reason.
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
