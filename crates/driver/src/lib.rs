//! The `cc` pipeline: a command line like gcc's, preprocessing by the C compiler, the front end, compilation
//! of the C it gives by the C compiler again, and linking with the runtime.
//!
//! The parts:
//!
//! - [`options`] reads the command line, and [`response`] the files of arguments that it names.
//! - [`toolchain`] knows the C compiler and the paths of Meridian's headers and library, [`predefined`] the
//!   macros of the UPC environments.
//! - [`contract`] refuses files and headers of other versions of Meridian.
//! - [`questions`] answers queries about the command itself.
//! - [`open_strings`] closes strings of old programs.
//! - [`unit`] compiles one file, [`id_program`] all Id files together.
//! - [`diagnose`] prints their diagnostics, and [`sarif`] writes them for other programs.
//! - [`link`] links, and [`interrupt`] removes temporary files after an interrupt.
//!
//! This file orders the work.
//!
//! It contains neither the meaning of any construct (the front end) nor the way a program runs (the
//! launcher).

mod contract;
mod diagnose;
mod id_program;
mod interrupt;
mod link;
mod open_strings;
pub mod options;
mod predefined;
mod questions;
mod response;
mod sanitize;
mod sarif;
mod toolchain;
mod unit;

use link::Made;
pub use options::{Called, Language};
use options::{Input, Options, Stage};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toolchain::Toolchain;

/// The message of a failure for the user; empty if all messages have been printed.
#[derive(Debug)]
pub struct Failure(pub String);

impl Failure {
    /// Returns a failure whose messages have been printed.
    fn said() -> Failure {
        Failure(String::new())
    }
}

impl<S: Into<String>> From<S> for Failure {
    fn from(text: S) -> Failure {
        Failure(text.into())
    }
}

/// Compiles and links by these arguments (without the program's name). Returns the exit code.
pub fn main(args: Vec<OsString>, called: Called) -> i32 {
    interrupt::watch();
    let result = run(args, called);
    interrupt::end();
    match result {
        Ok(code) => code,
        Err(Failure(text)) => {
            if !text.is_empty() {
                base::say::error(format_args!("meridian cc: error: {text}\n"));
            }
            1
        }
    }
}

/// Returns the options with which another C compiler reads the source of a `meridian cc` command line as C,
/// apart from the keywords of its dialect: the macros, the directories of headers, and the C standard.
///
/// # Errors
/// If `meridian cc` does not accept the command line, or its headers are not found.
pub fn preprocessing(args: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let options = Options::parse(args, Called::Meridian)?;
    let language = options.inputs.iter().find_map(|input| match input {
        Input::File { language, .. } => Some(*language),
        Input::Link(_) => None,
    });
    Ok(Toolchain::find(&options)?.words_for_c(&options, language.unwrap_or(Language::C)))
}

fn run(args: Vec<OsString>, called: Called) -> Result<i32, Failure> {
    let options = Options::parse(args, called)?;
    let tools = Toolchain::find(&options)?;
    if let Some(code) = questions::answer(&options, &tools)? {
        return Ok(code);
    }
    if options.verbose {
        for (word, why) in &options.idle {
            base::say::error(format_args!("meridian cc: {word} has no effect: {why}\n"));
        }
    }
    let work = base::scratch::directory("meridian-").map_err(|e| {
        format!("cannot make a temporary directory in {}: {e}", std::env::temp_dir().display())
    })?;
    let pipeline = Pipeline { options: &options, tools: &tools, work: work.path() };
    let (mut words, mut made) = (Vec::new(), Vec::new());
    let mut failed = false;
    for (n, input) in options.inputs.iter().enumerate() {
        if interrupt::come() {
            return Err(Failure::said());
        }
        match input {
            Input::Link(word) => words.push(word.clone()),
            Input::File { language: Language::Id, .. } if !id_program::is_first(&options, n) => {}
            Input::File { path, language } => match pipeline.one(n, path, *language) {
                Ok(product) => {
                    let object = product.clone().filter(|object| object != path);
                    made.extend(object.map(|object| Made { object, source: path.clone() }));
                    words.extend(product.map(OsString::from));
                }
                Err(Failure(text)) => {
                    if !text.is_empty() {
                        base::say::error(format_args!("meridian cc: error: {text}\n"));
                    }
                    failed = true;
                }
            },
        }
    }
    diagnose::finish(&options)?;
    if failed {
        return Ok(1);
    }
    if options.stage == Stage::Link && !options.only_depend && options.id.dump.is_none() {
        let code = link::link(&tools, &options, &words, &made);
        if options.counts() {
            made.iter().for_each(|made| drop(std::fs::remove_file(&made.object)));
        }
        return code;
    }
    Ok(0)
}

/// Sources of other languages. A source takes macros and directories, which the linker's command does not
/// have.
const OTHER_SOURCES: [&str; 19] = [
    "S", "sx", "s", "i", "ii", "C", "cc", "cp", "cpp", "cxx", "c++", "f", "for", "f90", "f95", "f03", "f08",
    "F", "F90",
];

/// The state that compiles the files of a command line, one after the other.
#[derive(Clone, Copy)]
struct Pipeline<'a> {
    options: &'a Options,
    tools: &'a Toolchain,
    /// The directory for intermediate files.
    work: &'a Path,
}

impl Pipeline<'_> {
    /// Compiles the input file of this number. Returns its result for the linker.
    fn one(self, n: usize, path: &Path, language: Language) -> Result<Option<PathBuf>, Failure> {
        let Pipeline { options, tools, work } = self;
        match language {
            Language::Upc | Language::PreprocessedUpc | Language::SplitC | Language::Ac | Language::C => {
                unit::compile(self, n, path, language)
            }
            Language::Id => id_program::compile(self, n),
            Language::Other => {
                if options.stage != Stage::Link {
                    return tools.pass_through(options, path, options.output.as_deref()).map(|()| None);
                }
                if !path.extension().is_some_and(|e| OTHER_SOURCES.iter().any(|s| e == *s)) {
                    return Ok(Some(path.to_owned()));
                }
                let object = work.join(format!("{n}.o"));
                tools.pass_through(options, path, Some(&object)).map(|()| Some(object))
            }
        }
    }
}
