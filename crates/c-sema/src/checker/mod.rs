//! The state of the checks.
//!
//! One [`Checker`] walks one translation unit. Its methods are spread over the modules by their subjects.
//! This module has the state that they share: the tables being filled, the scopes, the function around the
//! present point, the messages.

pub(crate) mod function;
mod packs;
pub(crate) mod scope;

use crate::library::{self, Entry};
use crate::owning::Owning;
use crate::typed::{SymId, SymKind, Symbol, Typed};
use crate::types::{IntKind, QTy, RecordId, Ty, TyId};
use base::{Code, Diagnostic, Source, Span};
use c_syntax::Language;
use c_syntax::ast::{DeclaratorId, ExprId, StmtId, Unit};
use c_syntax::dialect::Words;
use function::Function;
use packs::Packs;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Bound, Scopes};

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

/// Deepest nesting of expressions and statements that is checked.
pub(crate) const MAX_DEPTH: u32 = 20_000;

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

/// The checks of one translation unit.
pub(crate) struct Checker<'a> {
    pub unit: &'a Unit,
    pub source: &'a Source,
    pub env: Env,
    pub out: Typed,
    pub diags: Vec<Diagnostic>,
    errors: usize,
    /// Over 0: messages are dropped (for branches that are not compiled).
    pub quiet: u32,
    /// Nesting of expressions and statements at this point.
    pub depth: u32,
    too_deep: bool,
    pub basic: Basics,
    pub scopes: Scopes<'a>,
    /// By [`SymId`].
    pub info: Vec<SymInfo>,
    /// Names with external linkage, declared in any scope, so that two block-scope `extern`s agree.
    pub linked: FxHashMap<&'a str, SymId>,
    pub function: Option<Box<Function<'a>>>,
    /// Bindings of the parameter lists of function declarators that a body may follow.
    pub kept: FxHashMap<DeclaratorId, Vec<Bound<'a>>>,
    /// Values of floating constant expressions.
    pub floats: FxHashMap<ExprId, f64>,
    /// Values of pointers that are integer constants cast, and of `&p->m` computed from them.
    pub addresses: FxHashMap<ExprId, i128>,
    /// How structs are packed.
    pub packs: Packs,
    /// The statement that gives the value of the statement expression around this point.
    pub value_stmt: Option<StmtId>,
    /// A shared object is being initialised, whose initialiser is dealt out over the threads.
    pub deals: bool,
    /// [`Typed::longest_row`](crate::typed::Typed::longest_row) of the present initialiser, or 0.
    pub longest_row: u64,
    /// The operand of the `&` that is being checked.
    pub addressed: Option<ExprId>,
    /// Conversions to local pointers in AC, and the assignments that they depend on.
    pub owning: Owning,
    /// Undeclared names already reported.
    pub reported: FxHashSet<&'a str>,
    /// Members that records do not have, and incomplete records (without a member's name), which have been
    /// reported.
    pub no_members: FxHashSet<(RecordId, Box<str>)>,
}

impl<'a> Checker<'a> {
    /// The state before the first declaration.
    pub fn new(unit: &'a Unit, source: &'a Source, env: Env) -> Checker<'a> {
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
        Checker {
            unit,
            source,
            env,
            out,
            diags: Vec::new(),
            errors: 0,
            quiet: 0,
            depth: 0,
            too_deep: false,
            basic,
            scopes: Scopes::default(),
            info: Vec::new(),
            linked: FxHashMap::default(),
            function: None,
            kept: FxHashMap::default(),
            floats: FxHashMap::default(),
            addresses: FxHashMap::default(),
            packs: Packs::of(source),
            value_stmt: None,
            addressed: None,
            deals: false,
            longest_row: 0,
            owning: Owning::default(),
            reported: FxHashSet::default(),
            no_members: FxHashSet::default(),
        }
    }

    /// Reports a message, unless messages are dropped here or there have been [`MAX_ERRORS`] errors.
    pub fn report(&mut self, mut diagnostic: Diagnostic) {
        let error = diagnostic.severity == base::Severity::Error;
        if self.quiet > 0 || self.errors >= MAX_ERRORS {
            return;
        }
        self.errors += usize::from(error);
        diagnostic.clause &= self.env.language.row().clauses;
        self.diags.push(diagnostic);
    }

    /// Reports an error that has only a place, a message and a label.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>, label: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message).label(label));
    }

    /// Enters one level of nesting. Returns false if it is too deep: then nothing below is checked.
    pub fn descend(&mut self, span: Span) -> bool {
        if self.depth >= MAX_DEPTH {
            if !self.too_deep {
                self.too_deep = true;
                self.error(
                    Code::TooDeep,
                    span,
                    format!("nested over {MAX_DEPTH} levels deep"),
                    "nesting reaches the limit here",
                );
            }
            return false;
        }
        self.depth += 1;
        true
    }

    /// The known name that `wrong` may have been meant for. Only the first messages look for one, because it
    /// compares all names.
    pub fn similar<'n>(&self, wrong: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
        let first = self.diags.len() < MOST_SUGGESTIONS;
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

    /// A new symbol.
    pub fn symbol(&mut self, name: &str, kind: SymKind, ty: QTy, span: Span, info: SymInfo) -> SymId {
        let id = SymId(self.out.symbols.len() as u32);
        self.out.symbols.push(Symbol {
            name: name.into(),
            kind,
            ty,
            span,
            file_scope: self.scopes.at_file(),
            address_taken: false,
        });
        self.info.push(info);
        id
    }

    /// A type by its id, unqualified.
    pub fn plain(&self, ty: TyId) -> QTy {
        QTy::plain(ty)
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
