//! The results as text: one table a part, medians in nanoseconds, a column for each conduit.

use std::collections::BTreeMap;

use crate::fit;
use crate::results::{Point, Results};

/// A point whose middle half spreads over more than this part of its median is noisy.
const NOISY: f64 = 0.25;
/// A run in which more than this part of the points is noisy is too noisy to be relied on.
const TOO_MANY: f64 = 0.25;

/// The parts in which every point is a row. The rest, curves over sizes, is summed up by the fits; all of it
/// is in the file, and in the report.
const ROWS: [&str; 5] = ["primitives", "pointers", "groups", "small", "applications"];

/// All tables of the probes, and the parameters that follow from them.
pub fn text(results: &Results) -> String {
    let mut text = String::new();
    for part in ROWS {
        let points: Vec<&Point> = results.points.iter().filter(|point| point.part == part).collect();
        if !points.is_empty() {
            text += &format!("\n{part}: nanoseconds an operation, medians\n\n{}", rows(&points));
        }
    }
    text + &fit::text(results)
}

/// A row for each mechanism, with a column for each conduit.
fn rows(points: &[&Point]) -> String {
    let mut conduits: Vec<&str> = Vec::new();
    let mut labels: Vec<String> = Vec::new();
    let mut cells: BTreeMap<(String, &str), f64> = BTreeMap::new();
    for point in points {
        let label = row_label(point);
        if !conduits.contains(&point.conduit.as_str()) {
            conduits.push(&point.conduit);
        }
        if !labels.contains(&label) {
            labels.push(label.clone());
        }
        if let Some(spread) = point.spread() {
            cells.insert((label, &point.conduit), spread.median);
        }
    }
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut text = format!("  {:width$}", "");
    conduits.iter().for_each(|conduit| text += &format!(" {conduit:>10}"));
    text.push('\n');
    for label in labels {
        text += &format!("  {label:width$}");
        for conduit in &conduits {
            let cell = cells.get(&(label.clone(), *conduit)).map(|&ns| number(ns)).unwrap_or_default();
            text += &format!(" {cell:>10}");
        }
        text.push('\n');
    }
    text
}

fn row_label(point: &Point) -> String {
    let mut label = format!("{:8} {}", point.dialect, point.series);
    for (axis, value) in &point.at {
        if (axis == "bytes" || axis == "size") && *value > 0 {
            label += &format!(" {}", bytes(*value));
        } else if axis != "bytes" {
            label += &format!(" {axis}={value}");
        }
    }
    if point.what != "time" {
        label += &format!(" {}", point.what);
    }
    label
}

/// What is to be said of a run that was disturbed too much; nothing of others.
pub fn noise(results: &Results) -> Option<String> {
    let spreads: Vec<_> = results.points.iter().filter_map(Point::spread).filter(|s| s.count >= 3).collect();
    let noisy = spreads.iter().filter(|s| s.upper - s.lower > NOISY * s.median).count();
    (noisy as f64 > TOO_MANY * spreads.len() as f64).then(|| {
        format!(
            "this run is too noisy to be relied on: {noisy} of {} points spread over more than {:.0} % of their \
             median. Stop what else runs on the machine, and measure again",
            spreads.len(),
            NOISY * 100.0
        )
    })
}

/// Three digits.
pub fn number(x: f64) -> String {
    match x {
        x if x < 9.995 => format!("{x:.2}"),
        x if x < 99.95 => format!("{x:.1}"),
        x => format!("{x:.0}"),
    }
}

/// `8 B`, `64 KB`, `8 MB`.
pub fn bytes(n: u64) -> String {
    match n {
        n if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{} MB", n >> 20),
        n if n >= 1 << 10 && n % (1 << 10) == 0 => format!("{} KB", n >> 10),
        n => format!("{n} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(
            ["0.17", "3.40", "42.1", "1063"].map(String::from),
            [0.17, 3.4, 42.12, 1063.4].map(number)
        );
    }

    #[test]
    fn sizes_are_written_in_their_units() {
        assert_eq!([8, 1024, 65536, 8 << 20, 480].map(bytes), ["8 B", "1 KB", "64 KB", "8 MB", "480 B"]);
    }

    #[test]
    fn a_row_has_a_column_for_each_conduit() {
        let mut results = results();
        let mut other = results.points[0].clone();
        (other.conduit, other.ns) = ("tcp".into(), vec![12000.0]);
        results.points.push(other);
        results.points.iter_mut().for_each(|point| point.part = "primitives".into());
        let text = text(&results);
        let row = text.lines().find(|line| line.contains("get, put 8 B")).unwrap();
        assert!(row.contains("2.00") && row.contains("12000"), "{text}");
    }

    #[test]
    fn a_disturbed_run_says_so_and_a_calm_one_does_not() {
        let mut results = results();
        assert!(noise(&results).unwrap().contains("1 of 1 points"));
        results.points[0].ns = vec![1.0, 1.01, 1.02];
        assert_eq!(noise(&results), None);
    }
}
