//! `meridian id`: an interactive session of Id90.
//!
//! Definitions are kept from input to input; a later definition of a name replaces the earlier one. An
//! expression is computed by a program of the kept definitions and the expression, compiled and run as other
//! programs are (`session.rs`). On a terminal, lines are edited and kept in a history (`terminal.rs`); any
//! other standard input is a script.

mod kept;
mod parts;
mod session;
mod terminal;

use session::{Answer, Session};
use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

/// The options of the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The number of processors that compute, at least 1.
    pub processors: usize,
    /// Files whose definitions the session begins with, and parts in other languages.
    pub files: Vec<PathBuf>,
}

/// Runs a session to its end. Returns the exit code: 0, or 1 if a file could not be loaded or an input of a
/// script had an error.
pub fn run(options: &Options) -> i32 {
    let mut session = match Session::new(options.processors) {
        Ok(session) => session,
        Err(e) => {
            base::say::error(format_args!("meridian id: error: {e}\n"));
            return 1;
        }
    };
    if session.load(&options.files) != Answer::Done {
        return 1;
    }
    if std::io::stdin().is_terminal() { terminal::run(&mut session) } else { script(&mut session) }
}

/// Takes inputs from standard input, until it ends. An input without a `;` at its end is taken when a line
/// begins the next input.
fn script(session: &mut Session) -> i32 {
    let mut wrong = false;
    let mut input = String::new();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else {
            base::say::error(format_args!("meridian id: error: standard input is not text in UTF-8\n"));
            return 1;
        };
        if id::session::is_complete(&input) && id::session::begins(&line) {
            wrong |= matches!(session.take(&std::mem::take(&mut input)), Answer::Wrong | Answer::Interrupted);
        }
        input.push_str(&line);
        input.push('\n');
        if Session::is_command(&input) || id::session::ends(&input) {
            match session.take(&std::mem::take(&mut input)) {
                Answer::Done => {}
                Answer::Wrong | Answer::Interrupted => wrong = true,
                Answer::Quit => return i32::from(wrong),
            }
        }
    }
    wrong |= matches!(session.take(&input), Answer::Wrong | Answer::Interrupted);
    i32::from(wrong)
}
