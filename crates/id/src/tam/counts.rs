//! The counters of `runtime/include/meridian/abi/tam_counts.h` that an operation raises, and by how much.

use crate::core::language::{Op, Prim};
use crate::tam::graph::Act;

/// The counter of a node of a thread. Calls and forks depend on the run, and are counted where their outcome
/// is known.
pub fn of_node(act: &Act) -> Option<&'static str> {
    match act {
        Act::Prim(p) => of_prim(*p),
        Act::Make { .. } | Act::Closure { .. } | Act::Alloc { .. } => Some("ALLOCATE"),
        Act::Fill { .. } => Some("FILL"),
        Act::Field { .. } | Act::Fetch { .. } => Some("FETCH"),
        Act::Bound { .. } => Some("BOUND"),
        Act::StoreField { .. } | Act::Store { .. } => Some("STORE"),
        Act::SendArg { .. } | Act::Apply { .. } | Act::Return { .. } => Some("SEND"),
        Act::Switch => Some("SWITCH"),
        Act::Io(_) => Some("IO"),
        Act::Call { .. } | Act::Write { .. } | Act::Fail { .. } | Act::Stuck => None,
    }
}

/// The counters of an operation that a C function has completed, and by how much each is raised.
pub fn of_operation(op: &Op) -> Vec<(&'static str, usize)> {
    let one = |name| vec![(name, 1)];
    match op {
        Op::Prim(p, _) => of_prim(*p).map_or(Vec::new(), one),
        Op::Make { fields, .. } => vec![("ALLOCATE", 1), ("FILL", fields.len())],
        Op::Closure { args, .. } => vec![("ALLOCATE", 1), ("FILL", args.len())],
        Op::Alloc { .. } => one("ALLOCATE"),
        Op::Field { .. } | Op::Fetch { .. } => one("FETCH"),
        Op::Bound { .. } => one("BOUND"),
        Op::StoreField { .. } | Op::Store { .. } => one("STORE"),
        Op::Call { .. } | Op::Apply { .. } => one("CALL"),
        Op::If { .. } => one("SWITCH"),
        Op::Io { .. } => one("IO"),
        Op::Copy(_) | Op::Fail { .. } => Vec::new(),
    }
}

fn of_prim(p: Prim) -> Option<&'static str> {
    use Prim::*;
    match p {
        After => None,
        EqF | NeF | LtF | LeF | Fix | Floor | Ceiling | Round => Some("FLOAT"),
        p if p.gives_float() => Some("FLOAT"),
        _ => Some("INTEGER"),
    }
}
