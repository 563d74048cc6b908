//! The cores of a host are shared out among the threads of a program with OpenMP, `-v` reports it, and OpenMP
//! starts as many threads as its thread has cores. The runs see a machine of eight cores that do not exist
//! (`openmp/false_cores.c`), since any real machine has too few or too many.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::scratch::Scratch;
use tests::trial::{Ran, Skip};
use tests::{home, meridian};

const LIMIT: Duration = Duration::from_secs(120);

/// The real cores that a process may run on.
fn allowed() -> usize {
    // SAFETY: the set is plain data, and the kernel writes at most its size.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set);
        libc::CPU_COUNT(&set) as usize
    }
}

fn cores_are_shared_out_among_threads_with_openmp() -> Ran {
    // A quota of processor time counts as fewer cores, whatever their numbers are.
    if std::thread::available_parallelism().is_ok_and(|n| n.get() < allowed()) {
        return Err(Skip("a quota of processor time is in force here".into()));
    }
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("openmp"), LIMIT);
    let source = |name: &str| home().join("openmp").join(name);
    let made = scratch.run(
        Command::new("gcc").args(["-O1", "-shared", "-fPIC", "-o", "cores.so"]).arg(source("false_cores.c")),
    );
    assert_eq!(made.status, 0, "{}", made.report());
    let made = scratch.run(
        Command::new(meridian()).args(["cc", "-O1", "-fopenmp", "-o", "threads"]).arg(source("threads.upc")),
    );
    assert_eq!(made.status, 0, "{}", made.report());
    for (words, threads, each, said) in [
        ("-n 2", 2, 4, "tied to 4 cores each, for OpenMP: 48,49,50,51 | 52,53,54,55"),
        ("-n 3", 3, 2, "tied to 2 cores each, for OpenMP: 48,49 | 50,51 | 52,53"),
        ("-n 8", 8, 1, "tied to cores 48,49,50,51,52,53,54,55"),
        ("-n 1", 1, 8, "not tied to cores (a single thread needs no core of its own)"),
        ("-n 9", 9, 8, "not tied to cores (more threads than cores)"),
        ("-n 2 --no-pin", 2, 8, "not tied to cores (--pin=never)"),
    ] {
        let directory = scratch.path("cores");
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir(&directory).expect("a directory");
        let mut command = Command::new(meridian());
        tests::forget(&mut command, "OMP_");
        tests::forget(&mut command, "GOMP_");
        tests::forget(&mut command, "MERIDIAN_");
        command.arg("run").arg("-v").args(words.split(' ')).arg("./threads");
        command.env("LD_PRELOAD", scratch.path("cores.so")).env("FALSE_CORES", &directory);
        let done = scratch.run(&mut command);
        assert_eq!(done.status, 0, "{words}: {}", done.report());
        assert!(done.stderr.contains(said), "{words}: {}", done.report());
        for thread in 0..threads {
            let line = format!("thread {thread}: {each} of {each}");
            assert!(done.stdout.lines().any(|l| l == line), "{words}: {line}\n{}", done.report());
        }
    }
    Ok(())
}

fn main() {
    tests::trial::run(tests::trials![cores_are_shared_out_among_threads_with_openmp]);
}
