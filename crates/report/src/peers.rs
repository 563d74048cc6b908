//! Meridian beside its peers, in the report: operations, and whole programs.

use bench::fit::beside::peers::{self, Table};
use bench::results::Results;
use maud::{Markup, html};

use crate::section;

/// The section of operations; empty if no peer was measured.
pub fn section(results: &Results) -> Markup {
    let Some(table) = peers::of(results) else { return html! {} };
    html! {
        h2 id="peers" { "Beside others" }
        p { "The same operation by other systems that are installed here, between two processes of this host, in the same \
            run; and how many times Meridian's time it takes. Plain C copies within one process. Meridian's copies are UPC's \
            non-blocking ones." }
        div.wide { (section::beside("operation", &table)) }
    }
}

/// The sections of programs, one for each place: an identifier, a title, and the measurements.
pub fn of_programs(results: &Results) -> Vec<(String, String, Table)> {
    let section = |(conduit, place): (&str, &str)| {
        let table = peers::programs(results, conduit)?;
        let beside = if conduit == "smp" { "OpenMP and MPI" } else { "MPI" };
        let id = if conduit == "smp" { String::from("programs") } else { format!("programs-{conduit}") };
        Some((id, format!("Whole programs beside {beside}, {place}"), table))
    };
    peers::PLACES.into_iter().filter_map(section).collect()
}

/// The sections of programs; empty if no counterpart was measured.
pub fn programs(results: &Results) -> Markup {
    html! {
        @for (id, title, table) in of_programs(results) {
            (section::of_ratios(&id, &title, &html! {
                "The same program by other systems, in turn with Meridian's; and how many times Meridian's time it takes. What \
                 a thread computes alone is one source for all, compiled by the same C compiler. Every run has verified its \
                 result. " span.source { "Beside figures 11 to 13 of the X1 paper." }
            }, "program", &table))
        }
    }
}

/// The conclusions for the summary: for each other system, the mean, and the program with the least ratio.
pub fn sentences(results: &Results) -> Vec<String> {
    let sentence = |(conduit, place): (&str, &str)| {
        let table = peers::programs(results, conduit)?;
        let of = |(peer, mean): (usize, f64)| {
            let ratio = |row: &&peers::Row| row.peers[peer].map_or(f64::INFINITY, |ns| ns / row.ours);
            let worst = table.rows.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
            let (name, least) = (&table.peers[peer], ratio(&worst));
            let (mean, least) = (bench::number(mean), bench::number(least));
            Some(format!("{mean} times as long in {name} (least: {}, {least})", worst.label))
        };
        let all: Vec<String> = table.means().into_iter().enumerate().filter_map(of).collect();
        let all = all.join(", ");
        Some(format!(
            "Whole programs take, in the geometric mean, {all}, as in Meridian's dialects: {place}."
        ))
    };
    peers::PLACES.into_iter().filter_map(sentence).collect()
}
