//! Operations of a C function that may have to wait: reads, calls, and calls of what is applied. If one has
//! to, an activation of what is left waits instead.

use super::{Direct, call_direct, result, unlikely};
use crate::core::language::*;
use crate::tam::c::{Expr, Stmt, Writer, call, words};
use crate::tam::emit::prim;
use crate::tam::emit::words::{codeblock, mode_name, subscripts, variable};

impl Direct<'_> {
    /// Goes on if the condition holds; else what is left waits for what `late` asks for.
    pub(super) fn unless(&mut self, condition: Expr, missing: &[Var], late: Expr) {
        let clean = self.clean;
        self.when(unlikely(!condition), |d| {
            d.seldom(None, |d| {
                if clean {
                    d.later();
                } else {
                    d.make_rest(missing);
                    d.add(late);
                    d.return_rest();
                }
            });
        });
    }

    pub(super) fn read(
        &mut self,
        bind: &Bind,
        from: &Expr,
        view: Option<Expr>,
        index: &[Expr],
        mode: Mode,
        site: usize,
    ) {
        let dims = if matches!(bind.op, Op::Field { .. }) { 0 } else { index.len() };
        let v = bind.dst.first().copied().unwrap_or(0);
        let (i, to) = (subscripts(index), variable(v).address());
        let late = call!("tam_fetch_late", "k", 0, from, mode_name(mode), dims, i.clone(), site);
        let test = match (mode, dims, view) {
            (Mode::Take, ..) => call!("tam_take_here", from, dims, i, to),
            (Mode::Examine, ..) => call!("tam_examine_here", from, dims, i, to),
            (_, _, Some(view)) => call!("tam_view_read", view, dims, i, to),
            (_, 0, None) => call!("tam_field_here", from, &index[0], to),
            _ => call!("tam_element_here", from, dims, i, to),
        };
        self.unless(test, &[v], late);
        self.clean &= mode != Mode::Take;
    }

    pub(super) fn call(&mut self, bind: &Bind, func: FuncId, args: &[Atom], w: &[Expr]) {
        self.calls_itself |= func == self.func;
        let results = bind.dst.len();
        if !self.e.calls_direct(func, self.f.io) {
            let block = self.e.block_for(func, &vec![false; w.len()]);
            if results == 0 {
                return self.add(call!("tam_invoke", "join", codeblock(block), words(w), 0, 0));
            }
            // The activation may go to another processor, so it must know where its results go.
            return self.braces(|d| {
                d.make_rest(&bind.dst);
                let to = call!("tam_frame_word", "k");
                d.add(call!("tam_invoke", "join", codeblock(block), words(w), to, 0));
                d.return_rest();
            });
        }
        let views = self.views_for(func, args);
        let call = call_direct(&self.e.program, func, "join".into(), w, views);
        if results == 0 {
            return self.out.extend(call);
        }
        self.braces(|d| {
            d.out.extend(call);
            d.hand_over(&bind.dst);
            d.results(&bind.dst);
        });
    }

    /// If `r' waits: so does what is left.
    fn hand_over(&mut self, dst: &[Var]) {
        let waits = Expr::from("r").member("waits");
        self.when(unlikely(waits.clone().differs(0)), |d| {
            d.seldom(Some((("struct tam_frame *", "waits".into()), waits)), |d| {
                d.make_rest(dst);
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

    /// A call that tells when all that it has begun has ended.
    pub(super) fn joined(&mut self, bind: &Bind, func: FuncId, args: &[Atom], w: &[Expr]) {
        self.calls_itself |= func == self.func;
        let results = bind.dst.len() - 1;
        let done = bind.dst[results];
        self.braces(|d| {
            d.add(Stmt::declare("struct tam_join *", "j", call!("tam_join_new", 0, 0)));
            if !d.e.calls_direct(func, d.f.io) {
                let block = d.e.block_for(func, &vec![false; w.len()]);
                d.make_rest(&bind.dst);
                let to = if results > 0 { call!("tam_frame_word", "k") } else { 0.into() };
                d.add(call!("tam_invoke", "j", codeblock(block), words(w), to, 0));
                d.add(call!("tam_join_wait", "j", "k", results));
                return d.return_rest();
            }
            let views = d.views_for(func, args);
            d.out.extend(call_direct(&d.e.program, func, "j".into(), w, views));
            let runs_on = !call!("tam_join_over", "j");
            let waits = || Expr::from("r").member("waits");
            let test = if results > 0 { waits().or(runs_on) } else { runs_on };
            d.when(unlikely(test), |d| {
                d.make_rest(&bind.dst);
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

    pub(super) fn apply(&mut self, bind: &Bind, w: &[Expr], site: usize) {
        let (count, args) = (w.len() - 1, || words(&w[1..]));
        self.braces(|d| {
            d.add(Stmt::declare_only("struct tam_value", "r"));
            let late = call!("tam_apply_late", "k", 0, &w[0], args(), count, site);
            let to = Expr::from("r").address();
            d.unless(call!("tam_apply_now", "join", &w[0], args(), count, to), &bind.dst, late);
            d.clean = false;
            d.hand_over(&bind.dst);
            d.results(&bind.dst);
        });
    }

    pub(super) fn io(&mut self, io: Io, bind: &Bind, w: &[Expr], site: usize) {
        let call = prim::io(io, &bind.op.atoms(), w, site);
        match bind.dst.get(1) {
            Some(&v) => self.set(v, call),
            None => self.add(call),
        }
        self.clean = false;
    }
}
