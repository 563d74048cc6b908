//! Widening: values whose types have `int` where their places want `float` (`types::is_widened`). These are
//! numbers, tuples, and functions; a widened function is a wrapper around it.

use super::Lower;
use crate::check::types::{Ty, fun, is_widened};
use crate::core::language::{Atom, Init, Mode, Op, Prim};
use base::Span;

impl Lower<'_> {
    /// Converts a value of type `from` to type `to`.
    pub(super) fn widen(&mut self, value: Atom, from: &Ty, to: &Ty, span: Span) -> Atom {
        if !is_widened(from, to) {
            return value;
        }
        match (from, to) {
            (Ty::Tuple(from), Ty::Tuple(to)) => {
                let fields = from.iter().zip(to.iter()).enumerate().map(|(at, (from, to))| {
                    let field = self.emit(Op::Field { cell: value, at, mode: Mode::I }, span);
                    Init::Value(self.widen(field, from, to, span))
                });
                let fields = fields.collect();
                self.emit(Op::Make { tag: 0, fields }, span)
            }
            (Ty::Fun(_), Ty::Fun(_)) => {
                let func = self.widened_function(from, to, span);
                self.emit(Op::Closure { func, args: vec![value] }, span)
            }
            _ => match value {
                Atom::Int(n) => Atom::Float(n as f64),
                _ => self.prim(Prim::ToFloat, vec![value], span),
            },
        }
    }

    /// The wrapper that takes a function of type `from` and an argument of a function of type `to`.
    fn widened_function(&mut self, from: &Ty, to: &Ty, span: Span) -> usize {
        let key = fun(from.clone(), to.clone());
        self.wrapper("widened", &key, 2, false, span, |l, params| {
            let (Ty::Fun(from), Ty::Fun(to)) = (from, to) else { return params[0] };
            let arg = l.widen(params[1], &to.0, &from.0, span);
            let result = l.emit(Op::Apply { f: params[0], args: vec![arg] }, span);
            l.widen(result, &from.1, &to.1, span)
        })
    }
}
