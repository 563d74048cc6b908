//! Simplifies functions of unordered bindings: removes copies, and unused bindings without effects.
//!
//! A copy is available when its source is, so uses of the copy can wait for the source. Names that are copies
//! of each other stay: they are never available, which is reported. A binding is removed if its results are
//! used only by removed bindings, or not at all, and if its run cannot be observed: it stores nothing, calls
//! nothing, cannot fail, and waits only for operands that arrive in any case.

use crate::core::binds::each;
use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::{HashMap, HashSet};

/// Simplifies all functions, and gives the names of removed copies to their sources.
pub fn simplify(program: &mut Program) {
    for (n, func) in program.funcs.iter_mut().enumerate() {
        let copied = simplified(func);
        let Some(names) = program.names.get_mut(&n) else { continue };
        for (copy, name) in names.clone() {
            if let Some(Some(Atom::Var(of))) = copied.get(&copy) {
                names.entry(*of).or_insert(name);
            }
        }
        names.retain(|v, _| !matches!(copied.get(v), Some(Some(_))));
    }
}

/// Simplifies one function.
pub fn simplify_function(func: &mut Func) {
    simplified(func);
}

/// Simplifies one function. Returns the source of each copy; none if the copy stays.
fn simplified(func: &mut Func) -> HashMap<Var, Option<Atom>> {
    let copied = copies(func);
    unused(&mut func.body);
    copied
}

/// Replaces copies by their sources. A name that is its own copy stays: it waits for ever.
fn copies(func: &mut Func) -> HashMap<Var, Option<Atom>> {
    let mut map = HashMap::new();
    collect(&func.body, &mut map);
    let found = resolved(&map);
    func.body.map(&mut |atom| {
        if let Atom::Var(v) = atom
            && let Some(Some(to)) = found.get(v)
        {
            *atom = *to;
        }
    });
    drop_copies(&mut func.body, &|v| matches!(found.get(&v), Some(Some(_))));
    found
}

/// The source of each copy, at the end of a chain of copies; none if the copies form a cycle.
fn resolved(map: &HashMap<Var, Atom>) -> HashMap<Var, Option<Atom>> {
    let mut found: HashMap<Var, Option<Atom>> = HashMap::new();
    for &start in map.keys() {
        let (mut path, mut on_path) = (Vec::new(), HashSet::new());
        let mut atom = Atom::Var(start);
        let end = loop {
            let Atom::Var(v) = atom else { break Some(atom) };
            if let Some(known) = found.get(&v) {
                break *known;
            }
            let Some(next) = map.get(&v) else { break Some(atom) };
            if !on_path.insert(v) {
                break None;
            }
            path.push(v);
            atom = *next;
        };
        found.extend(path.into_iter().map(|v| (v, end)));
    }
    found
}

fn collect(block: &Block, map: &mut HashMap<Var, Atom>) {
    for bind in &block.binds {
        match &bind.op {
            Op::Copy(from) => {
                map.insert(bind.dst[0], *from);
            }
            Op::If { then, other, .. } => with_stack(|| {
                collect(then, map);
                collect(other, map);
            }),
            _ => {}
        }
    }
}

fn drop_copies(block: &mut Block, resolved: &dyn Fn(Var) -> bool) {
    block.binds.retain(|b| !(matches!(b.op, Op::Copy(_)) && resolved(b.dst[0])));
    for bind in &mut block.binds {
        if let Op::If { then, other, .. } = &mut bind.op {
            with_stack(|| {
                drop_copies(then, resolved);
                drop_copies(other, resolved);
            });
        }
    }
}

/// Whether an operation has no effects besides its results. A read of an element may wait for ever or be out
/// of bounds, which must be reported, and a division may be by zero: an unused one still runs. So does a
/// binding that waits for ever without a read.
fn silent(bind: &Bind, waiting: &HashSet<Var>) -> bool {
    if bind.dst.iter().any(|v| waiting.contains(v)) {
        return false;
    }
    match &bind.op {
        Op::Prim(p, _) => {
            !matches!(p, Prim::Quotient | Prim::ModI | Prim::RemI | Prim::PowI | Prim::External)
        }
        Op::Make { .. } | Op::Closure { .. } | Op::Copy(_) | Op::Bound { .. } => true,
        Op::Field { mode, .. } => *mode == Mode::I,
        Op::If { then, other, .. } => {
            with_stack(|| [then, other].iter().all(|b| b.binds.iter().all(|b| silent(b, waiting))))
        }
        _ => false,
    }
}

/// The variables whose values wait for ever, since they need themselves, or others that do. No operation
/// waits for the fields of a cell, the arguments of a call and the arms of a conditional.
fn waiting_for_ever(block: &Block) -> HashSet<Var> {
    let mut needs: HashMap<Var, Vec<Var>> = HashMap::new();
    each(block, &mut |bind| {
        let strict = matches!(
            bind.op,
            Op::Copy(_)
                | Op::Prim(..)
                | Op::Field { .. }
                | Op::Bound { .. }
                | Op::Fetch { .. }
                | Op::If { .. }
        );
        if strict {
            let vars = |a: Atom| if let Atom::Var(v) = a { Some(v) } else { None };
            let on: Vec<Var> = bind.op.atoms().into_iter().filter_map(vars).collect();
            needs.extend(bind.dst.iter().map(|v| (*v, on.clone())));
        }
    });
    let mut needed_by: HashMap<Var, Vec<Var>> = HashMap::new();
    let mut left: HashMap<Var, usize> = HashMap::new();
    for (v, on) in &needs {
        left.insert(*v, on.iter().filter(|o| needs.contains_key(o)).count());
        on.iter().for_each(|o| needed_by.entry(*o).or_default().push(*v));
    }
    let mut done: Vec<Var> = left.iter().filter(|l| *l.1 == 0).map(|l| *l.0).collect();
    while let Some(v) = done.pop() {
        left.remove(&v);
        for by in needed_by.get(&v).into_iter().flatten() {
            if let Some(n) = left.get_mut(by) {
                *n -= 1;
                if *n == 0 {
                    done.push(*by);
                }
            }
        }
    }
    left.into_keys().collect()
}

/// Removes unused bindings. Keeps bindings that are not silent, and those whose results they use, directly or
/// not. Also keeps bindings that wait for ever, which are reported when the program ends.
fn unused(block: &mut Block) {
    let waiting = waiting_for_ever(block);
    let mut live = Live { used: HashSet::new(), of: HashMap::new(), found: Vec::new(), waiting: &waiting };
    live.roots(block, true);
    while let Some(v) = live.found.pop() {
        for atom in live.of.remove(&v).unwrap_or_default() {
            live.mark(&atom);
        }
    }
    let used = live.used;
    sweep(block, &used, &waiting);
}

struct Live<'a> {
    waiting: &'a HashSet<Var>,
    used: HashSet<Var>,
    /// The operands of silent bindings, by each variable of their results.
    of: HashMap<Var, Vec<Atom>>,
    found: Vec<Var>,
}

impl Live<'_> {
    fn mark(&mut self, atom: &Atom) {
        if let Atom::Var(v) = atom
            && self.used.insert(*v)
        {
            self.found.push(*v);
        }
    }

    /// Marks the operands of bindings that stay. `kept`: the block stays, whether its results are used or
    /// not.
    fn roots(&mut self, block: &Block, kept: bool) {
        if kept {
            block.results.iter().for_each(|a| self.mark(a));
        }
        for bind in &block.binds {
            let mut atoms = bind.op.atoms();
            let stays = kept && !silent(bind, self.waiting);
            if let Op::If { then, other, .. } = &bind.op {
                with_stack(|| {
                    self.roots(then, stays);
                    self.roots(other, stays);
                });
                atoms.extend(then.results.iter().chain(&other.results));
            }
            if stays {
                atoms.iter().for_each(|a| self.mark(a));
            } else {
                for &v in &bind.dst {
                    self.of.insert(v, atoms.clone());
                }
            }
        }
    }
}

fn sweep(block: &mut Block, used: &HashSet<Var>, waiting: &HashSet<Var>) {
    block.binds.retain(|b| !silent(b, waiting) || b.dst.iter().any(|v| used.contains(v)));
    for bind in &mut block.binds {
        if let Op::If { then, other, .. } = &mut bind.op {
            with_stack(|| {
                sweep(then, used, waiting);
                sweep(other, used, waiting);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bind(dst: Var, op: Op) -> Bind {
        Bind { dst: vec![dst], op, span: Default::default() }
    }

    fn simplified_to(binds: Vec<Bind>, results: Vec<Atom>) -> Block {
        let mut f = Func { params: vec![0], body: Block { binds, results }, vars: 9, ..Func::default() };
        simplify_function(&mut f);
        f.body
    }

    const V: fn(Var) -> Atom = Atom::Var;

    #[test]
    fn copies_go() {
        let add = |a, b| Op::Prim(Prim::AddI, vec![V(a), V(b)]);
        let body = simplified_to(
            vec![bind(3, add(2, 1)), bind(2, Op::Copy(V(1))), bind(1, Op::Copy(V(0)))],
            vec![V(3), V(2)],
        );
        assert_eq!(body, Block { binds: vec![bind(3, add(0, 0))], results: vec![V(3), V(0)] });
    }

    #[test]
    fn copies_of_each_other_wait_for_ever() {
        let binds = vec![bind(1, Op::Copy(V(2))), bind(2, Op::Copy(V(1)))];
        assert_eq!(simplified_to(binds.clone(), vec![V(1)]).binds, binds);
    }

    #[test]
    fn what_nobody_uses_goes_unless_it_can_be_told() {
        let prim = |p| Op::Prim(p, vec![V(0), V(0)]);
        let read = Op::Fetch { array: V(0), index: vec![Atom::Int(1)], mode: Mode::I };
        let binds = vec![bind(1, prim(Prim::MulI)), bind(2, prim(Prim::Quotient)), bind(3, read)];
        let kept = simplified_to(binds.clone(), vec![V(0)]).binds;
        assert_eq!(kept, binds[1..], "a quotient may be of zero, and a read may wait");
    }

    #[test]
    fn the_name_of_a_copy_is_what_was_copied() {
        let body = Block { binds: vec![bind(1, Op::Copy(V(0)))], results: vec![V(1)] };
        let f = Func { params: vec![0], body, vars: 2, ..Func::default() };
        let names = HashMap::from([(0, [(1, "x".to_owned())].into())]);
        let mut program = Program { funcs: vec![f], names, ..Program::default() };
        simplify(&mut program);
        assert_eq!(program.names[&0], [(0, "x".to_owned())].into());
    }
}
