//! Comparisons in the report: a table with a figure of ratios for each, and the instructions of Id programs.

use bench::fit::beside;
use bench::fit::beside::comparison::Comparison;
use bench::fit::beside::id90::{Mix, fewer, mixes};
use bench::fit::beside::peers::Row;
use bench::results::Results;
use maud::{Markup, html};

use crate::section;

/// The tables, each with its figure of ratios; empty if nothing was measured.
pub fn sections(results: &Results) -> Markup {
    html! {
        @for Comparison { id, title, caption, table, .. } in beside::all(results) {
            (section::of_ratios(&id, &title, &html! { (caption) " In brackets: how many times Meridian's time it is." }, "what", &table))
        }
        (instructions(results))
    }
}

/// Figure 6-12 of von Eicken's thesis, as a table.
fn instructions(results: &Results) -> Markup {
    let mixes = mixes(results);
    let Some(mean) = fewer(&mixes) else { return html! {} };
    let part = |of: [f64; 4], class: usize| format!("{:.0} %", 100.0 * of[class] / of.iter().sum::<f64>());
    let row = |mix: &Mix, name: &str, of: [f64; 4], saved: String| {
        html! { tr {
            th scope="row" { (mix.program) ", " (name) } td { (bench::number(of.iter().sum::<f64>() / 1e3)) }
            @for class in 0..of.len() { td { (part(of, class)) } }
            td { (saved) }
        } }
    };
    html! {
        section id="id90-instructions" {
            h2 { "The instructions of the abstract machine under Id90" }
            p { "Thousands of instructions on one processor and the parts of each class, with the TAM optimisations (tam) and \
                without (dataflow). In the mean the optimisations save " (format!("{:.0} %", 100.0 * mean)) " of the control \
                instructions. " span.source { "Redrawn: Figure 6-12 of von Eicken's thesis." } }
            div.wide { table {
                thead { tr { th scope="col" { "program" } th scope="col" { "thousands" }
                    @for class in ["arithmetic", "heap", "control", "messages", "control saved"] { th scope="col" { (class) } } } }
                tbody { @for mix in &mixes {
                    (row(mix, "tam", mix.tam, format!("{:.0} %", 100.0 * mix.fewer())))
                    (row(mix, "dataflow", mix.dataflow, String::new()))
                } }
            } }
        }
    }
}

/// The conclusions for the summary: for each comparison, the extreme ratios of the first other system.
pub fn sentences(results: &Results) -> Vec<String> {
    let sentence = |comparison: Comparison| {
        let Comparison { title, table, .. } = comparison;
        let ratio = |row: &Row| Some((row.peers.first().copied().flatten()? / row.ours, row.label.clone()));
        let mut all: Vec<(f64, String)> = table.rows.iter().filter_map(ratio).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ((least, small), (most, large)) = (all.first()?, all.last()?);
        let (peer, most, least) = (table.peers.first()?, bench::number(*most), bench::number(*least));
        Some(format!(
            "{title}: {peer} takes {most} times Meridian's time for {large}, and {least} times for {small}."
        ))
    };
    beside::all(results).into_iter().filter_map(sentence).collect()
}
