//! The parts in which every point is a row, as tables: medians, with a column for each conduit. The others
//! are curves over sizes, which the fits summarise; all points are in the file, and in the report.

use std::collections::BTreeMap;

use crate::numbers::{bytes, number};
use crate::results::{Point, Results};
use crate::sheet::{Sheet, words};

/// A part, how to read its table, and whether the report draws its points.
const PARTS: [(&str, &str, bool); 6] = [
    (
        "primitives",
        "Each primitive: table 6-1 of von Eicken's Active Messages for this machine, and Split-C's on the CM-5 beside it (its \
         bulk is 4 KB here). A blocking access has no overhead but its latency.",
        false,
    ),
    (
        "pointers",
        "Arithmetic and access in UPC, on memory of the thread's own, an element of a table of pointers each: figures 8 and 9 \
         of the X1 paper.",
        false,
    ),
    ("groups", "", true),
    ("small", "", true),
    ("applications", "", true),
    ("collectives", "Without other systems; beside them there is a table of its own.", false),
];

/// Table 6-1 for Split-C on the CM-5: operation, bytes (4096 stands for the bulk transfer), the overhead and
/// the latency in microseconds, and the bandwidth in MB/s.
const CM5: [(&str, u64, f64, f64, f64); 15] = [
    ("read", 4, 12.2, 12.2, 0.3),
    ("read", 8, 12.2, 12.2, 0.6),
    ("read", 4096, 20.3, 20.3, 10.1),
    ("write", 4, 11.8, 11.8, 0.3),
    ("write", 8, 11.8, 11.8, 0.6),
    ("write", 4096, 31.2, 31.2, 9.1),
    ("get", 4, 4.0, 11.9, 1.0),
    ("get", 8, 4.0, 11.9, 2.0),
    ("get", 4096, 11.0, 20.4, 9.8),
    ("put", 4, 3.9, 11.9, 1.0),
    ("put", 8, 3.9, 11.9, 2.0),
    ("put", 4096, 22.8, 31.4, 9.8),
    ("store", 4, 2.2, 7.6, 1.0),
    ("store", 8, 2.2, 7.6, 1.0),
    ("store", 4096, 20.7, 24.2, 10.0),
];

/// Returns the tables of the parts that were measured.
pub fn sheets(results: &Results) -> impl Iterator<Item = Sheet> {
    PARTS.into_iter().map(|part| sheet(results, part))
}

fn sheet(results: &Results, (part, caption, is_drawn): (&str, &str, bool)) -> Sheet {
    let points = || results.points.iter().filter(move |point| point.part == part);
    let mut conduits: Vec<&str> = Vec::new();
    let mut first: Vec<(String, &Point)> = Vec::new();
    let mut cells: BTreeMap<(String, &str), f64> = BTreeMap::new();
    for point in points() {
        let label = label(point);
        if !conduits.contains(&point.conduit.as_str()) {
            conduits.push(&point.conduit);
        }
        if first.iter().all(|(known, _)| *known != label) {
            first.push((label.clone(), point));
        }
        if let Some(spread) = point.spread() {
            cells.insert((label, &point.conduit), spread.median);
        }
    }
    let has_papers = part == "primitives";
    let row = |(label, point): &(String, &Point)| {
        let cell =
            |conduit: &&str| cells.get(&(label.clone(), *conduit)).map(|&ns| number(ns)).unwrap_or_default();
        let cells = conduits.iter().map(cell).chain(has_papers.then(|| cm5(point)));
        [label.clone()].into_iter().chain(cells).collect()
    };
    Sheet {
        id: part.into(),
        title: format!("{part}: nanoseconds an operation, medians"),
        caption: caption.into(),
        head: [words(&conduits), words(if has_papers { &["CM-5, 1993"] } else { &[] })].concat(),
        rows: first.iter().map(row).collect(),
        papers: usize::from(has_papers),
        is_drawn,
        ..Sheet::default()
    }
}

/// Returns the value of a primitive of Split-C on the CM-5.
fn cm5(point: &Point) -> String {
    let is = |row: &&(&str, u64, f64, f64, f64)| {
        point.dialect == "split-c" && row.0 == point.series && point.at.get("bytes") == Some(&row.1)
    };
    match (CM5.iter().find(is), point.what.as_str()) {
        (Some((.., overhead, _, _)), "overhead") => format!("{overhead} µs"),
        (Some((.., latency, bandwidth)), "latency") => format!("{latency} µs, {bandwidth} MB/s"),
        _ => String::new(),
    }
}

fn label(point: &Point) -> String {
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
    fn a_row_has_a_column_for_each_conduit_and_the_papers_value() {
        let mut results = results();
        let mut other = results.points[0].clone();
        (other.conduit, other.ns) = ("tcp".into(), vec![12000.0]);
        results.points.push(other);
        for point in &mut results.points {
            (point.part, point.series, point.what) = ("primitives".into(), "get".into(), "latency".into());
        }
        let text: String = sheets(&results).map(|sheet| sheet.text()).collect();
        let row = text.lines().find(|line| line.contains("get 8 B latency")).unwrap();
        assert!(row.contains("2.00") && row.contains("12000") && row.ends_with("11.9 µs, 2 MB/s"), "{text}");
    }
}
