//! A command at a terminal, as a user has it: keys go to the command's foreground group, such as Ctrl-C.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::process::with_default_signals;

/// The key that interrupts the foreground group.
pub const CTRL_C: &str = "\x03";

/// A command whose controlling terminal is a new one. The command is killed when the value is dropped.
pub struct Terminal {
    child: Child,
    keys: File,
    said: String,
    limit: Duration,
}

/// Opens a terminal: (the end of the user, the end of the programs).
///
/// # Errors
/// If the system has no terminal.
pub fn open() -> io::Result<(File, File)> {
    let (mut user, mut programs) = (0, 0);
    let null = std::ptr::null_mut();
    // SAFETY: the results live on this stack; the new descriptors have no other owner.
    unsafe {
        if libc::openpty(&mut user, &mut programs, null, null.cast(), null.cast()) != 0 {
            return Err(io::Error::last_os_error());
        }
        for fd in [user, programs] {
            libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC);
        }
        Ok((File::from_raw_fd(user), File::from_raw_fd(programs)))
    }
}

impl Terminal {
    /// Starts a command in a session of its own. `limit`: the longest silence for which `expect` waits.
    ///
    /// # Errors
    /// If the system has no terminal, or the command does not start.
    pub fn start(command: &mut Command, limit: Duration) -> io::Result<Terminal> {
        let (keys, screen) = open()?;
        let terminal = screen.as_raw_fd();
        with_default_signals(command);
        command.env("TERM", "dumb").stdin(screen.try_clone()?).stdout(screen.try_clone()?);
        command.stderr(screen.try_clone()?);
        // SAFETY: between fork and exec only system calls are made.
        unsafe {
            command.pre_exec(move || {
                libc::setsid();
                if libc::ioctl(terminal, libc::TIOCSCTTY, 0) != 0 {
                    return Err(io::Error::last_os_error());
                }
                Ok(())
            });
        }
        Ok(Terminal { child: command.spawn()?, keys, said: String::new(), limit })
    }

    /// Reads until the terminal shows `text` after the texts expected before.
    ///
    /// # Errors
    /// If the command ends or is silent for too long. The message has the unexpected output.
    pub fn expect(&mut self, text: &str) -> Result<(), String> {
        let pause = Timespec::try_from(self.limit).map_err(|error| error.to_string())?;
        loop {
            if let Some(at) = self.said.find(text) {
                self.said.drain(..at + text.len());
                return Ok(());
            }
            let mut bytes = [0; 4096];
            let ready = poll(&mut [PollFd::new(&self.keys, PollFlags::IN)], Some(&pause));
            let count = if ready == Ok(0) { 0 } else { self.keys.read(&mut bytes).unwrap_or(0) };
            if count == 0 {
                return Err(format!("the terminal does not show `{text}`, but `{}`", self.said));
            }
            self.said.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    }

    /// Types keys.
    ///
    /// # Errors
    /// If the terminal is closed.
    pub fn keys(&mut self, keys: &str) -> Result<(), String> {
        self.keys.write_all(keys.as_bytes()).map_err(|error| error.to_string())
    }

    /// Returns the process number of the command.
    pub fn pid(&self) -> i32 {
        self.child.id() as i32
    }

    /// Waits for the end of the command. Returns its exit code; none if a signal has ended it.
    ///
    /// # Errors
    /// If the command writes no more, but does not end.
    pub fn end(mut self) -> Result<Option<i32>, String> {
        // The end of the terminal comes with the last process that has it.
        let shown = self.expect("\0").unwrap_err();
        match self.child.try_wait() {
            Ok(None) if !self.closed() => Err(format!("the command does not end: {shown}")),
            _ => self.child.wait().map(|status| status.code()).map_err(|error| error.to_string()),
        }
    }

    /// Returns true if no process has the terminal.
    fn closed(&mut self) -> bool {
        let mut polled = [PollFd::new(&self.keys, PollFlags::IN)];
        poll(&mut polled, Some(&Timespec::default())).is_ok() && polled[0].revents().contains(PollFlags::HUP)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
