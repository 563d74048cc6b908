//! The critical path: the components of the time of a process, or of a message.
//!
//! A process carries the sums over the longest chain of dependences that ends at its present time. A message
//! carries a copy of its sender's sums; a process that has waited for a message continues with the message's.
//! So the sums of the process that ends last are those of the critical path, in memory that does not grow
//! with the run. The chain's links (who waited for whom) are kept too, up to `LINKS` of them.

use crate::machine::Time;

/// The components of a chain of dependences. The rest of the time at its end is latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Computing.
    pub compute: Time,
    /// o
    pub overhead: Time,
    /// Waiting for the end of the processor's, the receiver's or the server's gap.
    pub gap: Time,
    /// (k - 1)G
    pub transfer: Time,
    /// The number of messages.
    pub messages: u32,
    /// The number of the last link, or 0 if there is none.
    pub link: u32,
}

impl Path {
    /// The sum of L over all messages, for a chain that ends at `end`.
    pub fn latency(&self, end: Time) -> Time {
        end - self.compute - self.overhead - self.gap - self.transfer
    }
}

/// A process's wait for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The number of the previous link, in the chain of the sender, or 0 if there is none.
    pub before: u32,
    /// The sender.
    pub from: u32,
    /// The process that waited.
    pub to: u32,
    /// The time at which the message arrived.
    pub at: Time,
}

/// The most links that are kept: 384 MB.
const LINKS: usize = 1 << 24;

/// The links of all chains.
#[derive(Debug, Default)]
pub struct Links {
    all: Vec<Link>,
    /// Whether there were more than `LINKS`.
    full: bool,
}

impl Links {
    /// Keeps a link, and returns its number, or 0 if there are `LINKS` already.
    pub fn add(&mut self, link: Link) -> u32 {
        if self.all.len() >= LINKS {
            self.full = true;
            return 0;
        }
        self.all.push(link);
        self.all.len() as u32
    }

    /// The links of the chain that ends with link `last`, in order of time; `None` if some were not kept.
    pub fn chain(&self, last: u32) -> Option<Vec<Link>> {
        if self.full {
            return None;
        }
        let mut chain = Vec::new();
        let mut number = last;
        while number > 0 {
            let link = self.all[number as usize - 1];
            chain.push(link);
            number = link.before;
        }
        chain.reverse();
        Some(chain)
    }
}
