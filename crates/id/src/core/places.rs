//! Places of a C function where what is left of it has code of its own.

use crate::core::language::*;
use crate::stack::grown;

/// The places that can wait and where something has been done that cannot be done again: behind these what is
/// left has code of its own. `clean`: nothing has been done before.
pub fn places(op: &Op, clean: &mut bool) -> usize {
    match op {
        Op::Field { mode: Mode::I, .. } | Op::Fetch { mode: Mode::I, .. } | Op::Bound { .. } => {
            usize::from(!*clean)
        }
        Op::Field { .. } | Op::Fetch { .. } | Op::Call { .. } | Op::Apply { .. } => {
            *clean = false;
            1
        }
        Op::If { then, other, .. } => grown(|| {
            let mut second = *clean;
            let count = all_places(then, clean) + all_places(other, &mut second);
            *clean &= second;
            count
        }),
        Op::Store { .. } | Op::StoreField { .. } | Op::Io { .. } => {
            *clean = false;
            0
        }
        _ => 0,
    }
}

/// Those of a block whose bindings are in order.
pub fn all_places(block: &Block, clean: &mut bool) -> usize {
    block.binds.iter().map(|b| places(&b.op, clean)).sum()
}
