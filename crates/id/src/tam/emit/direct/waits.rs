//! Operations of a C function that may have to wait: reads, calls, and calls of what is applied. If one has
//! to, an activation of what is left waits instead.

use super::{Direct, call_text, list, result_text};
use crate::core::language::*;
use crate::tam::emit::prim::io_text;
use crate::tam::emit::words::{mode_name, three};

impl Direct<'_> {
    /// Goes on if the condition holds; else what is left waits for what `late` asks for.
    pub(super) fn unless(&mut self, condition: &str, missing: &[Var], late: &str) {
        self.line(&format!("if (__builtin_expect(!{condition}, 0)) {{"));
        self.depth += 1;
        let clean = self.clean;
        self.seldom(None, |d| {
            if clean {
                d.later();
            } else {
                d.make_rest(missing);
                d.line(late);
                d.return_rest();
            }
        });
        self.depth -= 1;
        self.line("}");
    }

    pub(super) fn read(
        &mut self,
        bind: &Bind,
        from: &str,
        view: Option<String>,
        index: &[String],
        mode: Mode,
        site: usize,
    ) {
        let dims = if matches!(bind.op, Op::Field { .. }) { 0 } else { index.len() };
        let v = bind.dst.first().copied().unwrap_or(0);
        let (i, name) = (three(index), mode_name(mode));
        let test = match (mode, dims) {
            (Mode::Take, _) => format!("tam_take_here({from}, {dims}, {i}, &v{v})"),
            (Mode::Examine, _) => format!("tam_examine_here({from}, {dims}, {i}, &v{v})"),
            _ if view.is_some() => {
                format!("tam_view_read({}, {dims}, {i}, &v{v})", view.unwrap_or_default())
            }
            (_, 0) => format!("tam_field_here({from}, {}, &v{v})", index[0]),
            _ => format!("tam_element_here({from}, {dims}, {i}, &v{v})"),
        };
        let late = format!("tam_fetch_late(k, 0, {from}, {name}, {dims}, {i}, {site});");
        self.unless(&test, &[v], &late);
        self.clean &= mode != Mode::Take;
    }

    pub(super) fn call(&mut self, bind: &Bind, func: FuncId, args: &[Atom], w: &[String]) {
        self.calls_itself |= func == self.func;
        let results = bind.dst.len();
        if !self.e.calls_direct(func, self.f.io) {
            let block = self.e.block_for(func, &vec![false; w.len()]);
            let args = list(w);
            if results == 0 {
                return self.line(&format!("tam_invoke(join, &cb{block}, {args}, 0, 0);"));
            }
            // The activation may go to another processor, so it must know where its results go.
            self.line("{");
            self.depth += 1;
            self.make_rest(&bind.dst);
            self.line(&format!("tam_invoke(join, &cb{block}, {args}, tam_frame_word(k), 0);"));
            self.return_rest();
            self.depth -= 1;
            return self.line("}");
        }
        let views = self.views_for(func, args);
        let text = call_text(&self.e.program, func, "join", w, &views);
        if results == 0 {
            return self.line(&text);
        }
        self.line("{");
        self.depth += 1;
        self.line(&text);
        self.hand_over(&bind.dst);
        self.results(&bind.dst);
        self.depth -= 1;
        self.line("}");
    }

    /// If `r' waits: so does what is left.
    fn hand_over(&mut self, dst: &[Var]) {
        self.line("if (__builtin_expect(r.waits != 0, 0)) {");
        self.depth += 1;
        self.seldom(Some(("struct tam_frame *waits", "r.waits")), |d| {
            d.make_rest(dst);
            d.line("tam_hand(waits, tam_frame_word(k), 0);");
            d.return_rest();
        });
        self.depth -= 1;
        self.line("}");
    }

    fn results(&mut self, dst: &[Var]) {
        for (n, &v) in dst.iter().enumerate() {
            self.set(v, &result_text(n));
        }
    }

    /// A call that tells when all that it has begun has ended.
    pub(super) fn joined(&mut self, bind: &Bind, func: FuncId, args: &[Atom], w: &[String]) {
        self.calls_itself |= func == self.func;
        let results = bind.dst.len() - 1;
        let done = bind.dst[results];
        self.line("{");
        self.depth += 1;
        self.line("struct tam_join *j = tam_join_new(0, 0);");
        if self.e.calls_direct(func, self.f.io) {
            let views = self.views_for(func, args);
            let text = call_text(&self.e.program, func, "j", w, &views);
            self.line(&text);
            let both = if results > 0 { "r.waits || " } else { "" };
            self.line(&format!("if (__builtin_expect({both}!tam_join_over(j), 0)) {{"));
            self.depth += 1;
            self.make_rest(&bind.dst);
            if results > 0 {
                self.line("if (r.waits)");
                self.line("    tam_hand(r.waits, tam_frame_word(k), 0);");
                self.line("else {");
                for n in 0..results {
                    self.line(&format!("    tam_send(tam_frame_word(k), {n}, {});", result_text(n)));
                }
                self.line("}");
            }
            self.line(&format!("tam_join_wait(j, k, {results});"));
            self.return_rest();
            self.depth -= 1;
            self.line("}");
            self.results(&bind.dst[..results]);
            self.set(done, "1");
        } else {
            let block = self.e.block_for(func, &vec![false; w.len()]);
            self.make_rest(&bind.dst);
            let ret = if results > 0 { "tam_frame_word(k)" } else { "0" };
            self.line(&format!("tam_invoke(j, &cb{block}, {}, {ret}, 0);", list(w)));
            self.line(&format!("tam_join_wait(j, k, {results});"));
            self.return_rest();
        }
        self.depth -= 1;
        self.line("}");
    }

    pub(super) fn apply(&mut self, bind: &Bind, w: &[String], site: usize) {
        let (count, args) = (w.len() - 1, list(&w[1..]));
        self.line("{");
        self.depth += 1;
        self.line("struct tam_value r;");
        let late = format!("tam_apply_late(k, 0, {}, {args}, {count}, {site});", w[0]);
        self.unless(&format!("tam_apply_now(join, {}, {args}, {count}, &r)", w[0]), &bind.dst, &late);
        self.clean = false;
        self.hand_over(&bind.dst);
        self.results(&bind.dst);
        self.depth -= 1;
        self.line("}");
    }

    pub(super) fn io(&mut self, io: Io, bind: &Bind, w: &[String], site: usize) {
        let call = io_text(io, w, site);
        match bind.dst.get(1) {
            Some(&v) => self.set(v, &call),
            None => self.line(&format!("{call};")),
        }
        self.clean = false;
    }
}
