//! Patterns of communication, as each process's sequence of operations.
//!
//! A pattern is a function of the process, the number of processes and the step; it holds no state. `n` is
//! the number of processes throughout. A pattern among one process does nothing.

use crate::machine::Time;
use crate::program::Op;
use crate::topology::{number, place};

/// A pattern in which all processes take part.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Computing, of all processes or of one.
    Compute {
        /// The duration.
        time: Time,
        /// The one process that computes, or `None` for all.
        only: Option<u32>,
    },
    /// The root sends to each other process, one after another.
    BroadcastLinear {
        /// The sender.
        root: u32,
        /// The length of a message.
        bytes: u64,
    },
    /// A binomial tree: in round i the processes that have the message send it 2^i further.
    BroadcastBinomial {
        /// The sender.
        root: u32,
        /// The length of a message.
        bytes: u64,
    },
    /// The binomial tree backwards.
    Reduce {
        /// The receiver of the result.
        root: u32,
        /// The length of a message.
        bytes: u64,
    },
    /// All others send to the root, which receives in the order of arrival.
    Gather {
        /// The receiver.
        root: u32,
        /// The length of a message.
        bytes: u64,
    },
    /// Each process sends to every other, first to the next, and then receives.
    AllToAll {
        /// The length of a message.
        bytes: u64,
    },
    /// A message that goes around once, from process 0.
    Ring {
        /// The length of the message.
        bytes: u64,
    },
    /// Each process sends to the process that is `by` further, and receives.
    Shift {
        /// The distance.
        by: u32,
        /// The length of a message.
        bytes: u64,
    },
    /// A dissemination barrier: in round i each process sends to the process 2^i further.
    Barrier,
    /// Each process sends to its neighbours along each axis of a grid, and receives from them.
    Halo {
        /// The grid.
        sizes: [u32; 3],
        /// Whether the grid is a torus.
        torus: bool,
        /// The length of a message.
        bytes: u64,
    },
    /// Puts or gets to the `owners` next processes in rotation.
    Access {
        /// Puts rather than gets.
        put: bool,
        /// Whether the process waits for each.
        blocking: bool,
        /// The number of accesses.
        count: u32,
        /// The number of processes that they go to.
        owners: u32,
        /// The length of each.
        bytes: u64,
    },
    /// Waits for puts and gets.
    Sync,
}

impl Pattern {
    /// Returns the next operation of process `p` at `step`, and advances `step`; `None` at the end. The
    /// messages of the pattern have the tag `tag`, which is even, or `tag` + 1.
    pub fn next(&self, p: u32, n: u32, step: &mut u32, tag: u32) -> Option<Op> {
        let now = *step;
        *step += 1;
        if let Pattern::Halo { sizes, torus, bytes } = self {
            return halo(p, sizes, *torus, *bytes, step, tag);
        }
        if n == 1 && !matches!(self, Pattern::Compute { .. } | Pattern::Sync) {
            return None;
        }
        match *self {
            Pattern::Compute { time, only } => {
                (now == 0 && only.is_none_or(|only| only == p)).then_some(Op::Compute(time))
            }
            Pattern::BroadcastLinear { root, bytes } if p == root => {
                (now < n - 1).then(|| Op::Send { to: further(p, now + 1, n), bytes, tag })
            }
            Pattern::BroadcastLinear { root, .. } => {
                (now == 0).then_some(Op::Receive { from: Some(root), tag })
            }
            Pattern::BroadcastBinomial { root, bytes } => broadcast(p, n, root, bytes, now, tag),
            Pattern::Reduce { root, bytes } => reduce(p, n, root, bytes, now, tag),
            Pattern::Gather { root, .. } if p == root => {
                (now < n - 1).then_some(Op::Receive { from: None, tag })
            }
            Pattern::Gather { root, bytes } => (now == 0).then_some(Op::Send { to: root, bytes, tag }),
            Pattern::AllToAll { bytes } if now < n - 1 => {
                Some(Op::Send { to: further(p, now + 1, n), bytes, tag })
            }
            Pattern::AllToAll { .. } => {
                let from = now - (n - 1) + 1;
                (from < n).then(|| Op::Receive { from: Some(before(p, from, n)), tag })
            }
            Pattern::Ring { bytes } => match (now, p) {
                (0, 0) | (1, 1..) => Some(Op::Send { to: further(p, 1, n), bytes, tag }),
                (0, 1..) | (1, 0) => Some(Op::Receive { from: Some(before(p, 1, n)), tag }),
                _ => None,
            },
            Pattern::Shift { by, bytes } => match now {
                0 => Some(Op::Send { to: further(p, by % n, n), bytes, tag }),
                1 => Some(Op::Receive { from: Some(before(p, by % n, n)), tag }),
                _ => None,
            },
            Pattern::Barrier => {
                let far = 1u32.checked_shl(now / 2).filter(|far| *far < n)?;
                Some(match now % 2 {
                    0 => Op::Send { to: further(p, far, n), bytes: 1, tag },
                    _ => Op::Receive { from: Some(before(p, far, n)), tag },
                })
            }
            Pattern::Access { put, blocking, count, owners, bytes } => {
                let (i, wait) = if blocking { (now / 2, now % 2 == 1) } else { (now, false) };
                let other = further(p, 1 + i % owners.min(n - 1), n);
                (i < count).then_some(match (wait, put) {
                    (true, _) => Op::Sync,
                    (false, true) => Op::Put { to: other, bytes },
                    (false, false) => Op::Get { from: other, bytes },
                })
            }
            Pattern::Sync => (now == 0).then_some(Op::Sync),
            Pattern::Halo { .. } => unreachable!("it has returned above"),
        }
    }
}

/// The process `by` (below n) after p; `before` is the process `by` before p.
fn further(p: u32, by: u32, n: u32) -> u32 {
    if by < n - p { p + by } else { by - (n - p) }
}

fn before(p: u32, by: u32, n: u32) -> u32 {
    if by <= p { p - by } else { n - (by - p) }
}

/// The round of the binomial tree in which a process that is `v` further than the root gets its message,
/// plus 1; 0 for the root.
fn begins(v: u32) -> u32 {
    32 - v.leading_zeros()
}

fn broadcast(p: u32, n: u32, root: u32, bytes: u64, step: u32, tag: u32) -> Option<Op> {
    let v = before(p, root, n);
    let first = begins(v);
    if v > 0 && step == 0 {
        return Some(Op::Receive { from: Some(before(p, 1 << (first - 1), n)), tag });
    }
    let round = first + step - u32::from(v > 0);
    let far = 1u32.checked_shl(round).filter(|far| *far < n - v)?;
    Some(Op::Send { to: further(p, far, n), bytes, tag })
}

fn reduce(p: u32, n: u32, root: u32, bytes: u64, step: u32, tag: u32) -> Option<Op> {
    let v = before(p, root, n);
    let first = begins(v);
    // Children are v + 2^i < n for i from `first` on; those of the last rounds have the smallest trees.
    let children = (first..32).take_while(|i| 1u32 << i < n - v).count() as u32;
    if step < children {
        let far = 1 << (first + children - 1 - step);
        Some(Op::Receive { from: Some(further(p, far, n)), tag })
    } else {
        (v > 0 && step == children).then(|| Op::Send { to: before(p, 1 << (first - 1), n), bytes, tag })
    }
}

/// Steps 0 to 5 send along the axes, back and forth, and steps 6 to 11 receive.
fn halo(p: u32, sizes: &[u32; 3], torus: bool, bytes: u64, step: &mut u32, tag: u32) -> Option<Op> {
    let mut now = *step - 1;
    while now < 12 {
        let (axis, up) = (now as usize % 6 / 2, now % 2 == 1);
        // Messages that go up are received from below.
        let other = neighbour(p, sizes, torus, axis, up == (now < 6));
        if let Some(other) = other {
            *step = now + 1;
            return Some(match now {
                0..6 => Op::Send { to: other, bytes, tag: tag | u32::from(up) },
                _ => Op::Receive { from: Some(other), tag: tag | u32::from(up) },
            });
        }
        now += 1;
    }
    None
}

fn neighbour(p: u32, sizes: &[u32; 3], torus: bool, axis: usize, up: bool) -> Option<u32> {
    let (mut at, size) = (place(p, sizes), sizes[axis]);
    at[axis] = match (up, at[axis]) {
        _ if size == 1 => return None,
        (true, x) if x + 1 < size => x + 1,
        (false, x @ 1..) => x - 1,
        _ if !torus => return None,
        (true, _) => 0,
        (false, _) => size - 1,
    };
    Some(number(at, sizes))
}
