//! Operations of a thread that need more than a line: reads, calls, conditionals, input and output.

use super::super::direct::{call_text, result_text};
use super::{Code, io_text, mode_name, three};
use crate::core::{Io, Mode as Access};
use crate::graph::*;
use crate::threads::Wait;

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
        let text = call_text(&self.e.program, *func, "f->join", w);
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
}
