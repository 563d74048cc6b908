//! sizeof, upc_localsizeof, upc_blocksizeof, upc_elemsizeof (UPC 6.4.1).

use crate::Lower;
use crate::program::Program;
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq};

impl Lower<'_> {
    /// `op e`.
    pub(crate) fn sizeof_expr(&mut self, e: ExprId, op: SizeOp, operand: ExprId) -> Piece {
        let q = self.program.typed.ty(operand);
        if self.program.typed.types.is_shared(q) || !matches!(op, SizeOp::Sizeof | SizeOp::Alignof) {
            return size_of_shared(self.program, op, q);
        }
        if matches!(self.program.typed.types.of(q), Ty::Array(..)) {
            // A private array keeps its name, so that variable lengths do not change.
            let mut changes = Vec::new();
            self.edit(&mut changes).value(operand);
            return emit::splice(self.program.span(e), changes);
        }
        Piece::text(format!("{}({})", word(op), self.program.type_text(q)))
    }

    /// `op (type)`.
    pub(crate) fn sizeof_type(&mut self, e: ExprId, op: SizeOp, t: TypeNameId) -> Piece {
        let q = self.program.typed.type_name(t);
        if self.program.typed.types.is_shared(q) || !matches!(op, SizeOp::Sizeof | SizeOp::Alignof) {
            let size = size_of_shared(self.program, op, q);
            return match self.defined_by(t) {
                Some(none) => seq!["(", none, " + ", size, ")"],
                None => size,
            };
        }
        let mut changes = Vec::new();
        self.edit(&mut changes).type_name(t);
        emit::splice(self.program.span(e), changes)
    }
}

fn size_of_shared(program: &Program, op: SizeOp, q: QTy) -> Piece {
    let elem = program.elem_size(q);
    Piece::text(match op {
        SizeOp::Sizeof => format!("((__SIZE_TYPE__){} * {elem})", program.count_text(program.count(q))),
        SizeOp::Alignof => format!("_Alignof({})", program.type_text(program.typed.types.element(q))),
        SizeOp::UpcLocalsizeof => format!("((__SIZE_TYPE__){} * {elem})", program.part(q).unwrap_or(1)),
        SizeOp::UpcBlocksizeof => format!("((__SIZE_TYPE__){})", program.layout(q).size()),
        SizeOp::UpcElemsizeof => format!("((__SIZE_TYPE__){elem})"),
    })
}

fn word(op: SizeOp) -> &'static str {
    if op == SizeOp::Alignof { "_Alignof" } else { "sizeof" }
}
