//! Shifts, stencils and halos of distributed arrays compared with the same by other means: tables of ratios
//! with the goal of each, and the model of equation 2 of TR-18-93 for the time of all shifts at once.

use std::collections::BTreeMap;

use super::comparison::{Comparison, Kind, USUAL, place, places, same, where_text};
use crate::numbers::{bytes, number};
use crate::options::Part;
use crate::results::{Point, Results};
use crate::sheet::Sheet;

/// The least number of sizes for which the model is fitted, which the paper's table has too.
const PARAMETERS: usize = 3;
/// Grids of two arrays that are at least this many times as large as the largest cache count as beyond the
/// caches.
const PAST: f64 = 2.0;

const KINDS: [Kind; 4] = [
    Kind {
        id: "shifts",
        title: "All shifts at once, beside one at a time",
        caption: "A call of mer_pshift shifts by +1 and by -1 along every axis; beside it the same shifts by mer_cshift, one \
                  call for each. Sizes are those of a process's subgrid.",
        has: |point| rank(point).is_some(),
        is_ours: |point| point.what == "pshift",
        label: |point| [size(point, "length").as_str()].repeat(rank(point).unwrap_or(1)).join(" x "),
        goal: |ours, _, _| {
            let small = rank(ours).is_some_and(|rank| rank > 1) && ours.at.get("length") <= Some(&4);
            Some(if small { 4.0 } else { 1.2 })
        },
        column,
        why: WHY,
        ..USUAL
    },
    Kind {
        id: "shifts-intrinsics",
        title: "One process, beside the language's own shifts",
        caption: "cshift and eoshift of a square of doubles from Fortran and from Python, beside gfortran's intrinsics and \
                  numpy.roll.",
        has: |point| point.part == Part::Shifts.name() && rank(point).is_none(),
        is_ours: |point| point.what == "polyshift",
        label: |point| {
            let n = size(point, "length");
            let from = if point.dialect == crate::measure::system::NUMPY.name { "Python" } else { "Fortran" };
            format!("{from}, {}, {n} x {n}", point.series)
        },
        goal: |_, _, _| Some(1.0),
        column,
        same: |ours, other| same(ours, other) && ours.dialect == other.dialect,
        why: WHY,
    },
    Kind {
        id: "stencils",
        title: "Stencils",
        caption: "Nanoseconds an element and step, with one step a sweep and with several, and how many times that others \
                  take: copy-and-scale of as many elements, which is what the memory allows one step, and loops of OpenMP \
                  and Devito with one step a sweep. All lie in large pages, where the system has them; copies store as \
                  the C compiler does, which reads each line before.",
        has: |point| point.part == Part::Stencils.name() && point.series != HALO,
        is_ours: |point| point.dialect == "upc" && point.what != COPY,
        label: |point| {
            let steps = if point.what == ONE { "one step" } else { "several" };
            format!("{}, {}, {steps}", point.series, size(point, "side"))
        },
        goal: stencil_goal,
        column,
        why: WHY,
        ..USUAL
    },
    Kind {
        id: "halos",
        title: "The exchange of halos",
        caption: "A square of doubles for each process, whose faces of one element go to its four neighbours: \
                  mer_stencil_fetch, beside persistent messages and a neighbourhood collective of MPI, both of derived \
                  types.",
        has: |point| point.part == Part::Stencils.name() && point.series == HALO,
        is_ours: |point| point.what == "fetch",
        label: |point| format!("{} a face", bytes(point.at.get("bytes").copied().unwrap_or(0))),
        goal: |ours, _, _| Some(if ours.at.get("bytes") < Some(&4096) { 2.0 } else { 1.0 }),
        column,
        why: WHY,
        ..USUAL
    },
];

const WHY: &str = "in moves within a process's memory, which all ways have to make, or in arithmetic: neither gets shorter \
                   by fewer messages; between hosts in waiting";
const HALO: &str = "halo";
const COPY: &str = "copy and scale";
const ONE: &str = "one step";

/// Returns the rank of the points of tables 1 to 4.
fn rank(point: &Point) -> Option<usize> {
    point.series.strip_prefix("shifts of rank ")?.parse().ok()
}

fn size(point: &Point, axis: &str) -> String {
    point.at.get(axis).copied().unwrap_or(0).to_string()
}

/// Returns the goal of a stencil: beyond the caches the memory is the limit, within them the other systems
/// are.
fn stencil_goal(ours: &Point, other: &Point, cache: u64) -> Option<f64> {
    let side = *ours.at.get("side")? as f64;
    let cubes = if ours.series == "5-point" { 2 } else { 3 };
    let past = 2.0 * 8.0 * side.powi(cubes) > PAST * cache as f64;
    match (past, other.what == COPY) {
        (true, true) => Some(if ours.what == ONE { 0.9 } else { 1.8 }),
        (false, false) => Some(1.0),
        _ => None,
    }
}

/// Returns the name of another system's column in the tables.
fn column(point: &Point) -> String {
    match point.what.as_str() {
        ONE => point.dialect.clone(),
        "persistent" | "neighbourhood" => format!("{}, {}", point.dialect, point.what),
        what => what.to_string(),
    }
}

/// Returns all comparisons that were measured.
pub fn of(results: &Results) -> Vec<Comparison> {
    KINDS.iter().flat_map(|kind| kind.of(results)).collect()
}

/// The time of all shifts at once of subgrids of a rank: a + b L^(k-1) + c L^k nanoseconds (equation 2).
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// k.
    pub rank: usize,
    /// The lengths L with the measured times, ascending.
    pub points: Vec<(f64, f64)>,
    /// The powers of L and their factors a, b and c; for rank 1 only a and c, because the term of b would be
    /// constant like that of a.
    terms: Vec<(i32, f64)>,
}

impl Model {
    /// Returns the model's time for a length.
    pub fn at(&self, length: f64) -> f64 {
        self.terms.iter().map(|(power, factor)| factor * length.powi(*power)).sum()
    }

    /// Returns the largest error relative to the measured times.
    pub fn error(&self) -> f64 {
        self.points.iter().map(|&(length, ns)| (self.at(length) / ns - 1.0).abs()).fold(0.0, f64::max)
    }

    /// Returns the model as text, such as `79 + 3.2 L + 0.51 L^2`.
    pub fn text(&self) -> String {
        let term = |(power, factor): &(i32, f64)| match power {
            0 => number(*factor),
            1 => format!("{} L", number(*factor)),
            _ => format!("{} L^{power}", number(*factor)),
        };
        self.terms.iter().map(term).collect::<Vec<_>>().join(" + ").replace("+ -", "- ")
    }
}

/// Returns the models of the shifts measured in a place, by rank: those with enough sizes for the parameters.
pub fn models(results: &Results, conduit: &str, processes: u64) -> Vec<Model> {
    let mut by_rank: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    for point in &results.points {
        let (Some(rank), Some(&length)) = (rank(point), point.at.get("length")) else { continue };
        let Some(spread) = point.spread() else { continue };
        if point.what == "pshift" && place(point) == (conduit, processes) {
            by_rank.entry(rank).or_default().push((length as f64, spread.median));
        }
    }
    by_rank.into_iter().filter_map(|(rank, points)| fit(rank, points)).collect()
}

/// Fits by the least squares of relative errors; else the largest sizes would dominate.
fn fit(rank: usize, mut points: Vec<(f64, f64)>) -> Option<Model> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let k = rank as i32;
    let powers: Vec<i32> = if rank == 1 { vec![0, 1] } else { vec![0, k - 1, k] };
    if points.len() < powers.len().max(PARAMETERS) {
        return None;
    }
    let sum = |value: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|&(length, ns)| value(length, ns) / (ns * ns)).sum()
    };
    let row = |&i: &i32| -> Vec<f64> {
        let of = |&j: &i32| sum(&|length, _| length.powi(i) * length.powi(j));
        let right = sum(&|length, ns| length.powi(i) * ns);
        powers.iter().map(of).chain([right]).collect()
    };
    let factors = solve(powers.iter().map(row).collect())?;
    let terms = powers.iter().copied().zip(factors).collect();
    Some(Model { rank, points, terms })
}

/// Solves equations by Gauss's elimination, with the right side as the last column; none if they are
/// dependent.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for i in 0..n {
        let best = (i..n).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()))?;
        rows.swap(i, best);
        let pivot = rows[i].clone();
        if pivot[i] == 0.0 {
            return None;
        }
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i] / pivot[i];
            row.iter_mut().zip(&pivot).for_each(|(a, b)| *a -= factor * b);
        }
    }
    Some(rows.iter().enumerate().map(|(i, row)| row[n] / row[i]).collect())
}

/// Returns by rank the time of shifts one at a time relative to that of all at once, over the elements of a
/// process's subgrid, ascending in its lengths.
pub fn speedups(results: &Results, conduit: &str, processes: u64) -> BTreeMap<usize, Vec<(f64, f64)>> {
    let here = || results.points.iter().filter(|point| place(point) == (conduit, processes));
    let mut by_rank: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    for at_once in here().filter(|point| point.what == "pshift") {
        let (Some(rank), Some(&length)) = (rank(at_once), at_once.at.get("length")) else { continue };
        let alone = here().find(|point| point.what == "cshift" && same(at_once, point));
        if let (Some(at_once), Some(alone)) = (at_once.spread(), alone.and_then(Point::spread)) {
            let elements = (length as f64).powi(rank as i32);
            by_rank.entry(rank).or_default().push((elements, alone.median / at_once.median));
        }
    }
    by_rank
}

/// Returns the places where shifts were measured: conduit and number of processes.
pub fn places_of_shifts(results: &Results) -> Vec<(String, u64)> {
    let points: Vec<&Point> = results.points.iter().filter(|point| rank(point).is_some()).collect();
    places(&points).into_iter().map(|(conduit, processes)| (conduit.to_string(), processes)).collect()
}

/// Returns the models as tables.
pub fn sheets(results: &Results) -> Vec<Sheet> {
    let sheet = |(conduit, processes): (String, u64)| {
        let row = |model: &Model| {
            let error = format!("at most {:.0} % off", 100.0 * model.error());
            vec![format!("rank {}", model.rank), model.text(), error]
        };
        let place = where_text(&conduit, processes);
        Sheet {
            id: format!("shift-models-{conduit}-{processes}"),
            title: format!("all shifts at once of subgrids of length L, fitted, {place}: ns"),
            head: vec![String::new(); 2],
            rows: models(results, &conduit, processes).iter().map(row).collect(),
            is_drawn: true,
            ..Sheet::default()
        }
    };
    places_of_shifts(results).into_iter().map(sheet).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{of_points, point};

    /// A point: part, dialect, series, what, axis, size, processes, ns.
    type Given<'a> = (Part, &'a str, &'a str, &'a str, &'a str, u64, u64, f64);

    fn measured(points: &[Given<'_>]) -> Results {
        let point = |&(part, dialect, series, what, axis, size, processes, ns): &Given<'_>| {
            let key = format!("{}|{dialect}|smp|{series}|{what}", part.name());
            point(&key, &[(axis, size), ("processes", processes)], &[ns])
        };
        of_points(points.iter().map(point))
    }

    #[test]
    fn shifts_at_once_stand_beside_one_at_a_time_of_the_same_place() {
        let shift = |what, length, processes, ns| {
            (Part::Shifts, "upc", "shifts of rank 2", what, "length", length, processes, ns)
        };
        let results = measured(&[
            shift("cshift", 4, 2, 300.0),
            shift("pshift", 4, 2, 100.0),
            shift("cshift", 4, 8, 900.0),
            shift("pshift", 4, 8, 100.0),
            shift("pshift", 64, 2, 100.0),
        ]);
        let all = of(&results);
        let ids: Vec<&str> = all.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["shifts-smp-2", "shifts-smp-8"]);
        assert_eq!(all[0].table.rows[0].label, "4 x 4");
        assert_eq!(all[0].table.rows[0].peers, [Some(300.0)]);
        assert_eq!(all[0].goals, [[Some(4.0)], [None]], "nothing beside it, no goal");
        assert_eq!(all[1].table.rows[0].peers, [Some(900.0)]);
        let speedups = speedups(&results, "smp", 8);
        assert_eq!(speedups, BTreeMap::from([(2, vec![(16.0, 9.0)])]));
    }

    #[test]
    fn a_language_stands_beside_its_own_shifts() {
        let one = |dialect, what, ns| (Part::Shifts, dialect, "cshift", what, "length", 16, 1, ns);
        let all = of(&measured(&[
            one("gfortran", "gfortran", 10.0),
            one("gfortran", "polyshift", 5.0),
            one("numpy", "numpy.roll", 80.0),
            one("numpy", "polyshift", 40.0),
        ]));
        let [comparison] = all.as_slice() else { panic!("{all:?}") };
        let labels: Vec<&str> = comparison.table.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["Fortran, cshift, 16 x 16", "Python, cshift, 16 x 16"]);
        assert_eq!(comparison.table.rows[0].peers, [Some(10.0), None]);
        assert_eq!(comparison.table.rows[1].peers, [None, Some(80.0)]);
    }

    #[test]
    fn past_the_caches_the_memory_is_the_limit_and_within_them_others_are() {
        let of_side =
            |dialect, what, side, ns| (Part::Stencils, dialect, "5-point", what, "side", side, 2, ns);
        let points = |side| {
            [
                of_side("upc", "one step", side, 2.0),
                of_side("upc", "copy and scale", side, 1.0),
                of_side("upc", "several steps", side, 1.0),
                of_side("openmp", "one step", side, 3.0),
            ]
        };
        let goals = |side| of(&measured(&points(side)))[0].goals.clone();
        assert_eq!(goals(4096), [[Some(0.9), None], [Some(1.8), None]]);
        assert_eq!(goals(256), [[None, Some(1.0)], [None, Some(1.0)]]);
        let table = &of(&measured(&points(256)))[0].table;
        assert_eq!(table.peers, ["copy and scale", "openmp"]);
        assert_eq!(table.rows[1].peers, [Some(1.0), Some(3.0)]);
    }

    #[test]
    fn a_model_that_made_the_times_is_found() {
        let time = |l: f64| 79.0 + 3.5 * l + 0.25 * l * l;
        let points: Vec<(f64, f64)> = [2.0, 4.0, 8.0, 16.0, 128.0].map(|l| (l, time(l))).to_vec();
        let model = fit(2, points).unwrap();
        assert_eq!(model.text(), "79.0 + 3.50 L + 0.25 L^2");
        assert!(model.error() < 1e-6 && (model.at(64.0) / time(64.0) - 1.0).abs() < 1e-6);
        let line = fit(1, vec![(4.0, 12.0), (8.0, 16.0), (16.0, 24.0)]).unwrap();
        assert_eq!(line.text(), "8.00 + 1.00 L");
        assert_eq!(fit(2, vec![(2.0, 1.0), (4.0, 2.0)]), None, "fewer sizes than parameters");
    }

    #[test]
    fn halos_below_4_kb_are_to_take_half_the_time() {
        let face = |dialect, what, size| (Part::Stencils, dialect, "halo", what, "bytes", size, 2, 5.0);
        let all = of(&measured(&[
            face("upc", "fetch", 32),
            face("open-mpi", "persistent", 32),
            face("mpich", "persistent", 32),
            face("upc", "fetch", 4096),
            face("open-mpi", "persistent", 4096),
        ]));
        assert_eq!(all[0].table.peers, ["open-mpi, persistent", "mpich, persistent"]);
        assert_eq!(all[0].goals, [[Some(2.0), Some(2.0)], [Some(1.0), None]]);
        assert_eq!(all[0].table.rows[1].label, "4 KB a face");
    }
}
