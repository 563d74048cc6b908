//! What a signal does to this process.

/// Whether a signal does what it does by default. One that the caller ignores (`nohup`, a script's `&`) is to
/// stay so: no handler is put in its place.
///
/// By libc: signal-hook does not say what a signal did before.
pub fn is_default(signal: i32) -> bool {
    // SAFETY: the structure is plain data that may be zero, and the call only writes to it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_DFL
    }
}
