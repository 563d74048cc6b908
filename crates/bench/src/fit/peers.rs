//! Meridian beside its peers: the times of the same operation, and how many times Meridian's they are.

use crate::results::Results;
use crate::statistics::geometric_mean;
use crate::table::{bytes, number};

/// What stands for Meridian among the results.
const OURS: &str = "upc";

/// An operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name and size.
    pub label: String,
    /// Meridian's time in nanoseconds.
    pub ours: f64,
    /// The time of each peer, in the order of `Table::peers`, where it was measured.
    pub peers: Vec<Option<f64>>,
}

/// All operations.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The peers that were measured.
    pub peers: Vec<String>,
    /// The operations, in the order in which they were measured.
    pub rows: Vec<Row>,
}

impl Table {
    /// By peer: the geometric mean of its times to Meridian's; not a number where no row has both.
    pub fn means(&self) -> Vec<f64> {
        let ratios = |peer: usize| self.rows.iter().filter_map(move |row| Some(row.peers[peer]? / row.ours));
        (0..self.peers.len()).map(|peer| geometric_mean(ratios(peer)).unwrap_or(f64::NAN)).collect()
    }
}

/// The table; `None` where Meridian or all peers were not measured.
pub fn of(results: &Results) -> Option<Table> {
    let points = || results.points.iter().filter(|point| point.part == "peers");
    let mut peers: Vec<String> = Vec::new();
    for point in points().filter(|point| point.dialect != OURS) {
        if !peers.contains(&point.dialect) {
            peers.push(point.dialect.clone());
        }
    }
    let row = |ours: &crate::results::Point| {
        let of = |peer: &String| {
            let mut same =
                points().filter(|p| p.dialect == *peer && p.series == ours.series && p.at == ours.at);
            Some(same.next()?.spread()?.median)
        };
        let label = format!("{} {}", ours.series, bytes(*ours.at.get("bytes")?));
        Some(Row { label, ours: ours.spread()?.median, peers: peers.iter().map(of).collect() })
    };
    let rows: Vec<Row> = points().filter(|point| point.dialect == OURS).filter_map(row).collect();
    (!rows.is_empty() && !peers.is_empty()).then_some(Table { peers, rows })
}

/// The table for the terminal; empty where there is none.
pub fn text(results: &Results) -> String {
    let Some(table) = of(results) else { return String::new() };
    let mut text = String::from(
        "\npeers on this host, two processes: ns, and in brackets how many times Meridian's time\n\n",
    );
    text += &format!("  {:22} {:>9}", "", "Meridian");
    table.peers.iter().for_each(|peer| text += &format!(" {peer:>18}"));
    for row in &table.rows {
        text += &format!("\n  {:22} {:>9}", row.label, number(row.ours));
        for ns in &row.peers {
            let cell = ns.map(|ns| format!("{} ({})", number(ns), number(ns / row.ours)));
            text += &format!(" {:>18}", cell.unwrap_or_default());
        }
    }
    text += &format!("\n  {:22} {:>9}", "geometric mean", "1.00");
    table.means().iter().for_each(|mean| text += &format!(" {:>18}", format!("({})", number(*mean))));
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
    fn without_peers_there_is_no_table() {
        assert_eq!(of(&measured(&[("upc", "get", 2.0)])), None);
        assert_eq!(text(&measured(&[("mpich", "get", 2.0)])), "");
    }
}
