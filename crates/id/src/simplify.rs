//! Functions of unordered bindings, made simpler: copies go, and bindings that nobody uses and that do
//! nothing.

use crate::core::*;
use std::collections::{HashMap, HashSet};

/// Simplifies all functions.
pub fn simplify(program: &mut Program) {
    for func in &mut program.funcs {
        copies(func);
        unused(&mut func.body);
    }
}

/// Replaces the names of copies by what was copied. A name that is its own copy stays: it waits for ever.
fn copies(func: &mut Func) {
    let mut map = HashMap::new();
    collect(&func.body, &mut map);
    let find = |atom: Atom| {
        let (mut atom, mut steps) = (atom, 0);
        while let Atom::Var(v) = atom {
            match map.get(&v) {
                Some(next) if steps < map.len() => atom = *next,
                Some(_) => return None,
                None => break,
            }
            steps += 1;
        }
        Some(atom)
    };
    func.body.map(&mut |atom| {
        if let Some(found) = find(*atom) {
            *atom = found;
        }
    });
    drop_copies(&mut func.body, &|v| find(Atom::Var(v)).is_some());
}

fn collect(block: &Block, map: &mut HashMap<Var, Atom>) {
    for bind in &block.binds {
        match &bind.op {
            Op::Copy(from) => {
                map.insert(bind.dst[0], *from);
            }
            Op::If { then, other, .. } => {
                collect(then, map);
                collect(other, map);
            }
            _ => {}
        }
    }
}

fn drop_copies(block: &mut Block, resolved: &dyn Fn(Var) -> bool) {
    block.binds.retain(|b| !(matches!(b.op, Op::Copy(_)) && resolved(b.dst[0])));
    for bind in &mut block.binds {
        if let Op::If { then, other, .. } = &mut bind.op {
            drop_copies(then, resolved);
            drop_copies(other, resolved);
        }
    }
}

/// Whether an operation does nothing but give its results. A read may wait for ever or be out of bounds,
/// which must be reported, and a quotient may be of zero: an unused one still runs.
fn silent(op: &Op) -> bool {
    match op {
        Op::Prim(p, _) => !matches!(p, Prim::Quotient | Prim::ModI | Prim::RemI | Prim::PowI),
        Op::Make { .. } | Op::Closure { .. } | Op::Copy(_) | Op::Bound { .. } => true,
        Op::Field { mode, .. } => *mode == Mode::I,
        Op::If { then, other, .. } => [then, other].iter().all(|b| b.binds.iter().all(|b| silent(&b.op))),
        _ => false,
    }
}

fn unused(block: &mut Block) {
    loop {
        let mut used = HashSet::new();
        uses(block, &mut used);
        let before = count(block);
        sweep(block, &used);
        if count(block) == before {
            return;
        }
    }
}

fn count(block: &Block) -> usize {
    let inner = |op: &Op| match op {
        Op::If { then, other, .. } => count(then) + count(other),
        _ => 0,
    };
    block.binds.iter().map(|b| 1 + inner(&b.op)).sum()
}

fn uses(block: &Block, used: &mut HashSet<Var>) {
    let mut note = |atom: &Atom| {
        if let Atom::Var(v) = atom {
            used.insert(*v);
        }
    };
    block.results.iter().for_each(&mut note);
    for bind in &block.binds {
        bind.op.atoms().iter().for_each(&mut note);
    }
    for bind in &block.binds {
        if let Op::If { then, other, .. } = &bind.op {
            uses(then, used);
            uses(other, used);
        }
    }
}

fn sweep(block: &mut Block, used: &HashSet<Var>) {
    block.binds.retain(|b| !silent(&b.op) || b.dst.iter().any(|v| used.contains(v)));
    for bind in &mut block.binds {
        if let Op::If { then, other, .. } = &mut bind.op {
            sweep(then, used);
            sweep(other, used);
        }
    }
}
