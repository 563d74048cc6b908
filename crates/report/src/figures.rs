//! The figures of the report: a row for each figure of a paper that is redrawn, with its points, and with the
//! papers' results for their machines, beside which this machine's stand. Figures that the papers only draw
//! are given as far as their text states them.
//!
//! T3D, T3E: Krishnamurthy, Culler, Yelick, "Empirical Evaluation of Global Memory Support on the CRAY-T3D
//! and CRAY-T3E", 1998. CM-5: von Eicken, "Active Messages", 1993. X1: Bell, Chen, Bonachea,
//! Yelick, "Evaluating Support for Global Address Space Languages on the Cray X1", 2004. CM-200: TR-18-93 of
//! Harvard's Center for Research in Computing Technology on Polyshift, 1993.

use std::collections::BTreeMap;

use bench::fit::beside::comparison::where_text;
use bench::fit::beside::polyshift;
use bench::fit::sorts::{self, SORTS, Sort};
use bench::fit::{conduits, curve, em3d};
use bench::results::Results;
use bench::statistics::Spread;

use crate::draw::{Axis, Figure, Series, Unit};

/// A place of measurements that a figure shows.
#[derive(Clone, Debug, Default)]
struct Place {
    conduit: String,
    dialect: &'static str,
    processes: u64,
}

/// A figure for each place. In its identifier and its title `{conduit}`, `{dialect}`, `{language}`,
/// `{processes}` and `{where}` stand for the place.
struct Kind {
    id: &'static str,
    /// The places that have a figure.
    over: fn(&Results) -> Vec<Place>,
    title: &'static str,
    source: &'static str,
    caption: &'static str,
    /// The end of the caption, with numbers from the measurements.
    note: fn(&Results, &Place) -> String,
    x: Axis,
    y: Axis,
    lines: fn(&Results, &Place) -> Vec<Series>,
    levels: &'static [(&'static str, f64)],
    paper: &'static [&'static str],
}

const BYTES: Axis = ("bytes", Unit::Bytes);
const EDGE: Axis = ("time of an edge", Unit::Time);
const STRIDE: Axis = ("stride", Unit::Bytes);
const ACCESS: Axis = ("time of an access", Unit::Time);

/// The properties that most figures share.
const USUAL: Kind = Kind {
    id: "",
    over: each_conduit,
    title: "",
    source: "",
    caption: "",
    note: |_, _| String::new(),
    x: BYTES,
    y: ACCESS,
    lines: |_, _| vec![],
    levels: &[],
    paper: &[],
};

const WALK: Kind = Kind {
    caption: "A walk over an array goes from element to element by the stride, round and round. Each line \
              is an array of one size. Where a line lies higher than the one before it, the array no longer \
              fits into a level of the memory.",
    x: STRIDE,
    ..USUAL
};
const GROUPS: Kind = Kind {
    caption: "The time of one access, when n of them are under way before the processor waits. A line that \
              falls says that the latency is hidden.",
    x: ("n", Unit::Count),
    ..USUAL
};
const EM3D: Kind = Kind {
    source: "Figure 11",
    x: ("remote edges", Unit::Percent),
    y: EDGE,
    paper: &["T3D and T3E, 16 processors: the versions differ more on the T3E, whose blocking accesses are \
         dearer and whose split-phase ones are cheaper to start."],
    ..USUAL
};

const LOCAL_READ: &[&str] = &[
    "T3D (150 MHz): a direct-mapped first-level cache of 8 KB with lines of 32 bytes, no second level; \
     DRAM pages of 16 KB in 4 banks.",
    "T3E (300 MHz): the same first level, and a second level of between 64 and 128 KB with lines of 64 \
     bytes; its main memory has the higher latency of the two.",
    "On neither does the TLB show: both have very large pages.",
];

/// The figures, in the order of the report.
const KINDS: [Kind; 17] = [
    Kind {
        id: "memory-read-smp",
        over: once,
        title: "A processor reads its own memory",
        source: "Figure 2",
        lines: |results, at| walk(results, at, "memory", "read"),
        paper: LOCAL_READ,
        ..WALK
    },
    Kind {
        id: "memory-write-smp",
        over: once,
        title: "A processor writes its own memory",
        source: "Figure 3",
        lines: |results, at| walk(results, at, "memory", "write"),
        paper: &["T3D: writes merge in the write buffer."],
        ..WALK
    },
    Kind {
        id: "memory-chase",
        over: once,
        title: "Dependent reads of random lines",
        source: "beside Figure 2",
        caption: "Each read says where the next one goes, and no prefetcher can guess it. The steps are the \
                  levels of the memory.",
        x: ("size of what is read", Unit::Bytes),
        lines: |results, at| medians(results, at, "memory", "size", &["split-c/chase: a read"]),
        paper: LOCAL_READ,
        ..USUAL
    },
    Kind {
        id: "remote-read-{conduit}",
        title: "A processor reads another processor's memory, over {conduit}",
        source: "Figure 4",
        lines: |results, at| walk(results, at, "remote", "read"),
        levels: &[("T3D: 600 to 750 ns", 675.0), ("T3E: 1500 ns", 1500.0)],
        paper: &["T3D: 600 to 750 ns. T3E: about 1500 ns, more above a stride of 16 KB and below 64 bytes; \
             about 450 ns of it are the translation of the address at the owner."],
        ..WALK
    },
    Kind {
        id: "remote-write-{conduit}",
        title: "A processor writes another processor's memory, over {conduit}",
        source: "Figure 5",
        lines: |results, at| walk(results, at, "remote", "write"),
        paper: &[
            "T3D and T3E hardly differ: writes are acknowledged when they arrive, before the memory is \
             written.",
        ],
        ..WALK
    },
    Kind {
        id: "groups-get",
        over: once,
        title: "Groups of n gets, then sync",
        source: "Figure 6",
        lines: |results, _| by_conduit(results, "get"),
        levels: &[("T3D: 250 ns", 250.0), ("T3E: 130 ns", 130.0)],
        paper: &[
            "T3D: at most 16 prefetches at once, then about 250 ns each. T3E: up to 480 at once, about \
             130 ns each; the network alone would take one every 67 ns.",
        ],
        ..GROUPS
    },
    Kind {
        id: "groups-put",
        over: once,
        title: "Groups of n puts, then sync",
        source: "Figure 7",
        lines: |results, _| by_conduit(results, "put"),
        paper: &[
            "T3D: puts to neighbouring words merge in the write buffer. T3E: they do not, since a remote \
             store is a store of an address to a register. On both the memory at the other end is the \
             limit.",
        ],
        ..GROUPS
    },
    Kind {
        id: "bulk-{conduit}",
        title: "Bulk transfers, over {conduit}",
        source: "Figures 8 and 9",
        caption: "Bandwidth over size. A private copy (memcpy) stands beside them for what the memory \
                  itself does.",
        y: ("bandwidth", Unit::Rate),
        lines: rates,
        paper: &[
            "T3D: by pipelined prefetches, or by DMA, whose system call makes it useless but for enormous \
             transfers (peak 150 MB/s); a bulk write is faster than a bulk read.",
            "T3E: by E-registers, a cache line an operation; links of 600 MB/s at their peak.",
        ],
        ..USUAL
    },
    Kind {
        id: "small-{conduit}",
        title: "Small puts and gets in UPC, over {conduit}",
        source: "Figures 4 and 5 of the X1 paper",
        caption: "One transfer and its completion; and puts of which 64 are under way at once.",
        y: ("time of a transfer", Unit::Time),
        lines: |results, at| {
            let puts = "upc/memput, 64 at a time: put, 64 at once";
            let lines = ["upc/memget: get", "upc/memput: put", puts, "upc/memcpy"];
            medians(results, at, "small", "bytes", &lines)
        },
        paper: &[
            "X1: single loads and stores undercut the vendor's library by about two microseconds; from 80 \
             bytes on the vendor's copy is fastest.",
        ],
        ..USUAL
    },
    Kind {
        id: "exchange-{conduit}",
        title: "Exchanges of all processors, over {conduit}",
        source: "what predictions rest on",
        caption: "All processors move so many bytes to each other at once, agree that all has arrived, and \
                  use what has come to them. Own: the same in a processor's own memory; nothing: the \
                  agreement and the use alone.",
        x: ("bytes of a processor", Unit::Bytes),
        y: ("time", Unit::Time),
        lines: |results, at| {
            let single = ["split-c/nothing", "split-c/read", "split-c/get", "split-c/put", "split-c/write"];
            let stores = ["split-c/store", "split-c/store, scattered", "split-c/bulk store", "split-c/own"];
            medians(results, at, "exchange", "bytes", &[&single[..], &stores].concat())
        },
        ..USUAL
    },
    Kind {
        id: "sorts-{conduit}",
        title: "Four sorts in Split-C over {conduit}",
        source: "Figure 6-9",
        caption: "Uniform keys of 31 bits on two processors. The predictions add what each step takes on one \
                  processor, measured alone, and what its stores take by ",
        note: error_of_sorts,
        x: ("keys of a processor", Unit::Count),
        y: ("time of a key of one processor", Unit::Time),
        lines: lines_of_sorts,
        paper: &["CM-5, 32 to 512 processors: what LogP predicts for the four sorts and what was measured \
             agree closely, so the costs of the primitives carry over to programs."],
        ..USUAL
    },
    Kind {
        id: "em3d-local",
        over: once,
        title: "EM3D within one processor",
        source: "Figure 10",
        caption: "The time of an edge without remote edges, over the nodes of each kind on a processor, of \
                  degree 20. Where the line rises, the graph no longer fits into a level of the memory.",
        x: ("nodes", Unit::Count),
        y: EDGE,
        lines: |results, at| {
            medians(results, at, "em3d", "nodes", &["split-c/local: Split-C", "upc/local: UPC"])
        },
        paper: &["T3D and T3E: the times agree with what the walks over memory show. The T3D has no second \
             cache, and a miss of the T3E's caches is dearer."],
        ..USUAL
    },
    Kind {
        id: "em3d-{dialect}-{conduit}-measured",
        over: each_dialect,
        title: "EM3D in {language} over {conduit}, measured",
        caption: "500 nodes of each kind on each of two processors, of degree 20. Simple reads through \
                  global pointers; bundle reads each remote node once; get does so split-phase; put and \
                  bulk push the values to where they are needed.",
        lines: |results, at| lines_of_em3d(results, at, |point| point.1),
        ..EM3D
    },
    Kind {
        id: "em3d-{dialect}-{conduit}-predicted",
        over: each_dialect,
        title: "EM3D in {language} over {conduit}, predicted",
        caption: "What the primitives' costs say: the time without remote edges, and the cost of what \
                  moves. ",
        note: |results, at| {
            let error = em3d::error(&em3d::of(results, at.dialect, &at.conduit)).unwrap_or(0.0);
            format!("The typical error is {:.0} %.", error * 100.0)
        },
        lines: |results, at| lines_of_em3d(results, at, |point| point.2),
        ..EM3D
    },
    Kind {
        id: "applications-{conduit}",
        title: "Small applications in UPC, over {conduit}",
        source: "beside Figures 11 to 13",
        caption: "Two threads work at once. Triad, transpose and stencils: the time of an element of one \
                  thread. RandomAccess, histogram and index-gather: that of a random access, half of which \
                  are remote; histogram adds atomically.",
        x: ("size of an array on a thread", Unit::Bytes),
        y: ("time", Unit::Time),
        lines: |results, at| {
            let random = ["upc/triad", "upc/RandomAccess", "upc/histogram", "upc/index-gather"];
            let regular = ["upc/transpose", "upc/2-D stencil", "upc/3-D stencil"];
            medians(results, at, "applications", "size", &[&random[..], &regular].concat())
        },
        ..USUAL
    },
    Kind {
        id: "speedup-{conduit}-{processes}",
        over: each_place_of_shifts,
        title: "What all shifts at once gain, {where}",
        source: "Figure 8 of TR-18-93",
        caption: "How many times the time of mer_pshift the same shifts by mer_cshift take, one at a time: \
                  by +1 and -1 along every axis; 1993: on the CM-200. With small subgrids messages and \
                  calls count, with large ones the moves within a process, which both have to make.",
        x: ("elements of a process's subgrid", Unit::Count),
        y: ("speedup", Unit::Times),
        lines: speedups,
        paper: &[
            "CM-200: 3.8 times with four elements of rank 1, 4.1 with 2 x 2, 3.5 with 2 x 2 x 2, 3.3 with \
             2 x 2 x 2 x 2; from 2,048 elements of rank 1 on nothing is gained any more.",
        ],
        ..USUAL
    },
    Kind {
        id: "shift-model-{conduit}-{processes}",
        over: each_place_of_shifts,
        title: "The time of all shifts at once, {where}",
        source: "Figures 9 to 11 of TR-18-93",
        caption: "A call of mer_pshift over the length L of the subgrid's axes, and equation 2 fitted to \
                  it: ",
        note: texts_of_models,
        x: ("length of an axis", Unit::Count),
        y: ("time of a call", Unit::Time),
        lines: lines_of_models,
        ..USUAL
    },
];

/// Returns all figures for which the results have points, in the order of the report.
pub fn all(results: &Results) -> Vec<Figure> {
    let mut figures = Vec::new();
    for kind in KINDS {
        figures.extend((kind.over)(results).iter().map(|at| kind.figure(results, at)));
    }
    figures.retain(|figure: &Figure| figure.series.iter().any(|series| series.points.len() > 1));
    figures
}

impl Kind {
    fn figure(&self, results: &Results, at: &Place) -> Figure {
        let language = if at.dialect == "upc" { "UPC" } else { "Split-C" };
        let filled = |text: &str| {
            text.replace("{conduit}", &at.conduit)
                .replace("{dialect}", at.dialect)
                .replace("{language}", language)
                .replace("{processes}", &at.processes.to_string())
                .replace("{where}", &where_text(&at.conduit, at.processes))
        };
        Figure {
            id: filled(self.id),
            title: filled(self.title),
            source: self.source,
            caption: format!("{}{}", self.caption, (self.note)(results, at)),
            x: self.x,
            y: self.y,
            series: (self.lines)(results, at),
            levels: self.levels,
            paper: self.paper,
        }
    }
}

fn once(_: &Results) -> Vec<Place> {
    vec![Place { conduit: "smp".into(), ..Place::default() }]
}

fn each_conduit(results: &Results) -> Vec<Place> {
    conduits(results).into_iter().map(|conduit| Place { conduit, ..Place::default() }).collect()
}

fn each_dialect(results: &Results) -> Vec<Place> {
    let of = |dialect| each_conduit(results).into_iter().map(move |at| Place { dialect, ..at });
    em3d::DIALECTS.into_iter().flat_map(of).collect()
}

fn each_place_of_shifts(results: &Results) -> Vec<Place> {
    let places = polyshift::places_of_shifts(results).into_iter();
    places.map(|(conduit, processes)| Place { conduit, processes, dialect: "" }).collect()
}

/// Returns lines of medians over an axis; the text of each is `dialect/series: name`, without the name if it
/// is the series.
fn medians(results: &Results, at: &Place, part: &str, axis: &str, lines: &[&str]) -> Vec<Series> {
    let line = |text: &&str| {
        let (dialect, series) = text.split_once('/').expect("the table has it");
        let (series, name) = series.split_once(": ").unwrap_or((series, series));
        let points = results.of(part, dialect, &at.conduit).filter(|point| point.what == "time");
        let points = curve(points, series, axis).into_iter();
        let points = points.filter_map(|(x, ns)| Some((x, Spread::of(ns)?.median)));
        Series { name: name.into(), points: points.filter(|(x, ns)| *x > 0.0 && *ns > 0.0).collect() }
    };
    lines.iter().map(line).collect()
}

/// Returns a line for each size of the array of a walk; every second one if there are many.
fn walk(results: &Results, at: &Place, part: &str, series: &str) -> Vec<Series> {
    let mut sizes: BTreeMap<u64, Vec<(f64, f64)>> = BTreeMap::new();
    for point in results.of(part, "split-c", &at.conduit).filter(|point| point.series == series) {
        if let (Some(&size), Some(&stride), Some(spread)) =
            (point.at.get("size"), point.at.get("stride"), point.spread())
        {
            sizes.entry(size).or_default().push((stride as f64, spread.median));
        }
    }
    let step = if sizes.len() > 9 { 2 } else { 1 };
    let line = |(size, mut points): (u64, Vec<(f64, f64)>)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { name: bench::bytes(size), points }
    };
    sizes.into_iter().step_by(step).map(line).collect()
}

/// Returns a line of groups of accesses for each conduit.
fn by_conduit(results: &Results, series: &str) -> Vec<Series> {
    let line = |at: Place| {
        let text = format!("split-c/{series}: {}", at.conduit);
        medians(results, &at, "groups", "n", &[&text])
    };
    each_conduit(results).into_iter().flat_map(line).collect()
}

/// Returns the bandwidths of bulk transfers.
fn rates(results: &Results, at: &Place) -> Vec<Series> {
    let split_c = ["split-c/read", "split-c/get", "split-c/write", "split-c/put", "split-c/store"];
    let upc = ["upc/memget: upc_memget", "upc/memput: upc_memput", "split-c/memcpy"];
    let mut lines = medians(results, at, "bulk", "bytes", &[&split_c[..], &upc].concat());
    lines.iter_mut().flat_map(|line| &mut line.points).for_each(|(bytes, y)| *y = *bytes / *y);
    lines
}

fn error_of_sorts(results: &Results, at: &Place) -> String {
    let error = sorts::error(&sorts::of(results, &at.conduit)).unwrap_or(0.0);
    let from = match sorts::parameters(results, &at.conduit) {
        Some((_, true)) => "the machine profile",
        _ => "the primitives of this run",
    };
    format!("{from}. Their typical error, over all keys, is {:.0} %.", error * 100.0)
}

/// Returns measured and predicted times over the number of keys, for uniform keys.
fn lines_of_sorts(results: &Results, at: &Place) -> Vec<Series> {
    let all = sorts::of(results, &at.conduit);
    let line = |name: &str, of: fn(&Sort) -> Option<f64>| {
        let sorts = all.iter().filter(|sort| sort.name == name && sort.distribution == "uniform");
        sorts.filter_map(|sort| Some((sort.keys as f64, of(sort)?))).collect()
    };
    let both = |(name, _): (&str, _)| {
        let (measured, predicted) =
            (line(name, |sort| Some(sort.whole().measured)), line(name, |sort| sort.whole().predicted));
        let predicted_name = format!("{name}, predicted");
        [Series { name: name.into(), points: measured }, Series { name: predicted_name, points: predicted }]
    };
    SORTS.into_iter().flat_map(both).collect()
}

/// Returns the versions of EM3D over the share of remote edges.
fn lines_of_em3d(results: &Results, at: &Place, ns: fn(&(f64, f64, f64)) -> f64) -> Vec<Series> {
    let line = |line: em3d::Line| {
        let points = line.points.iter().filter(|point| point.0 > 0.0);
        Series { name: line.version.into(), points: points.map(|point| (point.0, ns(point))).collect() }
    };
    em3d::of(results, at.dialect, &at.conduit).into_iter().map(line).collect()
}

/// Returns the speedup of all shifts at once, over the size of the subgrid, and the paper's.
fn speedups(results: &Results, at: &Place) -> Vec<Series> {
    let measured = polyshift::speedups(results, &at.conduit, at.processes);
    if measured.is_empty() {
        return vec![];
    }
    let ours = measured.into_iter().map(|(rank, points)| Series { name: format!("rank {rank}"), points });
    let papers = (1..).zip(PSHIFT).map(|(rank, speedups)| Series {
        name: format!("1993, rank {rank}"),
        points: speedups.iter().map(|&(length, speedup)| (length.powi(rank), speedup)).collect(),
    });
    ours.chain(papers).collect()
}

fn texts_of_models(results: &Results, at: &Place) -> String {
    let text = |model: &polyshift::Model| {
        let error = 100.0 * model.error();
        format!("rank {}: {} ns, at most {error:.0} % off", model.rank, model.text())
    };
    let models = polyshift::models(results, &at.conduit, at.processes);
    models.iter().map(text).collect::<Vec<_>>().join("; ") + "."
}

/// Returns the time of all shifts at once, and the model's.
fn lines_of_models(results: &Results, at: &Place) -> Vec<Series> {
    let lines = |model: polyshift::Model| {
        let fitted = model.points.iter().map(|&(length, _)| (length, model.at(length)));
        let fitted = fitted.filter(|point| point.1 > 0.0).collect();
        let name = format!("rank {}", model.rank);
        let of_model = Series { name: format!("{name}, model"), points: fitted };
        [Series { name, points: model.points }, of_model]
    };
    polyshift::models(results, &at.conduit, at.processes).into_iter().flat_map(lines).collect()
}

/// Tables 1 to 4 of TR-18-93: by rank, the lengths of a subgrid's axes with the speedup on the CM-200.
const PSHIFT: [&[(f64, f64)]; 4] = [
    &[(4.0, 3.8), (16.0, 3.5), (64.0, 2.3), (256.0, 1.2), (1024.0, 1.1), (4096.0, 1.0), (16384.0, 1.0)],
    &[(2.0, 4.1), (4.0, 3.0), (8.0, 2.1), (16.0, 1.6), (32.0, 1.3), (64.0, 1.2), (128.0, 1.3)],
    &[(2.0, 3.5), (4.0, 2.6), (8.0, 2.0), (16.0, 1.6)],
    &[(2.0, 3.3), (4.0, 2.5), (8.0, 2.0)],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_speedups_fall_with_the_size() {
        for speedups in PSHIFT {
            assert!(speedups.windows(2).all(|pair| pair[0].0 < pair[1].0));
            assert!(speedups[0].1 > 3.0 && speedups.last().unwrap().1 < 2.1);
        }
    }
}
