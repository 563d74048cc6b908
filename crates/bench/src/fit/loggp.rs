//! The LogGP parameters of a conduit, as Split-C's split-phase accesses show them.
//!
//! - o, the overhead: the time that a processor spends on the start of a get of 8 bytes.
//! - g, the gap: the time of each of many gets under way at once.
//! - L, the latency of one message: half of a get's time less the overheads of request and reply, L = (T -
//!   4o) / 2, never below 0.
//! - G, the gap a byte: the slope of the time of a bulk get over its size (Theil and Sen: the median of the
//!   slopes of all pairs, which is robust against outliers).
//! - N1/2: the size at which a bulk get reaches half of the bandwidth 1/G.
//!
//! By loads and stores (smp) no message is sent: o is then the cost of the access, and L mostly 0.

use super::bootstrap::{Interval, intervals};
use super::{conduits, curve};
use crate::numbers::bytes;
use crate::results::{Point, Results};
use crate::sheet::{Sheet, words};
use crate::statistics::Spread;

/// The parameters, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogGp {
    /// o
    pub overhead: Interval,
    /// L
    pub latency: Interval,
    /// g
    pub gap: Interval,
    /// G
    pub byte: Interval,
    /// N1/2 in bytes; `None` if even the smallest transfer has half of the bandwidth.
    pub half_bandwidth: Option<f64>,
}

/// The size of the smallest bulk transfers in the slope: below it the overheads dominate.
const LEAST_BULK: f64 = 4096.0;

/// Returns the parameters of a conduit, or `None` if the primitives or the bulk transfers were not measured.
pub fn of(results: &Results, conduit: &str) -> Option<LogGp> {
    let primitive = |what: &str| {
        let mut points = results.of("primitives", "split-c", conduit);
        points.find(|p| p.series == "get" && p.what == what && p.at.get("bytes") == Some(&8))
    };
    let samples = |point: Option<&Point>| point.map(|p| p.ns.clone()).filter(|ns| !ns.is_empty());
    let bulk = curve(results.of("bulk", "split-c", conduit), "get", "bytes");
    fit(samples(primitive("overhead"))?, samples(primitive("latency"))?, samples(primitive("gap"))?, &bulk)
}

/// Fits the parameters to the samples of overhead, round trip and gap and to the curve of bulk gets (bytes,
/// samples).
pub fn fit(overhead: Vec<f64>, trip: Vec<f64>, gap: Vec<f64>, bulk: &[(f64, &[f64])]) -> Option<LogGp> {
    let sizes: Vec<f64> = bulk.iter().map(|(bytes, _)| *bytes).collect();
    let mut sets = vec![overhead, trip, gap];
    sets.extend(bulk.iter().map(|(_, samples)| samples.to_vec()));
    let [overhead, latency, gap, byte] = intervals(&sets, |sets| {
        let medians: Vec<f64> =
            sets.iter().map(|set| Some(Spread::of(set)?.median)).collect::<Option<Vec<f64>>>()?;
        let (o, trip, g) = (medians[0], medians[1], medians[2]);
        let latency = ((trip - 4.0 * o) / 2.0).max(0.0);
        Some([o, latency, g, slope(&sizes, &medians[3..])?])
    })?;
    let half_bandwidth = half_bandwidth(bulk, byte.estimate);
    Some(LogGp { overhead, latency, gap, byte, half_bandwidth })
}

/// Returns the median of the slopes of all pairs of points from `LEAST_BULK` bytes on.
fn slope(sizes: &[f64], times: &[f64]) -> Option<f64> {
    let points: Vec<(f64, f64)> =
        sizes.iter().copied().zip(times.iter().copied()).filter(|(bytes, _)| *bytes >= LEAST_BULK).collect();
    let mut slopes = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for b in &points[i + 1..] {
            slopes.push((b.1 - a.1) / (b.0 - a.0));
        }
    }
    Some(Spread::of(&slopes)?.median.max(0.0))
}

/// Returns the size at which the curve first has half of the bandwidth 1/G, on a straight line between
/// neighbouring sizes.
fn half_bandwidth(bulk: &[(f64, &[f64])], byte: f64) -> Option<f64> {
    let rates: Vec<(f64, f64)> =
        bulk.iter().filter_map(|(bytes, ns)| Some((*bytes, bytes / Spread::of(ns)?.median))).collect();
    let half = 0.5 / byte;
    let above = rates.iter().position(|(_, rate)| *rate >= half)?;
    if above == 0 {
        return None;
    }
    let ((x0, r0), (x1, r1)) = (rates[above - 1], rates[above]);
    Some(x0 + (x1 - x0) * (half - r0) / (r1 - r0))
}

/// Returns the parameters of all conduits as a table.
pub fn sheet(results: &Results) -> Sheet {
    let row = |conduit: &String| {
        let fit = of(results, conduit)?;
        let half = fit.half_bandwidth.map_or("-".into(), |n| bytes(n.round() as u64));
        let [o, l, g, byte] = [fit.overhead, fit.latency, fit.gap, fit.byte].map(|i| i.to_string());
        Some(vec![conduit.clone(), o, l, g, byte, half])
    };
    Sheet {
        id: "loggp".into(),
        title: "LogGP, by Split-C's split-phase gets and bulk gets".into(),
        caption: "The parameters of each conduit in nanoseconds, with the interval in which each lies with 95 % confidence."
            .into(),
        head: words(&["overhead o", "latency L", "gap g", "gap a byte G", "N½"]),
        rows: conduits(results).iter().filter_map(row).collect(),
        ..Sheet::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::Draws;
    use super::*;

    /// Returns samples about a value: noise of a twentieth up and down, and one in ten disturbed tenfold.
    fn noisy(value: f64, draws: &mut Draws) -> Vec<f64> {
        (0..40)
            .map(|_| {
                let share = (draws.draw() % 1000) as f64 / 1000.0;
                if draws.draw().is_multiple_of(10) {
                    value * 10.0
                } else {
                    value * (1.0 + 0.1 * (share - 0.5))
                }
            })
            .collect()
    }

    fn machine(o: f64, l: f64, g: f64, byte: f64) -> LogGp {
        let mut draws = Draws(7);
        let start = 2.0 * l + 4.0 * o;
        let sizes: Vec<f64> = (3..24).map(|i| f64::from(1 << i)).collect();
        let samples: Vec<Vec<f64>> =
            sizes.iter().map(|bytes| noisy(start + byte * bytes, &mut draws)).collect();
        let bulk: Vec<(f64, &[f64])> = sizes.iter().copied().zip(samples.iter().map(Vec::as_slice)).collect();
        fit(noisy(o, &mut draws), noisy(start, &mut draws), noisy(g, &mut draws), &bulk).unwrap()
    }

    #[test]
    fn known_parameters_are_found_in_noise() {
        for (o, l, g, byte) in
            [(35.0, 5000.0, 250.0, 0.4), (1600.0, 2400.0, 3100.0, 110.0), (2.0, 60.0, 5.0, 0.03)]
        {
            let fit = machine(o, l, g, byte);
            // L is half of a difference, so the whole noise of the round trip affects it.
            for (name, known, within, found) in [
                ("o", o, 0.05, fit.overhead),
                ("L", l, 0.10, fit.latency),
                ("g", g, 0.05, fit.gap),
                ("G", byte, 0.05, fit.byte),
            ] {
                assert!((found.estimate / known - 1.0).abs() < within, "{name} {known}: {found}");
                assert!(found.low <= found.estimate && found.estimate <= found.high, "{found}");
            }
            let half = fit.half_bandwidth.unwrap();
            let known = (2.0 * l + 4.0 * o) / byte;
            assert!((half / known).ln().abs() < 0.3, "N1/2 {known}: {half}");
        }
    }

    #[test]
    fn more_noise_makes_a_wider_interval() {
        let width = |spread: f64| {
            let set: Vec<f64> = (0..20).map(|i| 100.0 + spread * f64::from(i)).collect();
            let fit = fit(set, vec![900.0], vec![9.0], &[(4096.0, &[10.0]), (8192.0, &[20.0])]).unwrap();
            fit.overhead.high - fit.overhead.low
        };
        assert!(width(10.0) > 5.0 * width(1.0));
    }

    #[test]
    fn a_latency_is_never_negative() {
        let fit = fit(vec![5.0], vec![6.0], vec![1.0], &[(4096.0, &[10.0]), (8192.0, &[20.0])]).unwrap();
        assert_eq!(fit.latency.estimate, 0.0);
        assert_eq!(fit.half_bandwidth, None);
    }
}
