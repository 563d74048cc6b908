//! Dependence sets: which events must have happened before a node can run.

use super::{Act, EventId, EventKind, Graph, NodeId, Set, Source};
use crate::core::language::*;
use crate::stack::with_stack;
use std::collections::{BTreeMap, HashMap};

/// Whether all of `a` is in `b`.
pub fn within(a: &Set, b: &Set) -> bool {
    a.iter().enumerate().all(|(n, w)| w & !b.get(n).copied().unwrap_or(0) == 0)
}

/// Whether an event is in a set.
pub fn holds(set: &Set, event: EventId) -> bool {
    set.get(event / 64).is_some_and(|w| w >> (event % 64) & 1 == 1)
}

fn add(set: &mut Set, other: &Set) {
    if set.len() < other.len() {
        set.resize(other.len(), 0);
    }
    set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}

pub(super) struct Finder<'a> {
    graph: &'a Graph,
    combine: bool,
    nodes: Vec<Option<Set>>,
    active: Vec<bool>,
    events: HashMap<EventId, Set>,
    active_events: Vec<bool>,
    merges: HashMap<EventId, bool>,
    /// The writes of each merge.
    writes: BTreeMap<EventId, Vec<NodeId>>,
    pub(super) stuck: Option<NodeId>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(graph: &'a Graph, combine: bool) -> Finder<'a> {
        let mut writes: BTreeMap<EventId, Vec<NodeId>> = BTreeMap::new();
        for (n, node) in graph.nodes.iter().enumerate() {
            if let Act::Write { event } = node.act {
                writes.entry(event).or_default().push(n);
            }
        }
        Finder {
            graph,
            combine,
            nodes: vec![None; graph.nodes.len()],
            active: vec![false; graph.nodes.len()],
            events: HashMap::new(),
            active_events: vec![false; graph.events.len()],
            merges: HashMap::new(),
            writes,
            stuck: None,
        }
    }

    pub(super) fn node(&mut self, n: NodeId) -> Set {
        match &self.nodes[n] {
            Some(set) => set.clone(),
            None => with_stack(|| self.find(n)),
        }
    }

    fn find(&mut self, n: NodeId) -> Set {
        if std::mem::replace(&mut self.active[n], true) {
            self.stuck = Some(n);
            return Set::new();
        }
        let node = &self.graph.nodes[n];
        let mut set = match self.graph.regions[node.region] {
            Some(event) => self.event(event),
            None => Set::new(),
        };
        for &atom in &node.ins {
            let of = self.atom(atom);
            add(&mut set, &of);
        }
        self.active[n] = false;
        self.nodes[n] = Some(set.clone());
        set
    }

    pub(super) fn atom(&mut self, atom: Atom) -> Set {
        let Atom::Var(v) = atom else { return Set::new() };
        match self.graph.sources.get(&v) {
            Some(Source::Event(e)) => self.event(*e),
            Some(Source::Node(n)) => self.node(*n),
            _ => Set::new(),
        }
    }

    fn event(&mut self, e: EventId) -> Set {
        if let Some(set) = self.events.get(&e) {
            return set.clone();
        }
        let kind = self.graph.events[e].kind;
        let mut set = match kind {
            EventKind::Response(n) | EventKind::Arm(n, _) | EventKind::Merge(n) => self.node(n),
            EventKind::Param(_) | EventKind::Never => Set::new(),
        };
        if !self.merges_at_once(e) {
            let mut own = vec![0; e / 64 + 1];
            own[e / 64] |= 1 << (e % 64);
            add(&mut set, &own);
        }
        self.events.insert(e, set.clone());
        set
    }

    /// Whether both arms write as soon as they are chosen.
    pub(super) fn merges_at_once(&mut self, e: EventId) -> bool {
        if let Some(&known) = self.merges.get(&e) {
            return known;
        }
        if !self.combine || !matches!(self.graph.events[e].kind, EventKind::Merge(_)) {
            return false;
        }
        if std::mem::replace(&mut self.active_events[e], true) {
            // The value needs itself, which the visit of its nodes finds (`stuck`).
            return false;
        }
        let writes = self.writes.get(&e).cloned().unwrap_or_default();
        let at_once = writes.iter().all(|&w| {
            let set = self.node(w);
            let arm =
                self.graph.regions[self.graph.nodes[w].region].map(|a| self.event(a)).unwrap_or_default();
            within(&set, &arm)
        });
        self.active_events[e] = false;
        self.merges.insert(e, at_once);
        at_once
    }
}
