//! Calls (C17 6.5.2.2).

use crate::checker::Checker;
use crate::context::Context;
use crate::context::words::Goal;
use crate::expr::{self, convert};
use crate::typed::SymKind;
use crate::types::{FloatKind, FnTy, IntKind, QTy, Ty, Types};
use crate::upc::printed;
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{ExprId, ExprKind};
use c_syntax::dialect::Words;

impl<'a> Checker<'a> {
    /// `f(args)`
    pub fn call(&mut self, e: ExprId, f: ExprId, args: &'a [ExprId]) -> QTy {
        let unit = self.cx.unit;
        if let Some(ty) = self.conversion_call(e, f, args) {
            return ty;
        }
        let callee = self.cx.unit.bare(f);
        let ty = match &unit.exprs[callee].kind {
            ExprKind::Ident(name) if callee == f => {
                let ty = self.ident(f, name, true);
                expr::typed(&mut self.cx, f, ty)
            }
            _ => self.expr(f),
        };
        let types: Vec<QTy> = args.iter().map(|&a| self.rvalue(a)).collect();
        let ty = self.cx.out.types.decay(ty);
        let target = self.cx.out.types.pointee(ty).unwrap_or(ty);
        let Some(function) = self.cx.out.types.as_function(target).cloned() else {
            if !self.cx.out.types.is_error(target) {
                let shown = self.cx.shown(ty);
                let message = format!("call of {shown}, which is not a function");
                self.cx.error(Code::NotCallable, self.cx.span(f), message, "not a function");
            }
            return self.cx.unknown();
        };
        if self.cx.everything() && self.cx.out.types.is_shared(target) {
            let Words { pointer, .. } = *self.cx.words();
            let message = format!("a function is called through a {pointer}");
            self.cx.report(
                Diagnostic::error(Code::NotCallable, self.cx.span(f), message)
                    .label("functions run on the processor that calls them")
                    .help("cast it to a local pointer, or let its owner run the function: `atomic`, `AM`"),
            );
            return self.cx.unknown();
        }
        let name = match &unit.exprs[callee].kind {
            ExprKind::Ident(n) => Some(&*n.text),
            _ => None,
        };
        check_arguments(&mut self.cx, e, callee, name, &function, args, &types);
        if let Some(name) = name {
            printed::check_printed(&mut self.cx, name, args, &types);
            printed::check_scanned(&mut self.cx, name, args, &types);
            printed::check_given_to_c(&mut self.cx, callee, name, args, &types);
            if let Some(function) = &self.function {
                function.check_collective(&mut self.cx, callee, unit.exprs[f].span);
            }
            if let Some(run) = self.cx.out.run_by_owner(unit, callee, args) {
                return result_of_owner(&mut self.cx, args[0], name, &function, &run);
            }
            if called_by(name).1 == 1 && !args.is_empty() {
                no_function_to_run(&mut self.cx, args[0], name);
            }
            return builtin_result(&mut self.cx, e, name, &function, args);
        }
        self.cx.out.types.unqualified(function.ret)
    }
}

/// Reports an `atomic` whose first argument is no function. The macro has cast it.
fn no_function_to_run(cx: &mut Context, cast: ExprId, name: &str) {
    let mut run = cx.unit.bare(cast);
    while let ExprKind::Cast(_, inner) = cx.unit.exprs[run].kind {
        run = cx.unit.bare(inner);
    }
    let ty = cx.out.ty(run);
    if !cx.out.types.is_error(ty) && cx.out.types.pointee(ty).is_none_or(|to| !cx.out.types.is_void(to)) {
        let message = format!("`{}` runs {}, which is not a function", called_by(name).0, cx.shown(ty));
        cx.error(Code::NotCallable, cx.span(run), message, "not a function");
    }
}

/// The result of Split-C's `atomic(run, …)`, by the library function under the macro: a word, or the
/// result of `run` if that is floating. `atomic_l` is for results wider than an int.
fn result_of_owner(cx: &mut Context, at: ExprId, name: &str, function: &FnTy, run: &FnTy) -> QTy {
    let ret = cx.out.types.unqualified(run.ret);
    let (word, real) = match cx.out.types.of(ret) {
        Ty::Float(kind) => (false, matches!(kind, FloatKind::Float | FloatKind::Double)),
        Ty::Record(_) | Ty::Complex(_) | Ty::ComplexInt(_) | Ty::Vector(..) => (false, false),
        _ => (true, false),
    };
    if !word && !real {
        let (shown, (name, _)) = (cx.shown(ret), called_by(name));
        let message = format!("`{name}` runs a function that returns {shown}");
        let diagnostic = Diagnostic::error(Code::Incompatible, cx.span(at), message)
            .help("such a function can return an integer, a pointer, a float or a double; return other values through a pointer");
        cx.report(diagnostic);
    }
    if real { ret } else { cx.out.types.unqualified(function.ret) }
}

fn check_arguments(
    cx: &mut Context,
    e: ExprId,
    callee: ExprId,
    name: Option<&str>,
    f: &FnTy,
    args: &[ExprId],
    types: &[QTy],
) {
    let is_builtin = cx.out.symbol.get(callee).is_some_and(|&s| cx.out.sym(s).kind == SymKind::Builtin);
    if !f.old_style && !is_builtin {
        let (given, wanted) = (args.len(), f.params.len());
        if given < wanted || (given > wanted && !f.variadic) {
            // Which argument is missing is not known.
            return argument_count(cx, e, callee, name, f, given);
        }
    }
    for (i, (&arg, &ty)) in args.iter().zip(types).enumerate() {
        match f.params.get(i) {
            Some(&to) if !is_builtin && (!f.old_style || changes_kind(&cx.out.types, to, ty)) => {
                let by = name.map(called_by);
                let number = (i + 1).saturating_sub(by.map_or(0, |(_, added)| added)).max(1);
                convert::convert(cx, arg, ty, to, Goal::Argument(number, by.map(|(name, _)| name)));
            }
            _ => check_plain_argument(cx, arg, ty),
        }
    }
}

/// Whether a parameter of an old-style definition or its argument is a pointer-to-shared. Then the
/// argument is converted: null and local pointers are not pointers-to-shared without a conversion, and
/// the definition is known.
fn changes_kind(types: &Types, to: QTy, given: QTy) -> bool {
    [to, given].into_iter().any(|q| types.shared_pointee(q).is_some())
}

/// Checks an argument without a parameter, which is passed unchanged: it must have a value.
fn check_plain_argument(cx: &mut Context, arg: ExprId, ty: QTy) {
    if matches!(cx.out.types.of(ty), Ty::Void) {
        cx.error(Code::Incompatible, cx.span(arg), "an expression without value is an argument", "is void");
    }
}

fn argument_count(cx: &mut Context, e: ExprId, callee: ExprId, name: Option<&str>, f: &FnTy, given: usize) {
    let (shown, added) = name.map(called_by).map_or((None, 0), |(name, added)| (Some(name), added));
    let (wanted, given) = (f.params.len().saturating_sub(added), given.saturating_sub(added));
    let at_least = if f.variadic { "at least " } else { "" };
    let plural = |n: usize| if n == 1 { "argument" } else { "arguments" };
    let what = shown.map_or("this function".to_owned(), |n| format!("`{n}`"));
    let message = format!(
        "{what} takes {at_least}{wanted} {}, but {given} {} given",
        plural(wanted),
        if given == 1 { "is" } else { "are" }
    );
    let span = if given > wanted { cx.span(e) } else { Span::new(cx.span(callee).lo, cx.span(e).hi) };
    let label = if given < wanted { "too few" } else { "too many" };
    let mut d = Diagnostic::error(Code::ArgumentCount, span, message).label(label);
    if let Some(&sym) = cx.out.symbol.get(callee) {
        let sym = cx.out.sym(sym);
        if sym.kind == SymKind::Function && shown == name {
            d = d.also(sym.span, "declared here");
        }
    }
    cx.report(d);
}

/// The name by which a program calls a library function that a macro hides, and the number of arguments that
/// the macro adds to the program's.
fn called_by(function: &str) -> (&str, usize) {
    match function {
        "mer_atomic_relaxed" => ("upc_atomic_relaxed", 0),
        "mer_atomic_strict" => ("upc_atomic_strict", 0),
        "mer_splitc_atomic_int" => ("atomic", 1),
        "mer_splitc_atomic" => ("atomic_l", 1),
        name => (name, 0),
    }
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
