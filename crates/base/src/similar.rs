//! "Did you mean": finds the known name most similar to an unknown one.

use std::ops::RangeInclusive;
use strsim::osa_distance;

/// The lengths of names for which similar ones are searched. A name of one or two letters is similar to no
/// other; the comparison of long ones costs the product of the lengths.
const LENGTHS: RangeInclusive<usize> = 3..=64;

/// Returns the name of `known` that `wrong` was probably meant to be: a third of its letters may differ,
/// three at most. A letter that is missing, added, replaced or swapped with its neighbour counts as one; case
/// is ignored. Equal distances are decided by the alphabet, so that messages are reproducible.
pub fn similar<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if !LENGTHS.contains(&wrong.len()) {
        return None;
    }
    let limit = (wrong.len() / 3).min(3);
    let lower = wrong.to_ascii_lowercase();
    known
        .filter(|name| name.len().abs_diff(wrong.len()) <= limit && *name != wrong)
        .map(|name| (osa_distance(&lower, &name.to_ascii_lowercase()), name))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn slips_are_found_and_other_names_are_not() {
        let known = ["counter", "printf", "i", "THREADS", "total"];
        let find = |wrong| similar(wrong, known.iter().copied());
        assert_eq!(find("cuonter"), Some("counter"));
        assert_eq!(find("Threads"), Some("THREADS"));
        assert_eq!(find("pritnf"), Some("printf"));
        assert_eq!(find("zebra"), None);
    }

    #[test]
    fn a_third_of_the_letters_may_differ_and_never_more_than_three() {
        assert_eq!(similar("abcdef", ["abcdxy"].into_iter()), Some("abcdxy"));
        assert_eq!(similar("abcdef", ["abcxyz"].into_iter()), None);
        assert_eq!(similar("abc", ["abx"].into_iter()), Some("abx"));
        assert_eq!(similar("abc", ["axy"].into_iter()), None);
        assert_eq!(similar("ab", ["ax"].into_iter()), None);
        assert_eq!(similar("abcdefghijkl", ["abcdefghi___"].into_iter()), Some("abcdefghi___"));
        assert_eq!(similar("abcdefghijkl", ["abcdefgh____"].into_iter()), None);
    }

    #[test]
    fn the_nearest_wins_then_the_first_of_the_alphabet_and_never_the_name_itself() {
        assert_eq!(similar("counter", ["count", "counters"].into_iter()), Some("counters"));
        assert_eq!(similar("cat", ["rat", "bat"].into_iter()), Some("bat"));
        assert_eq!(similar("cat", ["cat"].into_iter()), None);
        let long = "x".repeat(65);
        assert_eq!(similar(&long, [&long[1..]].into_iter()), None);
        assert_eq!(similar(&long[1..], [&long[2..]].into_iter()), Some(&long[2..]));
    }
}
