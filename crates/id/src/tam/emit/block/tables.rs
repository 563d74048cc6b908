//! The tables of a code-block, which the runtime reads: entry counts, which parameters are late, inlets and
//! the threads that they enable; and the descriptor that points to them.

use super::Code;
use crate::tam::c::{Count, Declaration, Expr, Item, Name, Type};
use crate::tam::threads::Wait;
use std::collections::BTreeMap;

impl Code<'_, '_> {
    /// Returns the tables, and adds the descriptor to the emitter's.
    pub(super) fn tables(&mut self) -> [Item; 4] {
        let (n, late) = (self.plan.number, &self.plan.late);
        let mut targets = Vec::new();
        let entry = self.add_targets(None, &mut targets);
        let inlets = self.inlet_list(&mut targets);
        let counts = self.plan.threads.counts.iter().map(|c| (*c).into()).collect();
        let lates = late.iter().map(|l| usize::from(*l).into()).collect();
        let zeros = |n: usize| Expr::List(vec![0.into(); n]);
        let tables = [
            table("static const uint16_t", Name::Nth("counts", n), counts, 0.into()),
            table("static const uint8_t", Name::Nth("late", n), lates, 0.into()),
            table("static const struct tam_inlet", Name::Nth("inlets", n), inlets, zeros(3)),
            table("static const struct tam_target", Name::Nth("targets", n), targets, zeros(2)),
        ];
        let late = late.iter().filter(|l| **l).count();
        let descriptor = self.descriptor(late, entry);
        self.e.descriptors.push(descriptor);
        tables
    }

    /// Adds the threads that wait for a source. Returns the index of the first in the table, and their
    /// number.
    fn add_targets(&self, wait: Option<Wait>, targets: &mut Vec<Expr>) -> (usize, usize) {
        let first = targets.len();
        for (thread, counter) in self.targets(wait) {
            targets.push(Expr::List(vec![thread.into(), or_none(counter)]));
        }
        (first, targets.len() - first)
    }

    /// By inlet: the slot, and the threads that it enables.
    fn inlet_list(&self, targets: &mut Vec<Expr>) -> Vec<Expr> {
        let mut inlets: BTreeMap<usize, Vec<Expr>> =
            (0..self.params).map(|p| (p, vec![p.into(), 0.into(), 0.into()])).collect();
        for (e, event) in self.plan.graph.events.iter().enumerate() {
            let Some(&inlet) = self.inlets.get(&e) else { continue };
            let slot = event.var.and_then(|v| self.slots.get(&v)).copied();
            let (first, count) = self.add_targets(Some(Wait::Event(e)), targets);
            inlets.insert(inlet, vec![or_none(slot), first.into(), count.into()]);
        }
        inlets.into_values().map(Expr::List).collect()
    }

    /// The descriptor without its last member. `late`: the number of late parameters; `entry`: the threads
    /// without sources.
    fn descriptor(&mut self, late: usize, entry: (usize, usize)) -> Vec<Expr> {
        let (n, shares) = (self.plan.number, self.e.plan.sharing(self.plan.func));
        let slots = self.slots.values().copied().max().map_or(0, |s| s + 1).max(self.params);
        let func = &self.e.plan.program.funcs[self.plan.func];
        let (name, io, results, span) = (func.name.clone(), usize::from(func.io), func.results, func.span);
        let (counters, threads) = (self.plan.threads.counts.len(), self.plan.threads.threads.len());
        let numbers =
            [n, self.e.site(span), self.params, late, results, slots, counters, threads, io, shares];
        let tables = ["late", "counts", "inlets", "targets"];
        let mut list = vec![Expr::Text(name.into_bytes())];
        list.extend(numbers.map(Expr::from));
        list.extend(tables.map(|stem| Name::Nth(stem, n).into()));
        list.push(Expr::List(vec!["TAM_NONE".into(), entry.0.into(), entry.1.into()]));
        list.push(Name::Nth("run", n).into());
        list
    }
}

fn or_none(n: Option<usize>) -> Expr {
    n.map_or("TAM_NONE".into(), Expr::from)
}

/// A table of these elements; `none`: its one element if the list is empty.
fn table(ty: Type, name: Name, mut list: Vec<Expr>, none: Expr) -> Item {
    if list.is_empty() {
        list.push(none);
    }
    Item::Declare(Declaration { ty, name, count: Count::Listed, value: Some(Expr::List(list)) })
}
