//! The preprocessed text and its line map.

use std::path::PathBuf;

/// A stretch of the text that one line marker speaks for.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// Offset of the first byte after the marker's line.
    pub lo: u32,
    /// Index into [`Source::files`].
    pub file: u32,
    /// Line number of the first line after the marker.
    pub line: u32,
    /// The marker's flag 3: a system header, whose warnings are not shown.
    pub system: bool,
}

/// The text that the preprocessor wrote, and where each line of it came from.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The text. Not longer than 4 GB.
    pub text: String,
    /// The files that its line markers name, as they name them.
    pub files: Vec<PathBuf>,
    /// In order of `lo`; never empty.
    pub stretches: Vec<Stretch>,
    /// Offsets of the beginnings of the text's own lines.
    pub line_starts: Vec<u32>,
}
