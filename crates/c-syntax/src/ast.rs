//! The tree of a translation unit: C17, GNU C and the UPC dialect, as written.
//!
//! Nodes live in arenas of the [`Unit`] and are named by typed indices, so that later components keep what
//! they find out in tables beside the tree. Every node has the span of text it was read from, markers and
//! pragmas inside included: whoever prints the program copies what need not change.
//!
//! What is absent: types, meaning of names (but for typedef names, which the grammar needs), and any
//! rewriting. Parentheses are nodes, so text and tree agree.

use base::Span;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Index of a node of type `T` in its arena.
pub struct Id<T> {
    raw: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// The index, for side tables.
    pub fn index(self) -> usize {
        self.raw as usize
    }
}
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl<T> Eq for Id<T> {}
impl<T> std::hash::Hash for Id<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}
impl<T> std::fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.raw)
    }
}

/// All nodes of one kind.
#[derive(Debug)]
pub struct Arena<T> {
    nodes: Vec<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { nodes: Vec::new() }
    }
}
impl<T> Arena<T> {
    /// Adds a node.
    pub fn add(&mut self, node: T) -> Id<T> {
        self.nodes.push(node);
        Id { raw: (self.nodes.len() - 1) as u32, of: PhantomData }
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// All ids, in order of creation.
    pub fn ids(&self) -> impl Iterator<Item = Id<T>> + use<T> {
        (0..self.nodes.len() as u32).map(|raw| Id { raw, of: PhantomData })
    }
}
impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    fn index(&self, id: Id<T>) -> &T {
        &self.nodes[id.index()]
    }
}
impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.nodes[id.index()]
    }
}

/// An expression.
pub type ExprId = Id<Expr>;
/// A statement.
pub type StmtId = Id<Stmt>;
/// A declaration or function definition.
pub type DeclId = Id<Decl>;
/// One declared name (of a declaration, parameter, member) or a nameless declarator.
pub type DeclaratorId = Id<Declarator>;
/// Declaration specifiers, shared by the declarators of one declaration.
pub type SpecsId = Id<Specs>;
/// A type name, as in casts.
pub type TypeNameId = Id<TypeName>;
/// A struct or union specifier.
pub type RecordSpecId = Id<RecordSpec>;
/// An enum specifier.
pub type EnumSpecId = Id<EnumSpec>;
/// An initialiser in braces or a single expression.
pub type InitId = Id<Init>;

/// A translation unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// Expressions.
    pub exprs: Arena<Expr>,
    /// Statements.
    pub stmts: Arena<Stmt>,
    /// Declarations.
    pub decls: Arena<Decl>,
    /// Declarators.
    pub declarators: Arena<Declarator>,
    /// Specifier lists.
    pub specs: Arena<Specs>,
    /// Type names.
    pub type_names: Arena<TypeName>,
    /// Struct and union specifiers.
    pub records: Arena<RecordSpec>,
    /// Enum specifiers.
    pub enums: Arena<EnumSpec>,
    /// Initialisers.
    pub inits: Arena<Init>,
    /// File-scope declarations in order.
    pub items: Vec<DeclId>,
    /// Where the default of shared accesses changes (UPC 6.7.1): offset of the text, true for strict. In
    /// order; the state before the first is relaxed. The end of a compound statement is a change back.
    pub strictness: Vec<(u32, bool)>,
}

impl Unit {
    /// The expression under parentheses and `__extension__`.
    pub fn bare(&self, mut e: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) | ExprKind::Extension(inner) = self.exprs[e].kind {
            e = inner;
        }
        e
    }

    /// The one expression in an initialiser, whatever braces stand around it.
    pub fn only_expression(&self, mut init: InitId) -> Option<ExprId> {
        loop {
            match &self.inits[init].kind {
                InitKind::Expr(e) => return Some(*e),
                InitKind::List(items) => match items.as_slice() {
                    [(designators, inner)] if designators.is_empty() => init = *inner,
                    _ => return None,
                },
            }
        }
    }

    /// Whether a statement is `;` or `{}`: the body of a loop that waits.
    pub fn is_empty(&self, s: StmtId) -> bool {
        match &self.stmts[s].kind {
            StmtKind::Expr(None) => true,
            StmtKind::Compound(items) => items.is_empty(),
            _ => false,
        }
    }

    /// The first clause of a loop of C's; only `for` has one.
    pub fn first_clause(&self, s: StmtId) -> ForInit {
        match self.stmts[s].kind {
            StmtKind::For { init, .. } => init,
            _ => ForInit::None,
        }
    }

    /// Whether accesses at this offset that no qualifier decides are strict.
    pub fn strict_at(&self, offset: u32) -> bool {
        let n = self.strictness.partition_point(|&(at, _)| at <= offset);
        n > 0 && self.strictness[n - 1].1
    }
}

/// An identifier where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Its spelling.
    pub text: Box<str>,
    /// Its place.
    pub span: Span,
}

// ---- declarations --------------------------------------------------------------------------------

/// A declaration in file or block scope, in a struct, or the declaration of a parameter.
#[derive(Debug)]
pub struct Decl {
    /// From the first specifier to the semicolon or the body's brace.
    pub span: Span,
    /// What it is.
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
        /// What is declared; empty for `struct s { … };`.
        items: Vec<InitDeclarator>,
    },
    /// A function definition.
    Function {
        /// Its specifiers.
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
        /// The message with its quotes, where there is one.
        message: Option<Span>,
    },
    /// File-scope `asm("…");`
    Asm,
    /// A lone `;`, or text skipped after an error.
    Empty,
}

/// One declarator of a declaration with what follows it.
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
    /// All of them; empty (lo == hi) where none was written.
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
    /// Its text, whole.
    pub span: Span,
    /// What stands in the parentheses.
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
    /// `_Float16`, `_Float32`, `_Float32x`, `_Float64`, `_Float64x`, `_Float128`, `__float128`, `__bf16`,
    /// `_Decimal…`: bits, then x.
    FloatN(u16, bool),
    Decimal(u16),
    VaList,
}

/// A type qualifier.
#[derive(Clone, Copy, Debug)]
pub struct Qual {
    /// Its place, layout included.
    pub span: Span,
    /// Which.
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
    /// Split-C, behind a `*`: the pointer is global.
    Global,
    /// Split-C, behind a `*`: the pointer is a spread one.
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
    /// Arguments: their text, and the expression where they can be read as one.
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
    /// Where the braces begin; where there are none, the token behind the specifier.
    pub brace: u32,
    /// Members (DeclKind::Vars or StaticAssert), where there are braces.
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
    /// Enumerators with their values, where there are braces.
    pub values: Option<Vec<(Name, Option<ExprId>)>>,
    /// Attributes.
    pub attrs: Vec<Attr>,
}

/// A declarator, read inside out: `parts[0]` is nearest the name, so `int *a[3]` has parts [array 3,
/// pointer].
#[derive(Debug)]
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

/// One derivation of a declarator.
#[derive(Debug)]
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
    /// `::` of Split-C: the arrays nearer the name are spread, those farther away one block.
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
    /// Its form.
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

// ---- expressions ---------------------------------------------------------------------------------

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// All of it.
    pub span: Span,
    /// Its form.
    pub kind: ExprKind,
}

/// Kinds of [`Expr`].
#[derive(Debug)]
pub enum ExprKind {
    /// A name.
    Ident(Name),
    /// An integer, floating, character constant: spelled by the span.
    Number,
    /// A character constant.
    Char,
    /// One or more adjacent string literals.
    String,
    /// `(e)`
    Paren(ExprId),
    /// `a[i]`
    Index(ExprId, ExprId),
    /// `f(args)`
    Call(ExprId, Vec<ExprId>),
    /// `a.name`, `a->name`
    Member {
        /// Left side.
        base: ExprId,
        /// `->`
        arrow: bool,
        /// Right side.
        name: Name,
    },
    /// `e++`, `e--`
    Post(IncDec, ExprId),
    /// `++e`, `--e`
    Pre(IncDec, ExprId),
    /// A prefix operator.
    Unary(UnOp, ExprId),
    /// A binary operator; comma included.
    Binary(BinOp, ExprId, ExprId),
    /// `a = b` (no operator) and `a op= b`.
    Assign(Option<BinOp>, ExprId, ExprId),
    /// Split-C's `a := b` and `a :- b`.
    Split(SplitOp, ExprId, ExprId),
    /// `c ? a : b`; `c ?: b` has no middle.
    Cond(ExprId, Option<ExprId>, ExprId),
    /// `(type) e`
    Cast(TypeNameId, ExprId),
    /// `(type){…}`
    Compound(TypeNameId, InitId),
    /// `sizeof e` and its kin.
    SizeofExpr(SizeOp, ExprId),
    /// `sizeof(type)` and its kin.
    SizeofType(SizeOp, TypeNameId),
    /// `({ … })`
    Stmts(StmtId),
    /// `_Generic(e, type: e, default: e)`
    Generic(ExprId, Vec<(Option<TypeNameId>, ExprId)>),
    /// `__builtin_offsetof(type, a.b[i])`
    Offsetof(TypeNameId, Vec<Designator>),
    /// `__builtin_va_arg(e, type)`
    VaArg(ExprId, TypeNameId),
    /// `__builtin_types_compatible_p(a, b)`
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_choose_expr(c, a, b)`
    Choose(ExprId, ExprId, ExprId),
    /// `__builtin_convertvector(e, type)`, `__builtin_bit_cast(type, e)`: an expression given a type.
    ConvertVector(ExprId, TypeNameId),
    /// `__builtin_has_attribute(…, attribute)`: a constant 0 or 1 that only the C compiler knows.
    HasAttribute,
    /// `&&label`
    LabelAddr(Name),
    /// `__extension__ e`
    Extension(ExprId),
    /// `__func__`, `__FUNCTION__`, `__PRETTY_FUNCTION__`
    FuncName,
    /// UPC `THREADS` (dynamic environment; in the static one it is a macro)
    Threads,
    /// UPC `MYTHREAD`
    MyThread,
    /// Text that could not be read; an error has been reported.
    Error,
}

/// Split-C's assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitOp {
    /// `:=`, a get or a put.
    Assign,
    /// `:-`, a store.
    Store,
}

/// `++` or `--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IncDec {
    Inc,
    Dec,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnOp {
    Addr,
    Deref,
    Plus,
    Minus,
    BitNot,
    Not,
    Real,
    Imag,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Comma,
}

/// Operators on types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SizeOp {
    Sizeof,
    Alignof,
    UpcLocalsizeof,
    UpcBlocksizeof,
    UpcElemsizeof,
}

// ---- statements ----------------------------------------------------------------------------------

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// All of it, with its semicolon or braces.
    pub span: Span,
    /// Its form.
    pub kind: StmtKind,
}

/// Kinds of [`Stmt`].
#[derive(Debug)]
pub enum StmtKind {
    /// `{ … }`: declarations are [`StmtKind::Decl`].
    Compound(Vec<StmtId>),
    /// A declaration, or a nested function.
    Decl(DeclId),
    /// `e;` or `;`
    Expr(Option<ExprId>),
    /// `if`
    If(ExprId, StmtId, Option<StmtId>),
    /// `while`
    While(ExprId, StmtId),
    /// `do … while`
    Do(StmtId, ExprId),
    /// `for`
    For {
        /// First clause.
        init: ForInit,
        /// Second.
        cond: Option<ExprId>,
        /// Third.
        step: Option<ExprId>,
        /// Body.
        body: StmtId,
    },
    /// `upc_forall`
    Forall {
        /// First clause.
        init: ForInit,
        /// Second.
        cond: Option<ExprId>,
        /// Third.
        step: Option<ExprId>,
        /// Fourth.
        affinity: Affinity,
        /// Body.
        body: StmtId,
    },
    /// `switch`
    Switch(ExprId, StmtId),
    /// `case a:` and `case a ... b:` with the statement that follows.
    Case(ExprId, Option<ExprId>, StmtId),
    /// `default:`
    Default(StmtId),
    /// `name:`
    Label(Name, StmtId),
    /// `goto name;`
    Goto(Name),
    /// `goto *e;`
    GotoExpr(ExprId),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return e;`
    Return(Option<ExprId>),
    /// `asm`.
    Asm {
        /// Outputs, then inputs.
        operands: Vec<AsmOperand>,
        /// Whether it is `asm goto`.
        jumps: bool,
    },
    /// `upc_notify`, `upc_wait`, `upc_barrier` with their value.
    Barrier(BarrierKind, Option<ExprId>),
    /// `upc_fence;`
    Fence,
    /// `__label__ a, b;`, `__attribute__((fallthrough));`: text without expressions.
    Opaque,
    /// Text that could not be read; an error has been reported.
    Error,
}

/// An operand of `asm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsmOperand {
    /// What is operated on; of an output an lvalue.
    pub expr: ExprId,
    /// Whether the assembly reads it, or what it was before.
    pub reads: bool,
    /// Whether the assembly writes it.
    pub writes: bool,
}

/// Synchronisation statements with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BarrierKind {
    Notify,
    Wait,
    Barrier,
}

/// First clause of a `for`.
#[derive(Clone, Copy, Debug)]
pub enum ForInit {
    /// Nothing.
    None,
    /// An expression.
    Expr(ExprId),
    /// A declaration, with its semicolon.
    Decl(DeclId),
}

/// Fourth clause of a `upc_forall`.
#[derive(Clone, Copy, Debug)]
pub enum Affinity {
    /// Not written.
    None,
    /// `continue`
    Continue,
    /// An expression.
    Expr(ExprId),
}
