//! Loops whose passes are independent of each other, so that they can be shared among processors.
//!
//! Such a loop has no results, and only its index changes from one pass to the next: the generators of array
//! comprehensions, and loops without `next`. Its passes can as well be those of two loops, one for each half.
//! In either case only data dependences order their effects.

use crate::core::calls::own_calls;
use crate::core::language::*;

/// The parameters of such a loop.
#[derive(Clone)]
pub struct Independent {
    pub index: Var,
    pub last: Var,
    /// A parameter that does not change, or a number.
    pub step: Atom,
    /// The index counts down.
    pub down: bool,
}

/// The loop that a function is, if it is `f i last = if i <= last then { ...; f (i + step) last }`.
pub fn of(f: &Func, func: FuncId) -> Option<Independent> {
    let (Some(Bind { op: Op::If { test, then, other }, .. }), 0) = (f.body.binds.last(), f.results) else {
        return None;
    };
    let found = |block: &Block, atom: &Atom| {
        let Atom::Var(v) = atom else { return None };
        block.binds.iter().find(|b| b.dst == [*v]).map(|b| b.op.clone())
    };
    let Some(Op::Prim(Prim::LeI, compared)) = found(&f.body, test) else { return None };
    if !other.binds.is_empty() || f.body.binds.len() != 2 || own_calls(&f.body, func) != 1 {
        return None;
    }
    let again = then.binds.iter().find_map(|b| match &b.op {
        Op::Call { func: callee, args, join: false } if *callee == func => Some(args),
        _ => None,
    })?;
    let mut changed = f.params.iter().zip(again).filter(|(p, a)| **a != Atom::Var(**p));
    let (Some((&index, next)), None) = (changed.next(), changed.next()) else { return None };
    let (down, step) = match found(then, next)? {
        Op::Prim(Prim::AddI, args) if args[0] == Atom::Var(index) => (false, args[1]),
        Op::Prim(Prim::SubI, args) if args[0] == Atom::Var(index) => (true, args[1]),
        _ => return None,
    };
    let (low, high) = if down { (compared[1], compared[0]) } else { (compared[0], compared[1]) };
    let fixed = |a: Atom| match a {
        Atom::Var(v) => v != index && f.params.contains(&v),
        _ => true,
    };
    let Atom::Var(last) = high else { return None };
    if low != Atom::Var(index) || !fixed(high) || !fixed(step) || Atom::Var(last) == step || uses(f, last) {
        return None;
    }
    Some(Independent { index, last, step, down })
}

/// Whether the passes use the last index, which differs in the halves, for more than the test and the next
/// pass.
fn uses(f: &Func, last: Var) -> bool {
    let mut count = 0;
    f.body.clone().map(&mut |a| count += usize::from(*a == Atom::Var(last)));
    count != 2
}

#[cfg(test)]
mod tests {
    use crate::tam::plan::testing::planned;

    /// The number of loops of a name whose passes are independent of each other.
    #[track_caller]
    fn independent(text: &str, name: &str) -> usize {
        planned(text).functions(name).filter(|f| f.independent.is_some()).count()
    }

    const DEEP: &str = "def deep x = if x < 2 then x else deep (x - 1) + deep (x - 2);";

    #[test]
    fn generators_of_arrays() {
        let text = format!("{DEEP} {{array (0,argc+9) | [i] = deep i || i <- 0 to argc+9}}[3];");
        assert_eq!(independent(&text, "range"), 1);
    }

    #[test]
    fn a_loop_with_next() {
        let text =
            format!("{DEEP} {{ s = 0 In {{for i <- 0 to argc + 9 do next s = s + deep i; finally s}} }};");
        assert_eq!(independent(&text, "loop"), 0);
    }
}
