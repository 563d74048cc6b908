//! C17, GNU C and the UPC dialect: preprocessed text to a tree.
//!
//! [`parse`] is the entry. It takes the output of `gcc -E` or `clang -E` and returns the tree of [`ast`] with
//! diagnostics. Any input gives a tree: unreadable text is an error node in it, and has been reported. Types
//! are not looked at here, except typedef names, without which C cannot be read.

pub mod ast;
pub mod dialect;
mod lexer;
mod number;
pub mod parser;
mod scope;
pub mod table;
pub mod token;
pub mod visit;

pub use dialect::{Dialect, Language};
pub use parser::parse;

/// The tokens of a text, without diagnostics. The last one is [`token::Kind::Eof`]. Lines that begin with `#`
/// give no tokens.
pub fn tokens(text: &str, dialect: Dialect) -> Vec<token::Token> {
    lexer::lex(text, dialect).tokens
}
