//! The peers: other systems whose processes reach each other's memory, measured in the same run.
//!
//! Each is a program of `bench/probes` that measures the points of `peers.h` with the means of its system, as
//! `peers.upc` does with Meridian's. Two processes of this host take part. A peer whose compiler is not here,
//! or that does not run, is left out with the reason; that is not a failure of the measurement.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use base::programs;

use super::compiling::run_to_end;
use crate::installation::Places;

/// A peer.
#[derive(Debug)]
pub struct Peer {
    /// The name in the results, which takes the place of a dialect.
    pub name: &'static str,
    source: &'static str,
    /// The compiler; empty for the C compiler of Meridian.
    pub compiler: &'static str,
    /// The command that starts its two processes; empty if it is one process.
    pub launcher: &'static [&'static str],
    /// How its two processes reach each other over TCP; `None` if they cannot.
    tcp: Option<Tcp>,
    /// The Debian package that has the compiler.
    pub package: &'static str,
}

/// How an MPI's processes on two hosts use TCP.
#[derive(Debug)]
struct Tcp {
    /// Options of its launcher.
    words: &'static [&'static str],
    /// The option that names the hosts.
    hosts: &'static str,
    /// More options that make it use TCP if both hosts are this one; `None` if it would not.
    alone: Option<&'static [&'static str]>,
}

/// All known peers.
pub const PEERS: &[Peer] = &[
    Peer {
        name: "open-mpi",
        source: "peers-mpi.c",
        compiler: "mpicc.openmpi",
        launcher: &["mpirun.openmpi", "-n", "2"],
        tcp: Some(Tcp {
            words: &["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"],
            hosts: "--host",
            alone: Some(&["--mca", "btl_tcp_if_include", "lo", "--mca", "osc", "pt2pt"]),
        }),
        package: "libopenmpi-dev",
    },
    Peer {
        name: "mpich",
        source: "peers-mpi.c",
        compiler: "mpicc.mpich",
        launcher: &["mpiexec.mpich", "-n", "2"],
        tcp: Some(Tcp { words: &["-genv", "FI_PROVIDER", "tcp"], hosts: "-hosts", alone: None }),
        package: "libmpich-dev",
    },
    Peer {
        name: "openshmem",
        source: "peers-shmem.c",
        compiler: "oshcc",
        launcher: &["oshrun", "-n", "2"],
        tcp: None,
        package: "libopenmpi-dev",
    },
    Peer {
        name: "coarrays",
        source: "peers.f90",
        compiler: "caf",
        launcher: &["cafrun", "-n", "2"],
        tcp: None,
        package: "libcoarrays-openmpi-dev",
    },
    Peer { name: "plain-c", source: "peers-plain.c", compiler: "", launcher: &[], tcp: None, package: "" },
];

/// Returns the peers that are MPI's.
pub fn mpi() -> impl Iterator<Item = &'static Peer> {
    PEERS.iter().filter(|peer| peer.source == "peers-mpi.c")
}

/// Checks that a peer's compiler is here; the C compiler of Meridian always is.
///
/// # Errors
/// If it is not here; the message names the package.
pub fn find(peer: &Peer) -> Result<()> {
    let Peer { compiler, package, .. } = peer;
    ensure!(
        compiler.is_empty() || programs::find(compiler).is_some(),
        "`{compiler}` is not here (Debian package {package})"
    );
    Ok(())
}

/// Compiles a peer. Returns the executable.
///
/// # Errors
/// If its compiler is not here, or refuses the program; the message has the compiler's output.
pub fn compile(places: &Places, peer: &Peer) -> Result<PathBuf> {
    compile_as(places, peer, peer.source)
}

/// Compiles another program of `bench/probes` in the same way.
///
/// # Errors
/// As `compile`.
pub fn compile_as(places: &Places, peer: &Peer, source: &str) -> Result<PathBuf> {
    let compiler = if peer.compiler.is_empty() { places.cc.as_str() } else { peer.compiler };
    find(peer)?;
    let stem = source.split('.').next().unwrap_or(source);
    let executable = places.result(format!("{stem}-{}", peer.name));
    let source = places.sources.join("probes").join(source);
    run_to_end(Command::new(compiler).arg("-O2").arg(&source).arg("-o").arg(&executable))
        .with_context(|| format!("`{compiler}` does not compile it (Debian package {})", peer.package))?;
    Ok(executable)
}

/// Returns the command that runs a peer; its arguments are to be appended. Open MPI refuses root, and more
/// processes than cores, unless variables allow both.
pub fn command(launcher: &[&str], executable: &Path) -> Command {
    let mut command = match launcher {
        [] => Command::new(executable),
        [program, words @ ..] => {
            let mut command = Command::new(program);
            command.args(words).arg(executable);
            command
        }
    };
    for name in ["ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe"] {
        command.env(format!("OMPI_{name}"), "1");
    }
    command
}

/// Returns the command that runs `processes` processes of an MPI over TCP: half on each of `hosts`, or all on
/// this host.
///
/// # Errors
/// If the peer cannot run so.
pub fn command_over_tcp(
    peer: &Peer,
    hosts: Option<&str>,
    processes: usize,
    executable: &Path,
) -> Result<Command> {
    let Some(tcp) = &peer.tcp else { bail!("it does not run over TCP") };
    let number = processes.to_string();
    let mut words = peer.launcher.to_vec();
    // The launchers end with the number of processes.
    words.pop();
    words.push(&number);
    words.extend(tcp.words);
    match (hosts, tcp.alone) {
        (Some(hosts), _) => words.extend([tcp.hosts, hosts]),
        (None, Some(alone)) => words.extend(alone),
        (None, None) => bail!("between processes of one host it uses shared memory; -H names two hosts"),
    }
    Ok(command(&words, executable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_tcp_hosts_are_named_or_this_one_is_both() {
        let words = |peer: &Peer, hosts| {
            let command = command_over_tcp(peer, hosts, 2, Path::new("x"));
            command.map(|command| command.get_args().map(|a| a.to_string_lossy().into_owned()).collect())
        };
        let [open, mpich] = [0, 1].map(|i| &PEERS[i]);
        let named: Vec<String> = words(open, Some("a:1,b:1")).unwrap();
        assert_eq!(named[named.len() - 3..], ["--host", "a:1,b:1", "x"]);
        let alone: Vec<String> = words(open, None).unwrap();
        assert_eq!(alone[..2], ["-n", "2"]);
        assert!(alone.contains(&"tcp,self".to_string()) && alone.contains(&"lo".to_string()), "{alone:?}");
        assert!(words(mpich, None).unwrap_err().to_string().contains("shared memory"));
        assert!(words(mpich, Some("a,b")).unwrap().contains(&"-hosts".to_string()));
        assert!(words(&PEERS[3], Some("a,b")).is_err());
    }
}
