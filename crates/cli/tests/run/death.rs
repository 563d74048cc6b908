//! Ends: exit codes, deaths, signals, time limits. No process or file ever remains.

use std::process::{Command, Stdio};

use crate::support::{End, Scratch, await_gone, job, meridian_run, wait_for};

const STATE_RUNNING: &str = "state=1";
const STATE_FINISHED: &str = "state=2";
const STATE_REPORTED: &str = "state=3";

/// Starts a job, waits until `count` processes have left their marks, sends `signals` to the launcher.
fn signalled(mut command: Command, scratch: &Scratch, count: usize, signals: &[i32]) -> (End, Vec<i32>) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pids = scratch.await_marks(count);
    for &signal in signals {
        // SAFETY: a plain system call on an own child that has not been waited for.
        unsafe { libc::kill(child.id() as i32, signal) };
        // Signals of one kind that arrive together are one.
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    (End::from(child.wait_with_output().unwrap()), pids)
}

#[test]
fn exit_codes_are_handed_on() {
    End::of(job(&["-n", "1"], &["exit=0"])).quiet(0);
    End::of(job(&["-n", "1"], &["exit=7"])).quiet(7);
    End::of(job(&["-n", "3"], &["exit=7"])).quiet(7);
    End::of(job(&["-n", "3"], &["only=2", "exit=9"])).quiet(9);
}

#[test]
fn a_thread_that_dies_takes_the_job_with_it() {
    let scratch = Scratch::new("segv");
    let mark = scratch.step("mark");
    let steps = [&mark, "meet=", "only=1", "raise=11", "all=", "sleep=1000000"];
    let end = End::of(job(&["-n", "4"], &steps));
    end.says_once(
        139,
        &["meridian: thread 1 of 4 on host ", "SIGSEGV (segmentation fault)", "the job has been ended"],
    );
    let pids = scratch.marks();
    assert_eq!(pids.len(), 4);
    await_gone(&pids);
}

#[test]
fn a_single_thread_that_dies_is_named_too() {
    End::of(job(&["-n", "1"], &["raise=8"])).says_once(136, &["thread 0", "SIGFPE"]);
}

#[test]
fn threads_that_all_die_of_the_same_give_one_message() {
    End::of(job(&["-n", "4"], &["meet=", "raise=6"])).says_once(134, &["SIGABRT"]);
}

#[test]
fn a_thread_that_leaves_with_a_code_while_others_go_on_ends_the_job() {
    let end = End::of(job(&["-n", "3"], &["only=2", "exit=5", "all=", "sleep=1000000"]));
    end.says_once(5, &["thread 2 of 3 on host ", "exit code 5", "the job has been ended"]);
}

#[test]
fn threads_that_do_not_listen_are_killed() {
    let steps = ["ignore=15", "meet=", "only=0", "exit=5", "all=", "sleep=1000000"];
    End::of(job(&["-n", "3"], &steps)).says_once(5, &["thread 0", "exit code 5"]);
}

#[test]
fn leaving_inside_the_program_is_a_death_even_with_code_0() {
    let steps = [STATE_RUNNING, "meet=", "only=1", "exit=0", "all=", "sleep=1000000"];
    End::of(job(&["-n", "2"], &steps)).says_once(1, &["thread 1", "before the end of the program"]);
}

#[test]
fn past_the_programs_end_a_thread_may_be_slow_and_have_any_code() {
    let steps = [STATE_FINISHED, "meet=", "only=0", "exit=3", "all=", "sleep=700", "print=done"];
    let end = End::of(job(&["-n", "2"], &steps));
    end.quiet(3);
    assert_eq!(end.output, "done\n");
}

#[test]
fn what_the_runtime_has_reported_is_not_said_again() {
    let steps = ["meet=", "only=1", STATE_REPORTED, "exit=1", "all=", "sleep=1000000"];
    End::of(job(&["-n", "3"], &steps)).quiet(1);
}

/// A failed job never has the code of a successful one, whatever the exit code of the reporting thread.
#[test]
fn a_reported_failure_is_one_whatever_the_code_is() {
    for rest in [["all=", "sleep=1000000"], ["all=", "exit=0"]] {
        let steps = [&["meet=", "only=1", STATE_REPORTED, "exit=0"], &rest[..]].concat();
        End::of(job(&["-n", "3"], &steps)).quiet(1);
    }
    End::of(job(&["-n", "1"], &[STATE_REPORTED, "exit=0"])).quiet(1);
}

#[test]
fn global_exit_ends_all_quietly_with_its_code() {
    for (code, exit) in [("42", 42), ("0", 0), ("-1", 255)] {
        let set = format!("globalexit={code}");
        let leave = format!("exit={code}");
        let steps = [STATE_RUNNING, "meet=", "only=2", &set, &leave, "all=", "sleep=1000000"];
        End::of(job(&["-n", "3"], &steps)).quiet(exit);
    }
}

#[test]
fn a_time_limit_ends_the_job() {
    let scratch = Scratch::new("limit");
    let mark = scratch.step("mark");
    let end = End::of(job(&["-n", "2", "--timeout", "0.4"], &[&mark, "sleep=1000000"]));
    end.says_once(124, &["ended after 0.4 s", "--timeout"]);
    await_gone(&scratch.marks());
}

#[test]
fn a_signal_to_the_launcher_ends_the_job_and_what_it_started() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        let scratch = Scratch::new(&format!("signal{signal}"));
        let steps = [scratch.step("child"), scratch.step("mark"), "sleep=1000000".into()];
        let (end, pids) = signalled(job(&["-n", "2"], &steps), &scratch, 4, &[signal]);
        end.quiet(128 + signal);
        await_gone(&pids);
    }
}

#[test]
fn a_single_thread_is_ended_by_a_signal_to_the_launcher_too() {
    let scratch = Scratch::new("single");
    let steps = [scratch.step("mark"), "sleep=1000000".into()];
    let (end, pids) = signalled(job(&["-n", "1"], &steps), &scratch, 1, &[libc::SIGTERM]);
    end.quiet(143);
    await_gone(&pids);
}

#[test]
fn user_signals_are_passed_on_and_end_nothing_by_themselves() {
    let scratch = Scratch::new("usr1");
    let mut command = meridian_run(&["-n", "2", "sh"]);
    let script = "trap 'echo checkpoint; exit 0' USR1; : > $0/$$; while :; do sleep 0.02; done";
    command.args(["-c", script]).arg(scratch.path("."));
    let (end, _) = signalled(command, &scratch, 2, &[libc::SIGUSR1]);
    end.quiet(0);
    assert_eq!(end.output, "checkpoint\n".repeat(2));
}

#[test]
fn a_second_signal_kills_at_once() {
    let scratch = Scratch::new("twice");
    let steps = ["ignore=2".to_string(), "ignore=15".into(), scratch.step("mark"), "sleep=1000000".into()];
    let command = job(&["-n", "2", "--kill-after", "1000000"], &steps);
    let (end, pids) = signalled(command, &scratch, 2, &[libc::SIGINT, libc::SIGINT]);
    end.quiet(130);
    await_gone(&pids);
}

#[test]
fn a_job_whose_reader_has_stopped_can_be_ended() {
    let scratch = Scratch::new("stopped");
    let steps = [scratch.step("mark"), "flood=50".into()];
    let mut child = job(&["-n", "2"], &steps).stdout(Stdio::piped()).spawn().unwrap();
    let pids = scratch.await_marks(2);
    std::thread::sleep(std::time::Duration::from_millis(100));
    // SAFETY: a plain system call on an own child that has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let status = wait_for("the job's end", || child.try_wait().unwrap());
    assert_eq!(status.code(), Some(130));
    await_gone(&pids);
}

#[test]
fn threads_die_with_a_launcher_that_is_killed() {
    let scratch = Scratch::new("killed");
    let steps = [scratch.step("mark"), "sleep=1000000".into()];
    let (end, pids) = signalled(job(&["-n", "3"], &steps), &scratch, 3, &[libc::SIGKILL]);
    assert_eq!(end.code, None);
    await_gone(&pids);
}

#[test]
fn signals_that_the_launcher_was_started_to_ignore_stay_ignored() {
    let scratch = Scratch::new("nohup");
    let mut command = Command::new("sh");
    let script = "trap '' HUP; exec \"$@\"";
    let inner = job(&["-n", "2"], &[scratch.step("mark"), scratch.file_step("await", "go")]);
    command.args(["-c", script, "sh"]).arg(inner.get_program()).args(inner.get_args());
    let mut child = command.spawn().unwrap();
    scratch.await_marks(2);
    // SAFETY: a plain system call on an own child that has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGHUP) };
    std::thread::sleep(std::time::Duration::from_millis(50));
    std::fs::write(scratch.path("go"), "").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_job_that_ends_by_itself_leaves_its_background_children_alone() {
    let scratch = Scratch::new("background");
    let end = End::of(job(&["-n", "2"], &["only=0".to_string(), scratch.step("child")]));
    end.quiet(0);
    let pids = scratch.marks();
    assert!(pids.iter().all(|&pid| crate::support::alive(pid)));
    for pid in pids {
        // SAFETY: the process is this test's, and sleeps far longer than the test takes.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
}

#[test]
fn processes_that_were_there_before_the_launcher_outlive_a_job_that_is_ended() {
    let scratch = Scratch::new("earlier");
    let script = "sleep 1000 >&- 2>&- & : > \"$1/$!\"; shift; exec \"$@\"";
    let run = job(&["-n", "2", "--timeout", "0.4"], &["sleep=1000000"]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, "sh"]).arg(scratch.path("")).arg(run.get_program()).args(run.get_args());
    shell.stdin(std::process::Stdio::null());
    End::of(shell).says_once(124, &["--timeout"]);
    let earlier = scratch.marks();
    assert!(earlier.len() == 1 && crate::support::alive(earlier[0]));
    // SAFETY: the process is this test's, and sleeps far longer than the test takes.
    unsafe { libc::kill(earlier[0], libc::SIGKILL) };
}

#[test]
fn verbose_tells_the_start_and_the_end() {
    let end = End::of(meridian_run(&["-v", "-n", "2", "true"]));
    assert_eq!(end.code, Some(0));
    assert!(end.errors.contains("2 threads") && end.errors.contains("ended with code 0"), "{}", end.errors);
}
