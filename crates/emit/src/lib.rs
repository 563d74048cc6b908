//! From pieces to C text.
//!
//! Lowering gives the output program as a tree of [`Piece`]s: stretches of the user's text that stay as they
//! are, and new text between them. [`write`] prints the tree. Only this crate handles line markers (the C
//! compiler and the debugger see the user's files and lines, despite the new text between them) and
//! flattening (an expression that becomes a macro's argument must not hold directives).
//!
//! [`build`] has the constructs of new text.
//!
//! Absent: any knowledge of UPC, or of the tree.

pub mod build;
mod piece;
mod write;

pub use piece::{Piece, splice};
pub use write::{write, write_marking};
