//! Cells, closures and arrays: how they are made, stored into and passed on.

use super::Direct;
use crate::core::language::*;
use crate::tam::emit::words::{self, mode_name, three};

impl Direct<'_> {
    /// A closure or an array.
    pub(super) fn allocate(&mut self, op: &Op, v: Var, w: &[String], site: usize) {
        match op {
            Op::Closure { func, args } => {
                let (block, held) = (self.e.lenient_block(*func), args.len());
                self.line(&format!("v{v} = tam_object_word(tam_closure(&cb{block}, {held}, {site}), 0);"));
                for (at, word) in w.iter().enumerate() {
                    self.line(&format!("tam_set(tam_at(v{v}), {at}, {word});"));
                }
            }
            Op::Alloc { mutable, numbers, bounds } => {
                let kind = words::kind(*mutable, *numbers);
                if !*mutable && self.small_array(v, kind, bounds, site) {
                    return;
                }
                let (dims, bounds) = (w.len() / 2, words::bounds(w));
                self.line(&format!("v{v} = tam_array({dims}, {kind}, {bounds}, {site});"));
            }
            _ => {}
        }
    }

    /// A store into an element or a field.
    pub(super) fn store(&mut self, op: &Op, w: &[String], site: usize) {
        self.clean = false;
        let (array, value) = (&w[0], &w[w.len() - 1]);
        match op {
            Op::StoreField { at, mode, .. } => {
                let mode = mode_name(*mode);
                self.line(&format!("tam_put(join, {array}, {mode}, 0, {at}, 0, 0, {value}, {site});"));
            }
            Op::Store { mode, array: to, index, .. } => {
                if *mode == Mode::I && self.fill(*to, index, value) {
                    return;
                }
                let (dims, at) = (index.len(), &w[1..w.len() - 1]);
                let (i, name) = (three(at), mode_name(*mode));
                let text = match (self.view(*to, dims, *mode), self.sure_element(*to, index, at)) {
                    (Some(view), Some(element)) => format!("tam_fill_sure({element}, {view}, {value});"),
                    (Some(view), None) => {
                        format!("tam_view_put({view}, join, {array}, {dims}, {i}, {value}, {site});")
                    }
                    _ => format!("tam_put(join, {array}, {name}, {dims}, {i}, {value}, {site});"),
                };
                self.line(&text);
            }
            _ => {}
        }
    }

    /// The view of an array that came with it, if the access is of an I-structure.
    pub(super) fn view(&mut self, array: Atom, dims: usize, mode: Mode) -> Option<String> {
        let Atom::Var(v) = array else { return None };
        (mode == Mode::I && self.view_dims(v) == Some(dims)).then(|| format!("&w{v}"))
    }

    fn view_dims(&self, v: Var) -> Option<usize> {
        self.views.get(&v).or_else(|| self.own_views.get(&v)).copied()
    }

    /// The views that come with the arguments of a call.
    pub(super) fn views_for(&self, func: FuncId, args: &[Atom]) -> Vec<String> {
        let one = |(p, dims): (&usize, &usize)| match args[*p] {
            Atom::Var(v) if self.view_dims(v) == Some(*dims) => format!("w{v}"),
            arg => format!("tam_view({}, {dims})", self.word(arg)),
        };
        self.e.views[func].iter().map(one).collect()
    }

    pub(super) fn make(&mut self, tag: usize, fields: &[Init], v: Var, site: usize) {
        self.line(&format!("v{v} = tam_object_word(tam_cell({}, {site}), {tag});", fields.len()));
        for (at, field) in fields.iter().enumerate() {
            let (atom, how) = match field {
                Init::Value(atom) => (*atom, "tam_set"),
                Init::Delayed(atom) => (*atom, "tam_delay"),
                Init::Empty => continue,
            };
            let word = self.word(atom);
            self.line(&format!("{how}(tam_at(v{v}), {at}, {word});"));
        }
    }
}
