//! The four parallel sorts predicted, phase by phase, and compared with the measured times.
//!
//! The time of a phase is the sum of its steps on one processor, which are measured without any communication
//! (`local ...` of bench/probes/sorts.sc), and of its stores as LogP predicts them. The parameters are the
//! machine profile's, if one was in force, else those that follow from the primitives and the bulk transfers
//! of the same file; never the sorts' own times. A store of a single key costs a processor its overhead, and
//! that of a key which arrives in the meantime, but never less than the gap. By loads and stores (smp) its
//! cost is in the step already, which writes to memory too.
//!
//! If exchanges were measured (`exchange`), they replace these parameters: they give the cost of stores if
//! all processors store at once, with the agreement at the end, and the cost of the first use of keys that
//! another processor has stored.

use super::exchange::Exchange;
use super::{calm, curve, stores};
use crate::numbers::number;
use crate::parameters::Stores;
use crate::results::{Point, Results};
use crate::sheet::{Sheet, words};
use crate::statistics::Spread;

/// The sorts and their phases, in order.
pub const SORTS: [(&str, &[&str]); 4] = [
    ("bitonic", &["sort", "exchange", "merge"]),
    ("column", &["sort", "transpose", "merge"]),
    ("radix", &["histogram", "scan", "permute"]),
    ("sample", &["splitters", "group", "exchange", "sort", "deal out"]),
];

/// Keys that each processor gives to the sample, and digits of the radix sort (bench/probes/sorts.sc).
const SAMPLES: f64 = 64.0;
const DIGITS: f64 = 65536.0;
const KEY: f64 = 4.0;

/// A phase, or all of a sort, in nanoseconds a key of one processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// The phase; `time` is the whole.
    pub what: &'static str,
    /// The measured time.
    pub measured: f64,
    /// The predicted time; `None` if the prediction needs values that were not measured.
    pub predicted: Option<f64>,
}

/// A sort of a number of keys a processor with a distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Sort {
    /// The name, as in `SORTS`.
    pub name: &'static str,
    /// The distribution of the keys.
    pub distribution: String,
    /// The keys of one processor.
    pub keys: u64,
    /// The whole sort, and its phases.
    pub times: Vec<Time>,
}

impl Sort {
    /// Returns the time of the whole sort.
    pub fn whole(&self) -> &Time {
        &self.times[0]
    }
}

/// Returns the parameters that predictions over a conduit use, and whether they are the profile's.
pub fn parameters(results: &Results, conduit: &str) -> Option<(Stores, bool)> {
    let profile = results.header.profile.get(conduit).and_then(|parameters| parameters.stores);
    profile.map(|stores| (stores, true)).or_else(|| Some((stores::of(results, conduit)?, false)))
}

/// Returns all sorts that were measured on a conduit.
pub fn of(results: &Results, conduit: &str) -> Vec<Sort> {
    let stores = parameters(results, conduit).map(|(stores, _)| stores);
    let exchange = Exchange::of(results, "split-c", conduit);
    let points = || results.of("sorts", "split-c", conduit);
    let sort = |point: &Point| {
        let (name, distribution) = point.series.split_once(", ")?;
        let (name, phases) = *SORTS.iter().find(|(known, _)| *known == name)?;
        let keys = *point.at.get("keys")?;
        let messages = conduit != "smp";
        let model = stores.map(|stores| Model {
            results,
            distribution,
            keys: keys as f64,
            processors: results.processors(conduit) as f64,
            share: results.threads_a_core(conduit),
            messages,
            stores,
            exchange: exchange.as_ref(),
        });
        let took = |what: &str| {
            let mut same =
                points().filter(|p| p.series == point.series && p.at == point.at && p.what == what);
            calm(&same.next()?.ns)
        };
        let predicted: Vec<Option<f64>> =
            phases.iter().map(|phase| model.as_ref()?.phase(name, phase)).collect();
        let whole = predicted.iter().copied().sum::<Option<f64>>();
        let mut times = vec![Time { what: "time", measured: took("time")?, predicted: whole }];
        for (what, predicted) in phases.iter().zip(predicted) {
            times.push(Time { what, measured: took(what)?, predicted });
        }
        Some(Sort { name, distribution: distribution.to_string(), keys, times })
    };
    points().filter(|point| point.what == "time").filter_map(sort).collect()
}

/// Returns the typical error of the predictions of whole sorts: 0.1 is a tenth. Returns `None` without any.
pub fn error(sorts: &[Sort]) -> Option<f64> {
    let of = |sort: &Sort| Some((sort.whole().predicted? / sort.whole().measured).ln().abs());
    let errors: Vec<f64> = sorts.iter().filter_map(of).collect();
    Some(Spread::of(&errors)?.median.exp() - 1.0)
}

/// The inputs of a prediction.
struct Model<'a> {
    results: &'a Results,
    distribution: &'a str,
    keys: f64,
    /// The number of processors, and the number that share a core.
    processors: f64,
    share: f64,
    messages: bool,
    stores: Stores,
    exchange: Option<&'a Exchange>,
}

impl Model<'_> {
    /// Returns the time of a phase in nanoseconds a key.
    fn phase(&self, sort: &str, phase: &str) -> Option<f64> {
        let (m, p, sync) = (self.keys, self.processors, self.stores.sync);
        let stages = p.log2() * (p.log2() + 1.0) / 2.0;
        let bulk = |keys: f64| self.stores.bulk_of(keys * KEY);
        if let Some(exchange) = self.exchange {
            return Some(self.exchanged(exchange, sort, phase)? / m);
        }
        let total = match (sort, phase) {
            ("bitonic", "sort") => self.step("sort", m)?,
            ("bitonic", "exchange") => stages * (bulk(m) + 2.0 * sync),
            ("bitonic", "merge") => stages * self.step("merge", m)?,
            ("column", "sort") => 3.0 * self.step("sort", m)?,
            ("column", "transpose") => 2.0 * (self.step("transpose", m)? + self.singles(m) + sync),
            ("column", "merge") => self.step("merge", m)? + 2.0 * bulk(m / 2.0) + 2.0 * sync,
            ("radix", "histogram") => 2.0 * self.step("histogram", m)?,
            // Two exchanges of a run of counts with all processors, and a scan in between.
            ("radix", "scan") => 2.0 * (self.step("scan", m)? + 2.0 * p * bulk(DIGITS / p) + 3.0 * sync),
            ("radix", "permute") => 2.0 * (self.step("permute", m)? + self.singles(m) + sync),
            ("sample", "splitters") => self.alone("splitters", m)? + self.singles(SAMPLES) + 2.0 * sync,
            ("sample", "group") => self.step("group", m)?,
            ("sample", "exchange") => p * bulk(m / p) + 3.0 * sync,
            ("sample", "sort") => self.last_sort()?,
            ("sample", "deal out") => bulk(m * self.largest()) + 2.0 * sync,
            _ => return None,
        };
        Some(total / m)
    }

    /// Returns the time of a phase in nanoseconds, by exchanges. Agreements without data of their own are
    /// `sync`.
    fn exchanged(&self, exchange: &Exchange, sort: &str, phase: &str) -> Option<f64> {
        let (m, p, sync) = (self.keys, self.processors, self.stores.sync);
        let stages = p.log2() * (p.log2() + 1.0) / 2.0;
        // If keys are distributed over all processors, the bytes of those that go to others.
        let remote = |keys: f64| keys * KEY * (p - 1.0) / p;
        let moves = |series: &str, bytes: f64| exchange.time(series, "move", bytes);
        // Single stores: all to others, or to all processors; the step of one processor includes them
        // already, as stores into its own memory.
        let singles = |series: &str, own: &str, bytes: f64| {
            Some((moves(series, bytes)? - exchange.time(own, "move", bytes)?).max(sync))
        };
        let used = |series: &str, bytes: f64| exchange.used(series, "own", bytes);
        let bulk = |keys: f64| self.stores.bulk_of(keys * KEY);
        Some(match (sort, phase) {
            ("bitonic", "sort") => self.step("sort", m)?,
            ("bitonic", "exchange") => stages * (moves("bulk store", m * KEY)? + sync),
            ("bitonic", "merge") => stages * (self.step("merge", m)? + used("bulk store", m * KEY)?),
            ("column", "sort") => 3.0 * self.step("sort", m)? + 2.0 * used("store", remote(m))?,
            ("column", "transpose") => {
                2.0 * (self.step("transpose", m)? + singles("store", "own", remote(m))?)
            }
            ("column", "merge") => self.step("merge", m)? + 2.0 * (bulk(m / 2.0) + sync),
            ("radix", "histogram") => 2.0 * self.step("histogram", m)? + used("store, scattered", m * KEY)?,
            // The received counts are used in the scan, the places in the permutation, one for each key.
            ("radix", "scan") => {
                let one = moves("bulk store", remote(DIGITS))? + used("bulk store", remote(DIGITS))?;
                2.0 * (self.step("scan", m)? + one + moves("bulk store", remote(DIGITS))? + sync)
            }
            ("radix", "permute") => {
                let places = exchange.used("bulk store, used at random", "own, scattered", remote(DIGITS))?;
                let places = places * (m / DIGITS).min(1.0);
                let stores = singles("store, scattered", "own, scattered", m * KEY)?;
                2.0 * (self.step("permute", m)? + stores + places)
            }
            ("sample", "splitters") => {
                self.alone("splitters", m)? + moves("store", SAMPLES * KEY)? + moves("store", KEY)?
            }
            ("sample", "group") => self.step("group", m)?,
            ("sample", "exchange") => moves("bulk store", remote(m))? + 2.0 * moves("store", 2.0 * KEY)?,
            ("sample", "sort") => self.last_sort()? + used("bulk store", remote(m))?,
            ("sample", "deal out") => bulk(m * self.largest()) + 2.0 * sync,
            _ => return None,
        })
    }

    /// Returns the time of the last sort of sample sort: processor 0 has all equal keys, and the others wait.
    fn last_sort(&self) -> Option<f64> {
        let largest = self.largest();
        let share = if largest > 1.0 { 1.0 } else { self.share };
        Some(self.alone("sort", self.keys * largest)? * share)
    }

    /// Returns the keys that processor 0 sorts in the end, relative to the mean: it has all equal keys.
    fn largest(&self) -> f64 {
        if self.distribution == "equal" { self.processors } else { 1.0 }
    }

    /// Returns the time of a step of all processors at once on `keys` keys each: those that share a core run
    /// one after another.
    fn step(&self, name: &str, keys: f64) -> Option<f64> {
        Some(self.alone(name, keys)? * self.share)
    }

    /// Returns the time of a step of one processor, while the others wait.
    fn alone(&self, name: &str, keys: f64) -> Option<f64> {
        let series = format!("local {name}, {}", self.distribution);
        let times = curve(self.results.of("sorts", "split-c", "smp"), &series, "keys");
        // The nearest size that was measured: the time of a key changes slowly.
        let (_, ns) = times.into_iter().min_by(|a, b| {
            let far = |size: f64| (size / keys).ln().abs();
            far(a.0).total_cmp(&far(b.0))
        })?;
        Some(calm(ns)? * if matches!(name, "scan" | "splitters") { self.keys } else { keys })
    }

    /// Returns the time of single stores of `keys` keys, of which one share stays on the processor.
    fn singles(&self, keys: f64) -> f64 {
        let each = self.stores.gap.max(2.0 * self.stores.overhead);
        if self.messages { keys * (self.processors - 1.0) / self.processors * each } else { 0.0 }
    }
}

/// Table 6-2 of von Eicken's thesis: the phases of radix sort on the CM-5, 512 processors.
const CM5_RADIX: [&str; 5] =
    ["radix, CM-5, 1993", "27.28 µs", "histogram 2.41 µs", "scan 1.61 µs", "permute 23.26 µs"];

/// Returns the sorts over a conduit and their phases as a table.
pub fn sheet(results: &Results, conduit: &str) -> Sheet {
    let sorts = of(results, conduit);
    let cell = |time: &Time| {
        let name = if time.what == "time" { String::new() } else { format!("{} ", time.what) };
        format!("{name}{} / {}", number(time.measured), time.predicted.map_or("-".into(), number))
    };
    let row = |sort: &Sort| {
        let label = format!("{}, {}, {}", sort.name, sort.distribution, sort.keys);
        [label].into_iter().chain(sort.times.iter().map(cell)).collect()
    };
    let mut rows: Vec<Vec<String>> = sorts.iter().map(row).collect();
    if !rows.is_empty() {
        rows.push(words(&CM5_RADIX));
    }
    let from = match parameters(results, conduit) {
        Some((_, true)) => "the machine profile",
        _ => "this run's primitives",
    };
    let error =
        |error: f64| format!("Predicted from {from}, with a typical error of {:.0} %.", error * 100.0);
    Sheet {
        id: format!("sorts-phases-{conduit}"),
        title: format!(
            "sorts over {conduit}, ns a key of one processor, lower quartiles: measured / predicted"
        ),
        caption: "The whole sort, and its phases; the name has the distribution and the number of a processor's keys.".into(),
        head: words(&["all", "phases"]),
        rows,
        notes: self::error(&sorts).map(error).into_iter().collect(),
        ..Sheet::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{of_points, point};

    /// Returns results in which every step takes 10 ns a key, stores have fixed costs, and each whole sort
    /// was measured to take `whole`.
    fn measured(conduit: &str, whole: f64) -> Results {
        let mut points = Vec::new();
        let mut add = |part: &str, conduit: &str, series: &str, what: &str, axis: &str, at: u64, ns: f64| {
            let key = format!("{part}|split-c|{conduit}|{series}|{what}");
            points.push(point(&key, &[(axis, at)], &[ns]));
        };
        for step in ["sort", "histogram", "merge", "group", "permute", "scan", "transpose", "splitters"] {
            add("sorts", "smp", &format!("local {step}, uniform"), "time", "keys", 1000, 10.0);
        }
        for (name, phases) in SORTS {
            let series = format!("{name}, uniform");
            for what in phases.iter().chain([&"time"]) {
                add("sorts", conduit, &series, what, "keys", 1000, whole);
            }
        }
        for (series, what, bytes, ns) in
            [("store", "overhead", 4, 20.0), ("store", "gap", 4, 50.0), ("store sync", "latency", 0, 1000.0)]
        {
            add("primitives", conduit, series, what, "bytes", bytes, ns);
        }
        for bytes in [4096u64, 8192, 16384] {
            add("bulk", conduit, "store", "time", "bytes", bytes, 500.0 + bytes as f64);
        }
        of_points(points)
    }

    fn sort<'a>(sorts: &'a [Sort], name: &str) -> &'a Sort {
        sorts.iter().find(|sort| sort.name == name).unwrap()
    }

    #[test]
    fn closed_forms() {
        let sorts = of(&measured("tcp", 100.0), "tcp");
        let predicted = |name: &str| -> Vec<f64> {
            sort(&sorts, name).times.iter().map(|time| time.predicted.unwrap()).collect()
        };
        // A sort of 10 ns, a bulk store of 4,000 bytes and two agreements, a merge.
        assert_eq!(predicted("bitonic")[1..], [10.0, 6.5, 10.0]);
        // Half of the keys go to the other processor, at 50 ns each.
        assert_eq!(predicted("column")[1..3], [30.0, 2.0 * (10.0 + 25.0 + 1.0)]);
        let radix = predicted("radix");
        assert_eq!((radix[1], radix[3]), (20.0, 2.0 * (10.0 + 25.0 + 1.0)));
        assert_eq!(radix[0], radix[1..].iter().sum::<f64>());
        assert_eq!(predicted("sample")[2], 10.0);
    }

    #[test]
    fn exchanges_take_the_place_of_single_stores() {
        // An exchange of b bytes takes 1,000 + b ns, in own memory b / 2; its use b / 8, of own data nothing.
        let results = {
            let mut results = measured("tcp", 100.0);
            let of = |series: &str, what: &str, bytes: f64| {
                Some(match (series, what) {
                    ("own" | "own, scattered", "move") => 0.5 * bytes,
                    ("own" | "own, scattered", _) => 1e-9,
                    (_, "move") => 1000.0 + bytes,
                    _ => 0.125 * bytes,
                })
            };
            results.points.extend(super::super::exchange::tests::measured("split-c", "tcp", of).points);
            results
        };
        let near = |value: f64, right: f64| assert!((value - right).abs() < 1e-6, "{value} {right}");
        let phases = |sorts: &[Sort], name: &str| -> Vec<f64> {
            sort(sorts, name).times.iter().map(|time| time.predicted.unwrap()).collect()
        };
        let sorts = of(&results, "tcp");
        // 4,000 bytes each, and an agreement of 1,000 ns; the received keys are used in the merge.
        near(phases(&sorts, "bitonic")[2], (1000.0 + 4000.0 + 1000.0) / 1000.0);
        near(phases(&sorts, "bitonic")[3], 10.0 + 0.5);
        // The step includes the stores, as if into own memory; all of radix sort's keys go through stores.
        near(phases(&sorts, "column")[2], 2.0 * (10.0 + (1000.0 + 2000.0 - 1000.0) / 1000.0));
        near(phases(&sorts, "column")[1], 30.0 + 2.0 * 0.25);
        let places = 0.125 * 131_072.0 * 1000.0 / 65536.0;
        near(phases(&sorts, "radix")[3], 2.0 * (10.0 + (1000.0 + 4000.0 - 2000.0 + places) / 1000.0));
    }

    #[test]
    fn threads_that_share_a_core_take_turns() {
        let mut results = measured("smp", 100.0);
        (results.header.threads, results.header.machine.cores) = (8, 2);
        let sorts = of(&results, "smp");
        // Four to a core, and six stages of a network of eight.
        assert_eq!(sort(&sorts, "bitonic").times[1].predicted, Some(4.0 * 10.0));
        assert_eq!(sort(&sorts, "bitonic").times[3].predicted, Some(6.0 * 4.0 * 10.0));
        // One processor alone sorts the samples.
        assert_eq!(sort(&sorts, "sample").times[1].predicted, Some(10.0 + 2.0));
        results.header.machine.cores = 16;
        assert_eq!(sort(&of(&results, "smp"), "bitonic").times[1].predicted, Some(10.0));
        // Between hosts there are two, with a core each.
        results.header.machine.cores = 2;
        assert_eq!((results.processors("tcp"), results.threads_a_core("tcp")), (2, 1.0));
    }

    #[test]
    fn by_loads_and_stores_a_single_store_is_in_its_step() {
        let sorts = of(&measured("smp", 100.0), "smp");
        assert_eq!(sort(&sorts, "radix").times[3].predicted, Some(2.0 * (10.0 + 1.0)));
    }

    #[test]
    fn the_profile_rules_over_the_run() {
        let mut results = measured("tcp", 100.0);
        assert_eq!(
            parameters(&results, "tcp").map(|(stores, profile)| (stores.gap, profile)),
            Some((50.0, false))
        );
        let stores = Stores { overhead: 1.0, gap: 7.0, sync: 1.0, bulk: 1.0, byte: 1.0 };
        let parameters_of = crate::parameters::Parameters {
            overhead: 1.0,
            latency: 1.0,
            gap: 1.0,
            byte: 1.0,
            switch: None,
            switch_growth: None,
            stores: Some(stores),
        };
        results.header.profile.insert("tcp".into(), parameters_of);
        assert_eq!(parameters(&results, "tcp"), Some((stores, true)));
    }

    #[test]
    fn the_error_is_that_of_the_whole_sorts() {
        let results = measured("tcp", 100.0);
        let sorts = of(&results, "tcp");
        let expected = sorts.iter().map(|s| (s.whole().predicted.unwrap() / 100.0).ln().abs());
        let all: Vec<f64> = expected.collect();
        assert!((error(&sorts).unwrap() - (Spread::of(&all).unwrap().median.exp() - 1.0)).abs() < 1e-9);
        assert!(sheet(&results, "tcp").text().contains("radix, uniform, 1000"));
    }

    #[test]
    fn without_primitives_nothing_is_predicted() {
        let mut results = measured("tcp", 100.0);
        results.points.retain(|point| point.part == "sorts");
        assert_eq!(error(&of(&results, "tcp")), None);
        assert!(sheet(&results, "tcp").text().contains("/ -"));
    }
}
