//! Meridian compared with its peers: the times of the same operation, or of the same program, and their
//! ratios to Meridian's.

use crate::measure::system::{AC, UPC};
use crate::measure::table::applications;
use crate::numbers::{bytes, number};
use crate::options::Part;
use crate::results::{Point, Results};
use crate::statistics::geometric_mean;

/// Whether a point is Meridian's.
fn is_ours(point: &Point) -> bool {
    [UPC.name, AC.name].contains(&point.dialect.as_str())
}

/// An operation, or a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The operation's name and size.
    pub label: String,
    /// Meridian's time in nanoseconds.
    pub ours: f64,
    /// The time of each peer, in the order of `Table::peers`, if it was measured.
    pub peers: Vec<Option<f64>>,
}

/// A table of operations or programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The peers that were measured.
    pub peers: Vec<String>,
    /// The rows, in the order in which they were measured.
    pub rows: Vec<Row>,
}

impl Table {
    /// Returns by peer the geometric mean of its times relative to Meridian's; not a number if no row has
    /// both.
    pub fn means(&self) -> Vec<f64> {
        let ratios = |peer: usize| self.rows.iter().filter_map(move |row| Some(row.peers[peer]? / row.ours));
        (0..self.peers.len()).map(|peer| geometric_mean(ratios(peer)).unwrap_or(f64::NAN)).collect()
    }
}

/// Returns the table of operations, or `None` if Meridian or all peers were not measured.
pub fn of(results: &Results) -> Option<Table> {
    let points = results.points.iter().filter(|point| point.part == Part::Peers.name());
    table(&points.collect::<Vec<_>>(), |ours| {
        Some(format!("{} {}", ours.series, bytes(*ours.at.get("bytes")?)))
    })
}

/// Returns the table of whole programs and the same in OpenMP and MPI, on this host (`smp`) or between two
/// hosts over a conduit. Returns `None` if Meridian or all others were not measured.
pub fn programs(results: &Results, conduit: &str) -> Option<Table> {
    let there = |point: &&Point| {
        point.conduit == conduit && applications::PARTS.iter().any(|part| part.name() == point.part)
    };
    let points: Vec<&Point> = results.points.iter().filter(there).collect();
    table(&points, |ours| Some(format!("{}, {}", ours.series, ours.what)))
}

/// The conduits for which `programs` has a table, with their descriptions.
pub const PLACES: [(&str, &str); 3] = [
    ("smp", "on this host, two threads or processes"),
    ("tcp", "on two hosts, over TCP, one thread or process on each"),
    ("ofi", "on two hosts, over libfabric (MPI: over TCP), one thread or process on each"),
];

/// Makes the table of points, each of which has the same key as its counterparts except for the dialect.
fn table(points: &[&Point], label: impl Fn(&Point) -> Option<String>) -> Option<Table> {
    let mut peers: Vec<String> = Vec::new();
    for point in points.iter().filter(|point| !is_ours(point) && !point.ns.is_empty()) {
        if !peers.contains(&point.dialect) {
            peers.push(point.dialect.clone());
        }
    }
    let row = |ours: &&Point| {
        let of = |peer: &String| {
            let same = |p: &&&Point| p.dialect == *peer && ours.same_but_for_the_dialect(p);
            Some(points.iter().find(same)?.spread()?.median)
        };
        Some(Row { label: label(ours)?, ours: ours.spread()?.median, peers: peers.iter().map(of).collect() })
    };
    let rows: Vec<Row> = points.iter().filter(|point| is_ours(point)).filter_map(row).collect();
    (!rows.is_empty() && !peers.is_empty()).then_some(Table { peers, rows })
}

/// Returns the tables for the terminal; empty if there are none.
pub fn text(results: &Results) -> String {
    let operations = "peers on this host, two processes: ns, and in brackets how many times Meridian's time";
    let mut text = table_text(of(results), operations, 1.0);
    for (conduit, place) in PLACES {
        let title = format!("whole programs {place}: ms, and in brackets how many times Meridian's time");
        text += &table_text(programs(results, conduit), &title, 1e6);
    }
    text
}

/// Returns a table for the terminal under its title, in units of `unit` nanoseconds; empty without a table.
pub fn table_text(table: Option<Table>, title: &str, unit: f64) -> String {
    let Some(table) = table else { return String::new() };
    let width = table.rows.iter().map(|row| row.label.len()).max().unwrap_or(0).max(22);
    let columns: Vec<usize> = table.peers.iter().map(|peer| peer.len().max(18)).collect();
    let mut text = format!("\n{title}\n\n  {:width$} {:>9}", "", "Meridian");
    table.peers.iter().for_each(|peer| text += &format!(" {peer:>18}"));
    for row in &table.rows {
        text += &format!("\n  {:width$} {:>9}", row.label, number(row.ours / unit));
        for (ns, column) in row.peers.iter().zip(&columns) {
            let cell = ns.map(|ns| format!("{} ({})", number(ns / unit), number(ns / row.ours)));
            text += &format!(" {:>column$}", cell.unwrap_or_default());
        }
    }
    text += &format!("\n  {:width$} {:>9}", "geometric mean", "1.00");
    for (mean, column) in table.means().iter().zip(&columns) {
        text += &format!(" {:>column$}", format!("({})", number(*mean)));
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::results::tests::results;

    fn measured(times: &[(&str, &str, f64)]) -> Results {
        let mut results = results();
        let model = results.points.remove(0);
        for (dialect, series, ns) in times {
            let mut point = model.clone();
            (point.part, point.dialect, point.series) = ("peers".into(), (*dialect).into(), (*series).into());
            (point.at, point.ns) = (BTreeMap::from([("bytes".into(), 8)]), vec![*ns]);
            results.points.push(point);
        }
        results
    }

    #[test]
    fn ratios_are_to_our_time() {
        let results = measured(&[
            ("upc", "get", 2.0),
            ("upc", "put", 4.0),
            ("mpich", "get", 8.0),
            ("mpich", "put", 4.0),
            ("coarrays", "get", 1.0),
        ]);
        let table = of(&results).unwrap();
        assert_eq!(table.peers, ["mpich", "coarrays"]);
        assert_eq!(table.rows[1].peers, [Some(4.0), None]);
        let means = table.means();
        assert!((means[0] - 2.0).abs() < 1e-9 && (means[1] - 0.5).abs() < 1e-9, "{means:?}");
        assert!(text(&results).contains("8.00 (4.00)"), "{}", text(&results));
    }

    #[test]
    fn programs_have_a_table_of_their_own_without_what_was_dropped() {
        let mut results = measured(&[("upc", "EP", 2e6), ("openmp", "EP", 3e6), ("mpich", "EP", 1e6)]);
        for point in &mut results.points {
            (point.part, point.what, point.conduit) = ("nas".into(), "class S".into(), "smp".into());
        }
        results.points[2].ns.clear();
        let table = programs(&results, "smp").unwrap();
        assert_eq!(table.peers, ["openmp"]);
        assert_eq!(table.rows[0].label, "EP, class S");
        assert_eq!(of(&results), None);
        let text = text(&results);
        assert!(text.contains("3.00 (1.50)") && !text.contains("peers on this host"), "{text}");
        results.points[0].what = "class W".into();
        assert_eq!(
            programs(&results, "smp").unwrap().rows[0].peers,
            [None],
            "another class is no counterpart"
        );
    }

    #[test]
    fn without_peers_there_is_no_table() {
        assert_eq!(of(&measured(&[("upc", "get", 2.0)])), None);
        assert_eq!(text(&measured(&[("mpich", "get", 2.0)])), "");
    }
}
