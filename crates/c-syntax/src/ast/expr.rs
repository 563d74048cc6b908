//! Expressions in the tree, and their operators.

use super::decl::Designator;
use super::{ExprId, InitId, Name, StmtId, TypeNameId};
use base::Span;

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// All of it.
    pub span: Span,
    /// The place in the order of the program, see [`super::Unit`].
    pub at: Span,
    /// The form.
    pub kind: ExprKind,
}

/// Kinds of [`Expr`].
#[derive(Debug)]
pub enum ExprKind {
    /// A name.
    Ident(Name),
    /// An integer or floating constant: spelled by the span.
    Number,
    /// A character constant.
    Char,
    /// A string literal, or several adjacent ones.
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
    /// `sizeof e` and the other operators of [`SizeOp`].
    SizeofExpr(SizeOp, ExprId),
    /// `sizeof(type)` and the other operators of [`SizeOp`].
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
