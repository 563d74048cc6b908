//! Meridian beside others in one respect: a table of times, with what is to be reached in each row.

use super::peers::Table;
use super::{id90, polyshift};
use crate::results::Results;

/// A comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// For links.
    pub id: String,
    /// What is compared, and where.
    pub title: String,
    /// How to read the table.
    pub caption: &'static str,
    /// The times.
    pub table: Table,
    /// By row and peer: what the peer's time is meant to be at least, in Meridian's.
    pub goals: Vec<Vec<Option<f64>>>,
    /// By peer: the same for the geometric mean of all rows.
    pub means: Vec<Option<f64>>,
    /// Where the difference lies when a goal is missed.
    pub why: &'static str,
}

/// All comparisons that were measured, but those of single operations and of whole programs in the dialects
/// of C, which `peers` has.
pub fn all(results: &Results) -> Vec<Comparison> {
    polyshift::of(results).into_iter().chain(id90::of(results)).collect()
}
