//! Id90: from text to C for the threaded abstract machine of runtime/tam.
//!
//! The way of a program: [`lexer`] → [`parser`] → [`resolve`] (names) → [`infer`] (types) → [`lower`] to
//! functions of unordered bindings ([`core`]) → [`optimise`] → [`graph`] (dataflow) → [`threads`] → [`emit`]
//! (C).
//! [`interp`] runs the functions of [`core`] directly, one operation at a time in an order of its own
//! choosing: what the tests compare with.

pub mod ast;
pub mod binds;
pub mod blame;
mod blocks;
mod builtin;
mod calls;
pub mod cells;
pub mod common;
pub mod constants;
pub mod core;
mod counts;
pub mod coverage;
pub mod emit;
pub mod external;
pub mod fuse;
pub mod graph;
pub mod include;
pub mod infer;
pub mod inline;
pub mod interp;
pub mod lexer;
mod library;
mod lost;
pub mod lower;
mod main_value;
pub mod optimise;
pub mod order;
mod own;
pub mod parser;
mod places;
pub mod resolve;
pub mod session;
pub mod show;
pub mod simplify;
pub mod specialise;
pub mod spelling;
pub mod split;
mod stack;
pub mod strict;
pub mod tails;
pub mod threads;
pub mod types;
pub mod unbox;
pub mod unroll;
pub mod walk;

pub use library::LIBRARY;
pub use show::Dump;
pub use threads::Mode;

use base::{Diagnostic, Source, has_errors};

/// A program's tree, and what is known of it as far as there are no errors.
struct Checked {
    program: ast::Program,
    names: Option<resolve::Names>,
    typed: Option<infer::Typed>,
    said: Vec<Diagnostic>,
}

fn parsed(source: &Source, user_from: u32) -> (ast::Program, Vec<Diagnostic>) {
    let (tokens, mut said) = lexer::lex(source);
    let (program, more) = parser::parse(&tokens, user_from);
    // Where characters are missing from the tokens, what the parser says may come of that.
    if !has_errors(&said) {
        said.extend(more);
    }
    (program, said)
}

/// Finds the names and types of a program, of which `said` has been said already.
fn checked((program, mut said): (ast::Program, Vec<Diagnostic>), user_from: u32) -> Checked {
    // What could not be read may hold definitions of names that are used elsewhere.
    if has_errors(&said) {
        return Checked { program, names: None, typed: None, said };
    }
    let names = resolve::resolve(&program, user_from);
    said.extend(names.said.iter().cloned());
    said.extend(lost::check(&program, &names));
    said.extend(own::check(&program, &names));
    if has_errors(&said) {
        return Checked { program, names: Some(names), typed: None, said };
    }
    let typed = infer::infer(&program, &names);
    said.extend(typed.said.iter().cloned());
    if !has_errors(&said) {
        said.extend(coverage::check(&program, &names));
    }
    Checked { program, names: Some(names), typed: Some(typed), said }
}

/// Parses, checks and lowers a program. `user_from`: where the library's text ends. None where there are
/// errors.
pub fn check(source: &Source, user_from: u32) -> (Option<core::Program>, Vec<Diagnostic>) {
    let (program, mut said) = lowered(source, user_from);
    spelling::restore(&mut said, source, user_from);
    (program, said)
}

fn lowered(source: &Source, user_from: u32) -> (Option<core::Program>, Vec<Diagnostic>) {
    let (mut program, said) = parsed(source, user_from);
    let nothing_computed = main_value::compute(&mut program);
    let Checked { program, names, typed, mut said } = checked((program, said), user_from);
    let (Some(names), Some(typed)) = (names, typed) else { return (None, said) };
    if has_errors(&said) {
        // What could not be read or checked may be what computes.
        return (None, said);
    }
    said.extend(nothing_computed);
    let (mut lowered, more) = lower::lower(&program, &names, &typed, source);
    said.extend(more);
    if has_errors(&said) {
        return (None, said);
    }
    simplify::simplify(&mut lowered);
    blame::places(&mut lowered, user_from);
    (Some(lowered), said)
}

/// What is made of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct How {
    /// How threads are made.
    pub mode: Mode,
    /// A description in place of C.
    pub dump: Option<Dump>,
    /// The C counts the machine's instructions, for profiles.
    pub counting: bool,
}

/// Makes the C of a program, or a description of it. `launcher`: a line that names the launcher.
pub fn generate(program: &core::Program, source: &Source, how: How, launcher: &str) -> String {
    let How { mode, dump, counting } = how;
    if let Some(dump) = dump {
        return show::describe(program, mode, dump);
    }
    let program = optimise::optimise(program, mode == Mode::Tam);
    emit::emit(&program, source, mode, counting, launcher)
}

#[cfg(test)]
mod tests;
