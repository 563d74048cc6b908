//! A figure as SVG: axes, grid and lines by plotters, the points by hand.
//!
//! plotters writes colours into the drawing, but a page that can be light or dark has them in its style
//! sheet. So every colour given to plotters stands for a class, which replaces it afterwards. The points are
//! separate elements, because the pointer and the keyboard have to find them: each has a label that is shown
//! while the point is hovered over or has the focus. Shapes, dashes and names in the legend identify the
//! lines, so that nothing depends on colour.

use std::fmt::Write;

use anyhow::{Result, anyhow, ensure};
use bench::short;
use plotters::prelude::*;

/// The unit of an axis, and the format of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 64 KB
    Bytes,
    /// 480
    Count,
    /// 40 %
    Percent,
    /// 1.5 µs, from nanoseconds
    Time,
    /// GB/s, from bytes a nanosecond
    Rate,
    /// 3.5 times
    Times,
}

impl Unit {
    /// A value with its unit.
    pub fn text(self, x: f64) -> String {
        match self {
            Unit::Bytes => bench::bytes(x.round() as u64),
            Unit::Times => format!("{} times", short(x)),
            Unit::Percent => format!("{} %", short(x)),
            Unit::Count => format!("{}", x.round() as u64),
            Unit::Time => bench::time(x),
            Unit::Rate if x < 1.0 => format!("{} MB/s", short(x * 1e3)),
            Unit::Rate => format!("{} GB/s", short(x)),
        }
    }
}

/// An axis; both are logarithmic.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The shown quantity.
    pub name: &'static str,
    /// The unit of its numbers.
    pub unit: Unit,
}

/// A line of a figure.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend and the table.
    pub name: String,
    /// The points, ascending in x; x and y above 0.
    pub points: Vec<(f64, f64)>,
}

/// A figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The identifier for links.
    pub id: String,
    /// The title.
    pub title: String,
    /// The figure, and its paper, that this one redraws.
    pub source: &'static str,
    /// The explanation.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// The paper's values, as horizontal lines: label and value.
    pub levels: Vec<(&'static str, f64)>,
    /// Further statements of the paper.
    pub paper: &'static [&'static str],
}

const WIDTH: u32 = 760;
const HEIGHT: u32 = 420;
/// The width to the right of the lines, for their names.
const NAMES: i32 = 130;
/// The length of the piece of a line in a legend.
const SAMPLE: i32 = 28;
/// The number of distinct looks of lines; the style sheet numbers them in the same way.
pub const LOOKS: usize = 8;

/// Returns the drawing.
///
/// # Errors
/// If there is nothing to draw.
pub fn svg(figure: &Figure) -> Result<String> {
    ensure!(figure.series.iter().any(|series| !series.points.is_empty()), "{} has no points", figure.title);
    let mut text = String::new();
    let places = plot(figure, &mut text).map_err(|error| anyhow!("cannot draw {}: {error}", figure.title))?;
    let text = with_classes(&text);
    let end = text.rfind("</svg>").ok_or_else(|| anyhow!("plotters wrote no SVG"))?;
    let start = text.find('>').ok_or_else(|| anyhow!("plotters wrote no SVG"))? + 1;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"group\" aria-label=\"{}\" xmlns=\"http://www.w3.org/2000/svg\">",
        escaped(&figure.title)
    );
    svg += &text[start..end];
    svg += &names(figure, &places);
    svg += &points(figure, &places);
    svg += "</svg>";
    Ok(svg)
}

/// Returns the drawing as a separate file, with the style that it has in the page.
///
/// # Errors
/// If there is nothing to draw.
pub fn document(figure: &Figure) -> Result<String> {
    let svg = svg(figure)?;
    let begin = svg.find('>').ok_or_else(|| anyhow!("plotters wrote no SVG"))? + 1;
    let style = include_str!("style.css");
    let (head, rest) = svg.split_at(begin);
    Ok(format!("{head}<style>{style} svg {{ background: var(--paper); color: var(--ink); }}</style>{rest}\n"))
}

/// The positions of the points of each series, and then of the reference levels' left ends.
type Places = Vec<Vec<(i32, i32)>>;

fn plot(figure: &Figure, text: &mut String) -> Result<Places, Box<dyn std::error::Error>> {
    let (x, y) = bounds(figure);
    let mut places = Places::new();
    {
        let root = SVGBackend::with_string(text, (WIDTH, HEIGHT)).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(8)
            .margin_right(NAMES)
            .x_label_area_size(44)
            .y_label_area_size(72)
            .build_cartesian_2d((x.0..x.1).log_scale().base(2.0), (y.0..y.1).log_scale().base(base(y)))?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc(figure.x.name)
            .y_desc(figure.y.name)
            .x_labels(8)
            .y_labels(7)
            .label_style(("sans-serif", 13))
            .x_label_formatter(&|x| figure.x.unit.text(*x))
            .y_label_formatter(&|y| figure.y.unit.text(*y))
            .draw()?;
        for (i, series) in figure.series.iter().enumerate() {
            let colour = RGBColor(1, 0, (i % LOOKS) as u8);
            chart.draw_series(LineSeries::new(series.points.iter().copied(), colour.stroke_width(2)))?;
            places.push(series.points.iter().map(|p| chart.plotting_area().map_coordinate(p)).collect());
        }
        for (_, value) in &figure.levels {
            let ends = [(x.0, *value), (x.1, *value)];
            chart.draw_series(LineSeries::new(ends, RGBColor(1, 0, 99)))?;
            places.push(vec![chart.plotting_area().map_coordinate(&ends[0])]);
        }
        root.present()?;
    }
    Ok(places)
}

/// The ranges of both axes: the values, and a little more.
fn bounds(figure: &Figure) -> ((f64, f64), (f64, f64)) {
    let points = || figure.series.iter().flat_map(|series| series.points.iter());
    let levels = figure.levels.iter().map(|(_, value)| *value);
    let range = |values: Vec<f64>, more: f64| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        (least / more, most * more)
    };
    (range(points().map(|p| p.0).collect(), 1.05), range(points().map(|p| p.1).chain(levels).collect(), 1.4))
}

/// The base of the labels: 2 if powers of 10 would give too few.
fn base((least, most): (f64, f64)) -> f64 {
    if most / least < 100.0 { 2.0 } else { 10.0 }
}

/// Replaces the colours by the classes for which they stand.
fn with_classes(svg: &str) -> String {
    let mut text = svg.replace("\"#000000\"", "\"currentColor\"");
    for i in (0..LOOKS).chain([99]) {
        text = text.replace(&format!("stroke=\"#0100{i:02X}\""), &format!("class=\"l{i}\""));
    }
    text
}

/// The legend at the right, and the names of the levels.
fn names(figure: &Figure, places: &Places) -> String {
    let mut text = String::new();
    let x = WIDTH as i32 - NAMES + 10;
    for (i, series) in figure.series.iter().enumerate().filter(|(_, series)| !series.points.is_empty()) {
        let y = 22 + 19 * i as i32;
        let (look, sample, name) = (i % LOOKS, sample(i, x, y - 4), escaped(&series.name));
        let _ = write!(
            text,
            "<g class=\"n{look}\">{sample}<text x=\"{at}\" y=\"{y}\">{name}</text></g>",
            at = x + SAMPLE + 6
        );
    }
    for ((name, _), place) in figure.levels.iter().zip(&places[figure.series.len()..]) {
        let (x, y) = (place[0].0 + 6, place[0].1 - 4);
        let _ = write!(text, "<text class=\"level\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(name));
    }
    text
}

/// A piece of a series' line, `SAMPLE` long, and its mark.
fn sample(series: usize, x: i32, y: i32) -> String {
    let (look, end, mark) = (series % LOOKS, x + SAMPLE, mark(series, x + SAMPLE / 2, y));
    format!("<polyline class=\"l{look}\" stroke-width=\"2\" points=\"{x},{y} {end},{y}\"/>{mark}")
}

/// The legend as HTML, for screens on which the legend in the drawing is beyond the edge.
pub fn legend(figure: &Figure) -> String {
    let mut text = String::new();
    for (i, series) in figure.series.iter().enumerate().filter(|(_, series)| !series.points.is_empty()) {
        let _ = write!(
            text,
            "<span class=\"n{}\"><svg viewBox=\"0 0 {SAMPLE} 12\">{}</svg>{}</span> ",
            i % LOOKS,
            sample(i, 0, 6),
            escaped(&series.name)
        );
    }
    text
}

/// The points, each with its label.
fn points(figure: &Figure, places: &Places) -> String {
    let mut text = String::new();
    for (i, series) in figure.series.iter().enumerate() {
        for ((x, y), place) in series.points.iter().zip(&places[i]) {
            let (x, y) = (figure.x.unit.text(*x), figure.y.unit.text(*y));
            let label = escaped(&format!("{}, {x}: {y}", series.name));
            let left = place.0 > (WIDTH as i32 - NAMES) / 2;
            let (at, anchor) = if left { (place.0 - 8, "end") } else { (place.0 + 8, "start") };
            let above = if place.1 < 40 { place.1 + 22 } else { place.1 - 10 };
            let mark = mark(i, place.0, place.1);
            let _ = write!(
                text,
                "<g class=\"p n{}\" tabindex=\"0\" role=\"img\" aria-label=\"{label}\">{mark}\
                 <text x=\"{at}\" y=\"{above}\" text-anchor=\"{anchor}\">{label}</text></g>",
                i % LOOKS
            );
        }
    }
    text
}

/// The mark of a series' points: eight shapes.
pub fn mark(series: usize, x: i32, y: i32) -> String {
    let path = match series % LOOKS {
        0 => return format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/>"),
        1 => "m-3.5-3.5h7v7h-7z",
        2 => "m0-4.5l4.2 7.5h-8.4z",
        3 => "m0-5l4 5-4 5-4-5z",
        4 => "m0 4.5l4.2-7.5h-8.4z",
        5 => "m-5-1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z",
        6 => "m-5-1.2h10v2.4h-10z",
        _ => "m-1.2-5h2.4v10h-2.4z",
    };
    format!("<path d=\"M{x} {y}{path}\"/>")
}

/// Escapes text for XML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A figure with two lines, one of which needs its name escaped, and a level.
    pub fn figure() -> Figure {
        let line = |name: &str, factor: f64| Series {
            name: name.into(),
            points: (3..9).map(|i| (f64::from(1 << i), factor * f64::from(i))).collect(),
        };
        Figure {
            id: "f".into(),
            title: "A & B".into(),
            source: "figure 1",
            caption: String::new(),
            x: Axis { name: "size", unit: Unit::Bytes },
            y: Axis { name: "time", unit: Unit::Time },
            series: vec![line("a<b", 1.0), line("c", 1000.0)],
            levels: vec![("the paper's", 50.0)],
            paper: &[],
        }
    }

    #[test]
    fn every_point_has_a_label_that_the_keyboard_reaches() {
        let svg = svg(&figure()).unwrap();
        assert_eq!(svg.matches("tabindex=\"0\"").count(), 12);
        assert!(svg.contains("aria-label=\"a&lt;b, 64 B: 6 ns\"") && svg.contains("c, 256 B: 8 µs"), "{svg}");
    }

    #[test]
    fn the_legend_stands_beside_the_drawing_too() {
        let (svg, legend) = (svg(&figure()).unwrap(), legend(&figure()));
        assert!(legend.contains("</svg>a&lt;b</span>") && legend.contains("class=\"n1\""), "{legend}");
        assert!(svg.contains("<text x=") && svg.contains(">a&lt;b</text>"), "{svg}");
    }

    #[test]
    fn colours_are_the_style_sheets() {
        let svg = svg(&figure()).unwrap();
        for class in ["class=\"l0\"", "class=\"l1\"", "class=\"l99\"", "class=\"level\""] {
            assert!(svg.contains(class), "{class}: {svg}");
        }
        assert!(!svg.contains("#0100"), "{svg}");
    }

    #[test]
    fn the_drawing_is_well_formed() {
        let svg = svg(&figure()).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>") && svg.matches("<svg").count() == 1);
        for tag in ["g", "text"] {
            let (open, close) =
                (svg.matches(&format!("<{tag} ")).count(), svg.matches(&format!("</{tag}>")).count());
            assert_eq!(open, close, "{tag}");
        }
    }

    #[test]
    fn a_drawing_of_its_own_has_its_style() {
        let svg = document(&figure()).unwrap();
        assert!(
            svg.starts_with("<svg ") && svg.contains(".l1 { stroke: var(--c1)") && svg.ends_with("</svg>\n")
        );
        // A style sheet is in XML without escapes.
        let style = &svg[svg.find("<style>").unwrap() + 7..svg.find("</style>").unwrap()];
        assert!(!style.contains(['<', '&']));
    }

    #[test]
    fn a_figure_without_points_is_refused() {
        let mut empty = figure();
        empty.series.iter_mut().for_each(|series| series.points.clear());
        assert!(svg(&empty).unwrap_err().to_string().contains("no points"));
    }

    #[test]
    fn numbers_have_their_units() {
        assert_eq!(Unit::Time.text(1234.0), "1.23 µs");
        assert_eq!(Unit::Time.text(0.5), "0.5 ns");
        assert_eq!(Unit::Rate.text(0.25), "250 MB/s");
        assert_eq!(Unit::Bytes.text(65536.0), "64 KB");
    }
}
