//! A table of results, which the terminal and the report show alike.

use crate::numbers::{number, time};
use crate::statistics::geometric_mean;

/// A table of results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Target of links.
    pub id: String,
    /// The subject.
    pub title: String,
    /// How to read it, on the page.
    pub caption: String,
    /// The names of the columns behind the first one, which names the rows.
    pub head: Vec<String>,
    /// The rows: a name, and a cell for each column, of which the last may be missing. A name alone is that
    /// of the rows below it.
    pub rows: Vec<Vec<String>>,
    /// The number of columns, the last ones, that hold a paper's values.
    pub papers: usize,
    /// Sentences below the rows.
    pub notes: Vec<String>,
    /// Whether the page draws the same values as a figure of lines, and needs no table.
    pub is_drawn: bool,
    /// The times of other systems, which the page draws relative to Meridian's.
    pub ratios: Option<Ratios>,
}

/// The times of Meridian and of other systems.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratios {
    /// The systems.
    pub peers: Vec<String>,
    /// The rows, in the order in which they were measured.
    pub rows: Vec<Row>,
}

/// An operation, or a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name, and the size.
    pub label: String,
    /// Meridian's time in nanoseconds.
    pub ours: f64,
    /// The time of each system, in the order of `Ratios::peers`, if it was measured.
    pub peers: Vec<Option<f64>>,
}

impl Row {
    /// Returns the measured systems, each with its time relative to Meridian's.
    pub fn ratios(&self) -> impl Iterator<Item = (usize, f64)> {
        self.peers.iter().enumerate().filter_map(|(peer, ns)| Some((peer, (*ns)? / self.ours)))
    }
}

impl Ratios {
    /// Returns by system the geometric mean of its times relative to Meridian's; not a number if no row has
    /// both.
    pub fn means(&self) -> Vec<f64> {
        let ratios = |peer: usize| self.rows.iter().filter_map(move |row| Some(row.peers[peer]? / row.ours));
        (0..self.peers.len()).map(|peer| geometric_mean(ratios(peer)).unwrap_or(f64::NAN)).collect()
    }
}

/// Returns strings, as for the names of columns.
pub fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

impl Sheet {
    /// Returns the table of other systems' times, with how many times Meridian's they are.
    pub fn of_ratios(id: String, title: String, caption: &str, ratios: Ratios) -> Sheet {
        let head = [String::from("Meridian")].into_iter().chain(ratios.peers.iter().cloned()).collect();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for Row { label, ours, peers } in &ratios.rows {
            let cell = |ns: &Option<f64>| {
                ns.map(|ns| format!("{} ({})", time(ns), number(ns / ours))).unwrap_or_default()
            };
            rows.push([label.clone(), time(*ours)].into_iter().chain(peers.iter().map(cell)).collect());
        }
        let means = ratios.means().into_iter().map(|mean| format!("({})", number(mean)));
        rows.push(words(&["geometric mean", "1.00"]).into_iter().chain(means).collect());
        let caption = format!("{caption} In brackets: how many times Meridian's time it is.");
        Sheet { id, title, caption, head, rows, ratios: Some(ratios), ..Sheet::default() }
    }

    /// Returns the table for the terminal; empty without rows.
    pub fn text(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let head: Vec<String> = [String::new()].into_iter().chain(self.head.iter().cloned()).collect();
        let lines = || [&head].into_iter().chain(&self.rows);
        let width = |column: usize| {
            let cells = lines().filter(|cells| cells.len() > 1).filter_map(|cells| cells.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let mut text = format!("\n{}\n\n", self.title);
        for cells in lines().filter(|cells| cells.iter().any(|cell| !cell.is_empty())) {
            let mut line = String::from(if cells.len() == 1 { "\n" } else { "" });
            for (column, cell) in cells.iter().enumerate() {
                let width = width(column);
                line += &if column == 0 { format!("  {cell:width$}") } else { format!("  {cell:>width$}") };
            }
            text += line.trim_end();
            text.push('\n');
        }
        self.notes.iter().for_each(|note| text += &format!("  {note}\n"));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows =
            vec![words(&["a", "1", "22"]), words(&["the rows below it"]), words(&["long name", "333"])];
        let head = words(&["x", "y"]);
        let sheet = Sheet { title: "T".into(), head, rows, notes: vec!["note".into()], ..Sheet::default() };
        let text = sheet.text();
        assert_eq!(
            text,
            "\nT\n\n               x   y\n  a            1  22\n\n  the rows below it\n  long name  333\n  note\n"
        );
        assert_eq!(Sheet { rows: vec![], ..sheet }.text(), "");
    }

    #[test]
    fn ratios_are_to_our_time() {
        let row = |label: &str, ours, peers: [Option<f64>; 2]| Row {
            label: label.into(),
            ours,
            peers: peers.into(),
        };
        let rows = vec![row("get", 2.0, [Some(8.0), Some(1.0)]), row("put", 4.0, [Some(4.0), None])];
        let ratios = Ratios { peers: words(&["mpich", "coarrays"]), rows };
        let means = ratios.means();
        assert!((means[0] - 2.0).abs() < 1e-9 && (means[1] - 0.5).abs() < 1e-9, "{means:?}");
        let text = Sheet::of_ratios("i".into(), "T".into(), "", ratios).text();
        assert!(text.contains("8 ns (4.00)") && text.contains("(0.50)"), "{text}");
    }
}
