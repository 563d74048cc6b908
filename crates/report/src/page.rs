//! The page: head, summary, figures with their data, tables, and the style sheet, in one file.

use anyhow::Result;
use bench::fit::{beside, caches, conduits, goals, loggp};
use bench::results::{Ended, Point, Results};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::draw::{self, Figure, Unit};
use crate::papers::{Cm5, TABLE_6_1};
use crate::{comparison, figures, livermore, peers, section, sorts, summary, tam};

const STYLE: &str = include_str!("style.css");

/// The page as text.
pub fn html(results: &Results) -> Result<String> {
    let figures = figures::all(results);
    let drawn: Vec<(Figure, String)> = figures
        .into_iter()
        .map(|figure| draw::svg(&figure).map(|svg| (figure, svg)))
        .collect::<Result<_>>()?;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "The gray box: " (results.header.machine.host) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    (head(results))
                    (conclusions(results))
                    (shortfalls(results))
                    (contents(results, &drawn))
                    (parameters(results))
                    (primitives(results))
                    (pointers(results))
                    (tam::section(results))
                    (livermore::section(results))
                    (sorts::section(results))
                    (peers::section(results))
                    (peers::programs(results))
                    (comparison::sections(results))
                    @for (figure, svg) in &drawn { (section::of_lines(figure, svg)) }
                    (failures(results))
                }
            }
        }
    };
    Ok(page.into_string())
}

fn head(results: &Results) -> Markup {
    let header = &results.header;
    let machine = &header.machine;
    let hosts = header
        .hosts
        .clone()
        .unwrap_or_else(|| "this host stands for both of the conduits between hosts".into());
    html! {
        h1 { "The gray box" }
        p.lead { "What " strong { (machine.host) } " charges for each access to memory, measured from inside its languages." }
        dl.machine {
            dt { "Machine" } dd { (machine.processor) ", " (machine.cores) " cores, " (gigabytes(machine.memory)) ", Linux " (machine.kernel) }
            dt { "Measured" } dd { (header.date) @if header.quick { ", quickly: fewer sizes and rounds" } }
            dt { "With" } dd { "Meridian " (header.meridian) ", " (header.compiler) }
            dt { "Hosts" } dd { (hosts) }
        }
        @if results.ended == Ended::Interrupted {
            p.warning { "This measurement was interrupted: what stands here is what was done before." }
        }
        @if let Some(noise) = bench::noise(results) { p.warning { "Warning: " (noise) "." } }
    }
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.0} GB", bytes as f64 / f64::from(1u32 << 30))
}

fn conclusions(results: &Results) -> Markup {
    let sentences = summary::sentences(results);
    html! {
        @if !sentences.is_empty() {
            h2 id="summary" { "What this machine likes" }
            ul { @for sentence in &sentences { li { (sentence) } } }
        }
    }
}

/// The missed goals, and the causes of the differences; empty if no goal was measured.
fn shortfalls(results: &Results) -> Markup {
    let goals = goals::of(results);
    let missed: Vec<_> = goals.iter().filter(|goal| !goal.is_reached).collect();
    html! {
        @if !goals.is_empty() {
            h2 id="goals" { "What falls short" }
            p { "Of " (goals.len()) " goals that this run has measured, " (missed.len()) " are not reached." }
        }
        @if !missed.is_empty() {
            div.wide {
                table.words {
                    thead { tr { th scope="col" { "what" } th scope="col" { "goal" } th scope="col" { "here" }
                        th scope="col" { "where the difference lies" } } }
                    tbody { @for goal in &missed { tr {
                        th scope="row" { (goal.what) } td { (goal.goal) } td { (goal.measured) } td { (goal.why) }
                    } } }
                }
            }
        }
    }
}

fn contents(results: &Results, figures: &[(Figure, String)]) -> Markup {
    html! {
        nav aria-label="Figures" {
            h2 { "Figures" }
            ul.contents {
                @for (id, title, _) in peers::of_programs(results) { li { a href={ "#" (id) } { (title) } } }
                @for table in beside::all(results) { li { a href={ "#" (table.id) } { (table.title) } } }
                @for (figure, _) in figures { li { a href={ "#" (figure.id) } { (figure.title) } } }
            }
        }
    }
}

/// LogGP and the levels of the memory.
fn parameters(results: &Results) -> Markup {
    let levels = caches::of(results);
    let fits: Vec<_> =
        conduits(results).into_iter().filter_map(|c| Some((loggp::of(results, &c)?, c))).collect();
    let listed =
        results.header.machine.caches.iter().map(|(level, size)| format!("L{level} {}", bench::bytes(*size)));
    let listed: Vec<String> = listed.collect();
    html! {
        @if !levels.is_empty() {
            h2 id="memory" { "The levels of the memory" }
            table {
                caption { "Found in the times of dependent reads" }
                thead { tr { th scope="col" { "up to" } th scope="col" { "a read" } } }
                tbody {
                    @for level in &levels {
                        tr { th scope="row" { (level.bytes.map_or("memory".into(), bench::bytes)) } td { (Unit::Time.text(level.ns)) } }
                    }
                }
            }
            @if !listed.is_empty() { p { "The kernel lists " (listed.join(", ")) "." } }
        }
        @if !fits.is_empty() {
            h2 id="loggp" { "LogGP" }
            p { "The parameters of each conduit in nanoseconds, with the interval in which each lies with 95 % confidence." }
            div.wide {
                table {
                    thead { tr { th scope="col" { "conduit" } th scope="col" { "overhead o" } th scope="col" { "latency L" }
                        th scope="col" { "gap g" } th scope="col" { "gap a byte G" } th scope="col" { "N½" } } }
                    tbody { @for (fit, conduit) in &fits { tr {
                        th scope="row" { (conduit) }
                        @for i in [fit.overhead, fit.latency, fit.gap, fit.byte] { td { (i) } }
                        td { (fit.half_bandwidth.map_or("-".into(), |n| bench::bytes(n.round() as u64))) }
                    } } }
                }
            }
        }
    }
}

/// Table 6-1 for this machine, beside the CM-5's.
fn primitives(results: &Results) -> Markup {
    let conduits: Vec<String> = conduits(results)
        .into_iter()
        .filter(|c| results.of("primitives", "split-c", c).next().is_some())
        .collect();
    let cell = |row: &Cm5, conduit: &str, what: &str| -> String {
        let is =
            |p: &&Point| p.series == row.operation && p.what == what && p.at.get("bytes") == Some(&row.bytes);
        let mut points = results.of("primitives", "split-c", conduit);
        points.find(is).and_then(Point::spread).map(|s| Unit::Time.text(s.median)).unwrap_or_default()
    };
    let size = |bytes: u64| if bytes == 4096 { "bulk".to_string() } else { format!("{} bit", bytes * 8) };
    html! {
        @if !conduits.is_empty() {
            h2 id="primitives" { "Each primitive of Split-C" }
            p { "Table 6-1 of von Eicken's Active Messages for this machine, and the CM-5's beside it. Bulk is 4 KB here. A \
                blocking access has no overhead but its latency." }
            div.wide {
                table {
                    thead {
                        tr { th {} th {} @for c in &conduits { th colspan="3" scope="colgroup" { (c) } } th colspan="2" scope="colgroup" { "CM-5, 1993" } }
                        tr { th scope="col" { "operation" } th scope="col" { "size" }
                            @for _ in &conduits { th scope="col" { "overhead" } th scope="col" { "latency" } th scope="col" { "gap" } }
                            th scope="col" { "overhead" } th scope="col" { "latency" } }
                    }
                    tbody {
                        @for row in TABLE_6_1 {
                            tr {
                                th scope="row" { (row.operation) } td { (size(row.bytes)) }
                                @for c in &conduits { @for what in ["overhead", "latency", "gap"] { td { (cell(row, c, what)) } } }
                                td.paper-value { (row.overhead) " µs" } td.paper-value { (row.latency) " µs, " (row.bandwidth) " MB/s" }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn pointers(results: &Results) -> Markup {
    let operations = ["add", "subtract", "compare", "read", "write"];
    let cell = |series: &str, what: &str| {
        let mut points = results.of("pointers", "upc", "smp");
        let point = points.find(|p| p.series == series && p.what == what);
        point.and_then(Point::spread).map(|s| Unit::Time.text(s.median)).unwrap_or_default()
    };
    html! {
        @if results.of("pointers", "upc", "smp").next().is_some() {
            h2 id="pointers" { "Pointers-to-shared" }
            p { "Arithmetic and access in UPC, on memory of the thread's own, an element of a table of pointers each: figures 8 \
                and 9 of the X1 paper." }
            div.wide {
                table {
                    thead { tr { th scope="col" { "pointer" } @for operation in operations { th scope="col" { (operation) } } } }
                    tbody { @for series in ["private", "indefinite", "cyclic", "block-cyclic"] {
                        tr { th scope="row" { (series) } @for operation in operations { td { (cell(series, operation)) } } }
                    } }
                }
            }
        }
    }
}

fn failures(results: &Results) -> Markup {
    html! {
        @if !results.failures.is_empty() || !results.left_out.is_empty() {
            h2 id="missing" { "What is missing" }
            ul {
                @for failure in &results.failures { li { strong { (failure.run) } " failed: " (failure.why) } }
                @for failure in &results.left_out { li { strong { (failure.run) } " is left out: " (failure.why) } }
            }
        }
    }
}
