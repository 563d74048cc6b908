//! What an interactive session needs of the front end: what an input consists of, from its tokens, and the
//! types of what it defines and computes.

mod input;
mod typing;

pub use input::{Item, Kind, begins, ends, is_complete, items};
pub use typing::{Typing, check};
