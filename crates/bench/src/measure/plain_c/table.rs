//! The kernels as a table for people: a function of the samples alone.

use super::measure::Results;
use super::plan::{ROWS, Row};
use super::sample::Samples;
use crate::numbers::number;
use crate::statistics::Spread;

/// The measurement of one row with one variant.
struct Cell {
    ours: Spread,
    reference: Option<Spread>,
    ratio: Option<Spread>,
}

impl Cell {
    /// Returns the cell, or `None` if the kernel was not measured, as when only some programs were chosen.
    fn of(row: &Row, samples: &Samples) -> Option<Cell> {
        let ours = samples.get(row.ours)?;
        let reference = row.reference.and_then(|name| samples.get(name));
        Some(Cell {
            ours: Spread::of(ours)?,
            reference: reference.and_then(|samples| Spread::of(samples)),
            ratio: reference.and_then(|samples| Spread::of_ratios(ours, samples)),
        })
    }
}

/// Returns the rows measured with one optimisation level, as a table with its legend.
pub fn table(results: &Results, optimise: &'static str) -> String {
    let mut text = format!("\n{optimise}: nanoseconds an operation, median [quartiles]\n\n");
    text += &format!(
        "{:<36} {:>25} {:>25} {:>9} {:>7} {:>7} {:>6} {:>6} {:>15}\n",
        "", "static THREADS", "dynamic THREADS", "reference", "ratio", "ratio", "dyn/", "goal", "other UPC"
    );
    text += &format!(
        "{:<36} {:>25} {:>25} {:>9} {:>7} {:>7} {:>6} {:>6} {:>15}\n",
        "", "", "", "", "static", "dynamic", "static", "", "systems: st/dyn"
    );
    let mut group = "";
    for row in ROWS {
        let cell = |threads| {
            let key = (row.program, optimise, threads);
            results.get(&key).and_then(|samples| Cell::of(row, samples))
        };
        let (fixed, dynamic) = (cell("static"), cell("dynamic"));
        if fixed.is_none() && dynamic.is_none() {
            continue;
        }
        if group != row.group {
            group = row.group;
            text += &format!("\n{group}\n");
        }
        text += &line(row, fixed.as_ref(), dynamic.as_ref());
    }
    text
}

fn line(row: &Row, fixed: Option<&Cell>, dynamic: Option<&Cell>) -> String {
    let reference = fixed.or(dynamic).and_then(|cell| cell.reference);
    let ratio = |cell: Option<&Cell>| cell.and_then(|c| c.ratio).map(|r| format!("{:.2}", r.median));
    let slower = fixed.zip(dynamic).map(|(f, d)| format!("{:.2}", d.ours.median / f.ours.median));
    let over = row.goal.is_some_and(|goal| {
        [fixed, dynamic].iter().flatten().filter_map(|c| c.ratio).any(|ratio| ratio.median > goal)
    });
    format!(
        "  {:<34} {:>25} {:>25} {:>9} {:>7} {:>7} {:>6} {:>6} {:>15}{}\n",
        row.label,
        fixed.map(|c| spread(c.ours)).unwrap_or_default(),
        dynamic.map(|c| spread(c.ours)).unwrap_or_default(),
        reference.map(|r| number(r.median)).unwrap_or_default(),
        ratio(fixed).unwrap_or_default(),
        ratio(dynamic).unwrap_or_default(),
        slower.unwrap_or_default(),
        row.goal.map(|goal| format!("{goal:.2}")).unwrap_or_default(),
        row.peers.map(|p| format!("{} / {}", number(p.fixed), number(p.dynamic))).unwrap_or_default(),
        if over { "  over" } else { "" },
    )
}

/// Returns the times of compiling and starting, in milliseconds.
pub fn commands(samples: &Samples) -> String {
    let ms = |name: &str| {
        samples.get(name).and_then(|s| Spread::of(s)).map_or(String::from("-"), |s| {
            format!("{:.1} [{:.1} .. {:.1}] ms", s.median / 1e6, s.lower / 1e6, s.upper / 1e6)
        })
    };
    format!(
        "\nhello, wall time of the command, median [quartiles]\n\n  {:<34} {}\n  {:<34} {}\n  {:<34} {}\n  {:<34} {}\n",
        "compile: cc alone",
        ms("compile_cc"),
        "compile: meridian cc",
        ms("compile_ours"),
        "start and end: C program",
        ms("start_plain"),
        "start and end: 4 threads",
        ms("start_4"),
    )
}

fn spread(s: Spread) -> String {
    format!("{} [{} .. {}]", number(s.median), number(s.lower), number(s.upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(ours: &[f64], reference: &[f64]) -> Results {
        let samples = Samples::from([
            ("our_dgemm".to_string(), ours.to_vec()),
            ("gcc_dgemm".to_string(), reference.to_vec()),
        ]);
        Results::from([(("private", "-O3", "static"), samples)])
    }

    #[test]
    fn a_row_over_its_goal_says_so() {
        let text = table(&results(&[2.0, 2.0], &[1.0, 1.0]), "-O3");
        let line = text.lines().find(|line| line.contains("dgemm")).unwrap();
        assert!(line.contains("2.00 [2.00 .. 2.00]") && line.ends_with("over"), "{line}");
        let text = table(&results(&[1.0], &[1.0]), "-O3");
        assert!(!text.contains("over"), "{text}");
    }

    #[test]
    fn a_level_that_was_not_measured_has_no_rows() {
        assert!(!table(&results(&[1.0], &[1.0]), "-O2").contains("dgemm"));
    }
}
