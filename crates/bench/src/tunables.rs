//! The settings that a profile may have: their ranges, the values that `meridian bench tune` tries, and the
//! measurements on which it tries them.

use crate::options::Part;
use crate::results::Key;

/// A setting that a profile may have, as in the runtime's table (`runtime/base/settings.h`).
#[derive(Debug)]
pub struct Tunable {
    /// The name of the variable without MERIDIAN_.
    pub name: &'static str,
    /// The runtime's value without a profile.
    pub default: i64,
    /// The least value.
    pub least: i64,
    /// The greatest value.
    pub most: i64,
    /// Values to be tried beside the default.
    pub candidates: &'static [i64],
    /// The measurements on which it is tried.
    pub trials: &'static [Trial],
}

/// A measurement that shows whether a value pays, and the jobs for which the value then holds.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The jobs.
    pub jobs: Jobs,
    /// The dialect of the probe.
    pub dialect: &'static str,
    /// The part of the probe.
    pub part: Part,
    /// The points of the part that count.
    pub points: Points,
}

/// The points of a part that a setting affects. Other points would only dilute its effect.
#[derive(Clone, Copy, Debug)]
pub enum Points {
    /// All of them.
    All,
    /// The points of a series.
    Series(&'static str),
    /// The points of a series with an axis greater than one of the two values.
    Beyond(&'static str, &'static str),
    /// The points with so many bytes that the two values handle them differently.
    Between,
}

impl Points {
    /// Whether a point counts in a comparison of two values of the setting.
    pub fn count(self, point: &Key, one: i64, other: i64) -> bool {
        let (series, at) = (&point.3, &point.5);
        let of = |axis: &str| at.get(axis).map_or(0, |&value| i64::try_from(value).unwrap_or(i64::MAX));
        match self {
            Points::All => true,
            Points::Series(name) => series == name,
            Points::Beyond(name, axis) => series == name && of(axis) > one.min(other),
            Points::Between => (one.min(other)..one.max(other)).contains(&of("bytes")),
        }
    }
}

const fn all(jobs: Jobs, part: Part) -> Trial {
    Trial { jobs, dialect: "split-c", part, points: Points::All }
}

const fn between_hosts(dialect: &'static str, part: Part, points: Points) -> Trial {
    Trial { jobs: Jobs::SeveralHosts, dialect, part, points }
}

/// Jobs that want settings of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Jobs {
    /// On one host, with a core for each thread.
    OneHost,
    /// On one host, with more threads than cores.
    Oversubscribed,
    /// On several hosts.
    SeveralHosts,
}

impl Jobs {
    /// All kinds, in the order in which `meridian run` has their settings.
    pub const ALL: [Jobs; 3] = [Jobs::OneHost, Jobs::Oversubscribed, Jobs::SeveralHosts];

    /// Returns the name for the reader.
    pub fn name(self) -> &'static str {
        match self {
            Jobs::OneHost => "one host",
            Jobs::Oversubscribed => "more threads than cores",
            Jobs::SeveralHosts => "several hosts",
        }
    }
}

/// All settings, in the order in which they are tried: each with the values chosen for the earlier ones in
/// force.
pub const TUNABLES: &[Tunable] = &[
    Tunable {
        name: "SPIN",
        default: 2000,
        least: 0,
        most: 100_000_000,
        candidates: &[100, 20_000],
        trials: &[all(Jobs::OneHost, Part::Primitives), all(Jobs::SeveralHosts, Part::Primitives)],
    },
    Tunable {
        name: "YIELDS",
        default: 20,
        least: 0,
        most: 1_000_000,
        candidates: &[0, 2, 200],
        trials: &[
            all(Jobs::OneHost, Part::Primitives),
            all(Jobs::Oversubscribed, Part::Exchange),
            all(Jobs::SeveralHosts, Part::Primitives),
        ],
    },
    Tunable {
        name: "BULK",
        default: 64 << 10,
        least: 4 << 10,
        most: 1 << 30,
        candidates: &[16 << 10, 256 << 10, 1 << 20],
        trials: &[between_hosts("split-c", Part::Bulk, Points::Between)],
    },
    Tunable {
        name: "WINDOW",
        default: 256 << 10,
        least: 128 << 10,
        most: 16 << 20,
        candidates: &[1 << 20, 4 << 20],
        trials: &[between_hosts("split-c", Part::Bulk, Points::Series("store"))],
    },
    Tunable {
        name: "PACKET",
        default: 32 << 10,
        least: 4 << 10,
        most: 64 << 10,
        candidates: &[4 << 10, 64 << 10],
        trials: &[between_hosts("split-c", Part::Exchange, Points::All)],
    },
    Tunable {
        name: "PREFETCH",
        default: 4096,
        least: 1,
        most: 8192,
        candidates: &[1024, 8192],
        trials: &[between_hosts("upc", Part::Groups, Points::Beyond("read, in a loop", "n"))],
    },
    Tunable {
        name: "NAP",
        default: 400,
        least: 10,
        most: 100_000,
        candidates: &[50, 4000],
        trials: &[all(Jobs::OneHost, Part::Exchange), all(Jobs::SeveralHosts, Part::Exchange)],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_points_that_a_setting_is_about_count() {
        let key = |series: &str, axis: &str, value: u64| -> Key {
            let text = String::new;
            (text(), text(), text(), series.into(), text(), BTreeMap::from([(axis.into(), value)]))
        };
        assert!(Points::All.count(&key("get", "n", 1), 1, 2));
        assert!(Points::Series("store").count(&key("store", "bytes", 8), 1, 2));
        assert!(!Points::Series("store").count(&key("put", "bytes", 8), 1, 2));
        for (bytes, counts) in [(4096, false), (16_384, true), (32_768, true), (65_536, false)] {
            assert_eq!(Points::Between.count(&key("get", "bytes", bytes), 65_536, 16_384), counts, "{bytes}");
        }
        assert!(!Points::Between.count(&key("get", "n", 20_000), 65_536, 16_384));
        let loops = Points::Beyond("loop", "n");
        assert!(
            loops.count(&key("loop", "n", 513), 512, 2048) && loops.count(&key("loop", "n", 129), 512, 128)
        );
        assert!(
            !loops.count(&key("loop", "n", 512), 512, 2048) && !loops.count(&key("get", "n", 513), 512, 2048)
        );
    }

    #[test]
    fn the_candidates_are_what_a_setting_may_be_and_say_something() {
        for tunable in TUNABLES {
            for value in tunable.candidates.iter().chain([&tunable.default]) {
                assert!((tunable.least..=tunable.most).contains(value), "{} {value}", tunable.name);
            }
            assert!(!tunable.candidates.contains(&tunable.default), "{}", tunable.name);
        }
    }
}
