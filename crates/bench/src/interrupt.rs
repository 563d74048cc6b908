//! Ctrl-C: the first one ends the measurement after the sample that it meets, and what is done is kept.

use std::sync::atomic::{AtomicBool, Ordering};

static ARRIVED: AtomicBool = AtomicBool::new(false);

extern "C" fn on_signal(_: i32) {
    ARRIVED.store(true, Ordering::Relaxed);
}

/// From now on SIGINT and SIGTERM end the measurement rather than the process, unless the caller ignores
/// them.
pub fn catch() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler only stores to an atomic, which is allowed in signal handlers.
        unsafe {
            if libc::signal(signal, on_signal as *const () as libc::sighandler_t) == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
}

/// Whether such a signal has come.
pub fn arrived() -> bool {
    ARRIVED.load(Ordering::Relaxed)
}
