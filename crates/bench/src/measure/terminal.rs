//! The line of the terminal that shows the progress.

use std::io::{IsTerminal, Write};

/// Writes over the last line of standard error, if that is a terminal.
pub fn progress(text: &str) {
    let mut err = std::io::stderr();
    if err.is_terminal() {
        let _ = write!(err, "\r\x1b[K{text}");
        let _ = err.flush();
    }
}
