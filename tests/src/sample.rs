//! Samples of families of tests that take long. `make check` runs a share of each family, another one for
//! each commit; `make check-all` runs all. The number in `MERIDIAN_TEST_SAMPLE` chooses the shares; make
//! prints it, so that a run can be repeated. Without a number in this variable, every test runs.

/// The number that chooses the shares; `None` if all tests run.
#[derive(Clone, Copy, Debug)]
pub struct Sample(Option<u64>);

impl Sample {
    /// Returns the sample that the environment asks for.
    pub fn asked() -> Sample {
        let asked = std::env::var("MERIDIAN_TEST_SAMPLE").ok();
        Sample(asked.and_then(|number| number.trim().parse().ok()))
    }

    /// Returns true if member `n` of a family runs, of which one member in `share` does. Families of
    /// different names are drawn independently, so that all combinations of their members occur.
    pub fn takes(self, family: &str, n: usize, share: usize) -> bool {
        let drawn = |number| (n as u64).wrapping_add(mixed(number, family)).is_multiple_of(share as u64);
        self.0.is_none_or(drawn)
    }
}

/// A hash of a number and a name (FNV-1a, with a last step that spreads the high bits).
fn mixed(number: u64, name: &str) -> u64 {
    let bytes = number.to_le_bytes().into_iter().chain(name.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash ^ hash >> 29) >> 8
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn a_sample_has_its_share_of_each_family() {
        for number in 0..50 {
            let taken = (0..120).filter(|n| Sample(Some(number)).takes("family", *n, 4)).count();
            assert_eq!(taken, 30);
        }
        assert!((0..9).all(|n| Sample(None).takes("family", n, 4)));
    }

    #[test]
    fn samples_take_all_members_and_all_combinations_with_another_family() {
        for (n, other) in (0..12).map(|n| (n / 4, n % 4)) {
            let both = |number: &u64| {
                let sample = Sample(Some(*number));
                sample.takes("one", n, 3) && sample.takes("another", other, 4)
            };
            let count = (0..2400).filter(both).count();
            assert!((120..280).contains(&count), "{n} and {other}: {count} of 2400");
        }
    }
}
