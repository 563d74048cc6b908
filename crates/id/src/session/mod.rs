//! The front end for an interactive session: the items of an input, from its tokens, and the types of its
//! definitions and expressions.

mod input;
mod typing;

pub use input::{Item, Kind, begins, ends, is_complete, items};
pub use typing::{Typing, check};
