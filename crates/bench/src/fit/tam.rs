//! The threaded abstract machine under Id90: the costs of its operations here, compared with von Eicken's
//! tables 6-3 and 6-4.

use super::{calm, conduits};
use crate::numbers::{number, time};
use crate::results::Results;
use crate::sheet::{Sheet, words};

/// An operation within a processor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The operation's name, in the probe and in the tables.
    pub operation: &'static str,
    /// Nanoseconds here.
    pub ns: f64,
    /// Clock cycles on the CM-5. There a fork includes the stop of its thread and a post does not; here both
    /// include it.
    pub cycles: f64,
    /// Nanoseconds that it may take.
    pub goal: Option<f64>,
}

/// A read from another processor by message.
#[derive(Clone, Debug, PartialEq)]
pub struct Remote {
    /// The conduit of the message.
    pub conduit: String,
    /// Nanoseconds from the thread that fetches to the thread that receives the value.
    pub ifetch: f64,
    /// Nanoseconds of a request and its reply, which is waited for.
    pub round_trip: f64,
}

/// The most round trips that a remote ifetch may take.
pub const ROUND_TRIPS: f64 = 1.2;

/// Operation, cycles, goal. A fork is a push onto the local continuation vector (5, 10 and 7 cycles) and, if
/// the thread is enabled, its stop (5).
const OPERATIONS: [(&str, f64, Option<f64>); 9] = [
    ("fork", 10.0, Some(3.0)),
    ("fork, successful", 15.0, None),
    ("fork, unsuccessful", 7.0, None),
    ("post, running frame", 13.0, Some(4.0)),
    ("post, running frame, successful", 17.0, None),
    ("post, running frame, unsuccessful", 7.0, None),
    ("ifetch, local and full", 4.0, Some(3.0)),
    ("ifetch, local, with its post", 16.0, None),
    ("istore, local and empty", 2.0, None),
];

/// The CM-5's cycles of a remote ifetch, both messages included.
const REMOTE_CYCLES: f64 = 93.0;

/// Returns the cost in a series of the probe.
fn cost(results: &Results, series: &str, conduit: &str) -> Option<f64> {
    calm(&results.of("tam", "id90", conduit).find(|point| point.series == series)?.ns)
}

/// Returns the operations within a processor; empty if they were not measured.
pub fn local(results: &Results) -> Vec<Row> {
    let row = |(operation, cycles, goal)| {
        Some(Row { operation, ns: cost(results, operation, "smp")?, cycles, goal })
    };
    OPERATIONS.into_iter().filter_map(row).collect()
}

/// Returns the reads from another processor, by conduit.
pub fn remote(results: &Results) -> Vec<Remote> {
    let of = |conduit: String| {
        let ifetch = cost(results, "ifetch, remote", &conduit)?;
        Some(Remote { ifetch, round_trip: cost(results, "message round trip", &conduit)?, conduit })
    };
    conduits(results).into_iter().filter_map(of).collect()
}

/// Returns the operations within a processor as a table.
pub fn sheet(results: &Results) -> Sheet {
    let row = |row: &Row| {
        let goal = row.goal.map(time).unwrap_or_default();
        vec![row.operation.to_string(), time(row.ns), goal, row.cycles.to_string()]
    };
    Sheet {
        id: "tam".into(),
        title: "The machine under Id90, lower quartiles".into(),
        caption: "What forks, posts, fetches and stores of the threaded abstract machine cost: tables 6-3 and 6-4 of von \
                  Eicken's thesis. A fork, and a post that enables a thread, is here with the stop of that thread."
            .into(),
        head: words(&["here", "goal", "CM-5, cycles"]),
        rows: local(results).iter().map(row).collect(),
        papers: 1,
        ..Sheet::default()
    }
}

/// Returns the reads from another processor as a table.
pub fn remote_sheet(results: &Results) -> Sheet {
    let row = |far: &Remote| {
        let ratio = format!("{} round trips", number(far.ifetch / far.round_trip));
        vec![far.conduit.clone(), time(far.ifetch), time(far.round_trip), ratio]
    };
    Sheet {
        id: "tam-remote".into(),
        title: "A remote ifetch of the machine under Id90".into(),
        caption: format!(
            "Beside a round trip of active messages. On the CM-5 it takes {REMOTE_CYCLES} cycles of the processors, which \
             compute meanwhile."
        ),
        head: words(&["a remote ifetch", "a round trip", ""]),
        rows: remote(results).iter().map(row).collect(),
        ..Sheet::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::goals;
    use crate::results::tests::{of_points, point, results};

    fn measured(series: &[(&str, &str, f64)]) -> Results {
        let point = |(name, conduit, ns): &(&str, &str, f64)| {
            point(&format!("tam|id90|{conduit}|{name}|time"), &[], &[*ns])
        };
        of_points(series.iter().map(point))
    }

    #[test]
    fn operations_stand_beside_the_thesis_and_their_goals() {
        let results = measured(&[("fork", "smp", 1.5), ("post, running frame", "smp", 9.0)]);
        assert_eq!(local(&results)[0], Row { operation: "fork", ns: 1.5, cycles: 10.0, goal: Some(3.0) });
        let reached: Vec<bool> = goals::of(&results).iter().map(|goal| goal.is_reached).collect();
        assert_eq!(reached, [true, false]);
        let text = sheet(&results).text();
        let row = text.lines().find(|line| line.contains("post, running frame  ")).unwrap();
        assert_eq!(row.split_whitespace().collect::<Vec<_>>()[3..], ["9", "ns", "4", "ns", "13"], "{row}");
    }

    #[test]
    fn a_remote_fetch_is_held_against_the_round_trip_of_its_conduit() {
        let results = measured(&[
            ("ifetch, remote", "smp", 300.0),
            ("message round trip", "smp", 280.0),
            ("ifetch, remote", "tcp", 60000.0),
            ("message round trip", "tcp", 30000.0),
            ("ifetch, remote", "ofi", 1.0),
        ]);
        let reached: Vec<bool> = goals::of(&results).iter().map(|goal| goal.is_reached).collect();
        assert_eq!(reached, [true, false], "ofi has no round trip");
        let text = remote_sheet(&results).text();
        assert!(text.contains("2.00 round trips"), "{text}");
    }

    #[test]
    fn without_samples_there_is_nothing() {
        assert_eq!(
            (local(&results()), remote(&results()), sheet(&results()).text()),
            (vec![], vec![], String::new())
        );
    }
}
