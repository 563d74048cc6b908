//! The context of the checks: the tree, the tables being filled, and the messages.
//!
//! A rule judges one construct, whose operands have been checked. It takes a [`Context`], of which it asks
//! the types and values of the operands (`expr`), and to which it gives results and messages. It sees neither
//! scopes nor the function around the construct, and it checks no other expression.

mod expr;
mod values;
pub(crate) mod words;

use crate::library::{self, Entry};
use crate::owning::Owning;
use crate::typed::{SymId, SymKind, Typed};
use crate::types::{IntKind, QTy, Ty, TyId};
use base::{Code, Diagnostic, Source, Span};
use c_syntax::Language;
use c_syntax::ast::Unit;
use c_syntax::dialect::Words;
use values::Values;

/// The facts that the checks need from outside the text.
#[derive(Clone, Debug)]
pub struct Env {
    /// The dialect. Plain C has no shared types, so none of UPC's checks can fire.
    pub language: Language,
    /// The number of threads in the static THREADS environment.
    pub static_threads: Option<u32>,
    /// Plain char is signed (x86-64; unsigned on arm64).
    pub char_signed: bool,
    /// UPC_MAX_BLOCK_SIZE.
    pub max_block_size: u64,
}

impl Default for Env {
    fn default() -> Env {
        Env {
            language: Language::Upc,
            static_threads: None,
            char_signed: cfg!(target_arch = "x86_64"),
            max_block_size: 1 << 40,
        }
    }
}

/// The most errors that are collected: later ones would follow from them.
const MAX_ERRORS: usize = 1_000;

/// The most messages among which each may propose another name.
const MOST_SUGGESTIONS: usize = 100;

/// Ids of the most used types.
pub(crate) struct Basics {
    pub error: TyId,
    pub void: TyId,
    pub char: TyId,
    pub int: TyId,
    pub size: TyId,
    pub ptrdiff: TyId,
}

/// Facts about a symbol that only the checks need.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SymInfo {
    /// Has internal or external linkage, so that declarations of it may repeat.
    pub linked: bool,
    /// Declared by a call only.
    pub implicit: bool,
    /// The place of the name at its function body, if that was seen, and whether the body is `inline`, so
    /// that another may follow.
    pub body: Option<(Span, bool)>,
    /// The place of the name at its initialiser, if that was seen.
    pub initialised: Option<Span>,
    /// Declared `register`.
    pub register: bool,
}

/// The tree and its tables, as far as they have been filled, and the messages.
pub(crate) struct Context<'a> {
    pub unit: &'a Unit,
    pub source: &'a Source,
    pub env: Env,
    pub out: Typed,
    pub basic: Basics,
    /// By [`SymId`].
    pub info: Vec<SymInfo>,
    /// Values of constants that are no integers.
    pub values: Values,
    /// In a function: conversions to local pointers in AC, and the assignments that they depend on.
    pub owning: Option<Owning>,
    messages: Vec<Diagnostic>,
    errors: usize,
    /// Over 0: messages are dropped.
    quiet: u32,
}

impl<'a> Context<'a> {
    /// The context before the first declaration.
    pub fn new(unit: &'a Unit, source: &'a Source, env: Env) -> Context<'a> {
        let mut out = Typed::default();
        let mut id = |ty: Ty| out.types.intern(ty);
        let basic = Basics {
            error: id(Ty::Error),
            void: id(Ty::Void),
            char: id(Ty::Int(IntKind::Char)),
            int: id(Ty::Int(IntKind::Int)),
            size: id(Ty::Int(IntKind::ULong)),
            ptrdiff: id(Ty::Int(IntKind::Long)),
        };
        out.reserve(unit.exprs.len(), basic.error);
        out.static_threads = env.static_threads;
        out.types.language = env.language;
        Context {
            unit,
            source,
            env,
            out,
            basic,
            info: Vec::new(),
            values: Values::default(),
            owning: None,
            messages: Vec::new(),
            errors: 0,
            quiet: 0,
        }
    }

    /// The typed tree and the messages, in the order of the text.
    pub fn finish(mut self) -> (Typed, Vec<Diagnostic>) {
        self.out.library = (0..self.out.symbols.len() as u32)
            .filter_map(|n| Some((SymId(n), self.library(SymId(n))?)))
            .collect();
        self.messages.sort_by_key(|d| d.span.lo);
        (self.out, self.messages)
    }

    /// The number of messages so far.
    pub fn messages(&self) -> usize {
        self.messages.len()
    }

    /// Drops the messages from here on if `quiet`: those of a branch that is not compiled. Ended by
    /// [`Context::keep_messages`] with the same argument.
    pub fn drop_messages(&mut self, quiet: bool) {
        self.quiet += u32::from(quiet);
    }

    /// Ends what [`Context::drop_messages`] began.
    pub fn keep_messages(&mut self, quiet: bool) {
        self.quiet -= u32::from(quiet);
    }

    /// Whether messages are dropped here.
    pub fn is_quiet(&self) -> bool {
        self.quiet > 0
    }

    /// Reports a message, unless messages are dropped here or there have been [`MAX_ERRORS`] errors.
    pub fn report(&mut self, mut diagnostic: Diagnostic) {
        let error = diagnostic.severity == base::Severity::Error;
        if self.quiet > 0 || self.errors >= MAX_ERRORS {
            return;
        }
        self.errors += usize::from(error);
        diagnostic.clause &= self.env.language.row().clauses;
        self.messages.push(diagnostic);
    }

    /// Reports an error that has only a place, a message and a label.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>, label: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message).label(label));
    }

    /// The known name that `wrong` may have been meant for. Only the first messages look for one, because it
    /// compares all names.
    pub fn similar<'n>(&self, wrong: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        let first = self.messages.len() < MOST_SUGGESTIONS;
        first.then(|| base::similar(wrong, known)).flatten()
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &'a str {
        self.source.text.get(span.range()).unwrap_or("")
    }

    /// The row of a symbol that is a function of a library, as far as the text has been read.
    pub fn library(&self, sym: SymId) -> Option<&'static Entry> {
        let symbol = self.out.sym(sym);
        let info = &self.info[sym.0 as usize];
        let declared = matches!(symbol.kind, SymKind::Function | SymKind::Builtin) && info.linked;
        let name = match symbol.kind {
            SymKind::Builtin => symbol.name.strip_prefix("__builtin_")?,
            _ => &*symbol.name,
        };
        let own = || info.body.is_some_and(|(at, _)| !self.in_library(at));
        library::find_function(name, self.env.language)
            .filter(|row| declared && !own() && (!row.may_be_replaced() || self.in_library(symbol.span)))
    }

    /// Whether a place of the text is in a header of Split-C's library.
    pub fn in_library(&self, span: Span) -> bool {
        let at = self.source.presumed(span.lo);
        at.system && self.source.file(at.file).to_string_lossy().contains("split-c/")
    }

    /// Whether this is Split-C or AC, where all memory can be shared.
    pub fn everything(&self) -> bool {
        self.env.language.everything()
    }

    /// The words of the language that the file is written in, for messages.
    pub fn words(&self) -> &'static Words {
        self.env.language.words()
    }

    /// The type of anything unknown, which fits everywhere.
    pub fn unknown(&self) -> QTy {
        QTy::plain(self.basic.error)
    }

    /// `int`
    pub fn int_ty(&self) -> QTy {
        QTy::plain(self.basic.int)
    }
}
