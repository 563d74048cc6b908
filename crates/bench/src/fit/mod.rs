//! Results that follow from the samples: the parameters of the machine, predictions and comparisons.
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
pub mod sorts;
pub mod stores;
pub mod tam;

use crate::numbers::{bytes, number};
use crate::results::{Point, Results};
use crate::statistics::Spread;

pub use bootstrap::Interval;

/// Returns the parameters as text for the terminal.
pub fn text(results: &Results) -> String {
    let mut text = String::new();
    let levels = caches::of(results);
    if !levels.is_empty() {
        text += "\nmemory, by dependent reads of random lines\n\n";
        for level in &levels {
            let size = level.bytes.map_or_else(|| "memory".to_string(), |n| format!("up to {}", bytes(n)));
            text += &format!("  {size:14} {:>8} ns a read\n", number(level.ns));
        }
    }
    let machines: Vec<_> = conduits(results).into_iter().filter_map(|c| loggp::of(results, &c)).collect();
    if !machines.is_empty() {
        text += "\nLogGP, by Split-C's split-phase gets and bulk gets; 95 % intervals\n\n";
        text += &format!(
            "  {:8} {:>26} {:>26} {:>26} {:>30} {:>10}\n",
            "", "overhead o, ns", "latency L, ns", "gap g, ns", "gap a byte G, ns", "N1/2"
        );
        for (conduit, fit) in conduits(results).iter().filter_map(|c| Some((c, loggp::of(results, c)?))) {
            let half = fit.half_bandwidth.map_or("-".into(), |n| bytes(n.round() as u64));
            let [o, l, g, byte] = [fit.overhead, fit.latency, fit.gap, fit.byte].map(|i| i.to_string());
            text += &format!("  {conduit:8} {o:>26} {l:>26} {g:>26} {byte:>30} {half:>10}\n");
        }
    }
    let crossings: Vec<_> = conduits(results).iter().flat_map(|c| crossover::of(results, c)).collect();
    if !crossings.is_empty() {
        text += "\ncross-overs\n\n";
    }
    crossings.iter().for_each(|crossing| text += &format!("  {crossing}\n"));
    for dialect in em3d::DIALECTS {
        conduits(results).iter().for_each(|conduit| text += &em3d_text(results, dialect, conduit));
    }
    conduits(results).iter().for_each(|conduit| text += &sorts::text(results, conduit));
    text + &livermore::text(results)
        + &tam::text(results)
        + &beside::text(results)
        + &goals::text(results)
        + &plain_c::text(results)
}

/// Returns EM3D over a conduit, predicted and measured.
fn em3d_text(results: &Results, dialect: &str, conduit: &str) -> String {
    let lines = em3d::of(results, dialect, conduit);
    let Some(error) = em3d::error(&lines) else { return String::new() };
    let mut text = format!(
        "\nEM3D in {dialect} over {conduit}, ns an edge, lower quartiles: measured / predicted from the primitives; typical error {:.0} %\n\n  {:12}",
        error * 100.0,
        "remote edges"
    );
    lines.iter().for_each(|line| text += &format!(" {:>17}", line.version));
    for (row, (remote, ..)) in lines[0].points.iter().enumerate() {
        text += &format!("\n  {:12}", format!("{remote} %"));
        for line in &lines {
            let cell = line.points.get(row).map(|(_, m, p)| format!("{} / {}", number(*m), number(*p)));
            text += &format!(" {:>17}", cell.unwrap_or_default());
        }
    }
    text + "\n"
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
