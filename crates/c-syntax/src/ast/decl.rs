//! Declarations in the tree: specifiers, declarators, type names and initialisers.

use super::{
    DeclId, DeclaratorId, EnumSpecId, ExprId, InitId, Name, RecordSpecId, SpecsId, StmtId, TypeNameId,
};
use base::Span;

/// A declaration in file or block scope, in a struct, or the declaration of a parameter.
#[derive(Debug)]
pub struct Decl {
    /// From the first specifier to the semicolon or the body's brace.
    pub span: Span,
    /// The form.
    pub kind: DeclKind,
}

/// Kinds of [`Decl`].
#[derive(Debug)]
pub enum DeclKind {
    /// `specs declarator = init, … ;` Also members of structs and parameters (one declarator, maybe
    /// nameless).
    Vars {
        /// The specifiers; in old C they may be empty (implicit int).
        specs: SpecsId,
        /// The declared names; empty for `struct s { … };`.
        items: Vec<InitDeclarator>,
    },
    /// A function definition.
    Function {
        /// The specifiers.
        specs: SpecsId,
        /// Name and parameters.
        declarator: DeclaratorId,
        /// Old-style declarations of parameters, between `)` and `{`.
        kr: Vec<DeclId>,
        /// Compound statement.
        body: StmtId,
    },
    /// `_Static_assert(e, "…");`
    StaticAssert {
        /// The condition.
        cond: ExprId,
        /// The message with its quotes, if there is one.
        message: Option<Span>,
    },
    /// File-scope `asm("…");`
    Asm,
    /// A lone `;`, or text skipped after an error.
    Empty,
}

/// A declarator of a declaration, with its width, label, attributes and initialiser.
#[derive(Debug)]
pub struct InitDeclarator {
    /// From the declarator's first token to the initialiser's last, without comma.
    pub span: Span,
    /// The declarator.
    pub declarator: DeclaratorId,
    /// `: width` of a bit-field.
    pub width: Option<ExprId>,
    /// `asm("name")`.
    pub asm_label: Option<Span>,
    /// Attributes after the declarator.
    pub attrs: Vec<Attr>,
    /// `= …`
    pub init: Option<InitId>,
}

/// Declaration specifiers, in the order of their kinds.
#[derive(Debug, Default)]
pub struct Specs {
    /// All of them; empty (lo == hi) if none was written.
    pub span: Span,
    /// typedef, extern, static, auto, register, _Thread_local / __thread.
    pub storage: Vec<(Storage, Span)>,
    /// inline, _Noreturn.
    pub function: Vec<Span>,
    /// Qualifiers.
    pub quals: Vec<Qual>,
    /// Type specifiers.
    pub types: Vec<TypeSpec>,
    /// `_Alignas(…)`.
    pub alignas: Vec<Alignas>,
    /// Attributes.
    pub attrs: Vec<Attr>,
}

/// `_Alignas(…)`.
#[derive(Clone, Copy, Debug)]
pub struct Alignas {
    /// The whole text.
    pub span: Span,
    /// The operand in the parentheses.
    pub of: Alignment,
}

/// An alignment: a number, or that of a type.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Alignment {
    Expr(ExprId),
    Type(TypeNameId),
}

/// Storage-class specifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
    ThreadLocal,
}

/// A type specifier.
#[derive(Debug)]
pub enum TypeSpec {
    /// `int`, `long`, `_Complex`, `__int128`, `_Float128`, `__builtin_va_list`, …: a keyword.
    Basic(Basic, Span),
    /// A typedef name.
    Typedef(Name),
    /// `struct` or `union`.
    Record(RecordSpecId),
    /// `enum`.
    Enum(EnumSpecId),
    /// `typeof(expr)`.
    TypeofExpr(ExprId, Span),
    /// `typeof(type)`.
    TypeofType(TypeNameId, Span),
    /// `_Atomic(type)`.
    Atomic(TypeNameId, Span),
    /// `__auto_type`.
    AutoType(Span),
}

/// Keywords that are type specifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Basic {
    Void,
    Bool,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Complex,
    Imaginary,
    Int128,
    /// `_Float16`, `_Float32`, `_Float64`, `__float80`, `_Float128` and `__float128`: bits, false.
    /// `_Float32x`, `_Float64x` and `__bf16`: bits, true.
    FloatN(u16, bool),
    Decimal(u16),
    VaList,
}

/// A type qualifier.
#[derive(Clone, Copy, Debug)]
pub struct Qual {
    /// The text, layout included.
    pub span: Span,
    /// The qualifier.
    pub kind: QualKind,
}

/// Kinds of [`Qual`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum QualKind {
    Const,
    Volatile,
    Restrict,
    Atomic,
    /// UPC `shared` with its layout.
    Shared(Layout),
    /// Split-C, after a `*`: the pointer is global.
    Global,
    /// Split-C, after a `*`: the pointer is a spread one.
    Spread,
    Strict,
    Relaxed,
}

/// Layout qualifier of `shared` (UPC 6.5.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Not written: block size 1.
    Default,
    /// `[]`.
    Indefinite,
    /// `[*]`.
    Star,
    /// `[expr]`.
    Expr(ExprId),
}

/// `__attribute__((name(args)))`, `[[…]]`; one entry of the list.
#[derive(Clone, Debug)]
pub struct Attr {
    /// The whole `__attribute__((…))` that holds it (shared by the entries of one list).
    pub whole: Span,
    /// The name without surrounding underscores.
    pub name: Box<str>,
    /// Arguments: their text, and the expression if they can be read as one.
    pub args: Vec<(Span, Option<ExprId>)>,
}

/// struct or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum RecordKind {
    Struct,
    Union,
}

/// `struct tag { … }`.
#[derive(Debug)]
pub struct RecordSpec {
    /// The whole specifier.
    pub span: Span,
    /// struct or union.
    pub kind: RecordKind,
    /// The keyword `struct` or `union`.
    pub keyword: Span,
    /// The tag.
    pub tag: Option<Name>,
    /// Offset of the opening brace; without braces, of the token after the specifier.
    pub brace: u32,
    /// Members (DeclKind::Vars or StaticAssert), if there are braces.
    pub fields: Option<Vec<DeclId>>,
    /// Attributes before the tag and after the brace.
    pub attrs: Vec<Attr>,
}

/// `enum tag { … }`.
#[derive(Debug)]
pub struct EnumSpec {
    /// The whole specifier.
    pub span: Span,
    /// The tag.
    pub tag: Option<Name>,
    /// Enumerators with their values, if there are braces.
    pub values: Option<Vec<(Name, Option<ExprId>)>>,
    /// Attributes.
    pub attrs: Vec<Attr>,
}

/// A declarator, read inside out: `parts[0]` is nearest the name, so `int *a[3]` has parts [array 3,
/// pointer].
#[derive(Clone, Debug)]
pub struct Declarator {
    /// All of it; empty for a nameless `int`.
    pub span: Span,
    /// The name, none in abstract declarators.
    pub name: Option<Name>,
    /// From the name outwards.
    pub parts: Vec<Part>,
    /// Attributes inside parentheses and between pointers.
    pub attrs: Vec<Attr>,
}

/// A derivation of a declarator.
#[derive(Clone, Debug)]
pub enum Part {
    /// `* quals`
    Pointer {
        /// Qualifiers of the pointer itself.
        quals: Vec<Qual>,
        /// From the star.
        span: Span,
    },
    /// `[static quals size]`
    Array {
        /// The bound.
        size: ArraySize,
        /// Qualifiers, in parameters.
        quals: Vec<Qual>,
        /// `static` in parameters.
        is_static: bool,
        /// With its brackets.
        span: Span,
    },
    /// `::` of Split-C: the arrays nearer the name are spread, those farther away are one block.
    Spread {
        /// The two colons.
        span: Span,
    },
    /// `(params)`
    Function {
        /// Prototype parameters: DeclKind::Vars with exactly one item each. `(void)` has none.
        params: Vec<DeclId>,
        /// `...`
        variadic: bool,
        /// `()` or an identifier list: no prototype.
        old_style: bool,
        /// Names of an identifier list.
        names: Vec<Name>,
        /// With its parentheses.
        span: Span,
    },
    /// `^ quals`: a block pointer in headers written for Apple's compilers.
    Block {
        /// From the caret.
        span: Span,
    },
}

/// Bound of an array declarator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]`
    Star,
    /// `[e]`
    Expr(ExprId),
}

/// `specifier-qualifier-list abstract-declarator`.
#[derive(Debug)]
pub struct TypeName {
    /// All of it.
    pub span: Span,
    /// Specifiers.
    pub specs: SpecsId,
    /// Abstract declarator.
    pub declarator: DeclaratorId,
}

/// An initialiser.
#[derive(Debug)]
pub struct Init {
    /// All of it, braces included.
    pub span: Span,
    /// The form.
    pub kind: InitKind,
}

/// Kinds of [`Init`].
#[derive(Debug)]
pub enum InitKind {
    /// An expression.
    Expr(ExprId),
    /// `{ designators = init, … }`
    List(Vec<(Vec<Designator>, InitId)>),
}

/// `.name`, `[i]`, `[a ... b]`.
#[derive(Debug)]
pub enum Designator {
    /// `.name`, and the old `name:`
    Field(Name),
    /// `[i]`
    Index(ExprId),
    /// `[a ... b]`
    Range(ExprId, ExprId),
}
