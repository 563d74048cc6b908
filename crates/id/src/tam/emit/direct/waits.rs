//! Operations of a C function that may have to wait: reads, calls and applications. If one has to, an
//! activation of the remainder waits instead.

use super::{Direct, call_direct, result, unlikely};
use crate::core::language::*;
use crate::tam::c::{Expr, Prefix, Stmt, Writer, call, words};
use crate::tam::emit::words::{codeblock, mode_name, subscripts, variable};
use crate::tam::plan::{Callee, Fetch, Look, Rest, Wait};

impl Direct<'_, '_> {
    /// Goes on if the condition holds; else the function leaves to wait for the value that `late` requests.
    fn unless(&mut self, condition: Expr, wait: &Wait, late: Expr) {
        self.when(unlikely(!condition), |d| {
            d.out_of_line(None, |d| match wait {
                Wait::Repeat => d.repeat_as_threads(),
                Wait::Rest(rest) => {
                    d.make_rest(rest);
                    d.add(late);
                    d.return_rest();
                }
            });
        });
    }

    /// A read of a field, or of an array's bound.
    pub(super) fn field_or_bound(&mut self, bind: &Bind, wait: &Wait, w: &[Expr], site: usize) {
        let v = bind.dst.first().copied().unwrap_or(0);
        match &bind.op {
            Op::Field { at, mode, .. } => {
                let here = match mode {
                    Mode::I => call!("tam_field_here", &w[0], *at, variable(v).address()),
                    _ => mutable_read(*mode, &w[0], 0, &[(*at).into()], v),
                };
                self.read(here, wait, &w[0], *mode, 0, &[(*at).into()], site);
            }
            Op::Bound { at, .. } => {
                let late = call!("tam_fetch_late", "k", 0, &w[0], "TAM_BOUND", 0, *at, 0, 0, site);
                self.unless(call!("tam_is_local", &w[0]), wait, late);
                self.add(Stmt::set(variable(v), call!("tam_at", &w[0]).arrow("v").at(*at)));
            }
            _ => {}
        }
    }

    /// A read of an element.
    pub(super) fn fetch(&mut self, bind: &Bind, fetch: &Fetch, w: &[Expr], site: usize) {
        let Op::Fetch { mode, array, index } = &bind.op else { return };
        let (v, dims, at) = (bind.dst.first().copied().unwrap_or(0), index.len(), &w[1..]);
        let view = self.view(*array, dims, *mode);
        if let (Some(look), Some(view)) = (&fetch.look, &view) {
            self.look(look, view, w, site);
        }
        match (&fetch.wait, view) {
            (None, view) => {
                let view = view.unwrap_or(0.into());
                let element = call!("tam_view_at", view, dims, subscripts(at));
                self.set(v, element.after(Prefix::Dereference));
                self.add(call!("TAM_COUNT", "FETCH_HERE", 1));
            }
            (Some(wait), view) => {
                let to = variable(v).address();
                let here = match (mode, view) {
                    (Mode::I, Some(view)) => call!("tam_view_read", view, dims, subscripts(at), to),
                    (Mode::I, None) => call!("tam_element_here", &w[0], dims, subscripts(at), to),
                    _ => mutable_read(*mode, &w[0], dims, at, v),
                };
                self.read(here, wait, &w[0], *mode, dims, at, site);
            }
        }
    }

    /// Tests a box of elements, before the first of them is read.
    fn look(&mut self, look: &Look, view: &Expr, w: &[Expr], site: usize) {
        let dims = look.first.len();
        let at = |index: &[i64]| subscripts(&index.iter().map(|i| call!("INT64_C", *i)).collect::<Vec<_>>());
        let full = call!("tam_box_full", view, dims, at(&look.first), at(&look.last));
        let late = call!("tam_fetch_late", "k", 0, &w[0], "TAM_I", dims, subscripts(&w[1..]), site);
        self.unless(full, &look.wait, late);
    }

    /// A read that goes on if `here` holds.
    #[allow(clippy::too_many_arguments)]
    fn read(
        &mut self,
        here: Expr,
        wait: &Wait,
        from: &Expr,
        mode: Mode,
        dims: usize,
        at: &[Expr],
        site: usize,
    ) {
        let late = call!("tam_fetch_late", "k", 0, from, mode_name(mode), dims, subscripts(at), site);
        self.unless(here, wait, late);
    }

    /// A call that is not the function's last. `rest`: the remainder, if it waits.
    pub(super) fn call(&mut self, bind: &Bind, callee: Callee, rest: Option<&Rest>, w: &[Expr]) {
        let Op::Call { func, args, join } = &bind.op else { return };
        match (callee, rest) {
            (_, Some(rest)) if *join => self.joined(bind, callee, rest, w),
            (Callee::Block(block), None) => {
                self.add(call!("tam_invoke", "join", codeblock(block), words(w), 0, 0));
            }
            // The activation may move to another processor, so it must know where its results go.
            (Callee::Block(block), Some(rest)) => self.braces(|d| {
                d.make_rest(rest);
                let to = call!("tam_frame_word", "k");
                d.add(call!("tam_invoke", "join", codeblock(block), words(w), to, 0));
                d.return_rest();
            }),
            (Callee::Function, rest) => {
                let views = self.views_for(*func, args);
                let call = call_direct(self.e.plan, *func, "join".into(), w, views);
                let Some(rest) = rest else { return self.out.extend(call) };
                self.braces(|d| {
                    d.out.extend(call);
                    d.hand_over(rest);
                    d.results(&bind.dst);
                });
            }
        }
    }

    /// If `r` waits, the remainder waits for it.
    fn hand_over(&mut self, rest: &Rest) {
        let waits = Expr::from("r").member("waits");
        self.when(unlikely(waits.clone().differs(0)), |d| {
            d.out_of_line(Some((("struct tam_frame *", "waits".into()), waits)), |d| {
                d.make_rest(rest);
                d.add(call!("tam_hand", "waits", call!("tam_frame_word", "k"), 0));
                d.return_rest();
            });
        });
    }

    fn results(&mut self, dst: &[Var]) {
        for (n, &v) in dst.iter().enumerate() {
            self.set(v, result(n));
        }
    }

    /// A call with `join`, whose last result arrives when all work that the call has started has ended.
    fn joined(&mut self, bind: &Bind, callee: Callee, rest: &Rest, w: &[Expr]) {
        let Op::Call { func, args, .. } = &bind.op else { return };
        let results = bind.dst.len() - 1;
        let done = bind.dst[results];
        self.braces(|d| {
            d.add(Stmt::declare("struct tam_join *", "j", call!("tam_join_new", 0, 0)));
            if let Callee::Block(block) = callee {
                d.make_rest(rest);
                let to = if results > 0 { call!("tam_frame_word", "k") } else { 0.into() };
                d.add(call!("tam_invoke", "j", codeblock(block), words(w), to, 0));
                d.add(call!("tam_join_wait", "j", "k", results));
                return d.return_rest();
            }
            let views = d.views_for(*func, args);
            d.out.extend(call_direct(d.e.plan, *func, "j".into(), w, views));
            let runs_on = !call!("tam_join_over", "j");
            let waits = || Expr::from("r").member("waits");
            let test = if results > 0 { waits().or(runs_on) } else { runs_on };
            d.when(unlikely(test), |d| {
                d.make_rest(rest);
                if results > 0 {
                    let to = || call!("tam_frame_word", "k");
                    let hand = call!("tam_hand", waits(), to(), 0).into();
                    let send = (0..results).map(|n| call!("tam_send", to(), n, result(n)).into()).collect();
                    d.add(Stmt::If(waits(), vec![hand], send));
                }
                d.add(call!("tam_join_wait", "j", "k", results));
                d.return_rest();
            });
            d.results(&bind.dst[..results]);
            d.set(done, 1.into());
        });
    }

    pub(super) fn apply(&mut self, bind: &Bind, wait: &Wait, rest: &Rest, w: &[Expr], site: usize) {
        let (count, args) = (w.len() - 1, || words(&w[1..]));
        self.braces(|d| {
            d.add(Stmt::declare_only("struct tam_value", "r"));
            let late = call!("tam_apply_late", "k", 0, &w[0], args(), count, site);
            let to = Expr::from("r").address();
            d.unless(call!("tam_apply_now", "join", &w[0], args(), count, to), wait, late);
            d.hand_over(rest);
            d.results(&bind.dst);
        });
    }
}

/// The test of a read of a mutable element: a take, or an examination, which leaves the value.
fn mutable_read(mode: Mode, from: &Expr, dims: usize, at: &[Expr], to: Var) -> Expr {
    let function = if mode == Mode::Take { "tam_take_here" } else { "tam_examine_here" };
    call!(function, from, dims, subscripts(at), variable(to).address())
}
