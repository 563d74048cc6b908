//! The tree of an Id program, as written.
//!
//! Every expression and pattern has a number, the key of the tables beside the tree in which the phases keep
//! their results.

use base::Span;

/// The number of an expression or pattern.
pub type NodeId = usize;

/// A name in lower case, and its position.
#[derive(Clone, Debug)]
pub struct Name {
    /// The word.
    pub text: String,
    /// The position of the name.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The number of the expression.
    pub id: NodeId,
    /// The position.
    pub span: Span,
    /// The kind, with the parts.
    pub kind: ExprKind,
    /// The depth of the tree of this expression, with the expression itself.
    pub depth: u32,
}

/// Operators that take two operands of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Append,
}

impl Op {
    /// The operator as written.
    pub fn text(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Pow => "^",
            Op::Eq => "==",
            Op::Ne => "<>",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::And => "and",
            Op::Or => "or",
            Op::Append => "++",
        }
    }
}

/// How an element or a field is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// `a[i]`
    Plain,
    /// `a![i]`: take or put.
    Take,
    /// `a!![i]`: examine or replace.
    Examine,
}

/// The kind of an array: functional, I or M.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ArrayKind {
    Functional,
    I,
    M,
}

/// The name that stands for a field that `Con {field = e; ...}` leaves out; `_` is a field that is left
/// empty.
pub const LEFT_OUT: &str = "..";

/// Whether a name stands for no value.
pub fn is_empty(name: &str) -> bool {
    name == "_" || name == LEFT_OUT
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ExprKind {
    Int(i64),
    Float(f64),
    Str(Vec<u8>),
    Char(u8),
    Name(String),
    /// `next x` in an expression: the next value of `x`.
    Next(Name),
    Apply(Box<Expr>, Vec<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    /// `h : t`, and whether head and tail are delayed.
    Cons {
        head: Box<Expr>,
        tail: Box<Expr>,
        delay_head: bool,
        delay_tail: bool,
    },
    Tuple(Vec<Expr>),
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    Case(Box<Expr>, Vec<Arm>),
    Block(Block),
    Loop(Box<Loop>),
    Fun(Vec<Clause>),
    Index(Box<Expr>, Vec<Expr>, Access),
    Field(Box<Expr>, Name, Access),
    ListCompr(Box<Expr>, Vec<Gen>),
    ArrayCompr(Box<ArrayCompr>),
    /// Text that could not be parsed, which has been reported.
    Bad,
}

/// `{array bounds | regions accumulate op | gets}`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ArrayCompr {
    pub dims: usize,
    pub kind: ArrayKind,
    pub bounds: Expr,
    pub regions: Vec<Region>,
    pub accumulate: Option<(Expr, Vec<Region>)>,
}

/// `[index] = value || gens`, or `index gets value || gens`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Region {
    pub index: Vec<Expr>,
    pub value: Expr,
    pub gens: Vec<Gen>,
    pub span: Span,
}

/// A generator, a binding or a filter of a comprehension.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Gen {
    Range(Pat, Range),
    List(Pat, Expr),
    Bind(Pat, Expr),
    When(Expr),
}

/// `lo to hi by step`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Range {
    pub from: Expr,
    pub to: Expr,
    pub by: Option<Expr>,
    pub down: bool,
}

/// An arm of a case.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Arm {
    pub pat: Pat,
    pub guard: Option<Expr>,
    pub body: Expr,
}

/// A clause of a function.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Clause {
    pub params: Vec<Pat>,
    pub guard: Option<Expr>,
    pub body: Expr,
    pub span: Span,
}

/// Groups of statements between barriers, and the result.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Block {
    pub groups: Vec<Vec<Stmt>>,
    pub result: Option<Box<Expr>>,
}

/// The head of a loop.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum LoopHead {
    Range(Name, NodeId, Range),
    List(Pat, Expr),
    While(Expr),
}

/// A loop.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Loop {
    pub head: LoopHead,
    pub bound: Option<Expr>,
    pub groups: Vec<Vec<Stmt>>,
    pub finally: Option<Expr>,
}

/// A function definition.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Def {
    pub name: Name,
    pub clauses: Vec<Clause>,
    pub subst: bool,
    pub id: NodeId,
}

/// A left-hand side of a binding, which may have several.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Lhs {
    Pat(Pat),
    Next(Name, NodeId),
    Store { base: Expr, index: Vec<Expr>, access: Access, span: Span },
    StoreField { base: Expr, field: Name, access: Access },
}

/// A statement of a block, a loop or the program.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Stmt {
    Def(Def),
    /// A binding of one left-hand side, or of several, to which the components of a tuple go.
    Bind {
        lhs: Vec<Lhs>,
        value: Expr,
        span: Span,
    },
    /// An expression for its effect: `call`, a loop, an `if`, a block.
    Do(Expr),
    TypeOf(Name, TypeExpr),
}

impl Stmt {
    /// The position of a statement: its name, or all of it.
    pub fn place(&self) -> Span {
        match self {
            Stmt::Def(def) => def.name.span,
            Stmt::Bind { span, .. } => *span,
            Stmt::Do(e) => e.span,
            Stmt::TypeOf(name, _) => name.span,
        }
    }
}

/// A type as written.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum TypeExpr {
    Name(Name),
    Var(String, Span),
    Apply(Box<TypeExpr>, Vec<TypeExpr>),
    Tuple(Vec<TypeExpr>),
    Fun(Box<TypeExpr>, Box<TypeExpr>),
}

/// A pattern.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Pat {
    pub id: NodeId,
    pub span: Span,
    pub kind: PatKind,
}

/// The kinds of patterns.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum PatKind {
    Wild,
    /// `()`.
    Void,
    Name(String),
    Int(i64),
    Float(f64),
    Char(u8),
    Str(Vec<u8>),
    Con(Name, Vec<Pat>),
    Tuple(Vec<Pat>),
}

/// A constructor of a declared type.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ConDecl {
    pub name: Name,
    pub fields: Vec<FieldDecl>,
}

/// A field, with a name if it is declared in braces; `.` makes an I-field, `!` an M-field.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct FieldDecl {
    pub name: Option<Name>,
    pub ty: TypeExpr,
    pub kind: ArrayKind,
}

/// `type name params = constructors`, or `typesyn name params = type`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct TypeDecl {
    pub name: Name,
    pub params: Vec<String>,
    pub cons: Vec<ConDecl>,
    pub synonym: Option<TypeExpr>,
}

/// A program: the library and the user's files together.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Program {
    pub types: Vec<TypeDecl>,
    /// The statements of the library.
    pub library: Vec<Stmt>,
    /// The statements of the user.
    pub stmts: Vec<Stmt>,
    /// The top-level expressions.
    pub results: Vec<Expr>,
    /// The functions of C: the name, and the symbol in C.
    pub externals: Vec<(Name, String)>,
    /// The number of numbered nodes.
    pub nodes: usize,
    /// Arguments of applications with which a line begins: a semicolon may be missing before them.
    pub on_next_line: std::collections::HashSet<NodeId>,
}
