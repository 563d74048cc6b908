//! The machine's strengths in plain language: conclusions of the kind that the T3D and T3E study draws, each
//! from the samples. A sentence whose samples are missing is left out; none is written by hand.

use bench::bytes;
use bench::fit::beside::{self, comparison::Comparison};
use bench::fit::sorts::{self, Sort};
use bench::fit::{caches, conduits, crossover, em3d, livermore, loggp};
use bench::results::Results;
use bench::sheet::Row;

use crate::draw::Unit;

/// The sentences of the summary.
pub fn sentences(results: &Results) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(memory(results));
    for conduit in conduits(results) {
        found.extend(remote(results, &conduit));
        found.extend(split_phase(results, &conduit));
        found.extend(bulk(results, &conduit));
    }
    for conduit in conduits(results) {
        found.extend(application(results, &conduit));
        found.extend(fastest_sort(results, &conduit));
    }
    found.extend(language(results));
    found.extend(pointers(results));
    found.extend(translation(results));
    found.extend(beside::all(results).iter().map(compared));
    found
}

fn time(ns: f64) -> String {
    Unit::Time.text(ns)
}

/// `3.2 times`, `140 times`.
fn times(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1} times") } else { format!("{ratio:.0} times") }
}

fn memory(results: &Results) -> Option<String> {
    let levels = caches::of(results);
    let (first, last) = (levels.first()?, levels.last()?);
    let within = |level: &caches::Level| Some(format!("{} up to {}", time(level.ns), bytes(level.bytes?)));
    let steps: Vec<String> = levels.iter().filter_map(within).collect();
    (levels.len() > 1).then(|| {
        format!(
            "A read that waits for the one before takes {}, and {} in memory: {} as much as in the first cache. What is \
             used together should lie together.",
            steps.join(", "),
            time(last.ns),
            times(last.ns / first.ns)
        )
    })
}

/// The median of a primitive's point of 8 bytes.
fn primitive(results: &Results, dialect: &str, conduit: &str, series: &str, what: &str) -> Option<f64> {
    let mut points = results.of("primitives", dialect, conduit);
    let point = points.find(|p| p.series == series && p.what == what && p.at.get("bytes") == Some(&8))?;
    Some(point.spread()?.median)
}

fn remote(results: &Results, conduit: &str) -> Option<String> {
    let read = primitive(results, "split-c", conduit, "read", "latency")?;
    let write = primitive(results, "split-c", conduit, "write", "latency")?;
    let first = caches::of(results).first().map(|level| level.ns);
    let more =
        first.map(|ns| format!(", {} a read of the first cache", times(read / ns))).unwrap_or_default();
    Some(format!(
        "Over {conduit}, reading another processor's word takes {}{more}; writing one {}.",
        time(read),
        time(write)
    ))
}

fn split_phase(results: &Results, conduit: &str) -> Option<String> {
    let alone = primitive(results, "split-c", conduit, "get", "latency")?;
    let gap = primitive(results, "split-c", conduit, "get", "gap")?;
    let gain = alone / gap;
    let verdict = match gain {
        gain if gain > 5.0 => "Split-phase accesses are how this conduit wants to be used",
        gain if gain > 1.5 => "Split-phase accesses pay",
        _ => "Split-phase accesses gain little",
    };
    Some(format!(
        "{verdict} over {conduit}: a get alone takes {}, and one of 64 at once {}, {} less.",
        time(alone),
        time(gap),
        times(gain)
    ))
}

fn bulk(results: &Results, conduit: &str) -> Option<String> {
    let fit = loggp::of(results, conduit)?;
    let crossing = crossover::of(results, conduit).into_iter().find(|crossing| crossing.in_bytes);
    let from = crossing
        .map(|at| format!(" A bulk get is cheaper than single gets from {} on.", bytes(at.at.ceil() as u64)));
    let half =
        fit.half_bandwidth.map(|n| format!("; half of that is reached at {}", bytes(n.round() as u64)));
    Some(format!(
        "Over {conduit}, bulk gets reach {}{}.{}",
        Unit::Rate.text(1.0 / fit.byte.estimate),
        half.unwrap_or_default(),
        from.unwrap_or_default()
    ))
}

/// The fastest version of EM3D over a conduit, and the error of its prediction from the primitives.
fn application(results: &Results, conduit: &str) -> Option<String> {
    let lines = em3d::of(results, "split-c", conduit);
    let error = em3d::error(&lines)?;
    let last = |line: &em3d::Line| line.points.last().map(|point| point.1);
    let best =
        lines.iter().min_by(|a, b| last(a).unwrap_or(f64::MAX).total_cmp(&last(b).unwrap_or(f64::MAX)))?;
    let simple = lines.iter().find(|line| line.version == "simple")?;
    Some(format!(
        "EM3D with all edges remote is fastest by {} over {conduit}: {} an edge, {} less than by plain reads. Its times follow \
         from the primitives' with a typical error of {:.0} %.",
        best.version,
        time(last(best)?),
        times(last(simple)? / last(best)?),
        error * 100.0
    ))
}

/// The fastest sort over a conduit.
fn fastest_sort(results: &Results, conduit: &str) -> Option<String> {
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
        time(first.whole().measured),
        last.name,
        time(last.whole().measured),
        sorts::error(&all)? * 100.0
    ))
}

/// The cost of Split-C's get, compared with its active messages.
fn language(results: &Results) -> Option<String> {
    let get = primitive(results, "split-c", "am", "get", "latency")?;
    let message = primitive(results, "split-c", "am", "message get", "latency")?;
    Some(format!(
        "By active messages, a get takes {} and the two bare messages that it is made of {}: the language takes {} % {}.",
        time(get),
        time(message),
        ((get / message - 1.0).abs() * 100.0).round(),
        if get >= message { "more" } else { "less" }
    ))
}

fn pointers(results: &Results) -> Option<String> {
    let of = |series: &str| {
        let mut points = results.of("pointers", "upc", "smp");
        Some(points.find(|p| p.series == series && p.what == "add")?.spread()?.median)
    };
    let (private, block) = (of("private")?, of("block-cyclic")?);
    Some(format!(
        "Adding to a private pointer takes {}, to an indefinite pointer-to-shared {}, a cyclic one {}, a block-cyclic one {}: \
         {} a private one. Choose the layout for its data, and keep block-cyclic arithmetic out of inner loops.",
        time(private),
        time(of("indefinite")?),
        time(of("cyclic")?),
        time(block),
        times(block / private)
    ))
}

/// The speed of the translated Livermore kernels.
fn translation(results: &Results) -> Option<String> {
    let [_, private, shared] = livermore::aggregates(&livermore::of(results))?;
    Some(format!(
        "Translated, the Livermore kernels reach {:.2} of the speed of plain C in the geometric mean, and {:.2} in the worst \
         case (kernel {}). On shared arrays of the thread's own they reach {:.2}, and {:.2} in the worst case (kernel {}).",
        private.speed, private.least.1, private.least.0, shared.speed, shared.least.1, shared.least.0
    ))
}

/// A comparison: for each other system, the mean, and the row with the least ratio.
fn compared(comparison: &Comparison) -> String {
    let Comparison { title, table, .. } = comparison;
    let of = |(peer, mean): (usize, f64)| {
        let ratio = |row: &&Row| row.peers[peer].map_or(f64::INFINITY, |ns| ns / row.ours);
        let worst = table.rows.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
        let (name, mean, least) = (&table.peers[peer], bench::number(mean), bench::number(ratio(&worst)));
        Some(format!("{mean} times as long in {name} (least: {}, {least})", worst.label))
    };
    let all: Vec<String> = table.means().into_iter().enumerate().filter_map(of).collect();
    let all = all.join(", ");
    format!("{title}: in the geometric mean {all}, as by Meridian.")
}
