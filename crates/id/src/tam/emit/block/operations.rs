//! Operations of a thread that need more than a line: reads, calls, conditionals, input and output.

use super::super::direct::{call_direct, new_views, result};
use super::{Code, frame, hand_to_caller, send_to_caller, slot, waits};
use crate::core::language::{Atom, Io, Mode as Access};
use crate::tam::c::{self, Expr, Stmt, Writer, call};
use crate::tam::emit::prim;
use crate::tam::emit::words::{self, codeblock, mode_name, subscripts, variable};
use crate::tam::graph::*;
use crate::tam::threads::{Mode, Wait};

impl Code<'_, '_> {
    /// Stores the value of an event in the variable's slot, if it has one.
    fn note(&mut self, event: EventId, value: Expr) {
        if let Some(&at) = self.plan.graph.events[event].var.and_then(|v| self.slots.get(&v)) {
            self.add(Stmt::set(slot(at), value));
        }
    }

    /// A read: in line if the element is here and full, and the read is no take.
    pub(super) fn read(
        &mut self,
        node: &Node,
        w: &[Expr],
        dims: usize,
        index: &[Expr],
        mode: Access,
        site: usize,
    ) {
        let event = node.events[0];
        let inlet = self.inlets[&event];
        let (i, to) = (subscripts(index), Expr::from("value").address());
        let slow = call!("tam_fetch", "f", inlet, &w[0], mode_name(mode), dims, i.clone(), site);
        self.sent = true;
        if mode == Access::Take || self.plan.fallback {
            return self.add(slow);
        }
        let test = match dims {
            _ if mode == Access::Examine => call!("tam_examine_here", &w[0], dims, i, to),
            0 => call!("tam_field_here", &w[0], &index[0], to),
            _ => call!("tam_element_here", &w[0], dims, i, to),
        };
        let here = self.inside(|c| {
            c.note(event, "value".into());
            c.forks(Wait::Event(event));
        });
        let value = Stmt::declare_only("tam_word", "value");
        self.add(Stmt::Block(vec![value, Stmt::If(test, here, vec![slow.into()])]));
    }

    /// Takes the value `r` of a C function: its results, or an activation that will send them.
    fn take_results(&mut self, events: &[EventId]) {
        let inlet = self.inlets[&events[0]];
        let here = self.inside(|c| {
            for (n, &event) in events.iter().enumerate() {
                c.note(event, result(n));
            }
            for &event in events {
                c.forks(Wait::Event(event));
            }
        });
        let later = vec![
            Stmt::Raise(frame("outstanding"), events.len().into()),
            call!("tam_hand", waits(), call!("tam_frame_word", "f"), inlet).into(),
        ];
        self.add(Stmt::If(!waits(), here, later));
    }

    /// The name of the runtime function that stores.
    pub(super) fn put(&self) -> &'static str {
        if self.plan.fallback { "tam_store" } else { "tam_put" }
    }

    /// A call with all arguments: by the C function, if there is one and no other processor waits for work.
    pub(super) fn call(&mut self, n: NodeId, w: &[Expr]) {
        let node = &self.plan.graph.nodes[n];
        let Act::Call { func, tail, .. } = &node.act else { return };
        if !self.plan.calls_function(n) {
            return self.begin(n, w);
        }
        let views = new_views(self.e.plan, *func, w);
        let call = call_direct(self.e.plan, *func, frame("join"), w, views);
        let results = self.e.plan.program.funcs[*func].results;
        let direct = self.inside(|c| {
            c.count("CALL", 1);
            c.out.extend(call);
            if *tail && results > 0 {
                c.add(Stmt::If(!waits(), send_to_caller(results), vec![hand_to_caller()]));
            } else if !node.events.is_empty() {
                c.take_results(&node.events);
            }
        });
        let begin = self.inside(|c| c.begin(n, w));
        self.add(Stmt::If(!words::register("spread"), direct, begin));
    }

    /// Begins an activation.
    fn begin(&mut self, n: NodeId, w: &[Expr]) {
        let node = &self.plan.graph.nodes[n];
        let Act::Call { late, join, tail, results, .. } = &node.act else { return };
        self.sent = true;
        let mut given = w.iter().cloned();
        let args: Vec<Expr> =
            late.iter().map(|l| if *l { 0.into() } else { given.next().unwrap_or(0.into()) }).collect();
        if self.plan.is_self_call(n) {
            for (p, arg) in args.into_iter().enumerate() {
                self.add(Stmt::set(Expr::from("again").at(p), arg));
            }
            return self.add(Stmt::set("restart", 1));
        }
        self.count("SEND", 1);
        let block = self.plan.block_of(n);
        let awaited = results + usize::from(*join);
        if awaited > 0 {
            self.add(Stmt::Raise(frame("outstanding"), awaited.into()));
        }
        let (ret, inlet) = match (tail, node.events.first()) {
            (true, _) => (frame("ret"), frame("ret_inlet")),
            (false, Some(e)) => (call!("tam_frame_word", "f"), self.inlets[e].into()),
            (false, None) => (0.into(), 0.into()),
        };
        let ret = if !tail && *results == 0 { 0.into() } else { ret };
        let invoke = |join: Expr| {
            let call = call!("tam_invoke", join, codeblock(block), c::words(&args), ret, inlet);
            match node.outs.first() {
                Some(v) => Stmt::set(variable(*v), call),
                None => call.into(),
            }
        };
        if *join {
            let done = self.inlets[node.events.last().expect("a join has an event")];
            self.add(Stmt::Block(vec![
                Stmt::declare("struct tam_join *", "j", call!("tam_join_new", "f", done)),
                invoke("j".into()),
                call!("tam_join_end", "j").into(),
            ]));
        } else {
            self.add(invoke(frame("join")));
        }
        if let Some(&v) = node.outs.first() {
            self.keep(v);
        }
    }

    pub(super) fn switch(&mut self, node: &Node, test: &Expr) {
        let before = (self.sent, self.fresh.clone());
        let (mut after, mut arms) = (self.sent, Vec::new());
        for &arm in &node.events {
            (self.sent, self.fresh) = before.clone();
            arms.push(self.inside(|c| {
                if let Some(&branch) = c.plan.threads.branches.get(&arm) {
                    if c.e.counting {
                        c.add(call!("TAM_COUNT", "FALL", 1));
                    }
                    c.part(branch);
                }
                c.forks(Wait::Event(arm));
            }));
            after |= self.sent;
        }
        (self.sent, self.fresh) = (after, before.1);
        let mut arms = arms.into_iter();
        let mut next = || arms.next().unwrap_or_default();
        self.add(Stmt::If(test.clone(), next(), next()));
    }

    pub(super) fn io(&mut self, io: Io, node: &Node, w: &[Expr], site: usize) {
        let call = prim::io(io, &node.ins, w, site);
        match node.outs.get(1) {
            Some(v) => self.add(Stmt::set(variable(*v), call)),
            None => self.add(call),
        }
        for &v in &node.outs {
            self.keep(v);
        }
    }

    /// A new object, which has not escaped.
    pub(super) fn allocate(&mut self, n: NodeId, w: &[Expr], site: usize) {
        let node = &self.plan.graph.nodes[n];
        let v = node.outs.first().copied().unwrap_or(0);
        let object = match &node.act {
            Act::Make { tag, fields } => {
                call!("tam_object_word", call!("tam_cell", *fields, site), *tag)
            }
            Act::Closure { held, .. } => {
                let block = codeblock(self.plan.block_of(n));
                call!("tam_object_word", call!("tam_closure", block, *held, site), 0)
            }
            Act::Alloc { mutable, numbers } => {
                let kind = words::kind(*mutable, *numbers);
                call!("tam_array", w.len() / 2, kind, words::bounds(w), site)
            }
            _ => return,
        };
        self.set(v, object);
        if !matches!(node.act, Act::Alloc { .. }) {
            self.fresh.insert(v);
        }
    }

    /// A field of a cell or a closure that was made here.
    pub(super) fn fill(&mut self, node: &Node, at: usize, delayed: bool, w: &[Expr], site: usize) {
        let known = matches!(node.ins[0], Atom::Var(v) if self.fresh.contains(&v));
        let cell = call!("tam_at", &w[0]);
        if delayed {
            self.add(call!("tam_delay", cell, at, &w[1]));
        } else if known && !self.sent {
            self.add(call!("tam_set", cell, at, &w[1]));
        } else {
            self.add(call!(self.put(), frame("join"), &w[0], "TAM_I", 0, at, 0, 0, &w[1], site));
        }
    }

    pub(super) fn bound(&mut self, node: &Node, at: usize, array: &Expr, site: usize) {
        let event = node.events[0];
        self.sent = true;
        let fetch = call!("tam_fetch", "f", self.inlets[&event], array, "TAM_BOUND", 0, at, 0, 0, site);
        if self.plan.fallback {
            return self.add(fetch);
        }
        let here = self.inside(|c| {
            c.note(event, call!("tam_at", array).arrow("v").at(at));
            c.forks(Wait::Event(event));
        });
        self.add(Stmt::If(call!("tam_is_local", array), here, vec![fetch.into()]));
    }

    pub(super) fn apply(&mut self, node: &Node, by_cell: &[bool], w: &[Expr], site: usize) {
        self.sent = true;
        let inlet = self.inlets[&node.events[0]];
        let mask = by_cell.iter().enumerate().fold(0u64, |m, (n, b)| m | u64::from(*b) << n.min(63));
        let mask = i64::try_from(mask).map_or(Expr::Word(mask), Expr::Int);
        let (count, args) = (w.len() - 1, || c::words(&w[1..]));
        let later = call!("tam_apply", "f", inlet, &w[0], args(), count, mask, site);
        if self.e.plan.mode != Mode::Tam || self.plan.fallback || by_cell.contains(&true) {
            return self.add(later);
        }
        let to = Expr::from("r").address();
        let now = call!("tam_apply_now", frame("join"), &w[0], args(), count, to);
        let results = self.inside(|c| c.take_results(&node.events));
        let given = Stmt::declare_only("struct tam_value", "r");
        self.add(Stmt::Block(vec![given, Stmt::If(now, results, vec![later.into()])]));
    }

    /// Passes a value of an arm to the code after its conditional.
    pub(super) fn write(&mut self, event: EventId, value: &Expr) {
        let Some(var) = self.plan.graph.events[event].var else { return };
        if self.plan.graph.at_once[event] {
            return self.set(var, value.clone());
        }
        self.note(event, value.clone());
        self.forks(Wait::Event(event));
    }
}
