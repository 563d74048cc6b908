//! Id programs compared with others: their times on one processor and on several, and the instructions of the
//! threaded abstract machine by class (figure 6-12 of von Eicken's thesis).

use super::comparison::{Comparison, Kind, USUAL};
use crate::measure::reading::CLASSES;
use crate::measure::system;
use crate::measure::table::Clock;
use crate::numbers::number;
use crate::options::Part;
use crate::results::{Point, Results};
use crate::sheet::{Ratios, Row, Sheet, words};

/// The names of the systems, and of the measured times.
const ID: &str = system::ID.name;
const DATAFLOW: &str = system::DATAFLOW.name;
const C: &str = system::C.name;
const HASKELL: &str = system::HASKELL.name;
const OPENMP: &str = system::OPENMP.name;
const PROCESSOR: &str = Clock::Processor.name();
const WALL: &str = Clock::Wall.name();

/// The share of the control instructions that the TAM optimisations are meant to save, in the mean.
pub const FEWER: f64 = 0.6;
/// The programs of von Eicken's thesis, over which the means are taken; `molecules` is its Paraffins.
const SIX: [&str; 6] = ["gamteb", "mmt", "molecules", "quicksort", "simple", "speech"];

/// Returns all points of the part.
fn points(results: &Results) -> impl Iterator<Item = &Point> {
    results.points.iter().filter(|point| point.part == Part::Id90.name() && !point.ns.is_empty())
}

/// Returns the name of a point's program, without its arguments.
fn name(point: &Point) -> &str {
    point.series.split(' ').next().unwrap_or_default()
}

/// Returns the number of processors of a point.
fn processors(point: &Point) -> u64 {
    point.at.get("processors").copied().unwrap_or(1)
}

/// Returns the time that a way takes for a program with its arguments, on `many` processors.
fn time(timed: &[&Point], series: &str, way: &str, many: u64) -> Option<f64> {
    let is = |point: &&&Point| point.series == series && point.dialect == way && processors(point) == many;
    Some(timed.iter().find(is)?.spread()?.median)
}

/// Returns the comparisons that were measured: on one processor, and on several. With --quick they have no
/// goals: the start of a process dominates the time of so small a problem.
pub fn of(results: &Results) -> Vec<Comparison> {
    let mut all: Vec<Comparison> = ONE_PROCESSOR.of(results).into_iter().chain(several(results)).collect();
    for comparison in all.iter_mut().filter(|_| results.header.quick) {
        comparison.goals.iter_mut().flatten().for_each(|goal| *goal = None);
    }
    all
}

const ONE_PROCESSOR: Kind = Kind {
    id: "id90",
    title: "Id90 on one processor, beside C and Haskell",
    caption: "Processor time of the same program: in C, in C with the algorithm of the Id program where the C program has \
              another, in Haskell by ghc -O2, and in Id with threads made without the TAM optimisations.",
    has: |point| point.part == Part::Id90.name() && point.what == PROCESSOR,
    is_ours: |point| point.dialect == ID,
    goal: |ours, other, _| match other.dialect.as_str() {
        HASKELL => Some(1.0),
        C if name(ours) == "mmt" => Some(1.0 / 1.2),
        _ => None,
    },
    why: "in lists and heap elements, which C programs do without, in tests of elements that may not be there yet, and in \
          what is computed before it is known to be needed",
    ..USUAL
};

/// Returns for each measured peer its name, its goal, and its time relative to the Id program's: the
/// geometric mean over the six programs.
pub fn means(results: &Results) -> Vec<(&'static str, f64, f64)> {
    let one_processor = ONE_PROCESSOR.of(results).into_iter().find(|_| !results.header.quick);
    let Some(Comparison { table, .. }) = one_processor else { return vec![] };
    let Ratios { peers, mut rows } = table;
    rows.retain(|row| row.label.split(' ').next().is_some_and(|name| SIX.contains(&name)));
    let six = Ratios { peers, rows };
    let mean = |(peer, goal): (&'static str, f64)| {
        let column = six.peers.iter().position(|name| name == peer)?;
        let mean = six.means()[column];
        mean.is_finite().then_some((peer, goal, mean))
    };
    [(C, 0.5), (DATAFLOW, 1.0 / 0.75)].into_iter().filter_map(mean).collect()
}

/// The time that a program would take if it gained as much from several processors as C with OpenMP does.
pub const AS_OPENMP: &str = "gaining as openmp";

fn several(results: &Results) -> Option<Comparison> {
    let timed: Vec<&Point> = points(results).filter(|point| point.what == WALL).collect();
    let most = timed.iter().map(|point| processors(point)).max().filter(|&most| most > 1)?;
    let row = |point: &&Point| -> Option<Row> {
        let of = |way, many| time(&timed, &point.series, way, many);
        let (one, openmp) = (of(ID, 1), of(OPENMP, most));
        let gaining = || Some(one? * openmp? / of(OPENMP, 1)?);
        let peers = vec![one, gaining(), openmp];
        Some(Row { label: point.series.clone(), ours: point.spread()?.median, peers })
    };
    let is_ours = |point: &&Point| point.dialect == ID && processors(point) == most;
    let ours: Vec<&Point> = timed.iter().copied().filter(is_ours).collect();
    let rows: Vec<Row> = ours.iter().filter_map(row).collect();
    let shared = |point: &&Point| matches!(name(point), "gamteb" | "mmt" | "simple");
    let goals = |point: &&Point| vec![shared(point).then_some(1.6), shared(point).then_some(0.8), None];
    (!rows.is_empty()).then(|| Comparison {
        id: format!("id90-{most}"),
        title: format!("Id90 on {most} processors"),
        caption: "Wall-clock time of the same program, beside that of one processor: how many times as fast it is; beside \
                  what it would take if it gained as much as C with OpenMP does; and beside C with OpenMP.",
        goals: ours.iter().map(goals).collect(),
        table: Ratios { peers: ["one processor", AS_OPENMP, OPENMP].map(String::from).into(), rows },
        why: "in parts that are too short to be shared, and in processors that are two threads of one core",
    })
}

/// The instructions of a program, by class, with the TAM optimisations and without.
#[derive(Clone, Debug, PartialEq)]
pub struct Mix {
    /// The program's name and arguments.
    pub program: String,
    /// With the optimisations.
    pub tam: [f64; 4],
    /// Without the optimisations.
    pub dataflow: [f64; 4],
}

impl Mix {
    /// Returns the share of the control instructions that the optimisations save.
    pub fn fewer(&self) -> f64 {
        1.0 - self.tam[2] / self.dataflow[2]
    }
}

/// Returns the programs whose instructions were counted in both ways.
pub fn mixes(results: &Results) -> Vec<Mix> {
    let count = |series: &str, dialect: &str| {
        CLASSES.map(|class| {
            let is = |point: &&Point| {
                point.series == series
                    && point.dialect == dialect
                    && point.what == format!("instructions, {class}")
            };
            points(results).find(is).map_or(0.0, |point| point.ns[0])
        })
    };
    let counted =
        points(results).filter(|point| point.dialect == ID && point.what == "instructions, control");
    let mix = |point: &Point| Mix {
        program: point.series.clone(),
        tam: count(&point.series, ID),
        dataflow: count(&point.series, DATAFLOW),
    };
    counted.map(mix).filter(|mix| mix.dataflow[2] > 0.0).collect()
}

/// Returns the mean share of the control instructions that is saved, or none if none were counted.
pub fn fewer(mixes: &[Mix]) -> Option<f64> {
    (!mixes.is_empty()).then(|| mixes.iter().map(Mix::fewer).sum::<f64>() / mixes.len() as f64)
}

/// Returns the instructions as a table.
pub fn sheet(results: &Results) -> Sheet {
    let mixes = mixes(results);
    let Some(mean) = fewer(&mixes) else { return Sheet::default() };
    let row = |mix: &Mix, way: &str, of: [f64; 4], saved: String| {
        let all: f64 = of.iter().sum();
        let parts = of.iter().map(|count| format!("{:.0} %", 100.0 * count / all));
        let name = [format!("{}, {way}", mix.program), number(all / 1e3)];
        name.into_iter().chain(parts).chain([saved]).collect::<Vec<_>>()
    };
    let both = |mix: &Mix| {
        let saved = format!("{:.0} %", 100.0 * mix.fewer());
        [row(mix, "tam", mix.tam, saved), row(mix, "dataflow", mix.dataflow, String::new())]
    };
    Sheet {
        id: "id90-instructions".into(),
        title: "The instructions of the abstract machine under Id90".into(),
        caption: "Thousands of instructions on one processor and the parts of each class, with the TAM optimisations (tam) and \
                  without (dataflow). Redrawn: Figure 6-12 of von Eicken's thesis."
            .into(),
        head: words(&["thousands", "arithmetic", "heap", "control", "messages", "control saved"]),
        rows: mixes.iter().flat_map(both).collect(),
        notes: vec![format!("In the mean {:.0} % less control.", 100.0 * mean)],
        ..Sheet::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::goals;
    use crate::results::tests::{of_points, point};

    fn measured(points: &[(&str, &str, &str, u64, f64)]) -> Results {
        let point = |&(dialect, series, what, processors, ns): &(&str, &str, &str, u64, f64)| {
            let at = [("processors", processors)];
            let at = if what == WALL { &at[..] } else { &[] };
            point(&format!("id90|{dialect}|smp|{series}|{what}"), at, &[ns])
        };
        let mut results = of_points(points.iter().map(point));
        results.header.quick = false;
        results
    }

    #[test]
    fn programs_stand_beside_c_and_haskell_with_their_goals() {
        let results = measured(&[
            (ID, "mmt 40", PROCESSOR, 1, 1.3e6),
            (C, "mmt 40", PROCESSOR, 1, 1e6),
            (HASKELL, "mmt 40", PROCESSOR, 1, 2e6),
            (ID, "speech 60", PROCESSOR, 1, 1.5e6),
            (C, "speech 60", PROCESSOR, 1, 1e6),
            (ID, "queens 12", PROCESSOR, 1, 40e6),
            (C, "queens 12", PROCESSOR, 1, 1e6),
        ]);
        let [table] = of(&results).try_into().unwrap();
        assert_eq!(table.table.peers, [C, HASKELL]);
        assert_eq!(table.table.rows[1].peers, [Some(1e6), None]);
        let missed: Vec<String> =
            goals::of(&results).into_iter().filter(|goal| !goal.is_reached).map(|goal| goal.what).collect();
        let means = means(&results);
        assert!(means.len() == 1 && (means[0].2 - (1.0 / 1.95f64).sqrt()).abs() < 1e-6, "{means:?}");
        assert_eq!(missed.len(), 1, "{missed:?}");
        assert!(missed[0].contains("mmt 40: the time of c"), "{missed:?}");
    }

    #[test]
    fn several_processors_stand_beside_one() {
        let results = measured(&[
            (ID, "mmt 40", WALL, 1, 3e6),
            (ID, "mmt 40", WALL, 2, 2e6),
            (ID, "queens 10", WALL, 1, 2e6),
            (ID, "queens 10", WALL, 2, 2e6),
            (OPENMP, "mmt 40", WALL, 1, 2e6),
            (OPENMP, "mmt 40", WALL, 2, 1e6),
        ]);
        let [table] = of(&results).try_into().unwrap();
        assert_eq!(table.id, "id90-2");
        assert_eq!(table.table.rows[0].peers, [Some(3e6), Some(1.5e6), Some(1e6)]);
        assert_eq!(table.table.rows[1].peers, [Some(2e6), None, None]);
        assert_eq!(table.goals, [[Some(1.6), Some(0.8), None], [None; 3]]);
        let quick = Results { header: crate::results::Header { quick: true, ..results.header }, ..results };
        assert_eq!(of(&quick)[0].goals, [[None; 3], [None; 3]]);
    }

    #[test]
    fn control_that_is_saved_is_a_part_of_what_there_was() {
        let results = measured(&[
            (ID, "queens 7", "instructions, control", 1, 25.0),
            (ID, "queens 7", "instructions, alu", 1, 100.0),
            (DATAFLOW, "queens 7", "instructions, control", 1, 100.0),
            (ID, "mmt 6", "instructions, control", 1, 1.0),
        ]);
        let mixes = mixes(&results);
        assert_eq!(mixes.len(), 1, "what was counted in one way alone says nothing");
        assert_eq!(mixes[0].tam, [100.0, 0.0, 25.0, 0.0]);
        assert_eq!(fewer(&mixes), Some(0.75));
        let text = sheet(&results).text();
        assert!(text.contains("75 % less control") && text.contains("queens 7, tam"), "{text}");
    }
}
