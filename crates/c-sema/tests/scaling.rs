//! Parsing and checking take time that grows with the length of the text, not with its square.
//!
//! Each text is checked in two sizes, alternately in the same run. The larger one is eight times as long: the
//! ratio of processor times is about eight if the work is linear and sixty-four if it is quadratic. It must
//! stay under thirty-two. The smallest of three measurements counts, so that a loaded machine does not
//! matter.

mod support;

/// Processor time of the process, in seconds.
fn time() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a timespec that the call may write to.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

fn cost(text: &str) -> f64 {
    let before = time();
    support::run(text, None);
    time() - before
}

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

/// A kind of text: its name, the smaller size, and the text of a size.
type Kind = (&'static str, usize, fn(usize) -> String);

const KINDS: &[Kind] = &[
    ("an initialiser", 8000, |n| format!("int a[] = {{ {} }};", lines(n, |i| format!("{i},\n")))),
    ("an initialiser of structures", 4000, |n| {
        format!("struct s {{ int x, y; }} a[] = {{ {} }};", lines(n, |i| format!("{{ {i}, 2 }},\n")))
    }),
    ("designators", 4000, |n| format!("int a[] = {{ {} }};", lines(n, |i| format!("[{i}] = 1,\n")))),
    ("declarations", 3000, |n| lines(n, |i| format!("shared int v{i}; int f{i}(int);\n"))),
    ("a chain of typedefs of arrays", 500, |n| {
        format!("typedef int t0[1];\n{}t{n} x;", lines(n, |i| format!("typedef t{i} t{}[1];\n", i + 1)))
    }),
    ("a chain of typedefs", 1000, |n| {
        format!("typedef int t0;\n{}t{n} x;", lines(n, |i| format!("typedef t{i} t{};\n", i + 1)))
    }),
    ("members", 1000, |n| {
        let members = lines(n, |i| format!("int m{i};\n"));
        format!("struct s {{ {members} }} x; void f(void) {{ {} }}", lines(n, |i| format!("x.m{i} = 1;\n")))
    }),
    ("undeclared names", 1000, |n| {
        format!("void f(void) {{ {} }}", lines(n, |i| format!("undeclared{i}();\n")))
    }),
    ("statements", 3000, |n| {
        format!("shared int s; void f(void) {{ {} }}", lines(n, |i| format!("s += {i};\n")))
    }),
    ("labels", 2000, |n| format!("void f(void) {{ {} }}", lines(n, |i| format!("l{i}: goto l{i};\n")))),
];

#[test]
fn time_grows_with_the_length_of_the_text() {
    for (what, n, text) in KINDS {
        let (small, large) = (text(*n), text(8 * n));
        let least = |text: &str, before: f64| cost(text).min(before);
        let (mut a, mut b) = (f64::MAX, f64::MAX);
        for _ in 0..3 {
            (a, b) = (least(&small, a), least(&large, b));
        }
        assert!(b < 32.0 * a, "{what}: {a:.4} s for {n}, but {b:.4} s for {}", 8 * n);
    }
}
