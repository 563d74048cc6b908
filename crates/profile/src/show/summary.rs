//! Parts common to the terminal and the page: the job in two lines, and the costs of a source by its lines.

use std::collections::BTreeMap;

use super::numbers::{number, time};
use crate::record::{Line, Profile};

/// The job in one line, and the cost of the runtime in another.
pub fn summary(profile: &Profile) -> [String; 2] {
    let mut hosts: Vec<_> = profile.ran.iter().map(|thread| &thread.host).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let longest = profile.ran.iter().map(|thread| thread.ns).max().unwrap_or(0);
    let sum = |of: fn(&Line) -> u64| profile.lines.iter().map(of).sum::<u64>();
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    [
        format!(
            "{}: {} on {}, {}",
            profile.command.join(" "),
            plural(profile.threads as usize, "thread"),
            plural(hosts.len(), "machine"),
            time(longest)
        ),
        format!(
            "Calls of the runtime: {}, with {} bytes, took {:.1} % of the threads' time.",
            number(sum(|line| line.calls)),
            number(sum(|line| line.bytes)),
            profile.percent(sum(|line| line.ns))
        ),
    ]
}

/// The cost of one line of a source, over all kinds of calls.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    pub calls: u64,
    pub bytes: u64,
    pub ns: u64,
}

/// The costs of a file by its lines.
pub fn costs(profile: &Profile, file: usize) -> BTreeMap<u32, Cost> {
    let mut costs: BTreeMap<u32, Cost> = BTreeMap::new();
    for line in profile.lines.iter().filter(|line| line.file == Some(file)) {
        let cost = costs.entry(line.line).or_default();
        cost.calls += line.calls;
        cost.bytes += line.bytes;
        cost.ns += line.ns;
    }
    costs
}
