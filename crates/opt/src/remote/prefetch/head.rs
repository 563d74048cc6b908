//! The head of a loop of the program's text: whether it can be evaluated before the iterations run.

use crate::facts::heads::Heads;
use crate::facts::shapes::{Condition, Shape, Step, Stride, mentions};
use crate::ir::reason::Reason;
use crate::ir::tree::Tree;
use c_syntax::ast::*;
use std::cell::RefCell;

/// The head of a loop of the program's text.
pub(super) struct Head {
    pub(super) step: Step,
    cond: ExprId,
    /// The comparison of its variable in its condition.
    compares: Option<Condition>,
    /// Reads of its condition that are to be done once, before the loop.
    pub(super) bounds: RefCell<Vec<ExprId>>,
}

impl Head {
    /// Returns the head of the loop `s` with this condition.
    pub(super) fn of(tree: &Tree, s: StmtId, cond: ExprId) -> Result<Head, Reason> {
        let Some(Shape { step: Some(step), condition, .. }) = tree.shape(s) else {
            return Err(Reason::StepUnknown);
        };
        let compares = condition.map(|(_, compares)| compares);
        Ok(Head { step, cond, compares, bounds: RefCell::default() })
    }

    /// Checks that the step and the condition can be evaluated before the iterations run, once the `bounds`,
    /// which this function sets, have been read.
    pub(super) fn is_known(&self, tree: &Tree, heads: &Heads) -> Result<(), Reason> {
        if let Stride::By(by) = self.step.by
            && (mentions(&tree.unit, &tree.typed, by, self.step.var) || !heads.steady(by))
        {
            return Err(Reason::StepChanges);
        }
        if !heads.steady(self.cond) && !self.rises(tree, heads) {
            self.bounds.replace(heads.bounds(self.cond).ok_or(Reason::ConditionChanges)?);
        }
        Ok(())
    }

    /// Returns true if the condition compares the variable with one that iterations only let grow: if it
    /// holds for an iteration in advance, it holds when that iteration runs.
    fn rises(&self, tree: &Tree, heads: &Heads) -> bool {
        let Some(Condition::Compare(BinOp::Lt | BinOp::Le, bound)) = self.compares else { return false };
        let types = &tree.typed.types;
        let same = types.of(tree.typed.ty(bound)) == types.of(tree.typed.sym(self.step.var).ty);
        same && heads.rises(bound)
    }
}
