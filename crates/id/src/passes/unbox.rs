//! Cells in registers: functions take the fields of a cell in place of the cell, and return them.
//!
//! If a call passes a cell that the caller has made to a function that only takes it apart, the call goes to
//! a copy of the function that takes the fields. If a function returns a cell of the same constructor in all
//! cases, a copy of it returns the fields; its callers make the cell, if they need it at all. Arguments and
//! results may be late one by one, as fields may, so no binding waits for longer.

use crate::core::binds::{each, each_mut, size, uses};
use crate::core::calls::reachable;
use crate::core::language::*;
use base::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap};

mod give;

pub use give::give;

/// The most fields of a cell.
const MOST_FIELDS: usize = 8;
/// The most parameters of a function.
const MOST_PARAMS: usize = 20;
/// The most bindings of a function that is copied.
const LARGEST: usize = 200;
/// The most functions after the pass, as a multiple of those before it.
const GROWTH: usize = 3;

/// A cell: the number of its constructor, and how many fields it has.
type Shape = (usize, usize);
/// By variable: the number of a cell's constructor, and its fields.
type Cells = HashMap<Var, (usize, Vec<Atom>)>;
/// A function, and the cells that its parameters are.
type Key = (FuncId, BTreeMap<usize, Shape>);

/// Makes copies of functions that take fields, and calls these copies.
pub fn take(program: &mut Program) {
    let taken = taken(program);
    let runs = reachable(program);
    let most = GROWTH * program.funcs.len();
    let mut made: HashMap<Key, FuncId> = HashMap::new();
    let mut at = 0;
    while at < program.funcs.len() {
        if at >= runs.len() || runs[at] {
            // The function stays whole meanwhile: it may be copied for a call of its own.
            let mut body = program.funcs[at].body.clone();
            let cells = cells(&body);
            each_mut(&mut body, &mut |bind| call(program, &taken, &mut made, most, &cells, &mut bind.op));
            program.funcs[at].body = body;
        }
        at += 1;
    }
    crate::passes::cells::forward(program);
}

/// The cells that a function makes of values.
fn cells(body: &Block) -> Cells {
    let mut found = Cells::new();
    each(body, &mut |bind| {
        if let Op::Make { tag, fields } = &bind.op
            && let Some(fields) = values(fields)
        {
            found.insert(bind.dst[0], (*tag, fields));
        }
    });
    found
}

/// The fields of a cell that is made of values alone.
fn values(fields: &[Init]) -> Option<Vec<Atom>> {
    let value = |f: &Init| match f {
        Init::Value(a) => Some(*a),
        _ => None,
    };
    fields.iter().map(value).collect::<Option<Vec<Atom>>>().filter(|f| (1..=MOST_FIELDS).contains(&f.len()))
}

/// By function: the parameters that it only takes apart, or passes on as parameters that are only taken
/// apart. The greatest fixed point.
fn taken(program: &Program) -> Vec<BTreeSet<usize>> {
    let all = |f: &Func| {
        let uses = uses(f);
        (0..f.params.len()).filter(|p| !f.io && uses[f.params[*p]] > 0).collect()
    };
    let mut found: Vec<BTreeSet<usize>> = program.funcs.iter().map(all).collect();
    loop {
        let mut changed = false;
        for (n, f) in program.funcs.iter().enumerate() {
            let other = other_uses(f, &found);
            let before = found[n].len();
            found[n].retain(|p| !other.contains(&f.params[*p]));
            changed |= found[n].len() < before;
        }
        if !changed {
            return found;
        }
    }
}

/// The variables that a function uses in another way.
fn other_uses(f: &Func, taken: &[BTreeSet<usize>]) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    let add = &mut |atom: &Atom| {
        if let Atom::Var(v) = atom {
            found.insert(*v);
        }
    };
    f.body.results.iter().for_each(&mut *add);
    each(&f.body, &mut |bind| match &bind.op {
        Op::Field { mode: Mode::I, .. } | Op::Prim(Prim::HasFields, _) => {}
        Op::Call { func, args, .. } => {
            args.iter().enumerate().filter(|a| !taken[*func].contains(&a.0)).for_each(|a| add(a.1));
        }
        op => {
            op.atoms().iter().for_each(&mut *add);
            if let Op::If { then, other, .. } = op {
                then.results.iter().chain(&other.results).for_each(&mut *add);
            }
        }
    });
    found
}

/// Passes the fields of cells that are known, if the operation is a call that can.
fn call(
    program: &mut Program,
    taken: &[BTreeSet<usize>],
    made: &mut HashMap<Key, FuncId>,
    most: usize,
    cells: &Cells,
    op: &mut Op,
) {
    let Op::Call { func, args, .. } = op else { return };
    let Some(taken) = taken.get(*func) else { return };
    let known = |p: usize| match args.get(p) {
        Some(Atom::Var(v)) if taken.contains(&p) => cells.get(v),
        _ => None,
    };
    let passed: BTreeMap<usize, Shape> =
        (0..args.len()).filter_map(|p| known(p).map(|(tag, fields)| (p, (*tag, fields.len())))).collect();
    if passed.is_empty() {
        return;
    }
    let mut all = Vec::new();
    for (p, arg) in args.iter().enumerate() {
        match known(p) {
            Some((_, fields)) => all.extend_from_slice(fields),
            None => all.push(*arg),
        }
    }
    if all.len() > MOST_PARAMS {
        return;
    }
    if let Some(copy) = copy(program, made, most, *func, passed) {
        *func = copy;
        *args = all;
    }
}

/// New variables, and the binding of the cell that is made of them.
fn made_of_new(vars: &mut usize, cell: Var, (tag, count): Shape, span: Span) -> (Vec<Var>, Bind) {
    let new: Vec<Var> = (*vars..*vars + count).collect();
    *vars += count;
    let fields = new.iter().map(|v| Init::Value(Atom::Var(*v))).collect();
    (new, Bind { dst: vec![cell], op: Op::Make { tag, fields }, span })
}

fn copy(
    program: &mut Program,
    made: &mut HashMap<Key, FuncId>,
    most: usize,
    func: FuncId,
    passed: BTreeMap<usize, Shape>,
) -> Option<FuncId> {
    let key = (func, passed);
    if let Some(&copy) = made.get(&key) {
        return Some(copy);
    }
    let mut f = program.funcs[func].clone();
    if program.funcs.len() >= most || size(&f.body) > LARGEST {
        return None;
    }
    let mut params = Vec::new();
    for (p, &var) in f.params.iter().enumerate() {
        let Some(&(tag, count)) = key.1.get(&p) else {
            params.push(var);
            continue;
        };
        let (fields, cell) = made_of_new(&mut f.vars, var, (tag, count), f.span);
        params.extend(fields);
        f.body.binds.insert(0, cell);
    }
    f.params = params;
    program.funcs.push(f);
    made.insert(key, program.funcs.len() - 1);
    Some(program.funcs.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{changed, named};

    fn fields(text: &str) -> (usize, usize) {
        changed(text, take).counts("f", |op| matches!(op, Op::Field { .. }))
    }

    #[test]
    fn a_function_that_takes_a_cell_apart_gets_the_fields() {
        let text = "def f n (x,y) = if n == 0 then x + y else f (n - 1) (y, x + 1); f (argc + 3) (1,2);";
        assert_eq!(fields(text), (2, 0));
    }

    #[test]
    fn a_function_that_gives_the_cell_on_gets_the_cell() {
        let c = changed("def f n t = if n == 0 then t else f (n - 1) t; f argc (1,2);", take);
        let params = |p: &Program| named(p, "f").map(|f| f.params.len()).collect::<Vec<_>>();
        assert_eq!((params(&c.before), params(&c.after)), (vec![2], vec![2]));
    }
}
