//! Operations of a thread that need more than a line: reads, calls, conditionals, input and output.

use super::super::direct::{call_text, new_views, result_text};
use super::Code;
use crate::core::language::{Atom, Io, Mode as Access};
use crate::tam::emit::prim::io_text;
use crate::tam::emit::words::{self, mode_name, three};
use crate::tam::graph::*;
use crate::tam::threads::{Mode, Wait};

impl Code<'_> {
    /// The bound of an array that is here.
    pub(super) fn bound_here(&self, node: &Node, array: &str, at: usize) -> String {
        let event = node.events[0];
        let slot = self.graph.events[event].var.and_then(|v| self.slots.get(&v));
        let mut text = slot.map_or(String::new(), |s| format!("s[{s}] = tam_at({array})->v[{at}]; "));
        for (thread, counter) in self.targets(Some(Wait::Event(event))) {
            text.push_str(&self.fork(thread, counter));
            text.push(' ');
        }
        text
    }

    /// A read: in line if the element is here and full, and nobody takes it.
    pub(super) fn read(
        &mut self,
        node: &Node,
        w: &[String],
        dims: usize,
        index: &[String],
        mode: Access,
        site: usize,
    ) {
        let event = node.events[0];
        let inlet = self.inlets[&event];
        let slot = self.graph.events[event].var.and_then(|v| self.slots.get(&v)).copied();
        let i = three(index);
        let name = mode_name(mode);
        let slow = format!("tam_fetch(f, {inlet}, {}, {name}, {dims}, {i}, {site});", w[0]);
        if mode == Access::Take || self.seldom {
            self.sent = true;
            return self.line(&slow);
        }
        let test = match dims {
            _ if mode == Access::Examine => format!("tam_examine_here({}, {dims}, {i}, &value)", w[0]),
            0 => format!("tam_field_here({}, {}, &value)", w[0], index[0]),
            _ => format!("tam_element_here({}, {dims}, {i}, &value)", w[0]),
        };
        self.line("{");
        self.depth += 1;
        self.line("tam_word value;");
        self.line(&format!("if ({test}) {{"));
        self.depth += 1;
        if let Some(slot) = slot {
            self.line(&format!("s[{slot}] = value;"));
        }
        self.forks(Wait::Event(event));
        self.depth -= 1;
        self.line("} else");
        self.depth += 1;
        self.line(&slow);
        self.depth -= 2;
        self.line("}");
        self.sent = true;
    }

    /// What a C function has given, `r': its results, or an activation that will send them.
    pub(super) fn take_results(&mut self, events: &[EventId]) {
        let count = events.len();
        let inlet = self.inlets[&events[0]];
        self.line("if (!r.waits) {");
        self.depth += 1;
        for (n, &event) in events.iter().enumerate() {
            let slot = self.graph.events[event].var.and_then(|v| self.slots.get(&v)).copied();
            if let Some(slot) = slot {
                self.line(&format!("s[{slot}] = {};", result_text(n)));
            }
        }
        for &event in events {
            self.forks(Wait::Event(event));
        }
        self.depth -= 1;
        self.line("} else {");
        self.line(&format!("    f->outstanding += {count};"));
        self.line(&format!("    tam_hand(r.waits, tam_frame_word(f), {inlet});"));
        self.line("}");
    }

    /// The function that stores.
    pub(super) fn put(&self) -> &'static str {
        if self.seldom { "tam_store" } else { "tam_put" }
    }

    /// A call with all arguments: by the C function, if there is one and no other processor waits for work.
    pub(super) fn call(&mut self, node: &Node, w: &[String]) {
        let Act::Call { func, late, join, tail, .. } = &node.act else { return };
        let io = self.e.program.funcs[self.func].io;
        // The activation begins with the C function where it seldom comes to that.
        if self.seldom || *join || late.contains(&true) || !self.e.calls_direct(*func, io) {
            return self.begin(node, w);
        }
        self.line("if (!tam_spread) {");
        self.depth += 1;
        self.count("CALL", 1);
        let views = new_views(&self.e.views[*func], w);
        let text = call_text(&self.e.program, *func, "f->join", w, &views);
        self.line(&text);
        let results = self.e.program.funcs[*func].results;
        if *tail && results > 0 {
            self.line("if (!r.waits) {");
            for n in 0..results {
                let value = result_text(n);
                self.line(&format!("    tam_send(f->ret, f->ret_inlet + {n}u, {value});"));
            }
            self.line("} else");
            self.line("    tam_hand(r.waits, f->ret, f->ret_inlet);");
        } else if !node.events.is_empty() {
            self.take_results(&node.events);
        }
        self.depth -= 1;
        self.line("} else {");
        self.depth += 1;
        self.begin(node, w);
        self.depth -= 1;
        self.line("}");
    }

    /// Begins an activation.
    pub(super) fn begin(&mut self, node: &Node, w: &[String]) {
        let Act::Call { func, late, join, tail, results } = &node.act else { return };
        self.sent = true;
        let mut given = w.iter();
        let args: Vec<String> = late
            .iter()
            .map(|l| if *l { "0".into() } else { given.next().cloned().unwrap_or("0".into()) })
            .collect();
        if self.is_self_call(&node.act) {
            for (p, arg) in args.iter().enumerate() {
                self.line(&format!("again[{p}] = {arg};"));
            }
            return self.line("restart = 1;");
        }
        self.count("SEND", 1);
        let block = self.e.block_for(*func, late);
        let list = if args.is_empty() { "0".into() } else { args.join(", ") };
        let awaited = results + usize::from(*join);
        if awaited > 0 {
            self.line(&format!("f->outstanding += {awaited};"));
        }
        let (ret, inlet) = match (tail, node.events.first()) {
            (true, _) => ("f->ret".to_owned(), "f->ret_inlet".to_owned()),
            (false, Some(e)) => ("tam_frame_word(f)".to_owned(), self.inlets[e].to_string()),
            (false, None) => ("0".to_owned(), "0".to_owned()),
        };
        let ret = if !tail && *results == 0 { "0".to_owned() } else { ret };
        let activation = match node.outs.first() {
            Some(v) => format!("v{v} = "),
            None => String::new(),
        };
        let call = |joined: &str| {
            format!(
                "{activation}tam_invoke({joined}, &cb{block}, (const tam_word[]){{{list}}}, {ret}, {inlet});"
            )
        };
        if *join {
            let done = self.inlets[node.events.last().expect("a join has an event")];
            let text = call("j");
            self.line(&format!(
                "{{ struct tam_join *j = tam_join_new(f, {done}); {text} tam_join_end(j); }}"
            ));
        } else {
            let text = call("f->join");
            self.line(&text);
        }
        if let Some(&v) = node.outs.first() {
            self.keep(v);
        }
    }

    pub(super) fn switch(&mut self, node: &Node, test: &str) {
        self.line(&format!("if ({test}) {{"));
        let before = (self.sent, self.fresh.clone());
        let mut after = self.sent;
        for (n, &arm) in node.events.iter().enumerate() {
            if n == 1 {
                self.line("} else {");
            }
            (self.sent, self.fresh) = before.clone();
            self.depth += 1;
            if let Some(&branch) = self.threads.branches.get(&arm) {
                if self.e.counting {
                    self.line("TAM_COUNT(FALL, 1);");
                }
                self.part(branch);
            }
            self.forks(Wait::Event(arm));
            self.depth -= 1;
            after |= self.sent;
        }
        (self.sent, self.fresh) = (after, before.1);
        self.line("}");
    }

    pub(super) fn io(&mut self, io: Io, node: &Node, w: &[String], site: usize) {
        let call = io_text(io, w, site);
        match node.outs.get(1) {
            Some(v) => self.line(&format!("v{v} = {call};")),
            None => self.line(&format!("{call};")),
        }
        for &v in &node.outs {
            self.keep(v);
        }
    }

    /// A new object, which nobody else knows yet.
    pub(super) fn allocate(&mut self, node: &Node, w: &[String], site: usize) {
        let v = node.outs.first().copied().unwrap_or(0);
        let text = match &node.act {
            Act::Make { tag, fields } => format!("tam_object_word(tam_cell({fields}, {site}), {tag})"),
            Act::Closure { func, held } => {
                let block = self.e.lenient_block(*func);
                format!("tam_object_word(tam_closure(&cb{block}, {held}, {site}), 0)")
            }
            Act::Alloc { mutable, numbers } => {
                let (dims, kind) = (w.len() / 2, words::kind(*mutable, *numbers));
                format!("tam_array({dims}, {kind}, {}, {site})", words::bounds(w))
            }
            _ => return,
        };
        self.line(&format!("v{v} = {text};"));
        self.keep(v);
        if !matches!(node.act, Act::Alloc { .. }) {
            self.fresh.insert(v);
        }
    }

    /// A field of a cell or a closure that was made here.
    pub(super) fn fill(&mut self, node: &Node, at: usize, delayed: bool, w: &[String], site: usize) {
        let known = matches!(node.ins[0], Atom::Var(v) if self.fresh.contains(&v));
        if delayed {
            self.line(&format!("tam_delay(tam_at({}), {at}, {});", w[0], w[1]));
        } else if known && !self.sent {
            self.line(&format!("tam_set(tam_at({}), {at}, {});", w[0], w[1]));
        } else {
            let put = self.put();
            self.line(&format!("{put}(f->join, {}, TAM_I, 0, {at}, 0, 0, {}, {site});", w[0], w[1]));
        }
    }

    pub(super) fn bound(&mut self, node: &Node, at: usize, array: &str, site: usize) {
        let inlet = self.inlets[&node.events[0]];
        self.sent = true;
        let text = format!("tam_fetch(f, {inlet}, {array}, TAM_BOUND, 0, {at}, 0, 0, {site});");
        if self.seldom {
            return self.line(&text);
        }
        let here = self.bound_here(node, array, at);
        self.line(&format!("if (tam_is_local({array})) {{ {here} }} else {text}"));
    }

    pub(super) fn apply(&mut self, node: &Node, by_cell: &[bool], w: &[String], site: usize) {
        self.sent = true;
        let inlet = self.inlets[&node.events[0]];
        let now = self.e.mode == Mode::Tam && !self.seldom && !by_cell.contains(&true);
        let mask = by_cell.iter().enumerate().fold(0u64, |m, (n, b)| m | u64::from(*b) << n.min(63));
        let (count, args) = (w.len() - 1, w[1..].join(", "));
        let args = if count == 0 { "0".into() } else { args };
        if now {
            self.line("{");
            self.depth += 1;
            self.line("struct tam_value r;");
            let list = format!("(const tam_word[]){{{args}}}");
            self.line(&format!("if (tam_apply_now(f->join, {}, {list}, {count}, &r)) {{", w[0]));
            self.depth += 1;
            self.take_results(&node.events);
            self.depth -= 1;
            self.line("} else");
        }
        self.line(&format!(
            "tam_apply(f, {inlet}, {}, (const tam_word[]){{{args}}}, {count}, {mask}, {site});",
            w[0]
        ));
        if now {
            self.depth -= 1;
            self.line("}");
        }
    }

    /// What an arm gives to the code behind its conditional.
    pub(super) fn write(&mut self, event: EventId, value: &str) {
        let Some(var) = self.graph.events[event].var else { return };
        if self.graph.at_once[event] {
            self.line(&format!("v{var} = {value};"));
            return self.keep(var);
        }
        if let Some(&slot) = self.slots.get(&var) {
            self.line(&format!("s[{slot}] = {value};"));
        }
        self.forks(Wait::Event(event));
    }
}
