//! Names without a declaration in the program: builtins of the C compiler, functions that a call declares,
//! and unknown names.
//!
//! Of builtins only results are modelled: the C compilers check the arguments. A builtin that is unknown here
//! has an unknown result, which fits everywhere.

use super::Names;
use crate::context::{Context, SymInfo};
use crate::library::{self, Gives};
use crate::typed::{SymId, SymKind};
use crate::types::{FnTy, IntKind, QTy, Ty};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::Name;

const PREFIXES: &[&str] =
    &["__builtin_", "__sync_", "__atomic_", "__c11_atomic_", "__scoped_atomic_", "__arm_", "__ia32_"];

impl<'a> Names<'a> {
    /// The symbol of a builtin by its name, made when it is first used.
    pub fn builtin(&mut self, cx: &mut Context<'a>, name: &'a Name) -> Option<SymId> {
        let text = &*name.text;
        if !PREFIXES.iter().any(|prefix| text.starts_with(prefix)) {
            return None;
        }
        let like = text.strip_prefix("__builtin_").unwrap_or("");
        let declared = self.find_at_file(like).map(|s| cx.out.sym(s).clone());
        let ty = match declared {
            Some(sym) if sym.kind == SymKind::Function => sym.ty,
            _ => match gives(like) {
                Some(result) => returning(cx, result),
                None => {
                    let unknown = cx.unknown();
                    function_returning(cx, unknown)
                }
            },
        };
        let info = SymInfo { linked: true, ..SymInfo::default() };
        let sym = self.symbol(cx, text, SymKind::Builtin, ty, Span::new(name.span.lo, name.span.lo), info);
        cx.out.symbols[sym.0 as usize].file_scope = true;
        self.bind_at_file(&name.text, sym);
        Some(sym)
    }

    pub fn undeclared(&mut self, cx: &mut Context<'a>, name: &'a Name) {
        if cx.is_quiet() || !self.reported.insert(&name.text) {
            return;
        }
        let words = c_syntax::token::words_of(cx.env.language).map(|word| -> &'a str { word });
        let similar = cx.similar(&name.text, self.visible().chain(words));
        let mut d =
            Diagnostic::error(Code::Undeclared, name.span, format!("`{}` is not declared", name.text))
                .label("not found in this scope");
        if let Some(header) = header_of(cx, &name.text) {
            d = d.help(format!("add `#include <{header}>`"));
        } else if let Some(similar) = similar {
            d = d.help(format!("did you mean `{similar}`?"));
        }
        cx.report(d);
    }

    /// Declares an undeclared function by its call; gcc 12 does so with a warning.
    pub fn implicit_function(&mut self, cx: &mut Context<'a>, name: &'a Name) -> SymId {
        let row = crate::library::find(&name.text, cx.env.language);
        let cut_off = row.is_some_and(|row| row.gives.is_pointer() && !row.known);
        let message = format!("function `{}` is called without a declaration", name.text);
        let mut d = Diagnostic::warning(Code::ImplicitFunction, name.span, message);
        d = d.label("assumed to return int");
        if cut_off {
            d.severity = base::Severity::Error;
            d = d.label("returns a pointer, which the int of an undeclared function cannot hold");
        }
        if let Some(header) = header_of(cx, &name.text) {
            d = d.help(format!("add `#include <{header}>`"));
        } else if let Some(similar) = cx.similar(&name.text, self.visible()) {
            d = d.help(format!("did you mean `{similar}`?"));
        }
        cx.report(d);
        let ty = if cut_off { cx.unknown() } else { implicit_type(cx, &name.text) };
        let info = SymInfo { linked: true, implicit: true, ..SymInfo::default() };
        let sym = self.symbol(cx, &name.text, SymKind::Function, ty, name.span, info);
        cx.out.symbols[sym.0 as usize].file_scope = true;
        self.bind_at_file(&name.text, sym);
        sym
    }
}

/// The type of a function that is called without a declaration: gcc knows the C library's.
fn implicit_type(cx: &mut Context, name: &str) -> QTy {
    match gives(name) {
        Some(result) => returning(cx, result),
        None => {
            let int = cx.int_ty();
            function_returning(cx, int)
        }
    }
}

fn returning(cx: &mut Context, result: Gives) -> QTy {
    let ret = match result {
        Gives::Void => QTy::plain(cx.basic.void),
        Gives::Int(kind) => cx.out.types.int(kind),
        Gives::Float(kind) => QTy::plain(cx.out.types.intern(Ty::Float(kind))),
        Gives::VoidPointer => {
            let void = QTy::plain(cx.basic.void);
            cx.out.types.pointer_to(void)
        }
        Gives::CharPointer => {
            let char = QTy::plain(cx.basic.char);
            cx.out.types.pointer_to(char)
        }
        Gives::Pointer | Gives::Other | Gives::Macro | Gives::Type => cx.unknown(),
    };
    function_returning(cx, ret)
}

fn function_returning(cx: &mut Context, ret: QTy) -> QTy {
    let f = FnTy { ret, params: Vec::new(), variadic: false, old_style: true };
    QTy::plain(cx.out.types.intern(Ty::Function(Box::new(f))))
}

/// The result of a function that compilers provide, by its name without `__builtin_`.
fn gives(name: &str) -> Option<Gives> {
    let overflow = name.ends_with("_overflow") || name.ends_with("_overflow_p");
    if overflow { Some(Gives::Int(IntKind::Bool)) } else { library::builtin(name) }
}

/// The header that declares a name, unless the file includes that header: then the header does not
/// declare it.
fn header_of(cx: &Context, name: &str) -> Option<&'static str> {
    let header = crate::library::find(name, cx.env.language)?.header;
    let included = cx.source.files.iter().any(|file| file.ends_with(header));
    (!included).then_some(header)
}
