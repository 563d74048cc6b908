//! Confidence by resampling: a fit is repeated on samples drawn with replacement from those measured. The
//! middle 95 % of the results are the interval. Deterministic: the draws follow a fixed sequence.

use std::fmt;

use crate::numbers::number;

/// An estimate and the interval in which it lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate from the samples as measured.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let digits = |x: f64| if x.abs() < 0.1 && x != 0.0 { format!("{x:.4}") } else { number(x) };
        write!(f, "{} [{} .. {}]", digits(self.estimate), digits(self.low), digits(self.high))
    }
}

const REPETITIONS: usize = 200;

/// The generator `splitmix64`.
pub struct Draws(pub u64);

impl Draws {
    /// Returns the next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns as many samples, each drawn from all.
    fn resample(&mut self, samples: &[f64]) -> Vec<f64> {
        (0..samples.len()).map(|_| samples[(self.draw() % samples.len() as u64) as usize]).collect()
    }
}

/// Returns the intervals of `N` parameters that `fit` computes from sets of samples, or `None` if the fit of
/// the samples as measured fails.
pub fn intervals<const N: usize>(
    sets: &[Vec<f64>],
    fit: impl Fn(&[Vec<f64>]) -> Option<[f64; N]>,
) -> Option<[Interval; N]> {
    let estimates = fit(sets)?;
    let mut draws = Draws(1);
    let mut found: Vec<[f64; N]> = Vec::new();
    for _ in 0..REPETITIONS {
        let drawn: Vec<Vec<f64>> = sets.iter().map(|set| draws.resample(set)).collect();
        found.extend(fit(&drawn));
    }
    Some(std::array::from_fn(|i| {
        let mut values: Vec<f64> = found.iter().map(|parameters| parameters[i]).collect();
        values.sort_by(f64::total_cmp);
        let at = |q: f64| {
            let index = (q * values.len().saturating_sub(1) as f64).round() as usize;
            values.get(index).copied().unwrap_or(estimates[i])
        };
        let (low, high) = (at(0.025), at(0.975));
        Interval { estimate: estimates[i], low: low.min(estimates[i]), high: high.max(estimates[i]) }
    }))
}
