//! Which variables of a function are surely floats: the C function keeps them in variables of type double.
//!
//! Types are erased here, but each variable has one type in all its uses, so that a float in one place is a
//! float in all. Other variables may be floats too; they stay words.

use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::BTreeSet;

/// The floats of a function.
pub fn of(f: &Func, func: FuncId) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        block(&f.body, f, func, &mut found);
        if found.len() == before {
            return found;
        }
    }
}

fn is(atom: &Atom, found: &BTreeSet<Var>) -> bool {
    match atom {
        Atom::Var(v) => found.contains(v),
        Atom::Float(_) => true,
        Atom::Int(_) => false,
    }
}

fn block(b: &Block, f: &Func, func: FuncId, found: &mut BTreeSet<Var>) {
    for bind in &b.binds {
        match &bind.op {
            Op::Prim(Prim::After, args) if is(&args[0], found) => found.extend(&bind.dst),
            Op::Prim(p, _) if p.gives_float() => found.extend(&bind.dst),
            Op::If { then, other, .. } => with_stack(|| {
                block(then, f, func, found);
                block(other, f, func, found);
                for (n, d) in bind.dst.iter().enumerate() {
                    if is(&then.results[n], found) && is(&other.results[n], found) {
                        found.insert(*d);
                    }
                }
            }),
            // The arguments of a loop's next turn.
            Op::Call { func: callee, args, .. } if *callee == func => {
                for (p, a) in f.params.iter().zip(args) {
                    if matches!(a, Atom::Var(_)) && is(a, found) {
                        found.insert(*p);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tam::plan::testing::planned;

    #[test]
    fn floats_of_a_loop() {
        let plan = planned(
            "def go n x = if n == 0 then x else go (n - 1) (x * 1.5);
             go (argc + 4) 1.0 + go (argc + 5) 2.0;",
        );
        let go = plan.functions("go").next().expect("it has a C function");
        let params = &plan.program.funcs[go.func].params;
        assert!(!go.floats.contains(&params[0]) && go.floats.contains(&params[1]));
    }
}
