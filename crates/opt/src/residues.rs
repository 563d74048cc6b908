//! Integers modulo THREADS: sums of a loop's variable, MYTHREAD and multiples of THREADS, which say which
//! thread has an element of an array that is dealt out one by one.

use crate::affine::name;
use c_sema::Typed;
use c_sema::typed::SymId;
use c_sema::types::{IntKind, QTy, Ty};
use c_syntax::ast::{BinOp, ExprId, ExprKind, Unit};

/// `var * i + me * MYTHREAD + turns * THREADS`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    /// How often the variable is in it.
    pub(crate) var: i64,
    /// How often MYTHREAD is.
    pub(crate) me: i64,
    /// How often THREADS is; none where a variable of the program's says that.
    pub(crate) turns: Option<i64>,
}

impl Sum {
    fn turns(turns: Option<i64>) -> Sum {
        Sum { var: 0, me: 0, turns }
    }

    fn times(self, n: i64) -> Option<Sum> {
        let turns = match self.turns {
            Some(turns) => Some(turns.checked_mul(n)?),
            None => None,
        };
        Some(Sum { var: self.var.checked_mul(n)?, me: self.me.checked_mul(n)?, turns })
    }

    fn plus(self, other: Sum) -> Option<Sum> {
        let turns = match (self.turns, other.turns) {
            (Some(a), Some(b)) => Some(a.checked_add(b)?),
            _ => None,
        };
        Some(Sum { var: self.var.checked_add(other.var)?, me: self.me.checked_add(other.me)?, turns })
    }
}

/// `e` as such a sum, where it is one in whatever the type of its parts is: what is computed without sign in
/// fewer than 64 bits comes round, and then is no sum.
pub(crate) fn sum(unit: &Unit, typed: &Typed, e: ExprId, var: SymId) -> Option<Sum> {
    let e = unit.bare(e);
    if name(unit, typed, e) == Some(var) {
        return Some(Sum { var: 1, me: 0, turns: Some(0) });
    }
    if let Some(c) = typed.constant(e) {
        let turns = match typed.static_threads.map(i128::from) {
            Some(threads) => (c % threads == 0).then_some(c / threads),
            None => (c == 0).then_some(0),
        };
        return Some(Sum::turns(Some(i64::try_from(turns?).ok()?)));
    }
    let of = |e| sum(unit, typed, e, var);
    match unit.exprs[e].kind {
        ExprKind::MyThread => Some(Sum { var: 0, me: 1, turns: Some(0) }),
        ExprKind::Threads => Some(Sum::turns(Some(1))),
        ExprKind::Binary(op, a, b) if !comes_round(typed, typed.ty(e)) => match op {
            BinOp::Add => of(a)?.plus(of(b)?),
            BinOp::Sub => of(a)?.plus(of(b)?.times(-1)?),
            BinOp::Mul => product(typed, (a, of(a)), (b, of(b)), is_signed(typed, typed.ty(e))),
            _ => None,
        },
        _ => None,
    }
}

/// A sum by a constant, or a multiple of THREADS by anything (`signed`).
fn product(
    typed: &Typed,
    (a, of_a): (ExprId, Option<Sum>),
    (b, of_b): (ExprId, Option<Sum>),
    signed: bool,
) -> Option<Sum> {
    let constant = |e| typed.constant(e).and_then(|c| i64::try_from(c).ok());
    match (constant(a), constant(b)) {
        (Some(n), _) if of_b.is_some() => of_b?.times(n),
        (_, Some(n)) if of_a.is_some() => of_a?.times(n),
        _ => {
            let whole = |sum: Option<Sum>| sum.is_some_and(|sum| (sum.var, sum.me) == (0, 0));
            (signed && (whole(of_a) || whole(of_b))).then_some(Sum::turns(None))
        }
    }
}

/// Whether a type counts modulo a number that THREADS need not divide, before a program runs out of memory to
/// count in it.
fn comes_round(typed: &Typed, ty: QTy) -> bool {
    !is_signed(typed, ty) && typed.types.size_of(ty) != Some(8)
}

/// Whether a type is a signed one that arithmetic is done in.
pub(crate) fn is_signed(typed: &Typed, ty: QTy) -> bool {
    matches!(typed.types.of(ty), Ty::Int(IntKind::Int | IntKind::Long | IntKind::LongLong))
}

/// Whether every value of such a sum is the same in a variable of type `ty`.
pub(crate) fn fits(typed: &Typed, sum: Sum, e: ExprId, ty: QTy) -> bool {
    let size = |ty| typed.types.size_of(ty);
    let signs = is_signed(typed, ty) || size(ty) == Some(8);
    let positive = sum.me >= 0 && sum.turns.is_some_and(|turns| turns >= 0);
    matches!(typed.types.of(ty), Ty::Int(_)) && size(ty) >= size(typed.ty(e)) && (signs || positive)
}
