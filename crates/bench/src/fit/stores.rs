//! The costs of Split-C's stores on a conduit: the parameters for the predictions of the sorts.

use super::{calm, curve};
use crate::parameters::Stores;
use crate::results::Results;
use crate::statistics::Spread;

/// The least size of the bulk stores from which the slope is computed.
const LEAST_BULK: f64 = 4096.0;
/// Larger bulk stores do not fit into the caches that the data of the sorts fits into.
const MOST_BULK: f64 = 1048576.0;

/// Returns the parameters of a conduit, or `None` if the primitives or the bulk transfers were not measured.
pub fn of(results: &Results, conduit: &str) -> Option<Stores> {
    let cost = |series: &str, what: &str, bytes: u64| {
        let mut points = results.of("primitives", "split-c", conduit);
        let point =
            points.find(|p| p.series == series && p.what == what && p.at.get("bytes") == Some(&bytes))?;
        calm(&point.ns)
    };
    let bulk: Vec<(f64, f64)> = curve(results.of("bulk", "split-c", conduit), "store", "bytes")
        .into_iter()
        .filter_map(|(bytes, ns)| Some((bytes, calm(ns)?)))
        .collect();
    let (bulk, byte) = line(&bulk)?;
    Some(Stores {
        overhead: cost("store", "overhead", 4)?,
        gap: cost("store", "gap", 4)?,
        sync: cost("store sync", "latency", 0)?,
        bulk,
        byte,
    })
}

/// Returns start and slope of times over bytes: the slope is the median of those of all pairs, the start the
/// median of the remainders of the points, so that no disturbed point affects them.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let points: Vec<&(f64, f64)> =
        points.iter().filter(|(bytes, _)| (LEAST_BULK..=MOST_BULK).contains(bytes)).collect();
    let mut slopes = Vec::new();
    for (i, a) in points.iter().enumerate() {
        slopes.extend(points[i + 1..].iter().map(|b| (b.1 - a.1) / (b.0 - a.0)));
    }
    let slope = Spread::of(&slopes)?.median.max(0.0);
    let starts: Vec<f64> = points.iter().map(|(bytes, ns)| ns - slope * bytes).collect();
    Some((Spread::of(&starts)?.median.max(0.0), slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_beside_a_disturbed_point() {
        let mut points: Vec<(f64, f64)> =
            (3..22).map(|i| (f64::from(1 << i), 700.0 + 0.5 * f64::from(1 << i))).collect();
        points[14].1 *= 10.0;
        let (start, slope) = line(&points).unwrap();
        assert!((start - 700.0).abs() < 1.0 && (slope - 0.5).abs() < 1e-3, "{start} {slope}");
    }

    #[test]
    fn a_line_needs_two_points_and_is_never_below_zero() {
        assert_eq!(line(&[(4096.0, 5.0)]), None);
        assert_eq!(line(&[(4096.0, 100.0), (8192.0, 50.0)]).unwrap().1, 0.0);
    }
}
