//! Checks that run no part of Meridian: compilers, limits, interfaces, libraries, launchers.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use base::programs;

use super::conduits::{self, Conduit};
use super::{Finding, Installation, State};

/// Returns the first line with a digit in a command's output, if it runs: its version.
pub fn first_line(command: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(command).args(words).stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let line = text.lines().find(|line| line.contains(|c: char| c.is_ascii_digit()))?;
    Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Checks the C compilers for `meridian cc`, and Meridian's own library.
pub fn compilers(installation: &Installation) -> Vec<Finding> {
    let one = |name: &str| match first_line(name, &["--version"]) {
        Some(version) => Finding::fine(name, version),
        None => Finding::absent(name, "not installed", format!("apt-get install {name}")),
    };
    let mut findings = vec![one("gcc"), one("clang")];
    if findings.iter().all(|f| f.state != State::Fine) {
        findings[0].state = State::Broken; // one of them is needed
    }
    findings.push(match installation.file("libmeridian.a") {
        Some(path) => Finding::fine("library", path.display().to_string()),
        None => Finding::broken(
            "library",
            "libmeridian.a is missing from the installation of this command",
            "make install PREFIX=..., which installs both",
        ),
    });
    findings
}

/// Returns a soft limit of this process, by its name in /proc/self/limits; none if it is unlimited.
fn limit(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Checks the limits that a job may reach.
pub fn limits() -> Vec<Finding> {
    let text = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let rows = [
        ("Max file size", "file size", "ulimit -f unlimited", 1 << 46),
        ("Max processes", "processes", "ulimit -u 4096", 64),
        ("Max open files", "open files", "ulimit -n 4096", 256),
    ];
    let one = |&(name, what, remedy, least): &(&str, &str, &str, u64)| match limit(&text, name) {
        None => Finding::fine(what, "unlimited"),
        Some(n) if n >= least => Finding::fine(what, n.to_string()),
        Some(n) => Finding::broken(what, format!("{n}: jobs will not start"), remedy),
    };
    let mut findings = vec![address_space(limit(&text, "Max address space"))];
    findings.extend(rows.iter().map(one));
    findings.push(match limit(&text, "Max locked memory") {
        Some(n) if n < 1 << 26 && Path::new("/sys/class/infiniband").exists() => Finding::absent(
            "locked memory",
            format!("{n} bytes, too little for InfiniBand's libraries"),
            "ulimit -l unlimited, or `* - memlock unlimited` in /etc/security/limits.conf",
        ),
        Some(n) => Finding::fine("locked memory", format!("{n} bytes")),
        None => Finding::fine("locked memory", "unlimited"),
    });
    findings.push(memory());
    findings
}

/// Checks the address space for shared memory under a limit, as `mer_memory_reservable` computes it.
fn address_space(limit: Option<u64>) -> Finding {
    const LEAST: u64 = 256 << 20;
    match limit {
        None => Finding::fine("address space", "unlimited"),
        Some(n) if n < LEAST => Finding::broken(
            "address space",
            format!("{} MB: jobs will not start", n >> 20),
            "ulimit -v unlimited",
        ),
        Some(n) => Finding::absent(
            "address space",
            format!("{} MB, of which at most {} MB for the shared memory of a job", n >> 20, n >> 21),
            "ulimit -v unlimited, or MERIDIAN_RESERVE=MB for each thread's share",
        ),
    }
}

/// Reports the memory that a job may fill: the machine's, or the container's if that is less.
fn memory() -> Finding {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let available = kilobytes.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    let available = available.unwrap_or(0) << 10;
    let container: Option<u64> =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    let megabytes = |bytes: u64| bytes >> 20;
    match container {
        Some(most) if most < available => Finding::fine(
            "memory",
            format!("{} MB by the container's limit, of {} MB", megabytes(most), megabytes(available)),
        ),
        _ => Finding::fine("memory", format!("{} MB are free", megabytes(available))),
    }
}

/// Checks the interfaces, and the requirements of the conduits.
pub fn network(installation: &Installation) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut names: Vec<_> = fs::read_dir("/sys/class/net").into_iter().flatten().flatten().collect();
    names.sort_by_key(fs::DirEntry::file_name);
    for entry in names {
        let read = |file: &str| fs::read_to_string(entry.path().join(file)).unwrap_or_default();
        let (state, speed) = (read("operstate"), read("speed"));
        let speed = speed.trim().parse::<i64>().ok().filter(|&n| n > 0);
        let speed = speed.map_or(String::new(), |n| format!(", {n} Mbit/s"));
        let name = entry.file_name().to_string_lossy().into_owned();
        findings.push(Finding::fine(format!("interface {name}"), format!("{}{speed}", state.trim())));
    }
    for entry in fs::read_dir("/sys/class/infiniband").into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        findings.push(Finding::fine(format!("device {name}"), "RDMA, for libfabric's provider verbs"));
    }
    findings.extend(conduits::all().iter().map(|conduit| of_conduit(conduit, installation)));
    findings.push(match installation.file("meridian/encrypt-openssl.so") {
        Some(path) => Finding::fine("encryption", path.display().to_string()),
        None => Finding::absent(
            "encryption",
            "not built: MERIDIAN_ENCRYPT=1 is refused",
            "apt-get install libssl-dev, then build and install Meridian again",
        ),
    });
    findings.push(providers());
    findings
}

/// Checks whether a conduit is installed.
fn of_conduit(conduit: &Conduit, installation: &Installation) -> Finding {
    let what = format!("conduit {}", conduit.name);
    match (conduit.package, installation.file(&conduit.module())) {
        (None, _) => Finding::fine(what, format!("{}, built in", conduit.over)),
        (Some(_), Some(path)) => Finding::fine(what, path.display().to_string()),
        (Some(package), None) => Finding::absent(
            what,
            format!("not built: no host is reached over {}", conduit.over),
            format!("apt-get install {package}, then build and install Meridian again"),
        ),
    }
}

/// Lists the providers of libfabric, by its own tool.
fn providers() -> Finding {
    let output = Command::new("fi_info").arg("-l").stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let names: Vec<&str> = text.lines().filter_map(|line| line.strip_suffix(':')).collect();
            Finding::fine("libfabric's providers", names.join(", "))
        }
        _ => Finding::absent(
            "libfabric's providers",
            "cannot be listed without fi_info",
            "apt-get install libfabric-bin",
        ),
    }
}

/// Checks the ways to start processes on other hosts.
pub fn launchers(installation: &Installation) -> Vec<Finding> {
    let tool = |command: &str, words: &[&str], package: &str, what: &str| {
        if programs::find(command).is_none() {
            return Finding::absent(what, "not installed", format!("apt-get install {package}"));
        }
        Finding::fine(what, first_line(command, words).unwrap_or_default())
    };
    let mut findings = vec![
        tool("ssh", &["-V"], "openssh-client", "ssh (meridian run -H)"),
        tool("mpirun.openmpi", &["--version"], "openmpi-bin", "mpirun of Open MPI"),
        tool("mpiexec.hydra", &["--version"], "mpich", "mpiexec.hydra"),
        match installation.file("meridian/boot-pmix.so") {
            Some(path) => Finding::fine("PMIx", path.display().to_string()),
            None => Finding::absent(
                "PMIx",
                "not built: mpirun and srun --mpi=pmix cannot start programs",
                "apt-get install libpmix-dev, then build and install Meridian again",
            ),
        },
        Finding::fine("PMI-1, PMI-2", "built in, for mpiexec.hydra and srun --mpi=pmi2"),
    ];
    if programs::find("srun").is_none() {
        findings.push(Finding::absent("Slurm", "not installed", "nothing, unless this is a Slurm cluster"));
    } else {
        let flavours = Command::new("srun").arg("--mpi=list").stdin(Stdio::null()).output();
        let text = flavours.map(|o| String::from_utf8_lossy(&[o.stdout, o.stderr].concat()).into_owned());
        let text = text.unwrap_or_default();
        let known: Vec<&str> =
            text.split_whitespace().filter(|w| w.starts_with("pmi") || w.starts_with("pmix")).collect();
        let version = first_line("srun", &["--version"]).filter(|_| !known.is_empty());
        findings.push(match version {
            Some(version) => Finding::fine("Slurm", format!("{version}; --mpi={}", known.join(", "))),
            None => Finding::absent(
                "Slurm",
                "installed, but no cluster answers here",
                "nothing, unless this is a Slurm cluster: then set SLURM_CONF",
            ),
        });
    }
    let batch = ["SLURM_JOB_ID", "PBS_NODEFILE"].into_iter().find(|name| std::env::var_os(name).is_some());
    if let Some(name) = batch {
        findings.push(Finding::fine("batch job", format!("{name} is set: meridian run uses its hosts")));
    }
    findings
}

/// Reports the machine profile that `meridian run` reads.
pub fn profile() -> Vec<Finding> {
    use bench::profile::{Found, find};
    use bench::tunables::Jobs;
    const WRITE: &str = "meridian bench tune, if you want one";
    vec![match find() {
        Ok(Found::InForce(path, profile)) => {
            let settings: Vec<String> = Jobs::ALL
                .into_iter()
                .flat_map(|jobs| {
                    let variables = profile.variables(jobs).into_iter();
                    variables.map(move |(name, value)| format!("{}: {name}={value}", jobs.name()))
                })
                .collect();
            let settings =
                if settings.is_empty() { "the defaults are best".into() } else { settings.join(", ") };
            Finding::fine("settings", format!("{settings}; {} of {}", path.display(), profile.date))
        }
        Ok(Found::OfAnother(path, of)) => Finding::absent(
            "settings",
            format!("the defaults: {} is of another machine ({of})", path.display()),
            "meridian bench tune, here",
        ),
        Ok(Found::None(Some(path))) => {
            Finding::absent("settings", format!("the defaults: there is no {}", path.display()), WRITE)
        }
        Ok(Found::None(None)) => Finding::absent("settings", "the defaults", WRITE),
        Err(wrong) => Finding::broken("settings", format!("{wrong:#}"), "correct or remove the file"),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_from_the_kernels_table() {
        let text = "Limit                     Soft Limit           Hard Limit           Units\n\
                    Max file size             unlimited            unlimited            bytes\n\
                    Max open files            1024                 524288               files\n";
        assert_eq!((limit(text, "Max file size"), limit(text, "Max open files")), (None, Some(1024)));
    }

    #[test]
    fn every_row_that_is_not_fine_says_what_mends_it() {
        let installation = Installation { meridian: "/nowhere/bin/meridian".into(), libraries: vec![] };
        let all = [compilers(&installation), limits(), network(&installation), launchers(&installation)];
        for finding in all.concat() {
            assert_eq!(finding.remedy.is_none(), finding.state == State::Fine, "{finding:?}");
        }
    }
}
