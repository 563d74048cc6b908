//! Signals: their names, and those that the launcher takes from a file descriptor instead of handlers.

use std::io;
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Returns a signal's name and meaning, such as `SIGSEGV (segmentation fault)`.
pub fn describe(number: i32) -> String {
    let (name, meaning) = match number {
        libc::SIGHUP => ("SIGHUP", "hangup"),
        libc::SIGINT => ("SIGINT", "interrupt"),
        libc::SIGQUIT => ("SIGQUIT", "quit"),
        libc::SIGILL => ("SIGILL", "illegal instruction"),
        libc::SIGTRAP => ("SIGTRAP", "trace trap"),
        libc::SIGABRT => ("SIGABRT", "aborted"),
        libc::SIGBUS => {
            ("SIGBUS", "bus error; check that the machine or the container has not run out of memory")
        }
        libc::SIGFPE => ("SIGFPE", "arithmetic error"),
        libc::SIGKILL => (
            "SIGKILL",
            "killed; if no user has sent the signal, the kernel has sent it because memory ran out",
        ),
        libc::SIGUSR1 => ("SIGUSR1", "user-defined signal 1"),
        libc::SIGUSR2 => ("SIGUSR2", "user-defined signal 2"),
        libc::SIGSEGV => ("SIGSEGV", "segmentation fault"),
        libc::SIGPIPE => ("SIGPIPE", "broken pipe"),
        libc::SIGALRM => ("SIGALRM", "alarm clock"),
        libc::SIGTERM => ("SIGTERM", "terminated"),
        libc::SIGXCPU => ("SIGXCPU", "CPU time limit"),
        libc::SIGXFSZ => ("SIGXFSZ", "file size limit"),
        libc::SIGSYS => ("SIGSYS", "bad system call"),
        _ => return format!("signal {number}"),
    };
    format!("{name} ({meaning})")
}

/// A signal that has arrived.
pub struct Arrival {
    pub number: i32,
    /// Sent by the kernel, as a terminal's Ctrl-C is: the whole foreground group has received it.
    pub from_kernel: bool,
}

/// The file descriptor from which SIGCHLD and the user's signals are read.
///
/// Uses libc, because rustix has no signalfd. Handlers, as in signal-hook, would run in a child too, between
/// fork and exec, and report signals to the launcher that it was not sent.
pub struct Signals {
    fd: OwnedFd,
}

impl Signals {
    /// Blocks the signals in this thread, and in those it starts later, and reads them from a descriptor from
    /// now on. Signals that the launcher was started to ignore (`nohup`, a shell's background) stay ignored.
    /// `more`: signals to take in addition to SIGCHLD and to the signals by which a user ends a job or
    /// requests a checkpoint.
    ///
    /// # Errors
    /// If the kernel refuses a descriptor.
    pub fn take(more: &[i32]) -> io::Result<Signals> {
        // SAFETY: plain system calls on a set that lives on this stack.
        unsafe {
            // A parent that ignores SIGCHLD has passed that on; the deaths of threads must be seen.
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
            let mut set: libc::sigset_t = mem::zeroed();
            libc::sigemptyset(&mut set);
            libc::sigaddset(&mut set, libc::SIGCHLD);
            let usual = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGUSR1, libc::SIGUSR2];
            for &signal in usual.iter().chain(more) {
                let mut action: libc::sigaction = mem::zeroed();
                libc::sigaction(signal, std::ptr::null(), &mut action);
                if action.sa_sigaction != libc::SIG_IGN {
                    libc::sigaddset(&mut set, signal);
                }
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
            let fd = libc::signalfd(-1, &set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(Signals { fd: OwnedFd::from_raw_fd(fd) })
        }
    }

    /// Returns the signals that have arrived; SIGCHLD may stand for several deaths.
    pub fn arrived(&self) -> Vec<Arrival> {
        let mut arrivals = Vec::new();
        loop {
            // SAFETY: all-zero is a valid signalfd_siginfo, and the kernel writes at most its size.
            let mut info: libc::signalfd_siginfo = unsafe { mem::zeroed() };
            let size = mem::size_of_val(&info);
            let got = unsafe { libc::read(self.fd.as_raw_fd(), (&raw mut info).cast(), size) };
            if got != size as isize {
                return arrivals;
            }
            let from_kernel = info.ssi_code == SI_KERNEL;
            arrivals.push(Arrival { number: info.ssi_signo as i32, from_kernel });
        }
    }
}

impl AsRawFd for Signals {
    fn as_raw_fd(&self) -> i32 {
        self.fd.as_raw_fd()
    }
}

/// `si_code` of signals that the kernel itself sends.
const SI_KERNEL: i32 = 0x80;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names() {
        assert_eq!(describe(libc::SIGFPE), "SIGFPE (arithmetic error)");
        assert_eq!(describe(63), "signal 63");
    }

    #[test]
    fn the_names_are_those_of_the_system() {
        for (number, name) in [
            (libc::SIGHUP, "SIGHUP"),
            (libc::SIGINT, "SIGINT"),
            (libc::SIGQUIT, "SIGQUIT"),
            (libc::SIGILL, "SIGILL"),
            (libc::SIGTRAP, "SIGTRAP"),
            (libc::SIGABRT, "SIGABRT"),
            (libc::SIGBUS, "SIGBUS"),
            (libc::SIGKILL, "SIGKILL"),
            (libc::SIGUSR1, "SIGUSR1"),
            (libc::SIGUSR2, "SIGUSR2"),
            (libc::SIGSEGV, "SIGSEGV"),
            (libc::SIGPIPE, "SIGPIPE"),
            (libc::SIGALRM, "SIGALRM"),
            (libc::SIGTERM, "SIGTERM"),
            (libc::SIGXCPU, "SIGXCPU"),
            (libc::SIGXFSZ, "SIGXFSZ"),
            (libc::SIGSYS, "SIGSYS"),
        ] {
            assert!(describe(number).starts_with(&format!("{name} (")), "{number}");
        }
    }
}
