//! The program that is lowered, and questions about it whose answers do not depend on the place of the text.
//!
//! Other files add the questions of their subjects: types as C text (`ty`), lengths of arrays (`length`),
//! places of shared objects (`place`), names for debuggers (`describe`).

use crate::{Form, escape};
use base::{Source, Span};
use c_sema::Typed;
use c_sema::typed::SymKind;
use c_sema::types::Ty;
use c_syntax::ast::*;
use opt::Tree;
use opt::tree::Access;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

/// `abi.h` and its parts.
const ABI_HEADERS: [&str; 9] = [
    "meridian/abi/abi.h",
    "meridian/abi/bytes.h",
    "meridian/abi/rows.h",
    "meridian/abi/access.h",
    "meridian/abi/update.h",
    "meridian/abi/early.h",
    "meridian/abi/prefetch.h",
    "meridian/abi/atomic.h",
    "meridian/abi/forall.h",
];

/// The tree, the text, and the options of the command line.
pub(crate) struct Program<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) unit: &'a Unit,
    pub(crate) typed: &'a Typed,
    pub(crate) source: &'a Source,
    /// Whether uninitialised definitions of several files are one object.
    pub(crate) merges: bool,
    /// Whether debuggers get the targets of pointers-to-shared.
    pub(crate) debug: bool,
    /// Whether the program is compiled with `-fsanitize=pgas` (`observed`).
    pub(crate) observed: bool,
    /// The lengths that are kept in constants.
    kept_lengths: RefCell<HashSet<ExprId>>,
    /// Which expressions need to be rewritten, as far as this is known.
    touched: Vec<Cell<Option<bool>>>,
}

impl<'a> Program<'a> {
    /// A program of which no length is kept.
    pub(crate) fn new(tree: &'a Tree, source: &'a Source, form: Form) -> Program<'a> {
        let (unit, typed) = (&tree.unit, &tree.typed);
        Program {
            tree,
            unit,
            typed,
            source,
            merges: form.merges,
            debug: form.debug,
            observed: form.observed,
            kept_lengths: RefCell::default(),
            touched: vec![Cell::new(None); unit.exprs.len()],
        }
    }

    /// Notes that a length is kept in a constant from here on.
    pub(crate) fn keep_length(&self, e: ExprId) {
        self.kept_lengths.borrow_mut().insert(e);
    }

    /// Whether an expression needs to be rewritten, if this is known.
    pub(crate) fn touched(&self, e: ExprId) -> Option<bool> {
        self.touched[e.index()].get()
    }

    /// Notes whether an expression needs to be rewritten.
    pub(crate) fn note_touched(&self, e: ExprId, is: bool) {
        self.touched[e.index()].set(Some(is));
    }

    /// Whether a length is kept in a constant.
    pub(crate) fn keeps_length(&self, e: ExprId) -> bool {
        self.kept_lengths.borrow().contains(&e)
    }

    /// Whether the prologue already contains the user's text at this place, which comes from a header of
    /// Meridian such as `am.h`.
    pub fn in_prologue(&self, span: Span) -> bool {
        let place = self.source.presumed(span.lo);
        let file = self.source.file(place.file);
        place.system && ABI_HEADERS.iter().any(|header| file.ends_with(header))
    }

    /// Whether this is Split-C or AC.
    pub(crate) fn everything(&self) -> bool {
        self.typed.types.language.everything()
    }

    /// The user's text of a span.
    pub(crate) fn text(&self, span: Span) -> &str {
        &self.source.text[span.range()]
    }

    pub fn is_void(&self, e: ExprId) -> bool {
        matches!(self.typed.types.of(self.typed.ty(e)), Ty::Void)
    }

    /// The operand that `_Generic` or `__builtin_choose_expr` selects: an lvalue, if it is one.
    pub(crate) fn chosen(&self, e: ExprId) -> Option<ExprId> {
        match self.unit.exprs[e].kind {
            ExprKind::Generic(..) => self.typed.generic_choice(e),
            ExprKind::Choose(c, a, b) => self.typed.constant(c).map(|c| if c != 0 { a } else { b }),
            _ => None,
        }
    }

    /// The operator's text between two operands.
    pub(crate) fn operator_between(&self, a: ExprId, b: ExprId) -> String {
        let between = Span::new(self.span(a).hi, self.span(b).lo);
        let is_op = |c: &char| "+-*/%&|^<>=".contains(*c);
        let lines = self.text(between).lines().filter(|l| !l.trim_start().starts_with('#'));
        lines.flat_map(str::chars).filter(is_op).collect()
    }

    /// The access that an expression has become, parentheses aside.
    pub(crate) fn access_of(&self, e: ExprId) -> Option<&'_ Access> {
        self.tree.access(self.unit.bare(e))
    }

    /// The name that a declarator declares; empty if it declares none.
    pub(crate) fn name_of(&self, d: DeclaratorId) -> String {
        self.unit.declarators[d].name.as_ref().map_or(String::new(), |n| n.text.to_string())
    }

    /// Whether a declarator declares an object of static storage duration.
    pub(crate) fn is_static(&self, d: DeclaratorId) -> bool {
        self.typed.declared(d).is_some_and(|s| matches!(self.typed.sym(s).kind, SymKind::Static { .. }))
    }

    pub(crate) fn is_automatic(&self, d: DeclaratorId) -> bool {
        self.typed.declared(d).is_some_and(|s| self.typed.sym(s).kind == SymKind::Auto)
    }

    /// `file:line`, as a string literal's content.
    pub(crate) fn where_is(&self, span: Span) -> String {
        let place = self.source.presumed(span.lo);
        escape(&format!("{}:{}", self.source.file(place.file).display(), place.line))
    }
}
