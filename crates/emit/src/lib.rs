//! From pieces to C text.
//!
//! Lowering says what the program becomes as a tree of [`Piece`]s: stretches of the user's text that stay
//! as they are, and new text between them. [`write`] prints it. Two things are settled here and nowhere
//! else: line markers (the C compiler and the debugger see the user's files and lines, whatever was put in
//! between) and flattening (an expression that becomes a macro's argument must not hold directives).
//!
//! [`build`] holds the constructs that new text is made of.
//!
//! Absent: any knowledge of UPC, or of the tree.

pub mod build;
mod piece;
mod write;

pub use piece::{Piece, splice};
pub use write::{write, write_marking};
