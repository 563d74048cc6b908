//! Results that follow from the samples: the parameters of the machine, predictions and comparisons. `points`
//! has the samples of single operations themselves.
//!
//! `loggp` fits latency, overhead, gap and gap a byte of each conduit, `caches` finds the levels of the
//! memory in the times of dependent reads, and `crossover` the size from which one mechanism is cheaper than
//! another. `em3d` and `sorts` predict applications from these, from `stores` and from `exchange`.
//! `livermore` and `plain_c` compare translated C with plain C, `tam` the machine under Id90 with its thesis,
//! and `beside` Meridian with other systems and other means. `goals` names the missed goals. Each fit is a
//! function of samples alone, and is tested on samples that were made with known parameters.

pub mod beside;
mod bootstrap;
pub mod caches;
pub mod crossover;
pub mod em3d;
pub mod exchange;
pub mod goals;
pub mod livermore;
pub mod loggp;
pub mod plain_c;
mod points;
pub mod sorts;
pub mod stores;
pub mod tam;

use crate::results::{Point, Results};
use crate::sheet::Sheet;
use crate::statistics::Spread;
use beside::comparison::Comparison;
use beside::{id90, polyshift};

pub use bootstrap::Interval;

/// Returns all tables that follow from the samples.
pub fn sheets(results: &Results) -> Vec<Sheet> {
    let conduits = conduits(results);
    let mut sheets: Vec<Sheet> = points::sheets(results).collect();
    sheets.extend([caches::sheet(results), loggp::sheet(results)]);
    for dialect in em3d::DIALECTS {
        sheets.extend(conduits.iter().map(|conduit| em3d::sheet(results, dialect, conduit)));
    }
    sheets.extend(conduits.iter().map(|conduit| sorts::sheet(results, conduit)));
    sheets.extend([livermore::sheet(results), tam::sheet(results), tam::remote_sheet(results)]);
    sheets.extend(beside::all(results).into_iter().map(Comparison::sheet));
    sheets.extend(polyshift::sheets(results));
    sheets.push(id90::sheet(results));
    sheets.extend(plain_c::sheets(results));
    sheets.retain(|sheet| !sheet.rows.is_empty());
    sheets
}

/// Returns the tables, the cross-overs and the missed goals for the terminal.
pub fn text(results: &Results) -> String {
    let mut text: String = sheets(results).iter().map(Sheet::text).collect();
    let crossings: Vec<_> = conduits(results).iter().flat_map(|c| crossover::of(results, c)).collect();
    if !crossings.is_empty() {
        text += "\ncross-overs\n\n";
    }
    crossings.iter().for_each(|crossing| text += &format!("  {crossing}\n"));
    text + &goals::text(results)
}

/// Returns the conduits that were measured, in order.
pub fn conduits(results: &Results) -> Vec<String> {
    let mut conduits: Vec<String> = Vec::new();
    for point in &results.points {
        if point.part != "plain-c" && !conduits.contains(&point.conduit) {
            conduits.push(point.conduit.clone());
        }
    }
    conduits
}

/// Returns the lower quartile of samples: the estimate for an undisturbed machine. Predictions and the values
/// that they are compared with rest on it, because other programs only ever lengthen a sample, and by chance
/// those of one point more than those of another.
fn calm(ns: &[f64]) -> Option<f64> {
    Some(Spread::of(ns)?.lower)
}

/// Returns a curve: a series' points over one axis, ascending, with all samples.
pub fn curve<'a>(points: impl Iterator<Item = &'a Point>, series: &str, axis: &str) -> Vec<(f64, &'a [f64])> {
    let mut curve: Vec<(f64, &[f64])> = points
        .filter(|point| point.series == series && !point.ns.is_empty())
        .filter_map(|point| Some((*point.at.get(axis)? as f64, point.ns.as_slice())))
        .collect();
    curve.sort_by(|a, b| a.0.total_cmp(&b.0));
    curve
}
