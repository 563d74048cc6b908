//! Assignments, and the rules of assignment, which also apply to calls, initialisers and returns (C17
//! 6.5.16.1).
//!
//! If gcc only warns (pointers of other private types, integers for pointers), nothing is reported here: the
//! C compiler sees the same code and warns. All rules for pointers-to-shared are checked here.

use crate::checker::Checker;
use crate::context::words::Goal;
use crate::types::{QTy, Ty};
use crate::upc::pointers;
use base::{Code, Diagnostic};
use c_syntax::ast::{BinOp, ExprId, ExprKind, RecordKind};

impl Checker<'_> {
    /// `a = b`, `a op= b`
    pub fn assign(&mut self, e: ExprId, op: Option<BinOp>, a: ExprId, b: ExprId) -> QTy {
        let to = self.expr(a);
        let from = self.rvalue(b);
        let result = self.cx.out.types.unqualified(to);
        if !self.check_modifiable(a, to) {
            return result;
        }
        match op {
            None => self.convert(b, from, to, Goal::Assign),
            Some(op) => {
                let value = self.cx.out.types.decay(to);
                let made = self.operate(e, op, (a, value), (b, from));
                if self.cx.out.types.pointee(value).is_some() && self.cx.out.types.is_integer(made) {
                    self.bad_operands(e, op, value, from);
                }
            }
        }
        result
    }

    /// The left side of an assignment: an object that may change (C17 6.3.2.1).
    pub fn check_modifiable(&mut self, x: ExprId, ty: QTy) -> bool {
        let bare = self.cx.unit.bare(x);
        let span = self.cx.span(x);
        let d = match self.cx.unit.exprs[bare].kind {
            ExprKind::Threads | ExprKind::MyThread => {
                let name = self.cx.text(self.cx.span(bare)).to_owned();
                Diagnostic::error(Code::NotAnLvalue, span, format!("`{name}` cannot be changed"))
                    .label("is a value, not an object")
            }
            _ if self.cx.out.types.is_error(ty) => return true,
            _ if !self.cx.is_lvalue(x) => Diagnostic::error(
                Code::NotAssignable,
                span,
                "the left side of this assignment is not an object",
            )
            .label("is a value"),
            _ if self.cx.out.types.is_array(ty) => {
                Diagnostic::error(Code::NotAssignable, span, "an array cannot be assigned")
                    .label("is an array")
                    .help("assign its elements, or copy it")
            }
            _ if self.cx.out.types.as_function(ty).is_some() => {
                Diagnostic::error(Code::NotAssignable, span, "a function cannot be assigned")
                    .label("is a function")
            }
            _ if self.cx.is_const(ty) => {
                let shown = self.cx.shown(ty);
                Diagnostic::error(
                    Code::NotAssignable,
                    span,
                    format!("an object of type {shown} cannot be changed"),
                )
                .label("is const")
            }
            _ if !self.cx.out.types.is_complete(ty) => {
                let shown = self.cx.shown(ty);
                Diagnostic::error(
                    Code::Incomplete,
                    span,
                    format!("an object of incomplete type {shown} is changed"),
                )
                .label("its type is not known here")
            }
            _ => return true,
        };
        self.cx.report(d);
        false
    }

    /// Converts the value of `e`, of type `from`, to `to` as if by assignment: checks that this is allowed,
    /// and notes the conversion of a pointer-to-shared.
    pub fn convert(&mut self, e: ExprId, from: QTy, to: QTy, goal: Goal) {
        let types = &self.cx.out.types;
        if types.is_error(from) || types.is_error(to) {
            return;
        }
        match (types.of(from), types.of(to)) {
            (Ty::Void, Ty::Void) => {}
            (Ty::Void, _) => {
                let message = format!("an expression without value is used {}", goal.words());
                self.cx.error(Code::Incompatible, self.cx.span(e), message, "is void");
            }
            (Ty::Vector(..) | Ty::VaList, _) | (_, Ty::Vector(..) | Ty::VaList) => {}
            (Ty::Pointer(_), Ty::Pointer(_)) => pointers::convert_pointer(&mut self.cx, e, from, to, goal),
            (_, Ty::Pointer(p)) if types.is_integer(from) => {
                let shared = types.is_shared(*p);
                if shared && self.cx.is_null(e) {
                    let target = self.cx.out.types.unqualified(to);
                    self.cx.out.conversion.insert(e, target);
                } else if shared {
                    pointers::integer_to_shared(&mut self.cx, e, from, to, goal);
                }
            }
            (Ty::Pointer(p), _) if types.is_integer(to) => {
                if types.is_shared(*p) {
                    if types.is_bool(to) {
                        let target = self.cx.out.types.unqualified(to);
                        self.cx.out.conversion.insert(e, target);
                    } else {
                        self.incompatible(e, from, to, goal, Some("a cast makes an integer of it"));
                    }
                }
            }
            (_, Ty::Record(r)) => {
                let transparent =
                    matches!(goal, Goal::Argument(..)) && types.record(*r).kind == RecordKind::Union;
                let same = types.as_record(from) == Some(*r);
                if !same && !transparent {
                    self.incompatible(e, from, to, goal, None);
                }
            }
            _ if types.is_arithmetic(from) && types.is_arithmetic(to) => {}
            _ => self.incompatible(e, from, to, goal, None),
        }
    }

    pub fn incompatible(&mut self, e: ExprId, from: QTy, to: QTy, goal: Goal, help: Option<&str>) {
        let (f, t) = (self.cx.shown(from), self.cx.shown(to));
        let mut d = Diagnostic::error(
            Code::Incompatible,
            self.cx.span(e),
            format!("{f} given for {t} {}", goal.words()),
        )
        .label(format!("is {f}"));
        d.help = help.map(str::to_owned);
        self.cx.report(d);
    }
}
