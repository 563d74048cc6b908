//! Cells, closures and arrays: how they are made, stored into and passed on; and the storage of small arrays,
//! which a loop reuses (tam/plan/reuse.rs).

use super::Direct;
use crate::core::language::*;
use crate::tam::c::{Expr, Name, Stmt, Writer, call};
use crate::tam::emit::words::{self, codeblock, mode_name, subscripts, variable};
use crate::tam::plan::Store;

/// The C variable of the array of the turn before, if it was made here.
fn own(param: Var) -> Name {
    Name::Nth("own", param)
}

/// The C variable of the storage that may be reused.
fn spare(param: Var) -> Name {
    Name::Nth("spare", param)
}

impl Direct<'_, '_> {
    pub(super) fn closure(&mut self, bind: &Bind, block: usize, w: &[Expr], site: usize) {
        let v = bind.dst.first().copied().unwrap_or(0);
        let closure = call!("tam_closure", codeblock(block), w.len(), site);
        self.add(Stmt::set(variable(v), call!("tam_object_word", closure, 0)));
        for (at, word) in w.iter().enumerate() {
            self.add(call!("tam_set", call!("tam_at", variable(v)), at, word));
        }
    }

    /// An array of `count` elements; `reuses`: the parameter whose spare storage it takes, if there is some.
    pub(super) fn small_array(
        &mut self,
        bind: &Bind,
        w: &[Expr],
        count: i64,
        reuses: Option<Var>,
        site: usize,
    ) {
        let Op::Alloc { mutable, numbers, .. } = bind.op else { return };
        let (kind, dims) = (words::kind(mutable, numbers), w.len() / 2);
        let made = call!("tam_small_array", dims, count, kind, words::bounds(w), site);
        let made = match reuses {
            Some(p) => Expr::from(spare(p)).choose(call!("tam_small_again", spare(p), dims, count), made),
            None => made,
        };
        self.add(Stmt::set(variable(bind.dst.first().copied().unwrap_or(0)), made));
    }

    /// Variables for the arrays of the turn before, and of the one before that.
    pub(super) fn storage_variables(&mut self) {
        for p in self.plan.reuse.values() {
            self.add(Stmt::declare("tam_word", own(*p), 0));
            self.add(Stmt::declare("tam_word", spare(*p), 0));
        }
    }

    /// Makes the storage of the array that a turn has read spare at the turn's end, if it was made here.
    pub(super) fn swap_storage(&mut self, storage: &[(Var, Option<Var>)]) {
        for (p, made) in storage {
            self.add(Stmt::set(spare(*p), own(*p)));
            self.add(Stmt::set(own(*p), made.map_or(0.into(), variable)));
        }
    }

    /// A store into an element or a field.
    pub(super) fn store(&mut self, op: &Op, how: &Store, w: &[Expr], site: usize) {
        let (array, value) = (&w[0], &w[w.len() - 1]);
        match op {
            Op::StoreField { at, mode, .. } => {
                let mode = mode_name(*mode);
                self.add(call!("tam_put", "join", array, mode, 0, *at, 0, 0, value, site));
            }
            Op::Store { mode, array: to, index, .. } => {
                let (dims, at) = (index.len(), &w[1..w.len() - 1]);
                let (i, name) = (subscripts(at), mode_name(*mode));
                let put = match (how, self.view(*to, dims, *mode)) {
                    (Store::New { at, count }, _) => {
                        call!("tam_fill_new", array, dims, *count, *at, value)
                    }
                    (Store::Sure, Some(view)) => {
                        call!("tam_fill_sure", call!("tam_view_at", &view, dims, i), view, value)
                    }
                    (_, Some(view)) => call!("tam_view_put", view, "join", array, dims, i, value, site),
                    _ => call!("tam_put", "join", array, name, dims, i, value, site),
                };
                self.add(put);
            }
            _ => {}
        }
    }

    /// The address of the view of an array, if accesses use it.
    pub(super) fn view(&self, array: Atom, dims: usize, mode: Mode) -> Option<Expr> {
        let Atom::Var(v) = array else { return None };
        self.plan.has_view(array, dims, mode).then(|| view(v))
    }

    /// The views that are passed with the arguments of a call.
    pub(super) fn views_for(&self, func: FuncId, args: &[Atom]) -> Vec<Expr> {
        let one = |(p, dims): (&usize, &usize)| match args[*p] {
            Atom::Var(v) if self.plan.view_dims(v) == Some(*dims) => Name::Nth("w", v).into(),
            arg => call!("tam_view", self.word(arg), *dims),
        };
        self.e.plan.facts[func].views.iter().map(one).collect()
    }

    /// Makes the views of the arrays among variables that `op`, or a conditional, has assigned.
    pub(super) fn views_of(&mut self, given: &[Var], op: Option<&Op>) {
        for v in given {
            let Some(&dims) = self.plan.own_views.get(v) else { continue };
            let view = match op {
                Some(Op::Alloc { bounds, .. }) if bounds.iter().all(|b| matches!(b, Atom::Int(_))) => {
                    call!("tam_view_of", variable(*v), dims, words::bounds(&self.words(bounds)))
                }
                _ => call!("tam_view", variable(*v), dims),
            };
            self.add(Stmt::set(Name::Nth("w", *v), view));
        }
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

/// The address of an array's view.
pub(super) fn view(array: Var) -> Expr {
    Expr::from(Name::Nth("w", array)).address()
}
