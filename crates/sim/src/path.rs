//! The critical path: what the time of a process, or of a message, is made of.
//!
//! A process carries the sums of the longest chain of dependences that ends where it is. A message takes a
//! copy along; a process that has waited for it goes on with the message's. So the sums of the process that
//! ends last are those of the critical path, in memory that does not grow with the run. The chain's links
//! (who waited for whom) are kept too, up to `LINKS` of them.

use crate::machine::Time;

/// What a chain of dependences consists of. What is missing to the time at its end is latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Computing.
    pub compute: Time,
    /// o
    pub overhead: Time,
    /// Waiting until the processor's, the receiver's or the server's gap was over.
    pub gap: Time,
    /// (k - 1)G
    pub transfer: Time,
    /// How many messages.
    pub messages: u32,
    /// The last link, by its number; 0: none.
    pub link: u32,
}

impl Path {
    /// L of all messages, for a chain that ends at `end`.
    pub fn latency(&self, end: Time) -> Time {
        end - self.compute - self.overhead - self.gap - self.transfer
    }
}

/// That a process waited for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The link before it in the chain of the sender; 0: none.
    pub before: u32,
    /// Who sent, and when the message was there.
    pub from: u32,
    /// Who waited.
    pub to: u32,
    /// Until when.
    pub at: Time,
}

/// How many links are kept: 384 MB.
const LINKS: usize = 1 << 24;

/// The links of all chains.
#[derive(Debug, Default)]
pub struct Links {
    all: Vec<Link>,
    /// More came than there is memory for.
    full: bool,
}

impl Links {
    /// Keeps a link, and gives its number; 0 when there is no memory for more.
    pub fn add(&mut self, link: Link) -> u32 {
        if self.all.len() >= LINKS {
            self.full = true;
            return 0;
        }
        self.all.push(link);
        self.all.len() as u32
    }

    /// The links of the chain that ends with link `last`, the first first; `None` when some were not kept.
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
