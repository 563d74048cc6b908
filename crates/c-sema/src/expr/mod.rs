//! Expressions: the type of each, and the constraints of C and UPC on its operands.
//!
//! [`Checker::expr`] notes and returns the type before any conversion; [`Checker::rvalue`] returns the type
//! of the value. Every expression is visited exactly once, even if it is not evaluated.
//!
//! Methods of [`Checker`] check operands; the rules for operands that have been checked are functions over
//! the [`Context`].

mod arith;
mod call;
mod cast;
mod cond;
pub(crate) mod convert;
mod member;
pub(crate) mod operators;
mod primary;
mod sizeof;
pub(crate) mod split;

use crate::checker::Checker;
use crate::constant;
use crate::context::Context;
use crate::typed::SymKind;
use crate::types::{Len, QTy, Quals, Ty};
use base::{Code, Diagnostic};
use c_syntax::ast::{ExprId, ExprKind, Name, SizeOp, StmtId, StmtKind, TypeNameId, Unit};

impl<'a> Checker<'a> {
    /// The type of an expression, before conversions.
    pub fn expr(&mut self, e: ExprId) -> QTy {
        let unit = self.cx.unit;
        if !self.descend(unit.exprs[e].span) {
            return self.cx.unknown();
        }
        let ty = match unit.exprs[e].kind {
            ExprKind::Binary(..) => self.binary_chain(e),
            _ => self.expr_kind(e),
        };
        self.depth -= 1;
        typed(&mut self.cx, e, ty)
    }

    /// The value of an expression that must be constant, and has not been typed. `what` names it in messages.
    pub fn constant(&mut self, e: ExprId, what: &str) -> Option<i128> {
        self.expr(e);
        constant::refuse_varying(&mut self.cx, e, what);
        self.cx.value(e)
    }

    /// The type of the value of an expression: arrays and functions have become pointers, qualifiers are
    /// gone.
    pub fn rvalue(&mut self, e: ExprId) -> QTy {
        let ty = self.expr(e);
        self.cx.out.types.decay(ty)
    }

    fn expr_kind(&mut self, e: ExprId) -> QTy {
        let unit = self.cx.unit;
        match &unit.exprs[e].kind {
            ExprKind::Ident(name) => self.ident(e, name, false),
            ExprKind::Number => primary::number(&mut self.cx, e),
            ExprKind::Char => primary::char_constant(&mut self.cx, e),
            ExprKind::String => primary::string(&mut self.cx, e),
            &ExprKind::Paren(x) | &ExprKind::Extension(x) => self.expr(x),
            &ExprKind::Index(a, i) => self.index(e, a, i),
            ExprKind::Call(f, args) => self.call(e, *f, args),
            ExprKind::Member { base, arrow, name } => self.member(*base, *arrow, name),
            &ExprKind::Post(_, x) | &ExprKind::Pre(_, x) => self.inc_dec(e, x),
            &ExprKind::Unary(op, x) => self.unary(e, op, x),
            ExprKind::Binary(..) => self.cx.unknown(),
            &ExprKind::Assign(op, a, b) => self.assign(e, op, a, b),
            &ExprKind::Split(op, a, b) => self.split(e, op, a, b),
            &ExprKind::Cond(c, a, b) => self.cond(e, c, a, b),
            &ExprKind::Cast(t, x) => self.cast(e, t, x),
            &ExprKind::Compound(t, init) => self.compound_literal(t, init),
            &ExprKind::SizeofExpr(op, x) => {
                let ty = self.expr(x);
                sizeof::check_sizeof_bits(&mut self.cx, op, x);
                let size = sizeof::sizeof(&mut self.cx, e, op, ty, unit.exprs[x].span);
                // An object may be aligned more than its type.
                if op == SizeOp::Alignof && self.cx.is_lvalue(x) {
                    self.cx.out.constant.remove(e);
                }
                size
            }
            &ExprKind::SizeofType(op, t) => {
                let ty = self.type_name(t);
                sizeof::sizeof(&mut self.cx, e, op, ty, unit.type_names[t].span)
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
                if let Some(f) = &mut self.function {
                    f.mention_label(name, false);
                }
                let void = QTy::plain(self.cx.basic.void);
                self.cx.out.types.pointer_to(void)
            }
            ExprKind::FuncName => self.func_name(),
            ExprKind::Threads | ExprKind::MyThread => self.cx.int_ty(),
            ExprKind::HasAttribute => self.cx.int_ty(),
            ExprKind::Error => self.cx.unknown(),
        }
    }

    // ---- primary expressions -----------------------------------------------------------------------

    /// A name. `called`: an argument list follows, so the call may declare the name.
    fn ident(&mut self, e: ExprId, name: &'a Name, called: bool) -> QTy {
        let found = self.names.find(&name.text).or_else(|| self.names.builtin(&mut self.cx, name));
        let sym = match found {
            Some(sym) => sym,
            None if called => self.names.implicit_function(&mut self.cx, name),
            None => {
                self.names.undeclared(&mut self.cx, name);
                return self.cx.unknown();
            }
        };
        self.cx.out.symbol.insert(e, sym);
        let symbol = self.cx.out.sym(sym);
        if symbol.kind == SymKind::Typedef {
            let message = format!("`{}` is a type, not a value", name.text);
            self.cx.error(Code::BadOperands, name.span, message, "a type name");
            return self.cx.unknown();
        }
        symbol.ty
    }

    fn func_name(&mut self) -> QTy {
        let length = self.function.as_ref().map_or(0, |f| f.name().len() as u64);
        let quals = Quals { is_const: true, ..Quals::default() };
        let elem = QTy { ty: self.cx.basic.char, quals };
        QTy::plain(self.cx.out.types.intern(Ty::Array(elem, Len::Const(length + 1))))
    }

    // ---- forms that hold other things ----------------------------------------------------------------

    /// `({ … })`: the value of its last statement, if that is an expression.
    fn statement_expr(&mut self, body: StmtId) -> QTy {
        let unit = self.cx.unit;
        let StmtKind::Compound(stmts) = &unit.stmts[body].kind else { return self.cx.unknown() };
        if self.function.is_none() {
            self.cx.error(
                Code::BadStatement,
                unit.stmts[body].span,
                "a statement expression outside a function",
                "only functions hold statements",
            );
            return self.cx.unknown();
        }
        let last = stmts.last().map(|&s| labelled(self.cx.unit, s));
        let outer = std::mem::replace(&mut self.value_stmt, last);
        self.stmt(body);
        self.value_stmt = outer;
        let mut last = stmts.last().copied();
        while let Some(s) = last {
            match unit.stmts[s].kind {
                StmtKind::Expr(Some(e)) => {
                    let ty = self.cx.out.ty(e);
                    return self.cx.out.types.decay(ty);
                }
                StmtKind::Label(_, inner) => last = Some(inner),
                _ => break,
            }
        }
        QTy::plain(self.cx.basic.void)
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
                    !self.cx.out.types.is_error(ty) && self.cx.out.types.compatible(ty, control)
                }
            };
            // An arm that is not chosen is not compiled; the C compiler reports its errors.
            let taken = fits && chosen.is_none();
            self.cx.drop_messages(!taken && ty.is_some());
            self.expr(arm);
            self.cx.keep_messages(!taken && ty.is_some());
            if taken {
                chosen = Some(arm);
            }
        }
        if self.cx.out.types.is_error(control) {
            return self.cx.unknown();
        }
        let Some(arm) = chosen.or(default) else {
            let shown = self.cx.out.types.show_aka(control);
            let span = self.cx.unit.exprs[x].span;
            self.cx.error(
                Code::BadOperands,
                span,
                format!("no arm of this _Generic fits {shown}"),
                "has no arm",
            );
            return self.cx.unknown();
        };
        self.cx.out.generic.insert(e, arm);
        constant::copy_constant(&mut self.cx, e, arm);
        self.cx.out.ty(arm)
    }

    fn choose(&mut self, e: ExprId, c: ExprId, a: ExprId, b: ExprId) -> QTy {
        self.expr(c);
        let truth = self.cx.truth(c);
        constant::refuse_varying(&mut self.cx, c, "the condition of `__builtin_choose_expr`");
        self.cx.drop_messages(truth != Some(true));
        self.expr(a);
        self.cx.keep_messages(truth != Some(true));
        self.cx.drop_messages(truth != Some(false));
        self.expr(b);
        self.cx.keep_messages(truth != Some(false));
        match truth {
            Some(t) => {
                let chosen = if t { a } else { b };
                constant::copy_constant(&mut self.cx, e, chosen);
                self.cx.out.ty(chosen)
            }
            None => self.cx.unknown(),
        }
    }

    fn types_compatible(&mut self, e: ExprId, a: TypeNameId, b: TypeNameId) -> QTy {
        let (x, y) = (self.type_name(a), self.type_name(b));
        let int = self.cx.int_ty();
        if !self.cx.out.types.is_error(x) && !self.cx.out.types.is_error(y) {
            let same = self.cx.out.types.compatible_unqualified(x, y);
            self.cx.set_value(e, int, i128::from(same));
        }
        int
    }

    fn compound_literal(&mut self, t: TypeNameId, init: c_syntax::ast::InitId) -> QTy {
        let ty = self.type_name(t);
        if self.cx.out.types.is_shared(ty) {
            let span = self.cx.unit.type_names[t].span;
            let shared = self.cx.words().shared;
            let message = format!("a compound literal cannot be {shared}");
            self.cx.report(
                Diagnostic::error(Code::SharedAutomatic, span, message)
                    .label(format!("{shared} type"))
                    .help(format!("leave `{shared}` out, or declare a static {shared} object")),
            );
        }
        self.initializer(init, ty, self.function.is_none())
    }
}

/// Notes the type of an expression and folds it.
fn typed(cx: &mut Context, e: ExprId, ty: QTy) -> QTy {
    cx.out.expr_ty[e.index()] = ty;
    constant::fold(cx, e, ty);
    ty
}

/// The statement under labels.
fn labelled(unit: &Unit, mut s: StmtId) -> StmtId {
    while let StmtKind::Label(_, inner) = unit.stmts[s].kind {
        s = inner;
    }
    s
}
