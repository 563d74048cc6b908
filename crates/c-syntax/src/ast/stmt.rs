//! Statements in the tree, C's and UPC's.

use super::{DeclId, ExprId, Name, StmtId};
use base::Span;

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// All of it, with its semicolon or braces.
    pub span: Span,
    /// The place in the order of the program, see [`super::Unit`].
    pub at: Span,
    /// The form.
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
    /// The operand; for an output, an lvalue.
    pub expr: ExprId,
    /// Whether the assembly reads the operand's value before it.
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
