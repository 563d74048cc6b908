//! The messages about errors of processors: every kind of access to a processor that does not exist, and
//! every pair of different collective calls by different processors.

use std::path::Path;
use std::time::Duration;
use tests::scratch::{Scratch, copy_program};

const LIMIT: Duration = Duration::from_secs(60);

fn scratch(name: &str) -> Scratch {
    Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("processors").join(name), LIMIT)
}

// ---- processors that do not exist --------------------------------------------------------------------

/// Numbers of processors that a job of two does not have. Sums of these numbers with addresses wrap around at
/// 2^48 and 2^64 in several ways.
const MISSING: [i64; 19] =
    [-1, 2, 3, 4, 5, 7, 100, 8191, 8192, 16383, 16384, 40000, 52428, 61681, 65535, 65537, -2, -8193, 1000000];

/// Accesses through `g` in Split-C.
const ACCESSES: [&str; 27] = [
    "y = *g;",
    "*g = 5;",
    "*g += 2;",
    "y := *g; sync();",
    "*g := 3; sync();",
    "*g :- 3;",
    "y = g[7];",
    "g[-7] = y;",
    "s = *h;",
    "*h = s;",
    "h->b = 2;",
    "h->bits = 2;",
    "for (i = 0; i < 9; i++) y += g[i];",
    "for (i = 0; i < 9; i++) g[i] = i;",
    "y = *(int *global)toglobal(p, &y);",
    "y = *(int *global)toglobal(p, malloc(9));",
    "y = *(char *global)toglobal(p, (char *)getenv);",
    "y = *(int *global)toglobal(p, (int *global)toglobal(1 % PROCS, &x));",
    "bulk_read(&y, g, sizeof y);",
    "bulk_write(g, &y, sizeof y);",
    "bulk_get(&y, g, sizeof y); sync();",
    "bulk_put(g, &y, sizeof y); sync();",
    "bulk_store(g, &y, sizeof y);",
    "fetch_and_add(g, 1);",
    "exchange(g, 1);",
    "atomic(add, g, 1);",
    "enqueue(g, &y);",
];

/// Accesses with counters of the program, whose calls have a header of their own.
const COUNTED: [&str; 3] = [
    "get_ctr(&y, g, 4, &c); sync_ctr(&c);",
    "put_ctr(g, &y, 4, &c); sync_ctr(&c);",
    "store_ctr(g, &y, 4, &t);",
];

fn split_c(accesses: &[&str]) -> String {
    let mut text = String::from(
        "#include <split-c/split-c.h>\n#include <split-c/counter.h>\n#include <stdlib.h>\n\
         struct s { int a, b; unsigned bits : 3; char more[90]; } object;\nint x[100];\nCtr c;\nStCtr t;\n\
         int add(int *at, int n) { return *at += n; }\n\
         int splitc_main(int argc, char **argv) {\n  int p = atoi(argv[2]), y = 0, i;\n  struct s s = {0};\n  \
         int *global g = toglobal(p, &x[9]);\n  struct s *global h = toglobal(p, &object);\n  \
         on_one switch (atoi(argv[1])) {\n",
    );
    accesses.iter().enumerate().for_each(|(n, access)| text += &format!("  case {n}: {access} break;\n"));
    text + "  }\n  barrier();\n  return y;\n}\n"
}

/// Runs access n for processor p and looks for one message, with the number and the line.
fn told(scratch: &Scratch, options: &str, file: &str, (n, p): (usize, i64)) {
    let end = scratch.meridian(&format!("run {options} ./{file} {n} {p}"));
    let text = scratch.read(file.trim_end_matches(|c: char| c != 'c'));
    let line =
        text.lines().position(|line| line.trim_start().starts_with(&format!("case {n}:"))).unwrap() + 1;
    let said = format!("processor {p}, but there are 2\n");
    let place = format!("{}:{line}\n", file.trim_end_matches(|c: char| c != 'c'));
    assert!(end.status != 0 && end.stderr.contains(&said), "access {n} to {p}: {}", end.report());
    assert!(end.stderr.contains(&place), "no {place} of access {n} to {p}: {}", end.report());
    assert_eq!(end.stderr.matches("meridian: thread ").count(), 1, "{}", end.report());
}

/// Returns some of the pairs of an access and a number, `each` for an access.
fn some_pairs(accesses: usize, each: usize) -> Vec<(usize, i64)> {
    (0..accesses * each).map(|k| (k % accesses, MISSING[(k * 5 + k / accesses) % MISSING.len()])).collect()
}

#[test]
fn an_access_to_a_processor_that_does_not_exist_is_told() {
    let accesses = [&ACCESSES[..], &COUNTED].concat();
    let scratch = scratch("missing").file("missing.sc", split_c(&accesses));
    // With -O2 a C compiler has one call for several accesses.
    scratch.good("cc -O1 missing.sc -o missing.sc.opt");
    scratch.good("cc -fprocs-2 missing.sc -o missing.sc.fixed");
    for (k, pair) in some_pairs(accesses.len(), 3).into_iter().enumerate() {
        told(&scratch, "-n 2", ["missing.sc.opt", "missing.sc.fixed"][k % 2], pair);
    }
}

#[test]
fn it_is_told_where_memory_is_reached_by_messages_too() {
    let accesses = [&ACCESSES[..], &COUNTED].concat();
    let scratch = scratch("by_message").file("missing.sc", split_c(&accesses));
    scratch.good("cc missing.sc -o missing.sc.hosts");
    for (k, pair) in some_pairs(accesses.len(), 1).into_iter().enumerate() {
        let options = if k % 2 == 0 { "-H localhost:1,localhost:1" } else { "-n 2" };
        let scratch = if k % 2 == 0 { &scratch } else { &scratch_of("reference", &scratch) };
        told(scratch, options, "missing.sc.hosts", pair);
    }
}

/// Makes a directory with the programs of `other`, whose jobs reach all memory by messages.
fn scratch_of(name: &str, other: &Scratch) -> Scratch {
    let scratch = scratch(name).with("MERIDIAN_REFERENCE", "1");
    for file in ["missing.sc", "missing.sc.hosts"] {
        copy_program(&other.path(file), &scratch.path(file));
    }
    scratch
}

#[test]
fn a_pointer_to_a_processor_that_does_not_exist_is_a_value_like_others() {
    let scratch = scratch("values").file(
        "values.sc",
        "#include <split-c/split-c.h>\n#include <stdio.h>\nint x[4];\nint splitc_main(void) {\n  \
         const int p[] = {-1, -2, PROCS, PROCS + 1, 7, 100, 8192, 16383, 20000, 65536, -9000, 1000000};\n  \
         int i, y;\n  for (i = 0; i < sizeof p / sizeof *p; i++) {\n    \
         int *global g = toglobal(p[i], &x[1]), *global h = toglobal(p[i], &y);\n    \
         int near = p[i] >= -8192 && p[i] < 16384;\n    \
         if (toproc(g) != p[i] || (near && (tolocal(g) != &x[1] || tolocal(h) != &y))) return 1;\n    \
         if (near && (g + 2 - g != 2 || tolocal(g + 2) != &x[3] || g == h)) return 2;\n    \
         if (toglobal(MYPROC, g) != (near ? toglobal(MYPROC, &x[1]) : g)) return 3;\n  }\n  \
         int *spread end = (int *spread)toglobal(PROCS, x), *spread at = (int *spread)toglobal(0, x);\n  \
         for (i = 0; at < end; at++) i++;\n  return i == PROCS ? 0 : 4;\n}\n",
    );
    for options in ["", "-O2", "-O2 -fprocs-3"] {
        scratch.good(&format!("cc {options} values.sc -o values"));
        scratch.good("run -n 3 ./values");
    }
}

#[test]
fn a_dist_pointer_to_a_processor_that_does_not_exist_is_told() {
    let text = "#include <split-c/split-c.h>\n#include <stdlib.h>\nint x;\nint main(int argc, char **argv) {\n  \
                int p = atoi(argv[2]), y = 0;\n  \
                dist int *d = p % 3 && p >= -32768 && p < 32768 ? (dist int *)((long)p << 48 | (long)&x) : toglobal(p, &x);\n  \
                on_one switch (atoi(argv[1])) {\n  case 0: y = *d; break;\n  case 1: *d = 5; break;\n  \
                case 2: bulk_read(&y, d, sizeof y); break;\n  case 3: fetch_and_add(d, 1); break;\n  }\n  \
                barrier();\n  return y;\n}\n";
    let scratch = scratch("dist").file("dist.ac", text);
    scratch.good("cc -O1 dist.ac -o dist.ac.opt");
    for pair in some_pairs(4, 5) {
        told(&scratch, "-n 2", "dist.ac.opt", pair);
    }
}

// ---- calls that all processors have to make together ---------------------------------------------------

/// Collective calls of Split-C and AC.
const TOGETHER: [&str; 18] = [
    "barrier();",
    "all_store_sync();",
    "return 0;",
    "all_store_sync_ctr(&counter);",
    "all_spread_malloc(PROCS, 8);",
    "all_spread_free(0);",
    "all_reduce_to_one_add(1);",
    "all_reduce_to_all_add(1);",
    "all_reduce_to_all_dmax(1.0);",
    "all_scan_add(1);",
    "all_reduce_to_all_func(bytes, 40, combine);",
    "all_bcast(1);",
    "all_bcast_d(1.0);",
    "all_bcast_bulk(bytes, 100, 0);",
    "all_gather(ints);",
    "all_concat(ints);",
    "{ int automatic[PROCS]::; (void)automatic; }",
    "{ int automatic[PROCS]:: = {1}; (void)automatic; }",
];

/// Collective calls of UPC, in a file of its own.
const UPC_TOGETHER: [&str; 15] = [
    "upc_barrier;",
    "upc_all_alloc(THREADS, 8);",
    "upc_all_free(memory);",
    "upc_all_lock_alloc();",
    "upc_all_lock_free(lock);",
    "upc_all_broadcast(b, a, 4, FLAGS);",
    "upc_all_scatter(b, a, 4, FLAGS);",
    "upc_all_gather(b, a, 4, FLAGS);",
    "upc_all_gather_all(b, a, 4, FLAGS);",
    "upc_all_exchange(b, a, 4, FLAGS);",
    "upc_all_permute(b, a, c, 4, FLAGS);",
    "upc_all_reduceI(b, a, UPC_ADD, THREADS, 1, NULL, FLAGS);",
    "upc_all_prefix_reduceI(b, a, UPC_ADD, THREADS, 1, NULL, FLAGS);",
    "upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);",
    "bupc_allv_reduce_all(int, MYTHREAD, UPC_ADD);",
];

fn pairs_program(scratch: &Scratch) {
    let mut text = String::from(
        "#include <split-c/split-c.h>\n#include <split-c/counter.h>\n#include <stdlib.h>\nStCtr counter;\n\
         int ints[64];\nchar bytes[100];\nvoid combine(void *into, const void *value) {}\nvoid upc_call(int n);\nvoid upc_prepare(void);\n\
         int splitc_main(int argc, char **argv) {\n  int n = atoi(argv[MYPROC ? 2 : 1]);\n  upc_prepare();\n  switch (n) {\n",
    );
    let cases = |text: &mut String, from: usize, calls: &[&str]| {
        calls
            .iter()
            .enumerate()
            .for_each(|(n, call)| *text += &format!("  case {}: {call} break;\n", from + n));
    };
    cases(&mut text, 0, &TOGETHER);
    text += "  default: upc_call(n);\n  }\n  exit(argc > 3 ? 0 : 77);\n}\n";
    scratch.write("pairs.sc", text);
    let mut text = String::from(
        "#include <upc.h>\n#include <upc_collective.h>\n#include <upc_atomic.h>\n#include <bupc_collectivev.h>\n\
         #define FLAGS UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC\nshared int a[THREADS], b[THREADS], c[THREADS];\n\
         shared void *memory;\nupc_lock_t *lock;\n\
         void upc_prepare(void) { c[MYTHREAD] = MYTHREAD; memory = upc_all_alloc(THREADS, 8); lock = upc_all_lock_alloc(); }\n\
         void upc_call(int n) {\n  switch (n) {\n",
    );
    cases(&mut text, TOGETHER.len(), &UPC_TOGETHER);
    scratch.write("calls.upc", text + "  }\n}\n");
    scratch.good("cc pairs.sc calls.upc -o pairs");
}

/// Two threads compare their calls by flags, three on two cores in a tree. MERIDIAN_TEST_FULL takes all
/// pairs; otherwise the pairs with barriers and the end, and some others, are taken.
#[test]
fn different_calls_that_all_have_to_make_are_told() {
    let scratch = scratch("pairs");
    pairs_program(&scratch);
    let calls = [&TOGETHER[..], &UPC_TOGETHER].concat();
    let full = std::env::var_os("MERIDIAN_TEST_FULL").is_some();
    let pairs = (0..calls.len()).flat_map(|a| (0..calls.len()).map(move |b| (a, b))).filter(|(a, b)| a != b);
    for (n, (a, b)) in pairs.enumerate() {
        let chosen = full || (a < 2 && b % 3 == 0) || n % 23 == 0;
        if !chosen {
            continue;
        }
        let end = scratch.meridian(&format!("run -n {} ./pairs {a} {b}", 2 + n % 2));
        let told = end.stderr.contains("barrier mismatch")
            || end.stderr.contains("same sequence of collective calls");
        assert!(end.status == 1 && told, "`{}` against `{}`: {}", calls[a], calls[b], end.report());
    }
}

/// The same call on all threads is right; otherwise the pairs would prove nothing.
#[test]
fn calls_that_all_make_are_not_told() {
    let scratch = scratch("alike");
    pairs_program(&scratch);
    for (n, call) in [&TOGETHER[..], &UPC_TOGETHER].concat().iter().enumerate() {
        // The names of functions whose results are not used.
        let end = scratch.meridian(&format!("run -n {} ./pairs {n} {n} right", 2 + n % 2));
        assert!(end.status == 0, "`{call}` on all: {}", end.report());
    }
}
