//! Ratios as a figure: a row for each operation or program, and in it a mark for each other system, at the
//! ratio of its time to Meridian's. The axis is logarithmic, and 1 has a distinct line.

use std::fmt::Write;

use bench::number;
use bench::sheet::Ratios;

use crate::draw::{LOOKS, escaped, mark};

const WIDTH: i32 = 760;
/// The widths of the rows' names at the left, and of the marks' names at the right.
const LEFT: i32 = 180;
const RIGHT: i32 = 130;
const ROW: i32 = 26;
const TOP: i32 = 14;

/// Returns the drawing, which is empty if there is no ratio.
pub fn svg(title: &str, table: &Ratios) -> String {
    let ratios = |row: usize| {
        let row = &table.rows[row];
        row.peers.iter().enumerate().filter_map(|(peer, ns)| Some((peer, (*ns)? / row.ours)))
    };
    let all: Vec<f64> = (0..table.rows.len()).flat_map(|row| ratios(row).map(|(_, ratio)| ratio)).collect();
    if all.is_empty() {
        return String::new();
    }
    let axis = Axis::over(&all);
    let bottom = TOP + ROW * table.rows.len() as i32;
    let mut text = format!(
        "<svg viewBox=\"0 0 {WIDTH} {}\" role=\"group\" aria-label=\"{}\" xmlns=\"http://www.w3.org/2000/svg\">",
        bottom + 44,
        escaped(title)
    );
    text += &grid(&axis, bottom);
    for (i, row) in table.rows.iter().enumerate() {
        let y = TOP + ROW * i as i32 + ROW / 2;
        let (x, label) = (LEFT - 8, escaped(&row.label));
        let _ = write!(
            text,
            "<g><text class=\"row\" x=\"{x}\" y=\"{}\" text-anchor=\"end\">{label}</text></g>",
            y + 4
        );
        for (peer, ratio) in ratios(i) {
            text += &point(
                peer,
                &format!("{}, {}: {}", table.peers[peer], row.label, number(ratio)),
                axis.at(ratio),
                y,
            );
        }
    }
    for (peer, name) in table.peers.iter().enumerate() {
        let (x, y) = (WIDTH - RIGHT + 16, TOP + 12 + 19 * peer as i32);
        let _ = write!(
            text,
            "<g class=\"n{}\">{}<text x=\"{}\" y=\"{}\">{}</text></g>",
            peer % LOOKS,
            mark(peer, x, y),
            x + 12,
            y + 4,
            escaped(name)
        );
    }
    text + "</svg>"
}

/// The axis of ratios, from 2 to the power of `low` to 2 to the power of `high`.
struct Axis {
    low: i32,
    high: i32,
}

impl Axis {
    fn over(ratios: &[f64]) -> Axis {
        let log = |least: bool| {
            let pick = |a: f64, b: f64| if least { a.min(b) } else { a.max(b) };
            ratios.iter().fold(1.0, |a, b| pick(a, *b)).log2()
        };
        Axis { low: (log(true).floor() as i32).min(-1), high: (log(false).ceil() as i32).max(1) }
    }

    fn at(&self, ratio: f64) -> i32 {
        let part = (ratio.log2() - f64::from(self.low)) / f64::from(self.high - self.low);
        LEFT + (part * f64::from(WIDTH - RIGHT - LEFT)).round() as i32
    }
}

fn grid(axis: &Axis, bottom: i32) -> String {
    let mut text = String::new();
    let step = ((axis.high - axis.low) / 8).max(1);
    for power in (axis.low..=axis.high).filter(|power| power % step == 0) {
        let (x, ratio) = (axis.at(2f64.powi(power)), 2f64.powi(power));
        let (class, width) = if power == 0 { ("one", 2) } else { ("l99", 1) };
        let label = if ratio < 1.0 { format!("1/{}", 1.0 / ratio) } else { format!("{ratio}") };
        let _ = write!(
            text,
            "<polyline class=\"{class}\" stroke-width=\"{width}\" points=\"{x},{TOP} {x},{bottom}\"/>\
             <text class=\"level\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            bottom + 16
        );
    }
    let middle = (LEFT + WIDTH - RIGHT) / 2;
    let _ = write!(
        text,
        "<text class=\"level\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">times Meridian's time; left of 1 it is \
         faster than Meridian</text>",
        bottom + 34
    );
    text
}

/// A mark, with its label under the pointer and at the focus.
fn point(peer: usize, label: &str, x: i32, y: i32) -> String {
    let label = escaped(label);
    let (at, anchor) = if x > (LEFT + WIDTH - RIGHT) / 2 { (x - 10, "end") } else { (x + 10, "start") };
    format!(
        "<g class=\"p n{}\" tabindex=\"0\" role=\"img\" aria-label=\"{label}\">{}\
         <text x=\"{at}\" y=\"{}\" text-anchor=\"{anchor}\">{label}</text></g>",
        peer % LOOKS,
        mark(peer, x, y),
        y + 4
    )
}

#[cfg(test)]
mod tests {
    use bench::sheet::Row;

    use super::*;

    fn table(peers: Vec<Option<f64>>) -> Ratios {
        Ratios {
            peers: vec!["open<mp".into(), "mpich".into()],
            rows: vec![Row { label: "EP, class S".into(), ours: 2.0, peers }],
        }
    }

    #[test]
    fn a_ratio_of_one_is_on_the_line() {
        let svg = svg("t", &table(vec![Some(2.0), Some(8.0)]));
        let x = Axis { low: -1, high: 2 }.at(1.0);
        assert!(svg.contains(&format!("class=\"one\" stroke-width=\"2\" points=\"{x},")), "{svg}");
        assert!(svg.contains(&format!("<circle cx=\"{x}\"")), "{svg}");
        assert!(
            svg.contains("aria-label=\"mpich, EP, class S: 4.00\"") && svg.contains("open&lt;mp"),
            "{svg}"
        );
        assert_eq!(svg.matches("tabindex").count(), 2);
    }

    #[test]
    fn what_was_not_measured_has_no_mark() {
        assert_eq!(svg("t", &table(vec![None, Some(1.0)])).matches("tabindex").count(), 1);
        assert_eq!(svg("t", &table(vec![None, None])), "");
    }
}
