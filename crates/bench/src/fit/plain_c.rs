//! The part `plain-c` as a table: kernels of each dialect compared with plain C in the same process and
//! round.

use crate::measure::commands;
use crate::measure::table::kernels::{LEVELS, PRIVATE_CODE, ROWS, Row};
use crate::numbers::number;
use crate::options::Part;
use crate::results::{Point, Results};
use crate::statistics::Spread;

/// The points that hold the bytes of the machine code of the private loops, and how many of these are the
/// C compiler's own.
pub const CODE: [&str; 2] = ["bytes of machine code", "bytes of the C compiler's own"];

/// The measurement of one row with one variant.
struct Cell {
    ours: Spread,
    reference: Option<Spread>,
    ratio: Option<Spread>,
}

/// Returns the samples of a kernel of a program, or of a command, in a variant.
fn samples<'a>(results: &'a Results, program: &str, kernel: &str, variant: &str) -> Option<&'a [f64]> {
    let series = format!("{program}/{kernel}");
    let is =
        |point: &&Point| point.part == Part::PlainC.name() && point.series == series && point.what == variant;
    results.points.iter().find(is).map(|point| point.ns.as_slice())
}

impl Cell {
    /// Returns the cell, or `None` if the kernel was not measured, as when only some programs were chosen.
    fn of(row: &Row, results: &Results, variant: &str) -> Option<Cell> {
        let of = |kernel| samples(results, row.program, kernel, variant);
        let ours = of(row.ours)?;
        let reference = of(row.reference);
        Some(Cell {
            ours: Spread::of(ours)?,
            reference: reference.and_then(Spread::of),
            ratio: reference.and_then(|samples| Spread::of_ratios(ours, samples)),
        })
    }
}

/// Returns the tables for the terminal; empty if the part was not measured.
pub fn text(results: &Results) -> String {
    if results.points.iter().all(|point| point.part != Part::PlainC.name()) {
        return String::new();
    }
    let levels: String = LEVELS.iter().map(|level| table(results, level) + &code(results, level)).collect();
    levels + &hello(results) + &mixed(results) + &format!("\n{LEGEND}\n")
}

/// Returns whether the machine code of the private loops is the C compiler's own.
fn code(results: &Results, level: &str) -> String {
    let of = |kernel| Some(samples(results, PRIVATE_CODE.0, kernel, level)?[0]);
    let (Some(ours), Some(same)) = (of(CODE[0]), of(CODE[1])) else { return String::new() };
    let is = if ours == same { "identical to" } else { "differs from" };
    format!("\n  machine code of the private loops, {level}: {is} the C compiler's own\n")
}

/// Returns the rows measured with one optimisation level.
fn table(results: &Results, optimise: &str) -> String {
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
    let mut is_empty = true;
    for row in ROWS {
        let cell = |threads| Cell::of(row, results, &format!("{optimise} {threads}"));
        let (fixed, dynamic) = (cell("static"), cell("dynamic"));
        if fixed.is_none() && dynamic.is_none() {
            continue;
        }
        if group != row.group {
            group = row.group;
            text += &format!("\n{group}\n");
        }
        text += &line(row, fixed.as_ref(), dynamic.as_ref());
        is_empty = false;
    }
    if is_empty { String::new() } else { text }
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

/// Returns the times of compiling and starting hello, in milliseconds.
fn hello(results: &Results) -> String {
    let rows = [
        ("compile: cc alone", "compile_cc"),
        ("compile: meridian cc", "compile_ours"),
        ("start and end: C program", "start_plain"),
        ("start and end: 4 threads", "start_4"),
    ];
    let line = |(label, name)| {
        let s = Spread::of(samples(results, "hello", name, "command")?)?;
        let [median, lower, upper] = [s.median, s.lower, s.upper].map(|ns| ns / 1e6);
        Some(format!("  {label:<34} {median:.1} [{lower:.1} .. {upper:.1}] ms\n"))
    };
    let lines: String = rows.into_iter().filter_map(line).collect();
    let title = "\nhello, wall time of the command, median [quartiles]\n\n";
    if lines.is_empty() { lines } else { format!("{title}{lines}") }
}

/// Returns the times of compiling the long program.
fn mixed(results: &Results) -> String {
    let line = |level: &str| {
        let of = |name: &str| Spread::of(samples(results, "mixed", &format!("{name} {level}"), "command")?);
        let (cc, ours) = (of("cc")?.median / 1e9, of("ours")?.median / 1e9);
        let ratio = ours / cc;
        Some(format!("  {level}: cc {cc:.2}, meridian cc {ours:.2}, {ratio:.2} times, goal 1.3\n"))
    };
    let lines: String = commands::LEVELS.into_iter().filter_map(line).collect();
    let title = format!(
        "\na program of {} lines, seconds of compiling, median; ratio to cc on C of that length\n\n",
        commands::LINES
    );
    if lines.is_empty() { lines } else { format!("{title}{lines}") }
}

fn spread(s: Spread) -> String {
    format!("{} [{} .. {}]", number(s.median), number(s.lower), number(s.upper))
}

const LEGEND: &str = "\
ratio: ours to the reference in the same process and round, median over the rounds; over: above the goal.
other UPC systems: the best figures known of them, static and dynamic THREADS, -O2, two threads,
measured on another day: for orientation only, they enter no ratio.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    fn measured(points: &[(&str, &str, &[f64])]) -> Results {
        let mut results = results();
        let model = results.points.remove(0);
        for (series, what, ns) in points {
            let (series, what, ns) = ((*series).into(), (*what).into(), ns.to_vec());
            results.points.push(Point { part: "plain-c".into(), series, what, ns, ..model.clone() });
        }
        results
    }

    #[test]
    fn a_row_over_its_goal_says_so() {
        let of = |ours| {
            measured(&[
                ("private/our_dgemm", "-O3 static", ours),
                ("private/gcc_dgemm", "-O3 static", &[1.0, 1.0]),
            ])
        };
        let text = text(&of(&[2.0, 2.0]));
        let line = text.lines().find(|line| line.contains("dgemm")).unwrap();
        assert!(line.contains("2.00 [2.00 .. 2.00]") && line.ends_with("over"), "{line}");
        assert!(!text.contains("-O2: nano"), "what was not measured has no table: {text}");
        let calm = super::text(&of(&[1.0, 1.0]));
        assert!(calm.lines().all(|line| !line.ends_with("  over")), "{calm}");
    }

    #[test]
    fn each_level_that_was_measured_has_a_row() {
        let results = measured(&[("mixed/cc -O3", "command", &[2e9]), ("mixed/ours -O3", "command", &[3e9])]);
        let text = text(&results);
        assert!(text.contains("-O3: cc 2.00, meridian cc 3.00, 1.50 times"), "{text}");
        assert!(!text.contains("-O0") && !text.contains("hello"), "{text}");
    }

    #[test]
    fn machine_code_of_the_same_bytes_is_identical() {
        for (same, is) in [(80.0, "identical to"), (79.0, "differs from")] {
            let text = text(&measured(&[
                ("private/bytes of machine code", "-O2", &[80.0]),
                ("private/bytes of the C compiler's own", "-O2", &[same]),
            ]));
            assert!(text.contains(&format!("-O2: {is} the C compiler's own")), "{text}");
        }
    }
}
