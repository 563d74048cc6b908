//! `meridian run -H`: several hosts. Here all of them are this one, each with an agent, threads and memory of
//! its own, which needs no network; tests/net has real ones.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{End, Scratch, await_gone, job, meridian_run};

const TWO: &[&str] = &["-H", "localhost:2,localhost:2"];
const THREE: &[&str] = &["-H", "localhost:1,localhost:2,localhost:1"];

fn sorted(output: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = output.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn threads_are_numbered_host_by_host_and_know_their_place() {
    let end = End::of(job(TWO, &["place="]));
    end.quiet(0);
    assert_eq!(
        sorted(&end.output),
        [
            "thread 0 of 4; 2 from 0 on host 0 of 2, localhost",
            "thread 1 of 4; 2 from 0 on host 0 of 2, localhost",
            "thread 2 of 4; 2 from 2 on host 1 of 2, localhost",
            "thread 3 of 4; 2 from 2 on host 1 of 2, localhost",
        ]
    );
    let end = End::of(job(&["-H", "localhost,localhost:1", "-n", "4"], &["place="]));
    end.quiet(0);
    assert!(end.output.contains("thread 3 of 4; 1 from 3 on host 1 of 2"), "{}", end.output);
}

#[test]
fn all_threads_exchange_bytes_any_number_of_times() {
    for size in ["1", "100"] {
        End::of(job(THREE, &[format!("exchange={size}")])).quiet(0);
    }
}

#[test]
fn output_comes_in_whole_tagged_lines_and_input_goes_to_thread_0() {
    let mut command = job(&[TWO, &["--tag"]].concat(), &["lines=500"]);
    let end = End::of({
        command.stdin(Stdio::null());
        command
    });
    end.quiet(0);
    for thread in 0..4 {
        let start = format!("[{thread}] {thread} ");
        let numbers: Vec<usize> = end
            .output
            .lines()
            .filter_map(|line| line.strip_prefix(&start)?.split(' ').next()?.parse().ok())
            .collect();
        assert_eq!(numbers, (0..500).collect::<Vec<_>>(), "thread {thread}");
    }
    let text = "a line of input\n".repeat(20_000);
    let end = given(job(TWO, &["echo="]), &text);
    end.quiet(0);
    assert!(end.output == text, "{} bytes of {}", end.output.len(), text.len());
}

#[test]
fn no_other_thread_of_thread_0s_host_has_the_input() {
    let end = given(job(TWO, &["only=1", "echo="]), "for thread 0\n");
    end.quiet(0);
    assert_eq!(end.output, "");
}

/// Runs a job with `text` on its standard input to its end.
fn given(mut command: Command, text: &str) -> End {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut input, text) = (child.stdin.take().unwrap(), text.to_owned());
    // A job that reads nothing may end before the write.
    let writer = std::thread::spawn(move || _ = input.write_all(text.as_bytes()));
    let end = End::from(child.wait_with_output().unwrap());
    writer.join().unwrap();
    end
}

#[test]
fn what_a_thread_says_on_standard_error_is_passed_on_from_any_host() {
    End::of(job(TWO, &["only=3", "unheard of="])).says_once(99, &["no such step: unheard of"]);
}

#[test]
fn codes_and_deaths_on_any_host_are_the_jobs() {
    End::of(job(TWO, &["only=3", "exit=9"])).quiet(9);
    let scratch = Scratch::new("hosts-segv");
    let mark = scratch.step("mark");
    let end = End::of(job(TWO, &[&mark, "exchange=1", "only=2", "raise=11", "all=", "sleep=1000000"]));
    end.says_once(139, &["thread 2 of 4 on host localhost: killed by SIGSEGV", "the job has been ended"]);
    let pids = scratch.marks();
    assert_eq!(pids.len(), 4);
    await_gone(&pids);
}

#[test]
fn global_exit_reaches_all_hosts() {
    let steps = ["state=1", "exchange=1", "only=1", "globalexit=42", "exit=42", "all=", "sleep=1000000"];
    End::of(job(TWO, &steps)).quiet(42);
}

#[test]
fn lists_of_hosts_that_make_no_sense_are_refused() {
    let refused = |list: &str, options: &[&str], says: &str| {
        End::of(job(&[&["-H", list], options].concat(), &["exit=0"])).says_once(2, &[says]);
    };
    refused("a:0", &[], "`a:0` is no host");
    refused("a:2,b:2", &["-n", "5"], "room for 4 threads");
    refused("@/nowhere/hosts", &[], "/nowhere/hosts");
}

/// From the command line, a file, and the variables of PBS and Slurm: no command is started for such a name.
#[test]
fn a_name_that_is_an_option_reaches_no_command() {
    let scratch = Scratch::new("hostile");
    let (file, called) = (scratch.path("hosts"), scratch.path("called"));
    let hostile = format!("-oProxyCommand=touch${{IFS}}{}", called.display());
    std::fs::write(&file, format!("localhost\n{hostile}\n")).unwrap();
    let list = format!("@{}", file.display());
    let reach = format!("touch {}", called.display());
    let run = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = meridian_run(&[words, &["--ssh", &reach, "true"]].concat());
        command.envs(variables.iter().copied());
        End::of(command).says_once(2, &["-oProxyCommand", "is no host"]);
    };
    run(&["-H", &format!("localhost,{hostile}")], &[]);
    run(&["-H", &list], &[]);
    run(&[], &[("PBS_NODEFILE", file.to_str().unwrap())]);
    run(&[], &[("SLURM_JOB_ID", "1"), ("SLURM_JOB_NODELIST", &hostile)]);
    assert!(!called.exists(), "a command was started");
}

#[test]
fn a_host_that_cannot_be_reached_ends_the_job_with_one_message() {
    let mut command = meridian_run(&["-H", "localhost,elsewhere", "--ssh", "sh -c", "sleep", "1000000"]);
    command.env("elsewhere", "");
    // `sh -c elsewhere ...`: a shell that does not find the command, as a shell on another host does not find
    // meridian.
    End::of(command).says_once(1, &["host elsewhere has no working `meridian`", "install Meridian"]);
    let command = meridian_run(&["-H", "localhost,elsewhere", "--ssh", "false", "sleep", "1000000"]);
    End::of(command).says_once(1, &["cannot reach host elsewhere: `false` ended with code 1"]);
    let command = meridian_run(&["-H", "localhost,elsewhere", "--ssh", "/nowhere/ssh", "sleep", "1000000"]);
    End::of(command).says_once(2, &["host elsewhere: `/nowhere/ssh`"]);
}
