//! The figures of the report: the points of each, and the figure of a paper that it redraws.

use std::collections::BTreeMap;

use bench::fit::{conduits, curve, em3d};
use bench::results::{Point, Results};
use bench::statistics::Spread;

use crate::draw::{Axis, Figure, Series, Unit};
use crate::{papers, polyshift, sorts};

const TIME: Axis = Axis { name: "time of an access", unit: Unit::Time };
const BYTES: Axis = Axis { name: "bytes", unit: Unit::Bytes };
const STRIDE: Axis = Axis { name: "stride", unit: Unit::Bytes };

/// All figures for which the results have points, in the order of the report.
pub fn all(results: &Results) -> Vec<Figure> {
    let mut figures =
        vec![walk(results, "smp", Walk::LocalRead), walk(results, "smp", Walk::LocalWrite), chase(results)];
    for conduit in conduits(results) {
        figures.push(walk(results, &conduit, Walk::RemoteRead));
        figures.push(walk(results, &conduit, Walk::RemoteWrite));
    }
    figures.push(groups(
        results,
        "get",
        "Figure 6",
        papers::GROUPS_OF_GETS,
        &[("T3D: 250 ns", 250.0), ("T3E: 130 ns", 130.0)],
    ));
    figures.push(groups(results, "put", "Figure 7", papers::GROUPS_OF_PUTS, &[]));
    for conduit in conduits(results) {
        figures.push(bulk(results, &conduit));
    }
    for conduit in conduits(results) {
        figures.push(small(results, &conduit));
    }
    figures.extend(conduits(results).iter().map(|conduit| exchange(results, conduit)));
    figures.extend(conduits(results).iter().map(|conduit| sorts::figure(results, conduit)));
    figures.push(em3d_local(results));
    for dialect in em3d::DIALECTS {
        for conduit in conduits(results) {
            figures.extend(em3d(results, dialect, &conduit));
        }
    }
    for conduit in conduits(results) {
        figures.push(applications(results, &conduit));
    }
    figures.extend(polyshift::figures(results));
    figures.retain(|figure| figure.series.iter().any(|series| series.points.len() > 1));
    figures
}

/// A walk over memory by stride and size.
#[derive(Clone, Copy)]
enum Walk {
    LocalRead,
    LocalWrite,
    RemoteRead,
    RemoteWrite,
}

fn walk(results: &Results, conduit: &str, walk: Walk) -> Figure {
    let (part, series, whose, source, paper, levels): (_, _, _, _, _, &[_]) = match walk {
        Walk::LocalRead => ("memory", "read", "its own memory", "Figure 2", papers::LOCAL_READ, &[]),
        Walk::LocalWrite => ("memory", "write", "its own memory", "Figure 3", papers::LOCAL_WRITE, &[]),
        Walk::RemoteRead => {
            let levels: &[_] = &[("T3D: 600 to 750 ns", 675.0), ("T3E: 1500 ns", 1500.0)];
            ("remote", "read", "another processor's memory", "Figure 4", papers::REMOTE_READ, levels)
        }
        Walk::RemoteWrite => {
            ("remote", "write", "another processor's memory", "Figure 5", papers::REMOTE_WRITE, &[])
        }
    };
    let mut sizes: BTreeMap<u64, Vec<(f64, f64)>> = BTreeMap::new();
    for point in results.of(part, "split-c", conduit).filter(|point| point.series == series) {
        if let (Some(&size), Some(&stride), Some(spread)) =
            (point.at.get("size"), point.at.get("stride"), point.spread())
        {
            sizes.entry(size).or_default().push((stride as f64, spread.median));
        }
    }
    let step = if sizes.len() > 9 { 2 } else { 1 };
    let lines = sizes.into_iter().step_by(step).map(|(size, points)| {
        let mut points = points;
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { name: bench::bytes(size), points }
    });
    let over = if part == "memory" { String::new() } else { format!(", over {conduit}") };
    Figure {
        id: format!("{part}-{series}-{conduit}"),
        title: format!("A processor {}s {whose}{over}", if series == "write" { "write" } else { "read" }),
        source,
        caption: "A walk over an array goes from element to element by the stride, round and round. Each line is an array \
                  of one size. Where a line lies higher than the one before it, the array no longer fits into a level of \
                  the memory."
            .into(),
        x: STRIDE,
        y: TIME,
        series: lines.collect(),
        levels: levels.to_vec(),
        paper,
    }
}

fn chase(results: &Results) -> Figure {
    let points = medians(results.of("memory", "split-c", "smp"), "chase", "size");
    Figure {
        id: "memory-chase".into(),
        title: "Dependent reads of random lines".into(),
        source: "beside Figure 2",
        caption: "Each read says where the next one goes, and no prefetcher can guess it. The steps are the levels of the \
                  memory."
            .into(),
        x: Axis { name: "size of what is read", unit: Unit::Bytes },
        y: TIME,
        series: vec![Series { name: "a read".into(), points }],
        levels: vec![],
        paper: papers::LOCAL_READ,
    }
}

fn groups(
    results: &Results,
    series: &str,
    source: &'static str,
    paper: &'static [&'static str],
    levels: &[(&'static str, f64)],
) -> Figure {
    let line = |conduit: String| Series {
        points: medians(results.of("groups", "split-c", &conduit), series, "n"),
        name: conduit,
    };
    Figure {
        id: format!("groups-{series}"),
        title: format!("Groups of n {series}s, then sync"),
        source,
        caption: "The time of one access, when n of them are under way before the processor waits. A line that falls says \
                  that the latency is hidden."
            .into(),
        x: Axis { name: "n", unit: Unit::Count },
        y: TIME,
        series: conduits(results).into_iter().map(line).collect(),
        levels: levels.to_vec(),
        paper,
    }
}

/// The bandwidth of bulk transfers.
fn bulk(results: &Results, conduit: &str) -> Figure {
    let mut series = Vec::new();
    for (dialect, name) in [
        ("split-c", "read"),
        ("split-c", "get"),
        ("split-c", "write"),
        ("split-c", "put"),
        ("split-c", "store"),
        ("upc", "memget"),
        ("upc", "memput"),
        ("split-c", "memcpy"),
    ] {
        let times = medians(results.of("bulk", dialect, conduit), name, "bytes");
        let points = times.into_iter().map(|(bytes, ns)| (bytes, bytes / ns)).collect();
        let name = if dialect == "upc" { format!("upc_{name}") } else { name.to_string() };
        series.push(Series { name, points });
    }
    Figure {
        id: format!("bulk-{conduit}"),
        title: format!("Bulk transfers, over {conduit}"),
        source: "Figures 8 and 9",
        caption:
            "Bandwidth over size. A private copy (memcpy) stands beside them for what the memory itself does."
                .into(),
        x: BYTES,
        y: Axis { name: "bandwidth", unit: Unit::Rate },
        series,
        levels: vec![],
        paper: papers::BULK,
    }
}

fn small(results: &Results, conduit: &str) -> Figure {
    let line = |series: &str, name: &str| Series {
        name: name.into(),
        points: medians(results.of("small", "upc", conduit), series, "bytes"),
    };
    Figure {
        id: format!("small-{conduit}"),
        title: format!("Small puts and gets in UPC, over {conduit}"),
        source: "Figures 4 and 5 of the X1 paper",
        caption: "One transfer and its completion; and puts of which 64 are under way at once.".into(),
        x: BYTES,
        y: Axis { name: "time of a transfer", unit: Unit::Time },
        series: vec![
            line("memget", "get"),
            line("memput", "put"),
            line("memput, 64 at a time", "put, 64 at once"),
            line("memcpy", "memcpy"),
        ],
        levels: vec![],
        paper: papers::SMALL,
    }
}

/// EM3D without remote edges, over the size of the graph.
fn em3d_local(results: &Results) -> Figure {
    let line = |(dialect, name): (&str, &str)| Series {
        name: name.into(),
        points: medians(results.of("em3d", dialect, "smp"), "local", "nodes"),
    };
    Figure {
        id: "em3d-local".into(),
        title: "EM3D within one processor".into(),
        source: "Figure 10",
        caption: "The time of an edge without remote edges, over the nodes of each kind on a processor, of degree 20. Where the \
                  line rises, the graph no longer fits into a level of the memory."
            .into(),
        x: Axis { name: "nodes", unit: Unit::Count },
        y: Axis { name: "time of an edge", unit: Unit::Time },
        series: [("split-c", "Split-C"), ("upc", "UPC")].into_iter().map(line).collect(),
        levels: vec![],
        paper: papers::EM3D_LOCAL,
    }
}

/// EM3D as measured and as predicted, in two figures.
fn em3d(results: &Results, dialect: &str, conduit: &str) -> Vec<Figure> {
    let lines = em3d::of(results, dialect, conduit);
    let language = if dialect == "upc" { "UPC" } else { "Split-C" };
    let error = em3d::error(&lines).map_or(0.0, |error| error * 100.0);
    let figure = |predicted: bool| Figure {
        id: format!("em3d-{dialect}-{conduit}-{}", if predicted { "predicted" } else { "measured" }),
        title: format!(
            "EM3D in {language} over {conduit}, {}",
            if predicted { "predicted" } else { "measured" }
        ),
        source: "Figure 11",
        caption: if predicted {
            format!(
                "What the primitives' costs say: the time without remote edges, and the cost of what moves. The typical \
                 error is {error:.0} %."
            )
        } else {
            "500 nodes of each kind on each of two processors, of degree 20. Simple reads through global pointers; bundle \
             reads each remote node once; get does so split-phase; put and bulk push the values to where they are needed."
                .into()
        },
        x: Axis { name: "remote edges", unit: Unit::Percent },
        y: Axis { name: "time of an edge", unit: Unit::Time },
        series: lines
            .iter()
            .map(|line| Series {
                name: line.version.into(),
                points: line
                    .points
                    .iter()
                    .filter(|point| point.0 > 0.0)
                    .map(|point| (point.0, if predicted { point.2 } else { point.1 }))
                    .collect(),
            })
            .collect(),
        levels: vec![],
        paper: papers::EM3D,
    };
    vec![figure(false), figure(true)]
}

/// The exchange among all processors, over its size.
fn exchange(results: &Results, conduit: &str) -> Figure {
    let line = |name: &str| {
        let points = results.of("exchange", "split-c", conduit).filter(|point| point.what == "time");
        Series { name: name.into(), points: medians(points, name, "bytes") }
    };
    let names = ["nothing", "read", "get", "put", "write", "store", "store, scattered", "bulk store", "own"];
    Figure {
        id: format!("exchange-{conduit}"),
        title: format!("Exchanges of all processors, over {conduit}"),
        source: "what predictions rest on",
        caption: "All processors move so many bytes to each other at once, agree that all has arrived, and use what has \
                  come to them. Own: the same in a processor's own memory; nothing: the agreement and the use alone."
            .into(),
        x: Axis { name: "bytes of a processor", unit: Unit::Bytes },
        y: Axis { name: "time", unit: Unit::Time },
        series: names.into_iter().map(line).collect(),
        levels: vec![],
        paper: &[],
    }
}

/// The applications in UPC over the size of their arrays.
fn applications(results: &Results, conduit: &str) -> Figure {
    let line = |name: &str| Series {
        name: name.into(),
        points: medians(results.of("applications", "upc", conduit), name, "size"),
    };
    let names =
        ["triad", "RandomAccess", "histogram", "index-gather", "transpose", "2-D stencil", "3-D stencil"];
    Figure {
        id: format!("applications-{conduit}"),
        title: format!("Small applications in UPC, over {conduit}"),
        source: "beside Figures 11 to 13",
        caption: "Two threads work at once. Triad, transpose and stencils: the time of an element of one thread. \
                  RandomAccess, histogram and index-gather: that of a random access, half of which are remote; \
                  histogram adds atomically."
            .into(),
        x: Axis { name: "size of an array on a thread", unit: Unit::Bytes },
        y: Axis { name: "time", unit: Unit::Time },
        series: names.into_iter().map(line).collect(),
        levels: vec![],
        paper: &[],
    }
}

fn medians<'a>(points: impl Iterator<Item = &'a Point>, series: &str, axis: &str) -> Vec<(f64, f64)> {
    let medians =
        curve(points, series, axis).into_iter().filter_map(|(x, ns)| Some((x, Spread::of(ns)?.median)));
    medians.filter(|(x, ns)| *x > 0.0 && *ns > 0.0).collect()
}
