//! The part `plain-c` as tables: kernels of each dialect compared with plain C in the same process and round,
//! and commands.

use crate::measure::commands;
use crate::measure::table::kernels::{LEVELS, PRIVATE_CODE, ROWS, Row};
use crate::numbers::number;
use crate::options::Part;
use crate::results::{Point, Results};
use crate::sheet::{Sheet, words};
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

/// Returns the tables: of the kernels by level of optimisation, and of commands.
pub fn sheets(results: &Results) -> Vec<Sheet> {
    let levels = LEVELS.iter().map(|level| kernels(results, level));
    levels.chain([hello(results), mixed(results)]).collect()
}

/// Returns whether the machine code of the private loops is the C compiler's own, if it was compared.
fn code(results: &Results, level: &str) -> Option<String> {
    let of = |kernel| Some(samples(results, PRIVATE_CODE.0, kernel, level)?[0]);
    let is = if of(CODE[0])? == of(CODE[1])? { "identical to" } else { "differs from" };
    Some(format!("machine code of the private loops, {level}: {is} the C compiler's own"))
}

/// Returns the rows measured with one optimisation level.
fn kernels(results: &Results, level: &str) -> Sheet {
    let (mut rows, mut group) = (Vec::new(), "");
    for row in ROWS {
        let cell = |threads| Cell::of(row, results, &format!("{level} {threads}"));
        let (fixed, dynamic) = (cell("static"), cell("dynamic"));
        if fixed.is_none() && dynamic.is_none() {
            continue;
        }
        if group != row.group {
            group = row.group;
            rows.push(words(&[group]));
        }
        rows.push(line(row, fixed.as_ref(), dynamic.as_ref()));
    }
    Sheet {
        id: format!("plain-c{level}"),
        title: format!("Kernels beside plain C, {level}: ns an operation, median [quartiles]"),
        caption: LEGEND.into(),
        head: words(&[
            "static",
            "dynamic THREADS",
            "reference",
            "ratio",
            "ratio",
            "dyn/st",
            "goal",
            "others",
            "",
        ]),
        rows,
        notes: code(results, level).into_iter().chain(words(&[LEGEND])).collect(),
        ..Sheet::default()
    }
}

fn line(row: &Row, fixed: Option<&Cell>, dynamic: Option<&Cell>) -> Vec<String> {
    let reference = fixed.or(dynamic).and_then(|cell| cell.reference);
    let ratio = |cell: Option<&Cell>| cell.and_then(|c| c.ratio).map(|r| format!("{:.2}", r.median));
    let over = row.goal.is_some_and(|goal| {
        [fixed, dynamic].iter().flatten().filter_map(|c| c.ratio).any(|ratio| ratio.median > goal)
    });
    let cells = [
        Some(format!("  {}", row.label)),
        fixed.map(|c| spread(c.ours)),
        dynamic.map(|c| spread(c.ours)),
        reference.map(|r| number(r.median)),
        ratio(fixed),
        ratio(dynamic),
        fixed.zip(dynamic).map(|(f, d)| format!("{:.2}", d.ours.median / f.ours.median)),
        row.goal.map(|goal| format!("{goal:.2}")),
        row.peers.map(|p| format!("{} / {}", number(p.fixed), number(p.dynamic))),
        over.then(|| "over".into()),
    ];
    cells.into_iter().map(Option::unwrap_or_default).collect()
}

/// Returns the times of compiling and starting hello.
fn hello(results: &Results) -> Sheet {
    let rows = [
        ("compile: cc alone", "compile_cc"),
        ("compile: meridian cc", "compile_ours"),
        ("start and end: C program", "start_plain"),
        ("start and end: 4 threads", "start_4"),
    ];
    let line = |(label, name): (&str, &str)| {
        let s = Spread::of(samples(results, "hello", name, "command")?)?;
        let [median, lower, upper] = [s.median, s.lower, s.upper].map(|ns| ns / 1e6);
        Some(vec![label.into(), format!("{median:.1} [{lower:.1} .. {upper:.1}] ms")])
    };
    Sheet {
        id: "hello".into(),
        title: "hello, wall time of the command, median [quartiles]".into(),
        head: vec![String::new()],
        rows: rows.into_iter().filter_map(line).collect(),
        ..Sheet::default()
    }
}

/// Returns the times of compiling the long program.
fn mixed(results: &Results) -> Sheet {
    let line = |level: &str| {
        let of = |name: &str| Spread::of(samples(results, "mixed", &format!("{name} {level}"), "command")?);
        let (cc, ours) = (of("cc")?.median / 1e9, of("ours")?.median / 1e9);
        let ratio = ours / cc;
        Some(
            [level, &format!("{cc:.2}"), &format!("{ours:.2}"), &format!("{ratio:.2}"), "1.3"]
                .map(String::from)
                .into(),
        )
    };
    Sheet {
        id: "mixed".into(),
        title: format!("a program of {} lines, seconds of compiling, median", commands::LINES),
        head: words(&["cc, C of that length", "meridian cc", "ratio", "goal"]),
        rows: commands::LEVELS.into_iter().filter_map(line).collect(),
        ..Sheet::default()
    }
}

fn spread(s: Spread) -> String {
    format!("{} [{} .. {}]", number(s.median), number(s.lower), number(s.upper))
}

const LEGEND: &str = "ratio: ours to the reference in the same process and round, median over the rounds, static and dynamic \
                      THREADS; over: above the goal; others: the best figures known of other UPC systems, static / dynamic, \
                      -O2, two threads, measured on another day: for orientation only, they enter no ratio";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{of_points, point};

    fn text(results: &Results) -> String {
        sheets(results).iter().map(Sheet::text).collect()
    }

    fn measured(points: &[(&str, &str, &[f64])]) -> Results {
        let point = |&(series, what, ns): &(&str, &str, &[f64])| {
            point(&format!("plain-c|split-c|smp|{series}|{what}"), &[], ns)
        };
        of_points(points.iter().map(point))
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
        assert!(!text.contains("-O2: ns"), "what was not measured has no table: {text}");
        let calm = self::text(&of(&[1.0, 1.0]));
        assert!(calm.lines().all(|line| !line.ends_with(" over")), "{calm}");
    }

    #[test]
    fn each_level_that_was_measured_has_a_row() {
        let results = measured(&[("mixed/cc -O3", "command", &[2e9]), ("mixed/ours -O3", "command", &[3e9])]);
        let text = text(&results);
        let row = text.lines().find(|line| line.contains("-O3")).unwrap();
        assert!(row.contains("2.00") && row.contains("3.00") && row.contains("1.50"), "{text}");
        assert!(!text.contains("-O0") && !text.contains("hello"), "{text}");
    }

    #[test]
    fn machine_code_of_the_same_bytes_is_identical() {
        for (same, is) in [(80.0, "identical to"), (79.0, "differs from")] {
            let text = text(&measured(&[
                ("private/our_dgemm", "-O2 static", &[1.0]),
                ("private/bytes of machine code", "-O2", &[80.0]),
                ("private/bytes of the C compiler's own", "-O2", &[same]),
            ]));
            assert!(text.contains(&format!("-O2: {is} the C compiler's own")), "{text}");
        }
    }
}
