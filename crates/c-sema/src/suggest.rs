//! "Did you mean": the known name nearest to one that is not known.

/// The nearest of `known` to `wrong`, if it is near enough to be a slip of the finger: a third of its
/// letters may differ. Equal distances are settled by the alphabet, so that messages are reproducible.
pub(crate) fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // One letter in place of another is no slip where there are not three.
    if wrong.len() < 3 {
        return None;
    }
    let limit = (wrong.len() / 3).min(3);
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        if name.len().abs_diff(wrong.len()) > limit || name == wrong {
            continue;
        }
        let d = distance(wrong.as_bytes(), name.as_bytes(), limit);
        if d <= limit && best.is_none_or(|(b, n)| (d, name) < (b, n)) {
            best = Some((d, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Edits (insertion, deletion, substitution, swap of neighbours) from `a` to `b`; anything over `limit` may
/// come out as `limit + 1`.
fn distance(a: &[u8], b: &[u8], limit: usize) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let same = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            row[j] = (last[j - 1] + same).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if row.iter().all(|&d| d > limit) {
            return limit + 1;
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let known = ["counter", "printf", "i", "THREADS", "total"];
        assert_eq!(nearest("cuonter", known.iter().copied()), Some("counter"));
        assert_eq!(nearest("Threads", known.iter().copied()), Some("THREADS"));
        assert_eq!(nearest("pritnf", known.iter().copied()), Some("printf"));
        assert_eq!(nearest("zebra", known.iter().copied()), None);
    }
}
