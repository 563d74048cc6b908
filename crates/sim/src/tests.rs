//! The engine against closed forms, and its failures. Times are in picoseconds.

use super::*;
use crate::engine::{Failed, run};
use crate::program::{Cursor, Op};
use crate::queue::Binary;
use crate::trace::{Kind, Record, Scaling};
use proptest::prelude::*;

const L: Time = 5_000_000;
const O: Time = 1_000_000;
const G: Time = 2_500_000;
const BYTE: Time = 300;
const MACHINES: [LogGp; 4] = [
    LogGp { latency: L, overhead: O, gap: G, byte: BYTE, hop: 0 },
    LogGp { latency: 0, overhead: 1, gap: 0, byte: 0, hop: 0 },
    LogGp { latency: 10, overhead: 300, gap: 7, byte: 1, hop: 0 },
    LogGp { latency: 1, overhead: 2, gap: 50_000, byte: 9, hop: 0 },
];

fn machine(loggp: LogGp) -> Machine {
    Machine { loggp, topology: Topology::Crossbar }
}

fn ran(text: &str, processes: u32, machine: &Machine) -> Run {
    let model = Model::parse(&format!("meridian-model 1\n{text}")).unwrap();
    simulated(&model.instance(processes).unwrap(), machine).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn time(text: &str, processes: u32, loggp: LogGp) -> Time {
    ran(text, processes, &machine(loggp)).time()
}

/// The time between the starts of two messages of a processor that only sends, and the time from the start of
/// a message to the end of its receipt.
fn costs(m: LogGp, bytes: u64) -> (Time, Time) {
    let transfer = (bytes - 1) * m.byte;
    (m.overhead.max(m.gap + transfer), 2 * m.overhead + transfer + m.latency)
}

#[test]
fn a_linear_broadcast() {
    for (m, n, k) in MACHINES.into_iter().flat_map(|m| [(m, 2, 1), (m, 7, 8), (m, 1000, 4096)]) {
        let (start, whole) = costs(m, k);
        let text = format!("broadcast linear bytes {k} root 1");
        assert_eq!(time(&text, n, m), u64::from(n - 2) * start + whole, "{m:?} {n} {k}");
    }
}

/// The time until the subtree of a binomial tree below a process that has the message is complete, with
/// `rounds` to go.
fn binomial(rounds: u64, start: Time, whole: Time) -> Time {
    (0..rounds).map(|i| i * start + whole + binomial(rounds - 1 - i, start, whole)).max().unwrap_or(0)
}

#[test]
fn a_binomial_broadcast_and_reduction() {
    for (m, rounds, k) in MACHINES.into_iter().flat_map(|m| [(m, 1, 1), (m, 5, 64), (m, 10, 1)]) {
        let (start, whole) = costs(m, k);
        let n = 1 << rounds;
        let text = format!("broadcast binomial bytes {k} root {}", n / 2);
        assert_eq!(time(&text, n, m), binomial(rounds, start, whole), "{m:?} {n} {k}");
        if whole >= start {
            assert_eq!(binomial(rounds, start, whole), rounds * whole);
        }
    }
    // With o the largest, a receiver is the bottleneck: it takes one after another, the last after all
    // rounds.
    let m = MACHINES[1];
    assert_eq!(time("reduce bytes 1 root 3", 16, m), 4 * costs(m, 1).1);
}

#[test]
fn a_broadcast_reaches_everyone_of_any_number() {
    for n in 1..40 {
        for root in [0, n / 2, n - 1] {
            for kind in ["broadcast linear", "broadcast binomial", "reduce", "gather"] {
                let run = ran(&format!("{kind} bytes 8 root {root}"), n, &machine(MACHINES[0]));
                assert_eq!(run.messages, u64::from(n - 1), "{kind} {n} {root}");
            }
        }
    }
}

#[test]
fn all_to_all() {
    for (m, n, k) in MACHINES.into_iter().flat_map(|m| [(m, 2, 1), (m, 9, 8), (m, 64, 512)]) {
        let (start, whole) = costs(m, k);
        let sending = u64::from(n - 2) * start + m.overhead;
        let receiving = (u64::from(n - 1) * m.overhead).max(whole - m.overhead);
        let run = ran(&format!("all-to-all bytes {k}"), n, &machine(m));
        assert_eq!(run.time(), sending + receiving, "{m:?} {n} {k}");
        assert_eq!(run.messages, u64::from(n) * u64::from(n - 1));
        assert!(run.processes.iter().all(|p| p.clock == run.time()));
    }
}

#[test]
fn a_ring() {
    for (m, n, k) in MACHINES.into_iter().take(3).flat_map(|m| [(m, 2, 1), (m, 9, 8), (m, 500, 512)]) {
        let (_, whole) = costs(m, k);
        assert_eq!(time(&format!("ring bytes {k}"), n, m), u64::from(n) * whole);
        let turns = format!("repeat 3\nring bytes {k}\nend");
        assert_eq!(time(&turns, n, m), 3 * u64::from(n) * whole, "{m:?} {n} {k}");
    }
}

#[test]
fn a_barrier_and_a_halo() {
    let (start, whole) = costs(MACHINES[0], 1);
    assert!(whole >= start);
    for (n, rounds) in [(1, 0), (2, 1), (3, 2), (8, 3), (9, 4), (1000, 10)] {
        assert_eq!(time("barrier", n, MACHINES[0]), rounds * whole);
    }
    // Six messages leave a gap apart; the last arrives, and is received.
    let (start, whole) = costs(MACHINES[0], 800);
    assert_eq!(time("halo 3 bytes 800 torus", 27, MACHINES[0]), 5 * start + whole);
    assert_eq!(ran("halo 3 bytes 800", 27, &machine(MACHINES[0])).messages, 2 * 3 * 18);
    assert_eq!(ran("halo 2 bytes 800 torus", 4, &machine(MACHINES[0])).messages, 16);
}

#[test]
fn puts_and_gets() {
    let m = MACHINES[0];
    let transfer = 99 * BYTE;
    assert_eq!(time("gets count 1 bytes 100 blocking", 2, m), 2 * L + 4 * O + transfer);
    assert_eq!(time("gets count 10 bytes 100 blocking", 2, m), 10 * (2 * L + 4 * O + transfer));
    assert_eq!(time("puts count 1 bytes 100\nsync", 2, m), 2 * L + 4 * O + transfer);
    // Many puts to one target leave a gap apart, and are served as fast.
    let puts = [call(Kind::PutBegin, 1, 100); 100];
    let all = [&puts[..], &[call(Kind::Sync, 0, 0)]].concat();
    assert_eq!(replayed(&[&all, &[]], 2).unwrap().time(), 99 * (G + transfer) + 2 * L + 4 * O + transfer);
}

#[test]
fn a_fat_tree_is_slower_between_its_parts() {
    let with = |text: &str| {
        let loggp = LogGp { hop: 1000, ..MACHINES[0] };
        ran("shift by 1 bytes 1", 16, &Machine { loggp, topology: Topology::parse(text, 16).unwrap() })
    };
    let near = 2 * O + L;
    let run = with("fat-tree:4");
    assert_eq!(run.processes[1].clock, near);
    assert_eq!(run.processes[4].clock, near + 2 * 1000);
    assert_eq!(with("mesh2").processes[4].clock, near + 3 * 1000);
    assert_eq!(with("torus2:16x1").time(), near);
}

#[test]
fn the_critical_path_adds_up() {
    let text = "compute 7us\nbroadcast binomial bytes 4096\ncompute 90us at 5\nbarrier\nall-to-all bytes 64";
    let run = ran(text, 13, &machine(MACHINES[0]));
    let last = &run.processes[run.last() as usize];
    let path = last.path;
    assert_eq!(path.compute, 97_000_000);
    assert_eq!(path.latency(last.clock), u64::from(path.messages) * L);
    let chain = run.links.chain(path.link).unwrap();
    assert!(chain.iter().any(|link| link.from == 5), "{chain:?}");
    assert!(chain.is_sorted_by_key(|link| link.at));
    assert!(chain.windows(2).all(|pair| pair[0].to == pair[1].from), "{chain:?}");
}

const APPLICATIONS: &str = "repeat 2\nem3d simple remote 40 edge 5ns nodes 20 degree 5\nem3d bundle remote 40 edge 5ns\n\
    em3d get remote 10 edge 5ns\nem3d put remote 90 edge 5ns owners 3\nem3d bulk remote 40 edge 5ns\nend\n\
    sample-sort keys 1000\nreduce bytes 8\nhalo 1 bytes 9\nhalo 2 bytes 9 torus\nhalo 3 bytes 9\nring bytes 3";

#[test]
fn both_queues_give_the_same() {
    for n in [1, 2, 12, 30] {
        let model = Model::parse(&format!("meridian-model 1\n{APPLICATIONS}")).unwrap();
        let program = model.instance(n).unwrap();
        let machine = Machine {
            loggp: LogGp { hop: 20, ..MACHINES[2] },
            topology: Topology::parse("torus2", n).unwrap(),
        };
        let ends = |run: Run| run.processes.iter().map(|p| (p.clock, p.path)).collect::<Vec<_>>();
        let radix = ends(run::<Radix>(&program, &machine).unwrap());
        assert_eq!(radix, ends(run::<Binary>(&program, &machine).unwrap()));
        assert_eq!(radix, ends(run::<Radix>(&program, &machine).unwrap()));
    }
}

// ---- traces ----------------------------------------------------------------------------------------------

fn call(kind: Kind, other: u32, bytes: u64) -> Record {
    Record { kind, other, bytes, compute: 0, spent: 0 }
}

fn replayed(threads: &[&[Record]], processes: u32) -> Result<Run> {
    let trace = Trace { threads: threads.iter().map(|records| records.to_vec()).collect() };
    simulated(&Replay::new(&trace, processes, Scaling::Weak)?, &machine(MACHINES[0]))
}

#[test]
fn a_deadlock_names_who_waits_for_whom() {
    let crossed = replayed(&[&[call(Kind::Receive, 1, 8)], &[call(Kind::Receive, 0, 8)]], 2).unwrap_err();
    let text = crossed.to_string();
    assert!(text.contains("2 of 2 processes wait for ever"), "{text}");
    assert!(text.contains("process 0 waits for a message of process 1 (call 1 of 1, Receive)"), "{text}");
    assert!(text.contains("a cycle of waits: 0 for 1 for 0"), "{text}");
}

#[test]
fn an_unmatched_receive_and_a_lost_message_are_named() {
    let text = replayed(&[&[call(Kind::Receive, 1, 8)], &[]], 2).unwrap_err().to_string();
    assert!(text.contains("process 1, which has ended without sending it"), "{text}");
    assert!(!text.contains("circle"), "{text}");
    let text = replayed(&[&[call(Kind::Send, 1, 8)], &[]], 2).unwrap_err().to_string();
    assert!(
        text.contains("1 messages were sent but never received: one of process 0 to process 1"),
        "{text}"
    );
    let text = replayed(&[&[call(Kind::Lock, 0, 8), call(Kind::Lock, 0, 8)]], 1).unwrap_err().to_string();
    assert!(text.contains("perhaps of a lock that is never released"), "{text}");
}

#[test]
fn messages_go_to_a_multiple_of_the_threads_only() {
    let threads: [&[Record]; 2] = [&[call(Kind::Send, 1, 8)], &[call(Kind::Receive, 0, 8)]];
    assert_eq!(replayed(&threads, 6).unwrap().time(), 2 * O + L + 7 * BYTE);
    let text = replayed(&threads, 3).unwrap_err().to_string();
    assert!(text.contains("multiples of 2 threads only: 3 is none"), "{text}");
}

/// Threads may make different calls between their collectives; the collectives still match.
#[test]
fn collectives_meet_whatever_else_threads_call() {
    let (put, barrier) = (call(Kind::Put, 1, 8), call(Kind::Barrier, 0, 0));
    let (back, reduce) = (call(Kind::Put, 0, 8), call(Kind::Reduce, 0, 8));
    let first = [put, put, barrier, reduce, barrier];
    let second = [barrier, back, reduce, back, back, barrier];
    let run = replayed(&[&first, &second], 4).unwrap();
    assert!(run.time() > 0);
    // A thread that lacks one waits for ever.
    assert!(replayed(&[&first, &second[..3]], 4).is_err());
}

#[test]
fn a_lock_is_held_by_one_at_a_time() {
    let work = Record { compute: 1000, ..call(Kind::Unlock, 0, 1) };
    let thread = [call(Kind::Lock, 0, 1), work];
    let run = replayed(&[&thread], 8).unwrap();
    assert!(run.time() > 8 * 1_000_000, "{}", run.time());
    assert!(run.processes.iter().all(|p| p.compute == 1_000_000));
}

#[test]
fn strong_scaling_divides_the_computing() {
    let trace = Trace { threads: vec![vec![Record { compute: 800, ..call(Kind::Barrier, 0, 0) }]; 2] };
    let compute = |scaling| {
        let replay = Replay::new(&trace, 8, scaling).unwrap();
        simulated(&replay, &machine(MACHINES[0])).unwrap().processes[7].compute
    };
    assert_eq!((compute(Scaling::Weak), compute(Scaling::Strong)), (800_000, 200_000));
}

#[test]
fn a_trace_is_read_as_it_was_written_and_damage_is_named() {
    let trace = Trace { threads: vec![vec![call(Kind::Put, 1, 64), call(Kind::Barrier, 0, 0)], vec![]] };
    let bytes = trace.write();
    assert!(Trace::is(&bytes) && !Trace::is(b"meridian-model 1"));
    assert_eq!(Trace::read(&bytes).unwrap(), trace);
    for length in 0..bytes.len() {
        let text = Trace::read(&bytes[..length]).unwrap_err().to_string();
        assert!(text.contains("cut off") || text.contains("the end of thread"), "{length}: {text}");
    }
    let changed = |at: usize, to: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = to;
        Trace::read(&bytes).unwrap_err().to_string()
    };
    assert!(changed(16, 9).contains("version 9"));
    assert!(changed(20, 0).contains("0 threads"));
    assert!(changed(24, 7).contains("thread 7, but the trace has 2 threads"));
    assert!(changed(32, 99).contains("unknown kind 99"));
    assert!(changed(36, 5).contains("names thread 5"));
    assert!(changed(47, 1).contains("at once"));
}

// ---- bad models ------------------------------------------------------------------------------------------

#[test]
fn a_mistake_in_a_model_is_named_with_its_line() {
    for (text, says) in [
        ("", "the first line has to be"),
        ("compute 1us", "the first line has to be"),
        ("meridian-model 2", "version `2`"),
        ("meridian-model 1\ncomputer 1us", "line 2: there is no statement `computer`"),
        ("meridian-model 1\ncompute", "line 2: `compute` has to be followed by a time"),
        ("meridian-model 1\ncompute 1h", "is no time"),
        ("meridian-model 1\n\n# x\nring", "line 4: `ring` needs `bytes`"),
        ("meridian-model 1\nring bytes", "`bytes` has no value"),
        ("meridian-model 1\nring bytes -8", "is no number of bytes"),
        ("meridian-model 1\nring bytes 8 turns 4", "`ring` does not accept `turns`"),
        ("meridian-model 1\nbroadcast tree bytes 8", "not `tree`"),
        ("meridian-model 1\nhalo 4 bytes 8", "from 1 to 3"),
        ("meridian-model 1\nrepeat 2\nbarrier", "line 2: `repeat` without `end`"),
        ("meridian-model 1\nend", "line 2: `end` without `repeat`"),
        ("meridian-model 1\nrepeat 0\nend", "from 1 to"),
        ("meridian-model 1\nrepeat 2\nrepeat 2\nrepeat 2\nrepeat 2\nend\nend\nend\nend", "3 deep"),
        ("meridian-model 1\nprocesses 0", "line 2: `0` is not a number"),
        ("meridian-model 1\nem3d some remote 4 edge 1ns", "not `some`"),
    ] {
        let wrong = Model::parse(text).expect_err(text).to_string();
        assert!(wrong.contains(says), "{text}: {wrong}");
    }
    let model = Model::parse("meridian-model 1\nreduce bytes 8 root 4").unwrap();
    assert!(
        model
            .instance(4)
            .unwrap_err()
            .to_string()
            .contains("line 2: this process does not exist; there are 4")
    );
}

#[test]
fn what_would_run_for_ever_is_refused() {
    let text = "meridian-model 1\nrepeat 4000000000\ncompute 999999s\nend";
    let program = Model::parse(text).unwrap().instance(1).unwrap();
    assert!(matches!(run::<Radix>(&program, &machine(MACHINES[0])), Err(Failed::TooLong(0))));
}

proptest! {
    #[test]
    fn no_bytes_make_the_readers_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in "[ a-z0-9\n]{0,80}") {
        let _ = Trace::read(&bytes);
        let _ = Trace::read(&[&trace::MAGIC[..], &[1, 0, 0, 0, 2, 0, 0, 0], &bytes[..]].concat());
        let _ = Model::parse(&format!("meridian-model 1\n{text}"));
    }

    #[test]
    fn patterns_end_with_all_messages_received(n in 1u32..70, pick in 0usize..9, far in 1u32..100) {
        let text = [
            "broadcast linear bytes 3", "broadcast binomial bytes 3", "reduce bytes 3", "gather bytes 3",
            "all-to-all bytes 3", "ring bytes 3", "barrier", "halo 2 bytes 3 torus", "halo 3 bytes 3",
        ][pick];
        ran(&format!("{text}\nshift by {far} bytes 1\n{text}"), n, &machine(MACHINES[3]));
    }
}

/// A program of one process with a test's operations.
struct Alone(Vec<Op>);

impl Program for Alone {
    fn processes(&self) -> u32 {
        1
    }
    fn next(&self, _: u32, cursor: &mut Cursor) -> Option<Op> {
        cursor.at += 1;
        self.0.get(cursor.at as usize - 1).copied()
    }
    fn place(&self, _: u32, cursor: &Cursor) -> String {
        cursor.at.to_string()
    }
}

#[test]
fn a_process_may_send_to_itself() {
    let ops = vec![Op::Send { to: 0, bytes: 1, tag: 0 }, Op::Receive { from: None, tag: 0 }];
    assert_eq!(simulated(&Alone(ops), &machine(MACHINES[0])).unwrap().time(), 2 * O + L);
}
