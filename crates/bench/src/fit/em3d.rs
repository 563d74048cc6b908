//! EM3D predicted from the primitives, compared with the measured times.
//!
//! Only the communication is predicted. The time of an edge without remote edges is measured; there the
//! versions bundle and get do the same work, and so do put and bulk. Each version adds the cost of its
//! communication in a half step:
//!
//! - simple: a blocking read for each remote edge;
//! - bundle: a blocking read for each ghost;
//! - get and put: for each ghost the gap of a group of that size, of scattered words, and in all one latency;
//! - bulk: one bulk write.
//!
//! The number of ghosts follows from the graph: r edges into the n nodes of all other processors, drawn at
//! random, reach n (1 - (1 - 1/n)^r) different ones.
//!
//! If exchanges were measured, they replace these primitives, because all processors communicate at once: the
//! communication of a half step costs as much as an exchange of as many bytes, less its barrier, which the
//! version without remote edges has too. The reads of the exchanges go through arrays of pointers and are
//! summed (simple) or kept (bundle) as EM3D's are: a compiler that can prefetch the values of a whole loop
//! makes a read in such a loop a thousand times cheaper than a read that is waited for. By loads (smp) a word
//! that was read is in the cache, so the simple version pays for each ghost, not for each edge.

use super::exchange::Exchange;
use super::{calm, curve};
use crate::numbers::number;
use crate::results::{Point, Results};
use crate::sheet::Sheet;
use crate::statistics::Spread;

/// Nodes of each kind on a processor, and the edges of each (bench/probes/em3d.inc).
const NODES: f64 = 500.0;
const DEGREE: f64 = 20.0;
/// Bytes of a value, and the most blocking reads of an exchange between hosts (bench/probes/exchange.inc).
const WORD: f64 = 8.0;
const MOST_READS: f64 = 64.0;

/// The versions, in the order of the study.
pub const VERSIONS: [&str; 5] = ["simple", "bundle", "get", "put", "bulk"];

/// A version, over the share of remote edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The version.
    pub version: &'static str,
    /// (per cent of remote edges, nanoseconds an edge as measured, and as predicted).
    pub points: Vec<(f64, f64, f64)>,
}

/// The costs of the primitives of a dialect on a conduit, in nanoseconds.
#[derive(Clone, Debug)]
pub struct Costs {
    /// A blocking read.
    pub read: f64,
    /// The time of one of n gets, or puts, under way at once: (n, ns). The first entry is n = 1.
    pub groups: [Vec<(f64, f64)>; 2],
    /// The time of a bulk write: (bytes, ns).
    pub bulk: Vec<(f64, f64)>,
    /// Exchanges, if they were measured.
    pub exchange: Option<Exchange>,
    /// Remote memory is reached by loads and stores.
    pub loads: bool,
    /// The number of processors.
    pub processors: f64,
    /// The number of processors that share a core.
    pub turns: f64,
}

/// The dialects that EM3D is written in.
pub const DIALECTS: [&str; 2] = ["split-c", "upc"];

/// Returns all versions that were measured in a dialect on a conduit; empty if the primitives were not
/// measured.
pub fn of(results: &Results, dialect: &str, conduit: &str) -> Vec<Line> {
    let Some(costs) = costs(results, dialect, conduit) else { return vec![] };
    let line = |version: &'static str| {
        let measured = curve_of(results.of("em3d", dialect, conduit), version, "remote");
        let base = base(results, dialect, conduit, version)?;
        let point = |&(remote, ns): &(f64, f64)| Some((remote, ns, base + predict(&costs, version, remote)?));
        Some(Line { version, points: measured.iter().filter_map(point).collect() })
    };
    VERSIONS.into_iter().filter_map(line).collect()
}

/// Returns the time of a version without remote edges. Versions that then do the same work are pooled.
fn base(results: &Results, dialect: &str, conduit: &str, version: &str) -> Option<f64> {
    let alike: &[&str] = match version {
        "bundle" | "get" => &["bundle", "get"],
        "put" | "bulk" => &["put", "bulk"],
        _ => &["simple"],
    };
    let without =
        |point: &&Point| point.at.get("remote") == Some(&0) && alike.contains(&point.series.as_str());
    let points = results.of("em3d", dialect, conduit).filter(without);
    calm(&points.flat_map(|point| point.ns.iter().copied()).collect::<Vec<f64>>())
}

/// Returns the communication of a version in nanoseconds an edge.
pub fn predict(costs: &Costs, version: &str, remote: f64) -> Option<f64> {
    let edges = NODES * DEGREE;
    let far = edges * remote / 100.0;
    let ghosts = ghosts(far, NODES * (costs.processors - 1.0));
    if ghosts == 0.0 {
        return Some(0.0);
    }
    if let Some(exchange) = &costs.exchange {
        return Some(exchanged(exchange, costs, version, far, ghosts)? / edges);
    }
    let group = |which: usize| {
        let curve = &costs.groups[which];
        Some(ghosts * at(curve, ghosts)? + at(curve, 1.0)?)
    };
    let step = match version {
        "simple" => far * costs.read,
        "bundle" => ghosts * costs.read,
        "get" => group(0)?,
        "put" => group(1)?,
        "bulk" => at(&costs.bulk, ghosts * 8.0)?,
        _ => return None,
    };
    Some(step / edges)
}

/// Returns the number of different nodes that `edges` edges reach, drawn at random among `nodes`.
fn ghosts(edges: f64, nodes: f64) -> f64 {
    if nodes == 0.0 { 0.0 } else { nodes * (1.0 - (1.0 - 1.0 / nodes).powf(edges)) }
}

/// Returns the communication of a half step by exchanges, with `far` remote edges and `ghosts` ghosts. A
/// barrier ends the half step, so all processors of a core run one after another before it. Exchanges by
/// reads and gets, and the use of the data, are measured without a barrier, as the time of one processor;
/// those by puts and writes end with a barrier.
fn exchanged(exchange: &Exchange, costs: &Costs, version: &str, far: f64, ghosts: f64) -> Option<f64> {
    let bytes = ghosts * WORD;
    let alone = |series: &str| Some(exchange.time(series, "move", bytes)? * costs.turns);
    let reads = |series: &str, words: f64| {
        let each = exchange.time(series, "move", MOST_READS * WORD)? / MOST_READS;
        Some(words * each * costs.turns)
    };
    let came = |series: &str| Some(exchange.used(series, "nothing", bytes)? * costs.turns);
    match version {
        "simple" if costs.loads => alone("read"),
        "bundle" if costs.loads => alone("read, kept"),
        "simple" => reads("read", far),
        "bundle" => reads("read, kept", ghosts),
        "get" => Some(alone("get")? + came("get")?),
        "put" => Some(exchange.moved("put", bytes)? + came("put")?),
        "bulk" => Some(exchange.moved("write", bytes)? + came("write")?),
        _ => None,
    }
}

/// Returns the typical error of the predictions with remote edges: 0.1 is a tenth. Returns `None` without
/// any.
pub fn error(lines: &[Line]) -> Option<f64> {
    let points = lines.iter().flat_map(|line| line.points.iter().filter(|point| point.0 > 0.0));
    let errors: Vec<f64> = points.map(|(_, measured, predicted)| (predicted / measured).ln().abs()).collect();
    Some(Spread::of(&errors)?.median.exp() - 1.0)
}

fn costs(results: &Results, dialect: &str, conduit: &str) -> Option<Costs> {
    let points = |part| results.of(part, dialect, conduit);
    let mut reads = points("primitives")
        .filter(|p| p.series == "read" && p.what == "latency" && p.at.get("bytes") == Some(&8));
    let bulk = if dialect == "upc" { "memput" } else { "write" };
    Some(Costs {
        read: calm(&reads.next()?.ns)?,
        groups: ["get, scattered", "put, scattered"].map(|series| curve_of(points("groups"), series, "n")),
        bulk: curve_of(points("bulk"), bulk, "bytes"),
        exchange: Exchange::of(results, dialect, conduit),
        loads: conduit == "smp" || (dialect == "upc" && conduit == "am"),
        processors: results.processors(conduit) as f64,
        turns: results.threads_a_core(conduit),
    })
}

fn curve_of<'a>(points: impl Iterator<Item = &'a Point>, series: &str, axis: &str) -> Vec<(f64, f64)> {
    let curve = curve(points, series, axis);
    curve.into_iter().filter_map(|(x, ns)| Some((x, calm(ns)?))).collect()
}

/// Returns a curve's value at x, on a straight line between its points; beyond its ends the value there.
fn at(curve: &[(f64, f64)], x: f64) -> Option<f64> {
    let above = curve.iter().position(|point| point.0 >= x);
    match above {
        None => Some(curve.last()?.1),
        Some(0) => Some(curve[0].1),
        Some(i) => {
            let ((x0, y0), (x1, y1)) = (curve[i - 1], curve[i]);
            Some(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
        }
    }
}

/// Returns EM3D over a conduit, predicted and measured, as a table.
pub fn sheet(results: &Results, dialect: &str, conduit: &str) -> Sheet {
    let lines = of(results, dialect, conduit);
    let Some(error) = error(&lines) else { return Sheet::default() };
    let cell = |line: &Line, row: usize| {
        let (_, measured, predicted) = line.points.get(row)?;
        Some(format!("{} / {}", number(*measured), number(*predicted)))
    };
    let row = |(row, point): (usize, &(f64, f64, f64))| {
        let cells = lines.iter().map(|line| cell(line, row).unwrap_or_default());
        [format!("{} % remote edges", point.0)].into_iter().chain(cells).collect()
    };
    Sheet {
        id: format!("em3d-table-{dialect}-{conduit}"),
        title: format!("EM3D in {dialect} over {conduit}, ns an edge, lower quartiles: measured / predicted"),
        head: lines.iter().map(|line| line.version.to_string()).collect(),
        rows: lines[0].points.iter().enumerate().map(row).collect(),
        notes: vec![format!(
            "Predicted from the primitives, with a typical error of {:.0} %.",
            error * 100.0
        )],
        is_drawn: true,
        ..Sheet::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs() -> Costs {
        Costs {
            read: 1000.0,
            groups: [vec![(1.0, 900.0), (500.0, 100.0)], vec![(1.0, 800.0), (500.0, 50.0)]],
            bulk: vec![(8.0, 1000.0), (8000.0, 5000.0)],
            exchange: None,
            loads: false,
            processors: 2.0,
            turns: 1.0,
        }
    }

    #[test]
    fn closed_forms() {
        let predicted = |version, remote| predict(&costs(), version, remote).unwrap();
        assert_eq!(predicted("simple", 100.0), 1000.0);
        assert_eq!(predicted("simple", 10.0), 100.0);
        for version in VERSIONS {
            assert_eq!(predicted(version, 0.0), 0.0);
        }
        // With 10,000 edges into 500 nodes nearly every node has a ghost.
        assert!((predicted("bundle", 100.0) - 50.0).abs() < 0.01);
        assert!((predicted("get", 100.0) - (500.0 * 100.0 + 900.0) / 10_000.0).abs() < 0.01);
        assert!((predicted("bulk", 100.0) - 0.3).abs() < 0.01, "{}", predicted("bulk", 100.0));
    }

    #[test]
    fn ghosts_are_nodes_of_all_other_processors() {
        // 10,000 edges into the 3,500 nodes of seven others leave about one in e^(20/7) without an edge.
        let many = Costs { processors: 8.0, ..costs() };
        let right = 3500.0 * (1.0 - (-20.0_f64 / 7.0).exp()) * 1000.0 / 10_000.0;
        let bundle = predict(&many, "bundle", 100.0).unwrap();
        assert!((bundle / right - 1.0).abs() < 1e-3, "{bundle} {right}");
        assert_eq!(predict(&many, "simple", 100.0), predict(&costs(), "simple", 100.0), "one read an edge");
        assert_eq!(predict(&Costs { processors: 1.0, ..costs() }, "bundle", 100.0), Some(0.0));
    }

    #[test]
    fn exchanges_take_the_place_of_primitives() {
        let results = super::super::exchange::tests::measured("upc", "tcp", |series, what, bytes| {
            Some(match (series, what) {
                ("nothing", "move") => 7000.0,
                (_, "use") => bytes,
                ("read", _) => 125.0 * bytes,
                ("read, kept", _) => 1.25 * bytes,
                ("get", _) => 3000.0 + 2.0 * bytes,
                _ => 8000.0 + bytes,
            })
        });
        let exchange = Exchange::of(&results, "upc", "tcp");
        let of = |version, loads| {
            predict(&Costs { exchange: exchange.clone(), loads, ..costs() }, version, 100.0).unwrap()
        };
        // 500 ghosts are 4,000 bytes; a read of one word takes 1,000 ns.
        let near = |value: f64, right: f64| assert!((value / right - 1.0).abs() < 1e-3, "{value} {right}");
        near(of("simple", false), 1000.0);
        // Kept values are fetched at once: 10 ns each.
        near(of("bundle", false), 0.5);
        near(of("get", false), 11_000.0 / 10_000.0);
        near(of("put", false), 5_000.0 / 10_000.0);
        near(of("bulk", false), 5_000.0 / 10_000.0);
        near(of("simple", true), 50.0);
        // Four processors of a core run one after another before the barrier, which an exchange by puts
        // includes.
        let turns = |version| {
            let costs = Costs { exchange: exchange.clone(), turns: 4.0, ..costs() };
            predict(&costs, version, 100.0).unwrap() / of(version, false)
        };
        near(turns("simple"), 4.0);
        near(turns("get"), 4.0);
        near(turns("put"), 1.0);
    }

    #[test]
    fn the_order_is_the_studys() {
        let at_half = VERSIONS.map(|version| predict(&costs(), version, 50.0).unwrap());
        assert!(at_half.windows(2).all(|pair| pair[0] > pair[1]), "{at_half:?}");
    }

    #[test]
    fn the_error_is_that_of_the_median_point() {
        let line = |points: &[(f64, f64, f64)]| Line { version: "get", points: points.to_vec() };
        let error = error(&[line(&[(0.0, 1.0, 9.0), (5.0, 10.0, 11.0), (10.0, 10.0, 11.0)])]).unwrap();
        assert!((error - 0.1).abs() < 1e-9, "{error}");
        assert_eq!(super::error(&[line(&[(0.0, 1.0, 1.0)])]), None);
    }
}
