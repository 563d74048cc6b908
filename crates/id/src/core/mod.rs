//! The language between tree and threads, of functions of unordered bindings, in which the passes work; how a
//! tree becomes a program of it, and what all who read such programs ask of them.

pub(crate) mod binds;
pub(crate) mod calls;
pub(crate) mod language;
pub(crate) mod lower;
pub(crate) mod order;
pub(crate) mod suspension;
