//! The part `plain-c`: the programs whose kernels are compared with plain C, and the rows that they make.
//!
//! The programs below `bench/upc`, `split-c` and `ac` are compiled with two levels of optimisation, with
//! static and with dynamic THREADS. The references are compiled by the same C compiler with the same options
//! and linked in, so that both sides of a ratio run in one process. A row names one of our kernels, its
//! reference, the goal for the ratio, and the best figure known of other UPC systems. Those figures were
//! measured separately (two threads pinned, -O2, one 2-core x86-64 machine); they are for orientation and
//! enter no ratio.

use super::{Object, Output, Program, SMP};
use crate::measure::system::{AC, SPLIT_C, System, UPC};
use crate::options::{Conduit, Part};

/// The levels of optimisation.
pub const LEVELS: [&str; 2] = ["-O3", "-O2"];

/// A program of `bench/`, and how it is run.
struct Kernels {
    name: &'static str,
    source: &'static str,
    /// THREADS
    threads: usize,
    /// The intended time of a sample in nanoseconds, long enough that starting and reading the clock do not
    /// matter.
    sample_ns: u64,
    /// Whether it is also compiled with its number of threads dynamic.
    dynamic: bool,
    /// Whether every access to another thread's memory is by active message.
    by_message: bool,
    /// C files of `bench/c` that are linked in, besides those of all programs.
    with: &'static [&'static str],
    /// More options of the compiler.
    options: &'static [&'static str],
    /// The most rounds in a run, whatever number is requested: its operations take long.
    most_rounds: u32,
}

const USUAL: Kernels = Kernels {
    name: "",
    source: "",
    threads: 2,
    sample_ns: 300_000,
    dynamic: true,
    by_message: false,
    with: &[],
    options: &[],
    most_rounds: u32::MAX,
};

const LONGER: Kernels = Kernels { sample_ns: 1_000_000, ..USUAL };
const LONG: Kernels = Kernels { sample_ns: 40_000_000, ..USUAL };
const MESSAGES_C: &[&str] = &["messages"];

/// The programs, in the order in which each round runs them.
const PROGRAMS: [Kernels; 15] = [
    Kernels { name: "private", source: "upc/private.upc", threads: 1, dynamic: false, ..USUAL },
    Kernels { name: "walks", source: "upc/walks.upc", ..USUAL },
    Kernels { name: "forall", source: "upc/forall.upc", ..USUAL },
    Kernels { name: "copy", source: "upc/copy.upc", ..USUAL },
    Kernels { name: "sync", source: "upc/sync.upc", ..LONGER },
    Kernels { name: "crowd", source: "upc/crowd.upc", threads: 32, ..LONG },
    Kernels { name: "access", source: "split-c/access.sc", ..USUAL },
    Kernels {
        name: "messages",
        source: "split-c/messages.sc",
        by_message: true,
        dynamic: false,
        with: MESSAGES_C,
        ..LONGER
    },
    Kernels { name: "scatter", source: "split-c/scatter.sc", ..LONGER },
    Kernels { name: "counted", source: "split-c/scatter.sc", options: &["-DCOUNTED"], ..LONGER },
    Kernels { name: "spread", source: "split-c/walks.sc", ..USUAL },
    Kernels { name: "dist", source: "ac/walks.ac", ..USUAL },
    Kernels { name: "trips", source: "split-c/trips.sc", dynamic: false, with: MESSAGES_C, ..LONGER },
    Kernels {
        name: "oversubscribed",
        source: "split-c/trips.sc",
        options: &["-DOVERSUBSCRIBED"],
        threads: 16,
        dynamic: false,
        with: MESSAGES_C,
        ..LONG
    },
    Kernels {
        name: "blocks",
        source: "ac/blocks.ac",
        dynamic: false,
        most_rounds: 4,
        with: &["blocks"],
        ..LONG
    },
];

/// The program whose loops are private, the C compiler's object of these, and Meridian's.
pub const PRIVATE_CODE: (&str, &str, &str) = ("private", "gcc_private", "our_private");

/// Returns the names of the programs.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().map(|program| program.name)
}

/// Returns all rows: each program in its variants.
pub fn all() -> Vec<Program> {
    let variants = |program: &'static Kernels| {
        let fixed = if program.dynamic { [true, false].as_slice() } else { &[true] };
        LEVELS.into_iter().flat_map(move |level| fixed.iter().map(move |&fixed| of(program, level, fixed)))
    };
    PROGRAMS.iter().flat_map(variants).collect()
}

fn of(program: &'static Kernels, level: &str, fixed: bool) -> Program {
    let &Kernels { name, source, threads, sample_ns, by_message, with, most_rounds, .. } = program;
    let system: &'static System = match source.rsplit('.').next() {
        Some("upc") => &UPC,
        Some("ac") => &AC,
        _ => &SPLIT_C,
    };
    let object = |source, name, translated, options| Object { source, name, translated, options };
    let mut objects = vec![object("plain", "plain", false, &[][..]), object("view", "view", false, &[])];
    objects.extend(with.iter().map(|&name| object(name, name, false, &[])));
    if name == PRIVATE_CODE.0 {
        objects.push(object("private", PRIVATE_CODE.1, false, &["-DPREFIX=gcc_"]));
        objects.push(object("private", PRIVATE_CODE.2, true, &["-DPREFIX=our_"]));
    }
    let variant = format!("{level} {}", if fixed { "static" } else { "dynamic" });
    let mut options = vec![level.to_string()];
    options.extend(fixed.then(|| format!("-T={threads}")));
    options.extend(program.options.iter().map(ToString::to_string));
    Program {
        options,
        objects,
        output: Output::Kernels { variant, sample_ns, most_rounds },
        conduits: if by_message { &[Conduit::Am] } else { SMP },
        threads: Some(threads),
        ..Program::new(&[Part::PlainC], name, system, source)
    }
}

/// The best times of other systems, in nanoseconds, with static and with dynamic THREADS.
#[derive(Clone, Copy, Debug)]
pub struct Peers {
    /// With the number of threads known to the compiler.
    pub fixed: f64,
    /// With the number of threads known at start only.
    pub dynamic: f64,
}

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    /// The group, whose rows stand together under its name.
    pub group: &'static str,
    /// The name of the measurement in the table.
    pub label: &'static str,
    /// The program, one of `PROGRAMS`.
    pub program: &'static str,
    /// The kernel measured.
    pub ours: &'static str,
    /// The kernel that is the reference.
    pub reference: &'static str,
    /// The goal: the largest ratio to the reference.
    pub goal: Option<f64>,
    /// The best times of others.
    pub peers: Option<Peers>,
}

const fn row(
    group: &'static str,
    label: &'static str,
    program: &'static str,
    ours: &'static str,
    reference: &'static str,
) -> Row {
    Row { group, label, program, ours, reference, goal: None, peers: None }
}

impl Row {
    const fn goal(mut self, ratio: f64) -> Row {
        self.goal = Some(ratio);
        self
    }

    const fn peers(mut self, fixed: f64, dynamic: f64) -> Row {
        self.peers = Some(Peers { fixed, dynamic });
        self
    }
}

const PRIVATE: &str = "private code, against the C compiler alone";
const WALKS: &str = "steps through shared memory, against a private array of ints";
const FORALL: &str = "upc_forall and applications, against plain C";
const COPY: &str = "a neighbour's memory, against memcpy and a plain load";
const SYNC: &str = "synchronisation and allocation, against the C compiler's built-ins";
const CROWD: &str = "32 threads, against the same work without barriers";

const ACCESS: &str = "Split-C, a neighbour's memory, against plain loads, stores and memmove";
const LIBRARY: &str = "Split-C, the language against its library";
const MESSAGES: &str = "Split-C by message, against the active messages that it is made of";
const LAYERS: &str = "Split-C by message, the language against its library";
const SCATTER: &str = "Split-C, stores to random targets, against plain C in one shared array";
const SPREAD: &str = "Split-C, spread arrays, against a private array";
const DIST: &str = "AC, dist arrays, against a private array";
const BLOCKS: &str = "AC, blocks-in-a-box, a search";
const TRIPS: &str = "active messages, round trips";

/// The table.
pub const ROWS: &[Row] = &[
    row(PRIVATE, "STREAM triad", "private", "our_stream", "gcc_stream").goal(1.02),
    row(PRIVATE, "dgemm", "private", "our_dgemm", "gcc_dgemm").goal(1.02),
    row(PRIVATE, "pointer chase", "private", "our_chase", "gcc_chase").goal(1.02),
    row(PRIVATE, "stencil", "private", "our_stencil", "gcc_stencil").goal(1.02),
    row(PRIVATE, "histogram", "private", "our_histogram", "gcc_histogram").goal(1.02),
    row(PRIVATE, "strings", "private", "our_strings", "gcc_strings").goal(1.02),
    row(PRIVATE, "Collatz", "private", "our_collatz", "gcc_collatz").goal(1.02),
    row(WALKS, "cyclic, p += THREADS", "walks", "cyclic_own", "plain_walk").peers(0.96, 8.8),
    row(WALKS, "cyclic, p++", "walks", "cyclic_step", "plain_walk"),
    row(WALKS, "block-cyclic, p++", "walks", "blocked_step", "plain_walk").peers(2.5, 2.5),
    row(WALKS, "indefinite, p++", "walks", "indefinite_step", "plain_walk").peers(0.73, 0.73),
    row(WALKS, "cyclic, write, p += THREADS", "walks", "cyclic_write", "plain_walk"),
    row(WALKS, "a[i] cyclic", "walks", "cyclic_index", "plain_walk").peers(1.3, 3.5),
    row(WALKS, "a[i] blocked", "walks", "blocked_index", "plain_walk").peers(2.1, 3.4),
    row(WALKS, "a[r] cyclic, random", "walks", "cyclic_random", "plain_random"),
    row(WALKS, "a[r] blocked, random", "walks", "blocked_random", "plain_random"),
    row(WALKS, "p[r] cyclic, random", "walks", "cyclic_pointer_index", "plain_random"),
    row(WALKS, "p[r] blocked, random", "walks", "blocked_pointer_index", "plain_random"),
    row(WALKS, "p[r] indefinite, random", "walks", "indefinite_index", "plain_random"),
    row(WALKS, "list, cyclic pointers", "walks", "cyclic_list", "plain_chase").peers(6.4, 10.7),
    row(WALKS, "list, indefinite pointers", "walks", "indefinite_list", "plain_chase").peers(2.3, 2.4),
    row(WALKS, "strict read", "walks", "strict_read", "plain_walk").peers(16.0, 16.0),
    row(WALKS, "strict write", "walks", "strict_write", "plain_walk").peers(19.0, 19.0),
    row(FORALL, "triad privatised by hand", "forall", "triad_by_hand", "triad_plain"),
    row(FORALL, "triad cyclic, &a[i]", "forall", "triad_cyclic", "triad_plain").goal(1.1).peers(4.1, 17.0),
    row(FORALL, "triad cyclic, i", "forall", "triad_by_index", "triad_plain").goal(1.1).peers(4.1, 17.0),
    row(FORALL, "triad [16], &a[i]", "forall", "triad_blocked", "triad_plain").goal(1.1).peers(5.7, 14.0),
    row(FORALL, "triad [*], &a[i]", "forall", "triad_whole", "triad_plain").goal(1.1).peers(5.7, 14.0),
    row(FORALL, "triad cyclic, upc_all_alloc", "forall", "triad_cyclic_alloc", "triad_plain").goal(1.1),
    row(FORALL, "triad [16], upc_all_alloc", "forall", "triad_blocked_alloc", "triad_plain").goal(1.1),
    row(FORALL, "triad, for and if (upc_threadof)", "forall", "triad_for_if", "triad_plain"),
    row(FORALL, "heat, neighbours by [*]", "forall", "heat_blocked", "heat_plain"),
    row(FORALL, "matrix multiply, blocks of rows", "forall", "matmul_rows", "matmul_plain"),
    row(FORALL, "random update t[r] ^= x (same words)", "forall", "update_random", "update_direct")
        .peers(9.0, 12.0),
    row(COPY, "read of 8 bytes, random", "copy", "read_neighbour", "read_plain"),
    row(COPY, "upc_memget 8 B", "copy", "get_8", "memcpy_8").peers(3.4, 3.4),
    row(COPY, "upc_memget 64 B", "copy", "get_64", "memcpy_64"),
    row(COPY, "upc_memget 1 KB", "copy", "get_1024", "memcpy_1024").peers(8.0, 8.0),
    row(COPY, "upc_memget 16 KB", "copy", "get_16384", "memcpy_16384").peers(119.0, 119.0),
    row(COPY, "upc_memget 64 KB", "copy", "get_65536", "memcpy_65536").goal(1.05),
    row(COPY, "upc_memget 1 MB", "copy", "get_1048576", "memcpy_1048576").goal(1.05),
    row(COPY, "upc_memput 8 B", "copy", "put_8", "memcpy_8"),
    row(COPY, "upc_memput 64 KB", "copy", "put_65536", "memcpy_65536"),
    row(COPY, "upc_memput 1 MB", "copy", "put_1048576", "memcpy_1048576"),
    row(SYNC, "barrier", "sync", "barrier", "builtin_hop").peers(270.0, 302.0),
    row(SYNC, "barrier with value", "sync", "barrier_value", "builtin_hop"),
    row(SYNC, "lock, unlock, uncontended", "sync", "lock_own", "builtin_lock_own")
        .goal(1.5)
        .peers(40.0, 41.0),
    row(SYNC, "lock, increment, unlock, contended", "sync", "lock_increment", "builtin_lock_increment")
        .peers(544.0, 550.0),
    row(SYNC, "fetch-and-add, atomics library", "sync", "atomic_add", "builtin_add")
        .goal(1.5)
        .peers(13.0, 20.0),
    row(SYNC, "strict flag, one hop", "sync", "strict_hop", "builtin_hop").peers(143.0, 148.0),
    row(SYNC, "upc_alloc, upc_free", "sync", "alloc_free", "malloc_free").peers(233.0, 455.0),
    row(SYNC, "upc_global_alloc, upc_free", "sync", "global_alloc_free", "malloc_free"),
    row(SYNC, "upc_all_alloc, upc_all_free", "sync", "all_alloc_free", "barrier").peers(1350.0, 1330.0),
    row(CROWD, "20 us of work and a barrier", "crowd", "work_barriers", "work_alone").goal(1.5),
    row(ACCESS, "read", "access", "read_word", "load_word").goal(1.05),
    row(ACCESS, "get", "access", "get_word", "load_word").goal(1.05),
    row(ACCESS, "write", "access", "write_word", "store_word").goal(1.05),
    row(ACCESS, "put", "access", "put_word", "store_word").goal(1.05),
    row(ACCESS, "store", "access", "store_signal", "store_word").goal(1.05),
    row(ACCESS, "bulk_read 64 B", "access", "bulk_read_64", "load_64").goal(1.05),
    row(ACCESS, "bulk_read 4 KB", "access", "bulk_read_4k", "load_4k").goal(1.05),
    row(ACCESS, "bulk_get 4 KB", "access", "bulk_get_4k", "load_4k").goal(1.05),
    row(ACCESS, "bulk_write 4 KB", "access", "bulk_write_4k", "store_4k").goal(1.05),
    row(ACCESS, "bulk_put 4 KB", "access", "bulk_put_4k", "store_4k").goal(1.05),
    row(ACCESS, "bulk_store 4 KB", "access", "bulk_store_4k", "store_4k").goal(1.05),
    row(ACCESS, "sync, nothing outstanding (empty loop)", "access", "sync_nothing", "nothing"),
    row(LIBRARY, "get", "access", "get_word", "get_word_library"),
    row(LIBRARY, "put", "access", "put_word", "put_word_library"),
    row(MESSAGES, "read", "messages", "read_word", "read_message").goal(1.05),
    row(MESSAGES, "write", "messages", "write_word", "write_message").goal(1.05),
    row(MESSAGES, "get", "messages", "get_word", "get_message").goal(1.05),
    row(MESSAGES, "put", "messages", "put_word", "put_message").goal(1.05),
    row(MESSAGES, "store", "messages", "store_word", "store_message").goal(1.05),
    row(MESSAGES, "bulk_get 4 KB", "messages", "bulk_get_4k", "bulk_get_message").goal(1.05),
    row(MESSAGES, "bulk_put 4 KB", "messages", "bulk_put_4k", "bulk_put_message").goal(1.05),
    row(MESSAGES, "bulk_store 4 KB", "messages", "bulk_store_4k", "bulk_store_message").goal(1.05),
    row(LAYERS, "read", "messages", "read_word", "read_library"),
    row(LAYERS, "write", "messages", "write_word", "write_library"),
    row(LAYERS, "get", "messages", "get_word", "get_library"),
    row(LAYERS, "put", "messages", "put_word", "put_library"),
    row(LAYERS, "store", "messages", "store_word", "store_library"),
    row(SCATTER, "spread array, 64 KB", "scatter", "scatter_small", "plain_small").goal(1.15),
    row(SCATTER, "blocks by toglobal, 64 KB", "scatter", "scatter_blocks", "plain_small").goal(1.15),
    row(SCATTER, "spread array, 8 MB", "scatter", "scatter_large", "plain_large").goal(1.15),
    row(SCATTER, "counted: spread array, 64 KB", "counted", "scatter_small", "plain_small").goal(1.15),
    row(SCATTER, "counted: blocks by toglobal, 64 KB", "counted", "scatter_blocks", "plain_small").goal(1.15),
    row(SCATTER, "counted: spread array, 8 MB", "counted", "scatter_large", "plain_large").goal(1.15),
    row(SPREAD, "*p++, n times", "spread", "walk_step", "plain_walk").goal(2.5),
    row(SPREAD, "*p, p < end", "spread", "walk_end", "plain_walk").goal(2.5),
    row(SPREAD, "p[i]", "spread", "walk_index", "plain_walk").goal(2.5),
    row(SPREAD, "a[i]", "spread", "walk_array", "plain_walk").goal(2.5),
    row(SPREAD, "*p++ = i", "spread", "walk_write", "plain_write").goal(2.5),
    row(SPREAD, "triad, for_my_1d", "spread", "own_triad", "plain_own").goal(1.05),
    row(DIST, "*p++, n times", "dist", "walk_step", "plain_walk").goal(2.5),
    row(DIST, "*p, p < end", "dist", "walk_end", "plain_walk").goal(2.5),
    row(DIST, "p[i]", "dist", "walk_index", "plain_walk").goal(2.5),
    row(DIST, "a[i]", "dist", "walk_array", "plain_walk").goal(2.5),
    row(DIST, "*p++ = i", "dist", "walk_write", "plain_write").goal(2.5),
    row(DIST, "triad, for_my_1d", "dist", "own_triad", "plain_own").goal(1.05),
    row(BLOCKS, "distributed stacks, against messages", "blocks", "blocks_dist", "blocks_messages").goal(1.0),
    row(TRIPS, "two processors, against two cache lines", "trips", "message_trip", "line_trip").goal(1.3),
    row(TRIPS, "16 processors, against futexes", "oversubscribed", "message_trip", "futex_trip").goal(3.0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_of_a_program_of_the_table() {
        for row in ROWS {
            assert!(PROGRAMS.iter().any(|p| p.name == row.program), "{}", row.label);
        }
    }

    #[test]
    fn rows_of_a_group_stand_together_and_labels_differ() {
        let mut seen: Vec<&str> = Vec::new();
        for row in ROWS {
            if seen.last() != Some(&row.group) {
                assert!(!seen.contains(&row.group), "{} is torn apart", row.group);
                seen.push(row.group);
            }
            assert_eq!(ROWS.iter().filter(|r| r.group == row.group && r.label == row.label).count(), 1);
        }
    }
}
