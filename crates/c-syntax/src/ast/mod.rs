//! The tree of a translation unit: C17, GNU C and the UPC dialect, as written.
//!
//! Nodes live in arenas of the [`Unit`] and are named by typed indices, so that later components keep their
//! findings in tables beside the tree. Every node has the span of text it was read from, markers and pragmas
//! inside included: whoever prints the program copies the unchanged parts.
//!
//! The tree has no types, no meaning of names (except typedef names, which the grammar needs), and nothing is
//! rewritten in it. Parentheses are nodes, so text and tree agree.

mod arena;
mod decl;
mod expr;
mod stmt;

pub use arena::{Arena, Id};
pub use decl::*;
pub use expr::*;
pub use stmt::*;

use base::Span;

/// An expression.
pub type ExprId = Id<Expr>;
/// A statement.
pub type StmtId = Id<Stmt>;
/// A declaration or function definition.
pub type DeclId = Id<Decl>;
/// A declared name (of a declaration, parameter, member) or a nameless declarator.
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
///
/// An expression or a statement has two places. `span` is the text that it was read from. `at` is its place
/// in the order of the program, within the place of the node that it is a part of. The parser makes both the
/// same. They differ if an optimisation puts a copy of a function's body before a statement: the text of the
/// copy is the function's.
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
    /// Changes of the default of shared accesses (UPC 6.7.1): offset in the text, true for strict. In order;
    /// the state before the first is relaxed. The end of a compound statement is a change back.
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

    /// The one expression in an initialiser, under any number of braces.
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

    /// Whether a statement is `;` or `{}`: the body of a busy-wait loop.
    pub fn is_empty(&self, s: StmtId) -> bool {
        match &self.stmts[s].kind {
            StmtKind::Expr(None) => true,
            StmtKind::Compound(items) => items.is_empty(),
            _ => false,
        }
    }

    /// The first clause of a C loop; only `for` has one.
    pub fn first_clause(&self, s: StmtId) -> ForInit {
        match self.stmts[s].kind {
            StmtKind::For { init, .. } => init,
            _ => ForInit::None,
        }
    }

    /// The offset in the text of the statement that has this place in the order of the program.
    pub fn begins(&self, at: Span) -> u32 {
        self.stmts.ids().find(|&s| self.stmts[s].at == at).map_or(at.lo, |s| self.stmts[s].span.lo)
    }

    /// Whether accesses at this offset are strict by default, that is, if no qualifier decides.
    pub fn strict_at(&self, offset: u32) -> bool {
        let n = self.strictness.partition_point(|&(at, _)| at <= offset);
        n > 0 && self.strictness[n - 1].1
    }
}

/// An identifier and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The spelling.
    pub text: Box<str>,
    /// The place.
    pub span: Span,
}
