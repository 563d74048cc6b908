//! `sizeof`, `_Alignof`, and UPC's three operators on shared types (UPC 6.4.1).

use crate::checker::Checker;
use crate::types::{Block, Len, QTy, Ty};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{ExprId, SizeOp};

impl Checker<'_> {
    /// The type of a size operator applied to an operand of type `ty` at `at`.
    pub fn sizeof(&mut self, e: ExprId, op: SizeOp, ty: QTy, at: Span) -> QTy {
        let size_t = QTy::plain(self.cx.basic.size);
        if self.cx.out.types.is_error(ty) {
            return size_t;
        }
        if matches!(op, SizeOp::UpcLocalsizeof | SizeOp::UpcBlocksizeof | SizeOp::UpcElemsizeof)
            && !self.cx.out.types.is_shared(ty)
        {
            self.not_shared(op, ty, at);
            return size_t;
        }
        if !self.sizeable(op, ty, at) {
            return size_t;
        }
        let value = match op {
            SizeOp::Sizeof => self.cx.out.types.size_of(ty).filter(|_| !self.cx.out.types.is_variable(ty)),
            SizeOp::Alignof => self.cx.out.types.align_of(ty),
            SizeOp::UpcLocalsizeof => self.local_size(ty),
            SizeOp::UpcBlocksizeof => match self.cx.out.types.block(ty) {
                Some(Block::Size(n)) => Some(n),
                _ => Some(0),
            },
            SizeOp::UpcElemsizeof => {
                let elem = self.cx.out.types.element(ty);
                self.cx.out.types.size_of(elem)
            }
        };
        if let Some(n) = value {
            self.cx.set_value(e, size_t, i128::from(n));
        }
        size_t
    }

    fn not_shared(&mut self, op: SizeOp, ty: QTy, at: Span) {
        let shown = self.cx.shown(ty);
        let mut d =
            Diagnostic::error(Code::NotShared, at, format!("`{}` of {shown}, which is not shared", name(op)))
                .label("must be shared-qualified");
        if self.cx.out.types.shared_pointee(ty).is_some() {
            d = d.help("the pointer itself is private: apply it to what it points to, `*p`");
        } else {
            d = d.help("use `sizeof` for private objects");
        }
        self.cx.report(d);
    }

    /// Whether a type has a size. Incomplete types have none (C17 6.5.3.4); in GNU C, void and functions do.
    fn sizeable(&mut self, op: SizeOp, ty: QTy, at: Span) -> bool {
        let types = &self.cx.out.types;
        let of_element = matches!(op, SizeOp::UpcBlocksizeof | SizeOp::UpcElemsizeof | SizeOp::Alignof);
        let open = types.as_array(ty).is_some_and(|(_, len)| len == Len::Incomplete);
        let incomplete = match types.of(ty) {
            Ty::Void | Ty::Function(_) => !matches!(op, SizeOp::Sizeof | SizeOp::Alignof),
            _ if open => !of_element,
            _ => !types.is_complete(ty),
        };
        if incomplete {
            let message = format!("`{}` of an incomplete type, {}", name(op), types.show_aka(ty));
            self.cx.error(Code::Incomplete, at, message, "its size is not known here");
        }
        !incomplete
    }

    /// Refuses the size of a bit-field, which has none of its own.
    pub fn check_sizeof_bits(&mut self, op: SizeOp, x: ExprId) {
        if op != SizeOp::Alignof && self.cx.bit_field(x).is_some() {
            let message = format!("`{}` of a bit-field", name(op));
            self.cx.error(Code::BadOperands, self.cx.span(x), message, "is a bit-field");
        }
    }

    /// The most bytes with affinity to one thread: whole blocks, the same number on each thread. The ceilings
    /// nest, so with a multiple of THREADS elements the number of threads cancels out.
    fn local_size(&self, ty: QTy) -> Option<u64> {
        let types = &self.cx.out.types;
        let elem = types.size_of(types.element(ty))?;
        let (n, per_thread) = types.elements(ty)?;
        let count = match types.block(ty) {
            Some(Block::Size(b)) if types.is_array(ty) && b > 0 => {
                let turn = if per_thread {
                    b
                } else {
                    b.checked_mul(u64::from(self.cx.env.static_threads.unwrap_or(1)))?
                };
                n.div_ceil(turn).checked_mul(b)?
            }
            _ => n,
        };
        count.checked_mul(elem)
    }
}

impl crate::types::Types {
    /// Whether some length inside this array is not a constant.
    pub fn is_variable(&self, q: QTy) -> bool {
        match self.of(q) {
            Ty::Array(elem, len) => {
                matches!(len, Len::Variable | Len::Threads(_) | Len::Runtime(_)) || self.is_variable(*elem)
            }
            _ => false,
        }
    }
}

fn name(op: SizeOp) -> &'static str {
    match op {
        SizeOp::Sizeof => "sizeof",
        SizeOp::Alignof => "_Alignof",
        SizeOp::UpcLocalsizeof => "upc_localsizeof",
        SizeOp::UpcBlocksizeof => "upc_blocksizeof",
        SizeOp::UpcElemsizeof => "upc_elemsizeof",
    }
}
