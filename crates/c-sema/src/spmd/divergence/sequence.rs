//! Sequences of synchronisations, and their comparison.

use base::Span;
use std::rc::Rc;

/// The most events of a sequence that are looked at.
pub(super) const MOST_EVENTS: usize = 48;

/// A synchronisation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Event {
    /// `upc_notify` or the first half of `upc_barrier`, with its value if it is constant.
    Notify(Option<i128>),
    /// `upc_wait` or the second half of `upc_barrier`.
    Wait,
    /// A collective call.
    Call(Box<str>),
    /// Synchronisations, or none: in a loop or in a branch.
    Some,
    /// Maybe synchronisations: an unknown function.
    Unknown,
    /// The loop goes on with its next iteration.
    Again,
    /// The loop is left by `break`; the events after it follow.
    Left,
    /// The thread or the job ends.
    Never,
}

impl Event {
    /// Whether the event certainly synchronises, at least in some runs.
    pub fn synchronises(&self) -> bool {
        !matches!(self, Event::Unknown | Event::Again | Event::Left | Event::Never)
    }

    /// Whether the number of synchronisations is known.
    pub fn is_exact(&self) -> bool {
        self.synchronises() && *self != Event::Some
    }

    fn matches(&self, other: &Event) -> bool {
        match (self, other) {
            (Event::Notify(Some(a)), Event::Notify(Some(b))) => a == b,
            (Event::Notify(_), Event::Notify(_)) => true,
            _ => self == other,
        }
    }
}

/// An event at a place of the text, with the name for messages, and the place in the called function.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub event: Event,
    pub at: Span,
    pub name: Box<str>,
    pub inside: Option<Span>,
}

/// A sequence of events.
pub(super) type Seq = Option<Rc<Node>>;

#[derive(Debug)]
pub(super) struct Node {
    site: Site,
    next: Seq,
}

impl Drop for Node {
    /// Frees a long sequence in a loop.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut node) = next.and_then(|node| Rc::try_unwrap(node).ok()) {
            next = node.next.take();
        }
    }
}

pub(super) fn before(site: Site, next: Seq) -> Seq {
    Some(Rc::new(Node { site, next }))
}

pub(super) fn is_same(a: &Seq, b: &Seq) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}

/// The events of a sequence up to `end`, and whether it leads there.
pub(super) fn up_to<'s>(seq: &'s Seq, end: &Seq) -> (Vec<&'s Site>, bool) {
    let mut sites = Vec::new();
    let mut at = seq;
    loop {
        if is_same(at, end) {
            return (sites, true);
        }
        match at {
            Some(node) if sites.len() < MOST_EVENTS => {
                sites.push(&node.site);
                at = &node.next;
            }
            _ => return (sites, false),
        }
    }
}

/// The events within the innermost loop.
pub(super) fn inside<'l, 's>(list: &'l [&'s Site]) -> impl Iterator<Item = &'s Site> + use<'l, 's> {
    list.iter().copied().take_while(|site| !matches!(site.event, Event::Again | Event::Left))
}

/// The first difference of two sequences, if there is certainly one: the event of each.
pub(super) fn difference<'s>(a: &[&'s Site], b: &[&'s Site]) -> Option<(Option<&'s Site>, Option<&'s Site>)> {
    let all = |list: &[&'s Site]| -> Vec<&'s Site> {
        list.iter().copied().filter(|site| site.event != Event::Left).collect()
    };
    let (a, b) = (all(a), all(b));
    for n in 0..a.len().max(b.len()) {
        match (a.get(n).copied(), b.get(n).copied()) {
            (Some(x), Some(y)) if x.event.is_exact() && y.event.is_exact() => {
                if !x.event.matches(&y.event) {
                    return Some((Some(x), Some(y)));
                }
            }
            (Some(x), None) | (None, Some(x)) if x.event.synchronises() => {
                return Some((a.get(n).copied(), b.get(n).copied()));
            }
            _ => return None,
        }
    }
    None
}

pub(super) fn unknown(at: Span) -> Site {
    Site { event: Event::Unknown, at, name: "".into(), inside: None }
}
