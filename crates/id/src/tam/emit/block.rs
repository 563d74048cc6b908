//! The C of a code-block, by its plan (tam/plan/code_block.rs).

use super::direct::{call_direct, new_views, result};
use super::words::{codeblock, mode_name, subscripts, variable};
use super::{Emitter, prim, words};
use crate::core::language::{Atom, Var};
use crate::stack::with_stack;
use crate::tam::c::{Count, Declaration, Expr, Function, Head, Item, Name, Prefix, Stmt, Writer, call, cast};
use crate::tam::counts;
use crate::tam::graph::*;
use crate::tam::plan::CodeBlock;
use crate::tam::threads::{self, PartId, Wait};
use std::collections::{BTreeSet, HashMap};

mod operations;
mod tables;

/// The number of turns of a loop between two services of messages.
const TURNS: usize = 64;

struct Code<'e, 'p> {
    e: &'e mut Emitter<'p>,
    plan: &'p CodeBlock,
    params: usize,
    slots: HashMap<Var, usize>,
    inlets: HashMap<EventId, usize>,
    /// The statements of the block that is being written.
    out: Vec<Stmt>,
    /// This thread has sent a message or stored, so that new cells may be known elsewhere.
    sent: bool,
    /// Cells that this thread has made.
    fresh: BTreeSet<Var>,
    restarts: bool,
    /// The threads that wait for each source (by `None`: those without one), and the counters that it lowers.
    waiting: HashMap<Option<Wait>, Vec<(usize, Option<usize>)>>,
}

impl<'p> Emitter<'p> {
    /// The C of a code-block: the function that runs it, and its tables.
    pub(super) fn code_block(&mut self, plan: &'p CodeBlock) -> Vec<Item> {
        let params = self.plan.program.funcs[plan.func].params.len();
        let mut code = Code {
            e: self,
            plan,
            params,
            slots: HashMap::new(),
            inlets: HashMap::new(),
            out: Vec::new(),
            sent: false,
            fresh: BTreeSet::new(),
            restarts: false,
            waiting: HashMap::new(),
        };
        code.who_waits();
        code.place();
        let function = code.function();
        let mut items = vec![Item::Function(function)];
        items.extend(code.tables());
        items
    }
}

impl Writer for Code<'_, '_> {
    fn out(&mut self) -> &mut Vec<Stmt> {
        &mut self.out
    }
}

impl Code<'_, '_> {
    // ---- slots and inlets -----------------------------------------------------------------------------

    fn host_of(&self, part: PartId) -> PartId {
        threads::host(&self.plan.graph, &self.plan.threads, part)
    }

    /// The thread in which a variable's value is made, if it is a local value.
    fn made_in(&self, var: Var) -> Option<PartId> {
        match self.plan.graph.sources.get(&var)? {
            Source::Node(n) => Some(self.host_of(self.plan.threads.part_of[*n])),
            Source::Event(e) if self.plan.graph.at_once[*e] => match self.plan.graph.events[*e].kind {
                EventKind::Merge(switch) => Some(self.host_of(self.plan.threads.part_of[switch])),
                _ => None,
            },
            _ => None,
        }
    }

    /// Assigns slots and inlets. Parameters have the first slots; then come the variables of arrivals, and
    /// those that more than one thread uses.
    fn place(&mut self) {
        for (p, &var) in self.e.plan.program.funcs[self.plan.func].params.iter().enumerate() {
            self.slots.insert(var, p);
        }
        let mut next = self.params;
        let mut inlet = self.params;
        for (e, event) in self.plan.graph.events.iter().enumerate() {
            if let EventKind::Param(p) = event.kind {
                self.inlets.insert(e, p);
            }
            if let EventKind::Response(_) = event.kind {
                self.inlets.insert(e, inlet);
                inlet += 1;
            }
        }
        for (n, node) in self.plan.graph.nodes.iter().enumerate() {
            let host = self.host_of(self.plan.threads.part_of[n]);
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

    // ---- words ----------------------------------------------------------------------------------------

    fn word(&self, atom: Atom, host: PartId) -> Expr {
        match atom {
            Atom::Var(v) if self.made_in(v) == Some(host) => variable(v),
            Atom::Var(v) => self.slots.get(&v).map_or(0.into(), |s| slot(*s)),
            constant => words::constant(constant),
        }
    }

    // ---- the whole ------------------------------------------------------------------------------------

    /// The function that runs a quantum.
    fn function(&mut self) -> Function {
        let threads = self.plan.threads.threads.clone();
        let mut bodies = Vec::new();
        for &part in &threads {
            self.sent = false;
            self.fresh.clear();
            bodies.push(self.inside(|c| c.thread(part)));
        }
        let body = self.inside(|c| match bodies.is_empty() {
            true => c.add(Stmt::set(frame("top"), 0)),
            false => {
                c.declarations(bodies.len());
                c.whole_at_once();
                c.scheduling(bodies);
            }
        });
        let result = if self.plan.fallback { "static __attribute__((cold)) void" } else { "static void" };
        let params = vec![("struct tam_frame *", "f".into())];
        let head = Head { result, name: Name::Nth("run", self.plan.number), params };
        Function { title: Some(self.e.plan.program.funcs[self.plan.func].name.clone()), head, body }
    }

    fn declarations(&mut self, threads: usize) {
        self.add(Stmt::declare("tam_word *const", "s", frame("s")));
        self.add(Stmt::declare("uint16_t *const", "c", frame("c")));
        self.add(cast("void", "c"));
        self.add(cast("void", "s"));
        if !self.plan.fallback {
            let label = |t| Expr::from(Name::Nth("t", t)).after(Prefix::LabelAddress);
            let value = Some(Expr::List((0..threads).map(label).collect()));
            let (ty, name) = ("static const void *const", "at".into());
            self.add(Stmt::Declare(Declaration { ty, name, count: Count::Listed, value }));
            self.add(Stmt::declare_array("uint16_t", "lcv", threads));
            self.add(Stmt::declare_only("unsigned", "top"));
        }
        if self.restarts {
            self.add(Stmt::declare_array("tam_word", "again", self.params.max(1)));
            self.add(Stmt::declare("unsigned", "turns", 0));
        }
    }

    /// The choice of the next thread, and the threads.
    fn scheduling(&mut self, threads: Vec<Vec<Stmt>>) {
        if self.plan.fallback {
            let next = frame("rcv").at(frame("top").after(Prefix::Decrement));
            self.add(Stmt::Label("next".into()));
            return self.add(Stmt::While(frame("top"), vec![Stmt::Switch(next, threads)]));
        }
        let none = || !Expr::from("top");
        let next = Expr::from("lcv").at(Expr::from("top").after(Prefix::Decrement));
        self.add(Stmt::Label("quantum".into()));
        self.add(Stmt::set("top", call!("tam_take", "f", "lcv")));
        self.add(Stmt::when(none(), vec![Stmt::Return(None)]));
        self.add(Stmt::Label("next".into()));
        self.add(Stmt::when(none(), vec![Stmt::Goto("quantum".into())]));
        self.add(Stmt::GotoAddress(Expr::from("at").at(next)));
        for (t, thread) in threads.into_iter().enumerate() {
            self.add(Stmt::Label(Name::Nth("t", t)));
            self.add(Stmt::Block(thread));
        }
    }

    /// Emits the call of the C function with which an activation begins if it has all arguments, late ones
    /// included, when it first runs. Otherwise a function that was called once before an argument was
    /// available would call itself as threads for ever.
    fn whole_at_once(&mut self) {
        if !self.plan.begins_as_function {
            return;
        }
        let func = self.plan.func;
        let mut test = frame("direct").and(!words::register("spread"));
        if self.plan.late.contains(&true) {
            test = test.and(frame("outstanding").equals(0));
        }
        let args: Vec<Expr> = (0..self.params).map(slot).collect();
        let views = new_views(self.e.plan, func, &args);
        let call = call_direct(self.e.plan, func, frame("join"), &args, views);
        let at_once = self.inside(|c| {
            c.add(Stmt::set(frame("direct"), 0));
            c.add(Stmt::set(frame("top"), 0));
            c.out.extend(call);
            let results = c.e.plan.program.funcs[func].results;
            if results > 0 {
                c.add(Stmt::If(waits(), vec![hand_to_caller()], send_to_caller(results)));
            }
            c.add(Stmt::Return(None));
        });
        self.add(Stmt::Label("whole".into()));
        self.add(Stmt::when(test, at_once));
        self.add(Stmt::set(frame("direct"), 0));
    }

    fn who_waits(&mut self) {
        for (t, &part) in self.plan.threads.threads.iter().enumerate() {
            let sources = &self.plan.threads.parts[part].sources;
            let entry = (t, self.plan.threads.counters[t]);
            for &wait in sources {
                self.waiting.entry(Some(wait)).or_default().push(entry);
            }
            if sources.is_empty() {
                self.waiting.entry(None).or_default().push(entry);
            }
        }
    }

    /// The threads that wait for a source, and the counters that it lowers.
    fn targets(&self, wait: Option<Wait>) -> Vec<(usize, Option<usize>)> {
        self.waiting.get(&wait).cloned().unwrap_or_default()
    }

    fn forks(&mut self, wait: Wait) {
        for (thread, counter) in self.targets(Some(wait)) {
            let fork = self.fork(thread, counter);
            self.out.extend(fork);
        }
    }

    /// Enables a thread, at once or when its entry count reaches zero.
    fn fork(&self, thread: usize, counter: Option<usize>) -> Vec<Stmt> {
        let (push, counting) = (self.push(thread), self.e.counting);
        let counted = |name| counting.then(|| counted(name, 1));
        let Some(c) = counter else {
            return counted("FORK").into_iter().chain([push]).collect();
        };
        let last = Expr::from("c").at(c).after(Prefix::Decrement).equals(0);
        let then = counted("FORK_LAST").into_iter().chain([push]).collect();
        vec![Stmt::If(last, then, counted("FORK_WAITS").into_iter().collect())]
    }

    /// Counts instructions of the thread.
    fn count(&mut self, counter: &'static str, n: usize) {
        if self.e.counting && n > 0 {
            self.add(counted(counter, n));
        }
    }

    /// Pushes a thread onto the local continuation vector; a block that rarely runs has only the frame's
    /// vector.
    fn push(&self, thread: usize) -> Stmt {
        let (stack, top) = match self.plan.fallback {
            true => (frame("rcv"), frame("top")),
            false => ("lcv".into(), "top".into()),
        };
        Stmt::set(stack.at(top.then_raised()), thread)
    }

    // ---- threads --------------------------------------------------------------------------------------

    /// The body of a thread.
    fn thread(&mut self, part: PartId) {
        let mut locals = BTreeSet::new();
        self.locals(part, &mut locals);
        for v in locals {
            self.add(Stmt::declare("tam_word", Name::Var(v), 0));
            self.add(cast("void", variable(v)));
        }
        if self.e.counting {
            self.add(call!("TAM_COUNT", "THREADS", 1));
        }
        self.count("STOP", 1);
        let self_call = self.plan.has_self_call(part);
        if self_call {
            self.restarts = true;
            self.add(Stmt::declare("int", "restart", 0));
        }
        self.part(part);
        if self_call {
            let restart = self.inside(Self::restart);
            self.add(Stmt::when("restart", restart));
        }
        self.add(Stmt::Goto("next".into()));
    }

    /// The variables that a thread defines.
    fn locals(&self, part: PartId, found: &mut BTreeSet<Var>) {
        for p in self.plan.inner_parts(part) {
            for &n in &self.plan.threads.parts[p].nodes {
                found.extend(self.plan.graph.nodes[n].outs.iter().copied());
                if let Act::Write { event } = self.plan.graph.nodes[n].act
                    && self.plan.graph.at_once[event]
                {
                    found.extend(self.plan.graph.events[event].var);
                }
            }
        }
    }

    /// The end of a thread that may make a tail call to its own function. If this activation has no work
    /// left, it begins again in the same frame; now and then by way of the ready queue, so that messages are
    /// served. If C functions do most of the work, it goes on as a C function.
    fn restart(&mut self) {
        let no_more = match self.plan.fallback {
            true => frame("top").equals(0),
            false => Expr::from("top").equals(0).and(frame("top").equals(0)),
        };
        let again = self.inside(Self::begin_again);
        self.add(Stmt::when(no_more.and(frame("outstanding").equals(0)), again));
        let (join, ret, inlet) = (frame("join"), frame("ret"), frame("ret_inlet"));
        self.add(call!("tam_invoke", join, codeblock(self.plan.number), "again", ret, inlet));
    }

    /// Begins the activation again in its frame.
    fn begin_again(&mut self) {
        let size = |array: &'static str, count: usize| {
            let element = Expr::from(array).after(Prefix::Dereference);
            Expr::from(count) * element.after(Prefix::Sizeof)
        };
        if self.params > 0 {
            self.add(call!("memcpy", "s", "again", size("again", self.params)));
        }
        let counters = self.plan.threads.counts.len();
        if counters > 0 {
            self.add(call!("memcpy", "c", frame("codeblock").arrow("counts"), size("c", counters)));
        }
        self.count("INIT", counters);
        self.count("TURN", 1);
        let whole = self.plan.fallback && self.plan.begins_as_function;
        if whole {
            self.add(Stmt::set(frame("direct"), 1));
        }
        let now_and_then = (Expr::from("turns").after(Prefix::Increment) % TURNS).equals(0);
        self.add(Stmt::when(now_and_then, vec![call!("tam_yield", "f").into(), Stmt::Return(None)]));
        for (thread, counter) in self.targets(None) {
            if counter.is_none() {
                let push = self.push(thread);
                self.add(push);
            }
        }
        self.add(Stmt::Goto(if whole { "whole" } else { "next" }.into()));
    }

    fn part(&mut self, part: PartId) {
        with_stack(|| self.part_now(part));
    }

    fn part_now(&mut self, part: PartId) {
        let host = self.host_of(part);
        for n in self.plan.threads.parts[part].nodes.clone() {
            self.node(n, host);
        }
        self.forks(Wait::Part(part));
    }

    /// Stores a local value in its slot, if another thread uses it.
    fn keep(&mut self, var: Var) {
        if let Some(&at) = self.slots.get(&var) {
            self.add(Stmt::set(slot(at), variable(var)));
        }
    }

    /// Assigns a local value.
    fn set(&mut self, var: Var, value: Expr) {
        self.add(Stmt::set(variable(var), value));
        self.keep(var);
    }

    fn node(&mut self, n: NodeId, host: PartId) {
        let node = self.plan.graph.nodes[n].clone();
        let w: Vec<Expr> = node.ins.iter().map(|a| self.word(*a, host)).collect();
        let site = self.e.site(node.span);
        if let Some(counter) = counts::of_node(&node.act) {
            self.count(counter, 1);
        }
        match &node.act {
            Act::Prim(p) => {
                let value = prim::expression(*p, &node.ins, &w, site);
                self.set(node.outs.first().copied().unwrap_or(0), value);
            }
            Act::Make { .. } | Act::Closure { .. } | Act::Alloc { .. } => self.allocate(n, &w, site),
            Act::Fill { at, delayed } => self.fill(&node, *at, *delayed, &w, site),
            Act::Field { at, mode } => self.read(&node, &w, 0, &[(*at).into()], *mode, site),
            Act::Fetch { mode } => self.read(&node, &w, w.len() - 1, &w[1..], *mode, site),
            Act::Bound { at } => self.bound(&node, *at, &w[0], site),
            Act::StoreField { at, mode } => {
                self.sent = true;
                let (put, mode) = (self.put(), mode_name(*mode));
                self.add(call!(put, frame("join"), &w[0], mode, 0, *at, 0, 0, &w[1], site));
            }
            Act::Store { mode } => {
                self.sent = true;
                let (dims, mode) = (w.len() - 2, mode_name(*mode));
                let index = subscripts(&w[1..w.len() - 1]);
                let value = &w[w.len() - 1];
                let put = self.put();
                self.add(call!(put, frame("join"), &w[0], mode, dims, index, value, site));
            }
            Act::Call { .. } => self.call(n, &w),
            Act::SendArg { param, .. } => {
                self.sent = true;
                let block = self.plan.block_of(n);
                self.add(call!("tam_send_arg", &w[0], codeblock(block), *param, &w[1]));
            }
            Act::Apply { by_cell } => self.apply(&node, by_cell, &w, site),
            Act::Switch => self.switch(&node, &w[0]),
            Act::Write { event } => self.write(*event, &w[0]),
            Act::Return { result } => {
                self.sent = true;
                self.add(call!("tam_send", frame("ret"), caller_inlet(*result), &w[0]));
            }
            Act::Io(io) => self.io(*io, &node, &w, site),
            Act::Fail { text } => {
                let text = Expr::Text(self.e.plan.program.texts[*text].clone());
                self.add(call!("tam_fail", site, Expr::Text(b"%s".to_vec()), text));
            }
            Act::Stuck => self.add(call!("tam_stuck", "f", site)),
        }
    }
}

/// A member of the activation's frame.
fn frame(member: &'static str) -> Expr {
    Expr::from("f").arrow(member)
}

/// A slot of the frame.
fn slot(at: usize) -> Expr {
    Expr::from("s").at(at)
}

/// The caller's inlet for result number `n`.
fn caller_inlet(n: usize) -> Expr {
    frame("ret_inlet") + Expr::Unsigned(n)
}

/// The activation to which a C function has left its results; 0 if there is none.
fn waits() -> Expr {
    Expr::from("r").member("waits")
}

/// Makes that activation send its results to the caller.
fn hand_to_caller() -> Stmt {
    call!("tam_hand", waits(), frame("ret"), frame("ret_inlet")).into()
}

/// Sends the caller the results of a C function.
fn send_to_caller(results: usize) -> Vec<Stmt> {
    (0..results).map(|n| call!("tam_send", frame("ret"), caller_inlet(n), result(n)).into()).collect()
}

fn counted(counter: &'static str, n: usize) -> Stmt {
    call!("TAM_COUNT_IN_THREAD", counter, n).into()
}
