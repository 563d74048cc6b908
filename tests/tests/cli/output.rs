//! Output that cannot be written: standard output is closed, full, or its reader has gone. Lost output is a
//! failure, as with `cat`.

use crate::{HELLO, scratch};
use tests::{has_commands, scratch::Scratch};

/// Ways of losing standard output in a shell: the text after the command, and the reason in the message.
const LOST: [(&str, &str); 3] = [
    (">&-", "it is closed"),
    (">/dev/full", "No space left on device"),
    ("</dev/null 1<&0", "it is closed"), // open, but not for writing
];

/// Runs a command in each of these ways; it must fail and give the reason.
#[track_caller]
fn loses(scratch: &Scratch, command: &str) {
    for (how, why) in LOST {
        let end = scratch.shell(&format!("{command} {how}"));
        assert!(end.status != 0, "`{command} {how}`: {}", end.report());
        let told = end.stderr.contains("cannot write");
        assert!(told && end.stderr.contains(why), "`{command} {how}`: {}", end.report());
    }
    let wait = "while [ ! -e gone ]; do sleep 0.01; done";
    let reader = "(exec <&-; : >gone)";
    let gone = scratch.shell(&format!("rm -f gone; ({wait}; {command}; echo $? >status) | {reader}"));
    let status = scratch.read("status");
    assert!(!["", "0"].contains(&status.trim()), "`{command} | (exec <&-)`: {status}{}", gone.report());
}

#[test]
fn threads_output_that_is_lost_is_an_error() {
    let scratch = scratch("lost").file("hello.upc", HELLO).file("print.id", "print 3;\n").file(
        "exit.upc",
        "#include <upc.h>\n#include <stdio.h>\nint main(void) { puts(\"a\"); upc_global_exit(0); }\n",
    );
    scratch.good("cc hello.upc -o hello");
    scratch.good("cc -T 3 hello.upc -o three");
    scratch.good("cc exit.upc -o exit");
    scratch.good("cc print.id -o print");
    loses(&scratch, "$MERIDIAN run -n 2 ./hello");
    loses(&scratch, "$MERIDIAN run -H localhost:1,localhost:1 ./hello");
    loses(&scratch, "./three");
    loses(&scratch, "$MERIDIAN run -n 2 ./print");
    // Programs of one thread write by themselves.
    for program in ["./hello", "./exit", "./print"] {
        for (how, why) in [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")] {
            let end = scratch.shell(&format!("{program} {how}"));
            // The loss of an Id program's output is known before its end, but not the reason.
            let why = if program == "./print" { "an earlier write has failed" } else { why };
            let told = end.stderr.contains("cannot write the program's output") && end.stderr.contains(why);
            assert!(end.status == 1 && told, "{program} {how}: {}", end.report());
        }
    }
    // A program that writes nothing loses nothing.
    let scratch = scratch.file("silent.upc", "int main(void) { return 0; }\n");
    scratch.good("cc silent.upc -o silent");
    for command in ["./silent", "$MERIDIAN run -n 2 ./silent", "$MERIDIAN cc silent.upc -o silent"] {
        for streams in [">&-", ">&- 2>&-", "<&- >&- 2>&-"] {
            let end = scratch.shell(&format!("{command} {streams}"));
            assert_eq!(end.status, 0, "{command} {streams}: {}", end.report());
        }
    }
}

/// The descriptor of a closed stream is not given to the job's memory, in which output would land.
#[test]
fn closed_streams_are_not_taken_by_the_jobs_files() {
    let scratch = scratch("closed").file(
        "streams.upc",
        "#include <upc.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\nshared int x[THREADS];\n\
         int main(void) {\n  char text[64];\n  memset(text, 'x', sizeof text);\n  int bad = 0;\n  \
         bad |= write(1, text, sizeof text) > 0;\n  bad |= (write(2, text, sizeof text) > 0) << 1;\n  \
         bad |= (read(0, text, sizeof text) > 0) << 2;\n  bad |= (x[MYTHREAD] != 0) << 3;\n  return bad;\n}\n",
    );
    scratch.good("cc streams.upc -o streams");
    let end = scratch.shell("./streams <&- >&- 2>&-");
    assert_eq!(end.status, 0, "{}", end.report());
}

#[test]
fn what_commands_say_that_is_lost_is_an_error() {
    let scratch = scratch("lost-commands").file("e.upc", "int main(void) { return 0; }\n");
    let commands =
        ["--help", "--version", "run --help", "help run", "cc --help", "cc --version", "cc -E e.upc"];
    for command in commands.iter().chain(&["cc -dumpmachine", "sim --help", "bench --help", "id --help"]) {
        loses(&scratch, &format!("$MERIDIAN {command}"));
    }
    scratch.good("cc e.upc -o e");
    loses(&scratch, "$MERIDIAN run -t -n 2 ./e");
    loses(&scratch, "$MERIDIAN doctor");
    if has_commands(&["gcc"]).is_ok() {
        loses(&scratch, "$MERIDIAN cc --cc gcc -E e.upc");
    }
    // Here the program writes, and knows only that nothing can be written.
    for (how, _) in LOST.iter().filter(|(how, _)| !how.contains("<")) {
        let end = scratch.shell(&format!("echo '1 + 1;' | $MERIDIAN id {how}"));
        assert!(end.status == 1 && end.stderr.contains("cannot write"), "{how}: {}", end.report());
    }
}

/// A file is a program by its contents, not by its name.
#[test]
fn a_program_may_have_the_name_of_a_source() {
    let scratch = scratch("named").file("hello.upc", HELLO).file("source.upc", HELLO);
    for name in ["program.upc", "program.c", "program.sc"] {
        scratch.good(&format!("cc hello.upc -o {name}"));
        assert_eq!(scratch.good(&format!("run -n 2 ./{name}")).lines().count(), 2, "{name}");
        assert_eq!(scratch.shell(&format!("./{name}")).status, 0, "{name}");
        scratch.refused(&format!("./{name}"), &[&format!("meridian run ./{name}")]);
    }
    scratch.refused("run -n 2 ./source.upc", &["it is a source file; compile it first"]);
    scratch.shell("chmod +x source.upc");
    scratch.refused("run -n 2 ./source.upc", &["it is a source file; compile it first"]);
}
