//! Specialises functions for the functions that are passed to them.
//!
//! If a call passes a closure that the caller has made, the callee is copied for it: the copy takes the
//! captured values in place of the closure, and its applications become calls. Loops and comprehensions over
//! `f` are specialised in this way, since they pass `f` on to themselves. The meaning stays: captured values
//! may be late, and so may arguments of calls. If the copy uses the function in another way, it makes the
//! closure itself.

use crate::core::binds::{each, each_mut};
use crate::core::calls::smallest;
use crate::core::language::*;
use std::collections::{BTreeSet, HashMap};

/// The most copies of functions, besides four for each function.
const SPARE_COPIES: usize = 100;
/// The most bindings of a function that is copied.
const LARGEST: usize = 400;

/// A function, and for some parameters the function of the closure that is passed and the number of its
/// captured values.
type Key = (FuncId, Vec<(usize, FuncId, usize)>);

struct Copies {
    program: Program,
    made: HashMap<Key, FuncId>,
    /// By function: the parameters that it applies, or passes on as parameters that are applied.
    applied: Vec<BTreeSet<usize>>,
    most: usize,
}

/// The program with copies of functions for the closures that are passed to them.
pub fn specialise(program: &Program) -> Program {
    let most = 5 * program.funcs.len() + SPARE_COPIES;
    let applied = applied(program);
    let mut copies = Copies { program: program.clone(), made: HashMap::new(), applied, most };
    let mut at = 0;
    while at < copies.program.funcs.len() {
        copies.function(at);
        at += 1;
    }
    copies.program.funcs.iter_mut().for_each(crate::passes::simplify::simplify_function);
    copies.program
}

/// By function: the parameters that it applies, or passes on as parameters that are applied. The least fixed
/// point.
fn applied(program: &Program) -> Vec<BTreeSet<usize>> {
    smallest(program, |n, found: &[BTreeSet<usize>]| {
        let f = &program.funcs[n];
        let param = |a: &Atom| match a {
            Atom::Var(v) => f.params.iter().position(|p| p == v),
            _ => None,
        };
        let mut own = BTreeSet::new();
        each(&f.body, &mut |bind| match &bind.op {
            Op::Apply { f, .. } => own.extend(param(f)),
            Op::Call { func, args, .. } => {
                own.extend(found[*func].iter().filter_map(|&p| param(args.get(p)?)));
            }
            _ => {}
        });
        own
    })
}

impl Copies {
    /// Rewrites the calls and applications of a function whose closures are known.
    fn function(&mut self, at: FuncId) {
        let mut closures: HashMap<Var, (FuncId, Vec<Atom>)> = HashMap::new();
        each(&self.program.funcs[at].body, &mut |bind| {
            if let Op::Closure { func, args } = &bind.op {
                closures.insert(bind.dst[0], (*func, args.clone()));
            }
        });
        if closures.is_empty() {
            return;
        }
        let mut body = self.program.funcs[at].body.clone();
        each_mut(&mut body, &mut |bind| self.bind(bind, &closures));
        self.program.funcs[at].body = body;
    }

    fn bind(&mut self, bind: &mut Bind, closures: &HashMap<Var, (FuncId, Vec<Atom>)>) {
        let known = |a: &Atom| match a {
            Atom::Var(v) => closures.get(v),
            _ => None,
        };
        match &bind.op {
            Op::Apply { f, args } => {
                let Some((func, held)) = known(f) else { return };
                let callee = &self.program.funcs[*func];
                if callee.io || callee.results != 1 || held.len() + args.len() != callee.params.len() {
                    return;
                }
                let args = [&held[..], &args[..]].concat();
                bind.op = Op::Call { func: *func, args, join: false };
                // The arguments of this call may be closures.
                self.bind(bind, closures);
            }
            Op::Call { func, args, join } => {
                let mut passed = Vec::new();
                for &p in &self.applied[*func] {
                    if let Some((k, held)) = args.get(p).and_then(known)
                        && !self.program.funcs[*k].io
                    {
                        passed.push((p, *k, held.len()));
                    }
                }
                let (func, join) = (*func, *join);
                if passed.is_empty() {
                    return;
                }
                let Some(copy) = self.copy(func, &passed) else { return };
                let mut all = Vec::new();
                for (p, arg) in args.iter().enumerate() {
                    match known(arg).filter(|_| passed.iter().any(|q| q.0 == p)) {
                        Some((_, held)) => all.extend_from_slice(held),
                        None => all.push(*arg),
                    }
                }
                bind.op = Op::Call { func: copy, args: all, join };
            }
            _ => {}
        }
    }

    /// The copy of a function for these closures; none if there are too many copies, or the function is too
    /// large.
    fn copy(&mut self, func: FuncId, passed: &[(usize, FuncId, usize)]) -> Option<FuncId> {
        let key = (func, passed.to_vec());
        if let Some(&made) = self.made.get(&key) {
            return Some(made);
        }
        let mut size = 0;
        each(&self.program.funcs[func].body, &mut |_| size += 1);
        if self.program.funcs.len() >= self.most || size > LARGEST {
            return None;
        }
        let mut f = self.program.funcs[func].clone();
        let (mut params, mut made) = (Vec::new(), Vec::new());
        let mut applied = BTreeSet::new();
        for (p, &var) in f.params.iter().enumerate() {
            let Some(&(_, k, count)) = passed.iter().find(|q| q.0 == p) else {
                if self.applied[func].contains(&p) {
                    applied.insert(params.len());
                }
                params.push(var);
                continue;
            };
            let held: Vec<Var> = (f.vars..f.vars + count).collect();
            f.vars += count;
            for (n, &v) in held.iter().enumerate() {
                // A captured value may be a function that the closure's function applies.
                if self.applied[k].contains(&n) {
                    applied.insert(params.len());
                }
                params.push(v);
            }
            let args = held.into_iter().map(Atom::Var).collect();
            made.push(Bind { dst: vec![var], op: Op::Closure { func: k, args }, span: f.span });
        }
        f.params = params;
        f.body.binds.splice(0..0, made);
        let number = self.program.funcs.len();
        self.made.insert(key, number);
        self.applied.push(applied);
        self.program.funcs.push(f);
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::changed;

    fn applications(text: &str) -> (usize, usize) {
        changed(text, |p| *p = specialise(p)).counts("f", |op| matches!(op, Op::Apply { .. }))
    }

    #[test]
    fn applications_of_a_closure_that_is_passed_become_calls() {
        assert_eq!(applications("def f g x = g (g x); f {fun y = y * 3 + argc} argc;"), (2, 0));
        let again = "def f g n = if n == 0 then 1 else g (f g (n - 1)); f ((+) argc) 4;";
        assert_eq!(applications(again), (1, 0), "the function passes it on to itself");
    }

    #[test]
    fn a_function_that_is_not_known_is_applied() {
        let text = "def f g x = g x; def a x = x + 1; def b x = x * 7; f (if argc > 3 then a else b) 2;";
        assert_eq!(applications(text), (1, 1));
    }
}
