//! Medians, quartiles and ratios of samples, and the mean of ratios that differ in kind.
//!
//! Disturbances only lengthen samples, sometimes by a factor of ten. A mean would show the disturbance, so
//! all statistics of samples rest on order. A ratio is taken within each round first, because the two samples
//! of one round were measured microseconds apart under the same conditions; then the median of the ratios is
//! taken.

/// The middle of a set of samples and the range of the middle half of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Half of the samples are at or below this.
    pub median: f64,
    /// A quarter of the samples are at or below this.
    pub lower: f64,
    /// Three quarters of the samples are at or below this.
    pub upper: f64,
    /// How many samples there were.
    pub count: usize,
}

impl Spread {
    /// Returns the spread of finite samples in any order, or `None` if there are none.
    pub fn of(samples: &[f64]) -> Option<Spread> {
        let mut sorted: Vec<f64> = samples.iter().copied().filter(|x| x.is_finite()).collect();
        if sorted.is_empty() {
            return None;
        }
        sorted.sort_by(f64::total_cmp);
        Some(Spread {
            median: quantile(&sorted, 0.5),
            lower: quantile(&sorted, 0.25),
            upper: quantile(&sorted, 0.75),
            count: sorted.len(),
        })
    }

    /// Returns the spread of `ours[i] / reference[i]`: both must hold the samples of the same rounds, in
    /// order. Surplus samples on one side are ignored.
    pub fn of_ratios(ours: &[f64], reference: &[f64]) -> Option<Spread> {
        let ratios: Vec<f64> =
            ours.iter().zip(reference).filter(|(_, r)| **r > 0.0).map(|(o, r)| o / r).collect();
        Spread::of(&ratios)
    }
}

/// Returns the geometric mean of positive numbers, or `None` if there are none.
pub fn geometric_mean(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    let logs: Vec<f64> = numbers.into_iter().map(f64::ln).collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// Returns the quantile `q` (0 … 1) of ascending samples, of which there is at least one, by straight lines
/// between neighbours.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len() - 1) as f64;
    let below = at.floor() as usize;
    let above = at.ceil() as usize;
    sorted[below] + (sorted[above] - sorted[below]) * (at - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quartiles_of_five() {
        let s = Spread::of(&[5.0, 1.0, 4.0, 2.0, 3.0]).unwrap();
        assert_eq!(s, Spread { median: 3.0, lower: 2.0, upper: 4.0, count: 5 });
    }

    #[test]
    fn between_two_samples_lies_a_line() {
        let s = Spread::of(&[10.0, 20.0]).unwrap();
        assert_eq!((s.lower, s.median, s.upper), (12.5, 15.0, 17.5));
    }

    #[test]
    fn one_sample_is_all_quartiles() {
        let s = Spread::of(&[7.0]).unwrap();
        assert_eq!((s.lower, s.median, s.upper), (7.0, 7.0, 7.0));
    }

    #[test]
    fn half_and_double_are_one_in_the_mean() {
        assert_eq!(geometric_mean([0.5, 2.0]), Some(1.0));
        assert_eq!(geometric_mean([]), None);
    }

    #[test]
    fn nothing_has_no_spread() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[f64::NAN]), None);
        assert_eq!(Spread::of_ratios(&[1.0], &[0.0]), None);
    }

    /// If the machine is ten times slower in every other round, the ratio of the medians is disturbed, the
    /// median of the ratios is not.
    #[test]
    fn ratios_are_taken_round_by_round() {
        let reference = [1.0, 10.0, 1.0, 10.0, 1.0];
        let ours = [2.0, 20.0, 2.0, 20.0, 2.0];
        assert_eq!(Spread::of_ratios(&ours, &reference).unwrap().median, 2.0);
    }

    proptest! {
        #[test]
        fn quartiles_are_ordered_and_within(samples in prop::collection::vec(0.0..1e9f64, 1..50)) {
            let s = Spread::of(&samples).unwrap();
            let least = samples.iter().copied().fold(f64::INFINITY, f64::min);
            let most = samples.iter().copied().fold(0.0, f64::max);
            prop_assert!(least <= s.lower && s.lower <= s.median);
            prop_assert!(s.median <= s.upper && s.upper <= most);
        }

        #[test]
        fn one_outlier_moves_no_median_beyond_its_neighbours(samples in prop::collection::vec(1.0..2.0f64, 5..50)) {
            let mut disturbed = samples.clone();
            disturbed[0] = 1e6;
            prop_assert!(Spread::of(&disturbed).unwrap().median <= 2.0);
        }
    }
}
