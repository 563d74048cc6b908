//! Which functions can have a C function, and which call themselves in which way.

use crate::core::binds::size;
use crate::core::calls::{callees, comes_back};
use crate::core::language::*;
use crate::core::suspension::block_points;
use crate::stack::with_stack;
use std::collections::BTreeSet;

/// The most suspension points, times bindings, of a function with a C function: each such point makes a
/// code-block of the remainder.
const LARGEST: usize = 8000;
/// The most parameters of a C function.
const MOST_PARAMS: usize = 60;

/// Whether a function may have a C function.
pub fn eligible(program: &Program, func: FuncId) -> bool {
    let f = &program.funcs[func];
    let points = block_points(&f.body, &mut true);
    func != program.main && f.params.len() <= MOST_PARAMS && size(&f.body) * points <= LARGEST
}

/// Which functions call themselves by way of others.
pub fn mutually_recursive(program: &Program) -> Vec<bool> {
    let all: Vec<BTreeSet<FuncId>> = program.funcs.iter().map(callees).collect();
    (0..program.funcs.len()).map(|f| comes_back(&all, f, false)).collect()
}

/// Which functions call themselves by way of others, or other than by a tail call.
pub fn divides(program: &Program) -> Vec<bool> {
    let mut all = mutually_recursive(program);
    for (n, f) in program.funcs.iter().enumerate() {
        all[n] |= calls_between(&f.body, n, true);
    }
    all
}

/// Whether a block of function `func` calls it other than by a tail call. `last`: the block's results are the
/// function's.
fn calls_between(block: &Block, func: FuncId, last: bool) -> bool {
    let mut own = 0;
    let between = block.binds.iter().any(|bind| {
        let last = last && bind.dst.iter().map(|v| Atom::Var(*v)).eq(block.results.iter().copied());
        match &bind.op {
            Op::Call { func: callee, .. } if *callee == func => {
                own += 1;
                !last
            }
            Op::If { then, other, .. } => {
                with_stack(|| calls_between(then, func, last) || calls_between(other, func, last))
            }
            _ => false,
        }
    });
    between || own > 1
}
