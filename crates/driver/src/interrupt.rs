//! An interrupt while compiling (Ctrl-C in `make`): the C compiler that runs gets it too and ends, and we end
//! by the same signal, but not before the temporary directory has been taken away.
//!
//! A second one ends us at once.

use std::sync::atomic::{AtomicI32, Ordering};

/// The signal that has come; 0: none. Relaxed: nothing else is passed along with it.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

extern "C" fn note(signal: libc::c_int) {
    SIGNAL.store(signal, Ordering::Relaxed);
}

/// From now on, notes the signals by which a user or a build system ends a compilation. One that is ignored
/// (`nohup`) stays so.
pub fn watch() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the structures are plain data that may be zero, and the handler only stores to an atomic.
        unsafe {
            let mut old: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &mut old);
            if old.sa_sigaction != libc::SIG_DFL {
                continue;
            }
            let mut new: libc::sigaction = std::mem::zeroed();
            new.sa_sigaction = note as *const () as libc::sighandler_t;
            new.sa_flags = libc::SA_RESETHAND;
            libc::sigaction(signal, &new, std::ptr::null_mut());
        }
    }
}

/// Whether a signal has come.
pub fn come() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0
}

/// Ends the process by the signal that has come, if one has.
pub fn end() {
    let signal = SIGNAL.load(Ordering::Relaxed);
    if signal != 0 {
        // SAFETY: raise has no preconditions; the handler is gone since the signal came.
        unsafe { libc::raise(signal) };
    }
}
