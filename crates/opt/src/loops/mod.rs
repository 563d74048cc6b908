//! Loops and calls in simpler forms.

pub(crate) mod atomics;
pub(crate) mod induction;
pub mod inline;
pub(crate) mod unroll;
pub(crate) mod while_loops;
