//! Integers modulo THREADS: sums of a variable, MYTHREAD, a constant and multiples of THREADS. An array whose
//! elements are dealt out one by one has element n on thread n mod THREADS, so these sums say which thread
//! owns an element.
//!
//! The checks of AC and the optimiser (`opt::facts::ownership`) share this arithmetic.

use crate::typed::{SymId, Typed};
use crate::types::{IntKind, QTy, Ty};
use c_syntax::ast::{BinOp, ExprId, ExprKind, Unit};

/// `var * i + me * MYTHREAD + one + turns * THREADS`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The factor of the variable.
    pub var: i64,
    /// The factor of MYTHREAD.
    pub me: i64,
    /// The constant; with static THREADS it lies in 0 to THREADS - 1.
    pub one: i64,
    /// The factor of THREADS; `None` if it is known only at run time.
    pub turns: Option<i64>,
}

impl Sum {
    /// The variable alone.
    pub fn of_variable() -> Sum {
        Sum { var: 1, turns: Some(0), ..Sum::default() }
    }

    /// A constant, reduced modulo static THREADS.
    pub fn of_constant(value: i128, threads: Option<u32>) -> Option<Sum> {
        Sum { one: i64::try_from(value).ok()?, turns: Some(0), ..Sum::default() }.reduced(threads)
    }

    /// `turns` times THREADS.
    pub fn of_turns(turns: Option<i64>) -> Sum {
        Sum { turns, ..Sum::default() }
    }

    /// Whether THREADS divides the sum for all values of the variable and MYTHREAD.
    pub fn is_whole(self) -> bool {
        (self.var, self.me, self.one) == (0, 0, 0)
    }

    /// Whether the sum is MYTHREAD modulo THREADS, on every thread.
    pub fn is_own(self, threads: Option<u32>) -> bool {
        let zero = |n: i64| threads.map_or(n == 0, |threads| n % i64::from(threads) == 0);
        self.var == 0 && zero(self.me - 1) && zero(self.one)
    }

    /// The sum plus an unknown multiple of THREADS.
    pub fn residue(self) -> Sum {
        Sum { turns: None, ..self }
    }

    /// The sum times `n`.
    pub fn times(self, n: i64, threads: Option<u32>) -> Option<Sum> {
        let turns = match self.turns {
            Some(turns) => Some(turns.checked_mul(n)?),
            None => None,
        };
        let (var, me, one) = (self.var.checked_mul(n)?, self.me.checked_mul(n)?, self.one.checked_mul(n)?);
        Sum { var, me, one, turns }.reduced(threads)
    }

    /// The sum of both.
    pub fn plus(self, other: Sum, threads: Option<u32>) -> Option<Sum> {
        let turns = match (self.turns, other.turns) {
            (Some(a), Some(b)) => Some(a.checked_add(b)?),
            _ => None,
        };
        let (var, me) = (self.var.checked_add(other.var)?, self.me.checked_add(other.me)?);
        Sum { var, me, one: self.one.checked_add(other.one)?, turns }.reduced(threads)
    }

    /// The product modulo THREADS. A factor may be `None`: a number that is not such a sum.
    pub fn product(a: Option<Sum>, b: Option<Sum>, threads: Option<u32>) -> Option<Sum> {
        if a.is_some_and(Sum::is_whole) || b.is_some_and(Sum::is_whole) {
            return Some(Sum::of_turns(None));
        }
        match (a?, b?) {
            (Sum { var: 0, me: 0, one, .. }, sum) | (sum, Sum { var: 0, me: 0, one, .. }) => {
                Some(sum.times(one, threads)?.residue())
            }
            _ => None,
        }
    }

    /// The sum with a constant in 0 to THREADS - 1, if THREADS is static.
    fn reduced(self, threads: Option<u32>) -> Option<Sum> {
        let Some(threads) = threads.map(i64::from) else { return Some(self) };
        let turns = match self.turns {
            Some(turns) => Some(turns.checked_add(self.one.div_euclid(threads))?),
            None => None,
        };
        Some(Sum { one: self.one.rem_euclid(threads), turns, ..self })
    }
}

/// `e` as such a sum, if its value is one in the types of all its parts: unsigned arithmetic in fewer than 64
/// bits wraps around, and then gives no sum. `known` returns the sums that names stand for.
pub fn sum(unit: &Unit, typed: &Typed, e: ExprId, known: &dyn Fn(SymId) -> Option<Sum>) -> Option<Sum> {
    let (e, threads) = (unit.bare(e), typed.static_threads);
    if let Some(c) = typed.constant(e) {
        return Sum::of_constant(c, threads);
    }
    let of = |e| sum(unit, typed, e, known);
    match unit.exprs[e].kind {
        ExprKind::Ident(_) => known(typed.symbol(e)?),
        ExprKind::MyThread => Some(Sum { me: 1, turns: Some(0), ..Sum::default() }),
        ExprKind::Threads => Some(Sum::of_turns(Some(1))),
        ExprKind::Cast(_, x) => of(x).filter(|&sum| fits(typed, sum, x, typed.ty(e))),
        ExprKind::Binary(op, a, b) if !comes_round(typed, typed.ty(e)) => match op {
            BinOp::Add => of(a)?.plus(of(b)?, threads),
            BinOp::Sub => of(a)?.plus(of(b)?.times(-1, threads)?, threads),
            BinOp::Mul => product(typed, (a, of(a)), (b, of(b)), is_signed(typed, typed.ty(e))),
            // A remainder by a multiple of THREADS.
            BinOp::Rem if is_signed(typed, typed.ty(e)) && of(b)?.is_whole() => Some(of(a)?.residue()),
            _ => None,
        },
        _ => None,
    }
}

/// The product of a sum and a constant, or, if `signed`, of a multiple of THREADS and anything.
fn product(
    typed: &Typed,
    (a, of_a): (ExprId, Option<Sum>),
    (b, of_b): (ExprId, Option<Sum>),
    signed: bool,
) -> Option<Sum> {
    let constant = |e| typed.constant(e).and_then(|c| i64::try_from(c).ok());
    match (constant(a), constant(b)) {
        (Some(n), _) if of_b.is_some() => of_b?.times(n, typed.static_threads),
        (_, Some(n)) if of_a.is_some() => of_a?.times(n, typed.static_threads),
        _ => signed.then(|| Sum::product(of_a, of_b, typed.static_threads)).flatten(),
    }
}

/// Whether a type wraps around at a number that THREADS need not divide, and that real programs reach: all
/// types except int, long, long long and those of 8 bytes.
pub fn comes_round(typed: &Typed, ty: QTy) -> bool {
    !is_signed(typed, ty) && typed.types.size_of(ty) != Some(8)
}

/// Whether a type is int, long or long long: signed, and not promoted in arithmetic.
pub fn is_signed(typed: &Typed, ty: QTy) -> bool {
    matches!(typed.types.of(ty), Ty::Int(IntKind::Int | IntKind::Long | IntKind::LongLong))
}

/// Whether every value of `e`, which is `sum`, is unchanged in an object of type `ty`.
pub fn fits(typed: &Typed, sum: Sum, e: ExprId, ty: QTy) -> bool {
    let size = |ty| typed.types.size_of(ty);
    let signs = is_signed(typed, ty) || size(ty) == Some(8);
    let positive = sum.me >= 0 && sum.one >= 0 && sum.turns.is_some_and(|turns| turns >= 0);
    matches!(typed.types.of(ty), Ty::Int(_)) && size(ty) >= size(typed.ty(e)) && (signs || positive)
}
