//! Processes under measurement: their output, their end, and the processor time of all that have ended.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::interrupt;

/// The output of a program, and how it ended.
#[derive(Debug)]
pub struct Said {
    /// Standard output.
    pub out: String,
    /// Whether the exit code is 0.
    pub success: bool,
    /// If it failed: how, and the last lines of standard error.
    pub error: String,
}

/// Runs a program to its end; an interrupt ends it early.
///
/// # Errors
/// When it cannot be started.
pub fn output(command: &mut Command) -> Result<Said> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
    let out = reader(child.stdout.take());
    let error = reader(child.stderr.take());
    let status = wait(&mut child)?;
    let (out, error) = (out.join().unwrap_or_default(), error.join().unwrap_or_default());
    let mut lines: Vec<&str> = error.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.drain(..lines.len().saturating_sub(6));
    let error = format!("it ended with {status}: {}", lines.join(" / "));
    Ok(Said { out, success: status.success(), error })
}

fn reader(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The limit for launchers of peers. `meridian run` ends a probe after 600 seconds by itself.
const LIMIT: Duration = Duration::from_secs(630);

/// The longest pause between two checks for an interrupt; the signal itself may end it sooner.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Waits for the child, asleep: polling it each tenth of a millisecond costs a sixth of the time of programs
/// that use all cores. After an interrupt, or the limit, the launcher ends the whole job.
fn wait(child: &mut Child) -> Result<std::process::ExitStatus> {
    let start = Instant::now();
    let ended = pidfd_open(Pid::from_child(child), PidfdFlags::empty()).context("cannot watch a probe")?;
    let mut told = false;
    loop {
        if let Some(status) = child.try_wait().context("cannot wait for a probe")? {
            return Ok(status);
        }
        if (interrupt::arrived() || start.elapsed() > LIMIT) && !told {
            // The child may have ended in between.
            let _ = pidfd_send_signal(&ended, Signal::TERM);
            told = true;
        }
        match poll(&mut [PollFd::new(&ended, PollFlags::IN)], Some(&PAUSE)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error).context("cannot wait for a probe"),
        }
    }
}

/// Returns the nanoseconds of processor time of all children that have ended.
pub fn processor_ns() -> f64 {
    // SAFETY: a structure of numbers, for which zeros are values.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: a plain system call that fills the structure, which lives as long.
    unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) };
    let ns = |time: libc::timeval| time.tv_sec as f64 * 1e9 + time.tv_usec as f64 * 1e3;
    ns(usage.ru_utime) + ns(usage.ru_stime)
}
