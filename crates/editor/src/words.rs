//! The words of the dialects, as an editor shows and completes them.

use c_syntax::Language;

/// A word: its languages, its spelling, and its meaning.
pub struct Word {
    languages: &'static [Language],
    /// The word.
    pub word: &'static str,
    /// The meaning.
    pub what: &'static str,
}

const UPC: &[Language] = &[Language::Upc];
const SPLIT_C: &[Language] = &[Language::SplitC];
const AC: &[Language] = &[Language::Ac];
const PROCS: &[Language] = &[Language::SplitC, Language::Ac];

const fn word(languages: &'static [Language], word: &'static str, what: &'static str) -> Word {
    Word { languages, word, what }
}

const WORDS: [Word; 21] = [
    word(
        UPC,
        "shared",
        "Qualifies an object that all threads can access (UPC 6.5.1.1). `shared [B]`: B consecutive \
         elements lie on one thread, the next B on the next; without a number one element; `[]`: all \
         elements lie on one thread; `[*]`: as evenly as possible, in one block for each thread.",
    ),
    word(UPC, "strict", "Accesses in program order, as all threads see it (UPC 6.5.1.1, B.3)."),
    word(UPC, "relaxed", "Accesses that other threads may see in another order (UPC 6.5.1.1, B.3)."),
    word(UPC, "THREADS", "The number of threads of the job, an `int` (UPC 6.3.1)."),
    word(UPC, "MYTHREAD", "The number of this thread, an `int` from 0 to THREADS - 1 (UPC 6.3.2)."),
    word(
        UPC,
        "upc_forall",
        "`upc_forall (init; condition; step; affinity) statement` (UPC 6.6.2): a loop whose iterations \
         are divided among the threads. Affinity is a pointer-to-shared (the thread that has the object), \
         an integer (that number modulo THREADS), or nothing or `continue` (every thread runs it).",
    ),
    word(
        UPC,
        "upc_barrier",
        "`upc_barrier;` or `upc_barrier value;`: waits for all threads (UPC 6.6.1). With values, those of \
         all threads must be equal.",
    ),
    word(
        UPC,
        "upc_notify",
        "The first half of a barrier: announces that this thread has arrived (UPC 6.6.1).",
    ),
    word(UPC, "upc_wait", "The second half of a barrier: waits until all have notified (UPC 6.6.1)."),
    word(UPC, "upc_fence", "Orders all shared accesses before it and after it (UPC 6.6.1)."),
    word(UPC, "upc_localsizeof", "The bytes of a shared object that one thread holds at most (UPC 6.4.1.2)."),
    word(UPC, "upc_blocksizeof", "The block size of a shared object, in elements (UPC 6.4.1.3)."),
    word(UPC, "upc_elemsizeof", "The bytes of an element of a shared object (UPC 6.4.1.4)."),
    word(
        SPLIT_C,
        "global",
        "`T *global p`: a pointer to a T on any processor. `p + 1` is the next T of the same processor.",
    ),
    word(
        SPLIT_C,
        "spread",
        "`T *spread p`: a pointer to a T on any processor. `p + 1` is at the same place of the next \
         processor.",
    ),
    word(
        AC,
        "dist",
        "Qualifies an object that is distributed over the processors: consecutive elements lie on \
         consecutive processors.",
    ),
    word(PROCS, "PROCS", "The number of processors of the job, an `int`."),
    word(PROCS, "MYPROC", "The number of this processor, an `int` from 0 to PROCS - 1."),
    word(SPLIT_C, ":=", "Starts a get (`x := *g`) or a put (`*g := x`), which is complete after `sync()`."),
    word(
        SPLIT_C,
        ":-",
        "A store: `*g :- x`. It is complete after `all_store_sync()`, or for the receiver after \
         `store_sync(n)`.",
    ),
    word(
        SPLIT_C,
        "::",
        "A spread array: blocks, numbered by the dimensions on the left, lie on the processors in turn; \
         the dimensions on the right are those of a block.",
    ),
];

/// Returns the words of a dialect.
pub fn of(language: Language) -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(move |word| word.languages.contains(&language))
}

/// Returns the word at a byte of a line, and its range.
pub fn at(line: &str, byte: usize, language: Language) -> Option<(std::ops::Range<usize>, &'static Word)> {
    of(language).find_map(|word| {
        let places = line.match_indices(word.word).map(|(start, text)| start..start + text.len());
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let alone = |place: &std::ops::Range<usize>| {
            !word.word.starts_with(char::is_alphabetic)
                || !(letter(line[..place.start].chars().next_back())
                    || letter(line[place.end..].chars().next()))
        };
        let place = places.filter(alone).find(|place| place.start <= byte && byte <= place.end)?;
        Some((place, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::path::Path;

    #[test]
    fn a_word_is_whole_and_of_the_dialect() {
        let found = |line, byte, language| at(line, byte, language).map(|(place, word)| (place, word.word));
        assert_eq!(found("  shared int a;", 4, Language::Upc), Some((2..8, "shared")));
        assert_eq!(found("  unshared int a;", 6, Language::Upc), None);
        assert_eq!(found("  shared int a;", 4, Language::Ac), None);
        assert_eq!(found("x := *g;", 3, Language::SplitC), Some((2..4, ":=")));
        assert_eq!(found("a[PROCS]::;", 8, Language::SplitC), Some((8..10, "::")));
    }

    fn packaged(file: &str) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/editors").join(file);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn json(file: &str) -> Value {
        serde_json::from_str(&packaged(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Returns the words in the patterns of a TextMate grammar.
    fn words_of_grammar(file: &str) -> Vec<String> {
        let grammar = json(file);
        let patterns = grammar["patterns"].as_array().expect("patterns");
        let matches: Vec<&str> = patterns.iter().filter_map(|p| p["match"].as_str()).collect();
        let letters = |c: char| !(c.is_alphanumeric() || "_:=-".contains(c));
        // The b of `\b` is not a letter of the word after it.
        let texts = matches.iter().map(|m| m.replace("\\b", " "));
        texts.flat_map(|text| text.split(letters).map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn vim_and_vs_code_highlight_every_word() {
        let textmate = words_of_grammar("vscode/syntaxes/upc.tmLanguage.json");
        let injected = words_of_grammar("vscode/syntaxes/injection.tmLanguage.json");
        for word in &WORDS {
            let is = |found: &String| found == word.word;
            assert!(textmate.iter().any(is), "upc.tmLanguage.json: {}", word.word);
            let operator = word.word.starts_with(':');
            assert!(operator || injected.iter().any(is), "injection.tmLanguage.json: {}", word.word);
            for language in word.languages {
                let file = match language {
                    Language::Upc => "vim/syntax/upc.vim",
                    Language::SplitC => "vim/syntax/splitc.vim",
                    _ => "vim/syntax/ac.vim",
                };
                let syntax = packaged(file);
                let keyword = syntax.split_whitespace().any(|found| found == word.word);
                assert!(keyword || operator && syntax.contains("\":[=-]\""), "{file}: {}", word.word);
            }
        }
    }

    #[test]
    fn the_extension_of_vs_code_names_what_there_is() {
        let package = json("vscode/package.json");
        for grammar in package["contributes"]["grammars"].as_array().expect("grammars") {
            let path = grammar["path"].as_str().expect("a path").trim_start_matches("./");
            assert_eq!(json(&format!("vscode/{path}"))["scopeName"], grammar["scopeName"], "{path}");
        }
        for language in package["contributes"]["languages"].as_array().expect("languages") {
            json(&format!("vscode/{}", language["configuration"].as_str().expect("a path")));
        }
    }
}
