//! The thread's own elements: `a[MYTHREAD]`, `grid[MYTHREAD][j]`.
//!
//! If the elements or rows of a static array are dealt out one by one, the one with the thread's number has
//! affinity to the thread, for each value of THREADS. So it is at a constant distance from the thread's part
//! of the array, without a division, and no access to it tests for remote memory. A loop with only such
//! accesses needs no version for several hosts.
//!
//! *Why it is allowed.* Element n of an array with block size 1 has affinity to thread n mod THREADS (UPC
//! 6.4.1), and so has row n if a block is a row. A subscript inside of the row stays in it (C 6.5.6). Only
//! the computation of the address changes; the access itself and its order stay those of the program.
//!
//! *Result.* The element is [`Access::Own`].

use crate::facts::ownership::is_mine;
use crate::ir::pass_id::PassId;
use crate::ir::tree::{Access, Tree};
use c_syntax::Language;
use c_syntax::ast::*;

/// The name of the pass.
pub(crate) const ID: PassId = PassId("own");

/// The optimisation.
pub(crate) fn run(tree: &mut Tree) {
    if !matches!(tree.typed.types.language, Language::Upc) {
        return;
    }
    let is_own = |&e: &ExprId| is_mine(tree, e) && !tree.is_left(tree.unit.exprs[e].at);
    let own: Vec<ExprId> = tree.unit.exprs.ids().filter(is_own).collect();
    crate::ir::remarks::remark_objects(tree, ID, "own elements", &own.iter().copied().collect());
    for e in own {
        tree.mark(e, Access::Own);
    }
}
