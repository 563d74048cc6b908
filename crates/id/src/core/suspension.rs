//! Suspension points: the places of a C function that can wait, if the operations before them cannot be
//! repeated. The rest of the function after such a point is a code-block (tam/plan/function.rs).

use crate::core::language::*;
use crate::stack::with_stack;

/// The number of suspension points of an operation. `clean`: whether all operations before it can be
/// repeated; set to whether all can, including this one.
pub fn operation_points(op: &Op, clean: &mut bool) -> usize {
    match op {
        Op::Field { mode: Mode::I, .. } | Op::Fetch { mode: Mode::I, .. } | Op::Bound { .. } => {
            usize::from(!*clean)
        }
        Op::Field { .. } | Op::Fetch { .. } | Op::Call { .. } | Op::Apply { .. } => {
            *clean = false;
            1
        }
        Op::If { then, other, .. } => with_stack(|| {
            let mut second = *clean;
            let count = block_points(then, clean) + block_points(other, &mut second);
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

/// The number of suspension points of a block whose bindings are in order; `clean` as for an operation.
pub fn block_points(block: &Block, clean: &mut bool) -> usize {
    block.binds.iter().map(|b| operation_points(&b.op, clean)).sum()
}
