//! The meaning of a tree: the definition of each name, the types of all expressions, and warnings of code
//! that probably means something else.

mod coverage;
pub(crate) mod external;
pub(crate) mod infer;
mod lost;
mod missing_next;
pub(crate) mod resolve;
pub(crate) mod types;

use crate::syntax::ast::Program;
use base::{Diagnostic, has_errors};

/// A program's tree, and its names and types, as far as there are no errors.
pub struct Checked {
    pub program: Program,
    pub names: Option<resolve::Names>,
    pub typed: Option<infer::Typed>,
    pub said: Vec<Diagnostic>,
}

/// Finds the names and types of a program. `said`: the diagnostics so far.
pub fn check(program: Program, mut said: Vec<Diagnostic>, user_from: u32) -> Checked {
    // Text that could not be parsed may hold definitions of names that are used elsewhere.
    if has_errors(&said) {
        return Checked { program, names: None, typed: None, said };
    }
    let names = resolve::resolve(&program, user_from);
    said.extend(names.said.iter().cloned());
    said.extend(lost::check(&program, &names));
    said.extend(missing_next::check(&program, &names));
    if has_errors(&said) {
        return Checked { program, names: Some(names), typed: None, said };
    }
    let typed = infer::infer(&program, &names);
    said.extend(typed.said.iter().cloned());
    if !has_errors(&said) {
        said.extend(coverage::check(&program, &names));
    }
    Checked { program, names: Some(names), typed: Some(typed), said }
}
