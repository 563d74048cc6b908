//! The programs of `bugs/KIND`, which have one mistake each, and their repaired twins: `NAME.ok.upc` beside
//! `NAME.upc`. At the head of a program, each line of the form `MARK LINE: words` is a report of line LINE
//! that has to be made, and words that it has.

use std::path::{Path, PathBuf};

/// The mark of reports of the compiler.
pub const COMPILED: &str = "// finds: ";
/// The mark of reports of `-fsanitize=pgas`, when the program runs.
pub const RUNNING: &str = "// running finds: ";

/// A report that a program has to have.
pub struct Finds {
    /// The line, from 1.
    pub line: usize,
    /// Words of the message.
    pub words: String,
}

/// Returns the expected reports with a mark; none in a repaired program.
///
/// # Panics
/// If the program cannot be read, or a line with the mark has another form.
pub fn expected(program: &Path, mark: &str) -> Vec<Finds> {
    let text = std::fs::read_to_string(program).unwrap();
    let heads = text.lines().filter_map(|line| line.strip_prefix(mark));
    let finds = heads.map(|head| {
        let (line, words) = head.split_once(": ").unwrap_or_else(|| panic!("{program:?}: `{head}`"));
        Finds { line: line.parse().unwrap(), words: words.to_string() }
    });
    finds.collect()
}

/// Returns the programs of all kinds, repaired ones too, in order.
pub fn programs() -> Vec<PathBuf> {
    crate::walk(&crate::home().join("bugs"), &|path| path.is_file())
}
