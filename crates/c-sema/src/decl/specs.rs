//! Declaration specifiers: their type, and the qualifiers with UPC's block sizes.

use super::attrs;
use crate::checker::Checker;
use crate::context::Context;
use crate::names::Names;
use crate::types::{Block, FloatKind, IntKind, QTy, Quals, Ty};
use crate::upc::layout::{self, Place};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{
    Alignment, Basic, Layout, Qual, QualKind, Specs, SpecsId, Storage, TypeNameId, TypeSpec,
};

/// The result of declaration specifiers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Specified {
    /// The type with its qualifiers.
    pub ty: QTy,
    /// The storage class other than `_Thread_local`.
    pub storage: Option<Storage>,
    /// The place of `_Thread_local`.
    pub thread_local: Option<Span>,
    /// `inline`
    pub inline: bool,
    /// `__auto_type`: the type is the initialiser's.
    pub auto: bool,
    /// The place of a written layout.
    pub layout: Option<Span>,
    /// No type was written: int, in old C.
    pub implicit_int: bool,
    /// clang's `overloadable`: functions of this name may differ in their parameters.
    pub overloadable: bool,
    /// `shared` comes only from the `typeof` of a shared object.
    pub copied: bool,
}

/// A list of qualifiers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QualList {
    pub quals: Quals,
    /// The place of a written layout.
    pub layout: Option<Span>,
    /// The place of `strict` or `relaxed`.
    pub reference: Option<Span>,
    pub shared: Option<Span>,
    /// A layout is no block size, which has been reported: the type is unknown.
    pub bad_layout: bool,
    /// Split-C: the block that `global` or `spread` after a `*` gives the pointer's target, and its place.
    pub pointer: Option<(Block, Span)>,
}

impl<'a> Checker<'a> {
    /// Reads specifiers. `lone`: no declarator follows, so `struct s;` declares a tag of this scope.
    pub fn specs(&mut self, id: SpecsId, lone: bool) -> Specified {
        let unit = self.cx.unit;
        let specs = &unit.specs[id];
        let list = self.quals(&specs.quals);
        let auto = specs.types.iter().any(|t| matches!(t, TypeSpec::AutoType(_)));
        let base = self.base_type(specs, lone && specs.quals.is_empty() && specs.storage.is_empty());
        let base = self.with_type_attrs(base, &specs.attrs);
        for alignas in &specs.alignas {
            match alignas.of {
                Alignment::Expr(e) => {
                    self.constant(e, "an alignment");
                }
                Alignment::Type(t) => {
                    self.type_name(t);
                }
            }
        }
        if let Some((_, at)) = list.pointer {
            let word = self.cx.text(at);
            self.cx.report(
                Diagnostic::error(Code::GlobalQualifier, at, format!("`{word}` qualifies no pointer here"))
                    .label("stands before the `*`, or there is no `*`")
                    .help(format!("write `{word}` after the `*` of a pointer: `int *{word} p`")),
            );
        }
        let ty = with_quals(&mut self.cx, base, list, specs.span);
        let ty = check_row_of_threads(&mut self.cx, &self.names, specs, ty);
        self.cx.out.specs_ty.insert(id, ty);
        let class = |s: &&(Storage, Span)| s.0 != Storage::ThreadLocal;
        Specified {
            ty,
            storage: specs.storage.iter().find(class).map(|s| s.0),
            thread_local: specs.storage.iter().find(|s| !class(s)).map(|s| s.1),
            inline: specs.function.iter().any(|&f| self.cx.text(f).contains("inline")),
            auto,
            layout: list.layout,
            implicit_int: specs.types.is_empty(),
            overloadable: attrs::has(&specs.attrs, "overloadable"),
            copied: list.shared.is_none() && matches!(specs.types[..], [TypeSpec::TypeofExpr(..)]),
        }
    }

    /// The type of a type name.
    pub fn type_name(&mut self, id: TypeNameId) -> QTy {
        if let Some(&done) = self.cx.out.type_name.get(id) {
            return done;
        }
        let unit = self.cx.unit;
        let name = &unit.type_names[id];
        let said = self.specs(name.specs, false);
        let ty = self.declarator(name.declarator, said.ty, said.layout, Place::TypeName);
        let ty = layout::resolve_star(&mut self.cx, ty, name.span);
        self.cx.out.declarator_ty.insert(name.declarator, ty);
        self.cx.out.type_name.insert(id, ty);
        ty
    }

    /// The qualifiers of a list, with the constraints on one list (UPC 6.5).
    pub fn quals(&mut self, list: &[Qual]) -> QualList {
        let mut out = QualList::default();
        let mut strictness: Option<(bool, Span)> = None;
        for q in list {
            match q.kind {
                QualKind::Const => out.quals.is_const = true,
                QualKind::Volatile => out.quals.is_volatile = true,
                QualKind::Restrict => out.quals.is_restrict = true,
                QualKind::Atomic => out.quals.is_atomic = true,
                QualKind::Strict | QualKind::Relaxed => {
                    let strict = q.kind == QualKind::Strict;
                    match strictness {
                        Some((before, at)) if before != strict => {
                            layout::strict_and_relaxed(&mut self.cx, q.span, Some(at))
                        }
                        _ => {
                            strictness = Some((strict, q.span));
                            out.quals.is_strict |= strict;
                            out.quals.is_relaxed |= !strict;
                        }
                    }
                    out.reference = Some(q.span);
                }
                QualKind::Global => global_or_spread(&mut self.cx, &mut out, Block::Indefinite, q.span),
                QualKind::Spread => global_or_spread(&mut self.cx, &mut out, Block::Spread, q.span),
                QualKind::Shared(layout) => {
                    let block = self.block_size(layout);
                    out.bad_layout |= block.is_none();
                    let block = block.unwrap_or(Block::Size(1));
                    add_shared(&mut self.cx, &mut out, block, layout != Layout::Default, q.span);
                }
            }
        }
        out
    }

    /// The block size of a layout qualifier.
    pub fn block_size(&mut self, layout: Layout) -> Option<Block> {
        let e = match layout {
            Layout::Default => return Some(Block::Size(1)),
            Layout::Indefinite => return Some(Block::Indefinite),
            Layout::Star => return Some(Block::Star),
            Layout::Expr(e) => e,
        };
        let ty = self.expr(e);
        layout::check_block_size(&mut self.cx, e, ty)
    }

    fn base_type(&mut self, specs: &'a Specs, lone: bool) -> QTy {
        let mut basics = Vec::new();
        let mut named: Option<QTy> = None;
        for spec in &specs.types {
            let ty = match spec {
                TypeSpec::Basic(b, _) => {
                    basics.push(*b);
                    continue;
                }
                TypeSpec::Typedef(name) => typedef_name(&mut self.cx, &self.names, name),
                TypeSpec::Record(id) => self.record_spec(*id, lone),
                TypeSpec::Enum(id) => self.enum_spec(*id, lone),
                TypeSpec::TypeofExpr(e, span) => {
                    let ty = self.expr(*e);
                    typeof_result(&mut self.cx, ty, *span)
                }
                TypeSpec::TypeofType(t, span) => {
                    let ty = self.type_name(*t);
                    typeof_result(&mut self.cx, ty, *span)
                }
                TypeSpec::Atomic(t, _) => {
                    let ty = self.type_name(*t);
                    self.cx.out.types.qualify(ty, Quals { is_atomic: true, ..Quals::default() })
                }
                TypeSpec::AutoType(_) => self.cx.unknown(),
            };
            // Unknown types have been reported.
            if named.replace(ty).is_some_and(|before| !self.cx.out.types.is_error(before)) {
                self.cx.error(
                    Code::BadSpecifiers,
                    specs.span,
                    "two types in one declaration",
                    "names two types",
                );
            }
        }
        match named {
            Some(ty) if basics.is_empty() || basics == [Basic::Complex] || self.cx.out.types.is_error(ty) => {
                ty
            }
            Some(ty) => {
                self.cx.error(
                    Code::BadSpecifiers,
                    specs.span,
                    "two types in one declaration",
                    "names two types",
                );
                ty
            }
            None => match basic_type(&basics) {
                Some(ty) => QTy::plain(self.cx.out.types.intern(ty)),
                None => {
                    self.cx.error(
                        Code::BadSpecifiers,
                        specs.span,
                        format!("`{}` is not a type", self.cx.text(specs.span)),
                        "these specifiers do not go together",
                    );
                    self.cx.unknown()
                }
            },
        }
    }
}

fn typedef_name<'a>(cx: &mut Context<'a>, names: &Names, name: &'a c_syntax::ast::Name) -> QTy {
    let found = names.find(&name.text).map(|s| cx.out.sym(s).clone());
    match found {
        Some(sym) if sym.kind == crate::typed::SymKind::Typedef => {
            let ty = Ty::Named(sym.name, sym.ty);
            QTy::plain(cx.out.types.intern(ty))
        }
        _ if &*name.text == "__int128_t" => cx.out.types.int(IntKind::Int128),
        _ if &*name.text == "__uint128_t" => cx.out.types.int(IntKind::UInt128),
        _ if name.text.starts_with("__") => cx.unknown(),
        _ => {
            let message = format!("`{}` is not a type here", name.text);
            cx.error(Code::Undeclared, name.span, message, "not a type name");
            cx.unknown()
        }
    }
}

/// Refuses a private use of a typedef of file scope for an array of THREADS elements, whose length is
/// known only when the program starts. Only shared declarations may use it.
fn check_row_of_threads<'a>(cx: &mut Context<'a>, names: &Names, specs: &'a Specs, ty: QTy) -> QTy {
    let typedef = specs.storage.iter().any(|s| s.0 == Storage::Typedef) && names.at_file();
    let [TypeSpec::Typedef(name)] = &specs.types[..] else { return ty };
    if typedef || cx.everything() || cx.out.types.is_shared(ty) {
        return ty;
    }
    let file = names.find(&name.text).is_some_and(|s| cx.out.sym(s).file_scope);
    // This test comes last, because it goes through all dimensions.
    if !file || !cx.out.types.elements(ty).is_some_and(|(_, threads)| threads) {
        return ty;
    }
    private_rows(cx, name.span);
    cx.unknown()
}

/// Reports a private use of a type whose length depends on THREADS.
pub(crate) fn private_rows(cx: &mut Context, span: Span) {
    let message = "a private type whose length depends on THREADS, outside of a shared declaration";
    cx.report(
        Diagnostic::error(Code::NotConstant, span, message)
            .label("the length is known only at run time")
            .help("declare the array in the function: `int a[THREADS]`, or fix the number of threads (-T N)"),
    );
}

fn global_or_spread(cx: &mut Context, list: &mut QualList, block: Block, span: Span) {
    if let Some((before, at)) = list.pointer
        && before != block
    {
        cx.report(
            Diagnostic::error(Code::GlobalQualifier, span, "one pointer is both `global` and `spread`")
                .label("the second")
                .also(at, "the first")
                .help("write `global` if the pointer steps within a processor, `spread` if it steps from one processor to the next"),
        );
    }
    list.pointer = Some((block, span));
}

fn add_shared(cx: &mut Context, list: &mut QualList, block: Block, written: bool, span: Span) {
    match (list.layout, written) {
        (Some(before), true) if list.quals.shared == Some(block) => layout::same_block_size(cx, span, before),
        (Some(before), true) => layout::two_block_sizes(cx, span, Some(before)),
        (Some(_), false) => {}
        (None, _) => {
            list.quals.shared = Some(block);
            list.layout = written.then_some(span);
        }
    }
    list.shared = Some(span);
}

/// Puts a list of qualifiers on a type, whose own qualifiers must not contradict.
pub(crate) fn with_quals(cx: &mut Context, base: QTy, list: QualList, span: Span) -> QTy {
    if list.bad_layout {
        return cx.unknown();
    }
    let inner = cx.out.types.object_quals(base);
    let mut quals = list.quals;
    if let (Some(own), Some(asked)) = (inner.shared, quals.shared) {
        if list.layout.is_none() {
            // A plain `shared` specifies no block size of its own: the typedef's stands.
            quals.shared = Some(own);
        } else if own != asked {
            layout::two_block_sizes(cx, list.layout.unwrap_or(span), None);
        }
    }
    if (quals.is_strict && inner.is_relaxed) || (quals.is_relaxed && inner.is_strict) {
        layout::strict_and_relaxed(cx, list.reference.unwrap_or(span), None);
    }
    // In a system header `strict` is the name of a parameter of plain C, not UPC's keyword.
    let private = quals.shared.is_none() && inner.shared.is_none();
    let ours = |at: &Span| private && !cx.source.presumed(at.lo).system;
    if let Some(at) = list.reference.filter(ours) {
        let word = if quals.is_strict { "strict" } else { "relaxed" };
        cx.report(
            Diagnostic::error(Code::ReferenceQualifier, at, format!("`{word}` without `shared`"))
                .label("qualifies a type that is not shared")
                .help(format!("write `{word} shared …`, or leave `{word}` out")),
        );
    }
    if let (Some(at), true) = (list.shared, cx.out.types.as_function(base).is_some()) {
        let shared = cx.words().shared;
        cx.report(
            Diagnostic::error(Code::BadType, at, format!("a function type cannot be {shared}"))
                .label(format!("`{shared}` qualifies a function type here"))
                .help(format!("functions are private code on every thread: leave `{shared}` out")),
        );
        return base;
    }
    let object = cx.out.types.element(base);
    let pointer = cx.out.types.is_pointer(object) || cx.out.types.is_error(object);
    if quals.is_restrict && quals.shared.is_some() && !pointer {
        let shown = cx.out.types.show_aka(base);
        cx.error(Code::BadSpecifiers, span, format!("`restrict` on {shown}"), "is not a pointer");
    }
    cx.out.types.qualify(base, quals)
}

fn typeof_result(cx: &mut Context, ty: QTy, span: Span) -> QTy {
    if cx.text(span).contains("unqual") { cx.out.types.unqualified(ty) } else { ty }
}

/// The type that keywords denote together, in any order (C17 6.7.2). Returns `None` if they do not go
/// together.
fn basic_type(words: &[Basic]) -> Option<Ty> {
    let count = |b: Basic| words.iter().filter(|&&w| w == b).count();
    let (signed, unsigned) = (count(Basic::Signed) > 0, count(Basic::Unsigned) > 0);
    let (longs, short) = (count(Basic::Long), count(Basic::Short));
    let complex = count(Basic::Complex) + count(Basic::Imaginary) > 0;
    if (signed && unsigned) || longs > 2 || short > 1 || (longs > 0 && short > 0) {
        return None;
    }
    let modifiers = signed || unsigned || longs > 0 || short > 0;
    let mut rest = words.iter().filter(|w| {
        use Basic::*;
        !matches!(w, Signed | Unsigned | Long | Short | Complex | Imaginary)
    });
    let (main, extra) = (rest.next(), rest.next());
    if extra.is_some() {
        return None;
    }
    let sign = |s: IntKind| if unsigned { s.to_unsigned() } else { s };
    let int = match (short > 0, longs) {
        (true, _) => sign(IntKind::Short),
        (_, 0) => sign(IntKind::Int),
        (_, 1) => sign(IntKind::Long),
        _ => sign(IntKind::LongLong),
    };
    let whole = |k: IntKind| Some(if complex { Ty::ComplexInt(k) } else { Ty::Int(k) });
    let real = |k: FloatKind| Some(if complex { Ty::Complex(k) } else { Ty::Float(k) });
    match main {
        None if complex && !modifiers => real(FloatKind::Double),
        None if complex && longs == 1 && !signed && !unsigned && words.len() == 2 => whole(IntKind::Long),
        None | Some(Basic::Int) => whole(int),
        Some(Basic::Char) if longs == 0 && short == 0 => match (signed, unsigned) {
            (true, _) => whole(IntKind::SChar),
            (_, true) => whole(IntKind::UChar),
            _ => whole(IntKind::Char),
        },
        Some(Basic::Int128) if longs == 0 && short == 0 => whole(sign(IntKind::Int128)),
        Some(Basic::Double) if longs == 1 && !signed && !unsigned && short == 0 => {
            real(FloatKind::LongDouble)
        }
        _ if modifiers => None,
        Some(Basic::Double) => real(FloatKind::Double),
        Some(Basic::Float) => real(FloatKind::Float),
        Some(Basic::FloatN(bits, x)) => real(FloatKind::N(*bits, *x)),
        Some(Basic::Void) if !complex => Some(Ty::Void),
        Some(Basic::Bool) if !complex => Some(Ty::Int(IntKind::Bool)),
        Some(Basic::Decimal(bits)) if !complex => Some(Ty::Float(FloatKind::Decimal(*bits))),
        Some(Basic::VaList) if !complex => Some(Ty::VaList),
        _ => None,
    }
}
