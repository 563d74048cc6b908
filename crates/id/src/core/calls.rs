//! The call graph, and facts that propagate along it.

use crate::core::binds::each;
use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::BTreeSet;

/// For each function, whether it is reachable from the one that runs first.
pub fn reachable(program: &Program) -> Vec<bool> {
    let mut seen = vec![false; program.funcs.len()];
    let mut stack = vec![program.main];
    while let Some(f) = stack.pop() {
        if !std::mem::replace(&mut seen[f], true) {
            each(&program.funcs[f].body, &mut |bind| {
                if let Op::Call { func, .. } | Op::Closure { func, .. } = &bind.op {
                    stack.push(*func);
                }
            });
        }
    }
    seen
}

/// The functions that a function calls.
pub fn callees(f: &Func) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    each(&f.body, &mut |bind| {
        if let Op::Call { func, .. } = &bind.op {
            found.insert(*func);
        }
    });
    found
}

/// How often a function calls others, or itself.
pub fn calls(f: &Func) -> usize {
    let mut count = 0;
    each(&f.body, &mut |bind| count += usize::from(matches!(bind.op, Op::Call { .. })));
    count
}

/// The nodes reachable from one; `next` has the direct successors of each.
pub fn reached_from(next: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        stack.extend(next[at].iter().filter(|to| found.insert(**to)));
    }
    found
}

/// Whether a function is recursive, by functions' callees. With `own` its direct calls of itself count too,
/// else only those by way of others.
pub fn comes_back(callees: &[BTreeSet<FuncId>], f: FuncId, own: bool) -> bool {
    let mut seen = BTreeSet::new();
    let mut stack: Vec<FuncId> = callees[f].iter().copied().filter(|g| own || *g != f).collect();
    while let Some(g) = stack.pop() {
        if g == f {
            return true;
        }
        if seen.insert(g) {
            stack.extend(&callees[g]);
        }
    }
    false
}

/// The least fixed point of `one`, which computes the value of a function from the values of all found so
/// far. `one` must be monotone in these.
pub fn smallest<S: Default + PartialEq>(program: &Program, one: impl Fn(FuncId, &[S]) -> S) -> Vec<S> {
    let mut found: Vec<S> = program.funcs.iter().map(|_| S::default()).collect();
    loop {
        let mut changed = false;
        for n in 0..found.len() {
            let own = one(n, &found);
            changed |= own != found[n];
            found[n] = own;
        }
        if !changed {
            return found;
        }
    }
}

/// How often a block of function `func` calls `func` itself.
pub fn own_calls(block: &Block, func: FuncId) -> usize {
    let of = |bind: &Bind| match &bind.op {
        Op::Call { func: callee, .. } => usize::from(*callee == func),
        Op::If { then, other, .. } => with_stack(|| own_calls(then, func) + own_calls(other, func)),
        _ => 0,
    };
    block.binds.iter().map(of).sum()
}

/// Whether a block of function `func` calls functions other than `func`.
pub fn calls_others(block: &Block, func: FuncId) -> bool {
    block.binds.iter().any(|bind| match &bind.op {
        Op::Call { func: callee, .. } => *callee != func,
        Op::Apply { .. } => true,
        Op::If { then, other, .. } => with_stack(|| calls_others(then, func) || calls_others(other, func)),
        _ => false,
    })
}
