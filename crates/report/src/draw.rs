//! Figures as SVG: of lines over logarithmic axes, and the elements that they share with figures of ratios.
//!
//! A page can be light or dark, so colours are in its style sheet, and elements have classes. The points are
//! separate elements, because the pointer and the keyboard have to find them: each has a label that is shown
//! while the point is hovered over or has the focus. Shapes, dashes and names in the legend identify the
//! lines, so that nothing depends on colour.

use anyhow::{Result, ensure};
use bench::short;
use maud::{Markup, PreEscaped, html};

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

/// An axis, which is logarithmic: the shown quantity, and the unit of its numbers.
pub type Axis = (&'static str, Unit);

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
    pub levels: &'static [(&'static str, f64)],
    /// Further statements of the paper.
    pub paper: &'static [&'static str],
}

/// The width of all drawings.
pub const WIDTH: i32 = 760;
/// The right end of the plot: names follow.
pub const RIGHT: i32 = WIDTH - 130;
const HEIGHT: i32 = 420;
const LEFT: i32 = 80;
const TOP: i32 = 8;
const BOTTOM: i32 = HEIGHT - 52;
/// The length of the piece of a line in a legend.
const SAMPLE: i32 = 28;
/// The number of distinct looks of lines; the style sheet numbers them in the same way.
const LOOKS: usize = 8;
/// The space in which the labels of an axis have to fit, in labels.
const LABELS: i32 = 8;

/// A position in a drawing.
pub type Place = (i32, i32);

/// A logarithmic scale: the range of its values, and the positions of the ends.
#[derive(Clone, Copy, Debug)]
pub struct Scale(pub (f64, f64), pub Place);

impl Scale {
    /// Returns the scale of these values, and some more: a factor at both ends.
    fn of(values: impl Iterator<Item = f64>, more: f64, places: Place) -> Scale {
        let (least, most) = values.fold((f64::INFINITY, 0f64), |(a, b), x| (a.min(x), b.max(x)));
        Scale((least / more, most * more), places)
    }

    /// Returns the position of a value.
    pub fn at(&self, value: f64) -> i32 {
        let Scale((least, most), (begin, end)) = *self;
        begin + ((value / least).ln() / (most / least).ln() * f64::from(end - begin)).round() as i32
    }

    /// Returns the powers of a base that have labels.
    pub fn powers(&self, base: f64) -> impl Iterator<Item = f64> {
        // Rounding may neither lose nor add an end that is a power.
        let first = ((self.0.0.ln() / base.ln()) - 1e-9).ceil() as i32;
        let last = ((self.0.1.ln() / base.ln()) + 1e-9).floor() as i32;
        let step = ((last - first) / LABELS).max(1);
        (first..=last).filter(move |power| power % step == 0).map(move |power| base.powi(power))
    }
}

/// Returns the drawing.
///
/// # Errors
/// If there is nothing to draw.
pub fn svg(figure: &Figure) -> Result<Markup> {
    Ok(drawing(&figure.title, HEIGHT, content(figure)?))
}

/// Returns the elements of the drawing.
fn content(figure: &Figure) -> Result<Markup> {
    let Figure { title, series, levels, .. } = figure;
    let points = || series.iter().flat_map(|series| &series.points);
    ensure!(points().next().is_some(), "{title} has no points");
    let x = Scale::of(points().map(|point| point.0), 1.05, (LEFT, RIGHT));
    let of_levels = levels.iter().map(|level| level.1);
    let y = Scale::of(points().map(|point| point.1).chain(of_levels), 1.4, (BOTTOM, TOP));
    let at = |point: &(f64, f64)| (x.at(point.0), y.at(point.1));
    Ok(html! {
        (axes(figure, &x, &y))
        @for (i, series) in series.iter().enumerate() {
            (line(&look("l", i), 2, &series.points.iter().map(at).collect::<Vec<_>>()))
        }
        @for (name, value) in *levels {
            (line("l99", 1, &[(LEFT, y.at(*value)), (RIGHT, y.at(*value))]))
            (text("level", (LEFT + 6, y.at(*value) - 4), "start", name))
        }
        @for (i, series) in lines(figure) {
            g class=(look("n", i)) {
                (sample(i, RIGHT + 10, 18 + 19 * i as i32))
                (text("", (RIGHT + 16 + SAMPLE, 22 + 19 * i as i32), "start", &series.name))
            }
        }
        @for (i, series) in lines(figure) {
            @for point in &series.points {
                (labelled(i, at(point), &label(figure, &series.name, point)))
            }
        }
    })
}

/// Returns the lines that have points, with their numbers.
fn lines(figure: &Figure) -> impl Iterator<Item = (usize, &Series)> {
    figure.series.iter().enumerate().filter(|(_, series)| !series.points.is_empty())
}

/// Returns the label of a point.
fn label(figure: &Figure, name: &str, (x, y): &(f64, f64)) -> String {
    format!("{name}, {}: {}", figure.x.1.text(*x), figure.y.1.text(*y))
}

/// Returns the drawing as a separate file, with the style that it has in the page.
///
/// # Errors
/// If there is nothing to draw.
pub fn document(figure: &Figure) -> Result<String> {
    let style = include_str!("style.css");
    let style = format!("{style} svg {{ background: var(--paper); color: var(--ink); }}");
    let content = html! { style { (PreEscaped(style)) } (content(figure)?) };
    Ok(drawing(&figure.title, HEIGHT, content).into_string() + "\n")
}

/// Draws both axes, with their names, labels and grid.
fn axes(figure: &Figure, x: &Scale, y: &Scale) -> Markup {
    // Powers of 10 would be too few within two of them.
    let base = if y.0.1 / y.0.0 < 100.0 { 2.0 } else { 10.0 };
    let turned = format!("rotate(-90 14 {})", (TOP + BOTTOM) / 2);
    html! {
        g class="axes" {
            @for value in x.powers(2.0) {
                (line("grid", 1, &[(x.at(value), TOP), (x.at(value), BOTTOM)]))
                (text("", (x.at(value), BOTTOM + 18), "middle", &figure.x.1.text(value)))
            }
            @for value in y.powers(base) {
                (line("grid", 1, &[(LEFT, y.at(value)), (RIGHT, y.at(value))]))
                (text("", (LEFT - 6, y.at(value) + 4), "end", &figure.y.1.text(value)))
            }
            (line("one", 1, &[(LEFT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)]))
            (text("", ((LEFT + RIGHT) / 2, BOTTOM + 40), "middle", figure.x.0))
            g transform=(turned) { (text("", (14, (TOP + BOTTOM) / 2), "middle", figure.y.0)) }
        }
    }
}

/// Returns the legend as HTML, for screens on which the legend in the drawing is beyond the edge.
pub fn legend(figure: &Figure) -> Markup {
    html! {
        @for (i, series) in lines(figure) {
            span class=(look("n", i)) {
                svg viewBox={ "0 0 " (SAMPLE) " 12" } { (sample(i, 0, 6)) } (series.name)
            } " "
        }
    }
}

/// Returns a drawing of this title and height.
pub fn drawing(title: &str, height: i32, content: Markup) -> Markup {
    let view = format!("0 0 {WIDTH} {height}");
    html! {
        svg viewBox=(view) role="group" aria-label=(title) xmlns="http://www.w3.org/2000/svg" { (content) }
    }
}

/// Returns a line through these positions.
pub fn line(class: &str, width: u32, places: &[Place]) -> Markup {
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x},{y}")).collect();
    html! { polyline class=(class) stroke-width=(width) points=(points.join(" ")) {} }
}

/// Returns a text that begins, ends or has its middle at a position.
pub fn text(class: &str, (x, y): Place, anchor: &str, text: &str) -> Markup {
    let class = (!class.is_empty()).then_some(class);
    html! { text class=[class] x=(x) y=(y) text-anchor=(anchor) { (text) } }
}

/// Returns the class of line number `i`, of one of the kinds in the style sheet.
pub fn look(kind: &str, i: usize) -> String {
    format!("{kind}{}", i % LOOKS)
}

/// A piece of a line, `SAMPLE` long, and its mark.
fn sample(i: usize, x: i32, y: i32) -> Markup {
    html! { (line(&look("l", i), 2, &[(x, y), (x + SAMPLE, y)])) (mark(i, (x + SAMPLE / 2, y))) }
}

/// Returns the mark of a point of line number `i`, with a label beside it.
pub fn labelled(i: usize, (x, y): Place, label: &str) -> Markup {
    let (at, anchor) = if x > (LEFT + RIGHT) / 2 { (x - 9, "end") } else { (x + 9, "start") };
    let above = if y < 40 { y + 22 } else { y - 10 };
    html! {
        g class={ "p " (look("n", i)) } tabindex="0" role="img" aria-label=(label) {
            (mark(i, (x, y))) (text("", (at, above), anchor, label))
        }
    }
}

/// Returns the mark of the points of line number `i`: eight shapes.
pub fn mark(i: usize, (x, y): Place) -> Markup {
    let path = match i % LOOKS {
        0 => return html! { circle cx=(x) cy=(y) r="3.5" {} },
        1 => "m-3.5-3.5h7v7h-7z",
        2 => "m0-4.5l4.2 7.5h-8.4z",
        3 => "m0-5l4 5-4 5-4-5z",
        4 => "m0 4.5l4.2-7.5h-8.4z",
        5 => "m-5-1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z",
        6 => "m-5-1.2h10v2.4h-10z",
        _ => "m-1.2-5h2.4v10h-2.4z",
    };
    html! { path d=(PreEscaped(format!("M{x} {y}{path}"))) {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A figure with two lines, one of which needs its name escaped, and a level.
    fn figure() -> Figure {
        let line = |name: &str, factor: f64| Series {
            name: name.into(),
            points: (3..9).map(|i| (f64::from(1 << i), factor * f64::from(i))).collect(),
        };
        Figure {
            id: "f".into(),
            title: "A & B".into(),
            source: "figure 1",
            caption: String::new(),
            x: ("size", Unit::Bytes),
            y: ("time", Unit::Time),
            series: vec![line("a<b", 1.0), line("c", 1000.0)],
            levels: &[("the paper's", 50.0)],
            paper: &[],
        }
    }

    #[test]
    fn every_point_has_a_label_that_the_keyboard_reaches() {
        let svg = svg(&figure()).unwrap().into_string();
        assert_eq!(svg.matches("tabindex=\"0\"").count(), 12);
        assert!(svg.contains("aria-label=\"a&lt;b, 64 B: 6 ns\"") && svg.contains("c, 256 B: 8 µs"), "{svg}");
        for class in ["class=\"l0\"", "class=\"l1\"", "class=\"l99\"", "class=\"level\""] {
            assert!(svg.contains(class), "{class}: {svg}");
        }
        let legend = legend(&figure()).into_string();
        assert!(legend.contains("</svg>a&lt;b</span>") && legend.contains("class=\"n1\""), "{legend}");
    }

    #[test]
    fn labels_are_powers_within_the_range() {
        let labels = |least, most, base| Scale((least, most), (0, 100)).powers(base).collect::<Vec<_>>();
        assert_eq!(labels(0.9, 9.0, 2.0), [1.0, 2.0, 4.0, 8.0]);
        assert_eq!(labels(1.0, 1000.0, 10.0), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(labels(1.0, f64::from(1 << 24), 2.0).len(), 9);
        let scale = Scale((0.5, 4.0), (100, 400));
        assert_eq!([0.5, 1.0, 4.0].map(|value| scale.at(value)), [100, 200, 400]);
    }

    #[test]
    fn a_drawing_of_its_own_is_well_formed_and_has_its_style() {
        let svg = document(&figure()).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.matches("<svg").count() == 1);
        for tag in ["g", "text", "polyline", "circle", "path"] {
            let (open, close) =
                (svg.matches(&format!("<{tag} ")).count(), svg.matches(&format!("</{tag}>")).count());
            assert_eq!(open, close, "{tag}");
        }
        assert!(svg.contains(".l1 { stroke: var(--c1)"));
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
