//! Unary and binary operators (C17 6.5.3, 6.5.5 – 6.5.14).

use crate::checker::Checker;
use crate::context::words::spelling;
use crate::typed::SymKind;
use crate::types::{QTy, Ty};
use crate::upc::pointers;
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
            ty = self.binary(node, op, a, b);
            if node != e {
                self.typed(node, ty);
            }
        }
        ty
    }

    /// A binary operator whose operands have been checked.
    fn binary(&mut self, e: ExprId, op: BinOp, a: ExprId, b: ExprId) -> QTy {
        let (x, y) = (self.cx.value_ty(a), self.cx.value_ty(b));
        if op == BinOp::Comma {
            return y;
        }
        if matches!(op, BinOp::And | BinOp::Or) {
            self.check_condition(a, x);
            self.check_condition(b, y);
            return self.cx.int_ty();
        }
        self.operate(e, op, (a, x), (b, y))
    }

    /// The type of `a op b` for all operators except comma, `&&` and `||`; also for the operator of
    /// `a op= b`.
    pub fn operate(&mut self, e: ExprId, op: BinOp, a: (ExprId, QTy), b: (ExprId, QTy)) -> QTy {
        let (x, y) = (a.1, b.1);
        let types = &self.cx.out.types;
        let comparison = matches!(op, BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne);
        if types.is_error(x) || types.is_error(y) {
            return match op {
                _ if comparison => self.cx.int_ty(),
                // The unknown operand hardly matters: a pointer stays a pointer.
                BinOp::Add | BinOp::Sub if types.is_pointer(x) && types.is_error(y) => x,
                _ => self.cx.unknown(),
            };
        }
        if matches!(types.of(x), Ty::Vector(..)) {
            return x;
        }
        if matches!(types.of(y), Ty::Vector(..)) {
            return y;
        }
        let numbers = types.is_arithmetic(x) && types.is_arithmetic(y);
        let integers = types.is_integer(x) && types.is_integer(y);
        match op {
            BinOp::Add | BinOp::Sub if !numbers => self.pointer_sum(e, op, a, b),
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
                if !numbers {
                    self.compare(e, op, a, b);
                }
                self.cx.int_ty()
            }
            BinOp::Shl | BinOp::Shr if integers => self.cx.promote(a.0, x),
            BinOp::Mul | BinOp::Div | BinOp::Add | BinOp::Sub if numbers => self.cx.common(a.0, b.0),
            BinOp::Rem | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor if integers => self.cx.common(a.0, b.0),
            _ => {
                // Integer operators on complex integers are GNU C.
                let complex = |q: QTy| matches!(self.cx.out.types.of(q), Ty::ComplexInt(_));
                if !(numbers && (complex(x) || complex(y))) {
                    self.bad_operands(e, op, x, y);
                }
                self.cx.unknown()
            }
        }
    }

    /// `+` and `-` with a pointer.
    fn pointer_sum(&mut self, e: ExprId, op: BinOp, a: (ExprId, QTy), b: (ExprId, QTy)) -> QTy {
        let (x, y) = (a.1, b.1);
        let (p, q) = (self.cx.out.types.pointee(x), self.cx.out.types.pointee(y));
        match (p, q) {
            (Some(to), None) if self.cx.out.types.is_integer(y) => {
                self.check_step(to, e);
                x
            }
            (None, Some(to)) if op == BinOp::Add && self.cx.out.types.is_integer(x) => {
                self.check_step(to, e);
                y
            }
            (Some(to), Some(other)) if op == BinOp::Sub => {
                if self.cx.out.types.is_shared(to) || self.cx.out.types.is_shared(other) {
                    if pointers::check_shared_pair(&mut self.cx, e, op, a, b) {
                        self.check_step(to, e);
                    }
                } else if !self.cx.out.types.compatible_unqualified(to, other)
                    && !self.cx.out.types.is_void(to)
                    && !self.cx.out.types.is_void(other)
                {
                    self.bad_operands(e, op, x, y);
                }
                QTy::plain(self.cx.basic.ptrdiff)
            }
            _ => {
                self.bad_operands(e, op, x, y);
                self.cx.unknown()
            }
        }
    }

    /// Checks that a pointer can be moved by elements, whose size must be known. GNU C moves `void *` and
    /// pointers to functions by bytes; a `shared void *` has no elements.
    pub fn check_step(&mut self, to: QTy, e: ExprId) {
        let types = &self.cx.out.types;
        let gnu = matches!(types.of(to), Ty::Void | Ty::Function(_) | Ty::Error) && !types.is_shared(to);
        if gnu || types.is_complete(to) {
            return;
        }
        let shown = types.show_aka(to);
        let mut d = Diagnostic::error(
            Code::Incomplete,
            self.cx.span(e),
            format!("arithmetic on a pointer to {shown}"),
        )
        .label("the size of what it points to is not known");
        if self.cx.out.types.is_shared_void(to) {
            d = d.help(format!("cast it to a {} of the type that is meant", self.cx.words().pointer));
        }
        self.cx.report(d);
    }

    /// Checks a comparison with a pointer among the operands.
    fn compare(&mut self, e: ExprId, op: BinOp, a: (ExprId, QTy), b: (ExprId, QTy)) {
        let (x, y) = (a.1, b.1);
        let types = &self.cx.out.types;
        match (types.pointee(x), types.pointee(y)) {
            (Some(p), Some(q)) if types.is_shared(p) || types.is_shared(q) => {
                if pointers::check_shared_pair(&mut self.cx, e, op, a, b)
                    && !matches!(op, BinOp::Eq | BinOp::Ne)
                {
                    pointers::check_relational(&mut self.cx, e, p, q);
                }
            }
            (Some(_), Some(_)) => pointers::check_unlike_targets(&mut self.cx, e, a, b),
            (Some(p), None) if types.is_integer(y) => self.compare_null(e, op, p, x, b),
            (None, Some(q)) if types.is_integer(x) => self.compare_null(e, op, q, y, a),
            _ if matches!(types.of(x), Ty::VaList) || matches!(types.of(y), Ty::VaList) => {}
            _ => self.bad_operands(e, op, x, y),
        }
    }

    /// Checks a comparison of a pointer and an integer. Zero is null; for other integers gcc warns, but a
    /// pointer-to-shared is no number.
    fn compare_null(&mut self, e: ExprId, op: BinOp, to: QTy, pointer: QTy, other: (ExprId, QTy)) {
        if !self.cx.out.types.is_shared(to) {
            return;
        }
        if self.cx.is_null(other.0) && matches!(op, BinOp::Eq | BinOp::Ne) {
            self.cx.out.conversion.insert(other.0, pointer);
        } else {
            self.bad_operands(e, op, pointer, other.1);
        }
    }

    pub fn bad_operands(&mut self, e: ExprId, op: BinOp, x: QTy, y: QTy) {
        let (x, y) = (self.cx.shown(x), self.cx.shown(y));
        let message = format!("`{}` cannot be applied to {x} and {y}", spelling(op));
        self.cx.error(Code::BadOperands, self.cx.span(e), message, "these operands do not fit");
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
                        .label("what it points to has no type")
                        .help(help),
                    );
                }
                self.cx.out.types.entered(to)
            }
            (UnOp::Not, _) => {
                self.check_condition(x, ty);
                self.cx.int_ty()
            }
            (_, Ty::Vector(..)) => ty,
            (UnOp::Plus | UnOp::Minus, _) if types.is_arithmetic(ty) => self.cx.promote(x, ty),
            // On complex numbers `~` is GNU C's conjugation.
            (UnOp::BitNot, Ty::Complex(_) | Ty::ComplexInt(_)) => ty,
            (UnOp::BitNot, _) if types.is_integer(ty) => self.cx.promote(x, ty),
            (UnOp::Real | UnOp::Imag, _) if types.is_arithmetic(ty) => self.part(ty),
            _ => {
                let shown = self.cx.shown(ty);
                let sign = prefix(op);
                self.cx.error(
                    Code::BadOperands,
                    self.cx.span(e),
                    format!("`{sign}` cannot be applied to {shown}"),
                    "this operand does not fit",
                );
                self.cx.unknown()
            }
        }
    }

    /// The type of `__real__ x`.
    fn part(&mut self, ty: QTy) -> QTy {
        match *self.cx.out.types.of(ty) {
            Ty::Complex(kind) => QTy::plain(self.cx.out.types.intern(Ty::Float(kind))),
            Ty::ComplexInt(kind) => self.cx.out.types.int(kind),
            _ => ty,
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
        self.note_address(bare);
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

    /// Notes that the address of the object that an lvalue is part of is taken.
    fn note_address(&mut self, e: ExprId) {
        let unit = self.cx.unit;
        match &unit.exprs[self.cx.unit.bare(e)].kind {
            ExprKind::Ident(_) => {
                if let Some(&sym) = self.cx.out.symbol.get(self.cx.unit.bare(e)) {
                    self.cx.out.symbols[sym.0 as usize].address_taken = true;
                    self.check_register(sym, e);
                }
            }
            ExprKind::Member { base, arrow: false, .. } => self.note_address(*base),
            ExprKind::Index(a, _) if self.cx.out.types.is_array(self.cx.out.ty(*a)) => self.note_address(*a),
            _ => {}
        }
    }

    fn check_register(&mut self, sym: crate::typed::SymId, e: ExprId) {
        let symbol = self.cx.out.sym(sym);
        if self.cx.info[sym.0 as usize].register && symbol.kind == SymKind::Auto {
            let name = symbol.name.clone();
            self.cx.report(
                Diagnostic::error(
                    Code::BadOperands,
                    self.cx.span(e),
                    format!("the address of `{name}`, which is declared `register`"),
                )
                .label("a register has no address")
                .help("leave `register` out of its declaration"),
            );
        }
    }

    /// `++` and `--`.
    pub fn inc_dec(&mut self, e: ExprId, x: ExprId) -> QTy {
        let ty = self.expr(x);
        if !self.check_modifiable(x, ty) {
            return self.cx.out.types.unqualified(ty);
        }
        match self.cx.out.types.of(ty) {
            Ty::Pointer(to) => {
                let to = *to;
                self.check_step(to, e);
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
