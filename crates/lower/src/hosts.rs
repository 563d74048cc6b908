//! Loops written twice, for jobs on one host and for those that span several ([`opt::hosts`]).

use crate::{Changes, Lower};
use c_syntax::ast::*;
use emit::{Piece, seq, splice};

/// What is known of the memory of other threads, where an access is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hosts {
    /// Nothing yet: a loop may be written twice.
    Unknown,
    /// All of it is on this host.
    One,
    /// Some may lie on other hosts.
    Many,
}

impl Lower<'_> {
    /// The loop, if it is one that can be written twice and has accesses that would have to ask.
    pub(crate) fn twice(&mut self, s: StmtId, changes: &mut Changes) -> bool {
        // A loop with a plan of its own is shared out first.
        let planned = self.controlling == 0 && self.plans.forall.contains_key(&s);
        if self.hosts != Hosts::Unknown || planned || !self.plans.twice.contains(&s) {
            return false;
        }
        let span = self.unit.stmts[s].span;
        let text = self.for_both(|lower| {
            let mut inner = Changes::new();
            lower.stmt(s, &mut inner);
            splice(span, inner)
        });
        match text {
            // Nothing in it changes.
            Piece::Src(_) => {}
            text => changes.push((span, text)),
        }
        true
    }

    /// What `write` gives: once, if no access in it has to ask; else for each of the two cases.
    pub(crate) fn for_both(&mut self, mut write: impl FnMut(&mut Self) -> Piece) -> Piece {
        if self.hosts != Hosts::Unknown {
            return write(self);
        }
        let before = self.asked;
        let one = self.with_hosts(Hosts::One, &mut write);
        if self.asked == before {
            return one;
        }
        let many = self.with_hosts(Hosts::Many, &mut write);
        seq!["{ if (MER_HAS_REMOTE) { ", many, " } else { ", one, " } }"]
    }

    /// What `write` gives where that much is known of the hosts.
    pub(crate) fn with_hosts<T>(&mut self, hosts: Hosts, write: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.hosts, hosts);
        let text = write(self);
        self.hosts = outer;
        text
    }
}
