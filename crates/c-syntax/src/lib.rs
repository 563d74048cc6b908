//! C17, GNU C and the UPC dialect: preprocessed text to a tree.
//!
//! [`parse`] is the entrance. It takes what `gcc -E` or `clang -E` wrote and gives the tree of [`ast`] with
//! diagnostics. Any input gives a tree: what could not be read stands in it as an error node, which has been
//! reported. Types are not looked at here but for typedef names, without which C cannot be read.

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

/// The tokens of a text, without what is wrong with it. The last one is [`token::Kind::Eof`]. Lines that
/// begin with `#`, whatever the preprocessor makes of them, are none.
pub fn tokens(text: &str, dialect: Dialect) -> Vec<token::Token> {
    lexer::lex(text, dialect).tokens
}
