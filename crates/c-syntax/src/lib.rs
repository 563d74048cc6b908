//! C17, GNU C and the dialects: text to tree, and errors.

pub mod ast;
