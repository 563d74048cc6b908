//! The Livermore kernels: the speed of translated C relative to plain C.
//!
//! A kernel's speed relative to plain C is the median of the ratios of each round: the samples of a round are
//! taken one after the other, so a change of the machine's clock, which can be by half within a second,
//! affects both. Each pass is a process of its own, because the same code is slower in some processes than in
//! others, for as long as they run. Rates are those of least times. The aggregates are those of table 1 of
//! the paper on UPC for the Cray X1.

use crate::numbers::number;
use crate::results::{Point, Results};
use crate::sheet::{Sheet, words};
use crate::statistics::{Spread, geometric_mean};

/// The versions, as the samples call them; the first is the reference of the others.
pub const VERSIONS: [&str; 3] = ["plain C", "private", "shared"];

/// A kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The kernel's number and name.
    pub name: String,
    /// Millions of operations a second, by version.
    pub rates: [f64; 3],
    /// The speed relative to plain C, by version: 1 is as fast, less is slower.
    pub speeds: [f64; 3],
}

/// The summary of all kernels in a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// The geometric mean of the rates, in millions of operations a second.
    pub rate: f64,
    /// The geometric mean of the speeds relative to plain C.
    pub speed: f64,
    /// The kernel that is slowest relative to plain C, and its speed.
    pub least: (String, f64),
}

/// Returns the kernels of which all versions were measured, in order.
pub fn of(results: &Results) -> Vec<Kernel> {
    let points = || results.of("livermore", "upc", "smp");
    let kernel = |plain: &Point| {
        let mut versions = Vec::new();
        for what in VERSIONS {
            versions.push(points().find(|point| point.series == plain.series && point.what == what)?);
        }
        let (mut rates, mut speeds) = ([0.0; 3], [0.0; 3]);
        for (i, version) in versions.iter().enumerate() {
            rates[i] = 1e3 / least(version)?;
            speeds[i] = Spread::of_ratios(&plain.ns, &version.ns)?.median;
        }
        Some(Kernel { name: plain.series.clone(), rates, speeds })
    };
    points().filter(|point| point.what == VERSIONS[0]).filter_map(kernel).collect()
}

/// Returns the least sample.
fn least(point: &Point) -> Option<f64> {
    point.ns.iter().copied().filter(|ns| ns.is_finite()).min_by(f64::total_cmp)
}

/// Returns the aggregates of each version, or `None` without kernels.
pub fn aggregates(kernels: &[Kernel]) -> Option<[Aggregate; 3]> {
    let first = kernels.first()?;
    let aggregate = |version: usize| {
        let speed = |kernel: &Kernel| kernel.speeds[version];
        let least = kernels
            .iter()
            .fold(first, |least, kernel| if speed(kernel) < speed(least) { kernel } else { least });
        Some(Aggregate {
            rate: geometric_mean(kernels.iter().map(|kernel| kernel.rates[version]))?,
            speed: geometric_mean(kernels.iter().map(speed))?,
            least: (least.name.clone(), speed(least)),
        })
    };
    Some([aggregate(0)?, aggregate(1)?, aggregate(2)?])
}

/// Table 1 of the paper on UPC for the Cray X1, in MFLOPS: the geometric means of C and of translated UPC.
const X1: [&str; 5] = ["Cray X1, 2004", "160", "115", "", "0.72"];

/// Returns the kernels and their means as a table.
pub fn sheet(results: &Results) -> Sheet {
    let kernels = of(results);
    let Some(all) = aggregates(&kernels) else { return Sheet::default() };
    let line = |name: &str, rates: [f64; 3], speeds: [f64; 3]| {
        let speeds = speeds[1..].iter().map(|speed| format!("{speed:.2}"));
        [name.to_string()].into_iter().chain(rates.map(number)).chain(speeds).collect::<Vec<_>>()
    };
    let mut rows: Vec<_> =
        kernels.iter().map(|kernel| line(&kernel.name, kernel.rates, kernel.speeds)).collect();
    let [rates, speeds] =
        [|a: &Aggregate| a.rate, |a: &Aggregate| a.speed].map(|of| [0, 1, 2].map(|i| of(&all[i])));
    rows.push(line("geometric mean", rates, speeds));
    rows.push(words(&X1));
    let slowest = |version: usize| {
        let (name, speed) = &all[version].least;
        format!("Slowest beside plain C, {}: {name}, {speed:.2}.", VERSIONS[version])
    };
    Sheet {
        id: "livermore".into(),
        title: "The Livermore kernels".into(),
        caption: "Millions of operations a second, and the speed beside plain C (1 is as fast): figure 10 and table 1 of the X1 \
                  paper. The same source is compiled by the C compiler alone, as UPC with private arrays, and as UPC with shared \
                  arrays that lie on the thread which computes."
            .into(),
        head: words(&["plain C", "private", "shared", "private, speed", "shared, speed"]),
        rows,
        notes: vec![slowest(1), slowest(2)],
        ..Sheet::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{of_points, point};

    /// Returns results in which plain C takes 1 ns an operation, and the other versions take the given times.
    fn measured(kernels: &[(&str, f64, f64)]) -> Results {
        // The machine is ten times slower in one process.
        let point = |name: &str, what: &str, ns: f64| {
            point(&format!("livermore|upc|smp|{name}|{what}"), &[], &[ns, ns * 10.0, ns])
        };
        let versions = |&(name, private, shared): &(&str, f64, f64)| {
            [point(name, "plain C", 1.0), point(name, "private", private), point(name, "shared", shared)]
        };
        of_points(kernels.iter().flat_map(versions))
    }

    #[test]
    fn speeds_are_ratios_within_a_round() {
        let kernels = of(&measured(&[("1 a", 1.0, 2.0), ("2 b", 1.0, 8.0)]));
        assert_eq!(kernels[1].speeds, [1.0, 1.0, 0.125]);
        assert_eq!(kernels[1].rates[0], 1000.0);
        let all = aggregates(&kernels).unwrap();
        assert!((all[2].speed - 0.25).abs() < 1e-9 && (all[2].rate - 250.0).abs() < 1e-6, "{all:?}");
        assert_eq!(all[2].least, ("2 b".to_string(), 0.125));
    }

    #[test]
    fn a_round_of_another_clock_does_not_count() {
        let mut results = measured(&[("1 a", 1.0, 1.0)]);
        // Within the second round the clock rises: plain C is faster in it than ever.
        results.points[0].ns = vec![1.3, 0.6, 1.0, 1.02, 1.3];
        results.points[1].ns = vec![1.3, 1.2, 1.0, 1.02, 1.3];
        assert_eq!(of(&results)[0].speeds[1], 1.0);
    }

    #[test]
    fn a_kernel_without_all_its_versions_is_left_out() {
        let mut results = measured(&[("1 a", 1.0, 1.0), ("2 b", 1.0, 1.0)]);
        results.points.pop();
        assert_eq!(of(&results).len(), 1);
        results.points.clear();
        assert_eq!(aggregates(&of(&results)), None);
        assert_eq!(sheet(&results), Sheet::default());
    }

    #[test]
    fn the_table_names_the_slowest() {
        let text = sheet(&measured(&[("1 a", 1.0, 1.0), ("2 b", 1.0, 4.0)])).text();
        assert!(text.contains("Slowest beside plain C, shared: 2 b, 0.25"), "{text}");
        assert!(text.lines().any(|line| line.contains("geometric mean") && line.ends_with("0.50")), "{text}");
    }
}
