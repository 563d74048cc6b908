//! The arrays whose views come with them.
//!
//! A view is where the elements of an array lie, and its bounds. A function that reads or stores elements of
//! a parameter which is the same in all its turns gets the view with the parameter, and so does one that
//! passes it on to such a function: so the view is made where the array is, once for all loops over it. A
//! view never changes, so that it does not matter when it is made.

use super::Views;
use crate::core::binds::each;
use crate::core::calls::smallest;
use crate::core::language::*;
use std::collections::BTreeSet;

/// By function: the parameters that come with views, and their dimensions. The smallest solution.
pub(in crate::tam::emit) fn views(program: &Program) -> Vec<Views> {
    let same: Vec<BTreeSet<Var>> =
        (0..program.funcs.len()).map(|f| unchanged(&program.funcs[f], f)).collect();
    smallest(program, |n, found| {
        let mut own = Views::new();
        uses_of_arrays(&program.funcs[n].body, found, &mut |v, dims| {
            if same[n].contains(&v)
                && let Some(p) = program.funcs[n].params.iter().position(|p| *p == v)
            {
                own.insert(p, dims);
            }
        });
        own
    })
}

/// Calls `visit` for each read and store of an element of an I-structure, and each argument of a call that
/// comes with its view: the array and its dimensions.
pub(super) fn uses_of_arrays(block: &Block, views: &[Views], visit: &mut dyn FnMut(Var, usize)) {
    let mut add = |array: &Atom, dims: usize| {
        if let Atom::Var(v) = array {
            visit(*v, dims);
        }
    };
    each(block, &mut |bind| match &bind.op {
        Op::Fetch { array, index, mode: Mode::I } | Op::Store { array, index, mode: Mode::I, .. } => {
            add(array, index.len());
        }
        Op::Call { func, args, .. } => views[*func].iter().for_each(|(p, dims)| add(&args[*p], *dims)),
        _ => {}
    });
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
