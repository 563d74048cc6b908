//! Small arrays of a loop that alternate in the same storage.
//!
//! `{s = a0 In {for ... do next s = f s; finally s}}`, in which f makes an array of constant bounds in line,
//! makes an array in each turn. The array of the turn before is then dead. Only the turn that reads it has
//! ever known it, if
//!
//!   - it was made in a turn of this C function, and did not escape until the end of this turn (`fresh`);
//!   - the parameter that it becomes is used only for its elements and bounds, and as the function's result
//!     at the loop's end: so no cell, array, closure, call or activation holds it while the loop goes on.
//!
//! So the turn after the one that reads the array can reuse its storage: two arrays alternate. If the loop is
//! left, at its end or to wait, the C function ends, and nothing is reused. The arrays hold words; a word
//! that was read outlives its array. The variables that hold the storage lie on the C stack or in registers,
//! where the collector finds it.

use crate::core::binds::each;
use crate::core::calls::own_calls;
use crate::core::language::*;
use std::collections::BTreeMap;

/// By the variable of an array that each turn makes: the parameter that it becomes in the next.
pub fn of(f: &Func, func: FuncId) -> BTreeMap<Var, Var> {
    let mut found = BTreeMap::new();
    if own_calls(&f.body, func) != 1 {
        return found;
    }
    let mut made = Vec::new();
    let mut next = Vec::new();
    each(&f.body, &mut |bind| match &bind.op {
        Op::Alloc { mutable: false, .. } => made.extend(bind.dst.iter().copied()),
        Op::Call { func: callee, args, join: false } if *callee == func => next.clone_from(args),
        _ => {}
    });
    for (p, arg) in f.params.iter().zip(&next) {
        let once = next.iter().filter(|a| *a == arg).count() == 1;
        if let Atom::Var(v) = arg
            && made.contains(v)
            && once
            && for_elements_alone(&f.body, *p)
        {
            found.insert(*v, *p);
        }
    }
    found
}

/// Whether a parameter is used only for its elements and bounds, and as the function's result.
fn for_elements_alone(body: &Block, p: Var) -> bool {
    let (mut uses, mut allowed) = (0, 0);
    body.clone().map(&mut |a| uses += usize::from(*a == Atom::Var(p)));
    each(body, &mut |bind| {
        if let Op::Fetch { array, mode: Mode::I, .. } | Op::Bound { array, .. } = &bind.op {
            allowed += usize::from(*array == Atom::Var(p));
        }
    });
    uses == allowed + as_result(body, p)
}

/// How often `p` is a result of the function, in the arms of conditionals at its end.
fn as_result(block: &Block, p: Var) -> usize {
    let last = block.binds.iter().find(|bind| {
        !bind.dst.is_empty() && bind.dst.iter().map(|v| Atom::Var(*v)).eq(block.results.iter().copied())
    });
    match last.map(|bind| &bind.op) {
        Some(Op::If { then, other, .. }) => as_result(then, p) + as_result(other, p),
        _ => block.results.iter().filter(|a| **a == Atom::Var(p)).count(),
    }
}

#[cfg(test)]
mod tests {
    use crate::tam::plan::Way;
    use crate::tam::plan::testing::planned;

    /// The number of small arrays of a loop that reuse storage. `next`: the statements of the loop.
    #[track_caller]
    fn reused(next: &str) -> usize {
        let plan = planned(&format!(
            "def pair a b = {{array (1,2) | [1] = a | [2] = b}};
             def sum a n = if n == 0 then a[1] else sum a (n - 1) + sum a (n - 1);
             {{ s = pair argc 1; t = pair 0 0; l = Nil In
               {{for i <- 1 to argc + 5 do {next} finally (s[1] + s[2]) : t[1] : l}} }};"
        ));
        plan.count("loop", |_, way| matches!(way, Way::SmallArray { reuses: Some(_), .. }))
    }

    #[test]
    fn arrays_that_the_next_turn_alone_reads() {
        assert_eq!(reused("next s = pair s[2] (s[1] + s[2]);"), 1);
        assert_eq!(reused("next s = pair s[2] i; next t = pair s[1] t[1];"), 2);
        assert_eq!(reused("next s = pair s[2] i; next l = s[1] : l;"), 1, "an element alone is kept");
    }

    #[test]
    fn arrays_that_others_hold() {
        assert_eq!(reused("next s = pair s[2] i; next t = s;"), 0, "the turn after the next has it too");
        assert_eq!(reused("next s = pair s[2] i; next l = sum s i : l;"), 0, "a call gets it");
    }
}
