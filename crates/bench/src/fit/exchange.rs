//! Exchanges: the time for all processors to move data to each other at once, and to use the received data.
//!
//! The probes measure each mechanism in this way (bench/probes/exchange.inc). So the curves include effects
//! that one access alone does not show: two processors at work at once, each also as the other's target, the
//! agreement that all data has arrived, and lines that change caches. Times are those of a whole exchange of
//! so many bytes a processor.

use std::collections::BTreeMap;

use super::{calm, curve};
use crate::options::Part;
use crate::results::Results;

/// The curves of a dialect on a conduit: (series, phase) to (bytes, nanoseconds), ascending.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    curves: BTreeMap<(String, String), Vec<(f64, f64)>>,
}

impl Exchange {
    /// Returns the curves, or `None` if exchanges were not measured.
    pub fn of(results: &Results, dialect: &str, conduit: &str) -> Option<Exchange> {
        let points = || results.of(Part::Exchange.name(), dialect, conduit);
        let mut curves = BTreeMap::new();
        for point in points() {
            let key = (point.series.clone(), point.what.clone());
            let same = points().filter(|other| other.what == point.what);
            curves.entry(key).or_insert_with(|| {
                let curve = curve(same, &point.series, "bytes").into_iter();
                curve.filter_map(|(bytes, ns)| Some((bytes, calm(ns)?))).collect()
            });
        }
        (!curves.is_empty()).then_some(Exchange { curves })
    }

    /// Returns the time of a phase of an exchange of this many bytes.
    pub fn time(&self, series: &str, phase: &str, bytes: f64) -> Option<f64> {
        at(self.curves.get(&(series.to_string(), phase.to_string()))?, bytes)
    }

    /// Returns the time of the moving beyond that of the agreement alone.
    pub fn moved(&self, series: &str, bytes: f64) -> Option<f64> {
        Some((self.time(series, "move", bytes)? - self.time("nothing", "move", bytes)?).max(0.0))
    }

    /// Returns the time for using the data beyond that for a processor's own data.
    pub fn used(&self, series: &str, own: &str, bytes: f64) -> Option<f64> {
        Some((self.time(series, "use", bytes)? - self.time(own, "use", bytes)?).max(0.0))
    }
}

/// Returns a curve's time for this many bytes: on straight lines between its points, below the first on the
/// line through the first two, and beyond the last in proportion.
fn at(curve: &[(f64, f64)], bytes: f64) -> Option<f64> {
    let (&(first, start), &(last, end)) = (curve.first()?, curve.last()?);
    if bytes >= last || curve.len() == 1 {
        return Some(if bytes >= last { end * bytes / last } else { start * (bytes / first).min(1.0) });
    }
    let i = curve.partition_point(|point| point.0 < bytes).max(1);
    let ((x0, y0), (x1, y1)) = (curve[i - 1], curve[i]);
    Some((y0 + (y1 - y0) * (bytes - x0) / (x1 - x0)).max(0.0))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::results::tests::{of_points, point};

    /// Returns results in which every exchange takes the time that `ns` gives for its series, phase and
    /// bytes.
    pub fn measured(dialect: &str, conduit: &str, ns: impl Fn(&str, &str, f64) -> Option<f64>) -> Results {
        let mut points = Vec::new();
        let all = [
            "nothing",
            "read",
            "read, kept",
            "get",
            "put",
            "write",
            "store",
            "store, scattered",
            "bulk store",
        ];
        for series in all.into_iter().chain(["bulk store, used at random", "own", "own, scattered"]) {
            for what in ["move", "use"] {
                for bytes in [64u32, 4096, 262_144] {
                    let Some(ns) = ns(series, what, f64::from(bytes)) else { continue };
                    let key = format!("exchange|{dialect}|{conduit}|{series}|{what}");
                    points.push(point(&key, &[("bytes", u64::from(bytes))], &[ns, ns * 30.0, ns]));
                }
            }
        }
        of_points(points)
    }

    #[test]
    fn a_line_is_read_off_at_every_size() {
        let results = measured("split-c", "tcp", |series, what, bytes| match (series, what) {
            ("nothing", "move") => Some(1000.0),
            (_, "move") => Some(1500.0 + 2.0 * bytes),
            ("own", "use") => Some(bytes),
            (_, "use") => Some(1.25 * bytes),
            _ => None,
        });
        let exchange = Exchange::of(&results, "split-c", "tcp").unwrap();
        for bytes in [8.0, 64.0, 1000.0, 4096.0, 100_000.0] {
            let moved = exchange.moved("store", bytes).unwrap();
            assert!((moved - (500.0 + 2.0 * bytes)).abs() < 1e-6, "{bytes}: {moved}");
            let used = exchange.used("store", "own", bytes).unwrap();
            assert!((used - 0.25 * bytes).abs() < 1e-6, "{bytes}: {used}");
        }
        let far = exchange.time("store", "use", 524_288.0).unwrap();
        assert!((far - 1.25 * 524_288.0).abs() < 1e-3, "{far}");
        assert_eq!(exchange.time("nonsense", "move", 8.0), None);
        assert_eq!(Exchange::of(&results, "upc", "tcp"), None);
    }
}
