//! Calls (C17 6.5.2.2).

use crate::checker::Checker;
use crate::context::words::Goal;
use crate::typed::SymKind;
use crate::types::{FloatKind, FnTy, QTy, Ty};
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
                self.typed(f, ty)
            }
            _ => self.expr(f),
        };
        let types: Vec<QTy> = args.iter().map(|&a| self.rvalue(a)).collect();
        let ty = self.cx.out.types.decay(ty);
        let target = self.cx.out.types.pointee(ty).unwrap_or(ty);
        let Some(function) = self.cx.out.types.as_function(target).cloned() else {
            if !self.cx.out.types.is_error(target) {
                let shown = self.cx.shown(ty);
                let message = format!("{shown} is called, which is not a function");
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
        self.check_arguments(e, callee, name, &function, args, &types);
        if let Some(name) = name {
            printed::check_printed(&mut self.cx, name, args, &types);
            printed::check_scanned(&mut self.cx, name, args, &types);
            printed::check_given_to_c(&mut self.cx, callee, name, args, &types);
            self.check_collective(callee, self.cx.span(f));
            if let Some(run) = self.cx.out.run_by_owner(unit, callee, args) {
                return self.result_of_owner(args[0], name, &function, &run);
            }
            if called_by(name).1 == 1 && !args.is_empty() {
                self.no_function_to_run(args[0], name);
            }
            return self.builtin_result(e, name, &function, args);
        }
        self.cx.out.types.unqualified(function.ret)
    }

    /// Reports an `atomic` whose first argument is no function. The macro has cast it.
    fn no_function_to_run(&mut self, cast: ExprId, name: &str) {
        let mut run = self.cx.unit.bare(cast);
        while let ExprKind::Cast(_, inner) = self.cx.unit.exprs[run].kind {
            run = self.cx.unit.bare(inner);
        }
        let ty = self.cx.out.ty(run);
        if !self.cx.out.types.is_error(ty)
            && self.cx.out.types.pointee(ty).is_none_or(|to| !self.cx.out.types.is_void(to))
        {
            let message =
                format!("`{}` runs {}, which is not a function", called_by(name).0, self.cx.shown(ty));
            self.cx.error(Code::NotCallable, self.cx.span(run), message, "not a function");
        }
    }

    /// The result of Split-C's `atomic(run, …)`, by the library function under the macro: a word, or the
    /// result of `run` if that is floating. `atomic_l` is for results wider than an int.
    fn result_of_owner(&mut self, at: ExprId, name: &str, function: &FnTy, run: &FnTy) -> QTy {
        let ret = self.cx.out.types.unqualified(run.ret);
        let (word, real) = match self.cx.out.types.of(ret) {
            Ty::Float(kind) => (false, matches!(kind, FloatKind::Float | FloatKind::Double)),
            Ty::Record(_) | Ty::Complex(_) | Ty::ComplexInt(_) | Ty::Vector(..) => (false, false),
            _ => (true, false),
        };
        if !word && !real {
            let (shown, (name, _)) = (self.cx.shown(ret), called_by(name));
            let message = format!("`{name}` runs a function that gives {shown}");
            let diagnostic = Diagnostic::error(Code::Incompatible, self.cx.span(at), message).help(
                "it may give an integer, a pointer, a float or a double; give the rest through a pointer",
            );
            self.cx.report(diagnostic);
        }
        if real { ret } else { self.cx.out.types.unqualified(function.ret) }
    }

    fn check_arguments(
        &mut self,
        e: ExprId,
        callee: ExprId,
        name: Option<&str>,
        f: &FnTy,
        args: &[ExprId],
        types: &[QTy],
    ) {
        let is_builtin =
            self.cx.out.symbol.get(callee).is_some_and(|&s| self.cx.out.sym(s).kind == SymKind::Builtin);
        if !f.old_style && !is_builtin {
            let (given, wanted) = (args.len(), f.params.len());
            if given < wanted || (given > wanted && !f.variadic) {
                // Which argument is missing is not known.
                return self.argument_count(e, callee, name, f, given);
            }
        }
        for (i, (&arg, &ty)) in args.iter().zip(types).enumerate() {
            match f.params.get(i) {
                Some(&to) if !is_builtin && (!f.old_style || self.changes_kind(to, ty)) => {
                    let by = name.map(called_by);
                    let number = (i + 1).saturating_sub(by.map_or(0, |(_, added)| added)).max(1);
                    self.convert(arg, ty, to, Goal::Argument(number, by.map(|(name, _)| name)));
                }
                _ => self.check_plain_argument(arg, ty),
            }
        }
    }

    /// Whether a parameter of an old-style definition or its argument is a pointer-to-shared. Then the
    /// argument is converted: null and local pointers are not pointers-to-shared without a conversion, and
    /// the definition is known.
    fn changes_kind(&self, to: QTy, given: QTy) -> bool {
        [to, given].into_iter().any(|q| self.cx.out.types.shared_pointee(q).is_some())
    }

    /// Checks an argument without a parameter, which is passed unchanged: it must have a value.
    fn check_plain_argument(&mut self, arg: ExprId, ty: QTy) {
        if matches!(self.cx.out.types.of(ty), Ty::Void) {
            self.cx.error(
                Code::Incompatible,
                self.cx.span(arg),
                "an expression without value is an argument",
                "is void",
            );
        }
    }

    fn argument_count(&mut self, e: ExprId, callee: ExprId, name: Option<&str>, f: &FnTy, given: usize) {
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
        let span = if given > wanted {
            self.cx.span(e)
        } else {
            Span::new(self.cx.span(callee).lo, self.cx.span(e).hi)
        };
        let label = if given < wanted { "too few" } else { "too many" };
        let mut d = Diagnostic::error(Code::ArgumentCount, span, message).label(label);
        if let Some(&sym) = self.cx.out.symbol.get(callee) {
            let sym = self.cx.out.sym(sym);
            if sym.kind == SymKind::Function && shown == name {
                d = d.also(sym.span, "declared here");
            }
        }
        self.cx.report(d);
    }
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
