//! The arrays whose views come with them.
//!
//! A view is where the elements of an array lie, and its bounds. A function that reads or stores elements of
//! a parameter which is the same in all its turns gets the view with the parameter, and so does one that
//! passes it on to such a function: so the view is made where the array is, once for all loops over it. A
//! view never changes, so that it does not matter when it is made.

use super::Views;
use crate::binds::each;
use crate::core::*;
use std::collections::{BTreeMap, BTreeSet};

/// By function: the parameters that come with views, and their dimensions. The smallest solution.
pub(in crate::emit) fn views(program: &Program) -> Vec<Views> {
    let same: Vec<BTreeSet<Var>> =
        (0..program.funcs.len()).map(|f| unchanged(&program.funcs[f], f)).collect();
    let mut found: Vec<Views> = vec![BTreeMap::new(); program.funcs.len()];
    loop {
        let mut changed = false;
        for (n, f) in program.funcs.iter().enumerate() {
            let mut own = found[n].clone();
            let mut add = |array: &Atom, dims: usize| {
                if let Atom::Var(v) = array
                    && same[n].contains(v)
                    && let Some(p) = f.params.iter().position(|p| p == v)
                {
                    own.entry(p).or_insert(dims);
                }
            };
            each(&f.body, &mut |bind| match &bind.op {
                Op::Fetch { array, index, mode: Mode::I } | Op::Store { array, index, mode: Mode::I, .. } => {
                    add(array, index.len());
                }
                Op::Call { func, args, .. } => {
                    found[*func].iter().for_each(|(p, dims)| add(&args[*p], *dims))
                }
                _ => {}
            });
            if own.len() > found[n].len() {
                found[n] = own;
                changed = true;
            }
        }
        if !changed {
            return found;
        }
    }
}

/// The parameters that a function's calls of itself pass on as they are.
fn unchanged(f: &Func, func: FuncId) -> BTreeSet<Var> {
    let mut same: BTreeSet<Var> = f.params.iter().copied().collect();
    each(&f.body, &mut |bind| {
        if let Op::Call { func: callee, args, .. } = &bind.op
            && *callee == func
        {
            for (p, arg) in f.params.iter().zip(args) {
                if *arg != Atom::Var(*p) {
                    same.remove(p);
                }
            }
        }
    });
    same
}
