//! Patterns: the tests of values, and the parts that their names stand for.
//!
//! Clauses and cases are tried in the order of the text. A test reads only as much of the value as it must.
//! The parts that the names of a pattern stand for are read after the pattern has fitted, and only their uses
//! wait for them.

use super::Lower;
use crate::check::infer::Typed;
use crate::check::resolve::Ref;
use crate::check::types::{con, is};
use crate::core::language::{Atom, Bind, Mode, Op, Prim};
use crate::syntax::ast::*;
use base::Span;

/// Calls `visit` for each node of a pattern.
pub(super) fn nodes(p: &Pat, visit: &mut dyn FnMut(NodeId)) {
    visit(p.id);
    match &p.kind {
        PatKind::Con(_, parts) | PatKind::Tuple(parts) => parts.iter().for_each(|q| nodes(q, visit)),
        _ => {}
    }
}

/// Whether every value fits.
fn always(p: &Pat, typed: &Typed) -> bool {
    let _ = typed;
    match &p.kind {
        PatKind::Wild | PatKind::Void | PatKind::Name(_) => true,
        PatKind::Tuple(parts) => parts.iter().all(|q| always(q, typed)),
        _ => false,
    }
}

impl<'a> Lower<'a> {
    /// Emits `body` if the patterns and the guard fit, else `rest`; returns the results of either.
    pub(super) fn arm(
        &mut self,
        pats: &[&'a Pat],
        args: &[Atom],
        guard: Option<&'a Expr>,
        span: Span,
        body: impl FnOnce(&mut Self) -> Vec<Atom>,
        rest: impl FnOnce(&mut Self) -> Vec<Atom>,
    ) -> Vec<Atom> {
        let test = self.fits_all(pats, args, guard, span);
        let inside = |l: &mut Self| {
            for (p, a) in pats.iter().zip(args) {
                l.take_apart(p, *a);
            }
            body(l)
        };
        match test {
            None => inside(self),
            Some(test) => self.conditional(test, 1, span, inside, rest),
        }
    }

    /// Emits the test whether the patterns, from left to right, and then the guard fit. Returns none if they
    /// always do.
    fn fits_all(
        &mut self,
        pats: &[&'a Pat],
        args: &[Atom],
        guard: Option<&'a Expr>,
        span: Span,
    ) -> Option<Atom> {
        let open: Vec<usize> = (0..pats.len()).filter(|&n| !always(pats[n], self.typed)).collect();
        let Some(&first) = open.first() else {
            let guard = guard?;
            for (p, a) in pats.iter().zip(args) {
                self.take_apart(p, *a);
            }
            return Some(self.expr(guard));
        };
        let test = self.fits(pats[first], args[first])?;
        if open.len() == 1 && guard.is_none() {
            return Some(test);
        }
        let more = |l: &mut Self| {
            let mut pats: Vec<&'a Pat> = pats.to_vec();
            let mut args = args.to_vec();
            let (p, a) = (pats.remove(first), args.remove(first));
            l.take_apart(p, a);
            let test = l.fits_all(&pats, &args, guard, span);
            vec![test.unwrap_or(Atom::Int(1))]
        };
        Some(self.conditional(test, 1, span, more, |_| vec![Atom::Int(0)])[0])
    }

    /// Emits the test whether one pattern fits. Returns none if every value does.
    pub(super) fn fits(&mut self, p: &'a Pat, value: Atom) -> Option<Atom> {
        match &p.kind {
            PatKind::Wild | PatKind::Void | PatKind::Name(_) => None,
            PatKind::Char(c) => Some(self.prim(Prim::EqI, vec![value, Atom::Int(i64::from(*c))], p.span)),
            PatKind::Int(n) if is(&self.ty(p.id), "float") => {
                Some(self.prim(Prim::EqF, vec![value, Atom::Float(*n as f64)], p.span))
            }
            PatKind::Int(n) => Some(self.prim(Prim::EqI, vec![value, Atom::Int(*n)], p.span)),
            PatKind::Float(x) => Some(self.prim(Prim::EqF, vec![value, Atom::Float(*x)], p.span)),
            PatKind::Str(s) => {
                let text = self.literal(s, p.span);
                Some(self.equal(value, text, &con("string"), p.span))
            }
            PatKind::Tuple(parts) => {
                let open: Vec<usize> = (0..parts.len()).filter(|&n| !always(&parts[n], self.typed)).collect();
                self.fits_parts(parts, &open, value, p.span)
            }
            PatKind::Con(_, parts) => {
                let Some(&Ref::Con(con)) = self.names.uses.get(&p.id) else { return None };
                let test = self.is_con(con, value, p.span);
                let open: Vec<usize> = (0..parts.len()).filter(|&n| !always(&parts[n], self.typed)).collect();
                if open.is_empty() {
                    return Some(test);
                }
                let inside =
                    |l: &mut Self| vec![l.fits_parts(parts, &open, value, p.span).unwrap_or(Atom::Int(1))];
                Some(self.conditional(test, 1, p.span, inside, |_| vec![Atom::Int(0)])[0])
            }
        }
    }

    fn fits_parts(&mut self, parts: &'a [Pat], open: &[usize], value: Atom, span: Span) -> Option<Atom> {
        let (&first, rest) = open.split_first()?;
        let part = self.emit(Op::Field { cell: value, at: first, mode: Mode::I }, span);
        let test = self.fits(&parts[first], part)?;
        if rest.is_empty() {
            return Some(test);
        }
        let more = |l: &mut Self| vec![l.fits_parts(parts, rest, value, span).unwrap_or(Atom::Int(1))];
        Some(self.conditional(test, 1, span, more, |_| vec![Atom::Int(0)])[0])
    }

    /// Emits the test whether a value is of this constructor.
    pub(super) fn is_con(&mut self, con: usize, value: Atom, span: Span) -> Atom {
        let info = &self.names.cons[con];
        let number = Atom::Int(info.number as i64);
        let prim = if info.arity == 0 { Prim::EqI } else { Prim::HasFields };
        self.prim(prim, vec![value, number], span)
    }

    /// Makes the names of a pattern that fits stand for the parts of the value.
    pub(super) fn take_apart(&mut self, p: &Pat, value: Atom) {
        match &p.kind {
            PatKind::Name(_) => {
                if let Some(&id) = self.names.defined.get(&p.id) {
                    self.set(id, value, p.span);
                }
            }
            PatKind::Tuple(parts) | PatKind::Con(_, parts) => {
                for (at, q) in parts.iter().enumerate() {
                    let mut any = false;
                    nodes(q, &mut |id| any |= self.names.defined.contains_key(&id));
                    if any {
                        let part = self.emit(Op::Field { cell: value, at, mode: Mode::I }, q.span);
                        self.take_apart(q, part);
                    }
                }
            }
            _ => {}
        }
    }

    /// Makes a name stand for a value: by a copy to the variable that its block has made for it, or directly.
    pub(super) fn set(&mut self, id: usize, value: Atom, span: Span) {
        match self.ctx.values.get(&id) {
            Some(&Atom::Var(var)) if self.preset(var) => {
                self.ctx.out.push(Bind { dst: vec![var], op: Op::Copy(value), span });
            }
            _ => {
                self.stands_now_for(id, value);
            }
        }
    }

    /// Emits a definition by a pattern. Its names exist at once; a value that does not fit is an error when
    /// it arrives.
    pub(super) fn define_by(&mut self, p: &'a Pat, value: Atom) {
        let Some(test) = self.fits(p, value) else { return self.take_apart(p, value) };
        let mut ids = Vec::new();
        nodes(p, &mut |id| ids.extend(self.names.defined.get(&id).copied()));
        let saved: Vec<_> = ids.iter().map(|id| self.ctx.values.remove(id)).collect();
        let parts = self.conditional(
            test,
            ids.len(),
            p.span,
            |l| {
                l.take_apart(p, value);
                ids.iter().map(|&id| l.value_of(id)).collect()
            },
            |l| {
                l.fail("the value does not fit the pattern", p.span);
                ids.iter().map(|_| Atom::Int(0)).collect()
            },
        );
        for ((id, before), part) in ids.iter().zip(saved).zip(parts) {
            match before {
                Some(before) => {
                    self.ctx.values.insert(*id, before);
                }
                None => {
                    self.ctx.values.remove(id);
                }
            }
            self.set(*id, part, p.span);
        }
    }
}
