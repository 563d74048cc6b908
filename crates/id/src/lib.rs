//! Id90: from text to C for the threaded abstract machine of runtime/tam. A program goes through five phases,
//! each a folder that uses only those before it:
//!
//! - `syntax` makes a tree of the text;
//! - `check` finds names and types;
//! - `core` makes functions of unordered bindings of the tree;
//! - `passes` optimise these;
//! - `tam` makes dataflow graphs, threads and C.
//!
//! The driver of the phases is here: [`check`] takes a program to the end of `core`, [`generate`] goes on to
//! C. [`interp`] runs functions of bindings directly, one operation at a time in an order that a seed
//! chooses; the tests compare with it. [`session`] serves interactive sessions with the first two phases.

mod check;
mod core;
pub mod interp;
mod passes;
pub mod session;
mod stack;
mod syntax;
mod tam;

pub use core::language::Program;
pub use syntax::include;
pub use syntax::library::LIBRARY;
pub use tam::emit::external;
pub use tam::show::Dump;
pub use tam::threads::Mode;

use base::{Diagnostic, Source, has_errors};
use check::Checked;
use syntax::{main_value, spelling};

/// Parses, checks and lowers a program. Returns no program if there are errors. `user_from`: where the
/// library's text ends.
pub fn check(source: &Source, user_from: u32) -> (Option<Program>, Vec<Diagnostic>) {
    let (program, mut said) = lowered(source, user_from);
    spelling::restore(&mut said, source, user_from);
    (program, said)
}

fn lowered(source: &Source, user_from: u32) -> (Option<Program>, Vec<Diagnostic>) {
    let (mut program, said) = syntax::read(source, user_from);
    let nothing_computed = main_value::compute(&mut program);
    let Checked { program, names, typed, mut said } = check::check(program, said, user_from);
    let (Some(names), Some(typed)) = (names, typed) else { return (None, said) };
    if has_errors(&said) {
        // The part with errors may be the one that computes.
        return (None, said);
    }
    said.extend(nothing_computed);
    let (mut lowered, more) = core::lower::lower(&program, &names, &typed, source);
    said.extend(more);
    if has_errors(&said) {
        return (None, said);
    }
    passes::simplify::simplify(&mut lowered);
    passes::blame::move_positions(&mut lowered, user_from);
    (Some(lowered), said)
}

/// The options of [`generate`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct How {
    /// How threads are made.
    pub mode: Mode,
    /// The description to make in place of C.
    pub dump: Option<Dump>,
    /// The C counts the machine's instructions, for profiles.
    pub counting: bool,
}

/// Makes the C of a program, or a description of it. `launcher`: a line that names the launcher.
pub fn generate(program: &Program, source: &Source, how: How, launcher: &str) -> String {
    let How { mode, dump, counting } = how;
    if let Some(dump) = dump {
        return tam::show::describe(program, mode, dump);
    }
    let program = passes::optimise(program, mode == Mode::Tam);
    tam::c::print(&tam::emit::emit(&tam::plan::plan(&program, mode), source, counting, launcher))
}

#[cfg(test)]
mod tests;
