//! Output of a command. The macros of the standard library panic if a write fails: on a full disk, on a pipe
//! whose reader has gone (`meridian doctor | head`), or on a closed descriptor. Here such an error is an exit
//! code at most.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output was closed, or not open for writing, when the command began.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// To be called first in a command, before the standard library replaces closed descriptors by `/dev/null`,
/// to which every write succeeds. If standard output is not writable, it becomes a file to which every write
/// fails, also for the commands that this one starts.
pub extern "C" fn before_main() {
    let flags = |fd| {
        // SAFETY: asks the kernel about a number.
        unsafe { libc::fcntl(fd, libc::F_GETFL) }
    };
    let writable = flags(1) >= 0 && flags(1) & libc::O_ACCMODE != libc::O_RDONLY;
    if writable {
        return;
    }
    // SAFETY: system calls with numbers and constant strings. The descriptors below 1 are in use, so that
    // none of the new ones becomes standard input.
    unsafe {
        if flags(0) < 0 {
            libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY);
        }
        let full = libc::open(c"/dev/full".as_ptr(), libc::O_WRONLY);
        if full > 1 {
            libc::dup2(full, 1);
            libc::close(full);
        }
        CLOSED.store(full >= 0, Ordering::Relaxed);
    }
}

/// Whether a write to standard output failed because it was closed when the command began.
pub fn is_closed(error: &std::io::Error) -> bool {
    CLOSED.load(Ordering::Relaxed) && error.raw_os_error() == Some(libc::ENOSPC)
}

/// Returns why standard output could not be written.
pub fn why_not(error: &std::io::Error) -> String {
    if is_closed(error) { "it is closed".into() } else { error.to_string() }
}

/// Writes to standard error, as it is. A failure is ignored, because it cannot be reported.
pub fn error(text: Arguments) {
    let _ = std::io::stderr().write_fmt(text);
}

/// Writes to standard output, as it is, at once. If that fails, the command ends with code 1, without a
/// message if the reader has gone.
pub fn out(text: Arguments) {
    let mut stdout = std::io::stdout();
    if let Err(why) = stdout.write_fmt(text).and_then(|()| stdout.flush()) {
        if why.kind() != ErrorKind::BrokenPipe {
            error(format_args!("meridian: cannot write to standard output: {}\n", why_not(&why)));
        }
        std::process::exit(1);
    }
}
