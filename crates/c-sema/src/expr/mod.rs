//! Expressions: the type of each, and the constraints of C and UPC on its operands.
//!
//! [`Checker::expr`] notes and returns the type before any conversion; [`Checker::rvalue`] returns the type
//! of the value. Every expression is visited exactly once, even if it is not evaluated.

mod arith;
mod assign;
mod builtins;
mod call;
mod cast;
mod cond;
mod constant;
mod literal;
mod member;
mod sizeof;
mod split;

pub(crate) use arith::spelling;
pub(crate) use assign::Goal;
pub(crate) use constant::Bound;

use crate::checker::{Checker, SymInfo};
use crate::typed::{SymId, SymKind};
use crate::types::{IntKind, Len, QTy, Quals, Ty};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{ExprId, ExprKind, Name, SizeOp, StmtId, StmtKind, TypeNameId, UnOp};
use literal::{Number, Width};

impl<'a> Checker<'a> {
    /// The type of an expression, before conversions.
    pub fn expr(&mut self, e: ExprId) -> QTy {
        let unit = self.unit;
        if !self.descend(unit.exprs[e].span) {
            return self.unknown();
        }
        let ty = match unit.exprs[e].kind {
            ExprKind::Binary(..) => self.binary_chain(e),
            _ => self.expr_kind(e),
        };
        self.depth -= 1;
        self.typed(e, ty)
    }

    /// Notes the type of an expression and folds it.
    fn typed(&mut self, e: ExprId, ty: QTy) -> QTy {
        self.out.expr_ty[e.index()] = ty;
        self.fold(e, ty);
        ty
    }

    /// The type of the value of an expression: arrays and functions have become pointers, qualifiers are
    /// gone.
    pub fn rvalue(&mut self, e: ExprId) -> QTy {
        let ty = self.expr(e);
        self.out.types.decay(ty)
    }

    /// The type of the value of an expression that has been checked.
    pub fn value_ty(&mut self, e: ExprId) -> QTy {
        let ty = self.out.ty(e);
        self.out.types.decay(ty)
    }

    fn expr_kind(&mut self, e: ExprId) -> QTy {
        let unit = self.unit;
        match &unit.exprs[e].kind {
            ExprKind::Ident(name) => self.ident(e, name, false),
            ExprKind::Number => self.number(e),
            ExprKind::Char => self.char_constant(e),
            ExprKind::String => self.string(e),
            &ExprKind::Paren(x) | &ExprKind::Extension(x) => self.expr(x),
            &ExprKind::Index(a, i) => self.index(e, a, i),
            ExprKind::Call(f, args) => self.call(e, *f, args),
            ExprKind::Member { base, arrow, name } => self.member(*base, *arrow, name),
            &ExprKind::Post(_, x) | &ExprKind::Pre(_, x) => self.inc_dec(e, x),
            &ExprKind::Unary(op, x) => self.unary(e, op, x),
            ExprKind::Binary(..) => self.unknown(),
            &ExprKind::Assign(op, a, b) => self.assign(e, op, a, b),
            &ExprKind::Split(op, a, b) => self.split(e, op, a, b),
            &ExprKind::Cond(c, a, b) => self.cond(e, c, a, b),
            &ExprKind::Cast(t, x) => self.cast(e, t, x),
            &ExprKind::Compound(t, init) => self.compound_literal(t, init),
            &ExprKind::SizeofExpr(op, x) => {
                let ty = self.expr(x);
                self.check_sizeof_bits(op, x);
                let size = self.sizeof(e, op, ty, unit.exprs[x].span);
                // An object may be aligned more than its type.
                if op == SizeOp::Alignof && self.is_lvalue(x) {
                    self.out.constant.remove(e);
                }
                size
            }
            &ExprKind::SizeofType(op, t) => {
                let ty = self.type_name(t);
                self.sizeof(e, op, ty, unit.type_names[t].span)
            }
            &ExprKind::Stmts(s) => self.statement_expr(s),
            ExprKind::Generic(x, arms) => self.generic(e, *x, arms),
            ExprKind::Offsetof(t, path) => self.offsetof(e, *t, path),
            &ExprKind::VaArg(x, t) => {
                self.expr(x);
                self.type_name(t)
            }
            &ExprKind::TypesCompatible(a, b) => self.types_compatible(e, a, b),
            &ExprKind::Choose(c, a, b) => self.choose(e, c, a, b),
            &ExprKind::ConvertVector(x, t) => {
                self.expr(x);
                self.type_name(t)
            }
            ExprKind::LabelAddr(name) => {
                self.mention_label(name);
                let void = self.plain(self.basic.void);
                self.out.types.pointer_to(void)
            }
            ExprKind::FuncName => self.func_name(),
            ExprKind::Threads | ExprKind::MyThread => self.int_ty(),
            ExprKind::HasAttribute => self.int_ty(),
            ExprKind::Error => self.unknown(),
        }
    }

    // ---- primary expressions -----------------------------------------------------------------------

    /// A name. `called`: an argument list follows, so the call may declare the name.
    fn ident(&mut self, e: ExprId, name: &'a Name, called: bool) -> QTy {
        let found = self.scopes.find(&name.text).or_else(|| self.builtin(name));
        let sym = match found {
            Some(sym) => sym,
            None if called => self.implicit_function(name),
            None => {
                self.undeclared(name);
                return self.unknown();
            }
        };
        self.out.symbol.insert(e, sym);
        let symbol = self.out.sym(sym);
        if symbol.kind == SymKind::Typedef {
            let message = format!("`{}` is a type, not a value", name.text);
            self.error(Code::BadOperands, name.span, message, "a type name");
            return self.unknown();
        }
        symbol.ty
    }

    fn undeclared(&mut self, name: &'a Name) {
        if self.quiet > 0 || !self.reported.insert(&name.text) {
            return;
        }
        let words = c_syntax::token::words_of(self.env.language).map(|word| -> &'a str { word });
        let similar = self.similar(&name.text, self.scopes.visible().chain(words));
        let mut d =
            Diagnostic::error(Code::Undeclared, name.span, format!("`{}` is not declared", name.text))
                .label("not found in this scope");
        if let Some(header) = self.header_of(&name.text) {
            d = d.help(format!("add `#include <{header}>`"));
        } else if let Some(similar) = similar {
            d = d.help(format!("did you mean `{similar}`?"));
        }
        self.report(d);
    }

    /// Declares an undeclared function by its call; gcc 12 does so with a warning.
    fn implicit_function(&mut self, name: &'a Name) -> SymId {
        let row = crate::library::find(&name.text, self.env.language);
        let cut_off = row.is_some_and(|row| row.gives.is_pointer() && !row.known);
        let message = format!("function `{}` is called without a declaration", name.text);
        let mut d = Diagnostic::warning(Code::ImplicitFunction, name.span, message);
        d = d.label("assumed to return int");
        if cut_off {
            d.severity = base::Severity::Error;
            d = d.label("gives a pointer, which the int of an undeclared function cannot hold");
        }
        if let Some(header) = self.header_of(&name.text) {
            d = d.help(format!("add `#include <{header}>`"));
        } else if let Some(similar) = self.similar(&name.text, self.scopes.visible()) {
            d = d.help(format!("did you mean `{similar}`?"));
        }
        self.report(d);
        let ty = if cut_off { self.unknown() } else { self.implicit_type(&name.text) };
        let info = SymInfo { linked: true, implicit: true, ..SymInfo::default() };
        let sym = self.symbol(&name.text, SymKind::Function, ty, name.span, info);
        self.out.symbols[sym.0 as usize].file_scope = true;
        self.scopes.bind_at_file(&name.text, sym);
        sym
    }

    /// The header that declares a name, unless the file includes that header: then the header does not
    /// declare it.
    fn header_of(&self, name: &str) -> Option<&'static str> {
        let header = crate::library::find(name, self.env.language)?.header;
        let included = self.source.files.iter().any(|file| file.ends_with(header));
        (!included).then_some(header)
    }

    fn number(&mut self, e: ExprId) -> QTy {
        let span = self.unit.exprs[e].span;
        if literal::is_too_large(self.text(span)) {
            self.error(Code::BadNumber, span, "an integer constant that is too large", "no type holds it");
        }
        let ty = match literal::number(self.text(span)) {
            Some(Number::Int(_, kind)) => Ty::Int(kind),
            Some(Number::Float(_, kind)) => Ty::Float(kind),
            Some(Number::Imaginary(kind)) => Ty::Complex(kind),
            Some(Number::ImaginaryInt(kind)) => Ty::ComplexInt(kind),
            None => Ty::Error,
        };
        QTy::plain(self.out.types.intern(ty))
    }

    fn char_constant(&mut self, e: ExprId) -> QTy {
        let width = literal::character(self.text(self.unit.exprs[e].span), self.env.char_signed).map(|c| c.1);
        match width {
            Some(Width::Char16) => self.out.types.int(IntKind::UShort),
            Some(Width::Char32) => self.out.types.int(IntKind::UInt),
            _ => self.int_ty(),
        }
    }

    fn string(&mut self, e: ExprId) -> QTy {
        let (length, width) = literal::string(self.text(self.unit.exprs[e].span));
        let elem = match width {
            Width::Char => self.plain(self.basic.char),
            Width::Char16 => self.out.types.int(IntKind::UShort),
            Width::Char32 => self.out.types.int(IntKind::UInt),
            // wchar_t is unsigned on arm64 as char is.
            Width::Wide if self.env.char_signed => self.int_ty(),
            Width::Wide => self.out.types.int(IntKind::UInt),
        };
        QTy::plain(self.out.types.intern(Ty::Array(elem, Len::Const(length + 1))))
    }

    fn func_name(&mut self) -> QTy {
        let length = self.function.as_ref().map_or(0, |f| f.name.len() as u64);
        let quals = Quals { is_const: true, ..Quals::default() };
        let elem = QTy { ty: self.basic.char, quals };
        QTy::plain(self.out.types.intern(Ty::Array(elem, Len::Const(length + 1))))
    }

    // ---- forms that hold other things ----------------------------------------------------------------

    /// `({ … })`: the value of its last statement, if that is an expression.
    fn statement_expr(&mut self, body: StmtId) -> QTy {
        let unit = self.unit;
        let StmtKind::Compound(stmts) = &unit.stmts[body].kind else { return self.unknown() };
        if self.function.is_none() {
            self.error(
                Code::BadStatement,
                unit.stmts[body].span,
                "a statement expression outside a function",
                "only functions hold statements",
            );
            return self.unknown();
        }
        let last = stmts.last().map(|&s| self.labelled(s));
        let outer = std::mem::replace(&mut self.value_stmt, last);
        self.stmt(body);
        self.value_stmt = outer;
        let mut last = stmts.last().copied();
        while let Some(s) = last {
            match unit.stmts[s].kind {
                StmtKind::Expr(Some(e)) => {
                    let ty = self.out.ty(e);
                    return self.out.types.decay(ty);
                }
                StmtKind::Label(_, inner) => last = Some(inner),
                _ => break,
            }
        }
        self.plain(self.basic.void)
    }

    /// The statement under labels.
    fn labelled(&self, mut s: StmtId) -> StmtId {
        while let StmtKind::Label(_, inner) = self.unit.stmts[s].kind {
            s = inner;
        }
        s
    }

    fn generic(&mut self, e: ExprId, x: ExprId, arms: &[(Option<TypeNameId>, ExprId)]) -> QTy {
        let control = self.rvalue(x);
        let mut chosen = None;
        let mut default = None;
        for &(ty, arm) in arms {
            let fits = match ty {
                None => {
                    default = Some(arm);
                    false
                }
                Some(t) => {
                    let ty = self.type_name(t);
                    !self.out.types.is_error(ty) && self.out.types.compatible(ty, control)
                }
            };
            // An arm that is not chosen is not compiled; the C compiler reports its errors.
            let taken = fits && chosen.is_none();
            self.quiet += u32::from(!taken && ty.is_some());
            self.expr(arm);
            self.quiet -= u32::from(!taken && ty.is_some());
            if taken {
                chosen = Some(arm);
            }
        }
        if self.out.types.is_error(control) {
            return self.unknown();
        }
        let Some(arm) = chosen.or(default) else {
            let shown = self.out.types.show_aka(control);
            let span = self.unit.exprs[x].span;
            self.error(
                Code::BadOperands,
                span,
                format!("no arm of this _Generic fits {shown}"),
                "has no arm",
            );
            return self.unknown();
        };
        self.out.generic.insert(e, arm);
        self.copy_constant(e, arm);
        self.out.ty(arm)
    }

    fn choose(&mut self, e: ExprId, c: ExprId, a: ExprId, b: ExprId) -> QTy {
        self.expr(c);
        let truth = self.truth(c);
        self.refuse_varying(c, "the condition of `__builtin_choose_expr`");
        self.quiet += u32::from(truth != Some(true));
        self.expr(a);
        self.quiet -= u32::from(truth != Some(true));
        self.quiet += u32::from(truth != Some(false));
        self.expr(b);
        self.quiet -= u32::from(truth != Some(false));
        match truth {
            Some(t) => {
                let chosen = if t { a } else { b };
                self.copy_constant(e, chosen);
                self.out.ty(chosen)
            }
            None => self.unknown(),
        }
    }

    fn copy_constant(&mut self, e: ExprId, from: ExprId) {
        if let Some(v) = self.value(from) {
            self.out.constant.insert(e, v);
        }
        if let Some(&v) = self.floats.get(&from) {
            self.floats.insert(e, v);
        }
    }

    fn types_compatible(&mut self, e: ExprId, a: TypeNameId, b: TypeNameId) -> QTy {
        let (x, y) = (self.type_name(a), self.type_name(b));
        let int = self.int_ty();
        if !self.out.types.is_error(x) && !self.out.types.is_error(y) {
            let same = self.out.types.compatible_unqualified(x, y);
            self.set_value(e, int, i128::from(same));
        }
        int
    }

    fn compound_literal(&mut self, t: TypeNameId, init: c_syntax::ast::InitId) -> QTy {
        let ty = self.type_name(t);
        if self.out.types.is_shared(ty) {
            let span = self.unit.type_names[t].span;
            let shared = self.words().shared;
            let message = format!("a compound literal cannot be {shared}");
            self.report(
                Diagnostic::error(Code::SharedAutomatic, span, message)
                    .label(format!("{shared} type"))
                    .help(format!("leave `{shared}` out, or declare a static {shared} object")),
            );
        }
        self.initializer(init, ty, self.function.is_none())
    }

    // ---- lvalues ----------------------------------------------------------------------------------

    /// Whether an expression that has been checked designates an object.
    pub fn is_lvalue(&self, e: ExprId) -> bool {
        let unit = self.unit;
        match &unit.exprs[e].kind {
            ExprKind::Ident(_) => match self.out.symbol.get(e).map(|&s| self.out.sym(s).kind) {
                Some(SymKind::Enumerator(_) | SymKind::Typedef) => false,
                Some(_) | None => true,
            },
            &ExprKind::Paren(x) | &ExprKind::Extension(x) => self.is_lvalue(x),
            ExprKind::Member { base, arrow, .. } => *arrow || self.is_lvalue(*base),
            ExprKind::Unary(op, x) => match op {
                UnOp::Deref => true,
                UnOp::Real | UnOp::Imag => self.is_lvalue(*x),
                _ => false,
            },
            // An array inside a structure that is a value is no object either; gcc accepts it.
            ExprKind::Index(..)
            | ExprKind::String
            | ExprKind::Compound(..)
            | ExprKind::FuncName
            | ExprKind::Error => true,
            &ExprKind::Choose(c, a, b) => match self.truth(c) {
                Some(true) => self.is_lvalue(a),
                Some(false) => self.is_lvalue(b),
                None => true,
            },
            ExprKind::Generic(..) | ExprKind::VaArg(..) | ExprKind::Stmts(_) => true,
            _ => self.out.types.is_error(self.out.ty(e)),
        }
    }

    /// Width of the bit-field that an expression designates.
    pub fn bit_field(&self, e: ExprId) -> Option<u64> {
        let ExprKind::Member { base, arrow, name } = &self.unit.exprs[self.unit.bare(e)].kind else {
            return None;
        };
        let ty = self.out.ty(*base);
        let ty = if *arrow {
            self.out.types.pointee(ty).or(self.out.types.as_array(ty).map(|a| a.0))?
        } else {
            ty
        };
        self.out.types.member(self.out.types.as_record(ty)?, &name.text)?.width
    }

    /// Whether an expression is a null pointer constant (C17 6.3.2.3).
    pub fn is_null(&self, e: ExprId) -> bool {
        let e = self.unit.bare(e);
        if let ExprKind::Cast(t, x) = self.unit.exprs[e].kind {
            let to = self.out.type_name(t);
            let is_void = |to: QTy| {
                let quals = self.out.types.strip(to).quals;
                self.out.types.is_void(to) && quals == Quals::default()
            };
            if self.out.types.pointee(to).is_some_and(is_void) {
                return self.is_null(x);
            }
        }
        self.value(e) == Some(0) && self.out.types.is_integer(self.out.ty(e))
    }

    /// The span of an expression.
    pub fn span(&self, e: ExprId) -> Span {
        self.unit.exprs[e].span
    }

    /// A type's description for a message.
    pub fn shown(&self, ty: QTy) -> String {
        self.out.types.show_aka(ty)
    }
}
