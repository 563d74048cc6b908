//! Unrolls loops of a small constant number of passes.
//!
//! A loop is a function that calls itself with the next values. If its first and last index and its step are
//! numbers, each call is replaced by the bindings of one pass, with the index as a number, and the call of
//! the next. A call begins its function at once and its arguments may be late, so without the call the
//! bindings of a pass run neither sooner nor later (inline.rs).

use crate::core::binds::{each, size};
use crate::core::language::*;
use crate::passes::inline::{callees_first, expanded};
use crate::stack::with_stack;

/// The most passes of a loop.
const MOST_PASSES: i64 = 8;
/// The most bindings of all passes of a loop.
const MOST_BINDS: usize = 400;
/// The most bindings of a function into which loops are unrolled.
const LARGEST: usize = 600;

/// Rewrites all functions.
pub fn unroll(program: &mut Program) {
    for f in callees_first(program) {
        let mut func = std::mem::take(&mut program.funcs[f]);
        // Each round unrolls a pass of each loop; the first round decides for all.
        for round in 0..=MOST_PASSES {
            let mut body = std::mem::take(&mut func.body);
            let mut budget = if round == 0 { LARGEST.saturating_sub(size(&body)) } else { usize::MAX };
            let found = block(program, f, &mut func, &mut body, &mut budget);
            func.body = body;
            if !found {
                break;
            }
            crate::passes::simplify::simplify_function(&mut func);
            crate::passes::cells::forward_function(&mut func);
        }
        crate::passes::common_subexpressions::eliminate(&mut func);
        crate::passes::cells::only_stored(&mut func);
        program.funcs[f] = func;
    }
}

fn block(program: &Program, f: FuncId, func: &mut Func, block_: &mut Block, budget: &mut usize) -> bool {
    let (mut out, mut found) = (Vec::with_capacity(block_.binds.len()), false);
    for mut bind in std::mem::take(&mut block_.binds) {
        match &mut bind.op {
            Op::Call { func: g, args, join: false }
                if *g != f && fits(&program.funcs[*g], *g, args, budget) =>
            {
                out.extend(expanded(func, &program.funcs[*g], args, &bind.dst, bind.span));
                found = true;
            }
            Op::If { then, other, .. } => {
                with_stack(|| {
                    found |= block(program, f, func, then, budget);
                    found |= block(program, f, func, other, budget);
                });
                out.push(bind);
            }
            _ => out.push(bind),
        }
    }
    block_.binds = out;
    found
}

/// Whether a call is of a loop with few enough passes and bindings; these are taken from the budget.
fn fits(callee: &Func, g: FuncId, args: &[Atom], budget: &mut usize) -> bool {
    let Some(passes) = passes(callee, g, args) else { return false };
    let binds = size(&callee.body) * (passes + 1) as usize;
    if callee.io || passes > MOST_PASSES || binds > (*budget).min(MOST_BINDS) {
        return false;
    }
    *budget -= binds;
    true
}

/// The number of passes of a loop, if it is `f i last ... = if i <= last then { ...; f (i + step) last ... }`
/// and the arguments are numbers.
fn passes(f: &Func, g: FuncId, args: &[Atom]) -> Option<i64> {
    let number = |a: Atom| match a {
        Atom::Int(n) => Some(n),
        Atom::Var(v) => match args.get(f.params.iter().position(|p| *p == v)?)? {
            Atom::Int(n) => Some(*n),
            _ => None,
        },
        Atom::Float(_) => None,
    };
    let [Bind { op: Op::Prim(Prim::LeI, compared), dst, .. }, Bind { op: Op::If { test, then, other }, .. }] =
        &f.body.binds[..]
    else {
        return None;
    };
    let (mut calls, mut next) = (0, None);
    each(&f.body, &mut |bind| calls += usize::from(matches!(&bind.op, Op::Call { func, .. } if *func == g)));
    for bind in &then.binds {
        if let Op::Call { func, args, join: false } = &bind.op
            && *func == g
        {
            next = Some(args);
        }
    }
    if *test != Atom::Var(dst[0]) || calls != 1 || other.binds.iter().any(|b| matches!(b.op, Op::Call { .. }))
    {
        return None;
    }
    let (low, high) = (number(compared[0])?, number(compared[1])?);
    // One of the two changes by a number, the other does not.
    let change = |a: Atom| {
        let Atom::Var(v) = a else { return Some(0) };
        let to = next?[f.params.iter().position(|p| *p == v)?];
        if to == a {
            return Some(0);
        }
        let Atom::Var(to) = to else { return None };
        match &then.binds.iter().find(|b| b.dst == [to])?.op {
            Op::Prim(Prim::AddI, x) if x[0] == a => number(x[1]),
            Op::Prim(Prim::SubI, x) if x[0] == a => number(x[1]).map(i64::wrapping_neg),
            _ => None,
        }
    };
    let step = change(compared[0])?.checked_sub(change(compared[1])?)?;
    if low > high {
        return Some(0);
    }
    (step > 0).then(|| high.checked_sub(low).map(|d| d / step + 1)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::changed;

    fn calls(text: &str) -> (usize, usize) {
        let pass = |p: &mut Program| {
            crate::passes::constants::constants(p);
            unroll(p);
        };
        changed(text, pass).counts("f", |op| matches!(op, Op::Call { .. }))
    }

    fn sum(range: &str) -> String {
        format!(
            "def f a = {{ s = 0 In {{for i <- {range} do next s = 10 * s + a + i; finally s}} }}; f argc;"
        )
    }

    #[test]
    fn short_loops_of_known_passes_go() {
        assert_eq!(calls(&sum("0 to 3")), (1, 0));
        assert_eq!(calls(&sum("5 downto 1 by 2")), (1, 0));
        assert_eq!(calls(&sum("3 to 2")), (1, 0));
    }

    #[test]
    fn other_loops_stay() {
        assert_eq!(calls(&sum("0 to 100")), (1, 1), "too many passes");
        assert_eq!(calls(&sum("0 to a")), (1, 1), "their number is not known");
    }
}
