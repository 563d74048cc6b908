//! Messages in the words of the language that a file is written in.
//!
//! Most checks are common to UPC, Split-C and AC and speak of `shared` and THREADS; a reader of Split-C or AC knows
//! these as global or dist, and PROCS. What a message quotes from the program stays as it is.

use base::Diagnostic;
use c_syntax::Language;

/// UPC's words with those of AC and of Split-C, longer ones first.
const WORDS: &[(&str, &str, &str)] = &[
    ("pointers-to-shared", "dist pointers", "global pointers"),
    ("pointer-to-shared", "dist pointer", "global pointer"),
    ("pointers-to-local", "local pointers", "local pointers"),
    ("pointer-to-local", "local pointer", "local pointer"),
    ("shared-qualified", "dist", "global"),
    ("shared", "dist", "global"),
    ("THREADS", "PROCS", "PROCS"),
    ("upc_all_alloc", "all_spread_malloc", "all_spread_malloc"),
    ("upc_alloc", "malloc", "malloc"),
    ("(-T N)", "(-fprocs-N)", "(-fprocs-N)"),
];

/// The same message for this language.
pub(crate) fn translated(mut d: Diagnostic, language: Language) -> Diagnostic {
    let to = match language {
        Language::Ac => |row: &(&'static str, &'static str, &'static str)| row.1,
        Language::SplitC => |row: &(&'static str, &'static str, &'static str)| row.2,
        Language::Upc | Language::C => return d,
    };
    let change = |text: &mut String| *text = replaced(text, &to);
    change(&mut d.message);
    change(&mut d.label);
    d.labels.iter_mut().for_each(|(_, text)| change(text));
    d.notes.iter_mut().for_each(change);
    d.help.iter_mut().for_each(change);
    d.clause = false;
    d
}

/// Text with the words replaced, outside of what it quotes; a quoted word of ours alone is replaced too.
fn replaced(text: &str, to: &dyn Fn(&(&'static str, &'static str, &'static str)) -> &'static str) -> String {
    let mut out = String::with_capacity(text.len());
    for (n, part) in text.split('`').enumerate() {
        let quoted = n % 2 == 1;
        if n > 0 {
            out.push('`');
        }
        if quoted {
            let own = WORDS.iter().find(|row| row.0 == part);
            out.push_str(match own {
                Some(row) => to(row),
                None => part,
            });
            continue;
        }
        let mut rest = part;
        while let Some((row, at)) = WORDS
            .iter()
            .filter_map(|row| find_word(rest, row.0).map(|at| (row, at)))
            .min_by_key(|found| found.1)
        {
            out.push_str(&rest[..at]);
            out.push_str(to(row));
            rest = &rest[at + row.0.len()..];
        }
        out.push_str(rest);
    }
    out
}

/// Where a word stands as a whole.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    text.match_indices(word).map(|found| found.0).find(|&at| {
        !inside(text[..at].chars().next_back()) && !inside(text[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_outside_of_quotations_are_replaced() {
        let ac = |text: &str| replaced(text, &|row| row.1);
        assert_eq!(
            ac("pointer-to-shared `shared int *`, not shared"),
            "dist pointer `shared int *`, not dist"
        );
        assert_eq!(ac("`shared` without shared_count"), "`dist` without shared_count");
        assert_eq!(ac("`THREADS` is THREADS"), "`PROCS` is PROCS");
        assert_eq!(ac("unshared, non-shared"), "unshared, non-shared");
    }
}
