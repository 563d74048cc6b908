//! Binding of threads to cores.
//!
//! A thread that stays on its core keeps its cache, and a barrier among threads that each have a core does
//! not wait for the kernel. But binding two jobs to the same cores while others are idle is far worse than
//! not binding at all. So a launcher claims the cores it uses, by binding one abstract socket name for each
//! core: every job of the host sees the claim, which vanishes with the launcher, however that ends.

use std::os::fd::OwnedFd;

use crate::options::Pin;
use crate::sys;

/// The cores on which the threads of a job run.
pub struct Placement {
    /// The cores of thread 0, then as many of thread 1, and so on; empty if threads are not tied.
    pub cores: Vec<usize>,
    /// The number of cores that each thread has.
    each: usize,
    /// Why threads are not tied, for `-v`.
    pub reason: &'static str,
    /// The claims on the cores, held until the job has ended.
    _claims: Vec<OwnedFd>,
}

impl Placement {
    /// Describes the placement in the words of `-v`.
    pub fn describe(&self) -> String {
        let list = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        match &self.cores[..] {
            [] => format!("not tied to cores ({})", self.reason),
            cores if self.each == 1 => format!("tied to cores {}", list(cores)),
            cores => {
                let sets: Vec<_> = cores.chunks(self.each).map(list).collect();
                format!("tied to {} cores each, for OpenMP: {}", self.each, sets.join(" | "))
            }
        }
    }
}

/// Places `threads` threads as the user asked. `share`: each thread starts threads of its own (OpenMP), so
/// that the cores are divided among the threads rather than one given to each.
pub fn place(threads: usize, pin: Pin, share: bool) -> Placement {
    let cores = spread(sys::allowed_cores(), sibling_rank);
    let available = available(cores.len());
    place_on(&cores, available, threads, pin, share)
}

/// Does the same with these cores, of which the job may keep `available` busy.
fn place_on(cores: &[usize], available: usize, threads: usize, pin: Pin, share: bool) -> Placement {
    let loose = |reason| Placement { cores: Vec::new(), each: 1, reason, _claims: Vec::new() };
    match pin {
        Pin::Never => loose("--pin=never"),
        _ if cores.is_empty() => loose("the cores are not known"),
        Pin::Always => {
            let cores = (0..threads).map(|t| cores[t % cores.len()]).collect();
            Placement { cores, each: 1, reason: "", _claims: Vec::new() }
        }
        Pin::Auto if threads == 1 => loose("a single thread needs no core of its own"),
        Pin::Auto if threads > available => loose("more threads than cores"),
        Pin::Auto => {
            let most = if share { available / threads } else { 1 };
            let claimed = (1..=most).rev().find_map(|each| claim(cores, threads, each));
            claimed.unwrap_or_else(|| loose("other jobs occupy the cores"))
        }
    }
}

/// Returns the number of cores that a job of this process may keep busy.
pub fn usable() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the number of cores that the job may keep busy: those of the affinity mask, or fewer if a
/// container has a quota.
fn available(allowed: usize) -> usize {
    std::thread::available_parallelism().map_or(allowed, |n| n.get().min(allowed))
}

fn claim(cores: &[usize], threads: usize, each: usize) -> Option<Placement> {
    let mut claims = Vec::new();
    let mut taken = Vec::new();
    for &core in cores {
        if let Some(claim) = sys::claim_name(&format!("meridian/core/{core}")) {
            claims.push(claim);
            taken.push(core);
            if taken.len() == threads * each {
                return Some(Placement { cores: taken, each, reason: "", _claims: claims });
            }
        }
    }
    None
}

/// Orders cores so that whole cores come before second hardware threads of cores already taken. `rank`: the
/// index of a core among the hardware threads that share its execution units.
fn spread(mut cores: Vec<usize>, rank: impl Fn(usize) -> usize) -> Vec<usize> {
    cores.sort_by_cached_key(|&core| (rank(core), core));
    cores
}

fn sibling_rank(core: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    let list = std::fs::read_to_string(path).unwrap_or_default();
    siblings(&list).iter().position(|&c| c == core).unwrap_or(0)
}

/// Reads a list as the kernel writes it, such as `0,32` or `0-1`.
fn siblings(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?)
    };
    list.trim().split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardware_threads_of_a_core_come_last() {
        let rank = |core: usize| siblings(["0,2", "1,3", "0,2", "1,3"][core]).iter().position(|&c| c == core);
        assert_eq!(spread(vec![3, 2, 1, 0], |c| rank(c).unwrap()), [0, 1, 2, 3]);
        let rank = |core: usize| siblings(["0-1", "0-1", "2-3", "2-3"][core]).iter().position(|&c| c == core);
        assert_eq!(spread(vec![0, 1, 2, 3], |c| rank(c).unwrap()), [0, 2, 1, 3]);
    }

    #[test]
    fn a_core_is_claimed_by_one_job_at_a_time() {
        let name = format!("meridian/test/{}", std::process::id());
        let first = sys::claim_name(&name).expect("free");
        assert!(sys::claim_name(&name).is_none());
        drop(first);
        assert!(sys::claim_name(&name).is_some(), "a claim ends with its holder");
    }

    #[test]
    fn more_threads_than_cores_are_tied_only_on_demand() {
        assert!(place(4096, Pin::Auto, false).cores.is_empty());
        assert_eq!(place(4096, Pin::Always, false).cores.len(), 4096);
        assert!(place(2, Pin::Never, true).cores.is_empty());
    }

    #[test]
    fn as_many_threads_as_there_are_cores_have_one_each() {
        // Numbers that no machine has, so that no other job claims them.
        let cores = [910_000, 910_001, 910_002, 910_003];
        let place = |threads, share| place_on(&cores, 4, threads, Pin::Auto, share);
        assert_eq!(place(4, false).cores, cores);
        assert_eq!(place(2, false).describe(), "tied to cores 910000,910001");
        assert_eq!(place(5, false).describe(), "not tied to cores (more threads than cores)");
        assert_eq!(
            place(1, false).describe(),
            "not tied to cores (a single thread needs no core of its own)"
        );
        assert_eq!(place_on(&cores, 3, 4, Pin::Auto, false).reason, "more threads than cores", "a quota");
        assert_eq!(place_on(&[], 4, 2, Pin::Always, false).reason, "the cores are not known");
        assert_eq!(place_on(&cores, 4, 6, Pin::Always, true).cores[4..], cores[..2]);
        let three = place(3, false);
        assert_eq!(place(2, false).reason, "other jobs occupy the cores");
        drop(three);
        assert_eq!(place(2, false).cores, cores[..2]);
    }

    #[test]
    fn programs_with_threads_of_their_own_get_as_many_cores_as_are_free() {
        let cores: Vec<_> = (920_000..920_008).collect();
        let place = |threads| place_on(&cores, 8, threads, Pin::Auto, true);
        assert_eq!(place(3).cores.len(), 6);
        assert_eq!(place(2).cores.len(), 8);
        let other = place_on(&cores, 8, 3, Pin::Auto, false);
        assert_eq!(place(2).cores, cores[3..7], "two each of the five that are left");
        drop(other);
    }

    #[test]
    fn a_core_has_a_place_among_those_that_share_its_units() {
        let allowed = sys::allowed_cores();
        assert!(allowed.iter().any(|&core| sibling_rank(core) == 0) && available(1) == 1);
        assert!(available(1 << 20) <= allowed.len());
        assert_eq!(siblings(" 0-2,9\n"), [0, 1, 2, 9]);
        assert_eq!(siblings("none"), [0usize; 0]);
    }

    #[test]
    fn cores_are_shared_out_where_threads_have_threads() {
        // Numbers that no machine has, so that no other job claims them.
        let cores: Vec<_> = (900_000..900_007).collect();
        let placement = claim(&cores, 3, 2).expect("free");
        assert_eq!(placement.cores, cores[..6]);
        let text = "tied to 2 cores each, for OpenMP: 900000,900001 | 900002,900003 | 900004,900005";
        assert_eq!(placement.describe(), text);
        assert!(claim(&cores, 3, 2).is_none(), "they are claimed");
    }
}
