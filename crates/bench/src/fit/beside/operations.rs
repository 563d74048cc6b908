//! Operations on another host's memory, and collective ones, compared with MPI's and with the round trip of a
//! bare socket.

use super::comparison::{Comparison, Kind, same};
use crate::measure::others::SOCKET;
use crate::options::Part;
use crate::results::Results;

const KIND: Kind = Kind {
    id: "operations",
    title: "Operations between hosts",
    caption: "Process 0 works on the memory of the last process, which waits, or all work together. Beside UPC stand MPI's \
              one-sided operations and collectives, and where an answer is waited for the round trip of 8 bytes over a bare \
              socket, both ends of which poll.",
    has: |point| point.part == Part::Operations.name(),
    is_ours: |point| point.dialect == "upc",
    label: |point| point.series.clone(),
    goal: |_, other, _| (other.dialect != SOCKET).then_some(1.0),
    column: |point| point.dialect.clone(),
    same,
    why: "in waiting: for the network, and with more threads than cores for the kernel to run the thread that \
          everybody waits for",
};

/// Returns the comparisons that were measured: one for each conduit and number of processes.
pub fn of(results: &Results) -> Vec<Comparison> {
    KIND.of(results)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::results::tests::results;

    #[test]
    fn each_number_of_processes_has_a_table() {
        let mut results = results();
        let model = results.points.remove(0);
        for (dialect, processes, ns) in [
            ("upc", 2, 10.0),
            ("open-mpi", 2, 20.0),
            ("socket", 2, 9.0),
            ("upc", 4, 30.0),
            ("open-mpi", 4, 15.0),
        ] {
            let mut point = model.clone();
            (point.part, point.dialect, point.conduit) = ("operations".into(), dialect.into(), "tcp".into());
            (point.series, point.ns) = ("barrier".into(), vec![ns]);
            point.at = BTreeMap::from([("processes".into(), processes)]);
            results.points.push(point);
        }
        let all = of(&results);
        let ids: Vec<&str> = all.iter().map(|comparison| comparison.id.as_str()).collect();
        assert_eq!(ids, ["operations-tcp-2", "operations-tcp-4"]);
        assert_eq!(all[0].table.peers, ["open-mpi", "socket"]);
        assert_eq!(all[0].goals, [[Some(1.0), None]], "a socket does not do as much");
        assert_eq!(all[1].table.rows[0].peers, [Some(15.0)]);
    }
}
