//! The results as text: one table a part, medians in nanoseconds, a column for each conduit.

use std::collections::BTreeMap;

use crate::fit;
use crate::numbers::{bytes, number};
use crate::results::{Point, Results};

/// The parts in which every point is a row. The others are curves over sizes, which the fits summarise; all
/// points are in the file, and in the report.
const ROWS: [&str; 5] = ["primitives", "pointers", "groups", "small", "applications"];

/// Returns all tables of the probes, and the parameters that follow from them.
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

/// Returns a row for each mechanism, with a column for each conduit.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

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
}
