//! The levels of a memory, derived from the time of a dependent read over the size of the array.
//!
//! The curve of log(time) over log(size) is cut into plateaus by dynamic programming: the cut with the least
//! squared distance from the means of its plateaus. Each plateau costs a fixed amount, so that noise makes
//! none. A point between two plateaus, whose array fits only in part, is a plateau of its own and is left
//! out: a level needs two sizes.

use super::curve;
use crate::numbers::{bytes, time};
use crate::results::Results;
use crate::sheet::{Sheet, words};
use crate::statistics::Spread;

/// A level of the memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The largest array that fits; `None` for the last level.
    pub bytes: Option<u64>,
    /// The time of a dependent read.
    pub ns: f64,
}

/// The cost of a further plateau, in squared natural logarithms of the time: a step by half makes one.
const COST: f64 = 0.08;
/// Plateaus that differ by less are one level.
const LEAST_STEP: f64 = 1.35;

/// Returns the levels that the chains of dependent reads show; empty if they were not measured.
pub fn of(results: &Results) -> Vec<Level> {
    let curve = curve(results.of("memory", "split-c", "smp"), "chase", "size");
    // The lower quartile: other users of a cache make reads slower, and never faster.
    let points: Vec<(f64, f64)> =
        curve.iter().filter_map(|(size, ns)| Some((*size, Spread::of(ns)?.lower))).collect();
    levels(&points)
}

/// Returns the levels in a curve of (bytes, nanoseconds), ascending in bytes.
pub fn levels(points: &[(f64, f64)]) -> Vec<Level> {
    let logs: Vec<f64> = points.iter().map(|(_, ns)| ns.ln()).collect();
    let mut plateaus: Vec<(usize, usize)> =
        cuts(&logs).into_iter().filter(|(first, end)| end - first >= 2).collect();
    let mean = |(first, end): (usize, usize)| logs[first..end].iter().sum::<f64>() / (end - first) as f64;
    let mut at = 1;
    while at < plateaus.len() {
        if mean(plateaus[at]) - mean(plateaus[at - 1]) < LEAST_STEP.ln() {
            plateaus[at - 1].1 = plateaus[at].1;
            plateaus.remove(at);
        } else {
            at += 1;
        }
    }
    let last = plateaus.len().saturating_sub(1);
    plateaus
        .iter()
        .enumerate()
        .map(|(i, &plateau)| Level {
            bytes: (i < last).then(|| points[plateau.1 - 1].0 as u64),
            ns: mean(plateau).exp(),
        })
        .collect()
}

/// Returns the best cut into runs [first, end).
fn cuts(values: &[f64]) -> Vec<(usize, usize)> {
    let mut best: Vec<(f64, usize)> = vec![(0.0, 0)];
    for end in 1..=values.len() {
        let candidates = (0..end).map(|first| (best[first].0 + distance(&values[first..end]) + COST, first));
        best.push(candidates.min_by(|a, b| a.0.total_cmp(&b.0)).expect("end is at least 1"));
    }
    let mut cuts = Vec::new();
    let mut end = values.len();
    while end > 0 {
        let first = best[end].1;
        cuts.push((first, end));
        end = first;
    }
    cuts.reverse();
    cuts
}

/// Returns the squared distance of the values from their mean.
fn distance(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// Returns the levels as a table.
pub fn sheet(results: &Results) -> Sheet {
    let row = |level: &Level| {
        vec![level.bytes.map_or_else(|| "memory".into(), |n| format!("up to {}", bytes(n))), time(level.ns)]
    };
    let listed = &results.header.machine.caches;
    let listed: Vec<String> =
        listed.iter().map(|(level, size)| format!("L{level} {}", bytes(*size))).collect();
    Sheet {
        id: "memory".into(),
        title: "The levels of the memory".into(),
        caption: "Found in the times of dependent reads of random lines.".into(),
        head: words(&["a read"]),
        rows: of(results).iter().map(row).collect(),
        notes: (!listed.is_empty())
            .then(|| format!("The kernel lists {}.", listed.join(", ")))
            .into_iter()
            .collect(),
        ..Sheet::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::Draws;
    use super::*;

    /// Returns the curve of a machine with these caches, (bytes, ns), and memory; with noise of this share.
    fn memory(caches: &[(u64, f64)], memory: f64, noise: f64) -> Vec<(f64, f64)> {
        let mut draws = Draws(3);
        (12..27)
            .map(|i| {
                let size = 1u64 << i;
                let ns = caches.iter().find(|(bytes, _)| size <= *bytes).map_or(memory, |(_, ns)| *ns);
                let share = (draws.draw() % 1000) as f64 / 1000.0 - 0.5;
                (size as f64, ns * (1.0 + noise * share))
            })
            .collect()
    }

    #[test]
    fn the_levels_of_known_memories_are_found() {
        let machines: [(&[(u64, f64)], f64); 3] = [
            (&[(32 << 10, 1.2), (1 << 20, 4.0), (32 << 20, 13.0)], 95.0),
            (&[(8 << 10, 6.7), (64 << 10, 27.0)], 300.0),
            (&[(8 << 10, 6.7)], 147.0),
        ];
        for (caches, last) in machines {
            for noise in [0.0, 0.1] {
                let found = levels(&memory(caches, last, noise));
                let sizes: Vec<u64> = found.iter().filter_map(|level| level.bytes).collect();
                let known: Vec<u64> = caches.iter().map(|(bytes, _)| *bytes).collect();
                if last != 95.0 {
                    assert_eq!(sizes, known, "{found:?}");
                }
                for (level, (_, ns)) in found.iter().zip(caches) {
                    assert!((level.ns / ns - 1.0).abs() < 0.06, "{found:?}");
                }
            }
        }
    }

    #[test]
    fn a_flat_memory_has_one_level() {
        let found = levels(&memory(&[], 150.0, 0.2));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].bytes, None);
    }

    #[test]
    fn a_size_that_fits_in_part_is_no_level() {
        let mut points = memory(&[(32 << 10, 1.2)], 90.0, 0.0);
        points[4].1 = 12.0; // 64 KB
        let found = levels(&points);
        assert_eq!(found.iter().map(|level| level.bytes).collect::<Vec<_>>(), [Some(32 << 10), None]);
    }

    #[test]
    fn nothing_measured_has_no_levels() {
        assert_eq!(levels(&[]), []);
    }
}
