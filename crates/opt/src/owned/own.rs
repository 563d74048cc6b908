//! The thread's own elements: `a[MYTHREAD]`, `grid[MYTHREAD][j]`.
//!
//! Where the elements of a static array, or its rows, are dealt out one by one, the one with the thread's
//! number is its own, whatever THREADS is. So it is at a constant distance from the thread's part, without a
//! division, and no access to it asks whether it is remote. A loop all of whose accesses are such needs no
//! version for several hosts.
//!
//! *Why it is allowed.* Element n of an array with block size 1 is thread n mod THREADS's (UPC 6.4.1), and so
//! is row n where a block is a row. A subscript inside of the row stays in it (C 6.5.6). What is known here
//! is where the object lies; the access itself and its order stay those of the program.
//!
//! *What it becomes.* The element is [`Access::Own`].

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
