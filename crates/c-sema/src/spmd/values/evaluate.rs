//! The values of expressions, from the values of variables.

use super::Across::{Differs, Entangled, Mixed, Single, Unrelated};
use super::{Across, Value, Values, sizes};
use crate::linear::Linear;
use crate::residues;
use crate::spmd::calls::{Callee, Program};
use crate::spmd::form::Form;
use crate::typed::SymKind;
use c_syntax::ast::*;

/// Operands below this depth are not evaluated.
const MOST_DEPTH: u32 = 48;

/// The value of a variable after a branch by a condition.
pub(super) fn joined(condition: Across, a: Value, b: Value) -> Value {
    if a == b {
        return a;
    }
    let numbers = a.form.as_ref().and_then(Form::number).zip(b.form.as_ref().and_then(Form::number));
    Value::only(match condition {
        across if across.varies() && numbers.is_some_and(|(a, b)| a != b) => across,
        across if !across.is_clean() => Entangled,
        _ if a.across.is_clean() && b.across.is_clean() => Unrelated,
        _ if a.across.varies() && b.across.varies() => Mixed,
        _ => Entangled,
    })
}

/// The evaluation of expressions from the values of variables.
pub(super) struct Evaluation<'v, 'a> {
    pub program: Program<'a>,
    pub values: &'v Values,
}

impl Evaluation<'_, '_> {
    pub fn of(&self, e: ExprId, depth: u32) -> Value {
        let (unit, typed) = (self.program.unit, self.program.typed);
        if let Some(number) = typed.constant(e) {
            return Value::constant(number);
        }
        if depth >= MOST_DEPTH {
            return Value::only(Entangled);
        }
        let of = |e| self.of(e, depth + 1);
        match &unit.exprs[e].kind {
            &ExprKind::Paren(a) | &ExprKind::Extension(a) => of(a),
            ExprKind::Ident(_) => self.variable(e),
            ExprKind::MyThread => Value::formed(self.me(), Form::me()),
            ExprKind::Threads => Value::formed(Single, Form::threads()),
            ExprKind::Number | ExprKind::Char | ExprKind::String | ExprKind::FuncName => Value::only(Single),
            ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..) | ExprKind::Offsetof(..) => {
                Value::only(Single)
            }
            &ExprKind::Cast(_, a) => self.cast(e, a, of(a)),
            &ExprKind::Unary(UnOp::Minus, a) => self.binary(e, BinOp::Sub, Value::constant(0), of(a)),
            &ExprKind::Unary(UnOp::Plus, a) => of(a),
            &ExprKind::Unary(UnOp::Not, a) => self.compare(BinOp::Eq, of(a), Value::constant(0)),
            &ExprKind::Unary(UnOp::BitNot, a) => Value::only(of(a).across),

            &ExprKind::Binary(BinOp::Comma, _, b) | &ExprKind::Assign(None, _, b) => of(b),
            &ExprKind::Binary(op, a, b) => self.binary(e, op, of(a), of(b)),
            &ExprKind::Cond(c, a, b) => {
                let c = of(c);
                joined(c.across, a.map_or(Value::only(Entangled), of), of(b))
            }
            ExprKind::Call(f, args) if self.program.callee(*f) == Callee::Quiet => {
                let clean = args.iter().all(|&a| self.is_clean(a, depth + 1));
                Value::only(if clean { Unrelated } else { Entangled })
            }
            // A program may compare a value in memory, which may differ between threads, with MYTHREAD.
            _ => Value::only(Entangled),
        }
    }

    /// Whether an argument has nothing to do with MYTHREAD.
    fn is_clean(&self, e: ExprId, depth: u32) -> bool {
        match self.program.unit.exprs[self.program.unit.bare(e)].kind {
            // `argv[1]`
            ExprKind::Index(_, i) => self.of(i, depth).across.is_clean(),
            _ => self.of(e, depth).across.is_clean(),
        }
    }

    /// How MYTHREAD differs: a job may have one thread.
    fn me(&self) -> Across {
        if self.program.typed.static_threads == Some(1) { Single } else { Differs }
    }

    fn variable(&self, e: ExprId) -> Value {
        if let Some(value) = self.values.at.get(&e) {
            return value.clone();
        }
        let typed = self.program.typed;
        let symbol = typed.symbol(e).map(|sym| typed.sym(sym));
        let known = symbol.is_some_and(|symbol| {
            let local = matches!(symbol.kind, SymKind::Auto | SymKind::Param);
            let integer = typed.types.is_integer(symbol.ty) && !typed.types.is_shared(symbol.ty);
            integer && !(local && symbol.address_taken)
        });
        Value::only(if known { Unrelated } else { Entangled })
    }

    fn cast(&self, e: ExprId, a: ExprId, value: Value) -> Value {
        let types = &self.program.typed.types;
        let (to, from) = (self.program.typed.ty(e), self.program.typed.ty(a));
        let kept = types.is_integer(to) && types.size_of(to) >= types.size_of(from);
        if kept { value } else { Value::only(value.across) }
    }

    /// The value of `e`, which is `a op b`.
    pub fn binary(&self, e: ExprId, op: BinOp, a: Value, b: Value) -> Value {
        match op {
            BinOp::And | BinOp::Or => return self.logical(op, a.across, b.across),
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
                return self.compare(op, a, b);
            }
            _ => {}
        }
        let across = self.arithmetic(op, &a, &b);
        let (Some(x), Some(y)) = (&a.form, &b.form) else { return Value::only(across) };
        let typed = self.program.typed;
        let wraps = !residues::is_signed(typed, typed.ty(e));
        let form = match op {
            BinOp::Add => x.plus(y),
            BinOp::Sub if !wraps => x.minus(y),
            BinOp::Mul => match (x.number(), y.number()) {
                (Some(by), _) => y.times(by),
                (_, Some(by)) => x.times(by),
                _ => None,
            },
            BinOp::Shl => match y.number() {
                Some(by @ 0..=40) => x.times(1 << by),
                _ => None,
            },
            BinOp::Div => self.is_remainder(x, y).then(|| Form::constant(0)),
            BinOp::Rem => return self.remainder(across, x, y),
            _ => None,
        };
        match form {
            Some(form) if form.me == 0 && (x.me != 0 || y.me != 0) && form.loops.is_empty() => {
                Value::formed(Single, form)
            }
            form => Value { across, form, ring: None },
        }
    }

    /// How the result of arithmetic differs. `MYTHREAD / 8`, `MYTHREAD & 6` and `MYTHREAD % n` may be the
    /// same on all threads.
    fn arithmetic(&self, op: BinOp, a: &Value, b: &Value) -> Across {
        let across = a.across.with(b.across);
        let by = b.form.as_ref().and_then(Form::number);
        let sure = match op {
            BinOp::Add | BinOp::Sub | BinOp::BitXor => true,
            BinOp::Mul => {
                let of = a.form.as_ref().and_then(Form::number);
                by.or(of).is_some_and(|by| by != 0)
            }
            BinOp::Rem => *a == Value::formed(self.me(), Form::me()) && (by.is_some() || b.across == Single),
            BinOp::BitAnd => *a == Value::formed(self.me(), Form::me()) && by.is_some_and(|by| by % 2 != 0),
            _ => false,
        };
        if across.varies() && !sure { Entangled } else { across }
    }

    /// Whether `x` lies in 0 to `y` - 1 on every thread.
    fn is_remainder(&self, x: &Form, y: &Form) -> bool {
        let (Some((low, high)), Some(y)) = (x.extremes(self.program.typed.static_threads), y.linear()) else {
            return false;
        };
        low.is_positive_or_zero() && high.minus(y).is_negative()
    }

    fn remainder(&self, across: Across, x: &Form, y: &Form) -> Value {
        let threads = match self.program.typed.static_threads {
            Some(threads) => Form::constant(threads.into()),
            None => Form::threads(),
        };
        let around = *y == threads && x.me == 1 && x.loops.is_empty();
        if around {
            let ring = Some(x.base.number);
            let own = x.base == Linear::default();
            return Value { across, form: own.then(Form::me), ring };
        }
        let form = if self.is_remainder(x, y) { Some(x.clone()) } else { None };
        Value { across: if y.number() == Some(1) { Single } else { across }, form, ring: None }
    }

    fn logical(&self, op: BinOp, a: Across, b: Across) -> Value {
        Value::only(match (op, a, b) {
            (_, Differs, Differs | Single) | (_, Single, Differs) => Differs,
            // The other operand excludes some threads.
            (BinOp::And, a, b) if a.varies() || b.varies() => Mixed,
            (_, a, b) if a.varies() && b.varies() => Mixed,
            (_, a, b) => a.with(b),
        })
    }

    fn compare(&self, op: BinOp, a: Value, b: Value) -> Value {
        let across = a.across.with(b.across);
        let forms = a.form.as_ref().zip(b.form.as_ref());
        let known = a.across != Entangled && b.across != Entangled;
        let Some(away) = forms.filter(|_| known).and_then(|(a, b)| a.minus(b)) else {
            // `MYTHREAD < n` holds on all threads if n is THREADS.
            let order = across.varies() && !matches!(op, BinOp::Eq | BinOp::Ne);
            return Value::only(if order { Entangled } else { across });
        };
        if away.me == 0 {
            return Value::only(Single);
        }
        if matches!(op, BinOp::Eq | BinOp::Ne) {
            let never = away.extremes(self.program.typed.static_threads).is_some_and(|(low, high)| {
                high.is_negative() || low.minus(Linear::constant(1)).is_positive_or_zero()
            });
            return Value::only(if never { Single } else { Differs });
        }
        Value::only(if away.loops.is_empty() { self.order(op, &away) } else { Entangled })
    }

    /// How a comparison of a form with 0 differs: by the first and the last thread of jobs of several sizes.
    fn order(&self, op: BinOp, away: &Form) -> Across {
        let holds = |threads: i128, me: i128| {
            let value = away.at(threads, me);
            match op {
                BinOp::Lt => value < 0,
                BinOp::Le => value <= 0,
                BinOp::Gt => value > 0,
                _ => value >= 0,
            }
        };
        let differs = |threads: i128| holds(threads, 0) != holds(threads, threads - 1);
        let sizes = sizes(self.program.typed);
        match sizes.iter().filter(|&&threads| differs(threads)).count() {
            0 => Single,
            all if all == sizes.len() => Differs,
            _ => Entangled,
        }
    }
}
