//! What variables that optimisations have made ([`opt::tree`]) are called in C: no program has such names.

use opt::tree::{Var, Waiting};

/// The name of a made variable in C.
pub(crate) fn name(var: Var) -> String {
    format!("mer_{}{}", var.what, var.number)
}

/// An element of a made buffer in C.
pub(crate) fn element(buffer: Var, at: Var) -> String {
    format!("{}[{}]", name(buffer), name(at))
}

/// What counts reads under way, as C.
pub(crate) fn counts(waiting: Waiting) -> String {
    match waiting {
        Waiting::Var(var) => name(var),
        Waiting::Of(counts, which) => format!("{}[{}]", name(counts), name(which)),
    }
}
