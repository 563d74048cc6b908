//! The time of a file is linear in its size: four times as many functions take about four times as long, not
//! sixteen times. The tests compare the processor times of two sizes, each the least of several runs.

mod common;

/// A file of functions with one loop each.
fn program(functions: usize) -> String {
    let mut upc = String::from("# 1 \"t.upc\"\nshared int a[100 * THREADS];\nint idx[100];\n");
    for n in 0..functions {
        upc += &format!(
            "int f{n}(int n) {{ int s = 0; for (int i = 0; i < n; i++) s += a[idx[i]]; \
             upc_forall (int i = 0; i < n; i++; &a[i]) a[i] += {n}; return s; }}\n"
        );
    }
    upc
}

fn compile(upc: &str) -> usize {
    let source = base::Source::new(upc.to_owned());
    let mut tree = common::tree(c_syntax::Language::Upc, None, &source);
    opt::optimise(&mut tree);
    common::c_of(&tree, &source).len()
}

/// The processor time of this thread, in nanoseconds.
fn computed() -> i64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a timespec of this function's own.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now) };
    assert_eq!(status, 0);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

fn least(functions: usize) -> i64 {
    let upc = program(functions);
    let one = |_| {
        let start = computed();
        assert!(compile(&upc) > upc.len());
        computed() - start
    };
    (0..3).map(one).min().unwrap_or_default()
}

#[test]
fn four_times_as_many_functions_take_about_four_times_as_long() {
    let (few, many) = (least(400), least(1600));
    println!("400 functions: {few} ns, 1600: {many} ns");
    assert!(many < 9 * few, "400 functions take {few} ns of the processor, 1600 take {many}");
}
