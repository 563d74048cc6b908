//! Dispositions of signals of this process.

/// Whether a signal has its default disposition. A signal that the caller ignores (`nohup`, a script's `&`)
/// must stay ignored: no handler is installed for it.
///
/// Uses libc: signal-hook does not tell the previous disposition.
pub fn is_default(signal: i32) -> bool {
    // SAFETY: the structure is plain data that may be zero, and the call only writes to it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_DFL
    }
}
