//! Operations on another host's memory and collectives, compared with MPI's; and packets between hosts,
//! compared with those of a bare socket and of libfabric.

use super::comparison::{Comparison, Kind, USUAL, same};
use crate::measure::system::SOCKET;
use crate::numbers::bytes;
use crate::options::Part;
use crate::results::Results;

const KINDS: [Kind; 3] = [
    Kind {
        id: "operations",
        title: "Operations between hosts",
        caption: "Process 0 works on the memory of the last process, which waits, or all work together. Beside UPC stand MPI's \
                  one-sided operations and collectives, and where an answer is waited for the round trip of 8 bytes over a bare \
                  socket, both ends of which poll.",
        has: |point| point.part == Part::Operations.name(),
        goal: |_, other, _| (other.dialect != SOCKET.name).then_some(1.0),
        why: "in waiting: for the network, and with more threads than cores for the kernel to run the thread that \
              everybody waits for",
        ..USUAL
    },
    Kind {
        id: "collectives",
        title: "Collectives",
        caption: "A series of calls with blocks of these sizes, from the start of the first process to the end of the last. \
                  ALLSYNC stands beside MPI's call between two barriers, MYSYNC beside the call, which promise the same.",
        has: |point| point.part == Part::Collectives.name(),
        label: |point| format!("{}, {}", point.series, bytes(point.at.get("bytes").copied().unwrap_or(0))),
        ..USUAL
    },
    Kind {
        id: "packets",
        title: "Packets",
        caption: "A packet over the conduits, beside the same over a bare socket (tcp), over libfabric used directly (ofi), \
                  and over tcp with encryption. Two network namespaces are joined by a veth pair if that is permitted, and \
                  else the loopback interface is used. Both sides poll; an answer ends each sample of a stream.",
        has: |point| point.part == Part::Packets.name(),
        is_ours: |point| matches!(point.what.as_str(), "tcp" | "ofi"),
        label: |point| format!("{}, {}", point.series, point.what),
        column: |point| point.what.clone(),
        same: |ours, other| {
            let counterparts = if ours.what == "tcp" { ["socket", "encrypted"] } else { ["libfabric"; 2] };
            same(ours, other) && counterparts.contains(&other.what.as_str())
        },
        ..USUAL
    },
];

/// Returns the comparisons that were measured: one for each conduit and number of processes.
pub fn of(results: &Results) -> Vec<Comparison> {
    KINDS.iter().flat_map(|kind| kind.of(results)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{of_points, point};

    #[test]
    fn each_number_of_processes_has_a_table() {
        let times = [
            ("upc", 2, 10.0),
            ("open-mpi", 2, 20.0),
            ("socket", 2, 9.0),
            ("upc", 4, 30.0),
            ("open-mpi", 4, 15.0),
        ];
        let point = |(dialect, processes, ns): (&str, u64, f64)| {
            point(&format!("operations|{dialect}|tcp|barrier|time"), &[("processes", processes)], &[ns])
        };
        let results = of_points(times.map(point));
        let all = of(&results);
        let ids: Vec<&str> = all.iter().map(|comparison| comparison.id.as_str()).collect();
        assert_eq!(ids, ["operations-tcp-2", "operations-tcp-4"]);
        assert_eq!(all[0].table.peers, ["open-mpi", "socket"]);
        assert_eq!(all[0].goals, [[Some(1.0), None]], "a socket does not do as much");
        assert_eq!(all[1].table.rows[0].peers, [Some(15.0)]);
    }
}
