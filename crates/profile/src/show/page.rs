//! A profile as one self-contained HTML page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::numbers::{number, time};
use super::summary::{costs, summary};
use super::tam;
use crate::record::{Line, Profile, short};

const STYLE: &str = include_str!("style.css");

/// The page as text, with the warnings of this profile.
pub fn html(profile: &Profile, warnings: &[String]) -> String {
    let [job, sum] = summary(profile);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Profile: " (profile.command.join(" ")) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { "Profile" }
                    p { (job) br; (sum) }
                    @for warning in warnings { p.warning { (warning) } }
                    @if !profile.lines.is_empty() { (table(profile)) }
                    @if let Some(machine) = &profile.tam { (tam::page(machine)) }
                    @for file in 0..profile.files.len() { (source(profile, file)) }
                }
            }
        }
    };
    page.into_string()
}

fn table(profile: &Profile) -> Markup {
    html! {
        div.wide { table {
            tr { th { "line" } th { "kind" } th { "% time" } th { "time" } th { "longest" } th { "calls" } th { "bytes" } th { "slowest thread" } }
            @for line in &profile.lines { (row(profile, line)) }
        } }
    }
}

fn row(profile: &Profile, line: &Line) -> Markup {
    let place = profile.place(line);
    html! {
        tr {
            td { @match line.file {
                Some(file) => a href={ "#f" (file) "l" (line.line) } { (place) },
                None => (place),
            } " " span.soft { (line.function) } }
            td { (line.kind) }
            td { (format!("{:.1}", profile.percent(line.ns))) }
            td { (time(line.ns)) }
            td { (time(line.longest_ns)) }
            td { (number(line.calls)) }
            td { (number(line.bytes)) }
            td { (line.slowest_thread) " (" (time(line.slowest_ns)) ")" }
        }
    }
}

fn source(profile: &Profile, file: usize) -> Markup {
    let costs = costs(profile, file);
    let text = profile.files[file].text.as_deref().unwrap_or_default();
    html! {
        h2 { (short(&profile.files[file].path)) }
        @if text.is_empty() { p.soft { "The source file was missing at the end of the job." } }
        div.wide { table.source {
            @for (n, line) in (1_u32..).zip(text.lines()) {
                @match costs.get(&n) {
                    Some(cost) => tr id={ "f" (file) "l" (n) }
                        style=(format!("--heat: {:.0}%", heat(profile.percent(cost.ns)))) {
                        td.cost { (format!("{:.1} %", profile.percent(cost.ns))) }
                        td.cost { (number(cost.calls)) " calls" }
                        td.cost { (number(cost.bytes)) " B" }
                        td.number { (n) }
                        td.line { (line) }
                    },
                    None => tr { td; td; td; td.number { (n) } td.line { (line) } },
                }
            }
        } }
    }
}

/// The strength of a line's colour, in percent, visible already for a small share of the time.
fn heat(percent: f64) -> f64 {
    (percent.sqrt() * 7.0).clamp(3.0, 70.0)
}
