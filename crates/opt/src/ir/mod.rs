//! The tree that passes rewrite, with copies, walks over loops and statements, remarks, and the tree as text.
//! The tree keeps the facts that analyses compute, without knowing any of them.

pub(crate) mod copy;
pub(crate) mod pass_id;
pub mod print;
pub mod reason;
pub(crate) mod remarks;
pub mod tree;
pub(crate) mod walk;
