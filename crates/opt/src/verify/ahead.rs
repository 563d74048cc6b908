//! Reading ahead in the verifier: a value that is taken from a buffer has been read into it, and waited for,
//! and nothing that orders accesses stands in between.
//!
//! [`Node::Start`] and [`Node::Hold`] fill a buffer. A [`Node::Wait`] for the same count comes after them and
//! before the first access that takes a value from the buffer. The innermost made loop around both goes in
//! parts: it does the iterations of one part after the reads of all of them. So the loop may have no strict
//! access, fence or barrier, and no call that could do one (UPC 5.1.2.3, B.3).
//!
//! [`Node::Start`]: crate::ir::tree::Node::Start
//! [`Node::Hold`]: crate::ir::tree::Node::Hold
//! [`Node::Wait`]: crate::ir::tree::Node::Wait

use super::{Fault, Walk, shown};
use crate::ir::tree::{Var, Waiting};
use rustc_hash::FxHashMap;

/// The reads in advance of a function, and the made loops around the place at hand.
#[derive(Default)]
pub(super) struct Ahead {
    buffers: FxHashMap<u32, Buffer>,
    loops: Vec<Around>,
    /// The number of loops that have begun.
    begun: u32,
    /// The number of nodes so far that order accesses.
    orders: u32,
}

/// A buffer that reads have been started into.
struct Buffer {
    /// The number of the variable that counts the reads.
    waiting: u32,
    waited: bool,
    /// The loops around the last start.
    loops: Vec<u32>,
}

/// A made loop that is open.
struct Around {
    number: u32,
    /// [`Ahead::orders`] when the loop began.
    orders: u32,
    /// The loop goes in parts.
    parts: bool,
}

impl Ahead {
    /// Whether there are made loops around the place at hand. Outside of them, nodes that order accesses do
    /// not count.
    pub(super) fn in_loops(&self) -> bool {
        !self.loops.is_empty()
    }
}

fn count(waiting: Waiting) -> u32 {
    match waiting {
        Waiting::Var(var) | Waiting::Of(var, _) => var.number,
    }
}

impl Walk<'_> {
    /// Notes that a read is started into a buffer.
    pub(super) fn started(&mut self, buffer: Var, waiting: Waiting) {
        let loops = self.ahead.loops.iter().map(|of| of.number).collect();
        let started = Buffer { waiting: count(waiting), waited: false, loops };
        self.ahead.buffers.insert(buffer.number, started);
    }

    /// Notes that reads are waited for.
    pub(super) fn waited(&mut self, waiting: Waiting) {
        let count = count(waiting);
        for buffer in self.ahead.buffers.values_mut().filter(|buffer| buffer.waiting == count) {
            buffer.waited = true;
        }
    }

    /// Checks an access that takes a value from a buffer.
    pub(super) fn taken(&mut self, buffer: Var) {
        let Some(held) = self.ahead.buffers.get(&buffer.number).filter(|held| held.waited) else {
            return self.broken(Fault::NotHeld, shown(buffer));
        };
        let both = held.loops.iter().zip(&self.ahead.loops).filter(|(a, b)| **a == b.number).count();
        if let Some(last) = both.checked_sub(1) {
            self.ahead.loops[last].parts = true;
        }
    }

    /// Notes that something orders accesses.
    pub(super) fn orders(&mut self) {
        self.ahead.orders += 1;
    }

    /// Walks over a made loop, and checks that nothing in it orders accesses if it goes in parts.
    pub(super) fn parted(&mut self, inner: impl FnOnce(&mut Self)) {
        self.ahead.begun += 1;
        let (number, orders) = (self.ahead.begun, self.ahead.orders);
        self.ahead.loops.push(Around { number, orders, parts: false });
        inner(self);
        if let Some(of) = self.ahead.loops.pop()
            && of.parts
            && self.ahead.orders > of.orders
        {
            self.broken(Fault::Ordered, String::new());
        }
    }
}
