//! Ctrl-C: the first one ends the measurement after the sample that it meets, and what is done is kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Relaxed: nothing else is passed along with it.
static ARRIVED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on SIGINT and SIGTERM end the measurement rather than the process, unless the caller ignores
/// them.
///
/// # Errors
/// The system refuses a handler.
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
