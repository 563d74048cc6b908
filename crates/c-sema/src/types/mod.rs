//! Types as the front end computes with them: interned, qualified, with the typedef names that the user wrote
//! kept as sugar so that messages and emitted C can use them.
//!
//! This file defines types. The folder has the functions on them: the kind of a type (`query`), its size
//! (`layout`), whether two are compatible (`compat`), its spelling (`print`).

mod compat;
pub(crate) mod layout;
mod print;
mod query;

pub use query::Member;

use c_syntax::Language;
use c_syntax::ast::{ExprId, RecordKind};
use rustc_hash::FxHashMap;

/// An interned [`Ty`]. Equal ids are the same type with the same sugar; to compare types, use
/// [`Types::canon`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TyId(pub u32);

/// Index of a struct or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// Index of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// A qualified type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QTy {
    /// The type.
    pub ty: TyId,
    /// The qualifiers. An array has none of its own: they are its elements'.
    pub quals: Quals,
}

/// A set of qualifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
    /// UPC: `shared`, with its block size.
    pub shared: Option<Block>,
    pub is_strict: bool,
    pub is_relaxed: bool,
}

/// Block size of a shared type (UPC 6.5.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// `[]` or `[0]`: all elements on one thread.
    Indefinite,
    /// The number of consecutive elements on a thread; 1 is cyclic.
    Size(u64),
    /// Split-C: whole units, arrays that are one block included, are dealt out cyclically over the
    /// processors. The qualifier then stands on an array itself, not on its elements.
    Spread,
    /// `[*]`, before the array it belongs to is known. After the checks none is left.
    Star,
}

/// A type without its qualifiers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// An error that has been reported, or a GNU builtin that is not modelled: fits everywhere.
    Error,
    /// `void`
    Void,
    /// Integers, `_Bool` included, and plain `char`.
    Int(IntKind),
    /// Real floating types.
    Float(FloatKind),
    /// `_Complex` of a floating type.
    Complex(FloatKind),
    /// `_Complex` of an integer type (GNU).
    ComplexInt(IntKind),
    /// Pointer to.
    Pointer(QTy),
    /// Array of.
    Array(QTy, Len),
    /// GNU vector: element type and size in bytes.
    Vector(QTy, u64),
    /// Function.
    Function(Box<FnTy>),
    /// struct or union.
    Record(RecordId),
    /// enum.
    Enum(EnumId),
    /// A typedef name for a type: sugar.
    Named(Box<str>, QTy),
    /// `__builtin_va_list`.
    VaList,
}

/// Integer types. Plain char is signed on x86-64 and unsigned on arm64, and distinct from both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

/// Floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    /// `_FloatN`, `_FloatNx` (true): distinct types in gcc.
    N(u16, bool),
    /// `_DecimalN`.
    Decimal(u16),
}

impl IntKind {
    /// As C spells it.
    pub fn spelling(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

impl FloatKind {
    /// As C spells it.
    pub fn spelling(self) -> String {
        match self {
            FloatKind::Float => "float".into(),
            FloatKind::Double => "double".into(),
            FloatKind::LongDouble => "long double".into(),
            FloatKind::N(16, true) => "__bf16".into(),
            FloatKind::N(80, _) => "__float80".into(),
            FloatKind::N(bits, x) => format!("_Float{bits}{}", if x { "x" } else { "" }),
            FloatKind::Decimal(bits) => format!("_Decimal{bits}"),
        }
    }
}

/// Length of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Len {
    /// `[]`
    Incomplete,
    /// A constant.
    Const(u64),
    /// Dynamic THREADS environment: a multiple of THREADS.
    Threads(u64),
    /// Variable, or `[*]`.
    Variable,
    /// For a spread or dist array or a block of one: the value of this expression at the declaration.
    Runtime(ExprId),
}

/// A function type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FnTy {
    /// Result.
    pub ret: QTy,
    /// Parameters, adjusted (arrays and functions are pointers).
    pub params: Vec<QTy>,
    /// `...`
    pub variadic: bool,
    /// No prototype: arguments are not checked.
    pub old_style: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// struct or union.
    pub kind: RecordKind,
    /// The user's tag, or for an anonymous one a made-up tag (`mer_anon_3`) that emitted C may give it.
    pub tag: Box<str>,
    /// Whether the user wrote no tag.
    pub anonymous: bool,
    /// Members in order, none while the record is incomplete.
    pub fields: Vec<Field>,
    /// The index in `fields` of each member with a name.
    pub(crate) by_name: FxHashMap<Box<str>, usize>,
    /// Whether the braces have been seen.
    pub complete: bool,
    /// In bytes; `None` if a member's size is not known.
    pub size: Option<u64>,
    /// In bytes.
    pub align: u64,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Field {
    /// None for an anonymous struct or union, or an unnamed bit-field.
    pub name: Option<Box<str>>,
    /// Type.
    pub ty: QTy,
    /// Byte offset (of the storage unit for bit-fields).
    pub offset: Option<u64>,
    /// Width of a bit-field.
    pub width: Option<u64>,
    /// Bits of a bit-field's first bit from the beginning of the record; `None` if the layout is not known.
    pub bit: Option<u64>,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The user's tag or a made-up one.
    pub tag: Box<str>,
    /// Whether the user wrote no tag.
    pub anonymous: bool,
    /// Whether the braces have been seen.
    pub complete: bool,
    /// The integer type that represents the enum.
    pub repr: IntKind,
}

/// Facts about a type that are cached, because a type may be thousands of typedefs or arrays deep.
#[derive(Debug)]
struct Facts {
    /// The type under the typedef names.
    under: QTy,
    /// For an array: the qualifiers of its ultimate elements.
    quals: Quals,
    /// For an array: [`Types::element`] of its elements.
    element: QTy,
}

/// All types of a translation unit.
#[derive(Debug, Default)]
pub struct Types {
    /// The language, which decides the pointers: only UPC's have phases, and AC's are all of one kind.
    pub language: Language,
    table: Vec<Ty>,
    index: FxHashMap<Ty, TyId>,
    /// By type.
    facts: Vec<Facts>,
    /// Alignments that attributes of a typedef ask for, by its [`Ty::Named`].
    pub(crate) aligned: FxHashMap<TyId, u64>,
    /// Structs and unions.
    pub records: Vec<Record>,
    /// Enums.
    pub enums: Vec<Enum>,
}

impl QTy {
    /// Without qualifiers.
    pub fn plain(ty: TyId) -> QTy {
        QTy { ty, quals: Quals::default() }
    }
}

impl Types {
    /// A new struct or union, incomplete so far.
    pub(crate) fn new_record(&mut self, kind: RecordKind, tag: Option<&str>) -> RecordId {
        let id = RecordId(self.records.len() as u32);
        let made = || format!("mer_anon_{}", id.0).into_boxed_str();
        self.records.push(Record {
            kind,
            tag: tag.map_or_else(made, |t| t.into()),
            anonymous: tag.is_none(),
            fields: Vec::new(),
            by_name: FxHashMap::default(),
            complete: false,
            size: None,
            align: 1,
        });
        id
    }

    /// A new enum, incomplete so far.
    pub(crate) fn new_enum(&mut self, tag: Option<&str>) -> EnumId {
        let id = EnumId(self.enums.len() as u32);
        let made = || format!("mer_enum_{}", id.0).into_boxed_str();
        self.enums.push(Enum {
            tag: tag.map_or_else(made, |t| t.into()),
            anonymous: tag.is_none(),
            complete: false,
            repr: IntKind::UInt,
        });
        id
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Ty) -> TyId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = TyId(self.table.len() as u32);
        let itself = QTy::plain(id);
        let (under, quals, element) = match &ty {
            Ty::Named(_, under) => (self.strip(*under), Quals::default(), itself),
            Ty::Array(elem, _) => (itself, self.object_quals(*elem), self.element(*elem)),
            _ => (itself, Quals::default(), itself),
        };
        self.facts.push(Facts { under, quals, element });
        self.table.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// The type of an id, sugar included.
    pub fn get(&self, id: TyId) -> &Ty {
        &self.table[id.0 as usize]
    }

    /// All types of the unit.
    pub fn all(&self) -> impl Iterator<Item = TyId> + use<> {
        (0..self.table.len() as u32).map(TyId)
    }

    /// The type under the top-level typedef names, with their qualifiers. Qualifiers of an array typedef are
    /// pushed to its elements when the type is built, so none are lost here.
    pub fn strip(&self, q: QTy) -> QTy {
        let under = self.facts[q.ty.0 as usize].under;
        QTy { ty: under.ty, quals: q.quals.union(under.quals) }
    }

    /// The type of a qualified type under its typedef names.
    pub fn of(&self, q: QTy) -> &Ty {
        self.get(self.strip(q).ty)
    }

    /// A struct or union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// The target of a pointer type.
    pub fn pointee(&self, q: QTy) -> Option<QTy> {
        match self.of(q) {
            Ty::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The qualifiers of the objects that an lvalue of this type consists of: an array's are its ultimate
    /// element's.
    pub fn object_quals(&self, q: QTy) -> Quals {
        let q = self.strip(q);
        match self.get(q.ty) {
            Ty::Array(..) => self.facts[q.ty.0 as usize].quals.union(q.quals),
            _ => q.quals,
        }
    }

    /// Whether an lvalue of this type is a shared object.
    pub fn is_shared(&self, q: QTy) -> bool {
        self.object_quals(q).shared.is_some()
    }

    /// The target of a pointer-to-shared; `None` for other types.
    pub fn shared_pointee(&self, q: QTy) -> Option<QTy> {
        self.pointee(q).filter(|&to| self.is_shared(to))
    }

    /// The ultimate element type of nested arrays, with the qualifiers of the arrays.
    pub fn element(&self, q: QTy) -> QTy {
        let s = self.strip(q);
        if s.quals.shared == Some(Block::Spread) {
            return q;
        }
        match self.get(s.ty) {
            Ty::Array(..) => {
                let mut e = self.facts[s.ty.0 as usize].element;
                e.quals = e.quals.union(s.quals);
                e
            }
            _ => q,
        }
    }
}

impl Quals {
    /// Both sets. If both have a block size, the outer's (self) stands.
    pub fn union(self, other: Quals) -> Quals {
        Quals {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
            is_atomic: self.is_atomic || other.is_atomic,
            shared: self.shared.or(other.shared),
            is_strict: self.is_strict || other.is_strict,
            is_relaxed: self.is_relaxed || other.is_relaxed,
        }
    }
}
