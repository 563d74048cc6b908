//! Makes loops of functions that return a cell with the result of a call of themselves in it (tail recursion
//! modulo cons).
//!
//! `f x = if … then Nil else g x : f (x + 1)` makes a call that is not at its end: on the C stack the cells
//! of a list would be made after all calls, from the last to the first. But a call begins at once, and a cell
//! exists before its fields. So `f` can return the cell with the field empty, and leave it to a function that
//! gets the cell: `fill x c` stores the value of `f x` into the field of `c`. If this value is a cell of the
//! same kind, `fill` stores the cell and calls itself for the new one, at its end: a loop, without stack. `f`
//! makes the first cell, and calls `fill`.
//!
//! Observable behaviour is the same. A reader of the field waits for the store in place of the value. The
//! first cell exists before the value, as in the code of threads. Functions that call each other, as those of
//! nested generators do, are treated in the same way.
//!
//! Comprehensions call themselves before it is known whether there is a cell
//! (`{: x || x <- xs when p x}`). If both arms of the conditional use the result, and nothing else does, the
//! call is made in the arms. It then begins after the test is known. This cannot be observed if the function
//! only computes, or fails, because its result reaches others only by way of the arms.

use crate::core::binds::{each, uses};
use crate::core::calls::{callees, reachable, reached_from, smallest};
use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::{BTreeMap, BTreeSet};

/// Makes all such functions loops. The filling functions are added after the others.
pub fn tails(program: &mut Program) {
    let delays = delays(program);
    let acts = smallest(program, |n, found: &[bool]| acts(&program.funcs[n], delays, found));
    for group in groups(program) {
        let first = program.funcs.len();
        let fill: BTreeMap<FuncId, FuncId> = group.iter().copied().zip(first..).collect();
        // The field is the same in the whole group.
        let at = group.iter().find_map(|n| {
            let mut t = Tails::new(&program.funcs[*n], &fill, !acts[*n]);
            t.block(&mut program.funcs[*n].body.clone());
            t.at
        });
        let Some(at) = at else { continue };
        for &n in &group {
            let f = &program.funcs[n];
            let (gives, fills) =
                (taken_apart(f, &fill, !acts[n], at, false), taken_apart(f, &fill, !acts[n], at, true));
            program.funcs[n] = gives;
            program.funcs.push(fills);
        }
    }
}

/// The groups of functions that call each other, directly or not, and have one result.
fn groups(program: &Program) -> Vec<Vec<FuncId>> {
    let all: Vec<BTreeSet<FuncId>> = program.funcs.iter().map(callees).collect();
    let reached: Vec<BTreeSet<FuncId>> = (0..all.len()).map(|f| reached_from(&all, f)).collect();
    let fits = |f: &FuncId| program.funcs[*f].results == 1 && !program.funcs[*f].io && *f != program.main;
    let mut groups = Vec::new();
    for f in 0..all.len() {
        let group: Vec<FuncId> = reached[f].iter().copied().filter(|g| reached[*g].contains(&f)).collect();
        // Each group counts once, by its first function.
        if group.first() == Some(&f) {
            groups.push(group.into_iter().filter(fits).collect());
        }
    }
    groups
}

/// Whether some field is delayed: a read of a field may then begin any function.
fn delays(program: &Program) -> bool {
    let runs = reachable(program);
    let mut found = false;
    for (f, _) in program.funcs.iter().zip(runs).filter(|f| f.1) {
        each(&f.body, &mut |bind| {
            if let Op::Make { fields, .. } = &bind.op {
                found |= fields.iter().any(|f| matches!(f, Init::Delayed(_)));
            }
        });
    }
    found
}

/// Whether a function has effects besides its result.
fn acts(f: &Func, delays: bool, found: &[bool]) -> bool {
    let mut acts = f.io;
    each(&f.body, &mut |bind| {
        acts |= match &bind.op {
            Op::Store { .. } | Op::StoreField { .. } | Op::Apply { .. } | Op::Io { .. } => true,
            Op::Field { mode, .. } => delays || *mode != Mode::I,
            Op::Fetch { mode, .. } => *mode != Mode::I,
            Op::Call { func, .. } => found[*func],
            _ => false,
        };
    });
    acts
}

/// Makes the function that returns the first cell, or (`fills`) the one that fills field `at` of a cell.
fn taken_apart(f: &Func, fill: &BTreeMap<FuncId, FuncId>, sinks: bool, at: usize, fills: bool) -> Func {
    let mut t = Tails { at: Some(at), ..Tails::new(f, fill, sinks) };
    let mut f = f.clone();
    if fills {
        f.params.push(f.vars);
        f.results = 0;
        t.cell = Some(f.vars);
        t.vars += 1;
        t.uses.push(0);
    }
    t.block(&mut f.body);
    f.vars = t.vars;
    f
}

/// Rewrites a function.
struct Tails<'a> {
    /// The filling functions, by those that return their results.
    fill: &'a BTreeMap<FuncId, FuncId>,
    /// Whether calls may be made in the arms that use them.
    sinks: bool,
    /// The number of uses of each variable of the function.
    uses: Vec<u32>,
    vars: usize,
    /// The cell that the function fills; none if it returns its result.
    cell: Option<Var>,
    /// The field of such cells; none if no such cell has been seen.
    at: Option<usize>,
}

impl<'a> Tails<'a> {
    fn new(f: &Func, fill: &'a BTreeMap<FuncId, FuncId>, sinks: bool) -> Self {
        Tails { fill, sinks, uses: uses(f), vars: f.vars, cell: None, at: None }
    }

    fn is_own(&self, op: &Op) -> bool {
        matches!(op, Op::Call { func, join: false, .. } if self.fill.contains_key(func))
    }

    /// Turns a call into one of the filling function.
    fn fills(&self, bind: &mut Bind, cell: Atom) {
        bind.dst.clear();
        if let Op::Call { func, args, .. } = &mut bind.op {
            *func = self.fill[func];
            args.push(cell);
        }
    }

    /// Rewrites a block whose result is the function's.
    fn block(&mut self, block: &mut Block) {
        with_stack(|| self.block_now(block));
    }

    fn block_now(&mut self, block: &mut Block) {
        let result = block.results[0];
        let maker = block.binds.iter().position(|b| matches!(result, Atom::Var(v) if b.dst == [v]));
        let Some(n) = maker else { return self.give(block) };
        match block.binds[n].op {
            Op::If { .. } if self.uses_of(result) == 1 => {
                self.sink(block, n);
                // The call that has moved into the arms may have stood before this binding.
                let n = block.binds.iter().position(|b| matches!(result, Atom::Var(v) if b.dst == [v]));
                self.arms(block, n.expect("the conditional stays"));
            }
            Op::Make { .. } => self.make(block, n),
            Op::Call { .. } if self.is_own(&block.binds[n].op) && self.uses_of(result) == 1 => {
                self.call(block, n)
            }
            _ => self.give(block),
        }
    }

    fn uses_of(&self, atom: Atom) -> u32 {
        match atom {
            Atom::Var(v) => self.uses[v],
            _ => 0,
        }
    }

    fn arms(&mut self, block: &mut Block, n: usize) {
        let bind = &mut block.binds[n];
        if let Op::If { then, other, .. } = &mut bind.op {
            self.block(then);
            self.block(other);
        }
        if self.cell.is_some() {
            bind.dst.clear();
            block.results.clear();
        }
    }

    /// Rewrites a block whose result is not a cell with a call in it.
    fn give(&mut self, block: &mut Block) {
        if let (Some(cell), Some(at)) = (self.cell, self.at) {
            let value = block.results[0];
            let span = block.binds.last().map_or(base::Span::default(), |b| b.span);
            let op = Op::StoreField { cell: Atom::Var(cell), at, value, mode: Mode::I };
            block.binds.push(Bind { dst: Vec::new(), op, span });
            block.results.clear();
        }
    }

    /// Rewrites a block whose result is that of a call.
    fn call(&mut self, block: &mut Block, n: usize) {
        let Some(cell) = self.cell else { return };
        self.fills(&mut block.binds[n], Atom::Var(cell));
        block.results.clear();
    }

    /// Rewrites a block whose result is a new cell.
    fn make(&mut self, block: &mut Block, n: usize) {
        let Op::Make { fields, .. } = &block.binds[n].op else { return };
        let is_own = |atom: Atom| {
            let own = |b: &Bind| self.is_own(&b.op) && matches!(atom, Atom::Var(v) if b.dst == [v]);
            block.binds.iter().position(own).filter(|_| self.uses_of(atom) == 1)
        };
        let found = fields.iter().enumerate().rev().find_map(|(at, field)| match field {
            Init::Value(atom) if self.at.is_none_or(|known| known == at) => {
                is_own(*atom).map(|call| (at, call))
            }
            _ => None,
        });
        let Some((at, call)) = found else { return self.give(block) };
        self.at = Some(at);
        let made = block.results[0];
        if let Op::Make { fields, .. } = &mut block.binds[n].op {
            fields[at] = Init::Empty;
        }
        self.fills(&mut block.binds[call], made);
        self.give(block);
        // The call comes after the store of the cell that it fills: at the function's end, where it is a
        // loop.
        let call = block.binds.remove(call);
        block.binds.push(call);
    }

    /// Moves a call of the function into the arms of a conditional, if both arms use its result and nothing
    /// else does.
    fn sink(&mut self, block: &mut Block, n: usize) {
        if !self.sinks {
            return;
        }
        let Op::If { then, other, .. } = &block.binds[n].op else { return };
        let in_arms = |bind: &Bind| {
            let &[v] = &bind.dst[..] else { return None };
            let (a, b) = (count(then, v), count(other, v));
            (self.is_own(&bind.op) && a > 0 && b > 0 && a + b == self.uses[v]).then_some((v, a, b))
        };
        let Some((call, (v, a, b))) =
            block.binds.iter().enumerate().find_map(|(n, bind)| in_arms(bind).map(|found| (n, found)))
        else {
            return;
        };
        let mut bind = block.binds[call].clone();
        let again = self.vars;
        self.vars += 1;
        self.uses[v] = a;
        self.uses.push(b);
        if let Op::If { then, other, .. } = &mut block.binds[n].op {
            then.binds.push(bind.clone());
            other.map(&mut |atom| {
                if *atom == Atom::Var(v) {
                    *atom = Atom::Var(again);
                }
            });
            bind.dst = vec![again];
            other.binds.push(bind);
        }
        block.binds.remove(call);
    }
}

/// How often a variable is an operand or a result in a block.
fn count(block: &Block, v: Var) -> u32 {
    let mut block = block.clone();
    let mut found = 0;
    block.map(&mut |atom| found += u32::from(*atom == Atom::Var(v)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{changed, named};

    /// The number of functions of the name `f` that fill a cell and have no result.
    fn fill(text: &str) -> (usize, usize) {
        let c = changed(text, tails);
        let of = |p: &Program| named(p, "f").filter(|f| f.results == 0).count();
        (of(&c.before), of(&c.after))
    }

    #[test]
    fn a_call_within_a_cell_fills_it() {
        assert_eq!(fill("def f n = if n == 0 then Nil else n : f (n - 1); f (argc + 4);"), (0, 1));
    }

    #[test]
    fn a_call_before_its_use_is_known_moves_into_the_arms() {
        let text =
            "def f Nil = Nil | f (x:xs) = { r = f xs In if x > 2 then x : r else r }; f (1:2:3:4:Nil);";
        assert_eq!(fill(text), (0, 1));
    }

    #[test]
    fn a_result_that_is_used_otherwise_is_waited_for() {
        let text = "def f n = if n == 0 then Nil else { r = f (n - 1) In (length r) : r }; f 3;";
        assert_eq!(fill(text), (0, 0));
    }
}
