//! Makes threads with entry counts from the nodes of a graph.
//!
//! A part is the nodes of one dependence set. Parts become threads; a thread is entered when all its
//! *sources* have happened: events, and other parts whose values it uses. [`Mode::Df`] does no more.
//!
//! [`Mode::Tam`] adds:
//! - **switch and merge combining**: an arm's part that waits only for the choice of the arm runs in the
//!   thread of the switch, as a branch; a merge that both arms write there is a plain value (graph.rs decides
//!   this).
//! - **merging by demand sets**: a part of operations on words that only one thread demands joins that
//!   thread. Its values are then computed later, but no other thread waits for them.
//! - **redundant arcs**: a source that another source implies is left out, which lowers the entry count.
//!
//! Neither merging delays a send, a store or a switch, so that a program that ends in one mode ends in the
//! other.

use crate::core::language::Var;
use crate::stack::with_stack;
use crate::tam::graph::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// How threads are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Plain dataflow.
    Df,
    /// With the optimisations for the threaded abstract machine.
    #[default]
    Tam,
}

/// Index into [`Threads::parts`].
pub type PartId = usize;

/// A source of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Wait {
    Event(EventId),
    Part(PartId),
}

/// Nodes that run together.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Part {
    pub set: Set,
    /// The nodes, in an order in which they can run.
    pub nodes: Vec<NodeId>,
    pub sources: BTreeSet<Wait>,
    /// The arm as whose branch the part runs.
    pub branch: Option<EventId>,
    /// The part has joined another.
    pub gone: bool,
    /// The number of the thread, if the part is one.
    pub thread: Option<usize>,
}

/// The threads of a function.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Threads {
    pub parts: Vec<Part>,
    /// The part of each node.
    pub part_of: Vec<PartId>,
    /// Parts that are threads, by number.
    pub threads: Vec<PartId>,
    /// Entry counters by thread, for those that wait for more than one source.
    pub counters: Vec<Option<usize>>,
    pub counts: Vec<usize>,
    /// The branch of each arm.
    pub branches: HashMap<EventId, PartId>,
}

/// Makes the threads of a graph.
pub fn make(graph: &Graph, mode: Mode) -> Threads {
    let mut t = Maker { graph, out: Threads::default(), users: users(graph), needs: Default::default() };
    t.parts(mode);
    t.sources();
    if mode == Mode::Tam {
        t.merge_by_demand();
    }
    t.reduce(mode);
    t.number();
    t.out
}

struct Maker<'a> {
    graph: &'a Graph,
    out: Threads,
    /// The nodes that use the value of each node.
    users: Vec<Vec<NodeId>>,
    /// The nodes outside each branch that it needs, as far as they have been found.
    needs: RefCell<HashMap<PartId, Rc<BTreeSet<NodeId>>>>,
}

fn users(graph: &Graph) -> Vec<Vec<NodeId>> {
    let mut users = vec![Vec::new(); graph.nodes.len()];
    for (n, node) in graph.nodes.iter().enumerate() {
        for atom in &node.ins {
            if let crate::core::language::Atom::Var(v) = atom
                && let Some(Source::Node(m)) = graph.sources.get(v)
            {
                users[*m].push(n);
            }
        }
    }
    users
}

fn trimmed(set: &Set) -> Set {
    let mut set = set.clone();
    while set.last() == Some(&0) {
        set.pop();
    }
    set
}

impl Maker<'_> {
    /// Makes a part for each dependence set.
    fn parts(&mut self, mode: Mode) {
        let mut by_set: BTreeMap<Set, PartId> = BTreeMap::new();
        for (n, set) in self.graph.sets.iter().enumerate() {
            let set = trimmed(set);
            let part = *by_set.entry(set.clone()).or_insert_with(|| {
                self.out.parts.push(Part { set, ..Part::default() });
                self.out.parts.len() - 1
            });
            self.out.parts[part].nodes.push(n);
            self.out.part_of.push(part);
        }
        if mode == Mode::Df {
            return;
        }
        for &arm in self.graph.regions.iter().flatten() {
            let EventKind::Arm(switch, _) = self.graph.events[arm].kind else { continue };
            let mut set = self.graph.sets[switch].clone();
            set.resize(set.len().max(arm / 64 + 1), 0);
            set[arm / 64] |= 1 << (arm % 64);
            if let Some(&part) = by_set.get(&trimmed(&set)) {
                self.out.parts[part].branch = Some(arm);
                self.out.branches.insert(arm, part);
            }
        }
    }

    /// The part in whose thread `part` runs.
    fn host(&self, part: PartId) -> PartId {
        host(self.graph, &self.out, part)
    }

    /// The source that a part must wait for to have a variable.
    fn wait_for(&self, var: Var, part: PartId) -> Option<Wait> {
        let node = match self.graph.sources.get(&var)? {
            Source::Start => return None,
            Source::Event(e) if self.graph.at_once[*e] => match self.graph.events[*e].kind {
                EventKind::Merge(switch) => switch,
                _ => return Some(Wait::Event(*e)),
            },
            Source::Event(e) => return Some(Wait::Event(*e)),
            Source::Node(n) => *n,
        };
        let from = self.out.part_of[node];
        (from != part).then_some(Wait::Part(from))
    }

    fn sources(&mut self) {
        for part in 0..self.out.parts.len() {
            let mut sources = BTreeSet::new();
            for &n in &self.out.parts[part].nodes {
                let node = &self.graph.nodes[n];
                for atom in &node.ins {
                    if let crate::core::language::Atom::Var(v) = atom {
                        sources.extend(self.wait_for(*v, part));
                    }
                }
                if let Some(arm) = self.graph.regions[node.region] {
                    sources.insert(Wait::Event(arm));
                }
            }
            self.out.parts[part].sources = sources;
        }
        // A branch has no sources: the thread in which it runs waits for them.
        for part in 0..self.out.parts.len() {
            if self.out.parts[part].branch.is_none() {
                continue;
            }
            let sources = std::mem::take(&mut self.out.parts[part].sources);
            let host = self.host(part);
            let set = self.out.parts[host].set.clone();
            for wait in sources {
                let inside = match wait {
                    Wait::Event(e) => !holds(&set, e) && self.happens_in(e, host),
                    Wait::Part(p) => self.host(p) == host,
                };
                let known = matches!(wait, Wait::Event(e) if holds(&set, e));
                if !inside && !known {
                    self.out.parts[host].sources.insert(wait);
                }
            }
        }
    }

    /// Whether an event is the choice of an arm within a thread.
    fn happens_in(&self, e: EventId, host: PartId) -> bool {
        match self.graph.events[e].kind {
            EventKind::Arm(switch, _) => self.host(self.out.part_of[switch]) == host,
            _ => false,
        }
    }

    /// Merges each part of operations on words that only one thread demands into that thread.
    fn merge_by_demand(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for part in 0..self.out.parts.len() {
                let Some(to) = self.only_demander(part) else { continue };
                let nodes = std::mem::take(&mut self.out.parts[part].nodes);
                nodes.iter().for_each(|&n| self.out.part_of[n] = to);
                let sources = std::mem::take(&mut self.out.parts[part].sources);
                let target = &mut self.out.parts[to];
                target.nodes.extend(nodes);
                target.sources.remove(&Wait::Part(part));
                target.sources.extend(sources.into_iter().filter(|w| *w != Wait::Part(to)));
                self.out.parts[part].gone = true;
                changed = true;
            }
        }
    }

    fn only_demander(&self, part: PartId) -> Option<PartId> {
        let p = &self.out.parts[part];
        let plain = |n: &NodeId| matches!(self.graph.nodes[*n].act, Act::Prim(_));
        if p.gone || p.branch.is_some() || p.nodes.is_empty() || !p.nodes.iter().all(plain) {
            return None;
        }
        let mut demanders = BTreeSet::new();
        for &n in p.nodes.iter().flat_map(|&n| &self.users[n]) {
            if self.out.part_of[n] != part {
                demanders.insert(self.out.part_of[n]);
            }
        }
        let mut all = demanders.into_iter();
        let only = all.next().filter(|_| all.next().is_none())?;
        // To join a branch would be sound too, but the sources of the part would become the thread's.
        (self.out.parts[only].branch.is_none()).then_some(only)
    }

    /// The set of the events that have happened when `wait` has.
    fn after(&self, wait: Wait) -> Set {
        match wait {
            Wait::Part(p) => self.out.parts[p].set.clone(),
            Wait::Event(e) => match self.graph.events[e].kind {
                EventKind::Response(n) | EventKind::Arm(n, _) | EventKind::Merge(n) => {
                    let mut set = self.graph.sets[n].clone();
                    set.resize(set.len().max(e / 64 + 1), 0);
                    set[e / 64] |= 1 << (e % 64);
                    set
                }
                _ => {
                    let mut set = vec![0; e / 64 + 1];
                    set[e / 64] |= 1 << (e % 64);
                    set
                }
            },
        }
    }

    /// Removes sources that others imply: events in the set of another source, and parts from which another
    /// source follows.
    fn reduce(&mut self, mode: Mode) {
        for part in 0..self.out.parts.len() {
            let sources: Vec<Wait> = self.out.parts[part].sources.iter().copied().collect();
            let mut kept: BTreeSet<Wait> = sources.iter().copied().collect();
            for &wait in &sources {
                let others: Vec<Wait> = kept.iter().copied().filter(|w| *w != wait).collect();
                let implied = match wait {
                    Wait::Event(e) => {
                        let arm = matches!(self.graph.events[e].kind, EventKind::Arm(..));
                        (arm || mode == Mode::Tam) && others.iter().any(|o| holds(&self.after(*o), e))
                    }
                    Wait::Part(p) => mode == Mode::Tam && others.iter().any(|o| self.follows(*o, p)),
                };
                if implied {
                    kept.remove(&wait);
                }
            }
            self.out.parts[part].sources = kept;
        }
    }

    /// Whether `wait` happens only after part `p` has run: threads run to their end, so the thread of a
    /// part has run when another thread or an answer follows from any node in it.
    fn follows(&self, wait: Wait, p: PartId) -> bool {
        let mut stack = vec![wait];
        let mut seen = BTreeSet::new();
        while let Some(wait) = stack.pop() {
            let mut part = match wait {
                Wait::Part(q) => q,
                Wait::Event(e) => match self.graph.events[e].kind {
                    EventKind::Response(n) | EventKind::Arm(n, _) | EventKind::Merge(n) => {
                        self.out.part_of[n]
                    }
                    _ => continue,
                },
            };
            // A branch, then the thread that it is a branch of.
            loop {
                if part == p {
                    return true;
                }
                let Some(arm) = self.out.parts[part].branch else { break };
                let EventKind::Arm(switch, _) = self.graph.events[arm].kind else { break };
                part = self.out.part_of[switch];
            }
            if seen.insert(part) {
                stack.extend(self.out.parts[part].sources.iter().copied());
            }
        }
        false
    }

    /// Numbers the threads, orders their nodes and gives counters to those that wait for several sources.
    fn number(&mut self) {
        for part in 0..self.out.parts.len() {
            let nodes = std::mem::take(&mut self.out.parts[part].nodes);
            self.out.parts[part].nodes = self.ordered(&nodes);
            let p = &mut self.out.parts[part];
            if p.gone || p.branch.is_some() || p.nodes.is_empty() {
                continue;
            }
            p.thread = Some(self.out.threads.len());
            self.out.threads.push(part);
            let count = p.sources.len();
            let counter = (count > 1).then(|| {
                self.out.counts.push(count);
                self.out.counts.len() - 1
            });
            self.out.counters.push(counter);
        }
    }

    /// Returns the nodes in an order in which they can run: operations on words and new cells before sends.
    fn ordered(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        let inside: BTreeSet<NodeId> = nodes.iter().copied().collect();
        let mut out = Vec::new();
        let mut done = BTreeSet::new();
        let mut sorted = nodes.to_vec();
        sorted.sort_by_key(|&n| (rank(&self.graph.nodes[n].act), n));
        for n in sorted {
            self.visit(n, &inside, &mut done, &mut out);
        }
        out
    }

    fn visit(
        &self,
        n: NodeId,
        inside: &BTreeSet<NodeId>,
        done: &mut BTreeSet<NodeId>,
        out: &mut Vec<NodeId>,
    ) {
        if done.insert(n) {
            with_stack(|| self.visit_now(n, inside, done, out));
        }
    }

    fn visit_now(
        &self,
        n: NodeId,
        inside: &BTreeSet<NodeId>,
        done: &mut BTreeSet<NodeId>,
        out: &mut Vec<NodeId>,
    ) {
        let mut before = self.needed_before(n);
        if let Act::Switch = self.graph.nodes[n].act {
            // The nodes that its branches need come before it too.
            for arm in &self.graph.nodes[n].events {
                if let Some(&branch) = self.out.branches.get(arm) {
                    before.extend(self.branch_needs(branch).iter().copied());
                }
            }
        }
        for m in before {
            if inside.contains(&m) {
                self.visit(m, inside, done, out);
            }
        }
        out.push(n);
    }

    /// The nodes outside a branch that it and its own branches need.
    fn branch_needs(&self, branch: PartId) -> Rc<BTreeSet<NodeId>> {
        if let Some(known) = self.needs.borrow().get(&branch) {
            return known.clone();
        }
        let mut all = BTreeSet::new();
        for &n in &self.out.parts[branch].nodes {
            all.extend(self.needed_before(n));
            for arm in &self.graph.nodes[n].events {
                if let Some(&inner) = self.out.branches.get(arm) {
                    all.extend(with_stack(|| self.branch_needs(inner)).iter().copied());
                }
            }
        }
        all.retain(|&n| self.out.part_of[n] != branch);
        let all = Rc::new(all);
        self.needs.borrow_mut().insert(branch, all.clone());
        all
    }

    fn needed_before(&self, n: NodeId) -> Vec<NodeId> {
        let of = |atom: &crate::core::language::Atom| match atom {
            crate::core::language::Atom::Var(v) => match self.graph.sources.get(v)? {
                Source::Node(m) => Some(*m),
                Source::Event(e) if self.graph.at_once[*e] => match self.graph.events[*e].kind {
                    EventKind::Merge(switch) => Some(switch),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        self.graph.nodes[n].ins.iter().filter_map(of).collect()
    }
}

fn rank(act: &Act) -> usize {
    match act {
        Act::Prim(_) | Act::Make { .. } | Act::Closure { .. } | Act::Alloc { .. } => 0,
        Act::Fill { .. } => 1,
        Act::Switch | Act::Write { .. } => 2,
        Act::Call { tail: true, .. } => 5,
        Act::Return { .. } => 4,
        _ => 3,
    }
}

/// The part in whose thread `part` runs: its own, unless it is a branch.
pub fn host(graph: &Graph, threads: &Threads, part: PartId) -> PartId {
    let mut part = part;
    while let Some(arm) = threads.parts[part].branch {
        match graph.events[arm].kind {
            EventKind::Arm(switch, _) => part = threads.part_of[switch],
            _ => break,
        }
    }
    part
}
