//! Output: whole lines, in the order in which they were written, for any amount and any speed of the reader.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use tests::terminal;

use crate::support::{End, Scratch, job, meridian_run, wait_for};

#[test]
fn lines_of_many_writers_arrive_whole_complete_and_in_each_writers_order() {
    let end = End::of(job(&["-n", "4"], &["lines=3000"]));
    end.quiet(0);
    let mut next = [0; 4];
    for line in end.output.lines() {
        let mut words = line.split(' ');
        let mut number = || words.next().unwrap().parse::<usize>().unwrap();
        let (thread, i) = (number(), number());
        assert_eq!(i, next[thread], "{line}");
        next[thread] += 1;
        assert_eq!(words.next().unwrap(), "x".repeat((i * 7 + thread) % 50), "{line}");
    }
    assert_eq!(next, [3000; 4]);
}

#[test]
fn a_line_written_before_another_threads_stands_above_it() {
    // Each thread writes when it has seen that the previous one has written.
    let scratch = Scratch::new("order");
    let mut steps = Vec::new();
    for round in 0..10 {
        for thread in 0..4 {
            let turn = round * 4 + thread;
            steps.push(format!("only={thread}"));
            if turn > 0 {
                steps.push(scratch.file_step("await", &format!("t{turn}")));
            }
            steps.push(format!("print={turn}"));
            steps.push(scratch.file_step("touch", &format!("t{}", turn + 1)));
        }
    }
    let end = End::of(job(&["-n", "4"], &steps));
    end.quiet(0);
    let expected: String = (0..40).map(|turn| format!("{turn}\n")).collect();
    assert_eq!(end.output, expected);
}

#[test]
fn what_is_left_of_a_line_comes_out_and_mixes_with_no_other() {
    let scratch = Scratch::new("rest");
    let (touch, wait) = (scratch.file_step("touch", "said"), scratch.file_step("await", "said"));
    let steps = ["only=1", "part=no end", &touch, "only=0", &wait, "print=whole"];
    let end = End::of(job(&["-n", "2"], &steps));
    end.quiet(0);
    let either = ["no end\nwhole\n", "whole\nno end"];
    assert!(either.contains(&end.output.as_str()), "{:?}", end.output);
}

#[test]
fn tagged_lines_name_their_threads() {
    let end = End::of(job(&["-n", "2", "--tag"], &["only=1", "print=a", "print=b"]));
    end.quiet(0);
    assert_eq!(end.output, "[1] a\n[1] b\n");
}

#[test]
fn children_of_threads_write_too() {
    let mut command = meridian_run(&["-n", "2", "sh"]);
    command.args(["-c", "sh -c 'echo child of $MERIDIAN_THREAD'"]);
    let end = End::of(command);
    end.quiet(0);
    let mut lines: Vec<&str> = end.output.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["child of 0", "child of 1"]);
}

#[test]
fn standard_input_is_thread_0s() {
    let mut child =
        job(&["-n", "3", "--tag"], &["echo="]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"one\ntwo\n").unwrap();
    let end = End::from(child.wait_with_output().unwrap());
    assert_eq!((end.code, end.output.as_str()), (Some(0), "[0] one\n[0] two\n"));
}

#[test]
fn a_reader_that_is_late_gets_everything() {
    let mut child = job(&["-n", "2"], &["flood=20"]).stdout(Stdio::piped()).spawn().unwrap();
    // Long enough for all buffers on the way to fill.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let mut output = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(output.len(), 40 << 20);
    let whole = |line: &[u8]| line.len() == 63 && line.iter().all(|&b| b == line[0]);
    assert!(output.split(|&b| b == b'\n').all(|line| line.is_empty() || whole(line)));
}

#[test]
fn a_full_disk_ends_the_job_with_one_message() {
    let mut command = job(&["-n", "2"], &["flood=1", "sleep=100000"]);
    command.stdout(File::options().write(true).open("/dev/full").unwrap());
    End::of(command).says_once(1, &["cannot write standard output", "No space left"]);
}

#[test]
fn a_full_disk_at_the_very_end_is_told_too() {
    let mut command = job(&["-n", "2"], &["only=0", "part=last words"]);
    command.stdout(File::options().write(true).open("/dev/full").unwrap());
    End::of(command).says_once(1, &["cannot write standard output", "No space left"]);
}

#[test]
fn a_reader_that_goes_away_ends_the_job_with_one_message() {
    let mut command = job(&["-n", "2"], &["flood=8", "sleep=100000"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 64];
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut first).unwrap();
    drop(output);
    End::from(child.wait_with_output().unwrap()).says_once(1, &["standard output", "Broken pipe"]);
}

#[test]
fn a_message_stands_below_the_last_lines_of_the_thread_that_died() {
    let mut command = meridian_run(&["-n", "2", "sh"]);
    command
        .args(["-c", "[ $MERIDIAN_THREAD = 1 ] || exec sleep 1000; printf 'last words' >&2; kill -SEGV $$"]);
    let end = End::of(command);
    let lines: Vec<&str> = end.errors.lines().collect();
    assert_eq!(lines[0], "last words");
    assert!(lines[1].contains("thread 1") && lines.len() == 2, "{lines:?}");
}

#[test]
fn a_terminal_shows_a_prompt_before_it_is_answered() {
    let (mut master, slave) = terminal::open().unwrap();
    let end = |file: &File| Stdio::from(file.try_clone().unwrap());
    let mut command = job(&["-n", "2"], &["only=0", "part=how many? ", "echo="]);
    let mut child = command.stdin(end(&slave)).stdout(end(&slave)).spawn().unwrap();
    drop((slave, command));
    let mut shown = Vec::new();
    while !shown.ends_with(b"how many? ") {
        let mut byte = [0];
        master.read_exact(&mut byte).unwrap();
        shown.push(byte[0]);
    }
    master.write_all(b"5\n\x04").unwrap();
    let code = wait_for("the job's end", || child_code(&mut child));
    assert_eq!(code, Some(0));
}

#[test]
fn threads_can_learn_which_outputs_are_terminals() {
    let (_master, slave) = terminal::open().unwrap();
    let mut command = meridian_run(&["-n", "2", "sh"]);
    command.args(["-c", "echo \"$MERIDIAN_TERMINAL.\""]).stderr(slave);
    assert_eq!(String::from_utf8_lossy(&command.output().unwrap().stdout), "2.\n2.\n");
}

fn child_code(child: &mut std::process::Child) -> Option<Option<i32>> {
    child.try_wait().unwrap().map(|status| status.code())
}
