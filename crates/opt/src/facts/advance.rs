//! Decides whether values and addresses of an iteration can be computed before it runs, and from which
//! operands.
//!
//! One rule, here, says which forms of expressions have the same value wherever they are evaluated: numbers
//! and addresses, operators except the comma and assignments, and calls of functions that depend on their
//! arguments alone. Facts about variables and objects in memory, and how branches and operations combine
//! them, differ: each analysis supplies its own ([`crate::facts::heads`], and the cuts of
//! [`crate::remote::prefetch`]).

use crate::facts::atomics;
use crate::facts::body::Body;
use crate::facts::functions::{self, Summary};
use c_sema::typed::SymKind;
use c_syntax::ast::*;

/// A fact about a value that is known before its iteration runs. The default is the fact about a value that
/// never changes.
pub(crate) trait Known: Copy + Default {
    /// Combines the facts about two operands.
    fn and(self, other: Self) -> Self;
}

impl Known for () {
    fn and(self, (): ()) {}
}

/// An analysis of the values in a loop's body. Each method returns `None` if the value or address cannot be
/// computed before its iteration runs.
pub(crate) trait Advance<'a> {
    /// The fact that the analysis finds.
    type Known: Known;

    /// The loop's body.
    fn body(&self) -> &'a Body<'a>;

    /// Analyses the value of a private variable.
    fn variable_of(&mut self, e: ExprId) -> Option<Self::Known>;

    /// Analyses the value of an object in memory.
    fn object_of(&mut self, e: ExprId) -> Option<Self::Known>;

    /// Analyses a value that is computed under a condition.
    fn branch_of(&mut self, condition: Self::Known, e: ExprId) -> Option<Self::Known>;

    /// Analyses the value of an atomic operation.
    fn atomic_of(&mut self, _: ExprId) -> Option<Self::Known> {
        None
    }

    /// Analyses the result of an operation or a call.
    fn operation_of(&mut self, _: ExprId, operands: Self::Known) -> Option<Self::Known> {
        Some(operands)
    }

    /// Analyses the address of an object, as a value.
    fn address_of(&mut self, _: ExprId, place: Self::Known) -> Option<Self::Known> {
        Some(place)
    }

    /// Analyses a value.
    fn value_of(&mut self, e: ExprId) -> Option<Self::Known> {
        let body = self.body();
        if body.typed.constant(e).is_some() && body.named_in_front(e, &[]) {
            return Some(Self::Known::default());
        }
        if body.is_array(e) {
            return self.place_of(e);
        }
        match body.unit.exprs[e].kind {
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.value_of(a),
            ExprKind::Cast(..) if !body.typed_in_front(e) => None,
            ExprKind::Cast(_, a)
            | ExprKind::Unary(UnOp::Plus | UnOp::Minus | UnOp::Not | UnOp::BitNot, a) => {
                let known = self.value_of(a)?;
                self.operation_of(e, known)
            }
            ExprKind::Unary(UnOp::Addr, place) => {
                let known = self.place_of(place)?;
                self.address_of(place, known)
            }
            ExprKind::Binary(op, a, b) if op != BinOp::Comma => {
                let first = self.value_of(a)?;
                let under = matches!(op, BinOp::And | BinOp::Or);
                let second = if under { self.branch_of(first, b)? } else { self.value_of(b)? };
                self.operation_of(e, first.and(second))
            }
            ExprKind::Cond(c, a, b) => {
                let condition = self.value_of(c)?;
                let mut known = condition;
                for e in a.into_iter().chain([b]) {
                    known = known.and(self.branch_of(condition, e)?);
                }
                self.operation_of(e, known)
            }
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => {
                Some(Self::Known::default())
            }
            ExprKind::Call(f, ref args) if functions::of_call(body.tree, f) == Summary::Arguments => {
                let mut known = Self::Known::default();
                for &a in args {
                    known = known.and(self.value_of(a)?);
                }
                self.operation_of(e, known)
            }
            ExprKind::Call(..) if atomics::object_of(body.tree, e).is_some() => self.atomic_of(e),
            ExprKind::Ident(_) if !body.typed.types.is_shared(body.typed.ty(e)) => self.variable_of(e),
            ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Unary(UnOp::Deref, _)
            | ExprKind::Member { .. } => self.object_of(e),
            _ => None,
        }
    }

    /// Analyses an address. The address is the same whenever it is computed, in its iteration or before, as
    /// long as its operands are.
    fn place_of(&mut self, e: ExprId) -> Option<Self::Known> {
        let body = self.body();
        match body.unit.exprs[e].kind {
            ExprKind::Ident(_) => {
                let sym = body.typed.symbol(e)?;
                let kept = !body.effects.assigned.contains(&sym);
                let known = match body.typed.sym(sym).kind {
                    // Assignments to external variables are among the writes of
                    // [`crate::facts::dependences`].
                    SymKind::Static { external: true, .. } => true,
                    SymKind::Static { .. } | SymKind::Auto | SymKind::Param => kept,
                    _ => false,
                };
                (known && body.in_front(sym)).then(Self::Known::default)
            }
            ExprKind::Paren(a) | ExprKind::Extension(a) => self.place_of(a),
            ExprKind::Index(a, b) => Some(self.value_of(a)?.and(self.value_of(b)?)),
            ExprKind::Unary(UnOp::Deref, p) => self.value_of(p),
            ExprKind::Member { base, arrow: true, .. } => self.value_of(base),
            ExprKind::Member { base, .. } => self.place_of(base),
            _ => None,
        }
    }
}
