//! Queries about the command itself, which then compiles nothing: `--help`, `--version`, and those that only
//! the C compiler can answer, such as `-dumpmachine`.

use crate::Failure;
use crate::options::{Input, Options, help};
use crate::toolchain::Toolchain;

/// Answers `--version` and similar queries, or passes the query on. Returns none if there are files to
/// compile.
pub fn answer(options: &Options, tools: &Toolchain) -> Result<Option<i32>, Failure> {
    let Some(first) = options.questions.first() else {
        let files = options.inputs.iter().any(|i| matches!(i, Input::File { .. }));
        return if files { Ok(None) } else { tools.ask(&["-v".into()]).map(Some) };
    };
    if first == "--help" {
        base::say::out(format_args!("{}", help::help()));
        return Ok(Some(0));
    }
    if first == "--version" {
        base::say::out(format_args!("meridian cc {} (UPC 1.3), with:\n", env!("CARGO_PKG_VERSION")));
    }
    tools.ask(&options.questions).map(Some)
}
