//! Questions about expressions that have been checked: their value, whether they are objects or null.

use super::Context;
use crate::typed::SymKind;
use crate::types::{IntKind, QTy, Quals};
use base::Span;
use c_syntax::ast::{ExprId, ExprKind, UnOp};

impl Context<'_> {
    /// The type of the value of an expression that has been checked.
    pub fn value_ty(&mut self, e: ExprId) -> QTy {
        let ty = self.out.ty(e);
        self.out.types.decay(ty)
    }

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

    /// Whether an initialiser is null, with or without casts.
    pub fn null_cast(&self, e: ExprId) -> bool {
        match self.unit.exprs[e].kind {
            ExprKind::Paren(x) | ExprKind::Extension(x) | ExprKind::Cast(_, x) => self.null_cast(x),
            ExprKind::Cond(_, Some(a), b) => self.null_cast(a) && self.null_cast(b),
            _ => self.value(e) == Some(0),
        }
    }

    /// Whether any qualifier makes an object read-only.
    pub fn is_const(&self, ty: QTy) -> bool {
        let quals: Quals = self.out.types.object_quals(ty);
        quals.is_const
    }

    /// The value of an integer constant expression that has been typed.
    pub fn value(&self, e: ExprId) -> Option<i128> {
        self.out.constant.get(e).copied()
    }

    /// Notes the value of an expression of integer type, brought into the range of the type.
    pub fn set_value(&mut self, e: ExprId, ty: QTy, value: i128) {
        if let Some(kind) = self.out.types.int_kind(ty) {
            self.out.constant.insert(e, kind.wrap(value, self.env.char_signed));
        }
    }

    /// Whether a constant expression is not zero.
    pub fn truth(&self, e: ExprId) -> Option<bool> {
        self.value(e)
            .map(|v| v != 0)
            .or_else(|| self.values.float(e).map(|v| v != 0.0))
            .or_else(|| self.values.address(e).map(|v| v != 0))
    }

    /// The integer promotions (C17 6.3.1.1), with the width of a bit-field.
    pub fn promote(&mut self, e: ExprId, ty: QTy) -> QTy {
        if let Some(kind) = self.out.types.int_kind(ty) {
            match self.bit_field(e) {
                Some(w) if w < 32 => return self.int_ty(),
                Some(32) if kind.is_unsigned(true) => return self.out.types.int(IntKind::UInt),
                Some(32) => return self.int_ty(),
                _ => {}
            }
        }
        self.out.types.promoted(ty)
    }

    /// The common type of two arithmetic operands.
    pub fn common(&mut self, a: ExprId, b: ExprId) -> QTy {
        let (x, y) = (self.value_ty(a), self.value_ty(b));
        let (x, y) = (self.promote(a, x), self.promote(b, y));
        self.out.types.usual(x, y)
    }
}
