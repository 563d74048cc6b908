//! The dialects: one row each, and the groups of keywords that tell them apart.
//!
//! What a dialect's files, options, headers, keywords and entry are called, and its words for what all
//! dialects have, so that messages are written in the words of the file that they are about.

/// C, or C with the words of one of the dialects.
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

/// Which keywords there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Whose keywords; those of the others are identifiers.
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

/// Who knows a keyword.
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

/// One row.
#[derive(Debug)]
pub struct Row {
    /// Which.
    pub language: Language,
    /// The ending of its files, without the dot.
    pub suffix: &'static str,
    /// What `-x` calls it.
    pub option: &'static str,
    /// The macro by which programs know it; empty for C.
    pub own_macro: &'static str,
    /// The folder of ours whose headers programs include by their bare names.
    pub headers: &'static str,
    /// The same for names that no other folder has: old programs say `"split-c.h"`.
    pub late_headers: Option<&'static str>,
    /// The function where a program begins.
    pub entry: &'static str,
    /// All memory can be shared: pointers lead to statics, heap and stack of other processors.
    pub everything: bool,
    /// Messages name the clauses of UPC's standard.
    pub clauses: bool,
    /// Which keywords it has besides C's.
    pub(crate) keywords: &'static [Group],
    /// Its words.
    pub words: Words,
}

/// The words of a dialect for what all of them have.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// What qualifies an object that all threads can address.
    pub shared: &'static str,
    /// Of an object: so qualified.
    pub qualified: &'static str,
    /// A pointer to such an object.
    pub pointer: &'static str,
    /// Several.
    pub pointers: &'static str,
    /// The number of threads.
    pub threads: &'static str,
    /// The option that fixes that number when compiling.
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

    /// Its row.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Its words.
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

    /// The language that `-x` calls so.
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
