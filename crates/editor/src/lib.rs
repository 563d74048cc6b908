//! `meridian clangd`: a language server for the dialects, which is clangd and `meridian cc` together.
//!
//! The server stands between an editor and clangd. Sources in C pass unchanged. For a source in a dialect
//! clangd gets C of the same shape ([`rewrite`]), so that its answers about names, types and places hold for
//! the source. Answers that do not hold are left out ([`answers`]). Diagnostics come from `meridian cc`,
//! which checks the editor's text ([`check`]).
//!
//! [`server`] has the order of events, [`documents`] the files that clangd has been given, [`command`] the
//! options of a source, [`words`] the descriptions of the words of the dialects, and [`settings`] the
//! settings of an editor.

mod answers;
mod check;
mod command;
mod documents;
mod position;
pub mod rewrite;
mod server;
mod settings;
mod words;

use base::programs;
use std::ffi::OsString;
use std::path::PathBuf;

pub use settings::write as write_settings;

/// The options of the server.
pub struct Options {
    /// The clangd to use; if none, `clangd` in PATH, or the newest `clangd-N`.
    pub clangd: Option<PathBuf>,
    /// Further options of clangd's.
    pub arguments: Vec<OsString>,
}

/// The oldest clangd with the required features.
const OLDEST: u32 = 13;

/// Serves the editor on standard input and output until it ends. Returns the exit code.
pub fn run(options: &Options) -> i32 {
    let clangd = options.clangd.clone().or_else(find);
    let Some(clangd) = clangd else {
        base::say::error(format_args!(
            "meridian clangd: there is no clangd in PATH: install it (apt-get install clangd), or name it \
             with --clangd PATH\n"
        ));
        return 1;
    };
    match server::serve(&clangd, &options.arguments) {
        Ok(code) => code,
        Err(why) => {
            base::say::error(format_args!("meridian clangd: {why}\n"));
            1
        }
    }
}

/// Finds clangd in PATH: under its own name, or the newest of those with a version in their names.
fn find() -> Option<PathBuf> {
    let versions = (OLDEST..100).rev().map(|version| format!("clangd-{version}"));
    std::iter::once("clangd".to_owned()).chain(versions).find_map(|name| programs::find(&name))
}
