//! Parameters that are passed with views.
//!
//! A view holds the address of the elements of an array, and its bounds. A function that reads or stores
//! elements of a parameter that is the same in all its turns gets the view with the parameter. So does a
//! function that passes the parameter on to such a function. So the view is made outside, once for all loops
//! over the array. A view never changes, so the time at which it is made does not matter.

use crate::core::binds::each;
use crate::core::calls::smallest;
use crate::core::language::*;
use std::collections::{BTreeMap, BTreeSet};

/// The parameters of a function that are passed with views, and the dimensions of these arrays.
pub type Views = BTreeMap<usize, usize>;

/// By function: the parameters that are passed with views, and their dimensions. The least fixed point.
pub fn views(program: &Program) -> Vec<Views> {
    let same: Vec<BTreeSet<Var>> =
        (0..program.funcs.len()).map(|f| unchanged(&program.funcs[f], f)).collect();
    smallest(program, |n, found| {
        let mut own = Views::new();
        uses_of_arrays(&program.funcs[n].body, |f| &found[f], &mut |v, dims| {
            if same[n].contains(&v)
                && let Some(p) = program.funcs[n].params.iter().position(|p| *p == v)
            {
                own.insert(p, dims);
            }
        });
        own
    })
}

/// Calls `visit` with the array and its dimensions, for each read and store of an element of an I-structure,
/// and each argument of a call that is passed with its view.
pub fn uses_of_arrays<'v>(
    block: &Block,
    views: impl Fn(FuncId) -> &'v Views,
    visit: &mut dyn FnMut(Var, usize),
) {
    let mut add = |array: &Atom, dims: usize| {
        if let Atom::Var(v) = array {
            visit(*v, dims);
        }
    };
    each(block, &mut |bind| match &bind.op {
        Op::Fetch { array, index, mode: Mode::I } | Op::Store { array, index, mode: Mode::I, .. } => {
            add(array, index.len());
        }
        Op::Call { func, args, .. } => views(*func).iter().for_each(|(p, dims)| add(&args[*p], *dims)),
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

#[cfg(test)]
mod tests {
    use crate::tam::plan::testing::planned;

    #[test]
    fn an_array_that_is_the_same_in_all_turns_comes_with_its_view() {
        let plan = planned(
            "def go a b n = if n == 0 then a[1] + b[1] else go a {array (1,1) | [1] = a[n] + b[1]} (n - 1);
             { a = {array (1,argc+9) | [i] = i || i <- 1 to argc+9} In go a a (argc + 4) + go a a argc };",
        );
        let go = plan.functions("go").next().expect("it has a C function");
        let params = &plan.program.funcs[go.func].params;
        assert_eq!(go.views.get(&params[0]), Some(&1));
        assert_eq!(go.views.get(&params[1]), None, "another in each turn");
    }
}
