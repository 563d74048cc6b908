//! Meridian beside others: other systems by operation and by program (`peers`); and operations between hosts
//! (`operations`), shifts and stencils (`polyshift`) and Id programs (`id90`) beside the same by other means,
//! each in tables of `comparison`.

pub mod comparison;
pub mod id90;
mod operations;
pub mod peers;
pub mod polyshift;

use crate::results::Results;
use comparison::Comparison;

/// All comparisons that were measured, but those of single operations and of whole programs in the dialects
/// of C, which `peers` has.
pub fn all(results: &Results) -> Vec<Comparison> {
    operations::of(results).into_iter().chain(polyshift::of(results)).chain(id90::of(results)).collect()
}

/// The tables for the terminal, and what follows from their points.
pub fn text(results: &Results) -> String {
    let mut text = peers::text(results);
    for comparison in all(results) {
        let title = format!("{}: ns, and in brackets how many times Meridian's time", comparison.title);
        text += &peers::table_text(Some(comparison.table), &title, 1.0);
    }
    text + &polyshift::text(results) + &id90::text(results)
}
