//! The four sorts in the report: figure 6-9, and table 6-2 for this machine.

use bench::fit::conduits;
use bench::fit::sorts::{self, SORTS, Sort};
use bench::results::Results;
use maud::{Markup, html};

use crate::draw::{Axis, Figure, Series, Unit};
use crate::papers;

/// Table 6-2: the phases of radix sort on the CM-5, 512 processors, in microseconds a key of one processor.
const CM5_RADIX: [(&str, f64); 4] =
    [("histogram", 2.41), ("scan", 1.61), ("permute", 23.26), ("time", 27.28)];

/// Measured and predicted times over the number of keys, for uniform keys.
pub fn figure(results: &Results, conduit: &str) -> Figure {
    let all = sorts::of(results, conduit);
    let error = sorts::error(&all).map_or(0.0, |error| error * 100.0);
    let from = match sorts::parameters(results, conduit) {
        Some((_, true)) => "the machine profile",
        _ => "the primitives of this run",
    };
    let line = |name: &str, predicted: bool| {
        let point = |sort: &Sort| {
            let whole = sort.whole();
            Some((sort.keys as f64, if predicted { whole.predicted? } else { whole.measured }))
        };
        let of = all.iter().filter(|sort| sort.name == name && sort.distribution == "uniform");
        let name = if predicted { format!("{name}, predicted") } else { name.to_string() };
        Series { name, points: of.filter_map(point).collect() }
    };
    Figure {
        id: format!("sorts-{conduit}"),
        title: format!("Four sorts in Split-C over {conduit}"),
        source: "Figure 6-9",
        caption: format!(
            "Uniform keys of 31 bits on two processors. The predictions add what each step takes on one processor, measured \
             alone, and what its stores take by {from}. Their typical error, over all keys, is {error:.0} %."
        ),
        x: Axis { name: "keys of a processor", unit: Unit::Count },
        y: Axis { name: "time of a key of one processor", unit: Unit::Time },
        series: SORTS.iter().flat_map(|(name, _)| [line(name, false), line(name, true)]).collect(),
        levels: vec![],
        paper: papers::SORTS,
    }
}

/// The phases of each sort, for the largest measured number of uniform keys.
pub fn section(results: &Results) -> Markup {
    let conduits: Vec<(String, Vec<Sort>)> = conduits(results)
        .into_iter()
        .map(|conduit| (conduit.clone(), sorts::of(results, &conduit)))
        .filter(|(_, sorts)| !sorts.is_empty())
        .collect();
    let cell = |all: &[Sort], name: &str, what: &str, predicted: bool| -> String {
        let of = all.iter().filter(|sort| sort.name == name && sort.distribution == "uniform");
        let time =
            of.max_by_key(|sort| sort.keys).and_then(|sort| sort.times.iter().find(|time| time.what == what));
        let ns = time.and_then(|time| if predicted { time.predicted } else { Some(time.measured) });
        ns.map(|ns| Unit::Time.text(ns)).unwrap_or_default()
    };
    let paper = |name: &str, what: &str| {
        let phase = CM5_RADIX.iter().find(|(phase, _)| name == "radix" && *phase == what);
        phase.map(|(_, microseconds)| format!("{microseconds} µs")).unwrap_or_default()
    };
    html! {
        @if !conduits.is_empty() {
            h2 id="sorts" { "The phases of the sorts" }
            p { "The time of each phase, a key of one processor, measured and predicted; uniform keys, as many as were \
                measured. Beside radix sort what the CM-5 took: table 6-2 of von Eicken's Active Messages." }
            div.wide {
                table {
                    thead {
                        tr { th {} th {} @for (c, _) in &conduits { th colspan="2" scope="colgroup" { (c) } } th scope="colgroup" { "CM-5, 1993" } }
                        tr { th scope="col" { "sort" } th scope="col" { "phase" }
                            @for _ in &conduits { th scope="col" { "measured" } th scope="col" { "predicted" } } th {} }
                    }
                    tbody { @for (name, phases) in SORTS { @for what in phases.iter().chain([&"time"]) {
                        tr {
                            th scope="row" { (name) } td { @if *what == "time" { "all" } @else { (what) } }
                            @for (_, all) in &conduits { td { (cell(all, name, what, false)) } td { (cell(all, name, what, true)) } }
                            td.paper-value { (paper(name, what)) }
                        }
                    } } }
                }
            }
        }
    }
}

/// The fastest sort over a conduit, for the summary.
pub fn sentence(results: &Results, conduit: &str) -> Option<String> {
    let all = sorts::of(results, conduit);
    let uniform = || all.iter().filter(|sort| sort.distribution == "uniform");
    let most = uniform().map(|sort| sort.keys).max()?;
    let mut largest: Vec<&Sort> = uniform().filter(|sort| sort.keys == most).collect();
    largest.sort_by(|a, b| a.whole().measured.total_cmp(&b.whole().measured));
    let (first, last) = (largest.first()?, largest.last()?);
    Some(format!(
        "Over {conduit}, {} sort is the fastest of four for {most} uniform keys a processor, at {} a key; {} sort takes {}. \
         What they take follows from their steps and stores with a typical error of {:.0} %.",
        first.name,
        Unit::Time.text(first.whole().measured),
        last.name,
        Unit::Time.text(last.whole().measured),
        sorts::error(&all)? * 100.0
    ))
}
