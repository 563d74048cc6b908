//! Parameters that are the same number in all calls.
//!
//! Such a parameter goes, and the function uses the number: the step of a loop, and what loops over known
//! bounds begin with. A parameter that a function passes on to itself is what the others pass. Functions that
//! are values are called from where nobody knows, so theirs stay; so does the last index of a loop that gives
//! nothing, whose passes can be given away by changing it.

use crate::core::binds::{each, each_mut};
use crate::core::calls::reachable;
use crate::core::language::*;

/// What is known of a parameter.
#[derive(Clone, Copy, PartialEq)]
enum Passed {
    Nothing,
    Number(Atom),
    Various,
}

/// Rewrites all functions.
pub fn constants(program: &mut Program) {
    let runs = reachable(program);
    let mut passed: Vec<Vec<Passed>> =
        program.funcs.iter().map(|f| vec![Passed::Nothing; f.params.len()]).collect();
    passed[program.main].fill(Passed::Various);
    for (n, f) in program.funcs.iter().enumerate().filter(|f| runs[f.0]) {
        for bind in f.body.binds.iter().filter(|_| f.results == 0) {
            if let Op::Prim(Prim::LeI, args) = &bind.op {
                f.params.iter().enumerate().filter(|p| args.contains(&Atom::Var(*p.1))).for_each(|p| {
                    passed[n][p.0] = Passed::Various;
                });
            }
        }
        each(&f.body, &mut |bind| {
            if let Op::Closure { func, .. } = &bind.op {
                passed[*func].fill(Passed::Various);
            }
        });
    }
    loop {
        let before = passed.clone();
        for (n, f) in program.funcs.iter().enumerate().filter(|f| runs[f.0]) {
            each(&f.body, &mut |bind| {
                if let Op::Call { func, args, .. } = &bind.op {
                    for (p, arg) in args.iter().enumerate() {
                        let new = of(arg, f, &before[n]);
                        let known = &mut passed[*func][p];
                        *known = both(*known, new);
                    }
                }
            });
        }
        if passed == before {
            break;
        }
    }
    replace(program, &passed);
}

fn of(arg: &Atom, f: &Func, own: &[Passed]) -> Passed {
    match arg {
        Atom::Var(v) => f.params.iter().position(|p| p == v).map_or(Passed::Various, |p| own[p]),
        number => Passed::Number(*number),
    }
}

fn both(a: Passed, b: Passed) -> Passed {
    match (a, b) {
        (Passed::Nothing, x) | (x, Passed::Nothing) => x,
        (Passed::Number(Atom::Int(x)), Passed::Number(Atom::Int(y))) if x == y => a,
        (Passed::Number(Atom::Float(x)), Passed::Number(Atom::Float(y))) if x.to_bits() == y.to_bits() => a,
        _ => Passed::Various,
    }
}

fn replace(program: &mut Program, passed: &[Vec<Passed>]) {
    for (f, passed) in program.funcs.iter_mut().zip(passed) {
        for (&var, passed) in f.params.iter().zip(passed) {
            if let Passed::Number(number) = passed {
                let copy = Bind { dst: vec![var], op: Op::Copy(*number), span: f.span };
                f.body.binds.insert(0, copy);
            }
        }
        leave_out(&mut f.params, passed);
    }
    for f in &mut program.funcs {
        each_mut(&mut f.body, &mut |bind| {
            if let Op::Call { func, args, .. } = &mut bind.op {
                leave_out(args, &passed[*func]);
            }
        });
        crate::passes::simplify::simplify_function(f);
    }
}

/// Those of a function's parameters, or of a call's arguments, that are not the same number in all calls.
fn leave_out<T>(list: &mut Vec<T>, passed: &[Passed]) {
    let mut of = passed.iter();
    list.retain(|_| !matches!(of.next(), Some(Passed::Number(_))));
}
