//! Shifts of distributed arrays in the report: figures 8 to 11 of TR-18-93.

use bench::fit::beside::comparison::where_text;
use bench::fit::beside::polyshift;
use bench::results::Results;

use crate::draw::{Axis, Figure, Series, Unit};
use crate::papers;

/// The figures that have measurements.
pub fn figures(results: &Results) -> Vec<Figure> {
    let places = polyshift::places_of_shifts(results);
    let of = |(conduit, processes): &(String, u64)| {
        [speedup(results, conduit, *processes), model(results, conduit, *processes)]
    };
    places.iter().flat_map(of).collect()
}

/// Figure 8: the speedup of all shifts at once, over the size of the subgrid.
fn speedup(results: &Results, conduit: &str, processes: u64) -> Figure {
    let measured = polyshift::speedups(results, conduit, processes);
    let mut series = Vec::new();
    for (rank, points) in &measured {
        series.push(Series { name: format!("rank {rank}"), points: points.clone() });
    }
    for (rank, speedups) in (1..).zip(papers::PSHIFT) {
        let points = speedups.iter().map(|&(length, speedup)| (length.powi(rank), speedup)).collect();
        series.push(Series { name: format!("1993, rank {rank}"), points });
    }
    if measured.is_empty() {
        series.clear();
    }
    Figure {
        id: format!("speedup-{conduit}-{processes}"),
        title: format!("What all shifts at once gain, {}", where_text(conduit, processes)),
        source: "Figure 8 of TR-18-93",
        caption: "How many times the time of mer_pshift the same shifts by mer_cshift take, one at a time: by +1 and -1 along \
                  every axis; 1993: on the CM-200. With small subgrids messages and calls count, with large ones the moves \
                  within a process, which both have to make."
            .into(),
        x: Axis { name: "elements of a process's subgrid", unit: Unit::Count },
        y: Axis { name: "speedup", unit: Unit::Times },
        series,
        levels: vec![],
        paper: papers::SHIFTS,
    }
}

/// Figures 9 to 11: the time of all shifts at once, and the model.
fn model(results: &Results, conduit: &str, processes: u64) -> Figure {
    let models = polyshift::models(results, conduit, processes);
    let text = |model: &polyshift::Model| {
        let error = 100.0 * model.error();
        format!("rank {}: {} ns, at most {error:.0} % off", model.rank, model.text())
    };
    let texts: Vec<String> = models.iter().map(text).collect();
    let lines = models.iter().flat_map(|model| {
        let fitted = model.points.iter().map(|&(length, _)| (length, model.at(length)));
        [
            Series { name: format!("rank {}", model.rank), points: model.points.clone() },
            Series {
                name: format!("rank {}, model", model.rank),
                points: fitted.filter(|point| point.1 > 0.0).collect(),
            },
        ]
    });
    Figure {
        id: format!("shift-model-{conduit}-{processes}"),
        title: format!("The time of all shifts at once, {}", where_text(conduit, processes)),
        source: "Figures 9 to 11 of TR-18-93",
        caption: format!(
            "A call of mer_pshift over the length L of the subgrid's axes, and equation 2 fitted to it: {}.",
            texts.join("; ")
        ),
        x: Axis { name: "length of an axis", unit: Unit::Count },
        y: Axis { name: "time of a call", unit: Unit::Time },
        series: lines.collect(),
        levels: vec![],
        paper: &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_speedups_fall_with_the_size() {
        for speedups in papers::PSHIFT {
            assert!(speedups.windows(2).all(|pair| pair[0].0 < pair[1].0));
            assert!(speedups[0].1 > 3.0 && speedups.last().unwrap().1 < 2.1);
        }
    }
}
