//! Cells, closures and arrays: how they are made, stored into and passed on.

use super::Direct;
use crate::core::language::*;
use crate::tam::c::{Expr, Name, Stmt, Writer, call};
use crate::tam::emit::words::{self, codeblock, mode_name, subscripts, variable};

impl Direct<'_> {
    /// A closure or an array.
    pub(super) fn allocate(&mut self, op: &Op, v: Var, w: &[Expr], site: usize) {
        match op {
            Op::Closure { func, args } => {
                let (block, held) = (self.e.lenient_block(*func), args.len());
                let closure = call!("tam_closure", codeblock(block), held, site);
                self.add(Stmt::set(variable(v), call!("tam_object_word", closure, 0)));
                for (at, word) in w.iter().enumerate() {
                    self.add(call!("tam_set", call!("tam_at", variable(v)), at, word));
                }
            }
            Op::Alloc { mutable, numbers, bounds } => {
                let kind = words::kind(*mutable, *numbers);
                if !*mutable && self.small_array(v, kind.clone(), bounds, site) {
                    return;
                }
                let (dims, bounds) = (w.len() / 2, words::bounds(w));
                self.add(Stmt::set(variable(v), call!("tam_array", dims, kind, bounds, site)));
            }
            _ => {}
        }
    }

    /// A store into an element or a field.
    pub(super) fn store(&mut self, op: &Op, w: &[Expr], site: usize) {
        self.clean = false;
        let (array, value) = (&w[0], &w[w.len() - 1]);
        match op {
            Op::StoreField { at, mode, .. } => {
                let mode = mode_name(*mode);
                self.add(call!("tam_put", "join", array, mode, 0, *at, 0, 0, value, site));
            }
            Op::Store { mode, array: to, index, .. } => {
                if *mode == Mode::I && self.fill(*to, index, value) {
                    return;
                }
                let (dims, at) = (index.len(), &w[1..w.len() - 1]);
                let (i, name) = (subscripts(at), mode_name(*mode));
                let put = match (self.view(*to, dims, *mode), self.sure_element(*to, index, at)) {
                    (Some(view), Some(element)) => call!("tam_fill_sure", element, view, value),
                    (Some(view), None) => call!("tam_view_put", view, "join", array, dims, i, value, site),
                    _ => call!("tam_put", "join", array, name, dims, i, value, site),
                };
                self.add(put);
            }
            _ => {}
        }
    }

    /// The view of an array that came with it, if the access is of an I-structure.
    pub(super) fn view(&mut self, array: Atom, dims: usize, mode: Mode) -> Option<Expr> {
        let Atom::Var(v) = array else { return None };
        let has_view = mode == Mode::I && self.view_dims(v) == Some(dims);
        has_view.then(|| Expr::from(Name::Nth("w", v)).address())
    }

    fn view_dims(&self, v: Var) -> Option<usize> {
        self.views.get(&v).or_else(|| self.own_views.get(&v)).copied()
    }

    /// The views that come with the arguments of a call.
    pub(super) fn views_for(&self, func: FuncId, args: &[Atom]) -> Vec<Expr> {
        let one = |(p, dims): (&usize, &usize)| match args[*p] {
            Atom::Var(v) if self.view_dims(v) == Some(*dims) => Name::Nth("w", v).into(),
            arg => call!("tam_view", self.word(arg), *dims),
        };
        self.e.views[func].iter().map(one).collect()
    }

    pub(super) fn make(&mut self, tag: usize, fields: &[Init], v: Var, site: usize) {
        let cell = call!("tam_cell", fields.len(), site);
        self.add(Stmt::set(variable(v), call!("tam_object_word", cell, tag)));
        for (at, field) in fields.iter().enumerate() {
            let (atom, how) = match field {
                Init::Value(atom) => (*atom, "tam_set"),
                Init::Delayed(atom) => (*atom, "tam_delay"),
                Init::Empty => continue,
            };
            let word = self.word(atom);
            self.add(call!(how, call!("tam_at", variable(v)), at, word));
        }
    }
}
