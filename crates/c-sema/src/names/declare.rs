//! Declarations of objects and functions: which may repeat, and on which terms (C17 6.2.2, 6.7).

use super::Names;
use crate::context::{Context, SymInfo};
use crate::typed::{SymId, SymKind};
use crate::types::QTy;
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{DeclaratorId, Name, Storage};

impl<'a> Names<'a> {
    /// Reports a name without linkage that is already declared in this scope.
    pub fn refuse_second(&mut self, cx: &mut Context<'a>, name: &Name, message: String, label: &str) {
        let Some(before) = self.find_here(&name.text) else { return };
        let before = cx.out.sym(before).span;
        cx.report(
            Diagnostic::error(Code::Redeclared, name.span, message).label(label).also(before, "the first"),
        );
    }

    pub fn unlinked_object(
        &mut self,
        cx: &mut Context<'a>,
        name: &'a Name,
        ty: QTy,
        kind: SymKind,
        info: SymInfo,
    ) -> SymId {
        let message = format!("`{}` is declared twice in this scope", name.text);
        self.refuse_second(cx, name, message, "the second declaration");
        let sym = self.symbol(cx, &name.text, kind, ty, name.span, info);
        self.bind(&name.text, sym);
        sym
    }

    pub fn linked_object(
        &mut self,
        cx: &mut Context<'a>,
        name: &'a Name,
        ty: QTy,
        kind: SymKind,
        info: SymInfo,
        storage: Option<Storage>,
    ) -> SymId {
        let Some(before) = self.earlier(cx, name, "an object") else {
            let sym = self.symbol(cx, &name.text, kind, ty, name.span, info);
            self.bind(&name.text, sym);
            self.linked.insert(&name.text, sym);
            return sym;
        };
        let old = cx.out.sym(before).clone();
        match old.kind {
            SymKind::Static { external, defined } => {
                if !cx.out.types.compatible(old.ty, ty) {
                    other_type(cx, name, old.ty, ty, old.span);
                } else {
                    if storage == Some(Storage::Static) && external {
                        static_after_external(cx, name, old.span);
                    }
                    let whole = cx.out.types.composite(old.ty, ty);
                    cx.out.symbols[before.0 as usize].ty = whole;
                }
                let now = matches!(kind, SymKind::Static { defined: true, .. });
                cx.out.symbols[before.0 as usize].kind =
                    SymKind::Static { external, defined: defined || now };
            }
            _ => declared_otherwise(cx, name, old.span, "an object"),
        }
        self.bind_again(name, before);
        before
    }

    /// The earlier declaration of a name with linkage that this one must agree with: in this scope, or a
    /// linked one anywhere.
    fn earlier(&mut self, cx: &mut Context<'a>, name: &'a Name, what: &str) -> Option<SymId> {
        if let Some(here) = self.find_here(&name.text) {
            let sym = cx.out.sym(here);
            if cx.info[here.0 as usize].linked || sym.kind == SymKind::Builtin {
                return Some(here);
            }
            let span = sym.span;
            declared_otherwise(cx, name, span, what);
            return None;
        }
        let visible = self.find(&name.text).filter(|s| cx.info[s.0 as usize].linked);
        visible.or_else(|| self.linked.get(&*name.text).copied())
    }

    fn bind_again(&mut self, name: &'a Name, sym: SymId) {
        if self.find_here(&name.text) != Some(sym) {
            self.bind(&name.text, sym);
        }
    }

    /// Declares a typedef name, which may repeat with the same type (C17 6.7 p3).
    pub fn declare_typedef(&mut self, cx: &mut Context<'a>, id: DeclaratorId, name: &'a Name, ty: QTy) {
        if let Some(before) = self.find_here(&name.text) {
            let old = cx.out.sym(before).clone();
            if old.kind != SymKind::Typedef {
                declared_otherwise(cx, name, old.span, "a type");
            } else if !cx.out.types.compatible(old.ty, ty) {
                other_type(cx, name, old.ty, ty, old.span);
            }
            if old.kind == SymKind::Typedef {
                cx.out.declared.insert(id, before);
                return;
            }
        }
        let sym = self.symbol(cx, &name.text, SymKind::Typedef, ty, name.span, SymInfo::default());
        self.bind(&name.text, sym);
        cx.out.declared.insert(id, sym);
    }

    /// Declares a function, by a declaration or a definition. Overloaded functions are one symbol of unknown
    /// type, because only clang decides which of them a call means.
    pub fn declare_function(
        &mut self,
        cx: &mut Context<'a>,
        id: DeclaratorId,
        name: &'a Name,
        ty: QTy,
        overloadable: bool,
    ) -> SymId {
        let ty = if overloadable { cx.unknown() } else { ty };
        let info = SymInfo { linked: true, ..SymInfo::default() };
        let sym = match self.earlier(cx, name, "a function") {
            Some(before) => {
                function_again(cx, name, before, ty);
                self.bind_again(name, before);
                before
            }
            None => {
                let sym = self.symbol(cx, &name.text, SymKind::Function, ty, name.span, info);
                self.bind(&name.text, sym);
                self.linked.insert(&name.text, sym);
                sym
            }
        };
        cx.out.declared.insert(id, sym);
        sym
    }

    /// Removes a function of Split-C's library in favour of the program's own declaration of its name. `ty`
    /// is the type of that declaration; `None` for a function with a body or another kind of name.
    pub fn make_way(&mut self, cx: &mut Context<'a>, name: &'a Name, ty: Option<QTy>) {
        let Some(before) = self.find_at_file(&name.text).filter(|_| cx.everything()) else {
            return;
        };
        let old = cx.out.sym(before);
        let library = cx.in_library(old.span) && !cx.source.presumed(name.span.lo).system;
        let same = ty.is_some_and(|ty| cx.out.types.compatible(old.ty, ty));
        if old.kind == SymKind::Function && library && !same {
            cx.out.replaced.insert(before);
            self.linked.remove(&*name.text);
            self.forget_at_file(&name.text);
        }
    }

    /// Declares a nested function (GNU). It has no linkage; only an `auto` declaration of its block precedes
    /// it.
    pub fn declare_nested(
        &mut self,
        cx: &mut Context<'a>,
        id: DeclaratorId,
        name: &'a Name,
        ty: QTy,
    ) -> SymId {
        let declared = self.find_here(&name.text);
        let sym = match declared.filter(|s| cx.out.sym(*s).kind == SymKind::Function) {
            Some(sym) => sym,
            None => {
                let sym = self.symbol(cx, &name.text, SymKind::Function, ty, name.span, SymInfo::default());
                self.bind(&name.text, sym);
                sym
            }
        };
        cx.out.declared.insert(id, sym);
        sym
    }
}

fn function_again<'a>(cx: &mut Context<'a>, name: &'a Name, before: SymId, ty: QTy) {
    let old = cx.out.sym(before).clone();
    let implicit = cx.info[before.0 as usize].implicit;
    let symbol = &mut cx.out.symbols[before.0 as usize];
    if old.kind == SymKind::Builtin || implicit {
        // An assumed type gives way to the declaration. gcc warns of a contradiction.
        (symbol.kind, symbol.ty, symbol.span) = (SymKind::Function, ty, name.span);
        cx.info[before.0 as usize].implicit = false;
        cx.info[before.0 as usize].linked = true;
        return;
    }
    if old.kind != SymKind::Function {
        return declared_otherwise(cx, name, old.span, "a function");
    }
    if !cx.out.types.compatible(old.ty, ty) {
        return other_type(cx, name, old.ty, ty, old.span);
    }
    let whole = cx.out.types.composite(old.ty, ty);
    cx.out.symbols[before.0 as usize].ty = whole;
}

fn declared_otherwise(cx: &mut Context, name: &Name, before: Span, now: &str) {
    cx.report(
        Diagnostic::error(
            Code::Redeclared,
            name.span,
            format!("`{}` is already declared as something else", name.text),
        )
        .label(format!("{now} here"))
        .also(before, "first declared here"),
    );
}

fn other_type(cx: &mut Context, name: &Name, old: QTy, new: QTy, before: Span) {
    let (old, new) = (cx.out.types.show_aka(old), cx.out.types.show_aka(new));
    cx.report(
        Diagnostic::error(
            Code::Redeclared,
            name.span,
            format!("`{}` is already declared with another type", name.text),
        )
        .label(format!("is {new} here"))
        .also(before, format!("was {old} here")),
    );
}

fn static_after_external(cx: &mut Context, name: &Name, before: Span) {
    cx.report(
        Diagnostic::error(
            Code::Redeclared,
            name.span,
            format!("`{}` is static here, but not in an earlier declaration", name.text),
        )
        .label("static here")
        .also(before, "visible to other files here"),
    );
}
