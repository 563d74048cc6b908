//! The early ends of a C function: the remainder becomes an activation, or half of a loop's passes go to
//! another processor.

use super::{Direct, unlikely};
use crate::core::language::*;
use crate::tam::c::{
    self, Expr, Function, Head, Item, Name, Param, Stmt, Writer, call, call_of, cast, compound, words,
};
use crate::tam::emit::words::{codeblock, register, variable};
use crate::tam::plan::{Independent, Rest};
use std::collections::BTreeSet;

impl Direct<'_, '_> {
    /// Puts statements that return from the C function, and rarely run, into a C function of their own. Its
    /// parameters are the variables that they use, and the parameter in `with`, whose argument is there too.
    pub(super) fn out_of_line(&mut self, with: Option<(Param, Expr)>, write: impl FnOnce(&mut Self)) {
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
        let next = Name::Of("o", self.plan.func, self.cold_names.len());
        let name = *self.cold_names.entry((params.clone(), body.clone())).or_insert(next);
        if name == next {
            let result = match self.f.results {
                0 => "static __attribute__((cold, noinline)) void",
                _ => "static __attribute__((cold, noinline)) struct tam_value",
            };
            let head = Head { result, name, params };
            self.cold.push(Item::Function(Function { title: None, head, body }));
        }
        if let Some(give_back) = self.claimed.clone() {
            self.add(Stmt::when("claimed", vec![give_back.into()]));
        }
        self.leave_by(call_of(name, args));
    }

    /// Returns the result of a call.
    pub(super) fn leave_by(&mut self, call: Expr) {
        if self.f.results > 0 {
            self.add(Stmt::give(call));
        } else {
            self.add(call);
            self.add(Stmt::Return(None));
        }
    }

    /// Returns, with an activation that will send the results.
    fn leave_to(&mut self, activation: Expr) {
        self.add(Stmt::give(compound("struct tam_value", [0.into(), activation])));
    }

    /// Begins an activation of a code-block, which does the rest, and returns.
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
        self.leave_to_block(self.plan.block, self.params_list());
    }

    /// Gives the second half of the remaining passes to another processor, if one wants work.
    pub(super) fn halves(&mut self) {
        let Some(&Independent { index, last: end, step, down }) = self.shared() else { return };
        let (i, last, step) = (self.word(Atom::Var(index)), self.word(Atom::Var(end)), self.word(step));
        // Forwards and backwards in the direction of the loop.
        let forwards = |a: Expr, by: Expr| if down { a - by } else { a + by };
        let backwards = |a: Expr, by: Expr| if down { a + by } else { a - by };
        let distance = if down { i.clone() - &last } else { last - &i };
        let second: Vec<Expr> = (self.f.params.iter())
            .map(|v| match *v == index {
                true => forwards(i.clone(), "half".into()),
                false => self.word(Atom::Var(*v)),
            })
            .collect();
        let number = codeblock(self.plan.block);
        let (distance, by) = (cast("int64_t", distance), cast("int64_t", &step));
        let slices = register("slices") - "slices";
        let passes = || Expr::from("passes");
        self.when(unlikely(register("wanted")).and(!passes().member("alone")), |d| {
            let half = call!("tam_half", passes().address(), distance, by, "turns", slices);
            d.add(Stmt::declare("tam_word", "half", cast("tam_word", half)));
            d.when("half".into(), |d| {
                d.add(Stmt::set("before", Expr::from("to").less(0).choose(register("given"), "before")));
                d.add(Stmt::set("to", call!("tam_give_half", "join", number, words(&second))));
                d.add(Stmt::set(variable(end), backwards(forwards(i, "half".into()), step)));
            });
        });
    }

    /// The loop, if its passes can be shared among processors and call functions: other passes are too short.
    pub(super) fn shared(&self) -> Option<&Independent> {
        self.plan.independent.as_ref().filter(|_| self.calls_others())
    }

    /// Leaves the whole call to threads. All its operations so far can be repeated.
    pub(super) fn repeat_as_threads(&mut self) {
        let (results, block) = (self.f.results, codeblock(self.plan.block));
        let activation = call!("tam_later", "join", block, self.params_list(), results);
        if results > 0 {
            self.leave_to(activation);
        } else {
            self.leave_by(activation);
        }
    }

    // ---- remainders --------------------------------------------------------------------------------------

    /// The arguments of the code-block of the remainder; late ones are 0.
    fn rest_args(&self, rest: &Rest) -> Expr {
        let mut args = vec![Expr::from(0); rest.missing];
        args.extend(rest.live.iter().map(|v| self.word(Atom::Var(*v))));
        words(&args)
    }

    /// Makes an activation `k` of the remainder.
    pub(super) fn make_rest(&mut self, rest: &Rest) {
        let rest = call!("tam_rest", "join", codeblock(rest.block), self.rest_args(rest));
        self.add(Stmt::declare("struct tam_frame *", "k", rest));
    }

    /// Returns, with the activation `k`.
    pub(super) fn return_rest(&mut self) {
        if self.f.results > 0 {
            self.leave_to("k".into());
        } else {
            self.add(Stmt::Return(None));
        }
    }

    /// Leaves the remainder to threads.
    pub(super) fn leave(&mut self, rest: &Rest) {
        let args = self.rest_args(rest);
        self.leave_to_block(rest.block, args);
    }
}
