//! Makes functions return the fields of a cell in place of the cell.
//!
//! The function must return a cell of the same constructor in all cases. Each of the new results may be late,
//! as a field of a cell may be. So a use of a field waits for the same value, and a use of the cell alone
//! waits no longer. If the caller needs the cell, it makes the cell of the results. A function that never
//! returns has no constructor, and stays as it is.

use super::{Cells, Shape, cells, made_of_new};
use crate::core::binds::uses;
use crate::core::calls::reachable;
use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::BTreeMap;

/// The form of a result of a block.
#[derive(Clone, Copy, PartialEq)]
enum Given {
    /// There never is a result.
    Never,
    Cell(Shape),
    Other,
}

impl Given {
    fn or(self, other: Given) -> Given {
        match (self, other) {
            (Given::Never, x) | (x, Given::Never) => x,
            (x, y) if x == y => x,
            _ => Given::Other,
        }
    }
}

/// Makes functions that return fields, and calls these.
pub fn give(program: &mut Program) {
    let runs = reachable(program);
    let mut shapes = vec![Given::Never; program.funcs.len()];
    solve(program, &runs, &mut shapes);
    // A function that never returns has no shape for its callers.
    shapes.iter_mut().filter(|s| **s == Given::Never).for_each(|s| *s = Given::Other);
    solve(program, &runs, &mut shapes);
    let mut workers = BTreeMap::new();
    for (f, shape) in shapes.iter().enumerate() {
        if let Given::Cell(shape) = shape {
            workers.insert(f, (program.funcs.len() + workers.len(), *shape));
        }
    }
    for (&f, &(_, shape)) in &workers {
        let worker = worker(&program.funcs[f], shape, &workers);
        program.funcs.push(worker);
    }
    for f in &mut program.funcs {
        let mut body = std::mem::take(&mut f.body);
        make_again(&mut body, &mut f.vars, &workers);
        f.body = body;
    }
    crate::passes::cells::forward(program);
}

/// Computes the shapes of the results of functions, from the present ones downwards, to a fixed point.
fn solve(program: &Program, runs: &[bool], shapes: &mut Vec<Given>) {
    loop {
        let of = |f: FuncId| match &program.funcs[f] {
            _ if shapes[f] == Given::Other => Given::Other,
            func if func.results == 1 && !func.io && runs[f] => Finder::new(func, shapes).function(),
            _ => Given::Other,
        };
        let next: Vec<Given> = (0..program.funcs.len()).map(of).collect();
        if next == *shapes {
            return;
        }
        *shapes = next;
    }
}

type Workers = BTreeMap<FuncId, (FuncId, Shape)>;

struct Finder<'a> {
    func: &'a Func,
    shapes: &'a [Given],
    cells: Cells,
    uses: Vec<u32>,
}

impl<'a> Finder<'a> {
    fn new(func: &'a Func, shapes: &'a [Given]) -> Self {
        Finder { func, shapes, cells: cells(&func.body), uses: uses(func) }
    }

    fn function(&self) -> Given {
        self.given(&self.func.body, 0)
    }

    /// The form of result number `n` of a block.
    fn given(&self, block: &Block, n: usize) -> Given {
        let Atom::Var(v) = block.results[n] else {
            // An arm that fails has a number as a formal result.
            let fails = block.binds.iter().any(|b| matches!(b.op, Op::Fail { .. }));
            return if fails { Given::Never } else { Given::Other };
        };
        if self.uses[v] != 1 {
            return Given::Other;
        }
        if let Some((tag, fields)) = self.cells.get(&v) {
            return Given::Cell((*tag, fields.len()));
        }
        let Some(bind) = block.binds.iter().find(|b| b.dst.contains(&v)) else { return Given::Other };
        match &bind.op {
            Op::If { then, other, .. } => {
                let at = bind.dst.iter().position(|d| *d == v).unwrap_or(0);
                with_stack(|| self.given(then, at).or(self.given(other, at)))
            }
            Op::Call { func, join: false, .. } if bind.dst.len() == 1 => self.shapes[*func],
            _ => Given::Other,
        }
    }
}

/// The function that returns the fields.
fn worker(f: &Func, shape: Shape, workers: &Workers) -> Func {
    let mut f = f.clone();
    let cells = cells(&f.body);
    let mut body = std::mem::take(&mut f.body);
    let fields = Expander { cells, workers, count: shape.1, vars: &mut f.vars }.expand(&mut body, 0);
    body.results = fields;
    f.body = body;
    f.results = shape.1;
    f
}

struct Expander<'a> {
    cells: Cells,
    workers: &'a Workers,
    count: usize,
    vars: &'a mut usize,
}

impl Expander<'_> {
    fn fresh(&mut self) -> Vec<Var> {
        *self.vars += self.count;
        (*self.vars - self.count..*self.vars).collect()
    }

    /// The fields of the cell that is result number `n` of a block.
    fn expand(&mut self, block: &mut Block, n: usize) -> Vec<Atom> {
        let Atom::Var(v) = block.results[n] else { return vec![Atom::Int(0); self.count] };
        if let Some((_, fields)) = self.cells.get(&v) {
            return fields.clone();
        }
        let fields = self.fresh();
        for bind in block.binds.iter_mut().filter(|b| b.dst.contains(&v)) {
            let at = bind.dst.iter().position(|d| *d == v).unwrap_or(0);
            bind.dst.splice(at..=at, fields.iter().copied());
            match &mut bind.op {
                Op::If { then, other, .. } => with_stack(|| {
                    for arm in [then, other] {
                        let given = self.expand(arm, at);
                        arm.results.splice(at..=at, given);
                    }
                }),
                Op::Call { func, .. } => {
                    if let Some(worker) = self.workers.get(func) {
                        *func = worker.0;
                    }
                }
                _ => {}
            }
        }
        fields.into_iter().map(Atom::Var).collect()
    }
}

/// Calls the functions that return fields, and makes the cells of these.
fn make_again(block: &mut Block, vars: &mut usize, workers: &Workers) {
    let mut out = Vec::with_capacity(block.binds.len());
    for mut bind in std::mem::take(&mut block.binds) {
        let mut cell = None;
        match &mut bind.op {
            Op::Call { func, join: false, .. } => {
                if let (Some(&(worker, shape)), [v]) = (workers.get(func), &bind.dst[..]) {
                    let (fields, made) = made_of_new(vars, *v, shape, bind.span);
                    cell = Some(made);
                    *func = worker;
                    bind.dst = fields;
                }
            }
            Op::If { then, other, .. } => with_stack(|| {
                make_again(then, vars, workers);
                make_again(other, vars, workers);
            }),
            _ => {}
        }
        out.push(bind);
        out.extend(cell);
    }
    block.binds = out;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::changed;

    /// Runs the pass, and removes the cells that are not used any more.
    fn give_fields(program: &mut Program) {
        give(program);
        crate::passes::simplify::simplify(program);
    }

    fn cells_made(text: &str) -> (usize, usize) {
        changed(text, give_fields).counts("f", |op| matches!(op, Op::Make { .. }))
    }

    #[test]
    fn a_function_that_gives_a_cell_whatever_happens_gives_the_fields() {
        assert_eq!(
            cells_made("def f n = if n == 0 then (0,1) else (n,2); { a, b = f argc In a + b };"),
            (2, 0)
        );
        let text = "def f n = if n > 3 then (n, n) else f (n + 1); { a, b = f argc In a + b };";
        assert_eq!(cells_made(text), (1, 0), "itself gives it too");
    }

    #[test]
    fn a_function_that_gives_other_values_too_makes_its_cells() {
        assert_eq!(cells_made("def f n = if n == 0 then Nil else n:Nil; f argc;"), (1, 1));
    }

    #[test]
    fn a_field_may_come_from_another_that_needs_it() {
        assert_eq!(cells_made("def f x = (x * 2, 21); { a, b = f b In a };"), (1, 0));
    }
}
