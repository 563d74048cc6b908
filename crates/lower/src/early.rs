//! Arithmetic that is evaluated ahead of the program, on values that need not be the program's
//! ([`opt::Tree::is_early`]): by macros that are defined for all operands (`meridian/abi/early.h`).

use crate::Lower;
use crate::program::Program;
use c_sema::types::Ty;
use c_syntax::ast::*;
use emit::build::assign;
use emit::{Piece, call, seq};
use opt::early::compares_quietly;

/// An operation that C does not define for all operands, or that may trap.
pub(crate) struct Arithmetic {
    /// The macro in its place.
    how: &'static str,
    a: ExprId,
    /// `None` is 1.
    b: Option<ExprId>,
    /// The use of the result.
    then: Then,
}

/// The use of an operation's result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Value,
    /// The result is assigned to the first operand.
    Assigned,
    /// The result is assigned to the first operand, and the value is the operand's old one.
    Old,
}

impl Arithmetic {
    /// The operation if its value is not used.
    pub(crate) fn for_effect(self) -> Arithmetic {
        let then = if self.then == Then::Old { Then::Assigned } else { self.then };
        Arithmetic { then, ..self }
    }
}

impl Lower<'_> {
    /// The operation by its macro.
    pub(crate) fn by_early(&mut self, of: &Arithmetic) -> Piece {
        let a = self.converted(of.a).flat();
        if of.then == Then::Old {
            return call!["MER_EARLY_POST"; of.how, a];
        }
        let result = match of.b {
            Some(b) => call![of.how; a.clone(), self.converted(b).flat()],
            None if of.then == Then::Assigned => call![of.how; a.clone(), "1"],
            None => call![of.how; a.clone()],
        };
        if of.then == Then::Assigned { seq!["(", assign(a, result), ")"] } else { result }
    }
}

/// The operation that `e` is, if `e` is evaluated early.
pub(crate) fn early_arithmetic(program: &Program, e: ExprId) -> Option<Arithmetic> {
    if !program.tree.is_early(e) {
        return None;
    }
    let by = |step| if step == IncDec::Inc { BinOp::Add } else { BinOp::Sub };
    let (op, a, b, then) = match program.unit.exprs[e].kind {
        ExprKind::Binary(op, a, b) if compares_quietly(program.unit, program.typed, op, a, b) => {
            let how = match op {
                BinOp::Lt => "MER_EARLY_LESS",
                BinOp::Gt => "MER_EARLY_GREATER",
                BinOp::Le => "MER_EARLY_LESS_EQUAL",
                BinOp::Ge => "MER_EARLY_GREATER_EQUAL",
                BinOp::Eq => "MER_EARLY_EQUAL",
                _ => "MER_EARLY_UNEQUAL",
            };
            return Some(Arithmetic { how, a, b: Some(b), then: Then::Value });
        }
        ExprKind::Binary(op, a, b) => (op, a, Some(b), Then::Value),
        ExprKind::Assign(Some(op), a, b) => (op, a, Some(b), Then::Assigned),
        ExprKind::Pre(step, a) => (by(step), a, None, Then::Assigned),
        ExprKind::Post(step, a) => (by(step), a, None, Then::Old),
        ExprKind::Unary(UnOp::Minus, a) => {
            let integer = is_integer(program, a) && program.typed.constant(e).is_none();
            return integer.then_some(Arithmetic { how: "MER_EARLY_NEG", a, b: None, then: Then::Value });
        }
        _ => return None,
    };
    let how = match op {
        BinOp::Add => "MER_EARLY_ADD",
        BinOp::Sub => "MER_EARLY_SUB",
        BinOp::Mul => "MER_EARLY_MUL",
        BinOp::Div => "MER_EARLY_DIV",
        BinOp::Rem => "MER_EARLY_REM",
        BinOp::Shl => "MER_EARLY_SHL",
        BinOp::Shr => "MER_EARLY_SHR",
        _ => return None,
    };
    let integers = is_integer(program, a) && b.is_none_or(|b| is_integer(program, b));
    // The target of an assignment must be a variable, because it is named twice.
    let named =
        then == Then::Value || matches!(program.unit.exprs[program.unit.bare(a)].kind, ExprKind::Ident(_));
    (integers && named && program.typed.constant(e).is_none()).then_some(Arithmetic { how, a, b, then })
}

fn is_integer(program: &Program, e: ExprId) -> bool {
    matches!(program.typed.types.of(program.typed.ty(e)), Ty::Int(_) | Ty::Enum(_))
}
