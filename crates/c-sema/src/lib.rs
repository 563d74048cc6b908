//! Names, types and checks: tree to typed tree.

pub mod typed;
pub mod types;

pub use typed::Typed;
