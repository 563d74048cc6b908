//! Meridian compared with its peers: the times of the same operation, and of the same program.

use super::comparison::{Comparison, Kind, USUAL};
use crate::measure::system::{AC, UPC};
use crate::measure::table::applications;
use crate::numbers::bytes;
use crate::options::Part;
use crate::results::{Point, Results};

const KINDS: [Kind; 2] = [
    Kind {
        id: "peers",
        title: "Operations beside peers",
        caption: "The same operation by other systems that are installed here, between two processes of this host. Plain C \
                  copies within one process. Meridian's copies are UPC's non-blocking ones.",
        has: |point| point.part == Part::Peers.name(),
        is_ours,
        label: |point| format!("{} {}", point.series, bytes(point.at.get("bytes").copied().unwrap_or(0))),
        ..USUAL
    },
    Kind {
        id: "programs",
        title: "Whole programs",
        caption: "The same program by other systems, in turn with Meridian's. What a thread computes alone is one source for \
                  all, compiled by the same C compiler. Every run has verified its result. Between hosts MPI uses TCP. Beside \
                  figures 11 to 13 of the X1 paper.",
        has: |point| applications::PARTS.iter().any(|part| part.name() == point.part),
        is_ours,
        label: |point| format!("{}, {}", point.series, point.what),
        goal: |ours, other, _| applications::goal(&ours.series, &other.dialect, &ours.conduit),
        same: |ours, other| ours.same_but_for_the_dialect(other),
        why: "not in what a thread computes alone, which is one source for all: in accesses that wait one by one or part \
              by part (`meridian cc -Rcommunication` and `meridian run --profile` name the lines), and in waiting, which \
              other programs on the cores make longer",
        ..USUAL
    },
];

/// Whether a point is Meridian's.
fn is_ours(point: &Point) -> bool {
    [UPC.name, AC.name].contains(&point.dialect.as_str())
}

/// Returns the comparisons that were measured.
pub fn of(results: &Results) -> Vec<Comparison> {
    KINDS.iter().flat_map(|kind| kind.of(results)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{of_points, point};

    fn measured(times: &[(&str, &str, f64)]) -> Results {
        let point = |(dialect, series, ns): &(&str, &str, f64)| {
            point(&format!("peers|{dialect}|smp|{series}|time"), &[("bytes", 8)], &[*ns])
        };
        of_points(times.iter().map(point))
    }

    #[test]
    fn programs_have_a_table_of_their_own_without_what_was_dropped() {
        let mut results = measured(&[("upc", "EP", 2e6), ("openmp", "EP", 3e6), ("mpich", "EP", 1e6)]);
        for point in &mut results.points {
            (point.part, point.what, point.conduit) = ("nas".into(), "class S".into(), "smp".into());
        }
        results.points.remove(2);
        let [programs] = of(&results).try_into().unwrap();
        assert_eq!(
            (programs.id.as_str(), programs.table.peers.clone()),
            ("programs-smp-2", vec!["openmp".into()])
        );
        assert_eq!(programs.table.rows[0].label, "EP, class S");
        assert!(programs.sheet().text().contains("3 ms (1.50)"));
        results.points[0].what = "class W".into();
        assert_eq!(of(&results)[0].table.rows[0].peers, [None], "another class is no counterpart");
    }

    #[test]
    fn without_peers_there_is_no_table() {
        assert_eq!(of(&measured(&[("upc", "get", 2.0)])), []);
        assert_eq!(of(&measured(&[("mpich", "get", 2.0)])), []);
    }
}
