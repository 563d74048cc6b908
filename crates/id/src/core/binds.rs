//! Visits the bindings of a block, those in its arms too, and the variables that they define and use.

use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::BTreeSet;

/// Calls `visit` for each binding, before those in its arms.
pub fn each(block: &Block, visit: &mut dyn FnMut(&Bind)) {
    for bind in &block.binds {
        visit(bind);
        if let Op::If { then, other, .. } = &bind.op {
            with_stack(|| {
                each(then, visit);
                each(other, visit);
            });
        }
    }
}

/// Calls `visit` for each binding, before those in its arms, to change it.
pub fn each_mut(block: &mut Block, visit: &mut dyn FnMut(&mut Bind)) {
    for bind in &mut block.binds {
        visit(bind);
        if let Op::If { then, other, .. } = &mut bind.op {
            with_stack(|| {
                each_mut(then, visit);
                each_mut(other, visit);
            });
        }
    }
}

/// The number of bindings, those in arms too.
pub fn size(block: &Block) -> usize {
    let mut count = 0;
    each(block, &mut |_| count += 1);
    count
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

/// The variables that a block defines and uses, in its arms too.
pub fn variables(block: &Block, defined: &mut BTreeSet<Var>, used: &mut BTreeSet<Var>) {
    let var = |a: &Atom| match a {
        Atom::Var(v) => Some(*v),
        _ => None,
    };
    used.extend(block.results.iter().filter_map(var));
    for bind in &block.binds {
        defined.extend(&bind.dst);
        used.extend(bind.op.atoms().iter().filter_map(var));
        if let Op::If { then, other, .. } = &bind.op {
            with_stack(|| {
                variables(then, defined, used);
                variables(other, defined, used);
            });
        }
    }
}
