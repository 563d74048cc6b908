//! Ratios as a figure: a row for each operation or program, and in it a mark for each other system, at the
//! ratio of its time to Meridian's. The axis is logarithmic, and 1 has a distinct line.

use bench::number;
use bench::sheet::Ratios;
use maud::{Markup, html};

use crate::draw::{RIGHT, Scale, drawing, labelled, line, look, mark, text};

/// The width of the rows' names.
const LEFT: i32 = 180;
const ROW: i32 = 26;
const TOP: i32 = 14;

/// Returns the drawing, which is empty if there is no ratio.
pub fn svg(title: &str, table: &Ratios) -> Markup {
    let Ratios { peers, rows } = table;
    let all: Vec<f64> = rows.iter().flat_map(|row| row.ratios().map(|(_, ratio)| ratio)).collect();
    if all.is_empty() {
        return html! {};
    }
    let scale = scale(&all);
    let bottom = TOP + ROW * rows.len() as i32;
    let note = "times Meridian's time; left of 1 it is faster than Meridian";
    let grid = scale.powers(2.0).map(|ratio| {
        let x = scale.at(ratio);
        let (class, width) = if ratio == 1.0 { ("one", 2) } else { ("l99", 1) };
        let label = if ratio < 1.0 { format!("1/{}", 1.0 / ratio) } else { format!("{ratio}") };
        let line = line(class, width, &[(x, TOP), (x, bottom)]);
        html! { (line) (text("level", (x, bottom + 16), "middle", &label)) }
    });
    let content = html! {
        @for mark in grid { (mark) }
        (text("level", ((LEFT + RIGHT) / 2, bottom + 34), "middle", note))
        @for (i, row) in rows.iter().enumerate() {
            @let y = TOP + ROW * i as i32 + ROW / 2;
            g { (text("row", (LEFT - 8, y + 4), "end", &row.label)) }
            @for (peer, ratio) in row.ratios() {
                @let label = format!("{}, {}: {}", peers[peer], row.label, number(ratio));
                (labelled(peer, (scale.at(ratio), y), &label))
            }
        }
        @for (peer, name) in peers.iter().enumerate() {
            @let y = TOP + 12 + 19 * peer as i32;
            g class=(look("n", peer)) {
                (mark(peer, (RIGHT + 16, y))) (text("", (RIGHT + 28, y + 4), "start", name))
            }
        }
    };
    drawing(title, bottom + 44, content)
}

/// Returns the scale from a power of 2 to another: those around the ratios, and around 1.
fn scale(ratios: &[f64]) -> Scale {
    let least = ratios.iter().fold(0.5, |a: f64, b| a.min(*b)).log2().floor();
    let most = ratios.iter().fold(2.0, |a: f64, b| a.max(*b)).log2().ceil();
    Scale((least.exp2(), most.exp2()), (LEFT, RIGHT))
}

#[cfg(test)]
mod tests {
    use bench::sheet::Row;

    use super::*;

    fn drawn(peers: Vec<Option<f64>>) -> String {
        let peers_of = vec!["open<mp".into(), "mpich".into()];
        let rows = vec![Row { label: "EP, class S".into(), ours: 2.0, peers }];
        svg("t", &Ratios { peers: peers_of, rows }).into_string()
    }

    #[test]
    fn a_ratio_of_one_is_on_the_line() {
        let svg = drawn(vec![Some(2.0), Some(8.0)]);
        let x = scale(&[1.0, 4.0]).at(1.0);
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
        assert_eq!(drawn(vec![None, Some(1.0)]).matches("tabindex").count(), 1);
        assert_eq!(drawn(vec![None, None]), "");
    }
}
