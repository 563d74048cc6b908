//! Parameters that are the same number in all calls.
//!
//! Such a parameter is removed, and the function uses the number, which is never late. Examples are the step
//! of a loop, and the first index of a loop over constant bounds. A parameter that a function passes on to
//! itself has the value that the other calls pass. The parameters of functions that are used as values stay,
//! since the callers are unknown. So does the last index of a loop without results, whose passes can be given
//! to another processor by changing it.

use crate::core::binds::{each, each_mut};
use crate::core::calls::reachable;
use crate::core::language::*;

/// The arguments that calls pass for a parameter.
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

/// Removes the parameters of a function, or the arguments of a call, that are the same number in all calls.
fn leave_out<T>(list: &mut Vec<T>, passed: &[Passed]) {
    let mut of = passed.iter();
    list.retain(|_| !matches!(of.next(), Some(Passed::Number(_))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{changed, named};

    fn params(text: &str, name: &str) -> (usize, usize) {
        let c = changed(text, constants);
        let of = |p: &Program| named(p, name).next().map_or(0, |f| f.params.len());
        (of(&c.before), of(&c.after))
    }

    const GO: &str = "def go n step s = if n <= 0 then s else go (n - step) step (s + step);";

    #[test]
    fn a_parameter_that_is_always_the_same_number_goes() {
        assert_eq!(params(&format!("{GO} go (argc + 9) 3 0;"), "go"), (3, 2));
        assert_eq!(params(&format!("{GO} go (argc + 9) 3 0 + go (argc + 5) 3 1;"), "go"), (3, 2));
    }

    #[test]
    fn other_parameters_stay() {
        assert_eq!(params(&format!("{GO} go (argc + 9) 3 0 + go (argc + 5) 2 0;"), "go"), (3, 3));
        // Whoever gets the function may call it with other numbers.
        let text =
            "def add x y = if x > 100 then add (x - 1) 5 else x + y; def on f = f 1 argc; on add + add 1 5;";
        assert_eq!(params(text, "add"), (2, 2));
    }

    #[test]
    fn the_last_index_of_a_loop_that_gives_nothing_stays() {
        let text = "{ a = 1d_I_array (1,9); {for i <- 1 to 9 do a[i] = argc} In a[3] };";
        let last = |p: &Program| {
            let compares = |bind: &Bind, f: &Func| match &bind.op {
                Op::Prim(Prim::LeI, args) => f.params.iter().any(|p| args[1] == Atom::Var(*p)),
                _ => false,
            };
            named(p, "loop").any(|f| f.results == 0 && f.body.binds.iter().any(|b| compares(b, f)))
        };
        assert!(last(&changed(text, constants).after));
    }
}
