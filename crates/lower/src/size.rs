//! sizeof, upc_localsizeof, upc_blocksizeof, upc_elemsizeof (UPC 6.4.1).

use crate::Lower;
use c_sema::types::{QTy, Ty};
use c_syntax::ast::*;
use emit::{Piece, seq};

impl Lower<'_> {
    /// `op e`.
    pub(crate) fn sizeof_expr(&mut self, e: ExprId, op: SizeOp, operand: ExprId) -> Piece {
        let q = self.typed.ty(operand);
        if self.typed.types.is_shared(q) || !matches!(op, SizeOp::Sizeof | SizeOp::Alignof) {
            return self.size_of_shared(op, q);
        }
        if matches!(self.typed.types.of(q), Ty::Array(..)) {
            // A private array keeps its name, so that variable lengths do not change.
            let mut changes = Vec::new();
            self.change_value(operand, &mut changes);
            return emit::splice(self.span(e), changes);
        }
        Piece::text(format!("{}({})", word(op), self.type_text(q)))
    }

    /// `op (type)`.
    pub(crate) fn sizeof_type(&mut self, e: ExprId, op: SizeOp, t: TypeNameId) -> Piece {
        let q = self.typed.type_name(t);
        if self.typed.types.is_shared(q) || !matches!(op, SizeOp::Sizeof | SizeOp::Alignof) {
            let size = self.size_of_shared(op, q);
            return match self.defined_by(t) {
                Some(none) => seq!["(", none, " + ", size, ")"],
                None => size,
            };
        }
        let mut changes = Vec::new();
        self.change_type_name(t, &mut changes);
        emit::splice(self.span(e), changes)
    }

    fn size_of_shared(&mut self, op: SizeOp, q: QTy) -> Piece {
        let elem = self.elem_size(q);
        Piece::text(match op {
            SizeOp::Sizeof => format!("((__SIZE_TYPE__){} * {elem})", self.count_text(self.count(q))),
            SizeOp::Alignof => format!("_Alignof({})", self.type_text(self.typed.types.element(q))),
            SizeOp::UpcLocalsizeof => format!("((__SIZE_TYPE__){} * {elem})", self.part(q).unwrap_or(1)),
            SizeOp::UpcBlocksizeof => format!("((__SIZE_TYPE__){})", self.layout(q).size()),
            SizeOp::UpcElemsizeof => format!("((__SIZE_TYPE__){elem})"),
        })
    }
}

fn word(op: SizeOp) -> &'static str {
    if op == SizeOp::Alignof { "_Alignof" } else { "sizeof" }
}
