//! Meridian compared with others: other systems by operation and by program (`peers`); and operations between
//! hosts (`operations`), shifts and stencils (`polyshift`) and Id programs (`id90`) with the same by other
//! means, each in tables of `comparison`.

pub mod comparison;
pub mod id90;
mod operations;
mod peers;
pub mod polyshift;

use crate::results::Results;
use comparison::Comparison;

/// Returns all comparisons that were measured.
pub fn all(results: &Results) -> Vec<Comparison> {
    [peers::of, operations::of, polyshift::of, id90::of].into_iter().flat_map(|of| of(results)).collect()
}
