//! An interrupt while compiling (Ctrl-C in `make`): the C compiler that runs gets it too and ends, and we end
//! by the same signal, but not before the temporary directory has been taken away.
//!
//! A second one ends us at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// The signals that are noted, and whether each has come. Relaxed: nothing else is passed along with it.
static NOTED: OnceLock<Vec<(i32, Arc<AtomicBool>)>> = OnceLock::new();

/// From now on, notes the signals by which a user or a build system ends a compilation. One that is ignored
/// (`nohup`) stays so.
pub fn watch() {
    NOTED.get_or_init(|| [SIGINT, SIGTERM, SIGHUP].into_iter().filter_map(note).collect());
}

fn note(signal: i32) -> Option<(i32, Arc<AtomicBool>)> {
    let come = Arc::new(AtomicBool::new(false));
    // In the order in which they run: the flag is set by the first signal, and seen by the second.
    if base::signals::is_default(signal) {
        flag::register_conditional_default(signal, Arc::clone(&come)).ok()?;
        flag::register(signal, Arc::clone(&come)).ok()?;
        return Some((signal, come));
    }
    None
}

fn first() -> Option<i32> {
    let mut noted = NOTED.get().into_iter().flatten();
    noted.find(|(_, come)| come.load(Ordering::Relaxed)).map(|&(signal, _)| signal)
}

/// Whether a signal has come.
pub fn come() -> bool {
    first().is_some()
}

/// Ends the process by the signal that has come, if one has.
pub fn end() {
    if let Some(signal) = first() {
        let _ = low_level::emulate_default_handler(signal); // fails for unknown signals only
    }
}
