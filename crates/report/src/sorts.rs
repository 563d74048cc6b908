//! The four sorts in the report: figure 6-9.

use bench::fit::sorts::{self, SORTS, Sort};
use bench::results::Results;

use crate::draw::{Axis, Figure, Series, Unit};
use crate::papers;

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
