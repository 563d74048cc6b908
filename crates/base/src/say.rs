//! What a command says. The macros of the standard library panic where nobody listens: a full disk, a pipe
//! whose reader has gone (`meridian doctor | head`), a closed descriptor. Here that is an exit code at most.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Writes to standard error, as it is. Where that fails there is nobody left to be told.
pub fn error(text: Arguments) {
    let _ = std::io::stderr().write_fmt(text);
}

/// Writes to standard output, as it is, at once. Where that fails the command ends with code 1, without a
/// word if the reader has gone.
pub fn out(text: Arguments) {
    let mut stdout = std::io::stdout();
    if let Err(why) = stdout.write_fmt(text).and_then(|()| stdout.flush()) {
        if why.kind() != ErrorKind::BrokenPipe {
            error(format_args!("meridian: cannot write to standard output: {why}\n"));
        }
        std::process::exit(1);
    }
}
