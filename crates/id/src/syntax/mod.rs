//! From text to tree: the files of a program, after the library, are one text, which becomes tokens and then
//! a tree. Facts about single words are here too: the names of the built-in types, and the spelling of names
//! in messages.

pub(crate) mod ast;
pub(crate) mod builtin;
pub mod include;
pub(crate) mod lexer;
pub(crate) mod library;
pub(crate) mod main_value;
pub(crate) mod parser;
pub(crate) mod spelling;
pub(crate) mod walk;

use ast::Program;
use base::{Diagnostic, Source, has_errors};

/// Reads a program. `user_from`: where the library's text ends.
pub fn read(source: &Source, user_from: u32) -> (Program, Vec<Diagnostic>) {
    let (tokens, mut said) = lexer::lex(source);
    let (program, more) = parser::parse(&tokens, user_from);
    // If characters are missing from the tokens, errors of the parser may follow from that.
    if !has_errors(&said) {
        said.extend(more);
    }
    (program, said)
}
