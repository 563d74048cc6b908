//! Ctrl-C: the first one ends the measurement after the current sample, and the results so far are kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Relaxed: no other data is published with this flag.
static ARRIVED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Makes SIGINT and SIGTERM end the measurement rather than the process, unless the caller ignores them.
///
/// # Errors
/// If the system refuses a handler.
pub fn catch() -> std::io::Result<()> {
    let arrived = ARRIVED.get_or_init(Arc::default);
    for signal in [SIGINT, SIGTERM].into_iter().filter(|&signal| base::signals::is_default(signal)) {
        flag::register(signal, Arc::clone(arrived))?;
    }
    Ok(())
}

/// Whether such a signal has come.
pub fn arrived() -> bool {
    ARRIVED.get().is_some_and(|arrived| arrived.load(Ordering::Relaxed))
}
