//! Meridian compared with others: other systems by operation and by program (`peers`); and operations between
//! hosts (`operations`), shifts and stencils (`polyshift`) and Id programs (`id90`) with the same by other
//! means, each in tables of `comparison`.

pub mod comparison;
pub mod id90;
mod operations;
pub mod peers;
pub mod polyshift;

use crate::results::Results;
use comparison::Comparison;

/// Returns all comparisons that were measured, except those of single operations and of whole programs in the
/// dialects of C, which `peers` has.
pub fn all(results: &Results) -> Vec<Comparison> {
    operations::of(results).into_iter().chain(polyshift::of(results)).chain(id90::of(results)).collect()
}

/// Returns the tables for the terminal, and the results that follow from their points.
pub fn text(results: &Results) -> String {
    let mut text = peers::text(results);
    for comparison in all(results) {
        let title = format!("{}: ns, and in brackets how many times Meridian's time", comparison.title);
        text += &peers::table_text(Some(comparison.table), &title, 1.0);
    }
    text + &polyshift::text(results) + &id90::text(results)
}
