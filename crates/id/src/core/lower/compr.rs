//! List comprehensions, and the loops that the generators of comprehensions stand for.
//!
//! A generator becomes a function that calls itself. In a list comprehension this function takes the list
//! that follows as an argument, so that no lists are appended.

use super::Lower;
use super::lift::Lifted;
use crate::check::resolve::BindId;
use crate::core::language::{Atom, Init, Mode, Op, Prim};
use crate::syntax::ast::*;
use crate::syntax::walk;
use base::Span;
use std::collections::BTreeSet;

/// The innermost part of generators: an element before a list, or an effect.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    /// The elements' expression.
    List(&'a Expr),
    /// A store into an array; or, with the operator, a contribution to an accumulator.
    Region(&'a Region, Option<&'a Expr>),
}

impl<'a> Lower<'a> {
    pub(super) fn list_compr(&mut self, value: &'a Expr, gens: &'a [Gen], span: Span) -> Atom {
        self.generate(gens, Body::List(value), &[Atom::Int(0)], span).first().copied().unwrap_or(Atom::Int(0))
    }

    fn uses(&self, gens: &'a [Gen], body: Body<'a>) -> BTreeSet<BindId> {
        self.used_by(|visit| {
            walk::generators(gens, visit);
            match body {
                Body::List(e) => walk::exprs(e, visit),
                Body::Region(r, op) => {
                    r.index.iter().for_each(|i| walk::exprs(i, visit));
                    walk::exprs(&r.value, visit);
                    op.iter().for_each(|e| walk::exprs(e, visit));
                }
            }
        })
    }

    /// Emits generators and returns their results: one for a list, none for an effect. `carried`: the list
    /// that follows, or the array of the effects.
    pub(super) fn generate(
        &mut self,
        gens: &'a [Gen],
        body: Body<'a>,
        carried: &[Atom],
        span: Span,
    ) -> Vec<Atom> {
        let list = matches!(body, Body::List(_));
        let results = usize::from(list);
        let tail = |carried: &[Atom]| if list { vec![carried[0]] } else { Vec::new() };
        let Some((first, rest)) = gens.split_first() else { return self.innermost(body, carried, span) };
        match first {
            Gen::When(test) => {
                let test = self.expr(test);
                let inside = |l: &mut Self| l.generate(rest, body, carried, span);
                self.conditional(test, results, span, inside, |_| tail(carried))
            }
            Gen::Bind(p, e) => {
                let value = self.expr(e);
                self.fitting(p, value, rest, body, carried, span)
            }
            Gen::Range(p, range) => self.over_range(p, range, (rest, body), carried, span),
            Gen::List(p, e) => self.over_list(p, e, (rest, body), carried, span),
        }
    }

    /// Emits a generator over a range, with the generators that follow inside.
    fn over_range(
        &mut self,
        p: &'a Pat,
        range: &'a Range,
        inside: (&'a [Gen], Body<'a>),
        carried: &[Atom],
        span: Span,
    ) -> Vec<Atom> {
        let (rest, body) = inside;
        let list = matches!(body, Body::List(_));
        let results = usize::from(list);
        let from = self.expr(&range.from);
        let to = self.expr(&range.to);
        let step = match &range.by {
            Some(by) => self.expr(by),
            None => Atom::Int(1),
        };
        let used = self.uses(rest, body);
        let down = range.down;
        let lifted = self.lift("range", &used, 3 + carried.len(), results, span, |l, me, extra| {
            let (i, to, step) = (extra[0], extra[1], extra[2]);
            let test = l.within(i, to, down, span);
            let turn = |l: &mut Self| {
                let prim = if down { Prim::SubI } else { Prim::AddI };
                let next = l.prim(prim, vec![i, step], span);
                l.turn(me, p, i, inside, (&[next, to, step], &extra[3..]), span)
            };
            l.conditional(test, results, span, turn, |_| extra[3..][..results].to_vec())
        });
        self.call_lifted(&lifted, &[&[from, to, step], carried].concat(), span)
    }

    /// Emits a generator over a list, with the generators that follow inside.
    fn over_list(
        &mut self,
        p: &'a Pat,
        e: &'a Expr,
        inside: (&'a [Gen], Body<'a>),
        carried: &[Atom],
        span: Span,
    ) -> Vec<Atom> {
        let (rest, body) = inside;
        let results = usize::from(matches!(body, Body::List(_)));
        let xs = self.expr(e);
        let used = self.uses(rest, body);
        let lifted = self.lift("elements", &used, 1 + carried.len(), results, span, |l, me, extra| {
            let xs = extra[0];
            let test = l.prim(Prim::HasFields, vec![xs, Atom::Int(0)], span);
            let turn = |l: &mut Self| {
                let head = l.emit(Op::Field { cell: xs, at: 0, mode: Mode::I }, span);
                let next = l.emit(Op::Field { cell: xs, at: 1, mode: Mode::I }, span);
                l.turn(me, p, head, inside, (&[next], &extra[1..]), span)
            };
            l.conditional(test, results, span, turn, |_| extra[1..][..results].to_vec())
        });
        self.call_lifted(&lifted, &[&[xs], carried].concat(), span)
    }

    /// Emits the code for one element and the call for those after it, whose results follow it in a list.
    fn turn(
        &mut self,
        me: &Lifted,
        p: &'a Pat,
        element: Atom,
        (rest, body): (&'a [Gen], Body<'a>),
        (next, own): (&[Atom], &[Atom]),
        span: Span,
    ) -> Vec<Atom> {
        if matches!(body, Body::List(_)) {
            let after = self.again(me, next, own, span);
            return self.fitting(p, element, rest, body, &after, span);
        }
        self.fitting(p, element, rest, body, own, span);
        self.again(me, next, own, span)
    }

    fn again(&mut self, me: &Lifted, first: &[Atom], carried: &[Atom], span: Span) -> Vec<Atom> {
        self.call_lifted(me, &[first, carried].concat(), span)
    }

    /// Emits the test whether a range's index has not passed the end.
    pub(super) fn within(&mut self, i: Atom, to: Atom, down: bool, span: Span) -> Atom {
        self.prim(Prim::LeI, if down { vec![to, i] } else { vec![i, to] }, span)
    }

    /// Emits the rest of the generators for an element that fits the pattern. The result for any other is the
    /// list that follows.
    fn fitting(
        &mut self,
        p: &'a Pat,
        value: Atom,
        rest: &'a [Gen],
        body: Body<'a>,
        carried: &[Atom],
        span: Span,
    ) -> Vec<Atom> {
        let list = matches!(body, Body::List(_));
        let inside = |l: &mut Self| {
            l.take_apart(p, value);
            l.generate(rest, body, carried, span)
        };
        match self.fits(p, value) {
            None => inside(self),
            Some(test) => self.conditional(test, usize::from(list), span, inside, |_| {
                if list { vec![carried[0]] } else { Vec::new() }
            }),
        }
    }

    fn innermost(&mut self, body: Body<'a>, carried: &[Atom], span: Span) -> Vec<Atom> {
        match body {
            Body::List(value) => {
                let value = self.expr(value);
                let fields = vec![Init::Value(value), Init::Value(carried[0])];
                vec![self.emit(Op::Make { tag: 0, fields }, span)]
            }
            Body::Region(region, op) => {
                self.region(region, op, carried);
                Vec::new()
            }
        }
    }
}
