//! Attributes: their effects on a type (vectors, machine modes) and on its alignment, with `_Alignas`.

use crate::checker::Checker;
use crate::context::Context;
use crate::types::layout::Layouter;
use crate::types::{IntKind, QTy, Ty};
use c_syntax::ast::{Alignas, Alignment, Attr};

/// The largest alignment that an object file can express.
const MAX_ALIGN: i128 = 1 << 28;

/// Whether a list of attributes holds this one.
pub(super) fn has(attrs: &[Attr], name: &str) -> bool {
    attrs.iter().any(|a| a.name.strip_prefix("gnu::").unwrap_or(&a.name) == name)
}

impl Checker<'_> {
    /// The type that the attributes `vector_size` and `mode` make of `base`.
    pub fn with_type_attrs(&mut self, base: QTy, attrs: &[Attr]) -> QTy {
        let mut ty = base;
        for attr in attrs {
            match &*attr.name {
                "vector_size" | "ext_vector_type" | "neon_vector_type" | "neon_polyvector_type" => {
                    ty = self.vector(ty, attr);
                }
                "mode" => {
                    let word = attr.args.first().map_or("", |a| self.cx.text(a.0)).trim().trim_matches('_');
                    ty = machine_mode(&mut self.cx, ty, word);
                }
                "address_space" => ty = self.cx.unknown(),
                "aligned" => {
                    if let Some(&(_, Some(e))) = attr.args.first() {
                        self.constant(e, "an alignment");
                    }
                }
                _ => {}
            }
        }
        ty
    }

    fn vector(&mut self, elem: QTy, attr: &Attr) -> QTy {
        let count = attr.args.first().and_then(|&(_, e)| e);
        let count = count.and_then(|e| self.constant(e, "the size of a vector"));
        let size = self.cx.out.types.size_of(elem);
        let (Some(count), Some(size)) = (count.and_then(|n| u64::try_from(n).ok()), size) else {
            return self.cx.unknown();
        };
        if !self.cx.out.types.is_arithmetic(elem) {
            return self.cx.unknown();
        }
        let bytes = if &*attr.name == "vector_size" { count } else { count.saturating_mul(size) };
        let bare = self.cx.out.types.unqualified(elem);
        let vector = self.cx.out.types.intern(Ty::Vector(bare, bytes));
        QTy { ty: vector, quals: self.cx.out.types.strip(elem).quals }
    }

    /// The integer type that a `mode` attribute asks of an enum.
    pub fn mode_of(&mut self, attrs: &[Attr]) -> Option<IntKind> {
        let unsigned = self.cx.out.types.int(IntKind::UInt);
        let ty = self.with_type_attrs(unsigned, attrs);
        self.cx.out.types.int_kind(ty).filter(|_| ty != unsigned)
    }

    /// The alignment that `aligned` asks for.
    pub fn aligned(&mut self, attrs: &[Attr]) -> Option<u64> {
        let mut most = None;
        for attr in attrs.iter().filter(|a| matches!(&*a.name, "aligned" | "gnu::aligned")) {
            let asked = match attr.args.first() {
                None => Some(16),
                Some(&(_, Some(e))) => self.constant(e, "an alignment"),
                Some(_) => None,
            };
            let asked = asked.filter(|&n| n > 0 && n <= MAX_ALIGN).map(|n| n as u64);
            most = most.max(asked);
        }
        most
    }
}

fn machine_mode(cx: &mut Context, base: QTy, mode: &str) -> QTy {
    let unsigned = match cx.out.types.int_kind(base) {
        Some(kind) => kind.is_unsigned(true),
        None => return cx.unknown(),
    };
    let kind = match mode {
        "QI" | "byte" => IntKind::SChar,
        "HI" => IntKind::Short,
        "SI" => IntKind::Int,
        "DI" | "word" | "pointer" | "unwind_word" => IntKind::Long,
        "TI" => IntKind::Int128,
        _ => return cx.unknown(),
    };
    let kind = if unsigned { kind.to_unsigned() } else { kind };
    QTy { ty: cx.out.types.int(kind).ty, quals: base.quals }
}

/// The alignment that `_Alignas` asks for. If it is not known here, neither is the layout.
pub(crate) fn alignas(cx: &mut Context, list: &[Alignas], layout: &mut Layouter) -> Option<u64> {
    let mut most = None;
    for alignas in list {
        let asked = match alignas.of {
            Alignment::Expr(e) => cx.value(e).and_then(|n| u64::try_from(n).ok()),
            Alignment::Type(t) => cx.out.types.align_of(cx.out.type_name(t)),
        };
        match asked.filter(|&n| i128::from(n) <= MAX_ALIGN) {
            Some(n) => most = most.max(Some(n)),
            None => layout.forget(),
        }
    }
    most
}
