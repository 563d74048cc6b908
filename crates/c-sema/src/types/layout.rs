//! Sizes, alignments and the layout of structs: the System V ABI of x86-64, which arm64 shares for these.
//!
//! An unknown type has no size (`None`), and no constant is computed from it. A pointer-to-shared has 8
//! bytes, with a phase 16 (`abi.h`).

use super::{Field, Len, QTy, Ty, Types};
use c_syntax::ast::RecordKind;

impl Types {
    /// Bytes of an object of this type. `None` for incomplete types and lengths that are not constants. As in
    /// GNU C, void and functions have one byte.
    pub fn size_of(&self, q: QTy) -> Option<u64> {
        match self.of(q) {
            Ty::Error => None,
            Ty::Void | Ty::Function(_) => Some(1),
            Ty::Int(kind) => Some(kind.size()),
            Ty::Float(kind) => Some(kind.size()),
            Ty::Complex(kind) => Some(2 * kind.size()),
            Ty::ComplexInt(kind) => Some(2 * kind.size()),
            Ty::Pointer(to) if self.is_shared(*to) && self.has_phase(*to) => Some(16),
            Ty::Pointer(_) => Some(8),
            Ty::Array(elem, Len::Const(n)) => self.size_of(*elem)?.checked_mul(*n),
            Ty::Array(..) => None,
            Ty::Vector(_, bytes) => Some(*bytes),
            Ty::Record(id) => self.record(*id).size.filter(|_| self.record(*id).complete),
            Ty::Enum(id) => Some(self.enums[id.0 as usize].repr.size()),
            Ty::VaList => Some(if cfg!(target_arch = "x86_64") { 24 } else { 32 }),
            Ty::Named(..) => None,
        }
    }

    /// Alignment in bytes of an object of this type.
    pub fn align_of(&self, q: QTy) -> Option<u64> {
        let mut at = q;
        while let Ty::Named(_, under) = self.get(at.ty) {
            if let Some(&asked) = self.aligned.get(&at.ty) {
                return Some(asked);
            }
            at = *under;
        }
        match self.of(q) {
            Ty::Array(elem, _) => self.align_of(*elem),
            Ty::Record(id) => self.record(*id).size.map(|_| self.record(*id).align),
            Ty::Complex(kind) => Some(kind.size()),
            Ty::ComplexInt(kind) => Some(kind.size()),
            Ty::Pointer(_) | Ty::VaList => Some(8),
            _ => self.size_of(q),
        }
    }
}

/// The attributes of a member that affect its layout.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tweak {
    /// `packed`, on the member or its struct.
    pub packed: bool,
    /// `aligned(n)`, `_Alignas(n)`.
    pub align: Option<u64>,
    /// Under `#pragma pack(n)`: no alignment over n.
    pub at_most: Option<u64>,
}

/// Lays out the members of a struct or union, in order: sets their offsets, and computes size and alignment
/// of the whole, before attributes of the struct itself. The size is `None` if some member's size is not
/// known.
pub(crate) struct Layouter {
    kind: RecordKind,
    /// Next free bit of a struct; end of the largest member of a union.
    bits: u64,
    align: u64,
    known: bool,
}

impl Layouter {
    pub fn new(kind: RecordKind) -> Layouter {
        Layouter { kind, bits: 0, align: 1, known: true }
    }

    /// Places the next member and sets its offset.
    pub fn place(&mut self, types: &Types, field: &mut Field, tweak: Tweak) {
        let natural = types.align_of(field.ty);
        // A flexible array member adds only its alignment.
        let size = match types.of(field.ty) {
            Ty::Array(_, Len::Incomplete) => Some(0),
            _ => types.size_of(field.ty),
        };
        let (Some(natural), Some(size)) = (natural, size) else {
            self.known = false;
            field.offset = None;
            return;
        };
        // The effect of `#pragma pack` on a bit-field that also has attributes follows no rule worth
        // modelling.
        if field.width.is_some() && tweak.at_most.is_some() && (tweak.packed || tweak.align.is_some()) {
            self.known = false;
        }
        if self.kind == RecordKind::Union {
            return self.place_in_union(field, size, natural, tweak);
        }
        let mut align = if tweak.packed { 1 } else { natural };
        if let Some(asked) = tweak.align {
            align = if tweak.packed { asked } else { align.max(asked) };
        }
        align = align.min(tweak.at_most.unwrap_or(u64::MAX)).max(1);
        match field.width {
            Some(width) => self.place_bits(field, width, size, align, tweak),
            None => {
                self.bits = round_up(self.bits, align.saturating_mul(8));
                field.offset = self.known.then_some(self.bits / 8);
                self.bits = self.bits.saturating_add(size.saturating_mul(8));
                self.align = self.align.max(align);
            }
        }
    }

    fn place_in_union(&mut self, field: &mut Field, size: u64, natural: u64, tweak: Tweak) {
        let mut align = if tweak.packed { 1 } else { natural };
        if let Some(asked) = tweak.align {
            align = align.max(asked);
        }
        align = align.min(tweak.at_most.unwrap_or(u64::MAX)).max(1);
        field.offset = Some(0);
        field.bit = field.width.and(Some(0));
        let bits = field.width.unwrap_or(size.saturating_mul(8));
        self.bits = self.bits.max(bits);
        if field.name.is_some() || field.width.is_none() {
            self.align = self.align.max(align);
        }
    }

    /// Places a bit-field. It must not straddle a boundary of its declared type, unless it is packed, and
    /// begins at the alignment that `aligned` asks for.
    fn place_bits(&mut self, field: &mut Field, width: u64, size: u64, align: u64, tweak: Tweak) {
        let unit = size.saturating_mul(8).max(1);
        if width == 0 {
            self.bits = round_up(self.bits, unit);
            field.offset = self.known.then_some(self.bits / 8);
            return;
        }
        if let Some(asked) = tweak.align {
            self.bits = round_up(self.bits, asked.saturating_mul(8));
        }
        let straddles = self.bits / unit != (self.bits + width - 1) / unit;
        if straddles && !tweak.packed && tweak.at_most.is_none_or(|m| m >= size) {
            self.bits = round_up(self.bits, unit);
        }
        let at = if straddles && tweak.packed { self.bits / 8 } else { self.bits / unit * size };
        field.offset = self.known.then_some(at);
        field.bit = self.known.then_some(self.bits);
        self.bits = self.bits.saturating_add(width);
        if field.name.is_some() {
            self.align = self.align.max(align);
        }
    }

    /// Makes the layout unknown: something asks for a layout that is not modelled.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Size and alignment, once all members are placed.
    pub fn finish(self, at_least: Option<u64>) -> (Option<u64>, u64) {
        let align = self.align.max(at_least.unwrap_or(1));
        let size = round_up(self.bits.div_ceil(8), align);
        (self.known.then_some(size), align)
    }
}

fn round_up(n: u64, to: u64) -> u64 {
    n.checked_next_multiple_of(to.max(1)).unwrap_or(u64::MAX)
}
