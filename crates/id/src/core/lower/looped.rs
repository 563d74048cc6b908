//! Loops: functions that call themselves with the next values of the circulating variables.
//!
//! A loop with a bound has an M-array with this number of elements, its slots. A pass takes the slot of its
//! number modulo the bound, and puts it back when all work that the pass has started has ended. So at most
//! that number of passes are active at once.

use super::Lower;
use super::lift::Lifted;
use crate::check::resolve::{BindId, Circulating};
use crate::core::language::{Atom, Bind, Mode, Op, Prim};
use crate::syntax::ast::*;
use crate::syntax::walk;
use base::Span;
use std::collections::BTreeSet;

/// A loop that is being lowered.
struct Parts<'a> {
    l: &'a Loop,
    circulating: Vec<Circulating>,
    span: Span,
}

/// The lower bound of the M-array of a bounded loop. No program's array begins there, which distinguishes a
/// pass that waits for ever from a take of the program (`TAM_SLOTS` in `meridian/abi/tam.h`).
const SLOTS: i64 = -(1 << base::contract::SLOTS_SHIFT);

impl<'a> Lower<'a> {
    pub(super) fn looped(&mut self, id: NodeId, l: &'a Loop, span: Span) -> Atom {
        let circulating = self.names.loops.get(&id).cloned().unwrap_or_default();
        // The first values, widened to the types of the circulating variables.
        let mut first: Vec<Atom> = Vec::new();
        for c in &circulating {
            let (from, to) = (self.ty_of_bind(c.outer), self.ty_of_bind(c.current));
            let value = self.value_of(c.outer);
            first.push(self.widen(value, &from, &to, c.span));
        }
        let head: Vec<Atom> = match &l.head {
            LoopHead::Range(_, _, r) => {
                let (from, to) = (self.expr(&r.from), self.expr(&r.to));
                let step = match &r.by {
                    Some(by) => self.expr(by),
                    None => Atom::Int(1),
                };
                vec![from, to, step]
            }
            LoopHead::List(_, e) => vec![self.expr(e)],
            LoopHead::While(_) => Vec::new(),
        };
        let bound = l.bound.as_ref().map(|b| self.slots(b, span));
        let parts = Parts { l, circulating, span };
        let mut used = self.used_by(|visit| self.visit_loop(l, visit));
        for c in &parts.circulating {
            // The value before the loop arrives as a parameter.
            if !self.used_elsewhere(l, c.outer) {
                used.remove(&c.outer);
            }
        }
        let extra = [&head[..], &first[..], &bound.map_or(Vec::new(), |b| b.to_vec())[..]].concat();
        let heads = head.len();
        let results = usize::from(l.finally.is_some());
        let lifted = self.lift("loop", &used, extra.len(), results, span, |low, me, x| {
            low.pass(&parts, me, x, heads, bound.is_some(), results)
        });
        let out = self.call_lifted(&lifted, &extra, span);
        out.first().copied().unwrap_or(Atom::Int(0))
    }

    fn visit_loop(&self, l: &'a Loop, visit: &mut dyn FnMut(&'a Expr)) {
        if let LoopHead::While(e) = &l.head {
            walk::exprs(e, visit);
        }
        walk::groups(&l.groups, visit);
        l.finally.iter().for_each(|f| walk::exprs(f, visit));
    }

    /// Whether the value before the loop is used inside, for example by a function defined before the loop.
    fn used_elsewhere(&self, l: &'a Loop, outer: BindId) -> bool {
        let used = self.used_by(|visit| self.visit_loop(l, visit));
        used.contains(&outer)
    }

    /// The M-array of a bounded loop, all its elements full, and its size.
    fn slots(&mut self, bound: &'a Expr, span: Span) -> [Atom; 3] {
        let size = self.expr(bound);
        let size = self.prim(Prim::MaxI, vec![size, Atom::Int(1)], span);
        let last = self.prim(Prim::AddI, vec![size, Atom::Int(SLOTS - 1)], span);
        let array =
            self.emit(Op::Alloc { mutable: true, numbers: true, bounds: vec![Atom::Int(SLOTS), last] }, span);
        let lifted = self.lift("fill", &BTreeSet::new(), 3, 0, span, |l, me, x| {
            let test = l.within(x[0], x[1], false, span);
            l.conditional(
                test,
                0,
                span,
                |l| {
                    let op =
                        Op::Store { array: x[2], index: vec![x[0]], value: Atom::Int(1), mode: Mode::Take };
                    l.ctx.out.push(Bind { dst: Vec::new(), op, span });
                    let next = l.prim(Prim::AddI, vec![x[0], Atom::Int(1)], span);
                    l.call_lifted(me, &[next, x[1], x[2]], span)
                },
                |_| Vec::new(),
            )
        });
        self.call_lifted(&lifted, &[Atom::Int(SLOTS), last, array], span);
        [array, size, Atom::Int(0)]
    }

    /// Emits one pass: the test, and then the body and the next pass, or the end.
    fn pass(
        &mut self,
        parts: &Parts<'a>,
        me: &Lifted,
        x: &[Atom],
        heads: usize,
        bounded: bool,
        results: usize,
    ) -> Vec<Atom> {
        let (l, span) = (parts.l, parts.span);
        let count = parts.circulating.len();
        for (c, value) in parts.circulating.iter().zip(&x[heads..]) {
            self.stands_now_for(c.current, *value);
        }
        let test = match &l.head {
            LoopHead::Range(_, node, r) => {
                if let Some(&id) = self.names.defined.get(node) {
                    self.stands_now_for(id, x[0]);
                }
                self.within(x[0], x[1], r.down, span)
            }
            LoopHead::List(..) => self.prim(Prim::HasFields, vec![x[0], Atom::Int(0)], span),
            LoopHead::While(e) => self.expr(e),
        };
        self.conditional(
            test,
            results,
            span,
            |low| {
                if !bounded {
                    return low
                        .body(parts, x, heads, results, &mut |low, next| low.call_lifted(me, next, span));
                }
                let slots = [x[heads + count], x[heads + count + 1], x[heads + count + 2]];
                low.bounded(parts, me, x, heads, slots)
            },
            |low| l.finally.iter().map(|f| low.expr(f)).collect(),
        )
    }

    /// Emits the body, and `then` with the arguments of the next pass; returns the results of `then`.
    fn body(
        &mut self,
        parts: &Parts<'a>,
        x: &[Atom],
        heads: usize,
        results: usize,
        then: &mut dyn FnMut(&mut Self, &[Atom]) -> Vec<Atom>,
    ) -> Vec<Atom> {
        let (l, span) = (parts.l, parts.span);
        let mut head: Vec<Atom> = x[..heads].to_vec();
        match &l.head {
            LoopHead::Range(_, _, r) => {
                let prim = if r.down { Prim::SubI } else { Prim::AddI };
                head[0] = self.prim(prim, vec![x[0], x[2]], span);
            }
            LoopHead::List(p, _) => {
                let element = self.emit(Op::Field { cell: x[0], at: 0, mode: Mode::I }, span);
                head[0] = self.emit(Op::Field { cell: x[0], at: 1, mode: Mode::I }, span);
                self.define_by(p, element);
            }
            LoopHead::While(_) => {}
        }
        let uses: BTreeSet<BindId> = parts.circulating.iter().map(|c| c.next).collect();
        let mut rest = |low: &mut Self| {
            let mut next = head.clone();
            next.extend(parts.circulating.iter().map(|c| low.value_of(c.next)));
            next.extend_from_slice(&x[(heads + parts.circulating.len()).min(x.len())..]);
            then(low, &next)
        };
        self.groups(&l.groups, results, span, &mut rest, &uses)
    }

    /// Emits a pass of a bounded loop, which takes its slot, runs the body by a call with `join` and starts
    /// the next pass.
    fn bounded(
        &mut self,
        parts: &Parts<'a>,
        me: &Lifted,
        x: &[Atom],
        heads: usize,
        slots: [Atom; 3],
    ) -> Vec<Atom> {
        let (l, span) = (parts.l, parts.span);
        let [array, size, number] = slots;
        let slot = self.prim(Prim::ModI, vec![number, size], span);
        let slot = self.prim(Prim::AddI, vec![slot, Atom::Int(SLOTS)], span);
        let taken = self.emit(Op::Fetch { array, index: vec![slot], mode: Mode::Take }, span);
        let mut used = self.used_by(|visit| walk::groups(&l.groups, visit));
        used.extend(parts.circulating.iter().map(|c| c.current));
        let given = heads + parts.circulating.len();
        self.conditional(
            taken,
            me.results,
            span,
            |low| {
                let inner = low.lift("pass", &used, given, given, span, |low, _, y| {
                    for (c, value) in parts.circulating.iter().zip(&y[heads..]) {
                        low.stands_now_for(c.current, *value);
                    }
                    if let LoopHead::Range(_, node, _) = &l.head
                        && let Some(&id) = low.names.defined.get(node)
                    {
                        low.stands_now_for(id, y[0]);
                    }
                    low.body(parts, y, heads, given, &mut |_, next| next.to_vec())
                });
                let mut next = low.call_lifted_as(&inner, &x[..given], true, span);
                let done = next.pop().unwrap_or(Atom::Int(1));
                low.conditional(
                    done,
                    0,
                    span,
                    |low| {
                        let op =
                            Op::Store { array, index: vec![slot], value: Atom::Int(1), mode: Mode::Take };
                        low.ctx.out.push(Bind { dst: Vec::new(), op, span });
                        Vec::new()
                    },
                    |_| Vec::new(),
                );
                let number = low.prim(Prim::AddI, vec![number, Atom::Int(1)], span);
                next.extend([array, size, number]);
                low.call_lifted(me, &next, span)
            },
            |_| vec![Atom::Int(0); me.results],
        )
    }
}
