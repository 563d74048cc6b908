//! Integers of the form `number + threads * THREADS`, for indices and lengths of shared arrays.
//!
//! A comparison of such integers holds only if it holds for every number of threads that a job can have, from
//! 1 to [`MOST_THREADS`].

use std::fmt::{self, Display, Formatter};

/// The most threads that a job can have.
const MOST_THREADS: i128 = base::contract::MAX_THREADS as i128;

/// `number + threads * THREADS`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Linear {
    pub number: i128,
    pub threads: i128,
}

impl Linear {
    /// A constant.
    pub fn constant(number: i128) -> Linear {
        Linear { number, threads: 0 }
    }

    /// The sum.
    pub fn plus(self, other: Linear) -> Linear {
        Linear {
            number: self.number.saturating_add(other.number),
            threads: self.threads.saturating_add(other.threads),
        }
    }

    /// The difference.
    pub fn minus(self, other: Linear) -> Linear {
        Linear {
            number: self.number.saturating_sub(other.number),
            threads: self.threads.saturating_sub(other.threads),
        }
    }

    /// The product; `None` if it is too large.
    pub fn times(self, by: i128) -> Option<Linear> {
        Some(Linear { number: self.number.checked_mul(by)?, threads: self.threads.checked_mul(by)? })
    }

    /// The value for a number of threads.
    pub fn at(self, threads: i128) -> i128 {
        self.number.saturating_add(self.threads.saturating_mul(threads))
    }

    /// Whether the value is below 0 for every THREADS.
    pub fn is_negative(self) -> bool {
        self.at(1) < 0 && self.at(MOST_THREADS) < 0
    }

    /// Whether the value is 0 or more for every THREADS.
    pub fn is_positive_or_zero(self) -> bool {
        self.at(1) >= 0 && self.at(MOST_THREADS) >= 0
    }
}

impl Display for Linear {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.number, self.threads) {
            (number, 0) => write!(f, "{number}"),
            (number, threads) => {
                let times = if threads == 1 { String::new() } else { format!("{threads} * ") };
                write!(f, "{times}THREADS")?;
                match number {
                    0 => Ok(()),
                    n if n < 0 => write!(f, " - {}", n.unsigned_abs()),
                    n => write!(f, " + {n}"),
                }
            }
        }
    }
}
