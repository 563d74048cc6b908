//! Strictness: which parameters a function surely needs for all its results and effects.
//!
//! A call can wait for such a parameter before it begins, and pass it along: no observable event is later
//! than otherwise. A result that is a cell or an array needs nothing, since it exists before its elements.
//! The effects of a function (stores, calls of functions that store) must need the parameter too. The
//! solution is the greatest fixed point, from all parameters downwards, so that recursion does not spoil it.

use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::HashMap;

/// A set of a function's parameters.
type Needs = u128;

/// Returns by function and parameter whether the function needs the parameter.
pub fn analyse(program: &Program) -> Vec<Vec<bool>> {
    let effects = effects(program);
    let mut strict: Vec<Needs> = program.funcs.iter().map(|f| all(f.params.len())).collect();
    loop {
        let next: Vec<Needs> =
            (0..program.funcs.len()).map(|f| of_func(program, f, &strict, &effects) & strict[f]).collect();
        if next == strict {
            break;
        }
        strict = next;
    }
    let bits = |(f, s): (&Func, &Needs)| (0..f.params.len()).map(|p| p < 128 && s >> p & 1 == 1).collect();
    program.funcs.iter().zip(&strict).map(bits).collect()
}

fn all(params: usize) -> Needs {
    if params >= 128 { Needs::MAX } else { (1 << params) - 1 }
}

/// Which functions have effects besides their results.
fn effects(program: &Program) -> Vec<bool> {
    fn block(b: &Block, known: &[bool]) -> bool {
        b.binds.iter().any(|bind| match &bind.op {
            Op::Store { .. } | Op::StoreField { .. } | Op::Io { .. } | Op::Apply { .. } => true,
            Op::Fetch { mode, .. } | Op::Field { mode, .. } => *mode == Mode::Take,
            Op::Call { func, .. } => known[*func],
            Op::If { then, other, .. } => with_stack(|| block(then, known) || block(other, known)),
            _ => false,
        })
    }
    let mut known = vec![false; program.funcs.len()];
    loop {
        let next: Vec<bool> = program.funcs.iter().map(|f| block(&f.body, &known)).collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

struct Finder<'a> {
    strict: &'a [Needs],
    effects: &'a [bool],
    needs: HashMap<Var, Needs>,
    top: Needs,
}

fn of_func(program: &Program, at: FuncId, strict: &[Needs], effects: &[bool]) -> Needs {
    let func = &program.funcs[at];
    let top = all(func.params.len());
    let mut finder = Finder { strict, effects, needs: HashMap::new(), top };
    for (p, &var) in func.params.iter().enumerate() {
        finder.needs.insert(var, if p < 128 { 1 << p } else { 0 });
    }
    // Names are used before their bindings, so the variables' equations too are solved from above.
    loop {
        let before = finder.needs.clone();
        finder.block(&func.body);
        if finder.needs == before {
            break;
        }
    }
    let results = func.body.results.iter().fold(top, |n, r| n & finder.atom(*r));
    results & finder.outputs(&func.body, 0)
}

impl Finder<'_> {
    fn atom(&self, atom: Atom) -> Needs {
        match atom {
            Atom::Var(v) => self.needs.get(&v).copied().unwrap_or(self.top),
            _ => 0,
        }
    }

    fn union(&self, atoms: &[Atom]) -> Needs {
        atoms.iter().fold(0, |n, a| n | self.atom(*a))
    }

    /// The parameters that are needed for a call to begin.
    fn call(&self, func: FuncId, args: &[Atom]) -> Needs {
        let needed = |p: usize| p < 128 && self.strict[func] >> p & 1 == 1;
        args.iter().enumerate().filter(|(p, _)| needed(*p)).fold(0, |n, (_, a)| n | self.atom(*a))
    }

    fn block(&mut self, block: &Block) {
        for bind in &block.binds {
            match &bind.op {
                Op::If { test, then, other } => {
                    with_stack(|| self.block(then));
                    with_stack(|| self.block(other));
                    let test = self.atom(*test);
                    for (n, &dst) in bind.dst.iter().enumerate() {
                        let both = self.atom(then.results[n]) & self.atom(other.results[n]);
                        self.needs.insert(dst, (test | both) & self.top);
                    }
                }
                Op::Call { func, args, .. } => {
                    let needs = self.call(*func, args);
                    bind.dst.iter().for_each(|&dst| {
                        self.needs.insert(dst, needs);
                    });
                }
                Op::Make { .. } | Op::Closure { .. } => {
                    self.needs.insert(bind.dst[0], 0);
                }
                Op::Apply { f, .. } => {
                    let needs = self.atom(*f);
                    self.needs.insert(bind.dst[0], needs);
                }
                op => {
                    let needs = self.union(&op.atoms());
                    bind.dst.iter().for_each(|&dst| {
                        self.needs.insert(dst, needs);
                    });
                }
            }
        }
    }

    /// The parameters that all effects of a block need, in an arm whose choice needs `tests`.
    fn outputs(&self, block: &Block, tests: Needs) -> Needs {
        block.binds.iter().fold(self.top, |out, bind| {
            out & match &bind.op {
                Op::Store { .. } | Op::StoreField { .. } | Op::Io { .. } => {
                    tests | self.union(&bind.op.atoms())
                }
                Op::Fetch { mode: Mode::Take, .. } | Op::Field { mode: Mode::Take, .. } => {
                    tests | self.union(&bind.op.atoms())
                }
                Op::Apply { f, .. } => tests | self.atom(*f),
                Op::Call { func, args, .. } if self.effects[*func] => tests | self.call(*func, args),
                Op::If { test, then, other } => {
                    let tests = tests | self.atom(*test);
                    with_stack(|| self.outputs(then, tests) & self.outputs(other, tests))
                }
                _ => self.top,
            }
        })
    }
}
