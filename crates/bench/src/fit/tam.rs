//! The threaded abstract machine under Id90: the costs of its operations here, compared with von Eicken's
//! tables 6-3 and 6-4.

use super::{calm, conduits};
use crate::numbers::number;
use crate::results::Results;

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
pub const REMOTE_CYCLES: f64 = 93.0;

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

/// Returns both tables for the terminal.
pub fn text(results: &Results) -> String {
    let (local, remote) = (local(results), remote(results));
    let mut text = String::new();
    if !local.is_empty() {
        text += "\nthe machine under Id90, lower quartiles, beside tables 6-3 and 6-4 of the thesis\n\n";
        text += &format!("  {:34} {:>8} {:>14} {:>8}\n", "", "ns", "CM-5, cycles", "goal, ns");
    }
    for row in local {
        let goal = row.goal.map(|goal| goal.to_string()).unwrap_or_default();
        let line =
            format!("  {:34} {:>8} {:>14} {goal:>8}", row.operation, number(row.ns), row.cycles.to_string());
        text += line.trim_end();
        text.push('\n');
    }
    if !remote.is_empty() {
        text += "\na remote ifetch beside a round trip of active messages, ns\n\n";
    }
    for far in remote {
        let ratio = number(far.ifetch / far.round_trip);
        let (ifetch, trip) = (number(far.ifetch), number(far.round_trip));
        text += &format!("  {:8} {ifetch:>9} {trip:>9}   {ratio} round trips\n", far.conduit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::goals;
    use crate::results::tests::results;

    fn measured(series: &[(&str, &str, f64)]) -> Results {
        let mut results = results();
        let model = results.points.remove(0);
        for (name, conduit, ns) in series {
            let mut point = model.clone();
            (point.part, point.dialect, point.series) = ("tam".into(), "id90".into(), (*name).into());
            (point.conduit, point.ns) = ((*conduit).into(), vec![*ns]);
            point.at.clear();
            results.points.push(point);
        }
        results
    }

    #[test]
    fn operations_stand_beside_the_thesis_and_their_goals() {
        let results = measured(&[("fork", "smp", 1.5), ("post, running frame", "smp", 9.0)]);
        assert_eq!(local(&results)[0], Row { operation: "fork", ns: 1.5, cycles: 10.0, goal: Some(3.0) });
        let reached: Vec<bool> = goals::of(&results).iter().map(|goal| goal.is_reached).collect();
        assert_eq!(reached, [true, false]);
        assert!(
            text(&results).contains("post, running frame                    9.00             13        4")
        );
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
        assert!(text(&results).contains("2.00 round trips"), "{}", text(&results));
    }

    #[test]
    fn without_samples_there_is_nothing() {
        assert_eq!(
            (local(&results()), remote(&results()), text(&results())),
            (vec![], vec![], String::new())
        );
    }
}
