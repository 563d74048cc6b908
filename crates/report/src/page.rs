//! The page: head, summary, figures with their data, tables, and the style sheet, in one file.

use anyhow::Result;
use bench::fit::{self, goals};
use bench::results::{Ended, Results};
use bench::sheet::Sheet;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::draw::{self, Figure};
use crate::{figures, section, summary};

const STYLE: &str = include_str!("style.css");

/// The page as text.
pub fn html(results: &Results) -> Result<String> {
    let drawn = |figure: Figure| Ok((draw::svg(&figure)?, figure));
    let drawn: Vec<(Markup, Figure)> = figures::all(results).into_iter().map(drawn).collect::<Result<_>>()?;
    let sheets = fit::sheets(results);
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
                    (contents(&sheets, &drawn))
                    @for sheet in sheets.iter().filter(|sheet| !sheet.is_drawn) { (section::of_sheet(sheet)) }
                    @for (svg, figure) in &drawn { (section::of_lines(figure, svg)) }
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

fn contents(sheets: &[Sheet], figures: &[(Markup, Figure)]) -> Markup {
    html! {
        nav aria-label="Figures" {
            h2 { "Figures" }
            ul.contents {
                @for sheet in sheets.iter().filter(|sheet| sheet.ratios.is_some()) {
                    li { a href={ "#" (sheet.id) } { (sheet.title) } }
                }
                @for (_, figure) in figures { li { a href={ "#" (figure.id) } { (figure.title) } } }
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
