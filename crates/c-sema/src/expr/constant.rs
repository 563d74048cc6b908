//! Constant expressions (C17 6.6): folded bottom-up, as each expression gets its type.
//!
//! The integer constants are a table of the result. Beside it, for the checks alone, there are the values
//! of floating constants, so that `(int)1.5` is one, and the addresses that `&((T *)0)->m` computes, which
//! old code uses as offsetof.

use super::literal::{self, Number};
use crate::checker::Checker;
use crate::context::Context;
use crate::library;
use crate::typed::SymKind;
use crate::types::{FloatKind, IntKind, Len, QTy, Ty};
use base::{Code, Diagnostic, Span};
use c_syntax::ast::{BinOp, ExprId, ExprKind, UnOp};
use c_syntax::dialect::Words;
use c_syntax::visit::{self, Node};

impl Checker<'_> {
    /// Notes the value of an expression of real floating type, rounded to it.
    fn set_float(&mut self, e: ExprId, ty: QTy, value: f64) {
        if let Some(value) = self.rounded(ty, value) {
            self.cx.floats.insert(e, value);
        }
    }

    /// A value in a real floating type. For types wider than double, only whole numbers that a double holds
    /// exactly.
    fn rounded(&self, ty: QTy, value: f64) -> Option<f64> {
        let Ty::Float(kind) = *self.cx.out.types.of(ty) else { return None };
        match kind {
            FloatKind::Float | FloatKind::N(32, false) => Some(f64::from(value as f32)),
            FloatKind::Double | FloatKind::N(64, false) | FloatKind::N(32, true) => Some(value),
            _ => Some(value).filter(|v| v.fract() == 0.0 && v.abs() < (1u64 << f64::MANTISSA_DIGITS) as f64),
        }
    }

    /// Folds an expression whose operands are folded and whose type is `ty`.
    pub fn fold(&mut self, e: ExprId, ty: QTy) {
        let unit = self.cx.unit;
        match &unit.exprs[e].kind {
            ExprKind::Number => self.fold_number(e, ty),
            ExprKind::Char => {
                if let Some((v, _)) =
                    literal::character(self.cx.text(unit.exprs[e].span), self.cx.env.char_signed)
                {
                    self.cx.set_value(e, ty, v);
                }
            }
            ExprKind::Ident(_) => {
                let sym = self.cx.out.symbol.get(e).map(|&s| self.cx.out.sym(s).kind);
                if let Some(SymKind::Enumerator(v)) = sym {
                    self.cx.out.constant.insert(e, v);
                }
            }
            &ExprKind::Paren(x) | &ExprKind::Extension(x) => self.copy_value(e, x, ty),
            &ExprKind::Unary(op, x) => self.fold_unary(e, op, x, ty),
            &ExprKind::Binary(op, a, b) => self.fold_binary(e, op, a, b, ty),
            &ExprKind::Cond(c, a, b) => {
                if let Some(v) = self.cx.truth(c) {
                    self.copy_value(e, if v { a.unwrap_or(c) } else { b }, ty);
                }
            }
            &ExprKind::Cast(_, x) => self.fold_cast(e, x, ty),
            ExprKind::Threads => {
                if let Some(n) = self.cx.env.static_threads {
                    self.cx.set_value(e, ty, i128::from(n));
                }
            }
            _ => {}
        }
    }

    fn fold_number(&mut self, e: ExprId, ty: QTy) {
        match literal::number(self.cx.text(self.cx.unit.exprs[e].span)) {
            Some(Number::Int(v, _)) => self.cx.set_value(e, ty, v),
            Some(Number::Float(v, _)) => self.set_float(e, ty, v),
            _ => {}
        }
    }

    fn copy_value(&mut self, e: ExprId, from: ExprId, ty: QTy) {
        if let Some(v) = self.cx.value(from) {
            if self.cx.out.types.is_integer(ty) {
                self.cx.set_value(e, ty, v);
            } else {
                self.set_float(e, ty, v as f64);
            }
        }
        if let Some(&v) = self.cx.floats.get(&from) {
            self.set_float(e, ty, v);
        }
        if let Some(&v) = self.cx.addresses.get(&from) {
            self.cx.addresses.insert(e, v);
        }
    }

    fn fold_unary(&mut self, e: ExprId, op: UnOp, x: ExprId, ty: QTy) {
        if let (UnOp::Not, Some(v)) = (op, self.cx.truth(x)) {
            return self.cx.set_value(e, ty, i128::from(!v));
        }
        if op == UnOp::Addr {
            if let Some(a) = self.address(x) {
                self.cx.addresses.insert(e, a);
            }
            return;
        }
        if let Some(v) = self.cx.value(x) {
            match op {
                UnOp::Plus => self.cx.set_value(e, ty, v),
                UnOp::Minus => self.cx.set_value(e, ty, v.wrapping_neg()),
                UnOp::BitNot => self.cx.set_value(e, ty, !v),
                _ => {}
            }
        } else if let Some(&v) = self.cx.floats.get(&x) {
            match op {
                UnOp::Plus => self.set_float(e, ty, v),
                UnOp::Minus => self.set_float(e, ty, -v),
                _ => {}
            }
        }
    }

    fn fold_binary(&mut self, e: ExprId, op: BinOp, a: ExprId, b: ExprId, ty: QTy) {
        match (op, self.cx.truth(a)) {
            (BinOp::And, Some(false)) => return self.cx.set_value(e, ty, 0),
            (BinOp::Or, Some(true)) => return self.cx.set_value(e, ty, 1),
            (BinOp::And | BinOp::Or, Some(_)) => {
                if let Some(v) = self.cx.truth(b) {
                    self.cx.set_value(e, ty, i128::from(v));
                }
                return;
            }
            _ => {}
        }
        let ints = self.cx.value(a).zip(self.cx.value(b));
        let places = self.cx.addresses.get(&a).copied().zip(self.cx.addresses.get(&b).copied());
        if let Some((x, y)) = ints {
            // Operands are converted to the common type first: -1 < 0u is false.
            let common = match op {
                BinOp::Shl | BinOp::Shr => {
                    let ty = self.cx.out.ty(a);
                    self.cx.out.types.promoted(ty)
                }
                _ => self.common(a, b),
            };
            let Some(kind) = self.cx.out.types.int_kind(common) else { return };
            let signed = self.cx.env.char_signed;
            let y = if matches!(op, BinOp::Shl | BinOp::Shr) { y } else { kind.wrap(y, signed) };
            if let Some(v) = arithmetic(op, kind.wrap(x, signed), y) {
                self.cx.set_value(e, ty, v);
            }
        } else if let Some((x, y)) = places {
            self.fold_addresses(e, op, (a, x), (b, y), ty);
        } else {
            self.fold_floats(e, op, a, b, ty);
        }
    }

    fn fold_addresses(&mut self, e: ExprId, op: BinOp, a: (ExprId, i128), b: (ExprId, i128), ty: QTy) {
        if op != BinOp::Sub {
            if let (Some(v), true) = (arithmetic(op, a.1, b.1), self.cx.out.types.is_integer(ty)) {
                self.cx.set_value(e, ty, v);
            }
            return;
        }
        let pointee = self.cx.out.types.pointee(self.cx.out.ty(a.0));
        let size = pointee.and_then(|to| self.cx.out.types.size_of(to)).unwrap_or(0);
        if size > 0 {
            self.cx.set_value(e, ty, (a.1 - b.1) / i128::from(size));
        }
    }

    fn fold_floats(&mut self, e: ExprId, op: BinOp, a: ExprId, b: ExprId, ty: QTy) {
        let number = |c: &Context, x: ExprId| c.floats.get(&x).copied().or(c.value(x).map(|v| v as f64));
        let (Some(x), Some(y)) = (number(&self.cx, a), number(&self.cx, b)) else { return };
        let common = self.common(a, b);
        let (Some(x), Some(y)) = (self.rounded(common, x), self.rounded(common, y)) else { return };
        let truth = match op {
            BinOp::Lt => x < y,
            BinOp::Gt => x > y,
            BinOp::Le => x <= y,
            BinOp::Ge => x >= y,
            BinOp::Eq => x == y,
            BinOp::Ne => x != y,
            _ => {
                let v = match op {
                    BinOp::Add => x + y,
                    BinOp::Sub => x - y,
                    BinOp::Mul => x * y,
                    BinOp::Div => x / y,
                    _ => return,
                };
                return self.set_float(e, ty, v);
            }
        };
        self.cx.set_value(e, ty, i128::from(truth));
    }

    fn fold_cast(&mut self, e: ExprId, x: ExprId, ty: QTy) {
        let from = self.cx.out.ty(x);
        if self.cx.out.types.is_integer(ty) {
            let value = self.cx.value(x).or_else(|| self.cx.floats.get(&x).and_then(|&v| self.whole(v, ty)));
            let value = value.or_else(|| self.cx.addresses.get(&x).copied());
            let value =
                value.or_else(|| if self.cx.out.types.is_array(from) { self.address(x) } else { None });
            if let Some(v) = value {
                self.cx.set_value(e, ty, v);
            }
        } else if let Some(to) = self.cx.out.types.pointee(ty) {
            if self.cx.out.types.is_shared(to) {
                return;
            }
            let value = self.cx.value(x).or_else(|| self.cx.addresses.get(&x).copied());
            let value =
                value.or_else(|| if self.cx.out.types.is_array(from) { self.address(x) } else { None });
            if let Some(v) = value {
                self.cx.addresses.insert(e, v);
            }
        } else if let Some(v) = self.cx.value(x).map(|v| v as f64).or(self.cx.floats.get(&x).copied()) {
            self.set_float(e, ty, v);
        }
    }

    /// The whole part of a floating constant, if an integer type holds it (C17 6.3.1.4: else undefined).
    fn whole(&self, v: f64, ty: QTy) -> Option<i128> {
        let kind = self.cx.out.types.int_kind(ty)?;
        let whole = v as i128;
        let holds =
            v.is_finite() && (kind == IntKind::Bool || kind.wrap(whole, self.cx.env.char_signed) == whole);
        holds.then(|| if kind == IntKind::Bool { i128::from(v != 0.0) } else { whole })
    }

    /// The constant address of an lvalue that is reached from an integer cast to a pointer.
    pub fn address(&self, e: ExprId) -> Option<i128> {
        match &self.cx.unit.exprs[e].kind {
            &ExprKind::Paren(x) | &ExprKind::Extension(x) => self.address(x),
            &ExprKind::Unary(UnOp::Deref, x) => self.cx.addresses.get(&x).copied(),
            ExprKind::Member { base, arrow, name } => {
                let from = if *arrow { self.cx.addresses.get(base).copied() } else { self.address(*base) }?;
                let ty = self.cx.out.ty(*base);
                let ty = if *arrow { self.cx.out.types.pointee(ty)? } else { ty };
                let member = self.cx.out.types.member(self.cx.out.types.as_record(ty)?, &name.text)?;
                Some(from + i128::from(member.offset?))
            }
            &ExprKind::Index(a, i) => {
                let array = self.cx.out.ty(a);
                let from = self.cx.addresses.get(&a).copied().or_else(|| self.address(a))?;
                let elem =
                    self.cx.out.types.pointee(array).or(self.cx.out.types.as_array(array).map(|(t, _)| t))?;
                Some(from + self.cx.value(i)? * i128::from(self.cx.out.types.size_of(elem)?))
            }
            _ => None,
        }
    }

    /// Whether an expression of this type is a pointer-to-shared or a shared array.
    fn leads_to_place(&self, ty: QTy) -> bool {
        let types = &self.cx.out.types;
        types.shared_pointee(ty).is_some() || (types.is_array(ty) && types.is_shared(ty))
    }

    /// An operand of an expression, or itself, that makes it vary for certain: an object's value, a call of a
    /// function of the program, an assignment, MYTHREAD, THREADS or a size that depends on it. `None` does
    /// not promise that the expression is constant.
    pub fn varies(&self, e: ExprId) -> Option<ExprId> {
        if self.cx.value(e).is_some() {
            return None;
        }
        let unit = self.cx.unit;
        match &unit.exprs[e].kind {
            ExprKind::Ident(_) => {
                let sym = self.cx.out.sym(*self.cx.out.symbol.get(e)?);
                let is_object = matches!(sym.kind, SymKind::Auto | SymKind::Param | SymKind::Static { .. });
                (is_object && self.cx.out.types.is_scalar(sym.ty)).then_some(e)
            }
            // The address of a shared object in this process is known only at start.
            &ExprKind::Cast(_, x)
                if self.leads_to_place(self.cx.out.ty(x))
                    && self.cx.out.types.shared_pointee(self.cx.out.ty(e)).is_none() =>
            {
                Some(e)
            }
            &ExprKind::Paren(x)
            | &ExprKind::Extension(x)
            | &ExprKind::Unary(UnOp::Plus | UnOp::Minus | UnOp::BitNot | UnOp::Not, x)
            | &ExprKind::Cast(_, x) => self.varies(x),
            &ExprKind::Binary(BinOp::Mul, a, b)
                if self.cx.value(a) == Some(0) || self.cx.value(b) == Some(0) =>
            {
                None
            }
            &ExprKind::Binary(BinOp::Sub, a, _)
                if self.cx.out.types.is_pointer(self.cx.out.ty(a))
                    && self.cx.out.types.shared_pointee(self.cx.out.ty(a)).is_none() =>
            {
                None
            }
            &ExprKind::Binary(_, a, b) => self.varies(a).or_else(|| self.varies(b)),
            // gcc may know the value of a condition (`__builtin_constant_p`) that is not known here.
            &ExprKind::Cond(c, a, b) => match self.cx.truth(c) {
                Some(true) => a.and_then(|a| self.varies(a)),
                Some(false) => self.varies(b),
                None => self.varies(c),
            },
            ExprKind::Call(f, args) => {
                let sym = self.cx.out.sym(*self.cx.out.symbol.get(*f)?);
                if library::may_be_folded(&sym.name) {
                    return args.iter().find_map(|&a| self.varies(a));
                }
                (sym.kind == SymKind::Function && !sym.name.starts_with("__")).then_some(e)
            }
            // Start-up does not know values in shared memory.
            ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _) => {
                let ty = self.cx.out.ty(e);
                (self.cx.out.types.is_shared(ty) && self.cx.out.types.is_scalar(ty)).then_some(e)
            }
            ExprKind::Assign(..)
            | ExprKind::Split(..)
            | ExprKind::Post(..)
            | ExprKind::Pre(..)
            | ExprKind::MyThread => Some(e),
            ExprKind::Threads => Some(e),
            ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..) => self.is_size_of_threads(e).then_some(e),
            _ => None,
        }
    }

    /// Whether an expression is the size of something, which depends on the number of threads.
    pub fn is_size_of_threads(&self, e: ExprId) -> bool {
        let ty = match self.cx.unit.exprs[e].kind {
            _ if self.cx.value(e).is_some() => return false,
            ExprKind::SizeofExpr(_, x) => self.cx.out.ty(x),
            ExprKind::SizeofType(_, t) => self.cx.out.type_name(t),
            _ => return false,
        };
        let is_threads = |e| matches!(self.cx.unit.exprs[e].kind, ExprKind::Threads);
        self.cx.out.types.depends_on_threads(ty)
            || self.cx.out.types.is_variable(ty) && visit::exists(self.cx.unit, Node::Expr(e), is_threads)
    }

    /// An operand of a constant expression, or itself, whose type does not hold its value (C17 6.6 p4). In an
    /// expression whose value is 0, an unsigned operand that wraps around counts too.
    pub fn overflow(&self, e: ExprId) -> Option<ExprId> {
        let zero = self.cx.value(e)? == 0;
        let mut found = None;
        visit::each_expr(self.cx.unit, Node::Expr(e), |e| {
            found = found.or(self.overflows(e, zero).then_some(e));
            !matches!(self.cx.unit.exprs[e].kind, ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..))
        });
        found
    }

    fn overflows(&self, e: ExprId, unsigned: bool) -> bool {
        let Some(kind) = self.cx.out.types.int_kind(self.cx.out.ty(e)) else { return false };
        let signed = self.cx.env.char_signed;
        let (op, x, y) = match self.cx.unit.exprs[e].kind {
            ExprKind::Binary(op, a, b) => (op, self.cx.value(a), self.cx.value(b)),
            ExprKind::Unary(UnOp::Minus, a) => (BinOp::Sub, Some(0), self.cx.value(a)),
            _ => return false,
        };
        let (Some(x), Some(y)) = (x, y) else { return false };
        let bits = i128::from(kind.size()) * 8;
        match op {
            BinOp::Shl | BinOp::Shr if !(0..bits).contains(&y) => true,
            _ if kind.is_unsigned(signed) && !unsigned => false,
            _ => arithmetic(op, x, y).is_some_and(|value| kind.wrap(value, signed) != value),
        }
    }

    /// The value of an expression that must be constant, and has not been typed. `what` names it in messages.
    pub fn constant(&mut self, e: ExprId, what: &str) -> Option<i128> {
        self.expr(e);
        self.refuse_varying(e, what);
        self.cx.value(e)
    }

    /// Reports an expression that must be constant, and varies for certain.
    pub fn refuse_varying(&mut self, e: ExprId, what: &str) {
        let Some(culprit) = self.varies(e) else { return };
        let message = format!("{what} is not constant");
        let d = Diagnostic::error(Code::NotConstant, self.cx.span(culprit), message);
        let d = self.on_threads(d.label("varies"), culprit);
        self.cx.report(d);
    }

    /// The diagnostic, with a hint if the varying operand depends on the number of threads.
    pub fn on_threads(&self, d: Diagnostic, culprit: ExprId) -> Diagnostic {
        if !matches!(self.cx.unit.exprs[culprit].kind, ExprKind::Threads) && !self.is_size_of_threads(culprit)
        {
            return d;
        }
        let Words { threads, fixed, .. } = *self.cx.words();
        d.label(format!("depends on {threads}, which is known only at run time"))
            .help(format!("fix the number of threads when compiling ({fixed})"))
    }

    /// Classifies an array bound of the dynamic environment: a constant, THREADS times a constant, or
    /// neither, with the places of all its THREADS.
    pub fn bound(&self, e: ExprId) -> Bound {
        let (mut seen, mut wrong) = (Vec::new(), false);
        visit::each_expr(self.cx.unit, Node::Expr(e), |e| {
            let expr = &self.cx.unit.exprs[e];
            wrong |= self.cx.out.types.is_error(self.cx.out.ty(e));
            seen.extend(matches!(expr.kind, ExprKind::Threads).then_some(expr.span));
            // The size of an object contains no THREADS, though its type may.
            !matches!(expr.kind, ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..))
        });
        if wrong {
            return Bound::Wrong;
        }
        match (self.cx.value(e), &seen[..]) {
            (Some(v), _) => Bound::Const(v),
            (None, []) => Bound::Variable,
            (None, [_]) => match self.factor(e) {
                Some(k) => Bound::Threads(k, seen[0]),
                None => Bound::Misplaced(seen),
            },
            _ => Bound::Misplaced(seen),
        }
    }

    /// The k of `k * THREADS` in any nesting of parentheses and products.
    fn factor(&self, e: ExprId) -> Option<i128> {
        match &self.cx.unit.exprs[e].kind {
            ExprKind::Threads => Some(1),
            &ExprKind::Paren(x) | &ExprKind::Extension(x) => self.factor(x),
            // For UPC's THREADS, a cast is no multiple (UPC 6.5.2.1).
            &ExprKind::Cast(t, x)
                if self.cx.everything() && self.cx.out.types.is_integer(self.cx.out.type_name(t)) =>
            {
                self.factor(x)
            }
            &ExprKind::Binary(BinOp::Mul, a, b) => match (self.cx.value(a), self.cx.value(b)) {
                (Some(k), None) => Some(self.factor(b)?.saturating_mul(k)),
                (None, Some(k)) => Some(self.factor(a)?.saturating_mul(k)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The form of an array bound.
pub(crate) enum Bound {
    Const(i128),
    /// A multiple of THREADS: the factor, and the place of THREADS.
    Threads(i128, Span),
    /// THREADS twice, or in another form than a product.
    Misplaced(Vec<Span>),
    Variable,
    /// An invalid bound, which has been reported.
    Wrong,
}

impl Bound {
    /// The length of an array with this bound, as far as it is valid.
    pub fn len(&self) -> Len {
        match self {
            Bound::Const(n) => Len::Const(u64::try_from(*n).unwrap_or(0)),
            Bound::Threads(k, _) => Len::Threads(u64::try_from(*k).unwrap_or(1)),
            Bound::Misplaced(_) | Bound::Variable | Bound::Wrong => Len::Variable,
        }
    }
}

fn arithmetic(op: BinOp, x: i128, y: i128) -> Option<i128> {
    Some(match op {
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div => x.checked_div(y)?,
        BinOp::Rem => x.checked_rem(y)?,
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Shl => x.checked_shl(u32::try_from(y).ok()?)?,
        BinOp::Shr => x.checked_shr(u32::try_from(y).ok()?)?,
        BinOp::Lt => i128::from(x < y),
        BinOp::Gt => i128::from(x > y),
        BinOp::Le => i128::from(x <= y),
        BinOp::Ge => i128::from(x >= y),
        BinOp::Eq => i128::from(x == y),
        BinOp::Ne => i128::from(x != y),
        BinOp::BitAnd => x & y,
        BinOp::BitXor => x ^ y,
        BinOp::BitOr => x | y,
        BinOp::And => i128::from(x != 0 && y != 0),
        BinOp::Or => i128::from(x != 0 || y != 0),
        BinOp::Comma => return None,
    })
}
