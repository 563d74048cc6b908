//! Unary and binary operators and assignments (C17 6.5.3, 6.5.5 – 6.5.14, 6.5.16): checks the operands, and
//! applies the rules of `operators` and `convert`.

use crate::checker::Checker;
use crate::context::Context;
use crate::context::words::Goal;
use crate::expr::{self, convert, operators};
use crate::types::{QTy, Ty};
use base::{Code, Diagnostic};
use c_syntax::ast::{BinOp, ExprId, ExprKind, UnOp};
use c_syntax::dialect::Words;

impl Checker<'_> {
    /// Checks a binary operator, its left operands first and without recursion: `a + b + … + z` is as deep as
    /// it is long.
    pub fn binary_chain(&mut self, e: ExprId) -> QTy {
        let unit = self.cx.unit;
        let mut spine = vec![e];
        let mut at = e;
        while let ExprKind::Binary(_, left, _) = unit.exprs[at].kind {
            if !matches!(unit.exprs[left].kind, ExprKind::Binary(..)) {
                break;
            }
            spine.push(left);
            at = left;
        }
        let ExprKind::Binary(_, first, _) = unit.exprs[at].kind else { return self.cx.unknown() };
        self.expr(first);
        let mut ty = self.cx.unknown();
        for &node in spine.iter().rev() {
            let ExprKind::Binary(op, a, b) = unit.exprs[node].kind else { break };
            self.expr(b);
            ty = operators::binary(&mut self.cx, node, op, a, b);
            if node != e {
                expr::typed(&mut self.cx, node, ty);
            }
        }
        ty
    }

    /// A prefix operator other than `++` and `--`.
    pub fn unary(&mut self, e: ExprId, op: UnOp, x: ExprId) -> QTy {
        if op == UnOp::Addr {
            return self.address_of(e, x);
        }
        let ty = self.rvalue(x);
        let types = &self.cx.out.types;
        if types.is_error(ty) {
            return if op == UnOp::Not { self.cx.int_ty() } else { ty };
        }
        match (op, types.of(ty)) {
            (UnOp::Deref, Ty::Pointer(to)) => {
                let to = *to;
                if types.is_shared_void(to) {
                    let Words { shared, pointer, .. } = *self.cx.words();
                    let help = format!("cast it to a {pointer} of the type that is meant");
                    self.cx.report(
                        Diagnostic::error(
                            Code::Incomplete,
                            self.cx.span(e),
                            format!("a `{shared} void *` is dereferenced"),
                        )
                        .label("the target of the pointer has no type")
                        .help(help),
                    );
                }
                self.cx.out.types.entered(to)
            }
            (UnOp::Not, _) => {
                operators::check_condition(&mut self.cx, x, ty);
                self.cx.int_ty()
            }
            (_, Ty::Vector(..)) => ty,
            (UnOp::Plus | UnOp::Minus, _) if types.is_arithmetic(ty) => self.cx.promote(x, ty),
            // On complex numbers `~` is GNU C's conjugation.
            (UnOp::BitNot, Ty::Complex(_) | Ty::ComplexInt(_)) => ty,
            (UnOp::BitNot, _) if types.is_integer(ty) => self.cx.promote(x, ty),
            (UnOp::Real | UnOp::Imag, _) if types.is_arithmetic(ty) => part(&mut self.cx, ty),
            _ => {
                let shown = self.cx.shown(ty);
                let sign = prefix(op);
                self.cx.error(
                    Code::BadOperands,
                    self.cx.span(e),
                    format!("`{sign}` cannot be applied to {shown}"),
                    "this operand has the wrong type",
                );
                self.cx.unknown()
            }
        }
    }

    /// `&x` (C17 6.5.3.2).
    fn address_of(&mut self, e: ExprId, x: ExprId) -> QTy {
        self.addressed = Some(self.cx.unit.bare(x));
        let ty = self.expr(x);
        let bare = self.cx.unit.bare(x);
        let unit = self.cx.unit;
        match &unit.exprs[bare].kind {
            ExprKind::Threads | ExprKind::MyThread => {
                let name = self.cx.text(unit.exprs[bare].span).to_owned();
                self.cx.report(
                    Diagnostic::error(Code::NotAnLvalue, self.cx.span(e), format!("the address of `{name}`"))
                        .label(format!("`{name}` is a value, not an object"))
                        .help("copy it into a variable"),
                );
                return self.cx.unknown();
            }
            _ if self.cx.bit_field(bare).is_some() => {
                self.cx.error(
                    Code::BadOperands,
                    self.cx.span(e),
                    "the address of a bit-field",
                    "a bit-field has no address",
                );
                return self.cx.unknown();
            }
            _ => {}
        }
        operators::note_address(&mut self.cx, bare);
        // One message is enough for an operand without a type: its address fits everything too.
        if self.cx.out.types.is_error(ty) && !self.cx.out.types.is_shared(ty) {
            return self.cx.unknown();
        }
        let is_function = self.cx.out.types.as_function(ty).is_some();
        if !is_function
            && !self.cx.is_lvalue(bare)
            && !self.cx.out.types.is_error(ty)
            && !self.cx.out.types.is_array(ty)
        {
            self.cx.error(Code::BadOperands, self.cx.span(e), "the address of a value", "is not an object");
            return self.cx.unknown();
        }
        // The address of a block is a spread pointer again.
        let through = match unit.exprs[bare].kind {
            ExprKind::Unary(UnOp::Deref, p) => Some(p),
            ExprKind::Index(a, i) => {
                Some(if self.cx.out.types.is_integer(self.cx.out.ty(a)) { i } else { a })
            }
            _ => None,
        };
        if let Some(p) = through.filter(|_| self.cx.everything()) {
            let pointer = self.cx.value_ty(p);
            return pointer;
        }
        self.cx.out.types.pointer_to(ty)
    }

    /// `a = b`, `a op= b`
    pub fn assign(&mut self, e: ExprId, op: Option<BinOp>, a: ExprId, b: ExprId) -> QTy {
        let to = self.expr(a);
        let from = self.rvalue(b);
        let result = self.cx.out.types.unqualified(to);
        if !convert::check_modifiable(&mut self.cx, a, to) {
            return result;
        }
        match op {
            None => convert::convert(&mut self.cx, b, from, to, Goal::Assign),
            Some(op) => {
                let value = self.cx.out.types.decay(to);
                let made = operators::operate(&mut self.cx, e, op, (a, value), (b, from));
                if self.cx.out.types.pointee(value).is_some() && self.cx.out.types.is_integer(made) {
                    operators::bad_operands(&mut self.cx, e, op, value, from);
                }
            }
        }
        result
    }

    /// `++` and `--`.
    pub fn inc_dec(&mut self, e: ExprId, x: ExprId) -> QTy {
        let ty = self.expr(x);
        if !convert::check_modifiable(&mut self.cx, x, ty) {
            return self.cx.out.types.unqualified(ty);
        }
        match self.cx.out.types.of(ty) {
            Ty::Pointer(to) => {
                let to = *to;
                operators::check_step(&mut self.cx, to, e);
            }
            _ if self.cx.out.types.is_arithmetic(ty) => {}
            Ty::Error | Ty::Vector(..) => {}
            _ => {
                let shown = self.cx.shown(ty);
                self.cx.error(
                    Code::BadOperands,
                    self.cx.span(e),
                    format!("{shown} is incremented or decremented"),
                    "neither a number nor a pointer",
                );
            }
        }
        self.cx.out.types.unqualified(ty)
    }
}

/// The type of `__real__ x`.
fn part(cx: &mut Context, ty: QTy) -> QTy {
    match *cx.out.types.of(ty) {
        Ty::Complex(kind) => QTy::plain(cx.out.types.intern(Ty::Float(kind))),
        Ty::ComplexInt(kind) => cx.out.types.int(kind),
        _ => ty,
    }
}

fn prefix(op: UnOp) -> &'static str {
    match op {
        UnOp::Addr => "&",
        UnOp::Deref => "*",
        UnOp::Plus => "+",
        UnOp::Minus => "-",
        UnOp::BitNot => "~",
        UnOp::Not => "!",
        UnOp::Real => "__real__",
        UnOp::Imag => "__imag__",
    }
}
