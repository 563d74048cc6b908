//! Running a command with a bound on its time. The command gets a process group of its own, so that when its
//! time is up everything it started ends with it and nothing else does.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// What a command did.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status; 128 + the signal when a signal ended it, as a shell says it.
    pub status: i32,
    /// True if the command was ended because its time was up.
    pub timed_out: bool,
    /// All of standard output, with bytes that are not UTF-8 replaced.
    pub stdout: String,
    /// All of standard error, likewise.
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

/// Lets `command` begin with all signals in their default actions and none blocked, whatever this process was
/// started to ignore (by `nohup`, or in the background of a script).
pub fn with_default_signals(command: &mut Command) -> &mut Command {
    // SAFETY: between fork and exec only system calls are made, on a set of the function's own.
    unsafe {
        command.pre_exec(|| {
            // SIGKILL and SIGSTOP refuse, and those that the C library keeps for itself: they have no other
            // action.
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

/// Runs `command` to its end, for at most `limit`. Output goes through files without a name, not through
/// pipes: a process that outlives its parent cannot then hold the reader up, and no two commands share a
/// file.
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
    let (status, timed_out) = wait(&mut child, limit)?;
    Ok(Outcome { status: shell_status(status), timed_out, stdout: text_of(out)?, stderr: text_of(err)? })
}

/// All of a file that a process has written by a copy of this descriptor.
fn text_of(mut file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<(ExitStatus, bool)> {
    let ended = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let start = Instant::now();
    loop {
        let left = limit.saturating_sub(start.elapsed());
        let until = Timespec::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
        // A signal that comes to this process ends the wait early.
        let _ = poll(&mut [PollFd::new(&ended, PollFlags::IN)], Some(&until));
        if let Some(status) = child.try_wait()? {
            return Ok((status, false));
        }
        if start.elapsed() > limit {
            end_group(child.id());
            return Ok((child.wait()?, true));
        }
    }
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
