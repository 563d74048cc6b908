//! Array comprehensions and accumulators.
//!
//! A comprehension allocates the array and stores into it from all regions; the array exists at once. An
//! accumulator keeps its elements in an M-array: a contribution takes one and puts it back. The contributions
//! are made in a call with `join`; when this has ended, the elements are copied to the result, which exists
//! from the beginning.

use super::Lower;
use super::compr::Body;
use crate::check::types::Ty;
use crate::core::language::{Atom, Bind, Mode, Op, Prim};
use crate::syntax::ast::{ArrayCompr, ArrayKind, Expr, ExprKind, NodeId, Region};
use crate::syntax::walk;
use base::Span;

impl<'a> Lower<'a> {
    /// Whether the elements of an array of this type are never references.
    pub(super) fn holds_numbers(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Con(name, args) if name.ends_with("d_array") && args.last().is_some_and(|of| self.is_word(of)))
    }

    /// Whether the values of a type are words by themselves: numbers, characters, constructors without
    /// fields.
    fn is_word(&self, ty: &Ty) -> bool {
        let Ty::Con(name, _) = ty else { return false };
        let mut declared = self.program.types.iter().filter(|t| *t.name.text == **name).peekable();
        if declared.peek().is_none() {
            return matches!(&**name, "int" | "float" | "char");
        }
        // A program may declare a type under a name that the library declares too.
        declared.all(|t| !t.cons.is_empty() && t.cons.iter().all(|c| c.fields.is_empty()))
    }

    pub(super) fn array_compr(&mut self, id: NodeId, c: &'a ArrayCompr, span: Span) -> Atom {
        let numbers = self.holds_numbers(&self.ty(id));
        let bounds = self.bounds_of(&c.bounds, c.dims);
        let Some((op, gets)) = &c.accumulate else {
            let mutable = c.kind == ArrayKind::M;
            let array = self.emit(Op::Alloc { mutable, numbers, bounds }, span);
            for region in &c.regions {
                self.generate(&region.gens, Body::Region(region, None), &[array], region.span);
            }
            return array;
        };
        let mutable = c.kind == ArrayKind::M;
        let result = self.emit(Op::Alloc { mutable, numbers, bounds: bounds.clone() }, span);
        let work = self.emit(Op::Alloc { mutable: true, numbers, bounds: bounds.clone() }, span);
        for region in &c.regions {
            self.generate(&region.gens, Body::Region(region, None), &[work], region.span);
        }
        let used = self.used_by(|visit| {
            walk::exprs(op, visit);
            for r in gets {
                walk::generators(&r.gens, visit);
                r.index.iter().for_each(|i| walk::exprs(i, visit));
                walk::exprs(&r.value, visit);
            }
        });
        let lifted = self.lift("contributions", &used, 1, 0, span, |l, _, extra| {
            for region in gets {
                l.generate(&region.gens, Body::Region(region, Some(op)), &[extra[0]], region.span);
            }
            Vec::new()
        });
        let done = self.call_lifted_as(&lifted, &[work], true, span);
        let done = done.last().copied().unwrap_or(Atom::Int(1));
        self.conditional(
            done,
            0,
            span,
            |l| {
                l.copy_elements(work, result, &bounds, Vec::new(), span);
                Vec::new()
            },
            |_| Vec::new(),
        );
        result
    }

    /// The words of the bounds; bounds that are written out need no tuples.
    fn bounds_of(&mut self, e: &'a Expr, dims: usize) -> Vec<Atom> {
        let pairs: Option<Vec<&'a Expr>> = match (&e.kind, dims) {
            (_, 1) => Some(vec![e]),
            (ExprKind::Tuple(parts), _) if parts.len() == dims => Some(parts.iter().collect()),
            _ => None,
        };
        let Some(pairs) = pairs else {
            let tuple = self.expr(e);
            return self.bound_words(tuple, dims, e.span);
        };
        let mut words = Vec::new();
        for pair in pairs {
            match &pair.kind {
                ExprKind::Tuple(ends) if ends.len() == 2 => words.extend(ends.iter().map(|e| self.expr(e))),
                _ => {
                    let tuple = self.expr(pair);
                    words.extend(self.bound_words(tuple, 1, pair.span));
                }
            }
        }
        words
    }

    /// Emits the store of an element of a region, or a contribution to an accumulator.
    pub(super) fn region(&mut self, region: &'a Region, op: Option<&'a Expr>, carried: &[Atom]) {
        let array = carried[0];
        let dims_differ = region.index.len() == 1
            && matches!(self.ty(region.index[0].id), crate::check::types::Ty::Tuple(_));
        let index: Vec<Atom> = if dims_differ {
            let e = &region.index[0];
            let n = match self.ty(e.id) {
                crate::check::types::Ty::Tuple(parts) => parts.len(),
                _ => 1,
            };
            let tuple = self.expr(e);
            (0..n).map(|at| self.emit(Op::Field { cell: tuple, at, mode: Mode::I }, e.span)).collect()
        } else {
            region.index.iter().map(|i| self.expr(i)).collect()
        };
        let value = self.expr(&region.value);
        let span = region.span;
        let Some(op) = op else {
            return self.ctx.out.push(Bind {
                dst: Vec::new(),
                op: Op::Store { array, index, value, mode: Mode::I },
                span,
            });
        };
        // The contribution comes first, so that no other waits for its computation while the element is
        // taken.
        let before = self.emit(Op::Fetch { array, index: index.clone(), mode: Mode::Take }, span);
        let f = self.expr(op);
        let after = self.combine(op, f, before, value, span);
        self.ctx.out.push(Bind {
            dst: Vec::new(),
            op: Op::Store { array, index, value: after, mode: Mode::Take },
            span,
        });
    }

    fn combine(&mut self, op: &'a Expr, f: Atom, before: Atom, value: Atom, span: Span) -> Atom {
        let float = match self.ty(op.id) {
            crate::check::types::Ty::Fun(f) => crate::check::types::is(&f.0, "float"),
            _ => false,
        };
        let prim = match (&op.kind, float) {
            (ExprKind::Name(name), true) if name == "(+)" => Prim::AddF,
            (ExprKind::Name(name), false) if name == "(+)" => Prim::AddI,
            (ExprKind::Name(name), true) if name == "(*)" => Prim::MulF,
            (ExprKind::Name(name), false) if name == "(*)" => Prim::MulI,
            _ => {
                // The result may be known before the element has been taken.
                let after = self.emit(Op::Apply { f, args: vec![before, value] }, span);
                return self.prim(Prim::After, vec![after, before], span);
            }
        };
        self.prim(prim, vec![before, value], span)
    }

    /// Stores each element of `from` into `to`, in loops over the remaining bounds.
    fn copy_elements(&mut self, from: Atom, to: Atom, bounds: &[Atom], index: Vec<Atom>, span: Span) {
        let Some((&[lo, hi], rest)) = bounds.split_first_chunk::<2>() else {
            let value = self.emit(Op::Fetch { array: from, index: index.clone(), mode: Mode::Examine }, span);
            let op = Op::Store { array: to, index, value, mode: Mode::I };
            return self.ctx.out.push(Bind { dst: Vec::new(), op, span });
        };
        let extra = [&[lo, hi, from, to], rest, &index[..]].concat();
        let (inner, done) = (rest.len(), index.len());
        let lifted = self.lift("copy", &Default::default(), extra.len(), 0, span, |l, me, x| {
            let test = l.within(x[0], x[1], false, span);
            l.conditional(
                test,
                0,
                span,
                |l| {
                    let mut index = x[4 + inner..4 + inner + done].to_vec();
                    index.push(x[0]);
                    l.copy_elements(x[2], x[3], &x[4..4 + inner], index, span);
                    let next = l.prim(Prim::AddI, vec![x[0], Atom::Int(1)], span);
                    let mut again = x.to_vec();
                    again[0] = next;
                    l.call_lifted(me, &again, span)
                },
                |_| Vec::new(),
            )
        });
        self.call_lifted(&lifted, &extra, span);
    }
}
