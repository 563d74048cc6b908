//! The names of one declaration: the type of each object, function or typedef name, its initialiser, and its
//! entry into the scope (C17 6.7, UPC 6.5).

use super::attrs;
use super::specs::Specified;
use crate::checker::Checker;
use crate::context::{Context, SymInfo};
use crate::typed::{SymId, SymKind};
use crate::types::{Block, Len, QTy, Ty, Types};
use crate::upc::layout::{self, Place};
use base::{Code, Diagnostic};
use c_syntax::ast::{InitDeclarator, InitKind, Name, QualKind, SpecsId, Storage, TypeSpec};
use c_syntax::dialect::Words;

impl<'a> Checker<'a> {
    /// The names of one declaration, which may be none.
    pub(super) fn variables(&mut self, specs: SpecsId, items: &'a [InitDeclarator]) {
        let said = self.specs(specs, items.is_empty());
        if items.is_empty() {
            check_declares(&mut self.cx, specs);
            return;
        }
        check_implicit_int(&mut self.cx, &said, specs);
        for (i, item) in items.iter().enumerate() {
            self.variable(&said, item);
            if i == 0
                && said.copied
                && !self.cx.out.types.is_shared(self.cx.out.declarator_ty(item.declarator))
            {
                let quals = crate::types::Quals {
                    shared: None,
                    is_strict: false,
                    is_relaxed: false,
                    ..said.ty.quals
                };
                let ty = self.cx.out.types.strip(said.ty).ty;
                self.cx.out.specs_ty.insert(specs, QTy { ty, quals });
            }
            if i == 0 && self.cx.out.types.block(said.ty) == Some(Block::Star) {
                // No `[*]` is left in the tables: the specifiers get the block size that the first declarator
                // computed.
                let block = self.cx.out.types.block(self.cx.out.declarator_ty(item.declarator));
                let block = block.filter(|&b| b != Block::Star).unwrap_or(Block::Size(1));
                let ty = layout::replace_star(&mut self.cx.out.types, said.ty, block);
                self.cx.out.specs_ty.insert(specs, ty);
            }
        }
    }

    fn variable(&mut self, said: &Specified, item: &'a InitDeclarator) {
        let unit = self.cx.unit;
        let place = match said.storage {
            Some(Storage::Typedef) => Place::Typedef,
            Some(Storage::Static | Storage::Extern) => Place::Static,
            _ if self.names.at_file() => Place::Static,
            _ => Place::Block,
        };
        let base = if said.auto { self.auto_type(item, said.ty) } else { said.ty };
        let ty = self.declarator(item.declarator, base, said.layout, place);
        let ty = self.with_type_attrs(ty, &item.attrs);
        let Some(name) = &unit.declarators[item.declarator].name else {
            let ty = replace_star_if_any(&mut self.cx.out.types, ty);
            self.cx.out.declarator_ty.insert(item.declarator, ty);
            return;
        };
        if place == Place::Typedef {
            self.typedef(item, name, ty);
        } else if self.cx.out.types.as_function(ty).is_some() {
            self.cx.out.declarator_ty.insert(item.declarator, ty);
            self.names.make_way(&mut self.cx, name, Some(ty));
            let overloadable = said.overloadable || attrs::has(&item.attrs, "overloadable");
            if said.storage == Some(Storage::Auto) && !self.names.at_file() {
                self.names.declare_nested(&mut self.cx, item.declarator, name, ty);
            } else {
                self.names.declare_function(&mut self.cx, item.declarator, name, ty, overloadable);
            }
            if item.init.is_some() {
                self.cx.error(
                    Code::BadInitializer,
                    name.span,
                    format!("function `{}` is initialised", name.text),
                    "is a function",
                );
            }
        } else {
            self.object(said, item, name, ty);
        }
    }

    /// `__auto_type x = e`: the type of the value of e.
    fn auto_type(&mut self, item: &InitDeclarator, otherwise: QTy) -> QTy {
        let Some(init) = item.init else { return otherwise };
        let InitKind::Expr(e) = self.cx.unit.inits[init].kind else { return otherwise };
        let value = self.rvalue(e);
        QTy { ty: value.ty, quals: otherwise.quals }
    }

    fn typedef(&mut self, item: &'a InitDeclarator, name: &'a Name, ty: QTy) {
        if self.cx.out.types.block(ty) == Some(Block::Star) {
            self.cx.report(
                Diagnostic::error(Code::LayoutStar, name.span, "`[*]` in a typedef")
                    .label("a typedef declares no array whose length could be divided")
                    .help("write the block size as a number, or use `[*]` where the array is declared"),
            );
        }
        let ty = replace_star_if_any(&mut self.cx.out.types, ty);
        self.cx.out.declarator_ty.insert(item.declarator, ty);
        if let Some(align) = self.aligned(&item.attrs) {
            let named = self.cx.out.types.intern(Ty::Named(name.text.clone(), ty));
            let most = self.cx.out.types.aligned.entry(named).or_insert(align);
            *most = align.max(*most);
        }
        self.names.declare_typedef(&mut self.cx, item.declarator, name, ty);
    }

    // ---- objects ---------------------------------------------------------------------------------

    fn object(&mut self, said: &Specified, item: &'a InitDeclarator, name: &'a Name, ty: QTy) {
        let file = self.names.at_file();
        if file {
            self.names.make_way(&mut self.cx, name, None);
        }
        let is_extern = said.storage == Some(Storage::Extern);
        let automatic = match said.storage {
            Some(Storage::Register | Storage::Auto) => true,
            Some(_) => false,
            None => !file && said.thread_local.is_none(),
        };
        let ty = private_copy(&mut self.cx, said, item, ty, automatic && !file);
        let linked = file || is_extern;
        let kind = match said.storage {
            _ if automatic && !file => SymKind::Auto,
            storage => SymKind::Static {
                external: linked && storage != Some(Storage::Static),
                defined: !is_extern || item.init.is_some(),
            },
        };
        let ty = if star_waits(&self.cx.out.types, ty, item, is_extern) {
            ty
        } else {
            layout::resolve_star(&mut self.cx, ty, name.span)
        };
        let register = said.storage == Some(Storage::Register);
        let info = SymInfo { linked, register, ..SymInfo::default() };
        let sym = if linked {
            self.names.linked_object(&mut self.cx, name, ty, kind, info, said.storage)
        } else {
            self.names.unlinked_object(&mut self.cx, name, ty, kind, info)
        };
        self.cx.out.declared.insert(item.declarator, sym);
        let ty = self.initialised(said, sym, item, name, ty, automatic);
        let ty = layout::resolve_star(&mut self.cx, ty, name.span);
        let whole = self.cx.out.sym(sym).ty;
        let whole = self.cx.out.types.composite(whole, ty);
        self.cx.out.symbols[sym.0 as usize].ty = whole;
        self.cx.out.declarator_ty.insert(item.declarator, ty);
        check_object_type(&mut self.cx, self.names.at_file(), said, name, ty, automatic, kind);
        if kind == SymKind::Auto
            && self.cx.out.types.is_shared(ty)
            && let Some(f) = &mut self.function
        {
            f.declare_automatic(name.span);
        }
    }

    fn initialised(
        &mut self,
        said: &Specified,
        sym: SymId,
        item: &'a InitDeclarator,
        name: &Name,
        ty: QTy,
        automatic: bool,
    ) -> QTy {
        let Some(init) = item.init else { return ty };
        if let Some(before) = self.cx.info[sym.0 as usize].initialised {
            self.cx.report(
                Diagnostic::error(Code::Redeclared, name.span, format!("`{}` is defined twice", name.text))
                    .label("the second definition")
                    .also(before, "the first"),
            );
        }
        let local = said.storage == Some(Storage::Extern) && !self.names.at_file();
        if local && self.cx.out.types.is_shared(ty) {
            self.cx.report(
                Diagnostic::error(
                    Code::BadInitializer,
                    name.span,
                    format!("`{}` is `extern` and initialised", name.text),
                )
                .label("an `extern` declaration in a block defines no object")
                .help("initialise it where it is defined, or write `static`"),
            );
        }
        self.cx.info[sym.0 as usize].initialised = Some(name.span);
        check_rows(&mut self.cx, ty, name);
        let before = std::mem::replace(&mut self.deals, self.cx.out.types.is_shared(ty));
        let ty = self.initializer(init, ty, !automatic);
        self.deals = before;
        ty
    }

    /// Checks at the end of the unit for tentative definitions that stayed incomplete.
    pub fn check_file_scope(&mut self) {
        for i in 0..self.cx.out.symbols.len() {
            let sym = &self.cx.out.symbols[i];
            if !sym.file_scope || !matches!(sym.kind, SymKind::Static { defined: true, .. }) {
                continue;
            }
            let (ty, span, name) = (sym.ty, sym.span, sym.name.clone());
            let types = &self.cx.out.types;
            let open = types.as_array(ty).is_some_and(|(_, len)| len == Len::Incomplete);
            if types.is_complete(ty) || types.is_void(ty) || (open && !types.is_shared(ty)) {
                continue;
            }
            let record = types.as_record(types.element(ty));
            if record.is_some_and(|record| self.no_members.contains(&(record, "".into()))) {
                continue;
            }
            let message = format!("`{name}` has an incomplete type, {}", types.show_aka(ty));
            let label = "its size is not known at the end of the file".into();
            layout::refuse_incomplete(&mut self.cx, ty, span, message, label);
        }
    }
}

/// Warns of a shared object without a type. Of `static x;` the C compiler warns itself, but in the code
/// for a shared object it sees the int.
fn check_implicit_int(cx: &mut Context, said: &Specified, id: SpecsId) {
    let specs = &cx.unit.specs[id];
    if said.implicit_int && specs.quals.iter().any(|q| matches!(q.kind, QualKind::Shared(_))) {
        let message = "a declaration without a type";
        cx.report(
            Diagnostic::warning(Code::ImplicitInt, specs.span, message)
                .label("the type is int")
                .help("write `int`, or the type that is meant"),
        );
    }
}

/// Reports a declaration without a name: `int shared;` has none, since `shared` is a keyword. The C
/// compiler warns of the same in C.
fn check_declares(cx: &mut Context, id: SpecsId) {
    let specs = &cx.unit.specs[id];
    let tag = specs.types.iter().any(|t| matches!(t, TypeSpec::Record(_) | TypeSpec::Enum(_)));
    let shared = specs.quals.iter().find(|q| matches!(q.kind, QualKind::Shared(_)));
    if let (Some(shared), false) = (shared, tag) {
        let word = cx.words().shared;
        cx.report(
            Diagnostic::error(Code::BadSpecifiers, specs.span, "this declaration declares nothing")
                .label("has no name after it")
                .also(shared.span, format!("`{word}` is a keyword, not a name"))
                .help(format!("write `{word} int name;`")),
        );
    }
}

fn replace_star_if_any(types: &mut Types, ty: QTy) -> QTy {
    if types.block(ty) == Some(Block::Star) { layout::replace_star(types, ty, Block::Size(1)) } else { ty }
}

/// Makes `typeof(x) copy = x;` with a shared x declare a private copy, as macros mean it: an automatic
/// object cannot be shared.
fn private_copy(cx: &mut Context, said: &Specified, item: &InitDeclarator, ty: QTy, automatic: bool) -> QTy {
    let unit = cx.unit;
    let plain = unit.declarators[item.declarator].parts.is_empty() && !cx.out.types.is_array(ty);
    if !(automatic && said.copied && plain && cx.out.types.is_shared(ty)) {
        return ty;
    }
    let quals = cx.out.types.strip(ty).quals;
    let mut bare = QTy::plain(cx.out.types.strip(ty).ty);
    bare.quals = crate::types::Quals { shared: None, is_strict: false, is_relaxed: false, ..quals };
    bare
}

/// Whether the initialiser determines the array length that `[*]` divides.
fn star_waits(types: &Types, ty: QTy, item: &InitDeclarator, is_extern: bool) -> bool {
    let open = types.as_array(ty).is_some_and(|(_, len)| len == Len::Incomplete);
    open && item.init.is_some() && !is_extern
}

/// Refuses an initialised spread or dist array if any length except the outermost is known only at run
/// time: the end of a row in the list is found by counting.
fn check_rows(cx: &mut Context, ty: QTy, name: &Name) {
    let row = match cx.out.types.as_array(ty) {
        Some((row, _)) if cx.everything() && cx.out.types.is_shared(ty) => row,
        _ => return,
    };
    if cx.out.types.is_variable(row) {
        cx.report(
            Diagnostic::error(
                Code::BadInitializer,
                name.span,
                "an initialiser for an array whose rows or blocks have a length known only at run time",
            )
            .label("cannot be matched with a list")
            .help("assign the elements after the declaration, each on the processor that owns it"),
        );
    }
}

fn check_object_type(
    cx: &mut Context,
    at_file: bool,
    said: &Specified,
    name: &Name,
    ty: QTy,
    automatic: bool,
    kind: SymKind,
) {
    if cx.out.types.is_shared(ty) {
        if let Some(at) = said.thread_local {
            let message = format!("a {} object cannot be thread-local", cx.words().shared);
            cx.report(
                Diagnostic::error(Code::SharedAutomatic, at, message)
                    .label("one object for all threads, or one for each")
                    .help("leave one of the two out"),
            );
        }
        layout::check_shared_object(cx, ty, automatic, name.span);
    } else if matches!(cx.out.types.of(ty), Ty::Array(_, Len::Threads(_))) && !automatic {
        let Words { threads, fixed, .. } = *cx.words();
        cx.report(
            Diagnostic::error(
                Code::NotConstant,
                name.span,
                "the length of this private array is not constant",
            )
            .label(format!("{threads} is known only at run time"))
            .help(format!("fix the number of threads when compiling ({fixed}), or allocate it")),
        );
    }
    let defined = automatic || matches!(kind, SymKind::Static { defined: true, external: false });
    let types = &cx.out.types;
    let open_array = types.as_array(ty).is_some_and(|(_, len)| len == Len::Incomplete);
    let void = types.is_void(ty) && !matches!(kind, SymKind::Static { defined: false, .. });
    if (void || (defined && !types.is_complete(ty) && (automatic || !at_file)))
        && !(open_array && !automatic && at_file)
    {
        let message = format!("`{}` has an incomplete type, {}", name.text, types.show_aka(ty));
        layout::refuse_incomplete(cx, ty, name.span, message, "its size is not known here".into());
    }
}
