//! Types as C text.
//!
//! Pointers-to-shared become `mer_ptr` or, if they carry a phase, `mer_pptr`. Everything else is spelled as
//! the user would, by typedef name if there is one.

use crate::program::Program;
use c_sema::types::{Block, FnTy, Len, QTy, Quals, Ty, TyId};
use c_syntax::ast::{ExprId, RecordKind};

/// The representation of pointers to a shared type, and how they step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// All on one thread: as a C pointer.
    Indefinite,
    /// Block size 1.
    Cyclic,
    /// The number of elements in a block.
    Blocked(u64),
}

impl Layout {
    /// The layout of a block size.
    pub(crate) fn of(block: Block) -> Layout {
        match block {
            Block::Indefinite | Block::Star | Block::Size(0) => Layout::Indefinite,
            Block::Size(1) | Block::Spread => Layout::Cyclic,
            Block::Size(n) => Layout::Blocked(n),
        }
    }

    /// The block size as the standard's functions count it: 0 for indefinite.
    pub(crate) fn size(self) -> u64 {
        match self {
            Layout::Indefinite => 0,
            Layout::Cyclic => 1,
            Layout::Blocked(n) => n,
        }
    }
}

/// A number of elements: `count`, times THREADS if `threads`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) count: u64,
    pub(crate) threads: bool,
    /// Lengths known only at run time, which [`Program::length`] spells.
    pub(crate) lengths: [Option<ExprId>; MOST_LENGTHS],
}

/// The most dimensions of run-time length that a type may have.
pub(crate) const MOST_LENGTHS: usize = 6;

impl Count {
    pub(crate) const ONE: Count = Count { count: 1, threads: false, lengths: [None; MOST_LENGTHS] };

    /// The number, if it is known when compiling.
    pub(crate) fn constant(&self) -> Option<u64> {
        (!self.threads && self.lengths[0].is_none()).then_some(self.count)
    }
}

impl Program<'_> {
    /// Layout of the shared objects of this type.
    pub(crate) fn layout(&self, q: QTy) -> Layout {
        self.typed.types.object_quals(q).shared.map_or(Layout::Indefinite, Layout::of)
    }

    /// Whether this is a pointer-to-shared.
    pub(crate) fn is_pts(&self, q: QTy) -> bool {
        self.typed.types.shared_pointee(q).is_some()
    }

    /// Whether an object of this type holds a pointer-to-shared.
    pub(crate) fn holds_pts(&self, q: QTy) -> bool {
        let types = &self.typed.types;
        let q = types.element(q);
        let fields = types.as_record(q).map(|id| &types.record(id).fields);
        self.is_pts(q) || fields.is_some_and(|fields| fields.iter().any(|field| self.holds_pts(field.ty)))
    }

    /// Whether a pointer to this shared type carries a phase.
    pub(crate) fn wide_to(&self, pointee: QTy) -> bool {
        (matches!(self.typed.types.of(pointee), Ty::Void) && !self.everything())
            || matches!(self.layout(pointee), Layout::Blocked(_))
    }

    /// Whether this pointer-to-shared carries a phase.
    pub(crate) fn is_wide(&self, pointer: QTy) -> bool {
        self.typed.types.shared_pointee(pointer).is_some_and(|to| self.wide_to(to))
    }

    /// `mer_ptr` or `mer_pptr` for a pointer to this shared type, or, for debuggers, another name of the same
    /// type ([`crate::describe`]).
    pub(crate) fn pointer_type(&self, pointee: QTy) -> String {
        let plain = if self.wide_to(pointee) { "mer_pptr" } else { "mer_ptr" };
        self.described_pointer(plain, pointee).unwrap_or_else(|| plain.into())
    }

    /// The number of ultimate elements of a type: the product of the lengths of nested arrays.
    pub(crate) fn count(&self, q: QTy) -> Count {
        let types = &self.typed.types;
        match types.of(q) {
            _ if types.is_unit(q) => Count::ONE,
            Ty::Array(elem, len) => {
                let inner = self.count(*elem);
                match len {
                    Len::Const(n) => Count { count: inner.count.saturating_mul(*n), ..inner },
                    Len::Threads(n) => {
                        Count { count: inner.count.saturating_mul(*n), threads: true, ..inner }
                    }
                    Len::Runtime(e) => {
                        let mut lengths = inner.lengths;
                        if let Some(free) = lengths.iter_mut().find(|l| l.is_none()) {
                            *free = Some(*e);
                        }
                        Count { lengths, ..inner }
                    }
                    Len::Incomplete | Len::Variable => Count { count: 0, ..inner },
                }
            }
            _ => Count::ONE,
        }
    }

    /// A count as C.
    pub(crate) fn count_text(&self, count: Count) -> String {
        if let Some(count) = count.constant() {
            return count.to_string();
        }
        let mut text = format!("((mer_i64){}", count.count);
        if count.threads {
            text += " * MER_THREADS";
        }
        for &length in count.lengths.iter().flatten() {
            text += &format!(" * {}", self.length(length));
        }
        text + ")"
    }

    /// `sizeof(T)` of the ultimate element type; of void, 1.
    pub(crate) fn elem_size(&self, q: QTy) -> String {
        let elem = self.typed.types.element(q);
        match self.typed.types.of(elem) {
            Ty::Void => "1".into(),
            Ty::Function(_) => "1".into(),
            _ => format!("sizeof({})", self.type_text(elem)),
        }
    }

    /// A type without its top-level qualifiers, those of typedefs included, as a type name: the type of a
    /// value, to which can be assigned.
    pub(crate) fn type_text(&self, q: QTy) -> String {
        self.declare_text(QTy::plain(self.bare(q.ty)), String::new())
    }

    /// A type without those of its typedef names that qualify it. Other typedef names are kept: they may be
    /// its only name.
    pub(crate) fn bare(&self, ty: TyId) -> TyId {
        let types = &self.typed.types;
        match types.get(ty) {
            Ty::Named(_, under) if types.strip(QTy::plain(ty)).quals != Quals::default() => {
                self.bare(under.ty)
            }
            _ => ty,
        }
    }

    /// The type of a shared object for an access: of its qualifiers, only `volatile` counts.
    pub(crate) fn object_type(&self, q: QTy) -> String {
        let is_volatile = self.typed.types.object_quals(q).is_volatile;
        let quals = Quals { is_volatile, ..Quals::default() };
        self.declare_text(QTy { ty: self.bare(q.ty), quals }, String::new())
    }

    /// The bound of an array with this length.
    pub(crate) fn bound_text(&self, len: Len) -> String {
        match len {
            Len::Const(n) => n.to_string(),
            Len::Threads(n) if self.everything() => format!("{n} * MER_THREADS"),
            Len::Threads(n) => n.to_string(),
            Len::Runtime(e) => self.length(e),
            Len::Incomplete | Len::Variable => String::new(),
        }
    }

    /// A declaration of `inner` (a name, or nothing) with this type; `shared` is dropped.
    pub(crate) fn declare_text(&self, q: QTy, inner: String) -> String {
        let types = &self.typed.types;
        let quals = quals_text(q.quals);
        let based = |base: &str| {
            let space = if inner.is_empty() || inner.starts_with('[') { "" } else { " " };
            format!("{quals}{base}{space}{inner}")
        };
        match types.get(q.ty) {
            Ty::Named(name, under) => {
                if types.is_shared(*under) {
                    let quals = Quals { shared: None, ..q.quals.union(under.quals) };
                    return self.declare_text(QTy { ty: under.ty, quals }, inner);
                }
                based(name)
            }
            Ty::Pointer(to) if types.is_shared(*to) => based(&self.pointer_type(*to)),
            Ty::Pointer(to) => {
                let own = quals_text(q.quals);
                let star = format!("*{}{inner}", own);
                let grouped = match types.get(to.ty) {
                    Ty::Array(..) | Ty::Function(_) => format!("({star})"),
                    _ => star,
                };
                self.declare_text(*to, grouped)
            }
            Ty::Array(elem, len) => {
                let bound = self.bound_text(*len);
                let elem = QTy { ty: elem.ty, quals: elem.quals.union(q.quals) };
                self.declare_text(elem, format!("{inner}[{bound}]"))
            }
            Ty::Function(f) => self.declare_text(f.ret, format!("{inner}({})", self.parameters(f))),
            Ty::Vector(elem, bytes) => {
                based(&format!("__attribute__((vector_size({bytes}))) {}", self.type_text(*elem)))
            }
            Ty::Record(id) => {
                let record = types.record(*id);
                let word = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                based(&format!("{word} {}", record.tag))
            }
            Ty::Enum(id) => {
                let e = &types.enums[id.0 as usize];
                if e.anonymous { based(e.repr.spelling()) } else { based(&format!("enum {}", e.tag)) }
            }
            Ty::Void | Ty::Error => based("void"),
            Ty::Int(kind) => based(kind.spelling()),
            Ty::Float(kind) => based(&kind.spelling()),
            Ty::Complex(kind) => based(&format!("_Complex {}", kind.spelling())),
            Ty::ComplexInt(kind) => based(&format!("_Complex {}", kind.spelling())),
            Ty::VaList => based("__builtin_va_list"),
        }
    }

    /// The text between the parentheses of a function's declarator.
    fn parameters(&self, f: &FnTy) -> String {
        let mut params: Vec<String> = f.params.iter().map(|&p| self.declare_text(p, String::new())).collect();
        if f.variadic {
            params.push("...".into());
        }
        if params.is_empty() && !f.old_style {
            params.push("void".into());
        }
        params.join(", ")
    }
}

/// Qualifiers that C knows, each followed by a blank.
fn quals_text(q: Quals) -> String {
    let mut out = String::new();
    for (set, word) in [
        (q.is_const, "const "),
        (q.is_volatile, "volatile "),
        (q.is_restrict, "restrict "),
        (q.is_atomic, "_Atomic "),
    ] {
        if set {
            out.push_str(word);
        }
    }
    out
}
