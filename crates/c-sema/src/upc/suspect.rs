//! Uses of shared objects that are allowed but hardly meant. Of private ones the C compiler warns, which does
//! not see shared ones as the program has them.

use crate::checker::Checker;
use crate::types::Len;
use base::{Code, Diagnostic};
use c_syntax::ast::{BinOp, ExprId, ExprKind, UnOp};

impl Checker<'_> {
    /// `if (a[0] = 3)`
    pub fn check_assigned_condition(&mut self, e: ExprId) {
        let ExprKind::Assign(None, target, _) = self.unit.exprs[e].kind else { return };
        if self.out.types.is_shared(self.out.ty(target)) {
            self.report(
                Diagnostic::warning(Code::AssignedCondition, self.span(e), "an assignment is the condition")
                    .label("changes the object, and tests what it was given")
                    .help("write `==` to compare, or parentheses around the assignment if it is meant"),
            );
        }
    }

    /// An expression statement that does no more than read shared objects, or compute with what it read.
    pub fn check_effect(&mut self, e: ExprId) {
        if self.reads_alone(e) == Some(true) {
            self.out.suspect.insert(e);
            self.report(
                Diagnostic::warning(Code::NoEffect, self.span(e), "a statement without effect")
                    .label("the value is not used")
                    .help("assign the value, or write `(void)` before it if it shall be read"),
            );
        }
    }

    /// Whether an expression without effects reads a shared object; none if it may have effects. A strict or
    /// volatile read is one.
    fn reads_alone(&self, e: ExprId) -> Option<bool> {
        let types = &self.out.types;
        let quals = types.object_quals(self.out.ty(e));
        let strict = quals.is_strict || (!quals.is_relaxed && self.unit.strict_at(self.span(e).lo));
        let shared = quals.shared.is_some() && types.is_scalar(self.out.ty(e));
        if quals.is_volatile || (shared && strict) {
            return None;
        }
        match &self.unit.exprs[e].kind {
            ExprKind::Ident(_) => Some(shared),
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => Some(false),
            &ExprKind::Paren(a) => self.reads_alone(a),
            ExprKind::Member { base, .. } => Some(self.reads_alone(*base)? || shared),
            &ExprKind::Unary(UnOp::Deref | UnOp::Minus | UnOp::Plus | UnOp::BitNot | UnOp::Not, a) => {
                Some(self.reads_alone(a)? || shared)
            }
            &ExprKind::Binary(op, a, b) if !matches!(op, BinOp::And | BinOp::Or | BinOp::Comma) => {
                Some(self.reads_alone(a)? | self.reads_alone(b)?)
            }
            &ExprKind::Index(a, b) => Some(self.reads_alone(a)? | self.reads_alone(b)? | shared),
            _ => None,
        }
    }

    /// A constant index outside of a shared array of known length. One behind the last is an address.
    pub fn check_index_range(&mut self, e: ExprId, array: ExprId, index: ExprId) {
        let ty = self.out.ty(array);
        let Some((_, Len::Const(length))) = self.out.types.as_array(ty) else { return };
        let Some(value) = self.value(index).filter(|_| self.out.types.is_shared(ty)) else { return };
        let end = i128::from(length);
        let outside = value < 0 || value > end || (value == end && self.addressed != Some(e));
        // Old programs have a last member of one element, or none, for more.
        let open =
            length <= 1 && matches!(self.unit.exprs[self.unit.bare(array)].kind, ExprKind::Member { .. });
        if outside && !open {
            let message = format!("index {value} is outside of the array, which has {length} elements");
            let d = Diagnostic::warning(Code::OutsideArray, self.span(index), message);
            self.report(d.label(format!("is not in 0 to {}", end - 1)));
        }
    }
}
