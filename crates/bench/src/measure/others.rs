//! The systems that are compared in the parts `shifts`, `stencils` and `operations`: gfortran's intrinsics,
//! NumPy, loops of OpenMP, Devito, and the exchange of halos and operations between hosts by MPI.
//!
//! Each is a program of `bench/probes` that measures itself as the probes do, with the same names of points.
//! A system whose compiler or module is not here is left out with the reason.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use base::programs;

use super::compiling::run_to_end;
use super::peers;
use super::session::{Launcher, Run};
use super::terminal::progress;
use crate::installation::Places;
use crate::interrupt;
use crate::options::{Conduit, Part};
use crate::results::Failure;

/// The names in the results of those that are not MPI.
pub const GFORTRAN: &str = "gfortran";
pub const NUMPY: &str = "numpy";
pub const OPENMP: &str = "openmp";
pub const DEVITO: &str = "devito";
pub const SOCKET: &str = "socket";

/// A program that is ready to run: executable, arguments and environment.
struct Ready {
    executable: PathBuf,
    words: Vec<PathBuf>,
    settings: Vec<(String, String)>,
}

impl Ready {
    fn program(executable: PathBuf) -> Ready {
        Ready { executable, words: vec![], settings: vec![] }
    }

    fn script(python: PathBuf, script: PathBuf) -> Ready {
        Ready { executable: python, words: vec![script], settings: vec![] }
    }

    fn with(mut self, name: &str, value: String) -> Ready {
        self.settings.push((name.into(), value));
        self
    }
}

/// A system.
struct Other {
    name: &'static str,
    part: Part,
    conduit: Conduit,
    threads: usize,
    launcher: Launcher,
    ready: Result<Ready>,
}

/// Adds the runs of the systems that are here, as counterparts of Meridian's with this many threads on the
/// conduits, and with hosts that the user named or not. Adds to `left_out` why the others are not here.
pub fn add_runs(
    places: &Places,
    conduits: &[Conduit],
    (threads, named): (usize, bool),
    wanted: &dyn Fn(Part) -> bool,
    runs: &mut Vec<Run>,
    left_out: &mut Vec<Failure>,
) {
    let mut others = Vec::new();
    if wanted(Part::Shifts) && conduits.contains(&Conduit::Smp) {
        progress("compiling shifts of gfortran and NumPy");
        others.extend(one_process(places));
    }
    if wanted(Part::Stencils) {
        progress("compiling stencils of OpenMP and halos of MPI");
        if conduits.contains(&Conduit::Smp) {
            others.extend(loops(places, threads));
        }
        let conduits = conduits.iter().copied().filter(|&conduit| conduit != Conduit::Am);
        let runs: Vec<_> = conduits.map(|conduit| (conduit, 2)).collect();
        others.extend(by_mpi(places, Part::Stencils, "halo-mpi.c", &runs));
    }
    if wanted(Part::Operations) {
        progress("compiling operations of MPI");
        others.extend(operations(places, conduits, named));
    }
    for other in others {
        if interrupt::arrived() {
            return;
        }
        match other.ready {
            Ok(Ready { executable, words, settings }) => runs.push(Run {
                dialect: other.name,
                executable,
                conduit: other.conduit,
                threads: other.threads,
                parts: vec![other.part],
                settings,
                words,
                launcher: other.launcher,
            }),
            Err(error) => {
                let run = format!("{} {} over {}", other.name, other.part.name(), other.conduit.name());
                let why = format!("{error:#}").lines().take(3).collect::<Vec<_>>().join(" / ");
                left_out.push(Failure { run, why });
            }
        }
    }
}

/// Returns the shifts in one process of this host, by the other language's own intrinsics.
fn one_process(places: &Places) -> [Other; 2] {
    let of = |name, ready| {
        let (part, conduit, launcher) = (Part::Shifts, Conduit::Smp, Launcher::Meridian);
        Other { name, part, conduit, threads: 1, launcher, ready }
    };
    [of(GFORTRAN, fortran(places)), of(NUMPY, numpy(places))]
}

fn fortran(places: &Places) -> Result<Ready> {
    if programs::find("gfortran").is_none() {
        bail!("`gfortran` is not here (Debian package gfortran)");
    }
    let library = library(places)?;
    let executable = places.result("shifts-fortran");
    let mut command = Command::new("gfortran");
    command.args(["-O2", "-no-pie", "-J"]).arg(&places.out);
    command.arg(places.include.join("meridian/meridian_arrays.f90"));
    command.arg(places.sources.join("probes/shifts.f90")).arg("-L").arg(library);
    // The output of `pkg-config --libs meridian`.
    command.args([
        "-Wl,-u,mer_start_linked",
        "-Wl,-u,mer_conduit_load",
        "-lmeridian",
        "-pthread",
        "-ldl",
        "-o",
    ]);
    run_to_end(command.arg(&executable))?;
    Ok(Ready::program(executable))
}

fn numpy(places: &Places) -> Result<Ready> {
    let modules = library(places)?.join("meridian/python");
    let ready = Ready::script(python_with("numpy")?, places.sources.join("probes/shifts-numpy.py"));
    Ok(ready.with("PYTHONPATH", modules.display().to_string()))
}

/// Returns the directory of the library.
fn library(places: &Places) -> Result<PathBuf> {
    let archive =
        places.library("libmeridian.a").context("no libmeridian.a: the installation is incomplete")?;
    Ok(archive.parent().map(PathBuf::from).unwrap_or_default())
}

/// Returns a Python that has a module: the first in PATH, or Debian's.
fn python_with(module: &str) -> Result<PathBuf> {
    let has = |python: &PathBuf| {
        let output = Command::new(python).args(["-c", &format!("import {module}")]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let pythons = ["python3", "/usr/bin/python3"].into_iter().filter_map(programs::find);
    pythons.into_iter().find(has).with_context(|| format!("no Python here has the module {module}"))
}

/// Makes glibc's malloc ask for large pages, which Meridian's arrays use too.
const LARGE_PAGES: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

/// Returns loops of the same stencils with as many threads as Meridian has processes.
fn loops(places: &Places, threads: usize) -> [Other; 2] {
    let of = |name, ready: Result<Ready>| {
        let bound = |ready: Ready| {
            let ready = ready.with(LARGE_PAGES.0, LARGE_PAGES.1.into());
            ready.with("OMP_NUM_THREADS", threads.to_string()).with("OMP_PROC_BIND", "true".into())
        };
        let (part, conduit, launcher) = (Part::Stencils, Conduit::Smp, Launcher::Alone);
        Other { name, part, conduit, threads, launcher, ready: ready.map(bound) }
    };
    [of(OPENMP, openmp(places)), of(DEVITO, devito(places))]
}

fn openmp(places: &Places) -> Result<Ready> {
    let executable = places.result("stencils-openmp");
    let mut command = Command::new(&places.cc);
    command.args(["-O3", "-march=native", "-fopenmp"]).arg(places.sources.join("probes/stencils-openmp.c"));
    run_to_end(command.arg("-o").arg(&executable))?;
    Ok(Ready::program(executable))
}

/// Uses the first Python of PATH if it has Devito; else the one of `packaging/setup devito`.
fn devito(places: &Places) -> Result<Ready> {
    let own = places.meridian.parent().and_then(Path::parent).map(|prefix| prefix.join("devito/bin/python3"));
    let python = match own.filter(|python| python_with("devito").is_err() && python.exists()) {
        Some(python) => python,
        None => python_with("devito").context("`packaging/setup devito` installs it below build/")?,
    };
    let ready = Ready::script(python, places.sources.join("probes/stencils-devito.py"));
    Ok(ready.with("DEVITO_LANGUAGE", "openmp".into()).with("DEVITO_LOGGING", "ERROR".into()))
}

/// Returns a program by each MPI, over the conduits with these numbers of processes.
fn by_mpi(places: &Places, part: Part, source: &str, runs: &[(Conduit, usize)]) -> Vec<Other> {
    let mut others = Vec::new();
    for peer in peers::mpi() {
        let compiled = peers::compile_as(places, peer, source).map_err(|error| format!("{error:#}"));
        // One reason is enough if the program does not compile.
        let many = if compiled.is_ok() { runs.len() } else { 1 };
        for &(conduit, threads) in runs.iter().take(many) {
            let ready = compiled.clone().map(Ready::program).map_err(anyhow::Error::msg);
            let launcher = Launcher::Peer(peer);
            others.push(Other { name: peer.name, part, conduit, threads, launcher, ready });
        }
    }
    others
}

/// Returns operations between hosts by MPI, over TCP whatever Meridian's conduit, and round trips of a bare
/// socket.
fn operations(places: &Places, conduits: &[Conduit], named: bool) -> Vec<Other> {
    let between: Vec<Conduit> = conduits.iter().copied().filter(|conduit| conduit.between_hosts()).collect();
    let numbers: &[usize] = if named { &[2] } else { &[2, 4, 8] };
    let runs: Vec<_> = between.iter().flat_map(|&c| numbers.iter().map(move |&n| (c, n))).collect();
    let mut others = by_mpi(places, Part::Operations, "operations-mpi.c", &runs);
    // The socket connects two processes of this host.
    for &conduit in between.iter().filter(|_| !named) {
        let (part, launcher) = (Part::Operations, Launcher::Alone);
        others.push(Other { name: SOCKET, part, conduit, threads: 2, launcher, ready: socket(places) });
    }
    others
}

fn socket(places: &Places) -> Result<Ready> {
    let executable = places.result("operations-socket");
    let mut command = Command::new(&places.cc);
    command.args(["-O2", "-D_GNU_SOURCE"]).arg(places.sources.join("probes/operations-socket.c"));
    run_to_end(command.arg("-o").arg(&executable))?;
    Ok(Ready::program(executable))
}
