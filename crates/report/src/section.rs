//! The section of a figure: its title, its explanation, a link by which the keyboard skips it, the drawing,
//! and the data of the drawing. Figures are of lines over an axis, or of ratios; other tables have none.

use bench::sheet::Sheet;
use maud::{Markup, html};

use crate::draw::{self, Figure};
use crate::ratios;

/// Shows a figure of lines, with the paper's statements about it.
pub fn of_lines(figure: &Figure, svg: &Markup) -> Markup {
    html! {
        section id=(figure.id) {
            h2 { (figure.title) }
            p { (figure.caption) " " span.source { "Redrawn: " (figure.source) "." } }
            p.legend aria-hidden="true" { (draw::legend(figure)) }
            (skip(&figure.id))
            figure { (svg) }
            @if !figure.paper.is_empty() {
                div.paper { h3 { "In the paper" } ul { @for sentence in figure.paper { li { (sentence) } } } }
            }
            details id={ (figure.id) "-data" } { summary { "The data" } div.wide { (data(figure)) } }
        }
    }
}

/// Shows a table: its text, its figure if it has ratios, and its rows.
pub fn of_sheet(sheet: &Sheet) -> Markup {
    let Sheet { id, title, caption, notes, ratios, .. } = sheet;
    let below = html! { div.wide { (rows(sheet)) } @for note in notes { p { (note) } } };
    html! {
        @if let Some(ratios) = ratios {
            section id=(id) {
                h2 { (title) }
                p { (caption) }
                (skip(id))
                figure { (ratios::svg(title, ratios)) }
                details open id={ (id) "-data" } { summary { "The data" } (below) }
            }
        } @else {
            h2 id=(id) { (title) }
            @if !caption.is_empty() { p { (caption) } }
            (below)
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
        points.iter().find(|p| p.0 == x).map(|p| figure.y.1.text(p.1)).unwrap_or_default()
    };
    html! {
        table {
            caption { (figure.title) ": " (figure.y.0) ", medians" }
            thead { tr { th scope="col" { (figure.x.0) } @for s in &figure.series { th scope="col" { (s.name) } } } }
            tbody {
                @for x in xs {
                    tr {
                        th scope="row" { (figure.x.1.text(x)) }
                        @for s in &figure.series { td { (cell(&s.points, x)) } }
                    }
                }
            }
        }
    }
}

/// The rows of a table; a name alone heads the rows below it.
fn rows(sheet: &Sheet) -> Markup {
    let papers = |column: usize| column + sheet.papers > sheet.head.len();
    html! {
        table {
            thead { tr { th {} @for name in &sheet.head { th scope="col" { (name) } } } }
            tbody { @for cells in &sheet.rows { tr {
                @for (column, cell) in cells.iter().enumerate() {
                    @if column == 0 { th scope="row" { (cell.trim()) } }
                    @else if papers(column) { td.paper-value { (cell) } }
                    @else { td { (cell) } }
                }
            } } }
        }
    }
}
