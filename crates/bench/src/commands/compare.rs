//! `meridian bench compare A B`: the points that became slower or faster.
//!
//! A point has changed if its medians differ by more than the threshold and the middle halves of its samples
//! do not overlap. One disturbed sample therefore has no effect, and a change within the spread of either
//! file is not named.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use base::say;

use crate::numbers::number;
use crate::options::Compare;
use crate::results::{Key, Point, Results};
use crate::statistics::geometric_mean;

/// A point in both files.
#[derive(Clone, Debug)]
struct Change<'a> {
    point: &'a Point,
    before: f64,
    after: f64,
    /// Median after to median before.
    ratio: f64,
    /// Whether the change exceeds the threshold and the spread.
    clear: bool,
}

/// Prints the comparison. Returns 1 if a point is slower.
pub fn run(options: &Compare) -> Result<i32> {
    let (before, after) = (Results::read(&options.before)?, Results::read(&options.after)?);
    let changes = changes(&before, &after, options.threshold / 100.0);
    ensure!(
        !changes.is_empty(),
        "{} and {} have no point in common",
        options.before.display(),
        options.after.display()
    );
    let (text, slower) = describe(&changes);
    if before.header.machine != after.header.machine || before.header.compiler != after.header.compiler {
        say::error(format_args!("meridian bench: the files are of different machines or C compilers\n"));
    }
    say::out(format_args!("{text}"));
    Ok(i32::from(slower))
}

/// Returns a change for every point that both files have.
fn changes<'a>(before: &Results, after: &'a Results, threshold: f64) -> Vec<Change<'a>> {
    let old: HashMap<Key, &Point> = before.points.iter().map(|point| (point.key(), point)).collect();
    after
        .points
        .iter()
        .filter_map(|point| {
            let (a, b) = (old.get(&point.key())?.spread()?, point.spread()?);
            let ratio = b.median / a.median;
            let apart = b.lower > a.upper || b.upper < a.lower;
            let large = ratio > 1.0 + threshold || ratio < 1.0 / (1.0 + threshold);
            Some(Change { point, before: a.median, after: b.median, ratio, clear: apart && large })
        })
        .collect()
}

/// Writes a line for each group of points, and below it the changed points. Returns true if any point is
/// slower.
fn describe(changes: &[Change]) -> (String, bool) {
    let mut groups: Vec<(String, Vec<&Change>)> = Vec::new();
    for change in changes {
        let p = change.point;
        let name = format!("{} {} {} over {}", p.dialect, p.part, p.series, p.conduit);
        match groups.iter_mut().find(|(other, _)| *other == name) {
            Some((_, members)) => members.push(change),
            None => groups.push((name, vec![change])),
        }
    }
    let width = groups.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{:width$} {:>7} {:>9} {:>7} {:>7}\n", "", "points", "ratio", "slower", "faster");
    for (name, members) in &groups {
        let mean = geometric_mean(members.iter().map(|c| c.ratio)).expect("a group has a member");
        let clear = |slower: bool| members.iter().filter(|c| c.clear && (c.ratio > 1.0) == slower).count();
        let (slower, faster) = (clear(true), clear(false));
        text += &format!("{name:width$} {:>7} {:>9.3} {slower:>7} {faster:>7}\n", members.len(), mean);
    }
    let slower = list(&mut text, changes, true);
    list(&mut text, changes, false);
    if !changes.iter().any(|change| change.clear) {
        text += "\nNo point changed by more than the threshold and its spread.\n";
    }
    (text, slower)
}

/// Names at most twenty points, those that changed most first. Returns true if there are any.
fn list(text: &mut String, changes: &[Change], slower: bool) -> bool {
    const MOST: usize = 20;
    let mut found: Vec<&Change> = changes.iter().filter(|c| c.clear && (c.ratio > 1.0) == slower).collect();
    found.sort_by(|a, b| b.ratio.ln().abs().total_cmp(&a.ratio.ln().abs()));
    if !found.is_empty() {
        *text += &format!("\n{}: {} points\n", if slower { "Slower" } else { "Faster" }, found.len());
    }
    for change in found.iter().take(MOST) {
        let (before, after) = (number(change.before), number(change.after));
        *text += &format!("  {:.2} times: {before} to {after} ns, {}\n", change.ratio, change.point.label());
    }
    if found.len() > MOST {
        *text += &format!("  and {} more\n", found.len() - MOST);
    }
    !found.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    fn with(ns: &[f64]) -> Results {
        let mut results = results();
        results.points[0].ns = ns.to_vec();
        results
    }

    fn verdict(before: &[f64], after: &[f64]) -> (String, bool) {
        let after = with(after);
        describe(&changes(&with(before), &after, 0.1))
    }

    #[test]
    fn a_slow_down_is_named() {
        let (text, slower) = verdict(&[1.0, 1.1, 1.2], &[2.0, 2.2, 2.1]);
        assert!(slower && text.contains("Slower: 1 points"), "{text}");
        assert!(
            text.contains("1.91 times: 1.10 to 2.10 ns, split-c bulk get, put over smp, bytes=8"),
            "{text}"
        );
    }

    #[test]
    fn what_is_within_the_spread_or_the_threshold_is_not() {
        for (before, after) in [([1.0, 2.0, 3.0], [1.5, 2.5, 3.5]), ([1.0, 1.0, 1.0], [1.05, 1.05, 1.05])] {
            let (text, slower) = verdict(&before, &after);
            assert!(!slower && text.contains("No point changed"), "{text}");
        }
    }

    #[test]
    fn one_disturbed_sample_changes_nothing() {
        let (_, slower) = verdict(&[1.0, 1.0, 1.0, 1.0, 1.0], &[1.0, 1.0, 900.0, 1.0, 1.0]);
        assert!(!slower);
    }

    #[test]
    fn faster_is_no_failure() {
        let (text, slower) = verdict(&[2.0, 2.0], &[1.0, 1.0]);
        assert!(!slower && text.contains("Faster: 1 points"), "{text}");
    }
}
