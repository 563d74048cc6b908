//! When waiting operators and flows are decided (`operators`, `flow`): as soon as their types are known, and
//! at the latest when a function is generalised.
//!
//! Those that still wait then are decided in rounds. Each round takes all of its kind, so that the order of
//! the text does not count: numbers that flow into each other; operators with a float; operators with an int;
//! and when none of these is left, operators of which nothing is known, and flows.

use super::Infer;
use super::waiting::Waits;
use crate::check::types::Ty;

impl Infer<'_> {
    /// Decides the waiting operators and flows that can be decided, and all that a generalisation to above
    /// `level` concerns. `functions`: the types of the functions that are generalised.
    pub(super) fn settle(&mut self, level: usize, functions: &[Ty]) {
        self.settle_known();
        while self.settle_numbers(level) || self.settle_operators(level, functions) {
            self.settle_known();
        }
        self.settle_flows(level);
        self.settle_known();
        while matches!(self.pending.all.last(), Some(None)) {
            self.pending.all.pop();
        }
    }

    /// Examines operators and flows again whose variables have been fixed.
    fn settle_known(&mut self) {
        while let Some(v) = self.typed.types.linked.pop() {
            let Some(mut waiting) = self.pending.by_var.remove(&v) else { continue };
            if let Ty::Var(w) = self.prune(&Ty::Var(v)) {
                let others = self.pending.by_var.entry(w).or_default();
                if others.len() < waiting.len() {
                    std::mem::swap(others, &mut waiting);
                }
                others.append(&mut waiting);
                continue;
            }
            for at in waiting {
                let left = match self.pending.take(at) {
                    Some(Waits::Operator(p)) => self.decide(p).map(Waits::Operator),
                    Some(Waits::Flow(flow)) => self.decide_flow(flow),
                    None => continue,
                };
                self.pending.all[at] = left;
            }
        }
    }
}
