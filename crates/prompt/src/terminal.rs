//! A session on a terminal: lines that can be edited, over several lines until they are complete, and a
//! history in `$XDG_STATE_HOME/meridian/id_history`.

use crate::session::{Answer, COMMANDS, Session};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Completer, Config, Editor, Helper, Highlighter, Hinter};
use std::path::PathBuf;

/// The most inputs that the history keeps.
const KEPT: usize = 2000;

#[derive(Completer, Helper, Highlighter, Hinter)]
struct Lines;

impl Validator for Lines {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        let input = context.input();
        let whole = Session::is_command(input) || id::session::is_complete(input);
        Ok(if whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

/// Returns the file of the history, or `None` if the user has no home.
fn history_file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").filter(|s| !s.is_empty()).map(PathBuf::from);
    let state = state.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    Some(state.join("meridian/id_history"))
}

/// Runs the session, and returns the exit code.
pub fn run(session: &mut Session) -> i32 {
    let config = Config::builder().auto_add_history(true).max_history_size(KEPT);
    let editor = config.and_then(|c| Editor::<Lines, FileHistory>::with_config(c.build()));
    let mut editor = match editor {
        Ok(editor) => editor,
        Err(e) => {
            base::say::error(format_args!("meridian id: error: cannot use the terminal: {e}\n"));
            return 1;
        }
    };
    editor.set_helper(Some(Lines));
    let history = history_file();
    if let Some(file) = &history {
        // There is no history before the first session.
        let _ = editor.load_history(file);
    }
    base::say::out(format_args!("Id90. {COMMANDS}\n"));
    loop {
        match editor.readline("id> ") {
            Ok(input) => {
                if session.take(&input) == Answer::Quit {
                    break;
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(e) => {
                base::say::error(format_args!("meridian id: error: {e}\n"));
                return 1;
            }
        }
    }
    if let Some(file) = &history {
        let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let Err(e) = made.map_err(ReadlineError::from).and_then(|()| editor.save_history(file)) {
            base::say::error(format_args!(
                "meridian id: the history is not kept in {}: {e}\n",
                file.display()
            ));
        }
    }
    0
}
