//! One code-block.

use super::direct::{call_text, new_views, result_text};
use super::words::{mode_name, three};
use super::{Emitter, prim, words};
use crate::core::language::{Atom, FuncId, Var};
use crate::stack::grown;
use crate::tam::counts;
use crate::tam::graph::*;
use crate::tam::threads::{self, Mode, PartId, Threads, Wait};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

mod operations;

/// Nesting beyond which lines are not indented further.
const DEEPEST_INDENT: usize = 16;

struct Code<'e> {
    e: &'e mut Emitter,
    graph: Graph,
    threads: Threads,
    func: FuncId,
    number: usize,
    params: usize,
    /// Runs seldom: what it does is done by functions of the runtime, so that there is little to compile.
    seldom: bool,
    slots: HashMap<Var, usize>,
    inlets: HashMap<EventId, usize>,
    out: String,
    depth: usize,
    /// Something has been sent in this thread, so that new cells may be known elsewhere.
    sent: bool,
    /// Cells that this thread has made.
    fresh: BTreeSet<Var>,
    restarts: bool,
    /// The threads that wait for each thing (none: for nothing), and the counters that it lowers.
    waiting: HashMap<Option<Wait>, Vec<(usize, Option<usize>)>>,
}

impl Emitter {
    /// The C of a code-block.
    pub(super) fn code_block(&mut self, number: usize, func: FuncId, late: &[bool]) -> String {
        let combine = self.mode == Mode::Tam;
        let graph = build(&self.program, func, late, &self.strict, combine);
        let threads = threads::make(&graph, self.mode);
        let params = self.program.funcs[func].params.len();
        let mut code = Code {
            seldom: self.seldom_runs(func),
            e: self,
            graph,
            threads,
            func,
            number,
            params,
            slots: HashMap::new(),
            inlets: HashMap::new(),
            out: String::new(),
            depth: 1,
            sent: false,
            fresh: BTreeSet::new(),
            restarts: false,
            waiting: HashMap::new(),
        };
        code.who_waits();
        code.place();
        code.all(late)
    }
}

impl Code<'_> {
    // ---- slots and inlets
    // --------------------------------------------------------------------------------------

    fn host_of(&self, part: PartId) -> PartId {
        threads::host(&self.graph, &self.threads, part)
    }

    /// The thread in which a variable's value is made, if it is a local value.
    fn made_in(&self, var: Var) -> Option<PartId> {
        match self.graph.sources.get(&var)? {
            Source::Node(n) => Some(self.host_of(self.threads.part_of[*n])),
            Source::Event(e) if self.graph.at_once[*e] => match self.graph.events[*e].kind {
                EventKind::Merge(switch) => Some(self.host_of(self.threads.part_of[switch])),
                _ => None,
            },
            _ => None,
        }
    }

    /// Parameters have the first slots; then what arrives, and what more than one thread uses.
    fn place(&mut self) {
        for (p, &var) in self.e.program.funcs[self.func].params.iter().enumerate() {
            self.slots.insert(var, p);
        }
        let mut next = self.params;
        let mut inlet = self.params;
        for (e, event) in self.graph.events.iter().enumerate() {
            if let EventKind::Param(p) = event.kind {
                self.inlets.insert(e, p);
            }
            if let EventKind::Response(_) = event.kind {
                self.inlets.insert(e, inlet);
                inlet += 1;
            }
        }
        for (n, node) in self.graph.nodes.iter().enumerate() {
            let host = self.host_of(self.threads.part_of[n]);
            for atom in &node.ins {
                let Atom::Var(v) = atom else { continue };
                if self.slots.contains_key(v) || self.made_in(*v) == Some(host) {
                    continue;
                }
                self.slots.insert(*v, next);
                next += 1;
            }
        }
    }

    // ---- words
    // -------------------------------------------------------------------------------------------------

    fn word(&self, atom: Atom, host: PartId) -> String {
        match atom {
            Atom::Var(v) if self.made_in(v) == Some(host) => format!("v{v}"),
            Atom::Var(v) => match self.slots.get(&v) {
                Some(slot) => format!("s[{slot}]"),
                None => "0".into(),
            },
            constant => words::constant(constant),
        }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth.min(DEEPEST_INDENT) {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    // ---- the whole
    // ---------------------------------------------------------------------------------------------

    fn all(mut self, late: &[bool]) -> String {
        let n = self.number;
        let threads = self.threads.threads.clone();
        let count = threads.len();
        let mut body = String::new();
        for (t, &part) in threads.iter().enumerate() {
            self.depth = 1;
            self.sent = false;
            self.fresh.clear();
            self.thread(t, part);
            body.push_str(&std::mem::take(&mut self.out));
        }
        let mut out = String::new();
        let _ = writeln!(out, "\n/* {} */", self.e.program.funcs[self.func].name.replace("*/", "* /"));
        let cold = if self.seldom { "__attribute__((cold)) " } else { "" };
        let _ = writeln!(out, "static {cold}void run{n}(struct tam_frame *f) {{");
        if count > 0 {
            let _ = writeln!(out, "    tam_word *const s = f->s;\n    uint16_t *const c = f->c;");
            let _ = writeln!(out, "    (void)c;\n    (void)s;");
            if !self.seldom {
                let labels: Vec<String> = (0..count).map(|t| format!("&&t{t}")).collect();
                let _ = writeln!(out, "    static const void *const at[] = {{{}}};", labels.join(", "));
                let _ = writeln!(out, "    uint16_t lcv[{count}];\n    unsigned top;");
            }
            if self.restarts {
                let _ = writeln!(out, "    tam_word again[{}];\n    unsigned turns = 0;", self.params.max(1));
            }
            self.whole_at_once(&mut out, late);
            if self.seldom {
                let _ = writeln!(out, "next:\n    while (f->top)\n    switch (f->rcv[--f->top]) {{");
                out.push_str(&body);
                let _ = writeln!(out, "}}");
            } else {
                let _ =
                    writeln!(out, "quantum:\n    top = tam_take(f, lcv);\n    if (!top)\n        return;");
                let _ =
                    writeln!(out, "next:\n    if (!top)\n        goto quantum;\n    goto *at[lcv[--top]];");
                out.push_str(&body);
            }
        } else {
            let _ = writeln!(out, "    f->top = 0;");
        }
        out.push_str("}\n");
        self.tables(&mut out, late);
        out
    }

    /// An activation that has all arguments when it first runs begins with the C function, those that were
    /// late included: else a function that was called once before an argument was there would call itself
    /// as threads for ever.
    fn whole_at_once(&mut self, out: &mut String, late: &[bool]) {
        let (func, io) = (self.func, self.e.program.funcs[self.func].io);
        if !self.e.calls_direct(func, io) {
            return;
        }
        let all = if late.contains(&true) { " && f->outstanding == 0" } else { "" };
        let args: Vec<String> = (0..self.params).map(|p| format!("s[{p}]")).collect();
        let views = new_views(&self.e.views[func], &args);
        let text = call_text(&self.e.program, func, "f->join", &args, &views);
        let _ = writeln!(
            out,
            "whole:\n    if (f->direct && !tam_spread{all}) {{\n        f->direct = 0;\n        f->top = 0;"
        );
        let _ = writeln!(out, "        {text}");
        let results = self.e.program.funcs[func].results;
        if results > 0 {
            let _ =
                writeln!(out, "        if (r.waits)\n            tam_hand(r.waits, f->ret, f->ret_inlet);");
            let _ = writeln!(out, "        else {{");
            for n in 0..results {
                let value = result_text(n);
                let _ = writeln!(out, "            tam_send(f->ret, f->ret_inlet + {n}u, {value});");
            }
            let _ = writeln!(out, "        }}");
        }
        let _ = writeln!(out, "        return;\n    }}\n    f->direct = 0;");
    }

    /// The descriptor of the code-block.
    fn tables(&mut self, out: &mut String, late: &[bool]) {
        let n = self.number;
        let shares = self.e.shares(self.func);
        let (func, params) = (&self.e.program.funcs[self.func], self.params);
        let mut targets: Vec<String> = Vec::new();
        let mut add = |code: &Self, wait: Option<Wait>| {
            let first = targets.len();
            for (thread, counter) in code.targets(wait) {
                targets
                    .push(format!("{{{thread},{}}}", counter.map_or("TAM_NONE".into(), |c| c.to_string())));
            }
            (first, targets.len() - first)
        };
        let entry = add(self, None);
        let mut inlets: Vec<(usize, String)> = Vec::new();
        let mut with: BTreeSet<usize> = BTreeSet::new();
        for (e, event) in self.graph.events.iter().enumerate() {
            let Some(&inlet) = self.inlets.get(&e) else { continue };
            let slot =
                event.var.and_then(|v| self.slots.get(&v)).map_or("TAM_NONE".into(), |s| s.to_string());
            let (first, count) = add(self, Some(Wait::Event(e)));
            inlets.push((inlet, format!("{{{slot},{first},{count}}}")));
            with.insert(inlet);
        }
        inlets.extend((0..params).filter(|p| !with.contains(p)).map(|p| (p, format!("{{{p},0,0}}"))));
        inlets.sort();
        let inlets: Vec<String> = inlets.into_iter().map(|i| i.1).collect();
        let slots = self.slots.values().copied().max().map_or(0, |s| s + 1).max(params);
        let list =
            |items: &[String], none: &str| if items.is_empty() { none.to_owned() } else { items.join(",") };
        let counts: Vec<String> = self.threads.counts.iter().map(|c| c.to_string()).collect();
        let lates: Vec<String> = late.iter().map(|l| usize::from(*l).to_string()).collect();
        let _ = writeln!(out, "static const uint16_t counts{n}[] = {{{}}};", list(&counts, "0"));
        let _ = writeln!(out, "static const uint8_t late{n}[] = {{{}}};", list(&lates, "0"));
        let _ =
            writeln!(out, "static const struct tam_inlet inlets{n}[] = {{{}}};", list(&inlets, "{0,0,0}"));
        let _ =
            writeln!(out, "static const struct tam_target targets{n}[] = {{{}}};", list(&targets, "{0,0}"));
        let (name, io, results, span) =
            (words::quoted(func.name.as_bytes()), usize::from(func.io), func.results, func.span);
        let (late, counters, count) =
            (late.iter().filter(|l| **l).count(), self.threads.counts.len(), self.threads.threads.len());
        let site = self.e.site(span);
        let (first, entries) = entry;
        self.e.descriptors.push(format!(
            "static const struct tam_codeblock cb{n} = {{{name},{n},{site},{params},{late},{results},{slots},\
             {counters},{count},{io},{shares},late{n},counts{n},inlets{n},targets{n},{{TAM_NONE,{first},{entries}}},run{n}"
        ));
    }

    fn who_waits(&mut self) {
        for (t, &part) in self.threads.threads.iter().enumerate() {
            let sources = &self.threads.parts[part].sources;
            let entry = (t, self.threads.counters[t]);
            for &wait in sources {
                self.waiting.entry(Some(wait)).or_default().push(entry);
            }
            if sources.is_empty() {
                self.waiting.entry(None).or_default().push(entry);
            }
        }
    }

    /// The threads that wait for something, and the counters that it lowers.
    fn targets(&self, wait: Option<Wait>) -> Vec<(usize, Option<usize>)> {
        self.waiting.get(&wait).cloned().unwrap_or_default()
    }

    fn forks(&mut self, wait: Wait) {
        for (thread, counter) in self.targets(Some(wait)) {
            let fork = self.fork(thread, counter);
            self.line(&fork);
        }
    }

    /// Enables a thread, or first lowers its entry count.
    fn fork(&self, thread: usize, counter: Option<usize>) -> String {
        let push = self.push(thread);
        let count = |name| format!("TAM_COUNT_IN_THREAD({name}, 1);");
        match (counter, self.e.counting) {
            (None, false) => push,
            (None, true) => format!("{} {push}", count("FORK")),
            (Some(c), false) => format!("if (--c[{c}] == 0) {push}"),
            (Some(c), true) => {
                let (last, waits) = (count("FORK_LAST"), count("FORK_WAITS"));
                format!("if (--c[{c}] == 0) {{ {last} {push} }} else {{ {waits} }}")
            }
        }
    }

    /// Counts instructions of the thread.
    fn count(&mut self, counter: &str, n: usize) {
        if self.e.counting && n > 0 {
            self.line(&format!("TAM_COUNT_IN_THREAD({counter}, {n});"));
        }
    }

    /// Onto the local continuation vector; one that seldom runs has the frame's alone.
    fn push(&self, thread: usize) -> String {
        if self.seldom { format!("f->rcv[f->top++] = {thread};") } else { format!("lcv[top++] = {thread};") }
    }

    // ---- threads
    // -----------------------------------------------------------------------------------------------

    fn thread(&mut self, t: usize, part: PartId) {
        self.depth = 0;
        self.line(&if self.seldom { format!("case {t}: {{") } else { format!("t{t}: {{") });
        self.depth = 1;
        let mut locals = BTreeSet::new();
        self.locals(part, &mut locals);
        for v in locals {
            self.line(&format!("tam_word v{v} = 0; (void)v{v};"));
        }
        if self.e.counting {
            self.line("TAM_COUNT(THREADS, 1);");
        }
        self.count("STOP", 1);
        let self_call = self.has_self_call(part);
        if self_call {
            self.restarts = true;
            self.line("int restart = 0;");
        }
        self.part(part);
        if self_call {
            self.restart();
        }
        self.line("goto next;");
        self.depth = 0;
        self.line("}");
    }

    fn inner_parts(&self, part: PartId) -> Vec<PartId> {
        let mut all = vec![part];
        for &n in &self.threads.parts[part].nodes {
            for arm in &self.graph.nodes[n].events {
                if let Some(&branch) = self.threads.branches.get(arm) {
                    all.extend(grown(|| self.inner_parts(branch)));
                }
            }
        }
        all
    }

    /// The variables that a thread makes.
    fn locals(&self, part: PartId, found: &mut BTreeSet<Var>) {
        for p in self.inner_parts(part) {
            for &n in &self.threads.parts[p].nodes {
                found.extend(self.graph.nodes[n].outs.iter().copied());
                if let Act::Write { event } = self.graph.nodes[n].act
                    && self.graph.at_once[event]
                {
                    found.extend(self.graph.events[event].var);
                }
            }
        }
    }

    fn is_self_call(&self, act: &Act) -> bool {
        let own = &self.e.blocks.get(self.number).expect("this one").1;
        matches!(act, Act::Call { func, late, tail: true, .. }
            if *func == self.func && late == own && !late.contains(&true))
    }

    fn has_self_call(&self, part: PartId) -> bool {
        let parts = self.inner_parts(part);
        parts
            .iter()
            .flat_map(|&p| &self.threads.parts[p].nodes)
            .any(|&n| self.is_self_call(&self.graph.nodes[n].act))
    }

    /// The end of a thread that may call its own function last: if nothing of this activation is left, it
    /// begins again in the same frame; now and then by way of the ready queue, so that messages are served.
    /// Where C functions compute the most, it goes on as one.
    fn restart(&mut self) {
        let n = self.number;
        let params = self.params;
        let targets = self.targets(None);
        self.line("if (restart) {");
        self.depth += 1;
        let nothing = if self.seldom { "" } else { "top == 0 && " };
        self.line(&format!("if ({nothing}f->top == 0 && f->outstanding == 0) {{"));
        self.depth += 1;
        if params > 0 {
            self.line(&format!("memcpy(s, again, {params} * sizeof *again);"));
        }
        let counters = self.threads.counts.len();
        if counters > 0 {
            self.line(&format!("memcpy(c, f->codeblock->counts, {counters} * sizeof *c);"));
        }
        self.count("INIT", counters);
        self.count("TURN", 1);
        let io = self.e.program.funcs[self.func].io;
        let whole = self.seldom && self.e.calls_direct(self.func, io);
        if whole {
            self.line("f->direct = 1;");
        }
        self.line("if (++turns % 64 == 0) { tam_yield(f); return; }");
        for (thread, counter) in targets {
            if counter.is_none() {
                let push = self.push(thread);
                self.line(&push);
            }
        }
        self.line(if whole { "goto whole;" } else { "goto next;" });
        self.depth -= 1;
        self.line("}");
        self.line(&format!("tam_invoke(f->join, &cb{n}, again, f->ret, f->ret_inlet);"));
        self.depth -= 1;
        self.line("}");
    }

    fn part(&mut self, part: PartId) {
        grown(|| self.part_now(part));
    }

    fn part_now(&mut self, part: PartId) {
        let host = self.host_of(part);
        for n in self.threads.parts[part].nodes.clone() {
            self.node(n, host);
        }
        self.forks(Wait::Part(part));
    }

    /// Notes a local value in its slot, where another thread uses it.
    fn keep(&mut self, var: Var) {
        if let Some(&slot) = self.slots.get(&var) {
            self.line(&format!("s[{slot}] = v{var};"));
        }
    }

    fn node(&mut self, n: NodeId, host: PartId) {
        let node = self.graph.nodes[n].clone();
        let w: Vec<String> = node.ins.iter().map(|a| self.word(*a, host)).collect();
        let site = self.e.site(node.span);
        let out = node.outs.first().copied();
        if let Some(counter) = counts::of_node(&node.act) {
            self.count(counter, 1);
        }
        match &node.act {
            Act::Prim(p) => {
                let v = out.unwrap_or(0);
                let text = prim::expression(*p, &w, site);
                self.line(&format!("v{v} = {text};"));
                self.keep(v);
            }
            Act::Make { .. } | Act::Closure { .. } | Act::Alloc { .. } => self.allocate(&node, &w, site),
            Act::Fill { at, delayed } => self.fill(&node, *at, *delayed, &w, site),
            Act::Field { at, mode } => self.read(&node, &w, 0, &[at.to_string()], *mode, site),
            Act::Fetch { mode } => self.read(&node, &w, w.len() - 1, &w[1..], *mode, site),
            Act::Bound { at } => self.bound(&node, *at, &w[0], site),
            Act::StoreField { at, mode } => {
                self.sent = true;
                let (put, mode) = (self.put(), mode_name(*mode));
                self.line(&format!("{put}(f->join, {}, {mode}, 0, {at}, 0, 0, {}, {site});", w[0], w[1]));
            }
            Act::Store { mode } => {
                self.sent = true;
                let (dims, mode) = (w.len() - 2, mode_name(*mode));
                let index = three(&w[1..w.len() - 1]);
                let value = &w[w.len() - 1];
                let put = self.put();
                self.line(&format!("{put}(f->join, {}, {mode}, {dims}, {index}, {value}, {site});", w[0]));
            }
            Act::Call { .. } => self.call(&node, &w),
            Act::SendArg { func, late, param } => {
                self.sent = true;
                let block = self.e.block_for(*func, late);
                self.line(&format!("tam_send_arg({}, &cb{block}, {param}, {});", w[0], w[1]));
            }
            Act::Apply { by_cell } => self.apply(&node, by_cell, &w, site),
            Act::Switch => self.switch(&node, &w[0]),
            Act::Write { event } => self.write(*event, &w[0]),
            Act::Return { result } => {
                self.sent = true;
                self.line(&format!("tam_send(f->ret, f->ret_inlet + {result}u, {});", w[0]));
            }
            Act::Io(io) => self.io(*io, &node, &w, site),
            Act::Fail { text } => {
                let text = words::quoted(&self.e.program.texts[*text]);
                self.line(&format!("tam_fail({site}, \"%s\", {text});"));
            }
            Act::Stuck => self.line(&format!("tam_stuck(f, {site});")),
        }
    }
}
