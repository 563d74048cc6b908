//! Meridian's goals in the measurements, and the values that a run reaches. The terminal and the report name
//! each missed goal with the place of the difference, so that the reader need not find it in the tables.

use super::beside::comparison::Comparison;
use super::beside::{self, id90};
use super::{conduits, em3d, livermore, sorts, tam};
use crate::noise::noise;
use crate::numbers::number;
use crate::results::Results;

/// A goal that a run has measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The two sides of the comparison, and its place.
    pub what: String,
    /// The goal.
    pub goal: String,
    /// The measured value.
    pub measured: String,
    /// Whether the goal is reached.
    pub is_reached: bool,
    /// Where the difference lies.
    pub why: &'static str,
}

/// Returns all goals that were measured, those of an application before those of a program.
pub fn of(results: &Results) -> Vec<Goal> {
    let mut goals = Vec::new();
    for conduit in conduits(results) {
        predictions(results, &conduit, &mut goals);
    }
    translation(results, &mut goals);
    machine(results, &mut goals);
    compared(results, &mut goals);
    id_means(results, &mut goals);
    goals
}

/// Adds the goals of predictions: a typical error of a tenth at most; of a fifth if threads share cores.
fn predictions(results: &Results, conduit: &str, goals: &mut Vec<Goal>) {
    let limit = if results.threads_a_core(conduit) > 1.0 { 0.20 } else { 0.10 };
    let mut add = |what: String, error: Option<f64>| {
        let Some(error) = error else { return };
        goals.push(Goal {
            what: format!("{what} over {conduit}, predicted: typical error"),
            goal: format!("{:.0} % at most", limit * 100.0),
            measured: format!("{:.0} %", error * 100.0),
            is_reached: error <= limit,
            why: "the application waits at other moments than the exchanges that it is predicted from; other \
                  programs on the cores make each wait longer, and one pass (--passes) does not show how much",
        });
    };
    for dialect in em3d::DIALECTS {
        add(format!("EM3D in {dialect}"), em3d::error(&em3d::of(results, dialect, conduit)));
    }
    add("the sorts".into(), sorts::error(&sorts::of(results, conduit)));
}

/// Adds the goals of translation: translated C at the speed of plain C.
fn translation(results: &Results, goals: &mut Vec<Goal>) {
    let Some([_, private, _]) = livermore::aggregates(&livermore::of(results)) else { return };
    let (least, kernel) = (private.least.1, private.least.0);
    for (what, limit, measured) in [
        (
            "the Livermore kernels, translated, beside plain C: geometric mean".to_string(),
            0.99,
            private.speed,
        ),
        (format!("the slowest of them, {kernel}"), 0.95, least),
    ] {
        goals.push(Goal {
            what,
            goal: format!("{limit:.2} at least"),
            measured: format!("{measured:.3}"),
            is_reached: measured >= limit,
            why: "the C compiler gets the same loops; some kernels are slower by up to a half in some processes, \
                  translated and plain, so it takes several passes (--passes), each of which is a process, until \
                  each version has run undisturbed",
        });
    }
}

/// Adds the goals of the machine under Id90: its operations within a processor, and a fetch relative to its
/// messages.
fn machine(results: &Results, goals: &mut Vec<Goal>) {
    for row in tam::local(results) {
        let Some(limit) = row.goal else { continue };
        goals.push(Goal {
            what: format!("Id90's machine: {}", row.operation),
            goal: format!("{limit} ns at most"),
            measured: format!("{} ns", number(row.ns)),
            is_reached: row.ns <= limit,
            why: "in the calls of the runtime and the memory of the frame; a processor whose clock is slower, or \
                  which other programs share, takes longer",
        });
    }
    for far in tam::remote(results) {
        goals.push(Goal {
            what: format!(
                "Id90's machine over {}: a remote ifetch, in round trips of active messages",
                far.conduit
            ),
            goal: format!("{:.1} at most", tam::ROUND_TRIPS),
            measured: number(far.ifetch / far.round_trip),
            is_reached: far.ifetch <= tam::ROUND_TRIPS * far.round_trip,
            why: "in the scheduler: the end of the quantum, the post of the answer and the next quantum",
        });
    }
}

/// Returns a goal for a ratio of at least `limit`.
fn at_least(what: String, limit: f64, ratio: f64, why: &'static str) -> Goal {
    let goal = format!("{} at least", number(limit));
    Goal { what, goal, measured: number(ratio), is_reached: ratio >= limit, why }
}

/// Adds the goals of comparisons: the least time of the other system relative to Meridian's.
fn compared(results: &Results, goals: &mut Vec<Goal>) {
    for Comparison { title, table, goals: limits, why, .. } in beside::all(results) {
        for (row, limits) in table.rows.iter().zip(&limits) {
            for ((peer, ns), limit) in table.peers.iter().zip(&row.peers).zip(limits) {
                let (Some(limit), Some(ns)) = (*limit, *ns) else { continue };
                let what = format!("{title}, {}: the time of {peer}, in Meridian's", row.label);
                goals.push(at_least(what, limit, ns / row.ours, why));
            }
        }
    }
}

/// Adds the goals of Id programs in the mean: their times, and the savings of the TAM optimisations.
fn id_means(results: &Results, goals: &mut Vec<Goal>) {
    for (peer, limit, mean) in id90::means(results) {
        let what = format!("Id90, six programs in the mean: the time of {peer}, in Meridian's");
        goals.push(at_least(what, limit, mean, "in lists and heap elements, which C programs do without"));
    }
    let Some(fewer) = id90::fewer(&id90::mixes(results)) else { return };
    goals.push(Goal {
        what: "Id90: control instructions that the TAM optimisations save, in the mean".into(),
        goal: format!("{:.0} % at least", 100.0 * id90::FEWER),
        measured: format!("{:.0} %", 100.0 * fewer),
        is_reached: fewer >= id90::FEWER,
        why: "in threads that cannot be merged, since their values arrive by themselves",
    });
}

/// Returns the missed goals for the terminal; empty if there are none.
pub fn text(results: &Results) -> String {
    let missed: Vec<Goal> = of(results).into_iter().filter(|goal| !goal.is_reached).collect();
    if missed.is_empty() {
        return String::new();
    }
    let mut text = String::from("\nwhat falls short of its goal\n\n");
    for goal in &missed {
        text += &format!("  {}: {}, goal {}\n", goal.what, goal.measured, goal.goal);
    }
    if noise(results).is_some() {
        text += "  (the run is too noisy to be relied on)\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{of_points, point, results};

    fn programs(times: &[(&str, &str, &str, f64)]) -> Results {
        let point = |(dialect, series, conduit, ns): &(&str, &str, &str, f64)| {
            point(&format!("nas|{dialect}|{conduit}|{series}|class S"), &[], &[*ns])
        };
        of_points(times.iter().map(point))
    }

    #[test]
    fn what_falls_short_is_named_and_nothing_else() {
        let results = programs(&[
            ("upc", "EP", "smp", 2e6),
            ("openmp", "EP", "smp", 1e6),
            ("open-mpi", "EP", "smp", 3e6),
            ("upc", "tree search", "smp", 2e6),
            ("openmp", "tree search", "smp", 1e6),
        ]);
        let goals = of(&results);
        let reached: Vec<bool> = goals.iter().map(|goal| goal.is_reached).collect();
        assert_eq!(reached, [false, true], "a tree search has no goal: {goals:?}");
        let text = text(&results);
        let line = "  Whole programs, 2 processes on this host, EP, class S: the time of openmp, in Meridian's: 0.50, \
                    goal 1.00 at least\n";
        assert!(text.contains(line) && !text.contains("open-mpi"), "{text}");
    }

    #[test]
    fn goals_depend_on_the_place() {
        let times =
            |conduit| [("upc", "transposition", conduit, 1e6), ("open-mpi", "transposition", conduit, 1.1e6)];
        let reached = |conduit| of(&programs(&times(conduit)))[0].is_reached;
        assert!(!reached("smp") && reached("tcp"));
    }

    #[test]
    fn without_measurements_there_are_no_goals() {
        assert_eq!(of(&results()), []);
        assert_eq!(text(&results()), "");
    }
}
