//! `sizeof`, `_Alignof`, and UPC's three operators on shared types (UPC 6.4.1).

use crate::context::Context;
use crate::types::{Block, Len, QTy, Ty};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{ExprId, SizeOp};

/// The type of a size operator applied to an operand of type `ty` at `at`.
pub(crate) fn sizeof(cx: &mut Context, e: ExprId, op: SizeOp, ty: QTy, at: Span) -> QTy {
    let size_t = QTy::plain(cx.basic.size);
    if cx.out.types.is_error(ty) {
        return size_t;
    }
    if matches!(op, SizeOp::UpcLocalsizeof | SizeOp::UpcBlocksizeof | SizeOp::UpcElemsizeof)
        && !cx.out.types.is_shared(ty)
    {
        not_shared(cx, op, ty, at);
        return size_t;
    }
    if !sizeable(cx, op, ty, at) {
        return size_t;
    }
    let value = match op {
        SizeOp::Sizeof => cx.out.types.size_of(ty).filter(|_| !cx.out.types.is_variable(ty)),
        SizeOp::Alignof => cx.out.types.align_of(ty),
        SizeOp::UpcLocalsizeof => local_size(cx, ty),
        SizeOp::UpcBlocksizeof => match cx.out.types.block(ty) {
            Some(Block::Size(n)) => Some(n),
            _ => Some(0),
        },
        SizeOp::UpcElemsizeof => {
            let elem = cx.out.types.element(ty);
            cx.out.types.size_of(elem)
        }
    };
    if let Some(n) = value {
        cx.set_value(e, size_t, i128::from(n));
    }
    size_t
}

fn not_shared(cx: &mut Context, op: SizeOp, ty: QTy, at: Span) {
    let shown = cx.shown(ty);
    let mut d =
        Diagnostic::error(Code::NotShared, at, format!("`{}` of {shown}, which is not shared", name(op)))
            .label("must be shared-qualified");
    if cx.out.types.shared_pointee(ty).is_some() {
        d = d.help("the pointer itself is private: use the object that it points to, `*p`");
    } else {
        d = d.help("use `sizeof` for private objects");
    }
    cx.report(d);
}

/// Whether a type has a size. Incomplete types have none (C17 6.5.3.4); in GNU C, void and functions do.
fn sizeable(cx: &mut Context, op: SizeOp, ty: QTy, at: Span) -> bool {
    let types = &cx.out.types;
    let of_element = matches!(op, SizeOp::UpcBlocksizeof | SizeOp::UpcElemsizeof | SizeOp::Alignof);
    let open = types.as_array(ty).is_some_and(|(_, len)| len == Len::Incomplete);
    let incomplete = match types.of(ty) {
        Ty::Void | Ty::Function(_) => !matches!(op, SizeOp::Sizeof | SizeOp::Alignof),
        _ if open => !of_element,
        _ => !types.is_complete(ty),
    };
    if incomplete {
        let message = format!("`{}` of an incomplete type, {}", name(op), types.show_aka(ty));
        cx.error(Code::Incomplete, at, message, "its size is not known here");
    }
    !incomplete
}

/// Refuses the size of a bit-field, which has none of its own.
pub(crate) fn check_sizeof_bits(cx: &mut Context, op: SizeOp, x: ExprId) {
    if op != SizeOp::Alignof && cx.bit_field(x).is_some() {
        let message = format!("`{}` of a bit-field", name(op));
        cx.error(Code::BadOperands, cx.span(x), message, "is a bit-field");
    }
}

/// The most bytes with affinity to one thread: whole blocks, the same number on each thread. The ceilings
/// nest, so with a multiple of THREADS elements the number of threads cancels out.
fn local_size(cx: &Context, ty: QTy) -> Option<u64> {
    let types = &cx.out.types;
    let elem = types.size_of(types.element(ty))?;
    let (n, per_thread) = types.elements(ty)?;
    let count = match types.block(ty) {
        Some(Block::Size(b)) if types.is_array(ty) && b > 0 => {
            let turn =
                if per_thread { b } else { b.checked_mul(u64::from(cx.env.static_threads.unwrap_or(1)))? };
            n.div_ceil(turn).checked_mul(b)?
        }
        _ => n,
    };
    count.checked_mul(elem)
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
