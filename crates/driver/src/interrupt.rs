//! An interrupt during compilation (Ctrl-C in `make`): the C compiler that runs receives it too and ends.
//! This process ends by the same signal, after it has removed the temporary directory.
//!
//! A second interrupt ends this process at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// The signals that are noted, and whether each has come. Relaxed: no other data is published with the flag.
static NOTED: OnceLock<Vec<(i32, Arc<AtomicBool>)>> = OnceLock::new();

/// Notes, from now on, the signals by which a user or a build system ends a compilation. An ignored signal
/// (`nohup`) stays ignored.
pub fn watch() {
    NOTED.get_or_init(|| [SIGINT, SIGTERM, SIGHUP].into_iter().filter_map(note).collect());
}

fn note(signal: i32) -> Option<(i32, Arc<AtomicBool>)> {
    let come = Arc::new(AtomicBool::new(false));
    // In the order in which they run: at the first signal the second handler sets the flag, at the next one
    // the first handler sees it.
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
