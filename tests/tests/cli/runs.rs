//! `meridian run`, and programs that start without it.

use crate::{HELLO, LIMIT, scratch, sorted};
use std::process::{Command, Stdio};
use std::time::Duration;
use tests::process;

#[test]
fn thread_counts_that_cannot_be_are_refused() {
    let scratch = scratch("counts").file("hello.upc", HELLO);
    scratch.good("cc hello.upc -o hello");
    scratch.refused("run -n 0 ./hello", &["0"]);
    scratch.refused("run -n 100000 ./hello", &["100000"]);
    scratch.refused("run -n -2 ./hello", &["-2"]);
    scratch.refused("run -n four ./hello", &["four"]);
    for wrong in ["abc hello.upc", "-3 hello.upc", "hello.upc", "0 hello.upc", "8193 hello.upc"] {
        scratch.refused(&format!("cc -T {wrong}"), &["-T: the number of threads"]);
    }
    scratch.refused("run -H localhost:99999999999 ./hello", &["at most 8192"]);
    assert_eq!(sorted(&scratch.good("run -n2 ./hello")), ["thread 0 of 2", "thread 1 of 2"]);
    scratch.refused("run -n 8193 ./hello", &["at most 8192"]);
    scratch.good("cc -T 8192 hello.upc -o most");
    scratch.refused("run -n 2", &["Usage: meridian run"]);
}

/// Options in scripts that were written for Berkeley's `upcrun`.
#[test]
fn the_options_of_berkeleys_upcrun_are_understood() {
    let scratch = scratch("upcrun").file("hello.upc", HELLO);
    scratch.good("cc hello.upc -o hello");
    let both = ["thread 0 of 2", "thread 1 of 2"];
    for options in [
        "-np 2",
        "-q -n 2",
        "-n 2 -N 1",
        "-n 2 -c 2",
        "-c 2",
        "-nodes 1 -np 2",
        "-n 2 -p 1",
        "-n 2 -shared-heap 64MB",
        "-n 2 -shared-heap=64MB",
        "-n 2 -backtrace",
        "-n 2 -bind-threads",
        "-n 2 -localhost",
        "-n 2 -norc",
        "--shared-heap=64MB --network udp -n 2",
        "-H localhost,localhost,localhost -N 2 -c 1",
    ] {
        assert_eq!(sorted(&scratch.good(&format!("run {options} ./hello"))), both, "{options}");
    }
    let verbose = scratch.meridian("run -n 2 -v -shared-heap 1GB ./hello");
    assert!(verbose.stderr.contains("-shared-heap has no effect: the shared heap"), "{}", verbose.report());
    scratch.refused("run -n 4 -c 2 ./hello", &["-c 2", "-H host1,host2"]);
    scratch.refused("run -n 4 -N 2 ./hello", &["-N 2", "-H host1,host2"]);
    scratch.refused("run -freeze ./hello", &["gdb"]);
    assert!(scratch.good("run -t -n 2 ./hello").contains("./hello with 2 threads on"));
    assert!(scratch.good("run -t -H a:1,b:2 ./hello").contains("  b: threads 1 to 2"));
    assert!(scratch.good("run -i ./hello").contains("any number"));
    scratch.good("cc -T 3 hello.upc -o three");
    assert!(scratch.good("run -i ./three").contains("for 3 threads"));
    assert!(scratch.good("run -i /bin/sh").contains("not compiled by"));
}

/// The options by which programs of GNU's and Clang's UPC choose their number of threads; later arguments are
/// the program's own.
#[test]
fn a_programs_first_arguments_may_choose_its_threads() {
    let text = "#include <stdio.h>\n#include <upc.h>\nint main(int n, char **v) {\n    \
                printf(\"%d of %d:%s\\n\", MYTHREAD, THREADS, n > 1 ? v[1] : \"\");\n    return 0;\n}\n";
    let scratch = scratch("arguments").file("a.upc", text);
    scratch.good("cc a.upc -o a");
    scratch.good("cc -gupc a.upc -o gnu");
    for (line, right) in [
        ("./a -fupc-threads-2 x -fupc-threads-3", vec!["0 of 2:x", "1 of 2:x"]),
        ("./a -fupc-heap-16M -fupc-threads-2", vec!["0 of 2:", "1 of 2:"]),
        ("./a -fupc-heap-16M x", vec!["0 of 1:x"]),
        ("./a -n 2", vec!["0 of 1:-n"]),
        ("./gnu -n 2 x", vec!["0 of 2:x", "1 of 2:x"]),
    ] {
        let outcome = scratch.shell(line);
        assert_eq!(sorted(&outcome.stdout), right, "{line}: {}", outcome.report());
    }
    assert!(scratch.shell("./a -fupc-threads-many").stderr.contains("number of threads"));
}

#[test]
fn a_program_for_four_threads_runs_with_four_only() {
    let scratch = scratch("static").file("hello.upc", HELLO);
    scratch.good("cc -T 4 hello.upc -o hello");
    assert_eq!(sorted(&scratch.good("run ./hello")).len(), 4);
    assert_eq!(sorted(&scratch.good("run -n 4 ./hello")).len(), 4);
    scratch.refused("run -n 5 ./hello", &["4", "5"]);
}

#[test]
fn programs_that_cannot_be_started_are_named() {
    let scratch = scratch("programs").file("text", "no program\n");
    assert_eq!(scratch.refused("run -n 2 ./missing", &["missing"]).status, 127);
    assert_eq!(scratch.refused("run -n 2 ./text", &["text"]).status, 126);
    scratch.refused("run -n 2 .", &[]);
}

#[test]
fn a_program_starts_without_the_launcher() {
    let scratch = scratch("bare").file("hello.upc", HELLO);
    scratch.good("cc hello.upc -o hello");
    scratch.good("cc -T 3 hello.upc -o three");
    assert_eq!(scratch.shell("./hello").stdout, "thread 0 of 1\n");
    assert_eq!(
        sorted(&scratch.shell("MERIDIAN_THREADS=2 ./hello").stdout),
        ["thread 0 of 2", "thread 1 of 2"]
    );
    assert_eq!(sorted(&scratch.shell("./three").stdout).len(), 3);
}

/// With no limit to the stack Linux puts libraries where shared memory is to be; the program sees no limit,
/// and POSIX threads get stacks as usual.
#[test]
fn a_stack_without_limit_is_in_nobodys_way() {
    let text = "#include <pthread.h>\n#include <stdio.h>\n#include <sys/resource.h>\n#include <upc.h>\n\
                static void *run(void *p) { return p; }\nint main(void) {\n    pthread_t other;\n    \
                struct rlimit limit;\n    getrlimit(RLIMIT_STACK, &limit);\n    upc_barrier;\n    \
                printf(\"thread %d, %s, %d\\n\", MYTHREAD, limit.rlim_cur == limit.rlim_max ? \"most\" : \"less\",\n\
                       pthread_create(&other, NULL, run, NULL));\n    return 0;\n}\n";
    let scratch = scratch("stack").file("stack.upc", text);
    scratch.good("cc stack.upc -o stack");
    for start in [
        "MERIDIAN_THREADS=2 ./stack",
        "\"$MERIDIAN\" run -n 2 ./stack",
        "\"$MERIDIAN\" run -H localhost:1,localhost:1 ./stack",
    ] {
        let outcome = scratch.shell(&format!("ulimit -s $(ulimit -Hs); {start}"));
        let right = ["thread 0, most, 0", "thread 1, most, 0"];
        assert_eq!(sorted(&outcome.stdout), right, "{start}: {}", outcome.report());
    }
}

#[test]
fn a_job_may_start_jobs() {
    let scratch = scratch("within").file("hello.upc", HELLO);
    scratch.good("cc hello.upc -o hello");
    for outer in ["-n 2", "-H localhost:1,localhost:1"] {
        for inner in ["-n 2", "-H localhost:1,localhost:1"] {
            let line = format!("\"$MERIDIAN\" run {outer} \"$MERIDIAN\" run {inner} ./hello");
            let outcome = scratch.shell(&line);
            let right = ["thread 0 of 2", "thread 0 of 2", "thread 1 of 2", "thread 1 of 2"];
            assert_eq!(sorted(&outcome.stdout), right, "{line}: {}", outcome.report());
        }
    }
}

#[test]
fn a_time_limit_ends_the_job() {
    let scratch = scratch("limit").file(
        "spin.upc",
        "#include <upc.h>\nstrict shared int x;\nint main(void) { while (!x) ; return 0; }\n",
    );
    scratch.good("cc spin.upc -o spin");
    assert_eq!(scratch.refused("run -n 3 --timeout 0.3 ./spin", &[]).status, 124);
}

#[test]
fn output_that_cannot_be_written_is_told() {
    let scratch = scratch("full").file("hello.upc", HELLO);
    scratch.good("cc hello.upc -o hello");
    for line in ["\"$MERIDIAN\" run -n 2 ./hello > /dev/full", "\"$MERIDIAN\" cc -E hello.upc > /dev/full"] {
        let outcome = scratch.shell(line);
        assert_ne!(outcome.status, 0, "{line}: {}", outcome.report());
        assert!(outcome.stderr.contains("No space left"), "{line}: {}", outcome.report());
    }
}

#[test]
fn that_nobody_listens_is_no_crash() {
    let scratch = scratch("deaf").file("bad.upc", "int main(void) { return 0 }\n").file("hello.upc", HELLO);
    scratch.good("cc hello.upc -o hello");
    for (words, code) in [
        ("version > /dev/full", 1),
        ("--version > /dev/full", 1),
        ("--help > /dev/full", 1),
        ("help run > /dev/full", 1),
        ("run --help > /dev/full", 1),
        ("run --info ./hello > /dev/full", 1),
        ("bench --help > /dev/full", 1),
        ("bench report --help > /dev/full", 1),
        ("sim --help > /dev/full", 1),
        ("doctor > /dev/full", 1),
        ("cc --emit=c -o - hello.upc > /dev/full", 1),
        ("cc --emit=c -o - hello.upc | true", 0),
        ("cc --help > /dev/full", 1),
        ("cc --version > /dev/full", 1),
        ("cc --help | true", 0),
        ("cc bad.upc 2> /dev/full", 1),
        ("cc bad.upc >&- 2>&- <&-", 1),
        ("run ./not-there 2> /dev/full", 127),
    ] {
        let outcome = scratch.shell(&format!("\"$MERIDIAN\" {words}"));
        assert_eq!(outcome.status, code, "{words}: {}", outcome.report());
        // If the reader has gone, there is no message; if the disk is full, one with the reason.
        if words.contains('|') {
            assert_eq!(outcome.stderr, "", "{words}");
        } else if words.ends_with("> /dev/full") && !words.contains("2>") {
            let said = "cannot write to standard output: No space left";
            assert!(outcome.stderr.contains(said), "{words}: {}", outcome.report());
        }
    }
}

#[test]
fn a_failed_allocation_says_what_was_asked() {
    let scratch = scratch("allocation").file(
        "a.upc",
        "#include <upc.h>\nint main(void) { return upc_alloc((size_t)1 << 50) == NULL ? 0 : 1; }\n",
    );
    scratch.good("cc a.upc -o a");
    let outcome = scratch.meridian("run -n 1 ./a");
    assert_eq!(outcome.status, 0, "{}", outcome.report());
    assert!(outcome.stderr.contains("upc_alloc"), "{}", outcome.report());
}

#[test]
fn ctrl_c_ends_all_threads() {
    let scratch = scratch("interrupt").file(
        "spin.upc",
        "#include <stdio.h>\n#include <upc.h>\n#include <unistd.h>\nint main(void) {\n    upc_barrier;\n    \
         if (MYTHREAD == 0) { FILE *f = fopen(\"ready\", \"w\"); fclose(f); }\n    for (;;) pause();\n}\n",
    );
    scratch.good("cc spin.upc -o spin");
    let mut command = Command::new(tests::meridian());
    command.args(["run", "-n", "3", "./spin"]).current_dir(scratch.directory()).stderr(Stdio::null());
    process::with_default_signals(&mut command);
    let mut job = command.spawn().unwrap();
    let deadline = std::time::Instant::now() + LIMIT;
    while !scratch.has("ready") && std::time::Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    // SAFETY: the process is this test's own child, and has not been waited for.
    unsafe { libc::kill(job.id() as i32, libc::SIGINT) };
    let status = job.wait().unwrap();
    assert!(!status.success(), "{status:?}");
    let left = scratch.shell("for p in /proc/[0-9]*; do readlink $p/exe; done | grep -x \"$PWD/spin\"");
    assert_eq!(left.stdout, "", "processes are left");
}

#[test]
fn the_demo_tells_what_is_wrong_with_its_input() {
    let scratch = scratch("demo")
        .file("good.fq", "@a\nACGTACGTAC\n+\nIIIIIIIIII\n")
        .file("good.fa", ">g\nACGTACGTACGG\n")
        .file("cut.fq", "@a\nACGTACGTAC\n+\n")
        .file("uneven.fq", "@first\nACGTACGTAC\n+\nIII\n")
        .file("empty.fq", "")
        .file("digits.fa", ">g\nACGT1234\n");
    let source = tests::home().join("../examples/kmer.upc");
    scratch.good(&format!("cc -O1 {} -o kmer", source.display()));
    scratch.good("run -n 2 ./kmer -k 5 -m 1 good.fq good.fa");
    for (arguments, texts) in [
        ("missing.fq good.fa", ["missing.fq", "No such file"]),
        ("good.fq good.fa", ["good.fa", "fewer"]),
        ("good.fa good.fa", ["good.fa", "FASTQ"]),
        ("-k 5 cut.fq good.fa", ["reads", "end"]),
        ("-k 5 uneven.fq good.fa", ["@first", "FASTQ"]),
        ("empty.fq good.fa", ["empty.fq", "empty"]),
        ("good.fq digits.fa", ["digits.fa", "base"]),
        ("good.fq good.fq", ["good.fq", "FASTA"]),
        ("-k 6 good.fq good.fa", ["odd", "K"]),
        ("-k 99 good.fq good.fa", ["99", "usage"]),
        ("good.fq", ["usage", "reference"]),
        ("-o no/such/file good.fq -k 5 -m 1 good.fa", ["no/such/file", "write"]),
    ] {
        scratch.refused(&format!("run -n 3 ./kmer {arguments}"), &texts);
    }
}

/// Own elements of an array are found by its name, wherever its image is loaded, and whichever image holds
/// it.
#[test]
fn own_elements_are_found_in_each_kind_of_image() {
    let scratch = scratch("own_parts")
        .file("library.upc", include_str!("own_parts/library.upc"))
        .file("program.upc", include_str!("own_parts/program.upc"));
    let lib = tests::meridian().parent().unwrap().parent().unwrap().join("lib");
    for cc in ["gcc", "clang"] {
        let compile = |line: &str| scratch.good(&format!("cc --cc {cc} -O3 {line}"));
        compile("library.upc program.upc -o fixed");
        compile("-c library.upc program.upc");
        compile("library.o program.o -o objects");
        // Other drivers link programs to any address.
        let line = format!(
            "{cc} library.o program.o -L'{}' -lmeridian -lpthread -ldl -lm -o anywhere",
            lib.display()
        );
        assert_eq!(scratch.shell(&line).status, 0, "{}", scratch.shell(&line).report());
        compile("-fPIC -shared library.upc -o library.so");
        compile("program.upc ./library.so -o loads");
        compile("-fPIC program.upc ./library.so -o both");
        for program in ["fixed", "objects", "anywhere", "loads", "both"] {
            for threads in ["-n 1", "-n 3", "-n 4", "-H localhost:2,localhost:1"] {
                scratch.good(&format!("run {threads} ./{program}"));
            }
        }
    }
}
