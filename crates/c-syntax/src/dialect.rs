//! The dialects: a table with one row for each, and the groups of keywords that tell them apart.
//!
//! A row names a dialect's files, options, headers, keywords and entry. Its [`Words`] are the dialect's terms
//! for concepts that all dialects have, so that messages are written in the words of the file that they are
//! about.

/// C, or one of the dialects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// C alone.
    C,
    /// UPC: `shared`, `upc_forall`, the pragmas.
    #[default]
    Upc,
    /// Split-C: `global`, `spread`, `:=`, `:-`, `::`.
    SplitC,
    /// AC: `dist`.
    Ac,
}

/// The set of keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The language whose keywords count; those of other languages are identifiers.
    pub language: Language,
    /// `asm`, `typeof` and raw strings as in `-std=gnu…`, the compilers' default; false for `-std=c…`.
    pub gnu: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Dialect { language: Language::C, gnu: true }
    }
}

impl Dialect {
    /// UPC over GNU C.
    pub const UPC: Dialect = Dialect { language: Language::Upc, gnu: true };
}

/// The dialects that know a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Every dialect.
    C,
    /// GNU C without a `-std=c…`: an identifier in strict ISO C.
    Gnu,
    /// UPC.
    Upc,
    /// Split-C.
    SplitC,
    /// AC.
    Ac,
    /// Split-C and AC.
    Procs,
}

/// A row of the table: a language and its properties.
#[derive(Debug)]
pub struct Row {
    /// The language.
    pub language: Language,
    /// The ending of its files, without the dot.
    pub suffix: &'static str,
    /// The argument of `-x` that names the language.
    pub option: &'static str,
    /// The macro by which programs recognise the language; empty for C.
    pub own_macro: &'static str,
    /// The folder of Meridian whose headers programs include by their bare names.
    pub headers: &'static str,
    /// A second folder, searched last, for names that no other folder has: old programs say `"split-c.h"`.
    pub late_headers: Option<&'static str>,
    /// The function where a program begins.
    pub entry: &'static str,
    /// All memory can be shared: pointers lead to statics, heap and stack of other processors.
    pub everything: bool,
    /// Messages name the clauses of UPC's standard.
    pub clauses: bool,
    /// The groups of keywords besides C's.
    pub(crate) keywords: &'static [Group],
    /// The terms for messages.
    pub words: Words,
}

/// The terms of a dialect for concepts that all dialects have.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The qualifier of objects that all threads can address.
    pub shared: &'static str,
    /// The adjective for an object with this qualifier.
    pub qualified: &'static str,
    /// A pointer to such an object.
    pub pointer: &'static str,
    /// The plural of `pointer`.
    pub pointers: &'static str,
    /// The number of threads.
    pub threads: &'static str,
    /// The option that fixes the number of threads when compiling.
    pub fixed: &'static str,
}

const UPC: Words = Words {
    shared: "shared",
    qualified: "shared-qualified",
    pointer: "pointer-to-shared",
    pointers: "pointers-to-shared",
    threads: "THREADS",
    fixed: "-T N",
};

static ROWS: [Row; 4] = [
    Row {
        language: Language::C,
        suffix: "c",
        option: "c",
        own_macro: "",
        headers: "upc",
        late_headers: None,
        entry: "main",
        everything: false,
        clauses: true,
        keywords: &[],
        words: UPC,
    },
    Row {
        language: Language::Upc,
        suffix: "upc",
        option: "upc",
        own_macro: "__UPC__",
        headers: "upc",
        late_headers: None,
        entry: "main",
        everything: false,
        clauses: true,
        keywords: &[Group::Upc],
        words: UPC,
    },
    Row {
        language: Language::SplitC,
        suffix: "sc",
        option: "split-c",
        own_macro: "__SPLITC__",
        headers: "upc",
        late_headers: Some("split-c"),
        entry: "splitc_main",
        everything: true,
        clauses: false,
        keywords: &[Group::SplitC, Group::Procs],
        words: Words {
            shared: "global",
            qualified: "global",
            pointer: "global pointer",
            pointers: "global pointers",
            threads: "PROCS",
            fixed: "-fprocs-N",
        },
    },
    Row {
        language: Language::Ac,
        suffix: "ac",
        option: "ac",
        own_macro: "__AC__",
        headers: "ac",
        late_headers: None,
        entry: "main",
        everything: true,
        clauses: false,
        keywords: &[Group::Ac, Group::Procs],
        words: Words {
            shared: "dist",
            qualified: "dist",
            pointer: "dist pointer",
            pointers: "dist pointers",
            threads: "PROCS",
            fixed: "-fprocs-N",
        },
    },
];

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [Language::C, Language::Upc, Language::SplitC, Language::Ac];

    /// The row of this language.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The language's terms for messages.
    pub fn words(self) -> &'static Words {
        &self.row().words
    }

    /// Whether all memory can be shared, as in Split-C and AC.
    pub fn everything(self) -> bool {
        self.row().everything
    }

    /// The language of files with this ending.
    pub fn of_suffix(suffix: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.row().suffix == suffix)
    }

    /// The language that `-x` names with this argument.
    pub fn of_option(option: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.row().option == option)
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn rows_stand_in_the_order_of_the_languages() {
        assert!(Language::ALL.into_iter().all(|language| language.row().language == language));
        assert_eq!(Language::of_suffix("sc"), Some(Language::SplitC));
        assert_eq!(Language::of_suffix("cc"), None);
        assert_eq!(Language::of_option("split-c"), Some(Language::SplitC));
    }
}
