//! Integers that the text of a function determines: sums of a constant, multiples of THREADS and MYTHREAD,
//! and of the numbers of iterations of the loops around an expression.

use crate::linear::Linear;
use c_syntax::ast::StmtId;

/// The largest number of loops in a form.
const MOST_LOOPS: usize = 4;

/// `base + me * MYTHREAD + Σ factor * k`, where k is the number of the iteration of a loop, from 0 on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// The part that is the same for all threads and iterations.
    pub base: Linear,
    /// The factor of MYTHREAD.
    pub me: i128,
    /// The loops with their factors, which are not 0, outermost first.
    pub loops: Vec<(StmtId, i128)>,
}

impl Form {
    /// A constant.
    pub fn constant(number: i128) -> Form {
        Form { base: Linear::constant(number), ..Form::default() }
    }

    /// THREADS.
    pub fn threads() -> Form {
        Form { base: Linear { number: 0, threads: 1 }, ..Form::default() }
    }

    /// MYTHREAD.
    pub fn me() -> Form {
        Form { me: 1, ..Form::default() }
    }

    /// The number of the iteration of a loop, times a factor other than 0.
    pub fn iteration(of: StmtId, factor: i128) -> Form {
        Form { loops: vec![(of, factor)], ..Form::default() }
    }

    /// The value of a form that is only a number.
    pub fn number(&self) -> Option<i128> {
        (*self == Form::constant(self.base.number)).then_some(self.base.number)
    }

    /// The value of a form without MYTHREAD and loops.
    pub fn linear(&self) -> Option<Linear> {
        (self.me == 0 && self.loops.is_empty()).then_some(self.base)
    }

    /// The sum; `None` if it is too large, or has too many loops.
    pub fn plus(&self, other: &Form) -> Option<Form> {
        let mut loops = self.loops.clone();
        for &(of, factor) in &other.loops {
            match loops.iter_mut().find(|(l, _)| *l == of) {
                Some((_, sum)) => *sum = sum.checked_add(factor)?,
                None => loops.push((of, factor)),
            }
        }
        loops.retain(|(_, factor)| *factor != 0);
        let me = self.me.checked_add(other.me)?;
        (loops.len() <= MOST_LOOPS).then_some(Form { base: self.base.plus(other.base), me, loops })
    }

    /// The difference.
    pub fn minus(&self, other: &Form) -> Option<Form> {
        self.plus(&other.times(-1)?)
    }

    /// The product with a number.
    pub fn times(&self, by: i128) -> Option<Form> {
        let mut loops = Vec::with_capacity(self.loops.len());
        for &(of, factor) in self.loops.iter().filter(|_| by != 0) {
            loops.push((of, factor.checked_mul(by)?));
        }
        Some(Form { base: self.base.times(by)?, me: self.me.checked_mul(by)?, loops })
    }

    /// The value on a thread, in the first iteration.
    pub fn at(&self, threads: i128, me: i128) -> i128 {
        self.base.at(threads).saturating_add(self.me.saturating_mul(me))
    }

    /// The least and the greatest value over all threads, of a form without loops.
    pub fn extremes(&self, static_threads: Option<u32>) -> Option<(Linear, Linear)> {
        let last = match static_threads {
            Some(threads) => Linear::constant(i128::from(threads) - 1),
            None => Linear { number: -1, threads: 1 },
        };
        let far = self.base.plus(last.times(self.me)?);
        let ends = if self.me < 0 { (far, self.base) } else { (self.base, far) };
        self.loops.is_empty().then_some(ends)
    }
}
