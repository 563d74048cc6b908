//! Which functions can have a C function.

use crate::core::*;
use crate::walk::grown;
use std::collections::BTreeSet;

/// Places that can wait, times bindings, of a function beyond which it has no C function: each such place
/// makes a code-block of what is left.
const LARGEST: usize = 8000;
/// Parameters of a C function.
const MOST_PARAMS: usize = 60;

/// Which functions may have a C function.
pub(in crate::emit) fn able(program: &Program) -> Vec<bool> {
    let fits = |(n, f): (usize, &Func)| {
        let (mut binds, mut places) = (0, 0);
        count(&f.body, &mut binds, &mut places);
        n != program.main && f.params.len() <= MOST_PARAMS && binds * places <= LARGEST
    };
    program.funcs.iter().enumerate().map(fits).collect()
}

fn count(block: &Block, binds: &mut usize, places: &mut usize) {
    for bind in &block.binds {
        *binds += 1;
        match &bind.op {
            Op::If { then, other, .. } => grown(|| {
                count(then, binds, places);
                count(other, binds, places);
            }),
            Op::Field { .. } | Op::Fetch { .. } | Op::Bound { .. } | Op::Call { .. } | Op::Apply { .. } => {
                *places += 1;
            }
            _ => {}
        }
    }
}

/// Which functions call themselves by way of others.
pub(in crate::emit) fn recursive(program: &Program) -> Vec<bool> {
    let callees: Vec<BTreeSet<FuncId>> = program
        .funcs
        .iter()
        .map(|f| {
            let mut found = BTreeSet::new();
            calls(&f.body, &mut found);
            found
        })
        .collect();
    (0..program.funcs.len())
        .map(|f| {
            let mut seen = BTreeSet::new();
            let mut stack: Vec<FuncId> = callees[f].iter().copied().filter(|g| *g != f).collect();
            while let Some(g) = stack.pop() {
                if g == f {
                    return true;
                }
                if seen.insert(g) {
                    stack.extend(callees[g].iter().copied());
                }
            }
            false
        })
        .collect()
}

fn calls(block: &Block, found: &mut BTreeSet<FuncId>) {
    for bind in &block.binds {
        match &bind.op {
            Op::Call { func, .. } => {
                found.insert(*func);
            }
            Op::If { then, other, .. } => grown(|| {
                calls(then, found);
                calls(other, found);
            }),
            _ => {}
        }
    }
}
