//! Where a C function ends before its time: what is left of it becomes an activation, or half of a loop's
//! passes go to another processor.

use super::{Direct, calls, unlikely};
use crate::core::binds::variables;
use crate::core::language::*;
use crate::tam::c::{
    self, Expr, Function, Head, Item, Name, Param, Stmt, Writer, call, call_of, cast, compound, words,
};
use crate::tam::emit::direct::passes::Passes;
use crate::tam::emit::words::{codeblock, variable};
use std::collections::BTreeSet;

impl Direct<'_> {
    /// Statements that return from the C function: in a function of their own, which gets the variables that
    /// they use, and the parameter and argument that are in `with`.
    pub(super) fn seldom(&mut self, with: Option<(Param, Expr)>, write: impl FnOnce(&mut Self)) {
        let body = self.inside(write);
        let mut used = BTreeSet::new();
        c::variables(&body, &mut used);
        let (mut params, mut args) = (vec![("struct tam_join *", "join".into())], vec!["join".into()]);
        for v in used {
            params.push((self.type_of(v), Name::Var(v)));
            args.push(variable(v));
        }
        if let Some((param, arg)) = with {
            params.push(param);
            args.push(arg);
        }
        let next = Name::Of("o", self.func, self.seldom_names.len());
        let name = *self.seldom_names.entry((params.clone(), body.clone())).or_insert(next);
        if name == next {
            let result = match self.f.results {
                0 => "static __attribute__((cold, noinline)) void",
                _ => "static __attribute__((cold, noinline)) struct tam_value",
            };
            let head = Head { result, name, params };
            self.seldom.push(Item::Function(Function { title: None, head, body }));
        }
        if let Some(give_back) = self.claimed.clone() {
            self.add(Stmt::when("claimed", vec![give_back.into()]));
        }
        self.leave_by(call_of(name, args));
    }

    /// Returns what a call gives.
    pub(super) fn leave_by(&mut self, call: Expr) {
        if self.f.results > 0 {
            self.add(Stmt::give(call));
        } else {
            self.add(call);
            self.add(Stmt::Return(None));
        }
    }

    /// Returns, with an activation that will give the results.
    fn leave_to(&mut self, activation: Expr) {
        self.add(Stmt::give(compound("struct tam_value", [0.into(), activation])));
    }

    /// Begins an activation of a code-block and leaves all that is left to it.
    fn leave_to_block(&mut self, number: usize, args: Expr) {
        if self.f.results > 0 {
            self.leave_to(call!("tam_rest", "join", codeblock(number), args));
        } else {
            self.add(call!("tam_invoke", "join", codeblock(number), args, 0, 0));
            self.add(Stmt::Return(None));
        }
    }

    fn params_list(&self) -> Expr {
        let params: Vec<Atom> = self.f.params.iter().map(|v| Atom::Var(*v)).collect();
        words(&self.words(&params))
    }

    /// Leaves the whole call to an activation, which may begin with the C function.
    pub(super) fn begin_again(&mut self) {
        self.leave_to_block(self.number, self.params_list());
    }

    /// Where another processor wants work: gives away the second half of the passes that are left.
    pub(super) fn halves(&mut self) {
        let Some(p) = self.shared() else { return };
        let (i, last, step) =
            (self.word(Atom::Var(p.index)), self.word(Atom::Var(p.last)), self.word(p.step));
        // Forwards and backwards in the direction of the loop.
        let forwards = |a: Expr, by: Expr| if p.down { a - by } else { a + by };
        let backwards = |a: Expr, by: Expr| if p.down { a + by } else { a - by };
        let distance = if p.down { i.clone() - &last } else { last - &i };
        let second: Vec<Expr> = (self.f.params.iter())
            .map(|v| match *v == p.index {
                true => forwards(i.clone(), "half".into()),
                false => self.word(Atom::Var(*v)),
            })
            .collect();
        let number = codeblock(self.number);
        let (distance, by) = (cast("int64_t", distance), cast("int64_t", &step));
        let slices = Expr::from("tam_slices") - "slices";
        let passes = || Expr::from("passes");
        self.when(unlikely("tam_wanted".into()).and(!passes().member("alone")), |d| {
            let half = call!("tam_half", passes().address(), distance, by, "turns", slices);
            d.add(Stmt::declare("tam_word", "half", cast("tam_word", half)));
            d.when("half".into(), |d| {
                d.add(Stmt::set("before", Expr::from("to").less(0).choose("tam_given", "before")));
                d.add(Stmt::set("to", call!("tam_give_half", "join", number, words(&second))));
                d.add(Stmt::set(variable(p.last), backwards(forwards(i, "half".into()), step)));
            });
        });
    }

    /// The loop, if its passes can be shared out and call functions: others are too short.
    pub(super) fn shared(&self) -> Option<Passes> {
        self.passes.clone().filter(|_| calls(&self.f.body, self.func))
    }

    /// Leaves the whole call to threads.
    pub(super) fn later(&mut self) {
        let results = self.f.results;
        let activation = call!("tam_later", "join", codeblock(self.number), self.params_list(), results);
        if results > 0 {
            self.leave_to(activation);
        } else {
            self.leave_by(activation);
        }
    }

    // ---- what is left ------------------------------------------------------------------------------------

    /// A code-block of what is left here, of which `missing` come late: its number, and its arguments.
    fn rest(&mut self, missing: &[Var]) -> (usize, Expr) {
        let mut body = Block::default();
        for level in self.levels.iter().rev() {
            body.binds.extend(level.binds[level.at..].iter().cloned());
            let Some(dst) = &level.dst else {
                body.results = level.results.clone();
                break;
            };
            let span = self.f.span;
            let copy = |(d, r): (&Var, &Atom)| Bind { dst: vec![*d], op: Op::Copy(*r), span };
            body.binds.extend(dst.iter().zip(&level.results).map(copy));
        }
        let (mut inside, mut free) = (BTreeSet::new(), BTreeSet::new());
        variables(&body, &mut inside, &mut free);
        let live: Vec<Var> =
            free.into_iter().filter(|v| !inside.contains(v) && !missing.contains(v)).collect();
        let params: Vec<Var> = missing.iter().chain(&live).copied().collect();
        let late: Vec<bool> = (0..params.len()).map(|p| p < missing.len()).collect();
        let mut func = Func { params, body, looped: true, ..self.f.clone() };
        crate::passes::simplify::simplify_function(&mut func);
        let number = self.e.rest_block(func, &late, self.func);
        let mut args = vec![Expr::from(0); missing.len()];
        args.extend(live.iter().map(|v| self.word(Atom::Var(*v))));
        (number, words(&args))
    }

    /// Makes an activation `k` of what is left.
    pub(super) fn make_rest(&mut self, missing: &[Var]) {
        let (number, args) = self.rest(missing);
        let rest = call!("tam_rest", "join", codeblock(number), args);
        self.add(Stmt::declare("struct tam_frame *", "k", rest));
    }

    pub(super) fn return_rest(&mut self) {
        if self.f.results > 0 {
            self.leave_to("k".into());
        } else {
            self.add(Stmt::Return(None));
        }
    }

    /// Leaves all that is left to threads, this operation too.
    pub(super) fn cut(&mut self) {
        let (number, args) = self.rest(&[]);
        self.leave_to_block(number, args);
    }
}
