//! Starting: the number of threads, the environment, programs that cannot be started.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{End, Scratch, compile, job, meridian_run};

fn threads_of(options: &[&str], variable: Option<&str>, program: &std::path::Path) -> End {
    let mut command = meridian_run(options);
    if let Some(value) = variable {
        command.env("MERIDIAN_THREADS", value);
    }
    command.arg(program);
    End::of(command)
}

#[test]
fn every_thread_knows_its_number_and_all_meet_in_the_jobs_memory() {
    let steps = ["meet=", "only=2", "print=two"];
    let end = End::of(job(&["-n", "4"], &steps));
    end.quiet(0);
    assert_eq!(end.output, "two\n");
}

#[test]
fn many_more_threads_than_cores_start_and_end() {
    let end = End::of(job(&["-n", "1024", "--timeout", "120"], &["meet=", "only=1023", "print=all here"]));
    end.quiet(0);
    assert_eq!(end.output, "all here\n");
}

#[test]
fn thread_counts_that_make_no_sense_are_refused() {
    for (count, says) in [
        ("0", "a job has at least one thread"),
        ("abc", "expected a number of threads"),
        ("-2", "expected a number of threads"),
        ("100000", "at most 8192 threads"),
    ] {
        let end = End::of(meridian_run(&["-n", count, "true"]));
        assert_eq!(end.code, Some(2), "-n {count}");
        assert!(end.errors.contains(says) && end.errors.contains(count), "{}", end.errors);
        assert!(end.output.is_empty());
    }
}

#[test]
fn programs_that_cannot_be_started_are_named() {
    let scratch = Scratch::new("unstartable");
    let file = |name: &str, mode, text: &[u8]| {
        let path = scratch.path(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path.to_str().unwrap().to_string()
    };
    let source = file("hello.upc", 0o644, b"int main(void) { return 0; }\n");
    let garbage = file("garbage", 0o755, b"\x01\x02\x03\x00 no program");
    let mut elf = fs::read("/proc/self/exe").unwrap()[..64].to_vec();
    elf[18] ^= 0x55;
    let other = file("other", 0o755, &elf);
    let lost = file("lost", 0o755, b"#!/no/such/interpreter\n");
    let plain = file("plain", 0o644, b"#!/bin/sh\n");
    for (program, code, says) in [
        ("no-such-program-anywhere", 127, "PATH"),
        ("./no-such-program", 127, "no such file"),
        ("/usr", 126, "directory"),
        (&plain, 126, "not executable"),
        (&source, 126, "compile it first"),
        (&garbage, 126, "neither a program"),
        (&other, 126, "for this machine"),
        (&lost, 126, "interpreter"),
    ] {
        End::of(meridian_run(&["-n", "3", program])).says_once(code, &["meridian: cannot", says]);
    }
}

#[test]
fn a_missing_program_is_a_wrong_command_line() {
    let end = End::of(meridian_run(&["-n", "2"]));
    assert_eq!(end.code, Some(2));
    assert!(end.errors.contains("Usage:"), "{}", end.errors);
}

#[test]
fn a_program_compiled_for_four_threads_runs_with_four() {
    let scratch = Scratch::new("static");
    let source = scratch.path("four.c");
    let text = r#"
        #include <stdio.h>
        #include <stdlib.h>
        struct unit { unsigned abi; int threads; const char *file; };
        __attribute__((used, aligned(8), section("mer_unit"))) static const struct unit a = {CONTRACT, 0, "a"};
        __attribute__((used, aligned(8), section("mer_unit"))) static const struct unit b = {CONTRACT, 4, "b"};
        int main(void) { return puts(getenv("MERIDIAN_THREADS")) < 0; }"#;
    fs::write(&source, text).unwrap();
    let program = compile(&source, &["-no-pie", &format!("-DCONTRACT={}u", base::contract::CONTRACT)]);
    for (options, variable) in [(&[][..], None), (&["-n", "4"], None), (&[], Some("2"))] {
        let end = threads_of(options, variable, &program);
        end.quiet(0);
        assert_eq!(end.output, "4\n".repeat(4), "{options:?} {variable:?}");
    }
    threads_of(&["-n", "5"], None, &program).says_once(2, &["compiled for 4 threads", "-n 5"]);
}

#[test]
fn without_a_number_the_environment_decides_else_one() {
    let sh = ["-c", "echo $MERIDIAN_THREADS"];
    for (variable, output) in [(None, "1\n".to_string()), (Some("3"), "3\n".repeat(3))] {
        let mut command = meridian_run(&["sh"]);
        command.args(sh);
        if let Some(value) = variable {
            command.env("MERIDIAN_THREADS", value);
        }
        let end = End::of(command);
        end.quiet(0);
        assert_eq!(end.output, output);
    }
}

#[test]
fn a_name_without_a_slash_is_looked_for_here_first() {
    let scratch = Scratch::new("here");
    let path = scratch.path("true");
    fs::write(&path, "#!/bin/sh\necho mine\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = meridian_run(&["true"]);
    command.current_dir(scratch.path("."));
    assert_eq!(End::of(command).output, "mine\n");
}

#[test]
fn a_forced_pin_ties_every_thread_to_one_core() {
    let mut command = meridian_run(&["-n", "3", "--pin", "sh"]);
    command.args(["-c", "grep Cpus_allowed_list /proc/self/status"]);
    let end = End::of(command);
    end.quiet(0);
    assert_eq!(end.output.lines().count(), 3);
    for line in end.output.lines() {
        let list = line.split_whitespace().nth(1).unwrap();
        assert!(list.parse::<u32>().is_ok(), "one core: {line}");
    }
}

#[test]
fn threads_start_with_no_signal_blocked() {
    let mut command = meridian_run(&["-n", "2", "grep"]);
    command.args(["SigBlk", "/proc/self/status"]);
    let end = End::of(command);
    end.quiet(0);
    assert_eq!(end.output, "SigBlk:\t0000000000000000\n".repeat(2));
}

#[test]
fn a_limit_on_processes_gives_one_message_and_leaves_nothing() {
    // The limit does not bind root, whose job runs.
    let mut command = std::process::Command::new("sh");
    let run = "ulimit -u 20 2>/dev/null; exec \"$0\" run -n 64 sleep 0.01";
    command.args(["-c", run, env!("CARGO_BIN_EXE_meridian")]);
    let end = End::of(command);
    match end.code {
        Some(0) => end.quiet(0),
        _ => end.says_once(1, &["of 64 threads", "ulimit -u"]),
    }
}

#[test]
fn a_limit_on_file_sizes_is_named() {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -f 1000; exec \"$0\" run -n 2 true", env!("CARGO_BIN_EXE_meridian")]);
    End::of(command).says_once(1, &["ulimit -f unlimited"]);
}
