//! The hosts that a batch system has given to the job in which `meridian run` was called.
//!
//! Slurm names them in compressed form, which its own `scontrol` expands, and starts agents by `srun`, within
//! the allocation's limits and accounts and also where ssh is not permitted. PBS writes a file with one line
//! a slot. Both use the environment, which anything may have set, so a word that is not the name of a host is
//! refused.

use std::collections::HashMap;
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::hosts::{Host, Name, is_no_host};

/// The command that starts an agent on a host of a Slurm allocation: one task beside the batch script's own
/// step, with all of the job's cores there, whose input and output are the agent's. `--unbuffered`: its
/// output must not be held back until an end of line.
const SRUN: &str =
    "srun --overlap --nodes=1 --ntasks=1 --mpi=none --cpu-bind=none --unbuffered --quiet --nodelist";

/// The hosts that a batch system has allocated.
#[derive(Debug, PartialEq, Eq)]
pub struct Allocation {
    pub hosts: Vec<Host>,
    /// The command that reaches a host, if it is not ssh.
    pub by: Option<&'static str>,
}

/// Returns the allocation that the environment describes, or none outside of a batch job.
///
/// # Errors
/// If the environment describes an allocation that cannot be read.
pub fn find() -> Result<Option<Allocation>, Error> {
    find_in(|name| std::env::var(name).ok())
}

/// Does the same with the variables that `value` returns.
fn find_in(value: impl Fn(&str) -> Option<String>) -> Result<Option<Allocation>, Error> {
    let set = |name: &str| value(name).filter(|value| !value.is_empty());
    if let (Some(_), Some(list)) = (set("SLURM_JOB_ID"), set("SLURM_JOB_NODELIST")) {
        let names = spelt_out(&list)?;
        let counts = set("SLURM_TASKS_PER_NODE").or_else(|| set("SLURM_JOB_CPUS_PER_NODE"));
        let counts = counts.map_or_else(Vec::new, |text| repeated(&text));
        let capacity = |i: usize| counts.get(i).copied().filter(|&n| n > 0);
        let host = |(i, name): (usize, String)| {
            let named = Name::read(&name).ok_or_else(|| is_no_host("SLURM_JOB_NODELIST", &name));
            Ok(Host { name: named?, capacity: capacity(i) })
        };
        let hosts = names.into_iter().enumerate().map(host).collect::<Result<_, Error>>()?;
        return Ok(Some(Allocation { hosts, by: Some(SRUN) }));
    }
    if let Some(file) = set("PBS_NODEFILE") {
        let text = std::fs::read_to_string(&file)
            .map_err(|e| Error::Hosts(format!("cannot read PBS's list of hosts `{file}`: {e}")))?;
        return Ok(Some(Allocation { hosts: counted(&text, &file)?, by: None }));
    }
    Ok(None)
}

/// Returns the names that a list such as `node[1-3,7]` stands for.
fn spelt_out(list: &str) -> Result<Vec<String>, Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-[],".contains(c);
    if list.starts_with('-') || !list.chars().all(plain) {
        return Err(is_no_host("SLURM_JOB_NODELIST", list));
    }
    if !list.contains(['[', ',']) {
        return Ok(vec![list.to_string()]);
    }
    let output = Command::new("scontrol").args(["show", "hostnames", list]).stdin(Stdio::null()).output();
    let failed = |why: String| {
        Error::Hosts(format!(
            "cannot list the hosts of the Slurm job (`scontrol show hostnames {list}`): {why}"
        ))
    };
    let output = output.map_err(|e| failed(e.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_string()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(String::from).collect())
}

/// Reads Slurm's numbers by host: `2(x3),1` is 2, 2, 2, 1.
fn repeated(text: &str) -> Vec<usize> {
    let part = |part: &str| {
        let (count, times) = match part.split_once("(x") {
            Some((count, times)) => (count, times.trim_end_matches(')').parse().ok()?),
            None => (part, 1),
        };
        Some(vec![count.trim().parse().ok()?; times])
    };
    text.split(',').filter_map(part).flatten().collect()
}

/// Returns the hosts in the order of their first lines, with as many threads as they have lines. `file`: the
/// name of the list, for messages.
fn counted(text: &str, file: &str) -> Result<Vec<Host>, Error> {
    let mut hosts: Vec<Host> = Vec::new();
    let mut at: HashMap<&str, usize> = HashMap::new();
    for word in text.split_whitespace() {
        if !at.contains_key(word) {
            let name = Name::read(word).ok_or_else(|| is_no_host(&format!("PBS_NODEFILE `{file}`"), word))?;
            at.insert(word, hosts.len());
            hosts.push(Host { name, capacity: Some(0) });
        }
        let host = &mut hosts[at[word]];
        host.capacity = host.capacity.map(|n| n + 1);
    }
    Ok(hosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slurms_numbers_are_spelt_out() {
        assert_eq!(repeated("2(x3),1"), [2, 2, 2, 1]);
        assert_eq!(repeated("16"), [16]);
        assert_eq!(repeated(""), [0usize; 0]);
    }

    #[test]
    fn lines_of_a_host_are_its_slots() {
        let hosts = counted("b\nb\na\nb\n", "f").unwrap();
        let list: Vec<_> = hosts.iter().map(|h| (&*h.name, h.capacity)).collect();
        assert_eq!(list, [("b", Some(3)), ("a", Some(1))]);
    }

    fn found(variables: &[(&str, &str)]) -> Result<Option<Allocation>, Error> {
        let value = |name: &str| variables.iter().find(|variable| variable.0 == name);
        find_in(|name| value(name).map(|variable| variable.1.to_string()))
    }

    fn host(name: &str, capacity: Option<usize>) -> Host {
        Host { name: Name::read(name).unwrap(), capacity }
    }

    #[test]
    fn a_slurm_job_gives_its_hosts_and_is_reached_by_srun() {
        let job = [("SLURM_JOB_ID", "7"), ("SLURM_JOB_NODELIST", "node7")];
        let with =
            |more: &[(&'static str, &'static str)]| found(&[&job[..], more].concat()).unwrap().unwrap();
        let one = with(&[]);
        assert_eq!(one.hosts, [host("node7", None)]);
        assert!(one.by.unwrap().starts_with("srun ") && one.by.unwrap().ends_with(" --nodelist"));
        assert_eq!(with(&[("SLURM_JOB_CPUS_PER_NODE", "8")]).hosts, [host("node7", Some(8))]);
        let tasks = with(&[("SLURM_JOB_CPUS_PER_NODE", "8"), ("SLURM_TASKS_PER_NODE", "3")]);
        assert_eq!(tasks.hosts, [host("node7", Some(3))]);
        assert_eq!(with(&[("SLURM_TASKS_PER_NODE", "0")]).hosts, [host("node7", None)]);
    }

    #[test]
    fn a_pbs_job_names_its_hosts_in_a_file() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("nodes");
        std::fs::write(&file, "a\na\nb\n").unwrap();
        let allocation = found(&[("PBS_NODEFILE", file.to_str().unwrap())]).unwrap().unwrap();
        assert_eq!(allocation, Allocation { hosts: vec![host("a", Some(2)), host("b", Some(1))], by: None });
        let error = found(&[("PBS_NODEFILE", "/nowhere/nodes")]).unwrap_err().to_string();
        assert!(error.contains("PBS") && error.contains("/nowhere/nodes"), "{error}");
    }

    #[test]
    fn what_is_no_host_is_refused_wherever_it_stands() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("nodes");
        for hostile in ["-oProxyCommand=touch", "-v", "a;b", "$(b)", "a`b`", "me@-v"] {
            std::fs::write(&file, format!("a\n{hostile}\n")).unwrap();
            let error = found(&[("PBS_NODEFILE", file.to_str().unwrap())]).unwrap_err().to_string();
            assert!(error.contains("PBS_NODEFILE") && error.contains(hostile), "{error}");
            let job = [("SLURM_JOB_ID", "7"), ("SLURM_JOB_NODELIST", hostile)];
            let error = found(&job).unwrap_err().to_string();
            assert!(error.contains("SLURM_JOB_NODELIST") && error.contains(hostile), "{error}");
        }
    }

    #[test]
    fn outside_of_a_batch_job_there_is_no_allocation() {
        for variables in [
            &[][..],
            &[("SLURM_JOB_ID", "7")],
            &[("SLURM_JOB_NODELIST", "a")],
            &[("SLURM_JOB_ID", ""), ("SLURM_JOB_NODELIST", "a"), ("PBS_NODEFILE", "")],
        ] {
            assert_eq!(found(variables).unwrap(), None, "{variables:?}");
        }
    }

    #[test]
    fn one_host_needs_no_scontrol() {
        assert_eq!(spelt_out("node7").unwrap(), ["node7"]);
    }
}
