//! A function as a dataflow graph.
//!
//! Nodes are operations; regions are the function's body and the arms of its conditionals; events are
//! arrivals: late parameters, answers to reads and calls, the choice of an arm, and the value that an arm
//! passes to the code after its conditional (a merge). Reads, calls and applications are split-phase: the
//! node sends, an event brings the answer. A cell is made at once, and each field is filled by a node of its
//! own.
//!
//! The *dependence set* of a node is the set of events that must have happened before it can run: those of
//! its operands and of the arm that it is in. Nodes of equal dependence sets can run together in one thread
//! (threads.rs).

mod sets;

pub use sets::{holds, within};

use crate::core::language::*;
use crate::stack::with_stack;
use base::Span;
use sets::Finder;
use std::collections::HashMap;

/// Index into [`Graph::nodes`].
pub type NodeId = usize;
/// Index into [`Graph::events`].
pub type EventId = usize;
/// Index into [`Graph::regions`].
pub type RegionId = usize;
/// A set of events.
pub type Set = Vec<u64>;

/// The operation of a node.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Act {
    Prim(Prim),
    Make {
        tag: usize,
        fields: usize,
    },
    Closure {
        func: FuncId,
        held: usize,
    },
    /// Stores into a field of a cell that this activation has made.
    Fill {
        at: usize,
        delayed: bool,
    },
    Field {
        at: usize,
        mode: Mode,
    },
    StoreField {
        at: usize,
        mode: Mode,
    },
    Alloc {
        mutable: bool,
        numbers: bool,
    },
    Bound {
        at: usize,
    },
    Fetch {
        mode: Mode,
    },
    Store {
        mode: Mode,
    },
    /// Operands: the arguments that are not late, in order. `tail`: the results go where this function's go.
    Call {
        func: FuncId,
        late: Vec<bool>,
        join: bool,
        tail: bool,
        results: usize,
    },
    /// Sends a late argument to the activation that is the first operand.
    SendArg {
        func: FuncId,
        late: Vec<bool>,
        param: usize,
    },
    Apply {
        by_cell: Vec<bool>,
    },
    /// Chooses an arm.
    Switch,
    /// Passes a value to the code after the conditional.
    Write {
        event: EventId,
    },
    Return {
        result: usize,
    },
    Io(Io),
    Fail {
        text: usize,
    },
    /// An operation that needs its own result.
    Stuck,
}

/// An operation.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Node {
    pub act: Act,
    pub ins: Vec<Atom>,
    /// Variables whose values are available at once.
    pub outs: Vec<Var>,
    /// Events that bring the answers; of a switch, its two arms.
    pub events: Vec<EventId>,
    pub region: RegionId,
    pub span: Span,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum EventKind {
    Param(usize),
    Response(NodeId),
    Arm(NodeId, bool),
    /// A value from the arms of this switch.
    Merge(NodeId),
    Never,
}

/// An arrival, and the variable whose value it brings.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Event {
    pub kind: EventKind,
    pub var: Option<Var>,
}

/// Where a variable comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Source {
    Start,
    Event(EventId),
    Node(NodeId),
}

/// A function as a graph.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub events: Vec<Event>,
    /// The event that chooses each region; none for the body.
    pub regions: Vec<Option<EventId>>,
    pub sources: HashMap<Var, Source>,
    /// The dependence set of each node.
    pub sets: Vec<Set>,
    /// By event: whether it is a merge whose arms both write at once. Its value is then the switch's.
    pub at_once: Vec<bool>,
    pub vars: usize,
}

/// The graph of a function with these late parameters. `combine`: arms that can run at their switch count as
/// part of it (see [`Graph::at_once`]).
pub fn build(program: &Program, func: FuncId, late: &[bool], strict: &[Vec<bool>], combine: bool) -> Graph {
    let f = &program.funcs[func];
    let graph = Graph { vars: f.vars, ..Graph::default() };
    let mut b = Builder { graph, strict, pending: Vec::new(), one_late: combine };
    b.graph.regions.push(None);
    for (p, &var) in f.params.iter().enumerate() {
        let source =
            if late[p] { Source::Event(b.event(EventKind::Param(p), Some(var))) } else { Source::Start };
        b.graph.sources.insert(var, source);
    }
    let returns: Vec<usize> = (0..f.results).collect();
    b.tail(&f.body, 0, &returns, f.span);
    b.finish(combine)
}

/// A call or application that gets its arguments when it is known which of them are available at its start.
struct Pending {
    node: NodeId,
    args: Vec<Atom>,
    func: Option<FuncId>,
}

struct Builder<'a> {
    graph: Graph,
    strict: &'a [Vec<bool>],
    pending: Vec<Pending>,
    /// A call with one late argument passes all arguments late that may be.
    one_late: bool,
}

impl Builder<'_> {
    fn event(&mut self, kind: EventKind, var: Option<Var>) -> EventId {
        self.graph.events.push(Event { kind, var });
        self.graph.events.len() - 1
    }

    fn node(&mut self, act: Act, ins: Vec<Atom>, region: RegionId, span: Span) -> NodeId {
        self.graph.nodes.push(Node { act, ins, outs: Vec::new(), events: Vec::new(), region, span });
        self.graph.nodes.len() - 1
    }

    fn new_var(&mut self) -> Var {
        self.graph.vars += 1;
        self.graph.vars - 1
    }

    /// Adds a node whose value is available at once.
    fn local(&mut self, act: Act, ins: Vec<Atom>, out: Var, region: RegionId, span: Span) -> NodeId {
        let node = self.node(act, ins, region, span);
        self.graph.nodes[node].outs.push(out);
        self.graph.sources.insert(out, Source::Node(node));
        node
    }

    /// Adds a split-phase node, whose values arrive as events.
    fn split(&mut self, act: Act, ins: Vec<Atom>, outs: &[Var], region: RegionId, span: Span) -> NodeId {
        let node = self.node(act, ins, region, span);
        for &out in outs {
            let event = self.event(EventKind::Response(node), Some(out));
            self.graph.nodes[node].events.push(event);
            self.graph.sources.insert(out, Source::Event(event));
        }
        node
    }

    // ---- blocks
    // ------------------------------------------------------------------------------------------------

    /// Adds a block whose results are the function's results with these numbers.
    fn tail(&mut self, block: &Block, region: RegionId, returns: &[usize], span: Span) {
        with_stack(|| self.tail_now(block, region, returns, span));
    }

    fn tail_now(&mut self, block: &Block, region: RegionId, returns: &[usize], span: Span) {
        let last = block.binds.iter().position(|b| self.is_last(block, b));
        for (n, bind) in block.binds.iter().enumerate() {
            if Some(n) == last && !returns.is_empty() {
                match &bind.op {
                    Op::Call { func, args, .. } => {
                        self.call(*func, args, &[], false, true, region, bind.span);
                    }
                    Op::If { test, then, other } => {
                        let (yes, no) = self.switch(*test, region, bind.span);
                        self.tail(then, yes, returns, bind.span);
                        self.tail(other, no, returns, bind.span);
                    }
                    _ => {}
                }
            } else {
                self.bind(bind, region);
            }
        }
        if last.is_none() {
            for (result, atom) in returns.iter().zip(&block.results) {
                self.node(Act::Return { result: *result }, vec![*atom], region, span);
            }
        }
    }

    /// Whether this binding defines all results of the block, in order, and no other binding uses them.
    fn is_last(&self, block: &Block, bind: &Bind) -> bool {
        let fits = match &bind.op {
            Op::Call { join, .. } => !join,
            Op::If { .. } => true,
            _ => false,
        };
        fits && !bind.dst.is_empty()
            && bind.dst.len() == block.results.len()
            && bind.dst.iter().zip(&block.results).all(|(v, r)| *r == Atom::Var(*v))
            && !block.binds.iter().any(|other| uses_any(&other.op, &bind.dst))
    }

    fn switch(&mut self, test: Atom, region: RegionId, span: Span) -> (RegionId, RegionId) {
        let node = self.node(Act::Switch, vec![test], region, span);
        let arms = [true, false].map(|taken| {
            let event = self.event(EventKind::Arm(node, taken), None);
            self.graph.nodes[node].events.push(event);
            self.graph.regions.push(Some(event));
            self.graph.regions.len() - 1
        });
        (arms[0], arms[1])
    }

    fn block(&mut self, block: &Block, region: RegionId) {
        with_stack(|| block.binds.iter().for_each(|bind| self.bind(bind, region)));
    }

    fn bind(&mut self, bind: &Bind, region: RegionId) {
        let span = bind.span;
        let dst = bind.dst.first().copied().unwrap_or(0);
        match &bind.op {
            Op::Copy(_) => {
                // The passes leave only copies of a name to itself.
                self.local(Act::Stuck, vec![Atom::Var(dst)], dst, region, span);
            }
            Op::Prim(p, args) => {
                self.local(Act::Prim(*p), args.clone(), dst, region, span);
            }
            Op::Make { .. } | Op::Closure { .. } => self.make(&bind.op, dst, region, span),
            Op::Field { cell, at, mode } => {
                self.split(Act::Field { at: *at, mode: *mode }, vec![*cell], &bind.dst, region, span);
            }
            Op::Bound { array, at } => {
                self.split(Act::Bound { at: *at }, vec![*array], &bind.dst, region, span);
            }
            Op::Fetch { mode, .. } => {
                self.split(Act::Fetch { mode: *mode }, bind.op.atoms(), &bind.dst, region, span);
            }
            Op::Alloc { mutable, numbers, bounds } => {
                let act = Act::Alloc { mutable: *mutable, numbers: *numbers };
                self.local(act, bounds.clone(), dst, region, span);
            }
            Op::Store { mode, .. } => {
                self.node(Act::Store { mode: *mode }, bind.op.atoms(), region, span);
            }
            Op::StoreField { at, mode, .. } => {
                self.node(Act::StoreField { at: *at, mode: *mode }, bind.op.atoms(), region, span);
            }
            Op::Call { func, args, join } => self.call(*func, args, &bind.dst, *join, false, region, span),
            Op::Apply { f, args } => {
                let act = Act::Apply { by_cell: vec![false; args.len()] };
                let node = self.split(act, vec![*f], &bind.dst, region, span);
                self.pending.push(Pending { node, args: args.clone(), func: None });
            }
            Op::If { test, then, other } => self.conditional(bind, *test, then, other, region),
            Op::Io { io, token, args } => {
                let node = self.node(Act::Io(*io), [&[*token], &args[..]].concat(), region, span);
                for &out in &bind.dst {
                    self.graph.nodes[node].outs.push(out);
                    self.graph.sources.insert(out, Source::Node(node));
                }
            }
            Op::Fail { text } => {
                self.node(Act::Fail { text: *text }, Vec::new(), region, span);
            }
        }
    }

    /// Adds a cell or a closure, and the nodes that fill it.
    fn make(&mut self, op: &Op, dst: Var, region: RegionId, span: Span) {
        let (act, fills): (Act, Vec<(usize, Atom, bool)>) = match op {
            Op::Make { tag, fields } => {
                let fills = fields.iter().enumerate().filter_map(|(at, field)| match field {
                    Init::Value(a) => Some((at, *a, false)),
                    Init::Delayed(a) => Some((at, *a, true)),
                    Init::Empty => None,
                });
                (Act::Make { tag: *tag, fields: fields.len() }, fills.collect())
            }
            Op::Closure { func, args } => {
                let fills = args.iter().enumerate().map(|(at, value)| (at, *value, false));
                (Act::Closure { func: *func, held: args.len() }, fills.collect())
            }
            _ => return,
        };
        self.local(act, Vec::new(), dst, region, span);
        for (at, value, delayed) in fills {
            self.node(Act::Fill { at, delayed }, vec![Atom::Var(dst), value], region, span);
        }
    }

    fn conditional(&mut self, bind: &Bind, test: Atom, then: &Block, other: &Block, region: RegionId) {
        let (yes, no) = self.switch(test, region, bind.span);
        let node = self.graph.nodes.len() - 1;
        for (n, &var) in bind.dst.iter().enumerate() {
            let event = self.event(EventKind::Merge(node), Some(var));
            self.graph.sources.insert(var, Source::Event(event));
            self.node(Act::Write { event }, vec![then.results[n]], yes, bind.span);
            self.node(Act::Write { event }, vec![other.results[n]], no, bind.span);
        }
        self.block(then, yes);
        self.block(other, no);
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &mut self,
        func: FuncId,
        args: &[Atom],
        dst: &[Var],
        join: bool,
        tail: bool,
        region: RegionId,
        span: Span,
    ) {
        let late = vec![false; args.len()];
        let strict: Vec<Atom> = args.iter().zip(&self.strict[func]).filter(|a| *a.1).map(|a| *a.0).collect();
        let results = dst.len() - usize::from(join);
        let node = self.split(Act::Call { func, late, join, tail, results }, strict, dst, region, span);
        self.pending.push(Pending { node, args: args.to_vec(), func: Some(func) });
    }

    // ---- dependence sets
    // ---------------------------------------------------------------------------------------

    fn finish(mut self, combine: bool) -> Graph {
        loop {
            let mut finder = Finder::new(&self.graph, combine);
            let sets: Vec<Set> = (0..self.graph.nodes.len()).map(|n| finder.node(n)).collect();
            let at_once = (0..self.graph.events.len()).map(|e| finder.merges_at_once(e)).collect();
            let Some(stuck) = finder.stuck else {
                self.graph.sets = sets;
                self.graph.at_once = at_once;
                break;
            };
            self.make_stuck(stuck);
        }
        let pending = std::mem::take(&mut self.pending);
        // Arguments of calls add to the graph and change no set of the nodes that it has.
        let mut finder = Finder::new(&self.graph, combine);
        let there: Vec<Vec<bool>> = pending
            .iter()
            .map(|p| p.args.iter().map(|a| within(&finder.atom(*a), &self.graph.sets[p.node])).collect())
            .collect();
        for (p, there) in pending.into_iter().zip(there) {
            self.give_args(p, there);
        }
        let mut finder = Finder::new(&self.graph, combine);
        let sets = (0..self.graph.nodes.len()).map(|n| finder.node(n)).collect();
        self.graph.sets = sets;
        self.graph
    }

    fn make_stuck(&mut self, node: NodeId) {
        let n = &mut self.graph.nodes[node];
        n.act = Act::Stuck;
        n.ins.clear();
        let outs = std::mem::take(&mut n.outs);
        let events = std::mem::take(&mut n.events);
        for out in outs {
            let event = self.event(EventKind::Never, Some(out));
            self.graph.sources.insert(out, Source::Event(event));
        }
        for event in events {
            self.graph.events[event].kind = EventKind::Never;
        }
        self.pending.retain(|p| p.node != node);
    }

    /// Passes the arguments that are available when a call begins with it, and sends the others later.
    fn give_args(&mut self, p: Pending, there: Vec<bool>) {
        let (region, span) = (self.graph.nodes[p.node].region, self.graph.nodes[p.node].span);
        let Some(func) = p.func else {
            let mut by_cell = Vec::new();
            for (arg, there) in p.args.iter().zip(there) {
                by_cell.push(!there);
                if there {
                    self.graph.nodes[p.node].ins.push(*arg);
                    continue;
                }
                let cell = self.new_var();
                self.local(Act::Make { tag: 0, fields: 1 }, Vec::new(), cell, region, span);
                self.node(Act::Fill { at: 0, delayed: false }, vec![Atom::Var(cell), *arg], region, span);
                self.graph.nodes[p.node].ins.push(Atom::Var(cell));
            }
            self.graph.nodes[p.node].act = Act::Apply { by_cell };
            return;
        };
        let is_late: Vec<bool> =
            there.iter().zip(&self.strict[func]).map(|(there, strict)| !there && !strict).collect();
        // One code-block with late parameters is enough if a C function takes the calls that have all
        // arguments.
        let is_late = if self.one_late && is_late.contains(&true) {
            self.strict[func].iter().map(|strict| !strict).collect()
        } else {
            is_late
        };
        let ins = p.args.iter().zip(&is_late).filter(|a| !*a.1).map(|a| *a.0).collect();
        self.graph.nodes[p.node].ins = ins;
        if let Act::Call { late, .. } = &mut self.graph.nodes[p.node].act {
            *late = is_late.clone();
        }
        if is_late.contains(&true) {
            let activation = self.new_var();
            self.graph.nodes[p.node].outs.push(activation);
            self.graph.sources.insert(activation, Source::Node(p.node));
            for (param, arg) in p.args.iter().enumerate().filter(|(n, _)| is_late[*n]) {
                let act = Act::SendArg { func, late: is_late.clone(), param };
                self.node(act, vec![Atom::Var(activation), *arg], region, span);
            }
        }
    }
}

fn uses_any(op: &Op, vars: &[Var]) -> bool {
    let of = |a: &Atom| matches!(a, Atom::Var(v) if vars.contains(v));
    let inside =
        |b: &Block| with_stack(|| b.results.iter().any(of) || b.binds.iter().any(|b| uses_any(&b.op, vars)));
    op.atoms().iter().any(of)
        || match op {
            Op::If { then, other, .. } => inside(then) || inside(other),
            _ => false,
        }
}
