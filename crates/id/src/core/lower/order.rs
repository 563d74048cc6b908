//! Statements, and barriers between groups of them.
//!
//! The group above a barrier becomes a function that is called with `join`: its last result arrives when all
//! work that it has started has ended. The groups below are inside a conditional on that result.

use super::{Env, Lower};
use crate::check::resolve::BindId;
use crate::core::language::{Atom, Bind, Mode, Op, Prim, Var};
use crate::syntax::ast::*;
use crate::syntax::walk;
use base::{Code, Span};
use std::collections::BTreeSet;
use std::rc::Rc;

impl<'a> Lower<'a> {
    /// Whether a variable was made for a name before its definition was lowered.
    pub(super) fn preset(&self, var: Var) -> bool {
        self.ctx.presets.contains(&var)
    }

    /// Emits the groups of a block or a loop's body and then `rest`, in a scope of their own. Returns the
    /// results of `rest`.
    pub(super) fn groups(
        &mut self,
        groups: &'a [Vec<Stmt>],
        results: usize,
        span: Span,
        rest: &mut dyn FnMut(&mut Self) -> Vec<Atom>,
        rest_uses: &BTreeSet<BindId>,
    ) -> Vec<Atom> {
        let env = self.ctx.env.clone();
        self.barriers(groups);
        for group in groups {
            self.define(group);
        }
        let out = self.after(groups, results, span, rest, rest_uses);
        self.ctx.env = env;
        out
    }

    fn after(
        &mut self,
        groups: &'a [Vec<Stmt>],
        results: usize,
        span: Span,
        rest: &mut dyn FnMut(&mut Self) -> Vec<Atom>,
        rest_uses: &BTreeSet<BindId>,
    ) -> Vec<Atom> {
        let Some((group, below)) = groups.split_first() else { return rest(self) };
        if below.is_empty() {
            self.statements(group);
            return rest(self);
        }
        let defined: Vec<BindId> = group.iter().flat_map(|s| self.values_of(s)).collect();
        let mut later = self.used_by(|visit| walk::groups(below, visit));
        later.extend(rest_uses.iter().copied());
        let wanted: Vec<BindId> = defined.iter().copied().filter(|id| later.contains(id)).collect();
        // The names that the group defines are local to it, except those that are used later.
        let saved: Vec<_> = defined.iter().map(|id| (*id, self.ctx.values.remove(id))).collect();
        let used = self.used_by(|visit| group.iter().for_each(|s| walk::stmt(s, visit)));
        let lifted = self.lift("barrier", &used, 0, wanted.len(), span, |l, _, _| {
            let env = Rc::new(Env { outer: Some(l.ctx.env.clone()), funcs: Default::default() });
            l.ctx.env = env;
            l.define(group);
            l.statements(group);
            wanted.iter().map(|id| l.value_of(*id)).collect()
        });
        self.ctx.values.extend(saved.into_iter().filter_map(|(id, atom)| Some((id, atom?))));
        let mut atoms = self.call_lifted_as(&lifted, &[], true, span);
        let done = atoms.pop().unwrap_or(Atom::Int(1));
        for (id, atom) in wanted.iter().zip(atoms) {
            self.set(*id, atom, span);
        }
        self.conditional(
            done,
            results,
            span,
            |l| l.after(below, results, span, rest, rest_uses),
            |_| vec![Atom::Int(0); results],
        )
    }

    /// Reports uses above a barrier of names that are defined below it: they would wait for ever.
    fn barriers(&mut self, groups: &'a [Vec<Stmt>]) {
        for at in 1..groups.len() {
            let below: BTreeSet<BindId> = groups[at].iter().flat_map(|s| self.values_of(s)).collect();
            let mut found = None;
            for group in &groups[..at] {
                walk::groups(std::slice::from_ref(group), &mut |e| {
                    let mut ids = BTreeSet::new();
                    self.direct(e, &mut ids);
                    if let Some(id) = ids.intersection(&below).next() {
                        found = Some((e.span, *id));
                    }
                });
            }
            if let Some((span, id)) = found {
                let bind = &self.names.binds[id];
                let (name, defined) = (bind.name.clone(), bind.span);
                let text = format!("this waits for `{name}`, which is computed only after this has ended");
                let d = self.error(Code::IdBarrier, span, text);
                d.labels.push((defined, "defined below the barrier".into()));
                d.help = Some("move one of the two across the barrier `---`".into());
            }
        }
    }

    pub(super) fn statements(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Def(def) if def.clauses[0].params.is_empty() => {
                let Some(&id) = self.names.defined.get(&def.id) else { return };
                if !matches!(self.ctx.values.get(&id), Some(Atom::Var(_))) {
                    return;
                }
                let value = self.expr(&def.clauses[0].body);
                self.set(id, value, def.name.span);
            }
            Stmt::Bind { lhs, value, span } => self.binding(lhs, value, *span),
            Stmt::Do(e) => {
                self.expr(e);
            }
            Stmt::Def(_) | Stmt::TypeOf(..) => {}
        }
    }

    fn binding(&mut self, lhs: &'a [Lhs], value: &'a Expr, span: Span) {
        if let [one] = lhs {
            if self.is_constant(one) {
                return;
            }
            let from = self.ctx.out.len();
            let atom = self.expr(value);
            return self.assign(one, atom, from, span);
        }
        if let ExprKind::Tuple(parts) = &value.kind
            && parts.len() == lhs.len()
        {
            for (l, part) in lhs.iter().zip(parts) {
                let from = self.ctx.out.len();
                let atom = self.expr(part);
                self.assign(l, atom, from, span);
            }
            return;
        }
        let from = self.ctx.out.len();
        let tuple = self.expr(value);
        for (at, l) in lhs.iter().enumerate() {
            let atom = self.emit(Op::Field { cell: tuple, at, mode: Mode::I }, span);
            self.assign(l, atom, from, span);
        }
    }

    /// Emits a definition or a store. `from`: the index in `ctx.out` where the computation of the value
    /// begins.
    fn assign(&mut self, lhs: &'a Lhs, value: Atom, from: usize, span: Span) {
        match lhs {
            Lhs::Pat(p) => self.define_by(p, value),
            Lhs::Next(_, node) => {
                if let Some(&id) = self.names.defined.get(node) {
                    self.set(id, value, span);
                }
            }
            Lhs::Store { base, index, access, span } => {
                let array = self.expr(base);
                let mut index = self.subscripts(index, base.id);
                let (value, mode) = match access {
                    Access::Examine => {
                        index[0] = self.known_after(index[0], value, *span);
                        let op = Op::Fetch { array, index: index.clone(), mode: Mode::Take };
                        (self.in_place_of(op, value, *span), Mode::Take)
                    }
                    _ => (self.after_take(lhs, (array, value), from, *span), mode(*access)),
                };
                self.ctx.out.push(Bind {
                    dst: Vec::new(),
                    op: Op::Store { array, index, value, mode },
                    span: *span,
                });
            }
            Lhs::StoreField { base, field, access } => {
                let cell = self.expr(base);
                let at = self.names.fields.get(&field.text).map_or(0, |f| f.1);
                let (cell, value, mode) = match access {
                    Access::Examine => {
                        let cell = self.known_after(cell, value, field.span);
                        let op = Op::Field { cell, at, mode: Mode::Take };
                        (cell, self.in_place_of(op, value, field.span), Mode::Take)
                    }
                    _ => (cell, self.after_take(lhs, (cell, value), from, field.span), mode(*access)),
                };
                let op = Op::StoreField { cell, at, value, mode };
                self.ctx.out.push(Bind { dst: Vec::new(), op, span: field.span });
            }
        }
    }

    /// The new value of an element, available when `take` has emptied it: a replacement takes and puts. So a
    /// replacement between the take and the put of an update (`m![i] = m![i] + 1`) waits for the put, and a
    /// replacement before the element's first value waits for that value. Filling the element at once would
    /// make these puts errors.
    fn in_place_of(&mut self, take: Op, value: Atom, span: Span) -> Atom {
        let old = self.emit(take, span);
        self.prim(Prim::After, vec![value, old], span)
    }

    /// `atom`, available after `value`, which may be computed from the element that it replaces.
    fn known_after(&mut self, atom: Atom, value: Atom, span: Span) -> Atom {
        match value {
            Atom::Var(_) => self.prim(Prim::After, vec![atom, value], span),
            _ => atom,
        }
    }

    /// The value of a put, available when the element has been taken. A take of the same element inside the
    /// value comes first: `t![i] = x : t![i]` would otherwise put into a full element, because the new cell
    /// exists before its tail. So does a take above the put, as in `old = t![i]; t![i] = True`. Excepted are
    /// elements of objects that this code makes itself, which may be empty and wait for the put.
    fn after_take(&mut self, lhs: &'a Lhs, put: (Atom, Atom), from: usize, span: Span) -> Atom {
        let (object, value) = put;
        let text = match lhs {
            Lhs::Store { access: Access::Take, span, .. } => self.source.slice(*span),
            Lhs::StoreField { base, field, access: Access::Take } => {
                self.source.slice(base.span.to(field.span))
            }
            _ => return value,
        };
        let plain = |text: &str| text.split_whitespace().collect::<String>().to_ascii_lowercase();
        let wanted = plain(text);
        let made_by = |object| self.ctx.out.iter().find(|b| b.dst.iter().any(|v| Atom::Var(*v) == object));
        let is_read = |object| match made_by(object).map(|b| &b.op) {
            Some(Op::Field { mode, .. } | Op::Fetch { mode, .. }) => *mode == Mode::I,
            _ => false,
        };
        let elsewhere = made_by(object).is_none() || is_read(object);
        let mut takes = self.ctx.out.iter().enumerate().filter_map(|(at, bind)| match bind.op {
            Op::Fetch { mode: Mode::Take, array: of, .. } | Op::Field { mode: Mode::Take, cell: of, .. } => {
                let counts = at >= from || elsewhere && (of == object || is_read(of));
                let same = counts && plain(self.source.slice(bind.span)) == wanted;
                same.then_some(bind.dst[0])
            }
            _ => None,
        });
        match takes.next_back() {
            Some(taken) => self.prim(Prim::After, vec![value, Atom::Var(taken)], span),
            None => value,
        }
    }
}

/// The mode of a store or a read that is written in this form.
pub(super) fn mode(access: Access) -> Mode {
    match access {
        Access::Plain => Mode::I,
        Access::Take => Mode::Take,
        Access::Examine => Mode::Examine,
    }
}
