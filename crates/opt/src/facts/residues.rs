//! Integers modulo THREADS ([`c_sema::residues`]), as loops over one thread's rows need them: sums of the
//! loop's variable, MYTHREAD and multiples of THREADS, without a constant.

use c_sema::Typed;
pub(crate) use c_sema::residues::{Sum, fits, is_signed};
use c_sema::typed::SymId;
use c_syntax::ast::{ExprId, Unit};

/// `e` as a sum over the variable `var`; none if it names rows of another thread than the sum's.
pub(crate) fn sum(unit: &Unit, typed: &Typed, e: ExprId, var: SymId) -> Option<Sum> {
    let known = |sym| (sym == var).then(Sum::of_variable);
    c_sema::residues::sum(unit, typed, e, &known).filter(|sum| sum.one == 0)
}
