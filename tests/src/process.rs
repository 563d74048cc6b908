//! Running a command with a bound on its time. The command gets a process group of its own, so that when its
//! time is up everything it started ends with it and nothing else does.
//!
//! The bound is on the command's progress, not on elapsed time, because other programs may have the
//! processors and leave the command only a part of them. Its time is up:
//!
//! - if it has made no progress for as long as the bound, that is, has neither computed nor written;
//! - if it has computed for as long as the bound on every processor;
//! - after `MOST` times the bound, so that a command that does a little again and again ends.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// The result of a command.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status; 128 + the signal if a signal ended it, as in a shell.
    pub status: i32,
    /// True if the command was ended because its time was up.
    pub timed_out: bool,
    /// All of standard output, with bytes that are not UTF-8 replaced.
    pub stdout: String,
    /// All of standard error, with bytes that are not UTF-8 replaced.
    pub stderr: String,
}

/// Longer than any job of the tests takes on a loaded machine.
pub const LONG: Duration = Duration::from_secs(120);

impl Outcome {
    /// The outcome as a failing test shows it.
    pub fn report(&self) -> String {
        let end = if self.timed_out { "timed out".into() } else { format!("exit status {}", self.status) };
        format!("{end}\n--- stdout\n{}--- stderr\n{}", clip(&self.stdout), clip(&self.stderr))
    }
}

/// Lets `command` begin with all signals in their default actions and none blocked, even if this process was
/// started to ignore some (by `nohup`, or in the background of a script).
pub fn with_default_signals(command: &mut Command) -> &mut Command {
    // SAFETY: between fork and exec only system calls are made, on a set of the function's own.
    unsafe {
        command.pre_exec(|| {
            // SIGKILL, SIGSTOP and the signals that the C library keeps for itself are refused: they have no
            // other action.
            for signal in 1..libc::SIGRTMAX() {
                libc::signal(signal, libc::SIG_DFL);
            }
            let mut none = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
            Ok(())
        })
    }
}

/// Runs `command` to its end, unless its time is up (see above). Output goes through unnamed files, not
/// through pipes: a process that outlives its parent then cannot delay the reader, and no two commands share
/// a file.
pub fn run(command: &mut Command, stdin: Option<&str>, limit: Duration) -> io::Result<Outcome> {
    let (out, err) = (tempfile::tempfile()?, tempfile::tempfile()?);
    with_default_signals(command);
    command.process_group(0).stdout(out.try_clone()?).stderr(err.try_clone()?);
    command.stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = command.spawn()?;
    if let (Some(text), Some(mut pipe)) = (stdin, child.stdin.take()) {
        // A program that does not read its input is not at fault, so a broken pipe is not an error.
        let _ = pipe.write_all(text.as_bytes());
    }
    let (status, timed_out) = wait(&mut child, limit, &[&out, &err])?;
    Ok(Outcome { status: shell_status(status), timed_out, stdout: text_of(out)?, stderr: text_of(err)? })
}

/// All of a file that a process has written through a duplicate of this descriptor.
fn text_of(mut file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn wait(child: &mut Child, limit: Duration, output: &[&File]) -> io::Result<(ExitStatus, bool)> {
    let ended = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let mut watch = Watch::new(limit);
    let pause = Timespec::try_from(limit / LOOKS).map_err(|_| io::ErrorKind::InvalidInput)?;
    loop {
        // A signal to this process ends the wait early.
        let _ = poll(&mut [PollFd::new(&ended, PollFlags::IN)], Some(&pause));
        if let Some(status) = child.try_wait()? {
            return Ok((status, false));
        }
        let written = output.iter().map(|file| file.metadata().map_or(0, |data| data.len())).sum();
        if watch.is_over(group_time(child.id()), written) {
            end_group(child.id());
            return Ok((child.wait()?, true));
        }
    }
}

/// The number of checks of a command in the time of its bound.
const LOOKS: u32 = 8;
/// A process that gets less than one IDLE-th of a processor has not computed, but waited and looked again.
const IDLE: u32 = 200;
/// After this many times its bound a command's time is up in any case.
const MOST: u32 = 30;

/// The progress of a command: its computing time and output, and the time of the last progress.
struct Watch {
    limit: Duration,
    start: Instant,
    seen: Instant,
    computed: Duration,
    written: u64,
}

impl Watch {
    fn new(limit: Duration) -> Watch {
        let now = Instant::now();
        Watch { limit, start: now, seen: now, computed: Duration::ZERO, written: 0 }
    }

    fn is_over(&mut self, computed: Duration, written: u64) -> bool {
        let more = computed.saturating_sub(self.computed);
        if written > self.written || more * IDLE > self.seen.elapsed() {
            (self.seen, self.computed, self.written) = (Instant::now(), computed, written);
        }
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        self.seen.elapsed() > self.limit
            || computed > self.limit * processors
            || self.start.elapsed() > self.limit * MOST
    }
}

/// The time that the processes of a group have computed, with that of the children that they have waited for.
fn group_time(leader: u32) -> Duration {
    let ticks: u64 = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| ticks_in_group(&std::fs::read_to_string(entry.path().join("stat")).ok()?, leader))
        .sum();
    // SAFETY: sysconf has no memory effects.
    let a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as u64;
    Duration::from_millis(ticks * 1000 / a_second)
}

/// The clock ticks in a line of `/proc/PID/stat`, if the process is of this group.
fn ticks_in_group(stat: &str, leader: u32) -> Option<u64> {
    // The name, in parentheses, may contain blanks and parentheses; after it come state, parent, group.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let of_group = fields.get(2)?.parse() == Ok(leader);
    of_group.then(|| fields.iter().skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum())
}

/// Ends the process group that `leader` leads.
fn end_group(leader: u32) {
    // SAFETY: kill has no memory effects; the group is the one made by process_group(0) above, and its
    // leader has not been waited for, so that the number still names it.
    unsafe { libc::kill(-(leader as i32), libc::SIGKILL) };
}

fn shell_status(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// The first and last lines of a long output.
fn clip(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let shown = if lines.len() <= 40 {
        lines.join("\n")
    } else {
        format!(
            "{}\n[{} lines]\n{}",
            lines[..20].join("\n"),
            lines.len() - 40,
            lines[lines.len() - 20..].join("\n")
        )
    };
    if shown.is_empty() { shown } else { shown + "\n" }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Watch, run, ticks_in_group};
    use std::process::Command;

    fn times_out(script: &str, limit: Duration) -> bool {
        run(Command::new("sh").args(["-c", script]), None, limit).unwrap().timed_out
    }

    #[test]
    fn a_command_that_waits_or_computes_for_ever_is_ended() {
        assert!(times_out("sleep 100000", Duration::from_millis(300)));
        assert!(times_out("while :; do :; done", Duration::from_millis(300)));
        assert!(!times_out("exit 3", Duration::from_secs(60)));
    }

    #[test]
    fn a_command_that_goes_on_slowly_is_not() {
        assert!(!times_out("for i in 1 2 3 4 5 6 7; do sleep 1; echo $i; done", Duration::from_secs(6)));
    }

    #[test]
    fn what_has_the_processor_seldom_makes_progress() {
        // As if started that many seconds ago.
        let mut watch = Watch::new(Duration::from_secs(10));
        for second in 1..100 {
            let past = Duration::from_secs(1);
            (watch.start, watch.seen) = (watch.start - past, watch.seen - past);
            assert!(!watch.is_over(Duration::from_millis(second * 50), 0), "after {second} s");
        }
        watch.seen -= Duration::from_secs(11);
        assert!(watch.is_over(Duration::from_millis(99 * 50 + 1), 0), "it only looks again and again");
    }

    #[test]
    fn the_times_of_a_group_are_read() {
        let stat = "17 (a (b) c) S 5 9 9 0 -1 4194304 80 0 0 0 7 5 30 1 20 0 1 0";
        assert_eq!(ticks_in_group(stat, 9), Some(43));
        assert_eq!(ticks_in_group(stat, 5), None);
        assert_eq!(ticks_in_group("", 5), None);
    }
}
