//! The section of a figure: its title, its explanation, a link by which the keyboard skips it, the drawing,
//! and the data of the drawing. Figures are of lines over an axis, or of ratios.

use bench::fit::beside::peers::Table;
use maud::{Markup, PreEscaped, html};

use crate::draw::{self, Figure, Unit};
use crate::ratios;

/// Shows a figure of lines, with the paper's statements about it.
pub fn of_lines(figure: &Figure, svg: &str) -> Markup {
    html! {
        section id=(figure.id) {
            h2 { (figure.title) }
            p { (figure.caption) " " span.source { "Redrawn: " (figure.source) "." } }
            p.legend aria-hidden="true" { (PreEscaped(draw::legend(figure))) }
            (skip(&figure.id))
            figure { (PreEscaped(svg)) }
            @if !figure.paper.is_empty() {
                div.paper { h3 { "In the paper" } ul { @for sentence in figure.paper { li { (sentence) } } } }
            }
            details id={ (figure.id) "-data" } { summary { "The data" } div.wide { (data(figure)) } }
        }
    }
}

/// Shows a table whose rows are each a `what`: its text, its figure of ratios, and the table itself.
pub fn of_ratios(id: &str, title: &str, text: &Markup, what: &str, table: &Table) -> Markup {
    html! {
        section id=(id) {
            h2 { (title) }
            p { (text) }
            (skip(id))
            figure { (PreEscaped(ratios::svg(title, table))) }
            details open id={ (id) "-data" } { summary { "The data" } div.wide { (beside(what, table)) } }
        }
    }
}

/// A link past a drawing for the keyboard: every value is a stop of the Tab key, and all figures together
/// have hundreds. The link leads to the data after the drawing, whose id is the figure's and `-data`.
fn skip(id: &str) -> Markup {
    html! { a.skip href={ "#" (id) "-data" } { "Skip this figure's values" } }
}

/// The data as a table: a row for each x, a column for each line.
fn data(figure: &Figure) -> Markup {
    let mut xs: Vec<f64> = figure.series.iter().flat_map(|s| s.points.iter().map(|p| p.0)).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let cell = |points: &[(f64, f64)], x: f64| {
        points.iter().find(|p| p.0 == x).map(|p| figure.y.unit.text(p.1)).unwrap_or_default()
    };
    html! {
        table {
            caption { (figure.title) ": " (figure.y.name) ", medians" }
            thead { tr { th scope="col" { (figure.x.name) } @for s in &figure.series { th scope="col" { (s.name) } } } }
            tbody {
                @for x in xs {
                    tr {
                        th scope="row" { (figure.x.unit.text(x)) }
                        @for s in &figure.series { td { (cell(&s.points, x)) } }
                    }
                }
            }
        }
    }
}

/// The table: a row for each `what`, a column for each system, and the geometric means below.
pub fn beside(what: &str, table: &Table) -> Markup {
    html! {
        table {
            thead { tr { th scope="col" { (what) } th scope="col" { "Meridian" }
                @for peer in &table.peers { th scope="col" { (peer) } } } }
            tbody {
                @for row in &table.rows { tr {
                    th scope="row" { (row.label) } td { (Unit::Time.text(row.ours)) }
                    @for ns in &row.peers {
                        td { @if let Some(ns) = ns { (Unit::Time.text(*ns)) " (" (bench::number(ns / row.ours)) ")" } }
                    }
                } }
                tr { th scope="row" { "geometric mean" } td { "1.00" }
                    @for mean in table.means() { td { "(" (bench::number(mean)) ")" } } }
            }
        }
    }
}
