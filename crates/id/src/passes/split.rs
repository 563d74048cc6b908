//! Splits large functions.
//!
//! A C function has a code-block for the remainder at each suspension point, a place where it can wait
//! (tam/plan/function.rs). So the code of a function would grow with the square of their number. Here the
//! later bindings of a long block become a function of their own, which the block calls at its end, and so
//! on. The call begins at once and its arguments may be late, so no binding waits for longer.

use crate::core::binds::variables;
use crate::core::language::*;
use crate::core::order::ordered;
use crate::core::suspension::{block_points, operation_points};
use crate::stack::with_stack;
use std::collections::BTreeSet;

/// The most suspension points of a piece.
const PLACES: usize = 10;
/// The most bindings, times suspension points, of a block that stays whole.
const SMALL: usize = 250;

/// Splits all large blocks. The body of the function that runs first becomes a call.
pub fn split(program: &mut Program) {
    let mut at = 0;
    while at < program.funcs.len() {
        let f = program.funcs[at].clone();
        let mut s = Splitter { program, f };
        let mut body = std::mem::take(&mut s.f.body);
        s.block(&mut body, if at == s.program.main { 0 } else { PLACES }, true);
        let vars = s.f.vars;
        program.funcs[at].body = body;
        program.funcs[at].vars = vars;
        at += 1;
    }
}

struct Splitter<'a> {
    program: &'a mut Program,
    f: Func,
}

impl Splitter<'_> {
    /// Splits a block, if it is large. `most`: the suspension points that stay in it; if 0, all its bindings
    /// move, in any case.
    fn block(&mut self, block: &mut Block, most: usize, clean: bool) {
        with_stack(|| self.block_now(block, most, clean));
    }

    fn block_now(&mut self, block: &mut Block, most: usize, clean: bool) {
        let (binds, ready) = ordered(block);
        if ready < binds.len() {
            return self.arms(block, false);
        }
        block.binds = binds;
        let count = block_points(block, &mut clean.clone());
        if (count == 0 || count * block.binds.len() <= SMALL) && most > 0 {
            return self.arms(block, clean);
        }
        let binds = std::mem::take(&mut block.binds);
        let (mut seen, mut at, mut still) = (0, 0, clean);
        while at < binds.len() {
            seen += operation_points(&binds[at].op, &mut still);
            if seen > most {
                break;
            }
            at += 1;
        }
        // A single large conditional is split in its arms.
        let at = if most == 0 { 0 } else { at.max(1) };
        if binds.len() <= at + usize::from(most > 0) {
            block.binds = binds;
            return self.arms(block, clean);
        }
        let mut first = binds;
        let rest = Block { binds: first.split_off(at), results: block.results.clone() };
        let (mut defined, mut used) = (BTreeSet::new(), BTreeSet::new());
        variables(&rest, &mut defined, &mut used);
        let params: Vec<Var> = used.difference(&defined).copied().collect();
        let results = rest.results.len();
        let args = params.iter().map(|v| Atom::Var(*v)).collect();
        let func = Func { params, body: rest, results, looped: true, ..self.f.clone() };
        let span = func.span;
        self.program.funcs.push(func);
        let dst: Vec<Var> = (self.f.vars..self.f.vars + results).collect();
        self.f.vars += results;
        block.results = dst.iter().map(|v| Atom::Var(*v)).collect();
        let op = Op::Call { func: self.program.funcs.len() - 1, args, join: false };
        first.push(Bind { dst, op, span });
        block.binds = first;
        self.arms(block, clean);
    }

    fn arms(&mut self, block: &mut Block, mut clean: bool) {
        for bind in &mut block.binds {
            let before = clean;
            operation_points(&bind.op, &mut clean);
            if let Op::If { then, other, .. } = &mut bind.op {
                self.block(then, PLACES, before);
                self.block(other, PLACES, before);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{changed, named};

    /// The number of functions of the name `f`, before and after.
    fn pieces(calls: usize) -> (usize, usize) {
        let sum: Vec<String> = (0..calls).map(|n| format!("g (x + {n})")).collect();
        let g = "def g x = if x > 9 then g (x - 7) else x;";
        let c = changed(&format!("{g} def f x = {}; f argc;", sum.join(" + ")), split);
        (named(&c.before, "f").count(), named(&c.after, "f").count())
    }

    #[test]
    fn a_function_of_many_places_that_can_wait_is_taken_apart() {
        assert_eq!(pieces(6 * PLACES), (1, 6));
    }

    #[test]
    fn a_small_function_stays_whole() {
        assert_eq!(pieces(5), (1, 1));
    }
}
