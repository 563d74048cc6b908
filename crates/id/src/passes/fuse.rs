//! Fuses loops that need each other's elements.
//!
//! Arrays that are defined by each other, as `e[i] = f k[i]` and `k[i] = g e[i-1]`, are filled by a loop
//! each. Each pass of one loop then waits for a pass of the other: if they run one after the other, neither
//! gets beyond its first pass, and every pass is an activation. If the loops count by the same steps to the
//! same last index, the passes of all of them become a pass of one loop. A part of this pass comes after
//! those that store the elements that it reads at this index, so that most reads are of known values.
//!
//! Passes of such loops are independent in their variables, and the bindings of a pass run when their
//! operands are available, so that no part waits for another because of its position. So the results, and the
//! reads that wait for ever, are the same. If a loop begins later than the others, its part is under a test.

use crate::core::calls::{reached_from, smallest};
use crate::core::language::*;
use crate::stack::with_stack;
use base::Span;
use std::collections::{BTreeSet, HashMap};

/// A loop `f i last ... = if i <= last then { ...; f (i + 1) last ... }` without results.
struct Counted {
    index: Var,
    last: Atom,
    /// The bindings of a pass, without the call of the next.
    pass: Vec<Bind>,
}

/// The parameters whose elements a function reads and stores, itself or by the functions that it calls.
#[derive(Clone, Default, PartialEq)]
struct Uses {
    reads: BTreeSet<usize>,
    stores: BTreeSet<usize>,
}

/// A call of such a loop in a block.
struct Member {
    /// The index of the call in the block.
    at: usize,
    func: FuncId,
    params: Vec<Var>,
    args: Vec<Atom>,
    first: Atom,
    last: Atom,
    reads: BTreeSet<Var>,
    stores: BTreeSet<Var>,
    counted: Counted,
}

/// Rewrites all functions.
pub fn fuse(program: &mut Program) {
    let all: Vec<Uses> = smallest(program, |n, found: &[Uses]| uses(&program.funcs[n], found));
    for f in 0..program.funcs.len() {
        let mut body = std::mem::take(&mut program.funcs[f].body);
        block(program, &all, f, &mut body);
        program.funcs[f].body = body;
    }
}

fn uses(f: &Func, found: &[Uses]) -> Uses {
    let mut own = Uses::default();
    let param = |a: &Atom| f.params.iter().position(|p| Atom::Var(*p) == *a);
    crate::core::binds::each(&f.body, &mut |bind| match &bind.op {
        Op::Fetch { array, .. } => own.reads.extend(param(array)),
        Op::Store { array, .. } => own.stores.extend(param(array)),
        Op::Call { func, args, .. } => {
            own.reads.extend(found[*func].reads.iter().filter_map(|p| param(args.get(*p)?)));
            own.stores.extend(found[*func].stores.iter().filter_map(|p| param(args.get(*p)?)));
        }
        _ => {}
    });
    own
}

fn block(program: &mut Program, all: &[Uses], f: FuncId, block_: &mut Block) {
    for bind in &mut block_.binds {
        if let Op::If { then, other, .. } = &mut bind.op {
            with_stack(|| {
                block(program, all, f, then);
                block(program, all, f, other);
            });
        }
    }
    let mut gone = BTreeSet::new();
    for group in groups(members(program, all, f, block_)) {
        let span = block_.binds[group[0].at].span;
        let at = group.iter().map(|m| m.at).max().unwrap_or_default();
        let op = fused(program, &group, span);
        gone.extend(group.iter().map(|m| m.at).filter(|m| *m != at));
        block_.binds[at] = Bind { dst: Vec::new(), op, span };
    }
    let mut at = 0;
    block_.binds.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
}

/// The calls of such loops in a block.
fn members(program: &Program, all: &[Uses], f: FuncId, block: &Block) -> Vec<Member> {
    let of = |(at, bind): (usize, &Bind)| {
        let Op::Call { func, args, join: false } = &bind.op else { return None };
        let callee = program.funcs.get(*func).filter(|_| *func != f && *func < all.len())?;
        let counted = counted(callee, *func)?;
        let arg = |a: Atom| match a {
            Atom::Var(v) => callee.params.iter().position(|p| *p == v).map(|p| args[p]),
            number => Some(number),
        };
        let (first, last) = (arg(Atom::Var(counted.index))?, arg(counted.last)?);
        let arrays = |of: &BTreeSet<usize>| {
            let var = |p: &usize| match args[*p] {
                Atom::Var(v) => Some(v),
                _ => None,
            };
            of.iter().filter_map(var).collect()
        };
        let (reads, stores) = (arrays(&all[*func].reads), arrays(&all[*func].stores));
        let (func, params, args) = (*func, callee.params.clone(), args.clone());
        Some(Member { at, func, params, args, first, last, reads, stores, counted })
    };
    block.binds.iter().enumerate().filter_map(of).collect()
}

fn counted(f: &Func, func: FuncId) -> Option<Counted> {
    let [Bind { op: Op::Prim(Prim::LeI, compared), dst, .. }, Bind { op: Op::If { test, then, other }, .. }] =
        &f.body.binds[..]
    else {
        return None;
    };
    let calls_itself = |b: &&Bind| matches!(&b.op, Op::Call { func: callee, .. } if *callee == func);
    let next = then.binds.iter().find(calls_itself)?;
    let Op::Call { args, join: false, .. } = &next.op else { return None };
    let mut changed = f.params.iter().zip(args).filter(|(p, a)| **a != Atom::Var(**p));
    let (Some((&index, Atom::Var(to))), None) = (changed.next(), changed.next()) else { return None };
    let by_one = then.binds.iter().any(|b| {
        b.dst == [*to]
            && matches!(&b.op, Op::Prim(Prim::AddI, x) if x[..] == [Atom::Var(index), Atom::Int(1)])
    });
    let pass: Vec<Bind> = then.binds.iter().filter(|b| !calls_itself(b)).cloned().collect();
    let once = pass.len() + 1 == then.binds.len();
    let simple = *test == Atom::Var(dst[0]) && other.binds.is_empty() && f.results == 0 && !f.io;
    let fixed = match compared[1] {
        Atom::Var(v) => v != index && f.params.contains(&v),
        _ => true,
    };
    let fits = by_one && once && simple && fixed && compared[0] == Atom::Var(index);
    fits.then_some(Counted { index, last: compared[1], pass })
}

/// The groups of loops that depend on each other by the elements that they read and store, and can be one
/// loop.
fn groups(members: Vec<Member>) -> Vec<Vec<Member>> {
    let alike = |a: &Member, b: &Member| {
        let firsts = a.first == b.first || matches!((a.first, b.first), (Atom::Int(_), Atom::Int(_)));
        a.last == b.last && firsts
    };
    let n = members.len();
    let reads = |a: usize, b: usize| {
        let (a, b) = (&members[a], &members[b]);
        alike(a, b) && !a.reads.is_disjoint(&b.stores)
    };
    let next: Vec<BTreeSet<usize>> =
        (0..n).map(|a| (0..n).filter(|b| a != *b && reads(a, *b)).collect()).collect();
    let comes: Vec<BTreeSet<usize>> = (0..n).map(|a| reached_from(&next, a)).collect();
    let mut members: Vec<Option<Member>> = members.into_iter().map(Some).collect();
    let mut groups = Vec::new();
    for a in 0..n {
        let with = (a..n).filter(|b| comes[a].contains(b) && comes[*b].contains(&a));
        let group: Vec<Member> = with.filter_map(|b| members[b].take()).collect();
        if group.len() > 1 {
            groups.push(in_order(group));
        }
    }
    groups
}

/// Orders the parts: after each come those that read the elements that it stores at the index of the pass.
fn in_order(mut left: Vec<Member>) -> Vec<Member> {
    let mut out = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waits =
            |m: &Member| left.iter().any(|o| o.at != m.at && !now(m, false).is_disjoint(&now(o, true)));
        let next = left.iter().position(|m| !waits(m)).unwrap_or(0);
        out.push(left.remove(next));
    }
    out
}

/// The arrays of which a pass itself stores, or reads, an element at the loop's index: one subscript is the
/// index, and none is computed in the pass.
fn now(m: &Member, stores: bool) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    for bind in &m.counted.pass {
        let (array, index) = match &bind.op {
            Op::Fetch { array: Atom::Var(array), index, .. } if !stores => (array, index),
            Op::Store { array: Atom::Var(array), index, .. } if stores => (array, index),
            _ => continue,
        };
        let fixed = |a: &Atom| !matches!(a, Atom::Var(v) if !m.params.contains(v));
        if index.contains(&Atom::Var(m.counted.index)) && index.iter().all(fixed) {
            let arg = m.params.iter().position(|p| p == array).map(|p| m.args[p]);
            found.extend(match arg {
                Some(Atom::Var(v)) => Some(v),
                _ => None,
            });
        }
    }
    found
}

/// Makes the loop that does the work of all, and returns the call of it.
fn fused(program: &mut Program, group: &[Member], span: Span) -> Op {
    let number = program.funcs.len();
    let firsts: Vec<Option<i64>> = group.iter().map(|m| int(m.first)).collect();
    let least = firsts.iter().flatten().min().copied();
    let mut f =
        Func { name: "range".into(), params: vec![0], vars: 1, looped: true, span, ..Func::default() };
    let mut args = vec![least.map_or(group[0].first, Atom::Int)];
    let last = param(&mut f, &mut args, group[0].last);
    let mut pass = Vec::new();
    for (m, first) in group.iter().zip(firsts) {
        let part = part(program, &mut f, &mut args, m);
        if first == least {
            pass.extend(part);
            continue;
        }
        let test = f.vars;
        f.vars += 1;
        let begun = Op::Prim(Prim::LeI, vec![m.first, Atom::Var(0)]);
        pass.push(Bind { dst: vec![test], op: begun, span });
        let then = Block { binds: part, results: Vec::new() };
        let op = Op::If { test: Atom::Var(test), then, other: Block::default() };
        pass.push(Bind { dst: Vec::new(), op, span });
    }
    let (test, next) = (f.vars, f.vars + 1);
    f.vars += 2;
    pass.push(Bind { dst: vec![next], op: Op::Prim(Prim::AddI, vec![Atom::Var(0), Atom::Int(1)]), span });
    let mut again: Vec<Atom> = f.params.iter().map(|p| Atom::Var(*p)).collect();
    again[0] = Atom::Var(next);
    pass.push(Bind { dst: Vec::new(), op: Op::Call { func: number, args: again, join: false }, span });
    let then = Block { binds: pass, results: Vec::new() };
    let go_on = Op::If { test: Atom::Var(test), then, other: Block::default() };
    let compare = Op::Prim(Prim::LeI, vec![Atom::Var(0), last]);
    let one = |dst: Vec<Var>, op| Bind { dst, op, span };
    f.body = Block { binds: vec![one(vec![test], compare), one(Vec::new(), go_on)], results: Vec::new() };
    crate::passes::simplify::simplify_function(&mut f);
    crate::passes::cells::forward_function(&mut f);
    crate::passes::common_subexpressions::eliminate(&mut f);
    program.funcs.push(f);
    Op::Call { func: number, args, join: false }
}

/// An argument inside the new loop: a parameter, shared by equal arguments; or the number itself.
fn param(f: &mut Func, args: &mut Vec<Atom>, arg: Atom) -> Atom {
    let Atom::Var(_) = arg else { return arg };
    // The first parameter is the index, which changes.
    let known = args.iter().skip(1).position(|a| *a == arg);
    let at = known.map_or(args.len(), |n| n + 1);
    if known.is_none() {
        args.push(arg);
        f.params.push(f.vars);
        f.vars += 1;
    }
    Atom::Var(f.params[at])
}

/// The pass of one of the loops, with the variables of the new one.
fn part(program: &Program, f: &mut Func, args: &mut Vec<Atom>, m: &Member) -> Vec<Bind> {
    let callee = &program.funcs[m.func];
    let mut to: HashMap<Var, Atom> = HashMap::new();
    for (p, arg) in callee.params.iter().zip(&m.args) {
        let atom = if *p == m.counted.index { Atom::Var(0) } else { param(f, args, *arg) };
        to.insert(*p, atom);
    }
    let body = Block { binds: m.counted.pass.clone(), results: Vec::new() };
    let mut body = crate::passes::inline::renamed(&body, f.vars);
    let base = f.vars;
    f.vars += callee.vars;
    body.map(&mut |atom| {
        if let Atom::Var(v) = atom
            && let Some(new) = to.get(&(v.wrapping_sub(base)))
            && *v >= base
        {
            *atom = *new;
        }
    });
    body.binds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{changed, count};

    /// The number of loops that fill arrays, before and after; both with constant first indices.
    fn loops(text: &str) -> (usize, usize) {
        let prepare = |p: &mut Program| {
            crate::passes::constants::constants(p);
            crate::passes::inline::inline(p);
            crate::passes::cells::forward(p);
        };
        let of = |p: &Program| {
            count(p, "range", |op| matches!(op, Op::Call { func, .. } if p.funcs[*func].name == "range"))
        };
        let before = changed(text, prepare).after;
        let both = |p: &mut Program| {
            prepare(p);
            fuse(p);
        };
        (of(&before), of(&changed(text, both).after))
    }

    #[test]
    fn loops_that_need_each_others_elements_are_one() {
        let text = "{ n = argc + 9;
              a = {array (0,n) | [0] = 0 | [i] = b[i] + 1 || i <- 1 to n};
              b = {array (1,n) | [i] = a[i-1] * 2 || i <- 1 to n};
            In a[n] };";
        assert_eq!(loops(text), (2, 1));
    }

    #[test]
    fn loops_of_other_ends_stay() {
        let text = "{ n = argc + 9;
              a = {array (0,n) | [0] = 0 | [i] = b[i] + 1 || i <- 1 to n};
              b = {array (1,n) | [n] = a[n-1] | [i] = a[i-1] * 2 || i <- 1 to n - 1};
            In a[n] };";
        assert_eq!(loops(text), (2, 2));
    }

    #[test]
    fn loops_that_do_not_need_each_other_stay() {
        let text = "{ n = argc + 9;
              a = {array (1,n) | [i] = i || i <- 1 to n};
              b = {array (1,n) | [i] = i * 2 || i <- 1 to n};
            In a[n] + b[n] };";
        assert_eq!(loops(text), (2, 2));
    }
}
