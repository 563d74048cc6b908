//! Optimisations of communication on the typed tree.
//!
//! Each file is one optimisation; it argues in its first lines why what it does is allowed, and finds out
//! from the tree where. What it found is a [`Plans`] that lowering follows. Nothing is rewritten here, and
//! lowering without a plan is always right, only slower: `-O0` passes an empty one.

mod affine;
pub mod ahead;
mod effects;
pub mod forall;
pub mod hosts;
mod reorder;
pub mod stores;
pub mod strided;
pub mod walk;

use c_sema::Typed;
use c_syntax::ast::{StmtId, Unit};
use std::collections::{HashMap, HashSet};

/// What the optimisations decided, by the node it is about.
#[derive(Debug, Default)]
pub struct Plans {
    /// Shared-out loops that run over a thread's own part by local pointers.
    pub forall: HashMap<StmtId, forall::Privatised>,
    /// Loops over a thread's own numbers.
    pub strided: HashMap<StmtId, strided::Strided>,
    /// Loops over the elements of several processors in turn.
    pub walk: HashMap<StmtId, walk::Walk>,
    /// Loops that count their signalling stores for themselves, and how many bytes each store has.
    pub stores: HashMap<StmtId, u64>,
    /// Loops that ask for what lies on other hosts before they need it.
    pub ahead: HashMap<StmtId, ahead::Ahead>,
    /// Loops that can be written twice, for one host and for several.
    pub twice: HashSet<StmtId>,
}

/// All optimisations, in order.
pub fn plan(unit: &Unit, typed: &Typed) -> Plans {
    let mut plans = Plans { twice: hosts::repeatable(unit, typed), ..Plans::default() };
    for id in unit.stmts.ids() {
        if let Some(plan) = forall::privatise(unit, typed, id) {
            if let Some(ahead) = ahead::privatised(unit, typed, id, &plan) {
                plans.ahead.insert(id, ahead);
            }
            plans.forall.insert(id, plan);
        }
        if let Some(size) = stores::counted(unit, typed, id) {
            plans.stores.insert(id, size);
        }
        if let Some(plan) = ahead::ahead(unit, typed, id) {
            plans.ahead.insert(id, plan);
        }
        if let Some(plan) = walk::walk(unit, typed, id) {
            plans.walk.insert(id, plan);
        } else if let Some(plan) = strided::strided(unit, typed, id) {
            plans.strided.insert(id, plan);
        }
    }
    plans
}
