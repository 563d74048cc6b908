//! Questions about types that need only the types: the kind of a type, its members, results of arithmetic.

use super::{Block, Field, FloatKind, FnTy, IntKind, Len, QTy, Quals, Record, RecordId, Ty, TyId, Types};
use c_syntax::Language;

/// A member as found by name, through anonymous structs and unions.
#[derive(Clone, Debug)]
pub struct Member {
    /// The type, with the qualifiers of the anonymous members around the member.
    pub ty: QTy,
    /// Bytes from the beginning of the record; `None` if the layout is not known.
    pub offset: Option<u64>,
    /// Width of a bit-field.
    pub width: Option<u64>,
    /// Bits of a bit-field's first bit from the beginning of the record; `None` if the layout is not known.
    pub bit: Option<u64>,
}

impl Types {
    /// Whether this type is [`Ty::Error`]: nothing is known, everything fits.
    pub fn is_error(&self, q: QTy) -> bool {
        matches!(self.of(q), Ty::Error)
    }

    /// Whether a type is `void`, however qualified.
    pub fn is_void(&self, q: QTy) -> bool {
        matches!(self.of(q), Ty::Void)
    }

    /// Integer types, enums included.
    pub fn is_integer(&self, q: QTy) -> bool {
        matches!(self.of(q), Ty::Int(_) | Ty::Enum(_))
    }

    /// Integer, floating and complex types.
    pub fn is_arithmetic(&self, q: QTy) -> bool {
        matches!(self.of(q), Ty::Int(_) | Ty::Enum(_) | Ty::Float(_) | Ty::Complex(_) | Ty::ComplexInt(_))
    }

    /// Pointers.
    pub fn is_pointer(&self, q: QTy) -> bool {
        matches!(self.of(q), Ty::Pointer(_))
    }

    /// Arithmetic types and pointers.
    pub fn is_scalar(&self, q: QTy) -> bool {
        self.is_arithmetic(q) || self.is_pointer(q)
    }

    /// `_Bool`.
    pub fn is_bool(&self, q: QTy) -> bool {
        matches!(self.of(q), Ty::Int(IntKind::Bool))
    }

    /// Arrays.
    pub fn is_array(&self, q: QTy) -> bool {
        matches!(self.of(q), Ty::Array(..))
    }

    /// Structs and unions.
    pub fn as_record(&self, q: QTy) -> Option<RecordId> {
        match self.of(q) {
            Ty::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// Function types.
    pub fn as_function(&self, q: QTy) -> Option<&FnTy> {
        match self.of(q) {
            Ty::Function(f) => Some(f),
            _ => None,
        }
    }

    /// Element type and length of an array; the qualifiers that typedefs put on the array are the elements'.
    pub fn as_array(&self, q: QTy) -> Option<(QTy, Len)> {
        let s = self.strip(q);
        match self.get(s.ty) {
            Ty::Array(elem, len) => Some((QTy { ty: elem.ty, quals: s.quals.union(elem.quals) }, *len)),
            _ => None,
        }
    }

    /// The integer type that represents an integer or enum type.
    pub fn int_kind(&self, q: QTy) -> Option<IntKind> {
        match self.of(q) {
            Ty::Int(kind) => Some(*kind),
            Ty::Enum(id) => Some(self.enums[id.0 as usize].repr),
            _ => None,
        }
    }

    /// Whether an object of this type can be defined now: not void, not a struct whose members are not
    /// known, not an array without length.
    pub fn is_complete(&self, q: QTy) -> bool {
        match self.of(q) {
            Ty::Void | Ty::Function(_) => false,
            Ty::Record(id) => self.record(*id).complete,
            Ty::Array(elem, len) => *len != Len::Incomplete && self.is_complete(*elem),
            Ty::Enum(id) => self.enums[id.0 as usize].complete,
            _ => true,
        }
    }

    /// Whether this type is dealt out over the processors as a whole: a block of a spread array, or anything
    /// that is no array.
    pub fn is_unit(&self, q: QTy) -> bool {
        let s = self.strip(q);
        !matches!(self.get(s.ty), Ty::Array(..)) || s.quals.shared == Some(Block::Spread)
    }

    /// The type of a dereferenced spread pointer. If the block is an array, the array's elements lie
    /// together, and pointers to them are global ones.
    pub fn entered(&mut self, q: QTy) -> QTy {
        let s = self.strip(q);
        if s.quals.shared != Some(Block::Spread) || !matches!(self.get(s.ty), Ty::Array(..)) {
            return q;
        }
        let quals = Quals { shared: Some(Block::Indefinite), ..s.quals };
        self.qualify(QTy::plain(s.ty), quals)
    }

    /// The type of the same object in a thread's private memory: not shared.
    pub fn unshared(&mut self, q: QTy) -> QTy {
        if !self.is_shared(q) {
            return q;
        }
        let s = self.strip(q);
        if let Ty::Array(elem, len) = *self.get(s.ty) {
            let elem = self.unshared(QTy { ty: elem.ty, quals: elem.quals });
            return QTy::plain(self.intern(Ty::Array(elem, len)));
        }
        let sugar = self.strip(QTy::plain(q.ty)).quals.shared.is_none();
        QTy { ty: if sugar { q.ty } else { s.ty }, quals: Quals { shared: None, ..q.quals } }
    }

    /// The block size of a shared type; of its elements, if it is an array. `None` if it is not shared.
    pub fn block(&self, q: QTy) -> Option<Block> {
        self.object_quals(q).shared
    }

    /// Whether a pointer to this type is the generic pointer-to-shared, `shared void *`.
    pub fn is_shared_void(&self, to: QTy) -> bool {
        self.is_shared(to) && self.is_void(to)
    }

    /// Whether a pointer-to-shared to this type carries a phase: the generic one, and those whose block size
    /// is definite and over 1. Others are half as large (`abi.h`).
    pub fn has_phase(&self, to: QTy) -> bool {
        match self.block(to) {
            _ if self.language != Language::Upc => false,
            None | Some(Block::Indefinite) | Some(Block::Size(0 | 1)) => self.is_shared_void(to),
            Some(Block::Spread) => false,
            Some(Block::Size(_) | Block::Star) => true,
        }
    }

    /// Whether some type inside this one (a target, element, parameter or result) is shared. Members of
    /// structs do not count: a struct is the same type everywhere.
    pub fn mentions_shared(&self, q: QTy) -> bool {
        if q.quals.shared.is_some() {
            return true;
        }
        match self.get(q.ty) {
            Ty::Named(_, to) | Ty::Pointer(to) | Ty::Array(to, _) => self.mentions_shared(*to),
            Ty::Function(f) => {
                self.mentions_shared(f.ret) || f.params.iter().any(|&p| self.mentions_shared(p))
            }
            _ => false,
        }
    }

    /// The product of all lengths of nested arrays, and whether THREADS is a factor beside it. `None` if some
    /// length is not known. A scalar is one element.
    pub fn elements(&self, q: QTy) -> Option<(u64, bool)> {
        if self.is_unit(q) {
            return Some((1, false));
        }
        let Ty::Array(elem, len) = self.of(q) else { return Some((1, false)) };
        let (inner, threads) = self.elements(*elem)?;
        match *len {
            Len::Const(n) => Some((inner.checked_mul(n)?, threads)),
            Len::Threads(k) => Some((inner.checked_mul(k)?, true)),
            Len::Incomplete | Len::Variable | Len::Runtime(_) => None,
        }
    }

    /// Whether some dimension of an array is the value of an expression at its declaration.
    pub fn has_length_of_run(&self, q: QTy) -> bool {
        let Ty::Array(elem, len) = self.of(q) else { return false };
        matches!(len, Len::Runtime(_)) || self.has_length_of_run(*elem)
    }

    /// Whether some dimension of an array is a multiple of THREADS.
    pub fn depends_on_threads(&self, q: QTy) -> bool {
        let Ty::Array(elem, len) = self.of(q) else { return false };
        matches!(len, Len::Threads(_)) || self.depends_on_threads(*elem)
    }

    /// A member of a record by its name.
    pub fn member(&self, record: RecordId, name: &str) -> Option<Member> {
        self.member_in(record, name, 0)
    }

    fn member_in(&self, record: RecordId, name: &str, depth: u32) -> Option<Member> {
        let Record { fields, by_name, .. } = self.record(record);
        if let Some(f) = by_name.get(name).map(|&at| &fields[at]) {
            return Some(Member { ty: f.ty, offset: f.offset, width: f.width, bit: f.bit });
        }
        if depth > 100 {
            return None;
        }
        for f in fields.iter().filter(|f| f.name.is_none()) {
            let Some(inner) = self.as_record(f.ty) else { continue };
            if let Some(mut m) = self.member_in(inner, name, depth + 1) {
                m.ty.quals = self.strip(f.ty).quals.union(m.ty.quals);
                m.offset = f.offset.zip(m.offset).map(|(a, b)| a + b);
                m.bit = f.offset.zip(m.bit).map(|(a, b)| 8 * a + b);
                return Some(m);
            }
        }
        None
    }

    /// All names by which members of a record can be reached.
    pub fn member_names(&self, record: RecordId) -> Vec<&str> {
        let mut names = Vec::new();
        for Field { name, ty, .. } in &self.record(record).fields {
            match (name, self.as_record(*ty)) {
                (Some(name), _) => names.push(&**name),
                (None, Some(inner)) if inner != record => names.extend(self.member_names(inner)),
                _ => {}
            }
        }
        names
    }

    /// A type with more qualifiers. An array's go to its elements, and the array loses its typedef name.
    pub fn qualify(&mut self, q: QTy, quals: Quals) -> QTy {
        if quals == Quals::default() {
            return q;
        }
        let s = self.strip(q);
        if let Ty::Array(elem, len) = *self.get(s.ty) {
            let all = quals.union(s.quals);
            if all.shared == Some(Block::Spread) {
                let inner = self.qualify(QTy::plain(s.ty), Quals { shared: None, ..all });
                return QTy { ty: inner.ty, quals: Quals { shared: all.shared, ..Quals::default() } };
            }
            let elem = self.qualify(elem, all);
            return QTy::plain(self.intern(Ty::Array(elem, len)));
        }
        QTy { ty: q.ty, quals: quals.union(q.quals) }
    }

    /// The type without top-level qualifiers, those of typedefs included: the type of a value. Sugar stays if
    /// it holds no qualifiers.
    pub fn unqualified(&self, q: QTy) -> QTy {
        let s = self.strip(q);
        if s.quals == q.quals { QTy::plain(q.ty) } else { QTy::plain(s.ty) }
    }

    /// The type of an expression of this type as a value: arrays and functions decay to pointers, qualifiers
    /// go.
    pub fn decay(&mut self, q: QTy) -> QTy {
        let s = self.strip(q);
        match *self.get(s.ty) {
            Ty::Array(elem, _) => {
                let elem = self.qualify(elem, s.quals);
                self.pointer_to(elem)
            }
            Ty::Function(_) => self.pointer_to(QTy::plain(q.ty)),
            _ => self.unqualified(q),
        }
    }

    /// Pointer to a type.
    pub fn pointer_to(&mut self, to: QTy) -> QTy {
        QTy::plain(self.intern(Ty::Pointer(to)))
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind) -> QTy {
        QTy::plain(self.intern(Ty::Int(kind)))
    }

    /// The result of integer promotion of an integer type.
    pub fn promoted(&mut self, q: QTy) -> QTy {
        match self.int_kind(q) {
            Some(kind) if kind.rank() < IntKind::Int.rank() => self.int(IntKind::Int),
            Some(kind) if matches!(self.of(q), Ty::Enum(_)) => self.int(kind),
            _ => self.unqualified(q),
        }
    }

    /// The usual arithmetic conversions of two arithmetic types (C17 6.3.1.8), already promoted.
    pub fn usual(&mut self, a: QTy, b: QTy) -> QTy {
        let (fa, fb) = (self.float_of(a), self.float_of(b));
        let complex = self.is_complex(a) || self.is_complex(b);
        if let Some(kind) = match (fa, fb) {
            (Some(x), Some(y)) => Some(if x.rank() >= y.rank() { x } else { y }),
            (x, y) => x.or(y),
        } {
            return match complex {
                true => QTy::plain(self.intern(Ty::Complex(kind))),
                // The operand itself keeps its typedef name.
                false if fa == Some(kind) => self.unqualified(a),
                false => self.unqualified(b),
            };
        }
        let (Some(x), Some(y)) = (self.plain_int(a), self.plain_int(b)) else {
            return QTy::plain(self.intern(Ty::Error));
        };
        let kind = IntKind::usual(x, y);
        if complex {
            return QTy::plain(self.intern(Ty::ComplexInt(kind)));
        }
        if x == kind {
            self.unqualified(a)
        } else if y == kind {
            self.unqualified(b)
        } else {
            self.int(kind)
        }
    }

    fn float_of(&self, q: QTy) -> Option<FloatKind> {
        match self.of(q) {
            Ty::Float(k) | Ty::Complex(k) => Some(*k),
            _ => None,
        }
    }

    fn plain_int(&self, q: QTy) -> Option<IntKind> {
        match self.of(q) {
            Ty::ComplexInt(k) => Some(*k),
            _ => self.int_kind(q),
        }
    }

    fn is_complex(&self, q: QTy) -> bool {
        matches!(self.of(q), Ty::Complex(_) | Ty::ComplexInt(_))
    }

    /// The type with all sugar taken off, at every level: ids of canonical types are equal exactly when the
    /// types are identical.
    pub fn canon(&mut self, q: QTy) -> QTy {
        let s = self.strip(q);
        let ty: TyId = match self.get(s.ty).clone() {
            Ty::Pointer(to) => {
                let to = self.canon(to);
                self.intern(Ty::Pointer(to))
            }
            Ty::Array(elem, len) if s.quals.shared == Some(Block::Spread) => {
                let elem = self.canon(elem);
                self.intern(Ty::Array(elem, len))
            }
            Ty::Array(elem, len) => {
                let elem = self.qualify(elem, s.quals);
                let elem = self.canon(elem);
                return QTy::plain(self.intern(Ty::Array(elem, len)));
            }
            Ty::Vector(elem, bytes) => {
                let elem = self.canon(elem);
                self.intern(Ty::Vector(elem, bytes))
            }
            Ty::Function(f) => {
                let ret = self.canon(f.ret);
                let params = f.params.iter().map(|&p| self.canon(p)).collect();
                self.intern(Ty::Function(Box::new(FnTy { ret, params, ..*f })))
            }
            _ => s.ty,
        };
        QTy { ty, quals: s.quals }
    }
}

impl IntKind {
    /// Conversion rank (C17 6.3.1.1).
    pub fn rank(self) -> u8 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }

    /// Bytes, on x86-64 and arm64.
    pub fn size(self) -> u64 {
        [1, 1, 2, 4, 8, 8, 16][self.rank() as usize]
    }

    /// Whether a type has no negative values; plain char by the target.
    pub fn is_unsigned(self, char_signed: bool) -> bool {
        match self {
            IntKind::Char => !char_signed,
            IntKind::Bool
            | IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULongLong
            | IntKind::UInt128 => true,
            _ => false,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            IntKind::Int128 => IntKind::UInt128,
            other => other,
        }
    }

    /// A value brought into the range of the type, modulo its size.
    pub(crate) fn wrap(self, value: i128, char_signed: bool) -> i128 {
        let bits = self.size() * 8;
        if self == IntKind::Bool {
            return i128::from(value != 0);
        }
        if bits >= 128 {
            return value;
        }
        let low = value & ((1i128 << bits) - 1);
        if !self.is_unsigned(char_signed) && low >> (bits - 1) != 0 { low - (1i128 << bits) } else { low }
    }

    /// The common type of two promoted integer types.
    fn usual(a: IntKind, b: IntKind) -> IntKind {
        let (high, low) = if a.rank() >= b.rank() { (a, b) } else { (b, a) };
        let (uh, ul) = (high.is_unsigned(true), low.is_unsigned(true));
        let holds_all = high.rank() > low.rank() && high.size() > low.size();
        if uh == ul || uh || holds_all { high } else { high.to_unsigned() }
    }
}

impl FloatKind {
    /// Order for the usual arithmetic conversions. For one format, `_FloatN` outranks the standard type,
    /// which outranks `_FloatNx`.
    fn rank(self) -> u32 {
        match self {
            FloatKind::N(16, _) => 10,
            FloatKind::Float => 20,
            FloatKind::N(32, false) => 21,
            FloatKind::Double => 30,
            FloatKind::N(32, true) => 29,
            FloatKind::N(64, false) => 32,
            FloatKind::LongDouble => 40,
            FloatKind::N(64, true) => 39,
            FloatKind::N(..) => 50,
            FloatKind::Decimal(bits) => 100 + u32::from(bits),
        }
    }

    /// Bytes.
    pub fn size(self) -> u64 {
        match self {
            FloatKind::Float | FloatKind::N(32, false) => 4,
            FloatKind::Double | FloatKind::N(32, true) | FloatKind::N(64, false) => 8,
            FloatKind::LongDouble | FloatKind::N(64, true) => 16,
            FloatKind::N(bits, _) | FloatKind::Decimal(bits) => u64::from(bits) / 8,
        }
    }
}
