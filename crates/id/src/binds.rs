//! Visits the bindings of a block, those in arms too.

use crate::core::*;
use crate::walk::grown;
use std::collections::BTreeSet;

/// Calls `visit` for each binding, before those in its arms.
pub fn each(block: &Block, visit: &mut dyn FnMut(&Bind)) {
    for bind in &block.binds {
        visit(bind);
        if let Op::If { then, other, .. } = &bind.op {
            grown(|| {
                each(then, visit);
                each(other, visit);
            });
        }
    }
}

/// The same, to change them.
pub fn each_mut(block: &mut Block, visit: &mut dyn FnMut(&mut Bind)) {
    for bind in &mut block.binds {
        visit(bind);
        if let Op::If { then, other, .. } = &mut bind.op {
            grown(|| {
                each_mut(then, visit);
                each_mut(other, visit);
            });
        }
    }
}

/// How many bindings there are.
pub fn size(block: &Block) -> usize {
    let mut count = 0;
    each(block, &mut |_| count += 1);
    count
}

/// Which functions the program can come to, from the one that runs first.
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

/// What comes after one, over others too, where `next` says what follows each at once.
pub fn reached_from(next: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        stack.extend(next[at].iter().filter(|to| found.insert(**to)));
    }
    found
}

/// Whether a function comes back to itself, by functions' callees; with `own` by its own calls of itself too,
/// else only by way of others.
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

/// For each function the smallest solution of what `one` says of it, by what has been found of all so far;
/// that must not become less as the others grow.
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

/// How often each variable is an operand or a result, by its number.
pub fn uses(f: &Func) -> Vec<u32> {
    let mut count = vec![0; f.vars];
    let add = &mut |atom: &Atom| {
        if let Atom::Var(v) = atom
            && *v < count.len()
        {
            count[*v] += 1;
        }
    };
    f.body.results.iter().for_each(&mut *add);
    each(&f.body, &mut |bind| {
        bind.op.atoms().iter().for_each(&mut *add);
        if let Op::If { then, other, .. } = &bind.op {
            then.results.iter().chain(&other.results).for_each(&mut *add);
        }
    });
    count
}
