//! Uses of shared objects that are allowed but hardly intended. For private objects the C compiler warns; it
//! does not see shared objects as they are written.

use crate::checker::Checker;
use crate::types::Len;
use base::{Code, Diagnostic};
use c_syntax::ast::{BinOp, ExprId, ExprKind, UnOp};
use std::fmt::{self, Display, Formatter};

impl Checker<'_> {
    /// Warns of `if (a[0] = 3)`.
    pub fn check_assigned_condition(&mut self, e: ExprId) {
        let ExprKind::Assign(None, target, _) = self.cx.unit.exprs[e].kind else { return };
        if self.cx.out.types.is_shared(self.cx.out.ty(target)) {
            self.cx.report(
                Diagnostic::warning(
                    Code::AssignedCondition,
                    self.cx.span(e),
                    "an assignment is the condition",
                )
                .label("changes the object, and tests what it was given")
                .help("write `==` to compare, or parentheses around the assignment if it is meant"),
            );
        }
    }

    /// Warns of an expression statement that only reads shared objects, or computes with them.
    pub fn check_effect(&mut self, e: ExprId) {
        if self.reads_alone(e) == Some(true) {
            self.cx.out.suspect.insert(e);
            self.cx.report(
                Diagnostic::warning(Code::NoEffect, self.cx.span(e), "a statement without effect")
                    .label("the value is not used")
                    .help("assign the value, or write `(void)` before it if it shall be read"),
            );
        }
    }

    /// Whether an expression without effects reads a shared object; `None` if it may have effects. A strict
    /// or volatile read is an effect.
    fn reads_alone(&self, e: ExprId) -> Option<bool> {
        let types = &self.cx.out.types;
        let quals = types.object_quals(self.cx.out.ty(e));
        let shared = quals.shared.is_some() && types.is_scalar(self.cx.out.ty(e));
        if quals.is_volatile || (shared && self.cx.out.is_strict(self.cx.unit, e)) {
            return None;
        }
        match &self.cx.unit.exprs[e].kind {
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

    /// Warns of a constant index that is outside of a shared array for every THREADS. The index and the
    /// length may each be a number and a multiple of THREADS. The element after the last one may only have
    /// its address taken.
    pub fn check_index_range(&mut self, e: ExprId, array: ExprId, index: ExprId) {
        let ty = self.cx.out.ty(array);
        let Some((_, length)) = self.cx.out.types.as_array(ty).filter(|_| self.cx.out.types.is_shared(ty))
        else {
            return;
        };
        let length = match length {
            Len::Const(n) => Linear { number: i128::from(n), threads: 0 },
            Len::Threads(n) => Linear { number: 0, threads: i128::from(n) },
            _ => return,
        };
        let Some(at) = self.linear(index) else { return };
        let behind = at.minus(length);
        let end = behind == Linear::default();
        let outside =
            at.is_negative() || (behind.is_positive_or_zero() && (!end || self.addressed != Some(e)));
        // Old programs declare a last member of one element, or none, and use more.
        let open = length.threads == 0
            && length.number <= 1
            && matches!(self.cx.unit.exprs[self.cx.unit.bare(array)].kind, ExprKind::Member { .. });
        if outside && !open {
            let message = format!("index {at} is outside of the array, which has {length} elements");
            let d = Diagnostic::warning(Code::OutsideArray, self.cx.span(index), message);
            self.cx.report(
                d.label(format!("is not in 0 to {}", length.minus(Linear { number: 1, threads: 0 }))),
            );
        }
    }

    /// The value of an expression as a number and a multiple of THREADS.
    fn linear(&self, e: ExprId) -> Option<Linear> {
        if let Some(number) = self.cx.value(e) {
            return Some(Linear { number, threads: 0 });
        }
        match self.cx.unit.exprs[e].kind {
            ExprKind::Paren(a) => self.linear(a),
            ExprKind::Threads => Some(Linear { number: 0, threads: 1 }),
            ExprKind::Unary(UnOp::Minus, a) => Some(Linear::default().minus(self.linear(a)?)),
            ExprKind::Binary(BinOp::Add, a, b) => {
                Some(self.linear(a)?.minus(Linear::default().minus(self.linear(b)?)))
            }
            ExprKind::Binary(BinOp::Sub, a, b) => Some(self.linear(a)?.minus(self.linear(b)?)),
            ExprKind::Binary(BinOp::Mul, a, b) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                let (by, of) = if a.threads == 0 { (a.number, b) } else { (b.number, a) };
                let product =
                    Linear { number: of.number.checked_mul(by)?, threads: of.threads.checked_mul(by)? };
                (a.threads == 0 || b.threads == 0).then_some(product)
            }
            _ => None,
        }
    }
}

/// `number + threads * THREADS`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Linear {
    number: i128,
    threads: i128,
}

impl Linear {
    fn minus(self, other: Linear) -> Linear {
        Linear {
            number: self.number.saturating_sub(other.number),
            threads: self.threads.saturating_sub(other.threads),
        }
    }

    /// Whether the value is below 0 for every THREADS from 1 on.
    fn is_negative(self) -> bool {
        self.threads <= 0 && self.number.saturating_add(self.threads) < 0
    }

    /// Whether the value is 0 or more for every THREADS from 1 on.
    fn is_positive_or_zero(self) -> bool {
        self.threads >= 0 && self.number.saturating_add(self.threads) >= 0
    }
}

impl Display for Linear {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.number, self.threads) {
            (number, 0) => write!(f, "{number}"),
            (number, threads) => {
                let times = if threads == 1 { String::new() } else { format!("{threads} * ") };
                write!(f, "{times}THREADS")?;
                match number {
                    0 => Ok(()),
                    n if n < 0 => write!(f, " - {}", n.unsigned_abs()),
                    n => write!(f, " + {n}"),
                }
            }
        }
    }
}
