//! Inlines small functions, and functions that are called once: their bindings replace the calls.
//!
//! A call begins its function at once, and arguments and results may be late one by one; bindings of a block
//! run when their operands are available. So the bindings of the function, in place of the call, do the same.
//! Not inlined are
//!
//!   - calls with `join`, whose last result tells that the function has ended;
//!   - functions that do input or output, which run on processor 0;
//!   - recursive functions, except one that is called once and is recursive only by way of others.

use crate::core::binds::{each, each_mut, size};
use crate::core::calls::{callees, comes_back, reachable};
use crate::core::language::*;
use crate::passes::blame;
use crate::stack::with_stack;
use base::Span;
use std::collections::BTreeSet;

/// The most bindings of a small function.
const SMALL: usize = 14;
/// The most bindings, times the number of calls, of a function that is called rarely.
const ONCE: usize = 100;
/// The most bindings of a function into which calls are inlined.
const LARGEST: usize = 200;

struct Inliner {
    /// By function: the number of calls of it, in functions that can run.
    calls: Vec<usize>,
    /// By function: whether it is used as a value.
    value: Vec<bool>,
    /// By function: whether it is recursive.
    cyclic: Vec<bool>,
}

/// Rewrites all functions.
pub fn inline(program: &mut Program) {
    let count = program.funcs.len();
    let runs = reachable(program);
    let all: Vec<BTreeSet<FuncId>> = program.funcs.iter().map(callees).collect();
    let mut inliner =
        Inliner { calls: vec![0; count], value: vec![false; count], cyclic: vec![false; count] };
    for (f, func) in program.funcs.iter().enumerate().filter(|f| runs[f.0]) {
        inliner.note(&func.body);
        inliner.cyclic[f] = comes_back(&all, f, true);
    }
    for f in callees_first(program) {
        if !runs[f] {
            continue;
        }
        let mut func = std::mem::take(&mut program.funcs[f]);
        let mut body = std::mem::take(&mut func.body);
        let mut total = size(&body);
        inliner.block(program, f, &mut func, &mut body, &mut total);
        func.body = body;
        crate::passes::simplify::simplify_function(&mut func);
        program.funcs[f] = func;
    }
}

/// All functions, each after those that it calls, as far as there is such an order.
pub fn callees_first(program: &Program) -> Vec<FuncId> {
    let (mut seen, mut order) = (vec![false; program.funcs.len()], Vec::new());
    for root in 0..program.funcs.len() {
        let mut stack = vec![(root, false)];
        while let Some((f, done)) = stack.pop() {
            if done {
                order.push(f);
            } else if !std::mem::replace(&mut seen[f], true) {
                stack.push((f, true));
                stack
                    .extend(callees(&program.funcs[f]).into_iter().filter(|g| !seen[*g]).map(|g| (g, false)));
            }
        }
    }
    order
}

/// The bindings of a function in place of a call of it from function `f`.
pub fn expanded(f: &mut Func, callee: &Func, args: &[Atom], dst: &[Var], span: Span) -> Vec<Bind> {
    let body = renamed(&callee.body, f.vars);
    let copy = |dst: Var, from: Atom| Bind { dst: vec![dst], op: Op::Copy(from), span };
    let mut out: Vec<Bind> = callee.params.iter().zip(args).map(|(p, a)| copy(p + f.vars, *a)).collect();
    out.extend(body.binds);
    out.extend(dst.iter().zip(&body.results).map(|(d, r)| copy(*d, *r)));
    f.vars += callee.vars;
    out
}

/// The bindings with other numbers for their variables.
pub fn renamed(block: &Block, base: Var) -> Block {
    let mut block = block.clone();
    each_mut(&mut block, &mut |bind| bind.dst.iter_mut().for_each(|v| *v += base));
    block.map(&mut |atom| {
        if let Atom::Var(v) = atom {
            *v += base;
        }
    });
    block
}

impl Inliner {
    fn note(&mut self, block: &Block) {
        each(block, &mut |bind| match &bind.op {
            Op::Call { func, .. } => self.calls[*func] += 1,
            Op::Closure { func, .. } => self.value[*func] = true,
            _ => {}
        });
    }

    /// Whether a call of `g` in function `f`, which has `total` bindings, is replaced by the bindings of `g`.
    fn fits(&self, program: &Program, f: FuncId, g: FuncId, total: usize) -> bool {
        let callee = &program.funcs[g];
        if g == f
            || g == program.main
            || callee.io
            || callee.params.is_empty() && callee.body.binds.is_empty()
        {
            return false;
        }
        let once = self.calls[g] == 1 && !self.value[g];
        if self.cyclic[g] && (!once || callees(callee).contains(&g)) {
            return false;
        }
        let size = size(&callee.body);
        let small = size <= SMALL || size * self.calls[g] <= ONCE;
        small && total + size <= LARGEST
    }

    fn block(&mut self, program: &Program, f: FuncId, func: &mut Func, block: &mut Block, total: &mut usize) {
        let mut out = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            match &mut bind.op {
                Op::Call { func: g, args, join: false } if self.fits(program, f, *g, *total) => {
                    let callee = &program.funcs[*g];
                    *total += size(&callee.body);
                    if self.calls[*g] > 1 || self.value[*g] {
                        self.note(&callee.body);
                        self.calls[*g] -= 1;
                    }
                    let mut body = Block {
                        binds: expanded(func, callee, args, &bind.dst, bind.span),
                        results: Vec::new(),
                    };
                    blame::moved(&mut body, bind.span, program.user_from);
                    out.extend(body.binds);
                }
                Op::If { then, other, .. } => {
                    with_stack(|| {
                        self.block(program, f, func, then, total);
                        self.block(program, f, func, other, total);
                    });
                    out.push(bind);
                }
                _ => out.push(bind),
            }
        }
        block.binds = out;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::changed;

    fn calls_of(text: &str, caller: &str, callee: &str) -> (usize, usize) {
        let c = changed(text, inline);
        let to = |p: &Program| {
            crate::passes::testing::count(
                p,
                caller,
                |op| matches!(op, Op::Call { func, .. } if p.funcs[*func].name == callee),
            )
        };
        (to(&c.before), to(&c.after))
    }

    #[test]
    fn small_functions_and_those_that_are_called_once_go() {
        assert_eq!(calls_of("def small x = x * x + 1; small argc + small 3;", "main", "small"), (2, 0));
        let long = format!("def once x = x{}; once argc;", "*x+1".repeat(30));
        assert_eq!(calls_of(&long, "main", "once"), (1, 0));
    }

    #[test]
    fn what_comes_back_to_itself_stays() {
        let text = "def deep n = if n == 0 then 0 else 1 + deep (n - 1); deep argc;";
        assert_eq!(calls_of(text, "deep", "deep"), (1, 1));
        assert_eq!(calls_of(text, "main", "deep"), (1, 1));
    }

    #[test]
    fn arguments_and_results_may_need_each_other() {
        let text = "def both x = (x + 1, 5); { a, b = both b In a };";
        assert_eq!(calls_of(text, "main", "both"), (1, 0));
    }
}
