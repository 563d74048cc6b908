//! Functions that gcc and clang provide without a declaration.
//!
//! Only results are modelled: the C compilers check the arguments. A builtin that is unknown here has an
//! unknown result, which fits everywhere.

use crate::checker::Checker;
use crate::context::{Context, SymInfo};
use crate::library::{self, Gives};
use crate::typed::{SymId, SymKind};
use crate::types::{FnTy, IntKind, QTy, Ty};
use base::Span;
use c_syntax::ast::{ExprId, Name};

const PREFIXES: &[&str] =
    &["__builtin_", "__sync_", "__atomic_", "__c11_atomic_", "__scoped_atomic_", "__arm_", "__ia32_"];

impl<'a> Checker<'a> {
    /// The symbol of a builtin by its name, made when it is first used.
    pub fn builtin(&mut self, name: &'a Name) -> Option<SymId> {
        let text = &*name.text;
        if !PREFIXES.iter().any(|prefix| text.starts_with(prefix)) {
            return None;
        }
        let like = text.strip_prefix("__builtin_").unwrap_or("");
        let declared = self.scopes.find_at_file(like).map(|s| self.cx.out.sym(s).clone());
        let ty = match declared {
            Some(sym) if sym.kind == SymKind::Function => sym.ty,
            _ => match gives(like) {
                Some(result) => returning(&mut self.cx, result),
                None => {
                    let unknown = self.cx.unknown();
                    function_returning(&mut self.cx, unknown)
                }
            },
        };
        let info = SymInfo { linked: true, ..SymInfo::default() };
        let sym = self.symbol(text, SymKind::Builtin, ty, Span::new(name.span.lo, name.span.lo), info);
        self.cx.out.symbols[sym.0 as usize].file_scope = true;
        self.scopes.bind_at_file(&name.text, sym);
        Some(sym)
    }
}

/// The type of a function that is called without a declaration: gcc knows the C library's.
pub(crate) fn implicit_type(cx: &mut Context, name: &str) -> QTy {
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

/// The result of a call by name: some builtins return the target of their argument, some are constants.
pub(crate) fn builtin_result(cx: &mut Context, e: ExprId, name: &str, f: &FnTy, args: &[ExprId]) -> QTy {
    let ret = cx.out.types.unqualified(f.ret);
    let Some(&first) = args.first() else { return ret };
    match name {
        "__builtin_constant_p" => {
            let known = cx.value(first).is_some() || cx.values.float(first).is_some();
            if known {
                cx.set_value(e, ret, 1);
            }
            return ret;
        }
        "__builtin_expect" | "__builtin_expect_with_probability" => {
            if let Some(v) = cx.value(first) {
                cx.set_value(e, ret, v);
            }
            return ret;
        }
        "__builtin_complex" => {
            let part = cx.value_ty(first);
            if let Ty::Float(kind) = *cx.out.types.of(part) {
                return QTy::plain(cx.out.types.intern(Ty::Complex(kind)));
            }
        }
        "__sync_bool_compare_and_swap" | "__atomic_test_and_set" => {
            return cx.out.types.int(IntKind::Bool);
        }
        _ => {}
    }
    if name.starts_with("__atomic_compare_exchange") {
        return cx.out.types.int(IntKind::Bool);
    }
    let gives_value = name.starts_with("__sync_")
        || name.starts_with("__atomic_fetch")
        || name.ends_with("_fetch")
        || name.ends_with("_n");
    let is_atomic = name.starts_with("__sync_") || name.starts_with("__atomic_");
    if gives_value && is_atomic && name != "__atomic_store_n" && cx.out.types.is_error(ret) {
        let pointer = cx.value_ty(first);
        if let Some(to) = cx.out.types.pointee(pointer) {
            return cx.out.types.unqualified(to);
        }
    }
    ret
}

/// The result of a function that compilers provide, by its name without `__builtin_`.
fn gives(name: &str) -> Option<Gives> {
    let overflow = name.ends_with("_overflow") || name.ends_with("_overflow_p");
    if overflow { Some(Gives::Int(IntKind::Bool)) } else { library::builtin(name) }
}
