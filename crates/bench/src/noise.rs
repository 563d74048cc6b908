//! Whether other programs on the machine disturbed a run so much that it cannot be relied on.

use crate::results::{Point, Results};

/// A point whose middle half spreads over more than this part of its median is noisy.
const NOISY: f64 = 0.25;
/// A run in which more than this part of the points is noisy is too noisy to be relied on.
const TOO_MANY: f64 = 0.25;

/// Returns the warning for a run that was disturbed too much, or none.
pub fn noise(results: &Results) -> Option<String> {
    let spreads: Vec<_> = results.points.iter().filter_map(Point::spread).filter(|s| s.count >= 3).collect();
    let noisy = spreads.iter().filter(|s| s.upper - s.lower > NOISY * s.median).count();
    (noisy as f64 > TOO_MANY * spreads.len() as f64).then(|| {
        format!(
            "this run is too noisy to be relied on: {noisy} of {} points spread over more than {:.0} % of their \
             median. Stop what else runs on the machine, and measure again",
            spreads.len(),
            NOISY * 100.0
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;

    #[test]
    fn a_disturbed_run_says_so_and_a_calm_one_does_not() {
        let mut results = results();
        assert!(noise(&results).unwrap().contains("1 of 1 points"));
        results.points[0].ns = vec![1.0, 1.01, 1.02];
        assert_eq!(noise(&results), None);
    }
}
