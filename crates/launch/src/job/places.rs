//! The hosts that a job runs on, and the number of threads on each, as the user or the batch system wants it.

use crate::error::Error;
use crate::hosts::{self, Host, Name, Share};
use crate::options::Options;
use crate::{allocation, cores, sys};

/// The command that reaches other hosts, if nobody chooses another one.
const SSH: &str = "ssh -o BatchMode=yes";

/// The hosts on which a job runs.
pub enum Places {
    /// On this host, with this many threads.
    Here(usize),
    /// On these hosts, which this command reaches.
    Hosts(Vec<Share>, String),
}

impl Places {
    /// Returns the places that the user or the batch system wants.
    pub fn find(options: &Options, threads: Option<usize>) -> Result<Places, Error> {
        let (hosts, by) = match &options.hosts {
            Some(list) => (hosts::read(list)?, None),
            None => match if options.local { None } else { allocation::find()? } {
                Some(allocation) => (allocation.hosts, allocation.by),
                None => {
                    let here = vec![Host { name: Name::here(), capacity: None }];
                    let most = restrict(options, here)?[0].capacity;
                    let threads = threads.or(most).unwrap_or(1);
                    return match most.filter(|&most| threads > most) {
                        Some(most) => Err(Error::Hosts(format!(
                            "-c {most}: {threads} threads need more hosts than this one: name the hosts, as \
                             in -H host1,host2"
                        ))),
                        None => Ok(Places::Here(threads)),
                    };
                }
            },
        };
        let hosts = restrict(options, hosts)?;
        if options.hosts.is_none()
            && let [host] = &hosts[..]
            && hosts::is_here(&host.name, &sys::host_name())
        {
            return Ok(Places::Here(threads.or(host.capacity).unwrap_or(1)));
        }
        // An empty command would start everything on this host, which is not meant if other hosts are named.
        let asked = options.ssh.clone().filter(|command| !command.trim().is_empty());
        let by = asked.unwrap_or_else(|| by.unwrap_or(SSH).to_string());
        Ok(Places::Hosts(hosts::deal(&hosts, threads)?, by))
    }

    /// Returns the index of the profile's settings that apply (`Options::profile`).
    pub fn kind(&self) -> usize {
        match self {
            Places::Here(threads) => usize::from(*threads > cores::usable()),
            Places::Hosts(..) => 2,
        }
    }

    /// Returns the number of threads, on all hosts.
    pub fn threads(&self) -> usize {
        match self {
            Places::Here(threads) => *threads,
            Places::Hosts(shares, _) => shares.iter().map(|share| share.threads).sum(),
        }
    }

    /// Returns how many threads write a recording of their own: all, if there are several hosts.
    pub fn parts(&self) -> Option<usize> {
        match self {
            Places::Here(_) => None,
            Places::Hosts(..) => Some(self.threads()),
        }
    }
}

/// Returns the hosts of a list that `-N` and `-c` admit, each with its greatest number of threads.
fn restrict(options: &Options, mut hosts: Vec<Host>) -> Result<Vec<Host>, Error> {
    if let Some(nodes) = options.nodes.map(|n| n as usize) {
        if nodes > hosts.len() {
            let there = hosts.len();
            return Err(Error::Hosts(format!(
                "-N {nodes}: {nodes} hosts are asked for, but the list has {there}: name the hosts, as in -H \
                 host1,host2"
            )));
        }
        hosts.truncate(nodes);
    }
    if let Some(most) = options.per_host.map(|n| n as usize) {
        hosts
            .iter_mut()
            .for_each(|host| host.capacity = Some(host.capacity.map_or(most, |own| own.min(most))));
    }
    Ok(hosts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args;

    fn options(line: &str) -> Options {
        let command = Options::augment_args(clap::Command::new("run"));
        let matches = command.try_get_matches_from(line.split_whitespace()).unwrap();
        Options::from_matches(&matches, Vec::new()).unwrap()
    }

    /// The number of threads; each host with its first thread and its number of threads, none for this host;
    /// the command that reaches the hosts.
    type Placed = (usize, Vec<(String, usize, usize)>, String);

    fn placed(line: &str, threads: Option<usize>) -> Result<Placed, Error> {
        Ok(match Places::find(&options(line), threads)? {
            Places::Here(threads) => (threads, Vec::new(), String::new()),
            Places::Hosts(shares, by) => {
                let threads = shares.iter().map(|share| share.threads).sum();
                (threads, shares.into_iter().map(|s| (s.name.to_string(), s.first, s.threads)).collect(), by)
            }
        })
    }

    #[test]
    fn without_hosts_a_job_runs_here() {
        for (line, threads, placed_here) in [
            ("run --local p", None, 1),
            ("run --local p", Some(3), 3),
            ("run --local -c 4 p", None, 4),
            ("run --local -c 4 p", Some(4), 4),
            ("run --local -N 1 p", Some(5), 5),
        ] {
            assert_eq!(placed(line, threads).unwrap(), (placed_here, vec![], String::new()), "{line}");
        }
        let error = |line, threads| placed(line, threads).unwrap_err().to_string();
        assert!(error("run --local -c 4 p", Some(5)).contains("-c 4: 5 threads need more hosts"));
        assert!(
            error("run --local -N 2 p", None).contains("-N 2: 2 hosts are asked for, but the list has 1")
        );
    }

    #[test]
    fn hosts_are_cut_to_what_is_asked_for_and_reached_as_the_user_says() {
        let of = |name: &str, first, threads| (name.to_string(), first, threads);
        let (threads, shares, by) = placed("run -H a:4,b:1,c -N 2 -c 2 p", None).unwrap();
        assert_eq!((threads, shares), (3, vec![of("a", 0, 2), of("b", 2, 1)]));
        assert_eq!(by, SSH);
        assert_eq!(placed("run -H a,b -c 3 p", None).unwrap().1, [of("a", 0, 3), of("b", 3, 3)]);
        assert_eq!(placed("run -H a,b p", Some(5)).unwrap().1, [of("a", 0, 3), of("b", 3, 2)]);
        assert_eq!(placed("run -H a --ssh rsh p", Some(1)).unwrap().2, "rsh");
        let mut empty = options("run -H a p");
        empty.ssh = Some(" ".into());
        assert!(matches!(Places::find(&empty, None), Ok(Places::Hosts(_, by)) if by == SSH));
        assert_eq!(placed("run -H localhost p", Some(2)).unwrap().1, [of("localhost", 0, 2)]);
        assert!(placed("run -H a,b -N 3 p", None).unwrap_err().to_string().contains("the list has 2"));
    }
}
