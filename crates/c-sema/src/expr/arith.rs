//! Unary and binary operators (C17 6.5.3, 6.5.5 – 6.5.14).

use crate::checker::Checker;
use crate::typed::SymKind;
use crate::types::{IntKind, QTy, Quals, Ty};
use base::{Code, Diagnostic};
use c_syntax::ast::{BinOp, ExprId, ExprKind, UnOp};
use c_syntax::dialect::Words;

impl Checker<'_> {
    /// Checks a binary operator, its left operands first and without recursion: `a + b + … + z` is as deep as
    /// it is long.
    pub fn binary_chain(&mut self, e: ExprId) -> QTy {
        let unit = self.unit;
        let mut spine = vec![e];
        let mut at = e;
        while let ExprKind::Binary(_, left, _) = unit.exprs[at].kind {
            if !matches!(unit.exprs[left].kind, ExprKind::Binary(..)) {
                break;
            }
            spine.push(left);
            at = left;
        }
        let ExprKind::Binary(_, first, _) = unit.exprs[at].kind else { return self.unknown() };
        self.expr(first);
        let mut ty = self.unknown();
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
        let (x, y) = (self.value_ty(a), self.value_ty(b));
        if op == BinOp::Comma {
            return y;
        }
        if matches!(op, BinOp::And | BinOp::Or) {
            self.check_condition(a, x);
            self.check_condition(b, y);
            return self.int_ty();
        }
        self.operate(e, op, (a, x), (b, y))
    }

    /// The type of `a op b` for all operators except comma, `&&` and `||`; also for the operator of
    /// `a op= b`.
    pub fn operate(&mut self, e: ExprId, op: BinOp, a: (ExprId, QTy), b: (ExprId, QTy)) -> QTy {
        let (x, y) = (a.1, b.1);
        let types = &self.out.types;
        let comparison = matches!(op, BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne);
        if types.is_error(x) || types.is_error(y) {
            return match op {
                _ if comparison => self.int_ty(),
                // The unknown operand hardly matters: a pointer stays a pointer.
                BinOp::Add | BinOp::Sub if types.is_pointer(x) && types.is_error(y) => x,
                _ => self.unknown(),
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
                self.int_ty()
            }
            BinOp::Shl | BinOp::Shr if integers => self.promote(a.0, x),
            BinOp::Mul | BinOp::Div | BinOp::Add | BinOp::Sub if numbers => self.common(a.0, b.0),
            BinOp::Rem | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor if integers => self.common(a.0, b.0),
            _ => {
                // Integer operators on complex integers are GNU C.
                let complex = |q: QTy| matches!(self.out.types.of(q), Ty::ComplexInt(_));
                if !(numbers && (complex(x) || complex(y))) {
                    self.bad_operands(e, op, x, y);
                }
                self.unknown()
            }
        }
    }

    /// `+` and `-` with a pointer.
    fn pointer_sum(&mut self, e: ExprId, op: BinOp, a: (ExprId, QTy), b: (ExprId, QTy)) -> QTy {
        let (x, y) = (a.1, b.1);
        let (p, q) = (self.out.types.pointee(x), self.out.types.pointee(y));
        match (p, q) {
            (Some(to), None) if self.out.types.is_integer(y) => {
                self.check_step(to, e);
                x
            }
            (None, Some(to)) if op == BinOp::Add && self.out.types.is_integer(x) => {
                self.check_step(to, e);
                y
            }
            (Some(to), Some(other)) if op == BinOp::Sub => {
                if self.out.types.is_shared(to) || self.out.types.is_shared(other) {
                    if self.check_shared_pair(e, op, a, b) {
                        self.check_step(to, e);
                    }
                } else if !self.out.types.compatible_unqualified(to, other)
                    && !self.out.types.is_void(to)
                    && !self.out.types.is_void(other)
                {
                    self.bad_operands(e, op, x, y);
                }
                self.plain(self.basic.ptrdiff)
            }
            _ => {
                self.bad_operands(e, op, x, y);
                self.unknown()
            }
        }
    }

    /// Checks that a pointer can be moved by elements, whose size must be known. GNU C moves `void *` and
    /// pointers to functions by bytes; a `shared void *` has no elements.
    pub fn check_step(&mut self, to: QTy, e: ExprId) {
        let types = &self.out.types;
        let gnu = matches!(types.of(to), Ty::Void | Ty::Function(_) | Ty::Error) && !types.is_shared(to);
        if gnu || types.is_complete(to) {
            return;
        }
        let shown = types.show_aka(to);
        let mut d =
            Diagnostic::error(Code::Incomplete, self.span(e), format!("arithmetic on a pointer to {shown}"))
                .label("the size of what it points to is not known");
        if self.out.types.is_shared_void(to) {
            d = d.help(format!("cast it to a {} of the type that is meant", self.words().pointer));
        }
        self.report(d);
    }

    /// Checks a comparison with a pointer among the operands.
    fn compare(&mut self, e: ExprId, op: BinOp, a: (ExprId, QTy), b: (ExprId, QTy)) {
        let (x, y) = (a.1, b.1);
        let types = &self.out.types;
        match (types.pointee(x), types.pointee(y)) {
            (Some(p), Some(q)) if types.is_shared(p) || types.is_shared(q) => {
                if self.check_shared_pair(e, op, a, b) && !matches!(op, BinOp::Eq | BinOp::Ne) {
                    self.check_relational(e, p, q);
                }
            }
            (Some(_), Some(_)) => self.check_unlike_targets(e, a, b),
            (Some(p), None) if types.is_integer(y) => self.compare_null(e, op, p, x, b),
            (None, Some(q)) if types.is_integer(x) => self.compare_null(e, op, q, y, a),
            _ if matches!(types.of(x), Ty::VaList) || matches!(types.of(y), Ty::VaList) => {}
            _ => self.bad_operands(e, op, x, y),
        }
    }

    /// Checks a comparison of a pointer and an integer. Zero is null; for other integers gcc warns, but a
    /// pointer-to-shared is no number.
    fn compare_null(&mut self, e: ExprId, op: BinOp, to: QTy, pointer: QTy, other: (ExprId, QTy)) {
        if !self.out.types.is_shared(to) {
            return;
        }
        if self.is_null(other.0) && matches!(op, BinOp::Eq | BinOp::Ne) {
            self.out.conversion.insert(other.0, pointer);
        } else {
            self.bad_operands(e, op, pointer, other.1);
        }
    }

    pub fn bad_operands(&mut self, e: ExprId, op: BinOp, x: QTy, y: QTy) {
        let (x, y) = (self.shown(x), self.shown(y));
        let message = format!("`{}` cannot be applied to {x} and {y}", spelling(op));
        self.error(Code::BadOperands, self.span(e), message, "these operands do not fit");
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

    /// A prefix operator other than `++` and `--`.
    pub fn unary(&mut self, e: ExprId, op: UnOp, x: ExprId) -> QTy {
        if op == UnOp::Addr {
            return self.address_of(e, x);
        }
        let ty = self.rvalue(x);
        let types = &self.out.types;
        if types.is_error(ty) {
            return if op == UnOp::Not { self.int_ty() } else { ty };
        }
        match (op, types.of(ty)) {
            (UnOp::Deref, Ty::Pointer(to)) => {
                let to = *to;
                if types.is_shared_void(to) {
                    let Words { shared, pointer, .. } = *self.words();
                    let help = format!("cast it to a {pointer} of the type that is meant");
                    self.report(
                        Diagnostic::error(
                            Code::Incomplete,
                            self.span(e),
                            format!("a `{shared} void *` is dereferenced"),
                        )
                        .label("what it points to has no type")
                        .help(help),
                    );
                }
                self.out.types.entered(to)
            }
            (UnOp::Not, _) => {
                self.check_condition(x, ty);
                self.int_ty()
            }
            (_, Ty::Vector(..)) => ty,
            (UnOp::Plus | UnOp::Minus, _) if types.is_arithmetic(ty) => self.promote(x, ty),
            // On complex numbers `~` is GNU C's conjugation.
            (UnOp::BitNot, Ty::Complex(_) | Ty::ComplexInt(_)) => ty,
            (UnOp::BitNot, _) if types.is_integer(ty) => self.promote(x, ty),
            (UnOp::Real | UnOp::Imag, _) if types.is_arithmetic(ty) => self.part(ty),
            _ => {
                let shown = self.shown(ty);
                let sign = prefix(op);
                self.error(
                    Code::BadOperands,
                    self.span(e),
                    format!("`{sign}` cannot be applied to {shown}"),
                    "this operand does not fit",
                );
                self.unknown()
            }
        }
    }

    /// The type of `__real__ x`.
    fn part(&mut self, ty: QTy) -> QTy {
        match *self.out.types.of(ty) {
            Ty::Complex(kind) => QTy::plain(self.out.types.intern(Ty::Float(kind))),
            Ty::ComplexInt(kind) => self.out.types.int(kind),
            _ => ty,
        }
    }

    /// `&x` (C17 6.5.3.2).
    fn address_of(&mut self, e: ExprId, x: ExprId) -> QTy {
        self.addressed = Some(self.unit.bare(x));
        let ty = self.expr(x);
        let bare = self.unit.bare(x);
        let unit = self.unit;
        match &unit.exprs[bare].kind {
            ExprKind::Threads | ExprKind::MyThread => {
                let name = self.text(unit.exprs[bare].span).to_owned();
                self.report(
                    Diagnostic::error(Code::NotAnLvalue, self.span(e), format!("the address of `{name}`"))
                        .label(format!("`{name}` is a value, not an object"))
                        .help("copy it into a variable"),
                );
                return self.unknown();
            }
            _ if self.bit_field(bare).is_some() => {
                self.error(
                    Code::BadOperands,
                    self.span(e),
                    "the address of a bit-field",
                    "a bit-field has no address",
                );
                return self.unknown();
            }
            _ => {}
        }
        self.note_address(bare);
        // One message is enough for an operand without a type: its address fits everything too.
        if self.out.types.is_error(ty) && !self.out.types.is_shared(ty) {
            return self.unknown();
        }
        let is_function = self.out.types.as_function(ty).is_some();
        if !is_function
            && !self.is_lvalue(bare)
            && !self.out.types.is_error(ty)
            && !self.out.types.is_array(ty)
        {
            self.error(Code::BadOperands, self.span(e), "the address of a value", "is not an object");
            return self.unknown();
        }
        // The address of a block is a spread pointer again.
        let through = match unit.exprs[bare].kind {
            ExprKind::Unary(UnOp::Deref, p) => Some(p),
            ExprKind::Index(a, i) => Some(if self.out.types.is_integer(self.out.ty(a)) { i } else { a }),
            _ => None,
        };
        if let Some(p) = through.filter(|_| self.everything()) {
            let pointer = self.value_ty(p);
            return pointer;
        }
        self.out.types.pointer_to(ty)
    }

    /// Notes that the address of the object that an lvalue is part of is taken.
    fn note_address(&mut self, e: ExprId) {
        let unit = self.unit;
        match &unit.exprs[self.unit.bare(e)].kind {
            ExprKind::Ident(_) => {
                if let Some(&sym) = self.out.symbol.get(self.unit.bare(e)) {
                    self.out.symbols[sym.0 as usize].address_taken = true;
                    self.check_register(sym, e);
                }
            }
            ExprKind::Member { base, arrow: false, .. } => self.note_address(*base),
            ExprKind::Index(a, _) if self.out.types.is_array(self.out.ty(*a)) => self.note_address(*a),
            _ => {}
        }
    }

    fn check_register(&mut self, sym: crate::typed::SymId, e: ExprId) {
        let symbol = self.out.sym(sym);
        if self.info[sym.0 as usize].register && symbol.kind == SymKind::Auto {
            let name = symbol.name.clone();
            self.report(
                Diagnostic::error(
                    Code::BadOperands,
                    self.span(e),
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
            return self.out.types.unqualified(ty);
        }
        match self.out.types.of(ty) {
            Ty::Pointer(to) => {
                let to = *to;
                self.check_step(to, e);
            }
            _ if self.out.types.is_arithmetic(ty) => {}
            Ty::Error | Ty::Vector(..) => {}
            _ => {
                let shown = self.shown(ty);
                self.error(
                    Code::BadOperands,
                    self.span(e),
                    format!("{shown} is incremented or decremented"),
                    "neither a number nor a pointer",
                );
            }
        }
        self.out.types.unqualified(ty)
    }

    /// Whether any qualifier makes an object read-only.
    pub fn is_const(&self, ty: QTy) -> bool {
        let quals: Quals = self.out.types.object_quals(ty);
        quals.is_const
    }
}

pub(crate) fn spelling(op: BinOp) -> &'static str {
    match op {
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Lt => "<",
        BinOp::Gt => ">",
        BinOp::Le => "<=",
        BinOp::Ge => ">=",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::BitAnd => "&",
        BinOp::BitXor => "^",
        BinOp::BitOr => "|",
        BinOp::And => "&&",
        BinOp::Or => "||",
        BinOp::Comma => ",",
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
