//! The systems in which programs are written: the name of each in the results, its compiler, and the command
//! that starts its processes.
//!
//! A system that is not here is no failure: its programs are left out with the reason.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use base::programs;

use crate::installation::Places;

/// A system.
#[derive(Debug)]
pub struct System {
    /// The name in the results, in the place of a dialect.
    pub name: &'static str,
    /// The way from a source to a program.
    pub compiler: Compiler,
    /// The way to start the processes.
    pub launcher: Launcher,
}

/// The way from a source to a program.
#[derive(Debug)]
pub enum Compiler {
    /// `meridian cc` with these options.
    Meridian(&'static [&'static str]),
    /// The C compiler that Meridian uses, with these options.
    C(&'static [&'static str]),
    /// Another command with these options, which a Debian package has.
    Command { program: &'static str, options: &'static [&'static str], package: &'static str },
    /// The C compiler, with the folder of the source, the runtime's sources, and libfabric.
    Runtime,
    /// gfortran, with Meridian's arrays.
    Gfortran,
    /// Python with this module.
    Python(&'static str),
}

/// The way to start the processes.
#[derive(Debug)]
pub enum Launcher {
    /// `meridian run` with these options.
    Meridian(&'static [&'static str]),
    /// A command, which takes the number of processes by `-n`.
    Command { program: &'static str, tcp: Option<Tcp> },
    /// The program itself, which is one process.
    Alone,
}

/// How an MPI's processes on two hosts use TCP.
#[derive(Debug)]
pub struct Tcp {
    /// Options of its launcher.
    words: &'static [&'static str],
    /// The option that names the hosts.
    hosts: &'static str,
    /// More options that make it use TCP if both hosts are this one; `None` if it would not.
    alone: Option<&'static [&'static str]>,
}

const fn meridian(name: &'static str, options: &'static [&'static str]) -> System {
    System { name, compiler: Compiler::Meridian(options), launcher: Launcher::Meridian(&[]) }
}

const fn c(name: &'static str, options: &'static [&'static str]) -> System {
    System { name, compiler: Compiler::C(options), launcher: Launcher::Alone }
}

const fn other(
    name: &'static str,
    program: &'static str,
    package: &'static str,
    launcher: Launcher,
) -> System {
    System { name, compiler: Compiler::Command { program, options: &["-DWITH_MPI"], package }, launcher }
}

pub static UPC: System = meridian("upc", &[]);
pub static SPLIT_C: System = meridian("split-c", &[]);
pub static AC: System = meridian("ac", &[]);
/// Id90 as a job, and as a process by itself.
pub static ID_JOB: System = meridian("id90", &[]);
pub static ID: System = System { launcher: Launcher::Alone, ..meridian("id90", &[]) };
/// Id90 whose threads are made without the optimisations of the abstract machine.
pub static DATAFLOW: System =
    System { launcher: Launcher::Alone, ..meridian("dataflow threads", &["--threads=df"]) };
pub static DATAFLOW_JOB: System = meridian("dataflow threads", &["--threads=df"]);
/// With copies or buffers by hand.
pub static BY_HAND: System = meridian("by hand", &["-DBULK"]);
pub static UNOPTIMISED: System = meridian("unoptimised", &["-DUNOPTIMISED"]);
/// Under `--profile`.
pub static PROFILED: System =
    System { launcher: Launcher::Meridian(&["--profile"]), ..meridian("profiled", &[]) };
pub static C: System = c("c", &[]);
/// C with the algorithm of the Id program.
pub static ALIKE: System = c("c, same algorithm", &[]);
pub static PLAIN_C: System = c("plain-c", &[]);
pub static SOCKET: System = c("socket", &["-D_GNU_SOURCE"]);
/// The conduits of the runtime, without Meridian's languages.
pub static CONDUITS: System = System { compiler: Compiler::Runtime, ..c("conduits", &[]) };
pub static OPENMP: System = c("openmp", &["-fopenmp"]);
pub static HASKELL: System = System {
    compiler: Compiler::Command { program: "ghc", options: &["-v0"], package: "ghc" },
    ..c("ghc", &[])
};
pub static GFORTRAN: System = System { compiler: Compiler::Gfortran, ..meridian("gfortran", &[]) };
pub static NUMPY: System = System { compiler: Compiler::Python("numpy"), ..meridian("numpy", &[]) };
pub static DEVITO: System = System { compiler: Compiler::Python("devito"), ..c("devito", &[]) };
pub static OPEN_MPI: System = other(
    "open-mpi",
    "mpicc.openmpi",
    "libopenmpi-dev",
    Launcher::Command {
        program: "mpirun.openmpi",
        tcp: Some(Tcp {
            words: &["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"],
            hosts: "--host",
            alone: Some(&["--mca", "btl_tcp_if_include", "lo", "--mca", "osc", "pt2pt"]),
        }),
    },
);
pub static MPICH: System = other(
    "mpich",
    "mpicc.mpich",
    "libmpich-dev",
    Launcher::Command {
        program: "mpiexec.mpich",
        tcp: Some(Tcp { words: &["-genv", "FI_PROVIDER", "tcp"], hosts: "-hosts", alone: None }),
    },
);
pub static OPENSHMEM: System =
    other("openshmem", "oshcc", "libopenmpi-dev", Launcher::Command { program: "oshrun", tcp: None });
pub static COARRAYS: System =
    other("coarrays", "caf", "libcoarrays-openmpi-dev", Launcher::Command { program: "cafrun", tcp: None });

/// The implementations of MPI.
pub static MPI: [&System; 2] = [&OPEN_MPI, &MPICH];

impl System {
    /// Whether a failure is one of the measurement, rather than of another system.
    pub fn is_ours(&self) -> bool {
        matches!(self.compiler, Compiler::Meridian(_))
    }

    /// Returns the command that compiles with this system's options, without source and result.
    ///
    /// # Errors
    /// If the compiler is not here; the message names the package.
    pub fn compiler(&self, places: &Places) -> Result<Command> {
        let (program, options): (&Path, &[&str]) = match self.compiler {
            Compiler::Meridian(options) => (&places.meridian, options),
            Compiler::C(options) => (places.cc.as_ref(), options),
            Compiler::Command { program, options, package } => {
                ensure!(
                    programs::find(program).is_some(),
                    "`{program}` is not here (Debian package {package})"
                );
                (program.as_ref(), options)
            }
            Compiler::Runtime => (places.cc.as_ref(), &["-std=gnu11", "-D_GNU_SOURCE"]),
            Compiler::Gfortran => {
                ensure!(
                    programs::find("gfortran").is_some(),
                    "`gfortran` is not here (Debian package gfortran)"
                );
                ("gfortran".as_ref(), &[])
            }
            Compiler::Python(module) => bail!("a program for Python with {module} is not compiled"),
        };
        let mut command = Command::new(program);
        command.args(self.is_ours().then_some("cc")).args(options);
        if let Compiler::Runtime = self.compiler {
            let runtime = places.sources.join("../runtime");
            ensure!(
                runtime.join("conduit/conduit.h").is_file(),
                "the sources of Meridian's runtime are not beside {}",
                places.sources.display()
            );
            command.arg("-I").arg(&runtime).arg("-I").arg(runtime.join("include"));
        }
        // Meridian, and the command of each MPI, call the same C compiler.
        command.env("CC", &places.cc).env("OMPI_CC", &places.cc).env("MPICH_CC", &places.cc);
        Ok(command)
    }
}

/// Returns the directory of the library.
///
/// # Errors
/// If the installation has none.
pub fn library(places: &Places) -> Result<PathBuf> {
    let archive =
        places.library("libmeridian.a").context("no libmeridian.a: the installation is incomplete")?;
    Ok(archive.parent().map(PathBuf::from).unwrap_or_default())
}

/// Returns a Python that has a module: the first in PATH, Debian's, or the one of `packaging/setup devito`.
///
/// # Errors
/// If none has it.
pub fn python(places: &Places, module: &str) -> Result<PathBuf> {
    let has = |python: &PathBuf| {
        let output = Command::new(python).args(["-c", &format!("import {module}")]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let prefix = places.meridian.parent().and_then(Path::parent);
    let own = prefix.map(|prefix| prefix.join(module).join("bin/python3")).filter(|python| python.exists());
    let pythons = ["python3", "/usr/bin/python3"].into_iter().filter_map(programs::find);
    pythons.chain(own).find(has).with_context(|| {
        format!(
            "no Python here has the module {module} (`packaging/setup array devito` installs NumPy and Devito)"
        )
    })
}

/// Returns the command that starts `processes` processes of a program by another system's launcher: half on
/// each of `hosts` if they use TCP, or all on this host.
///
/// # Errors
/// If the system cannot use TCP here.
pub fn command(
    program: &str,
    tcp: Option<&Tcp>,
    over_tcp: bool,
    hosts: Option<&str>,
    processes: usize,
) -> Result<Command> {
    let mut command = Command::new(program);
    command.args(["-n", &processes.to_string()]);
    if over_tcp {
        let Some(tcp) = tcp else { bail!("it does not run over TCP") };
        command.args(tcp.words);
        match (hosts, tcp.alone) {
            (Some(hosts), _) => command.args([tcp.hosts, hosts]),
            (None, Some(alone)) => command.args(alone),
            (None, None) => bail!("between processes of one host it uses shared memory; -H names two hosts"),
        };
    }
    // Open MPI refuses root, and more processes than cores, unless variables allow both.
    for name in ["ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe"] {
        command.env(format!("OMPI_{name}"), "1");
    }
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_tcp_hosts_are_named_or_this_one_is_both() {
        let words = |system: &System, hosts| -> Result<Vec<String>> {
            let Launcher::Command { program, tcp } = &system.launcher else { panic!("{system:?}") };
            let command = command(program, tcp.as_ref(), true, hosts, 2)?;
            Ok(command.get_args().map(|a| a.to_string_lossy().into_owned()).collect())
        };
        let named = words(&OPEN_MPI, Some("a:1,b:1")).unwrap();
        assert_eq!(named[named.len() - 2..], ["--host", "a:1,b:1"]);
        let alone = words(&OPEN_MPI, None).unwrap();
        assert_eq!(alone[..2], ["-n", "2"]);
        assert!(alone.contains(&"tcp,self".to_string()) && alone.contains(&"lo".to_string()), "{alone:?}");
        assert!(words(&MPICH, None).unwrap_err().to_string().contains("shared memory"));
        assert!(words(&MPICH, Some("a,b")).unwrap().contains(&"-hosts".to_string()));
        assert!(words(&COARRAYS, Some("a,b")).is_err());
    }
}
