//! Tools for the tests of plans: the plan of a text, and the steps of its C functions.

use super::{CFunction, Piece, Plan, Step, Way};
use crate::core::language::Bind;
use crate::passes::{self, testing::program};
use crate::tam::threads::Mode;

/// The plan of the program of a text, once the passes have optimised it.
#[track_caller]
pub fn planned(text: &str) -> Plan {
    super::plan(&passes::optimise(&program(text), true), Mode::Tam)
}

impl Plan {
    /// The C functions of this name.
    pub fn functions<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a CFunction> {
        let function = |piece: &'a Piece| match piece {
            Piece::Function(f) => Some(f),
            Piece::Block(_) => None,
        };
        self.pieces.iter().filter_map(function).filter(move |f| self.program.funcs[f.func].name == name)
    }

    /// How many operations of the C functions of this name are done in a way.
    pub fn count(&self, name: &str, is: impl Fn(&Bind, &Way) -> bool) -> usize {
        self.functions(name).map(|f| in_steps(&f.steps, &is)).sum()
    }
}

fn in_steps(steps: &[Step], is: &dyn Fn(&Bind, &Way) -> bool) -> usize {
    let of = |step: &Step| match step {
        Step::Do(bind, way) => usize::from(is(bind, way)),
        Step::If { then, other, .. } => in_steps(then, is) + in_steps(other, is),
        _ => 0,
    };
    steps.iter().map(of).sum()
}
