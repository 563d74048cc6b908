//! Remarks on loops by the objects that a pass has found in them.

use crate::ir::pass_id::PassId;
use crate::ir::tree::{Remark, Tree};
use crate::ir::walk::each_loop;
use c_syntax::ast::*;
use c_syntax::visit::{Node as Any, each_expr};
use std::collections::HashSet;

/// Adds a remark, with the word `what` and the number of these objects, to each loop that has any.
pub(crate) fn remark_objects(tree: &mut Tree, pass: PassId, what: &str, objects: &HashSet<ExprId>) {
    each_loop(tree, &mut |tree, s, _| {
        let mut found = 0;
        each_expr(&tree.unit, Any::Stmt(s), |e| {
            found += usize::from(objects.contains(&e));
            true
        });
        let said = |r: &Remark| r.pass == pass && r.at == tree.unit.stmts[s].at.lo;
        if found > 0 && !tree.remarks.iter().any(said) {
            tree.remark(pass, s, Ok(format!("{what}: {found}")));
        }
        true
    });
}
