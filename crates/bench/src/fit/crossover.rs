//! The sizes from which one mechanism is cheaper than another.

use std::fmt;

use super::curve;
use crate::numbers::bytes;
use crate::results::Results;
use crate::statistics::Spread;

/// The size at which two curves cross.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossover {
    /// The conduit.
    pub conduit: String,
    /// The statement that holds from there on; `{}` stands for the size.
    pub what: &'static str,
    /// The size.
    pub at: f64,
    /// Whether it is in bytes; else it is a number of accesses.
    pub in_bytes: bool,
}

impl fmt::Display for Crossover {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let whole = self.at.ceil() as u64;
        let size = if self.in_bytes { bytes(whole) } else { whole.to_string() };
        write!(f, "{}: {}", self.conduit, self.what.replace("{}", &size))
    }
}

/// Returns the cross-overs that the bulk transfers and the primitives of a conduit show.
pub fn of(results: &Results, conduit: &str) -> Vec<Crossover> {
    let medians = |part: &str, series: &str, axis: &str| -> Vec<(f64, f64)> {
        curve(results.of(part, "split-c", conduit), series, axis)
            .into_iter()
            .filter_map(|(x, ns)| Some((x, Spread::of(ns)?.median)))
            .collect()
    };
    let mut found = Vec::new();
    let mut add = |what, a: &[(f64, f64)], b: &[(f64, f64)], in_bytes| {
        let at = crossing(a, b);
        found.extend(at.map(|at| Crossover { conduit: conduit.to_string(), what, at, in_bytes }));
    };
    // As many single gets, sequential or at once, as a bulk get has words.
    let bulk = medians("bulk", "get", "bytes");
    let groups = medians("groups", "get", "n");
    let words: Vec<(f64, f64)> = groups.iter().map(|(n, ns)| (n * 8.0, n * ns)).collect();
    add("a bulk get is cheaper than a group of single gets from {} on", &words, &bulk, true);
    if let Some((_, one)) = groups.first() {
        let alone: Vec<(f64, f64)> = groups.iter().map(|(n, _)| (*n, one / 2.0)).collect();
        add("a get costs half as much as alone in groups of {} and more", &alone, &groups, false);
    }
    found
}

/// Returns the size at which the second of two curves (size, time) becomes the cheaper one and stays so, on
/// straight lines between the logarithms. Returns `None` if it is so from the start, or never. Only sizes of
/// both curves count.
pub fn crossing(a: &[(f64, f64)], b: &[(f64, f64)]) -> Option<f64> {
    let common: Vec<(f64, f64)> = a
        .iter()
        .filter_map(|(x, time)| Some((*x, (b.iter().find(|(other, _)| other == x)?.1 / time).ln())))
        .collect();
    let last_dearer = common.iter().rposition(|(_, ratio)| *ratio >= 0.0)?;
    let (x0, r0) = common[last_dearer];
    let (x1, r1) = *common.get(last_dearer + 1)?;
    let share = r0 / (r0 - r1);
    Some((x0.ln() + (x1.ln() - x0.ln()) * share).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Crosses two mechanisms of known costs: start-up and time a byte.
    fn lines(a: (f64, f64), b: (f64, f64)) -> Option<f64> {
        let line = |(start, byte): (f64, f64)| -> Vec<(f64, f64)> {
            (3..20).map(|i| f64::from(1 << i)).map(|x| (x, start + byte * x)).collect()
        };
        crossing(&line(a), &line(b))
    }

    #[test]
    fn known_costs_cross_where_they_must() {
        let found = lines((10.0, 1.0), (1000.0, 0.1)).unwrap();
        assert!((found / 1100.0 - 1.0).abs() < 0.1, "{found}");
    }

    #[test]
    fn what_is_always_cheaper_or_never_does_not_cross() {
        assert_eq!(lines((10.0, 1.0), (5.0, 0.5)), None);
        assert_eq!(lines((5.0, 0.5), (10.0, 1.0)), None);
        assert_eq!(crossing(&[], &[]), None);
    }
}
