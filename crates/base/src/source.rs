//! The preprocessed text and its line map.
//!
//! The preprocessor says with line markers (`# 12 "file.c" 1 3`) where the lines that follow came from. They
//! are read once, here; every later question about a place goes through the table of stretches.

use crate::Span;
use std::path::{Path, PathBuf};

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

/// A line's place as the line markers tell it: before columns and macros are looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presumed {
    /// Index into [`Source::files`].
    pub file: u32,
    /// Line number, from 1.
    pub line: u32,
    /// In a system header.
    pub system: bool,
}

impl Source {
    /// Takes the text and reads its line markers, `# 12 "file" 1 3` as well as `#line 12 "file"`. The text
    /// must be shorter than 4 GB (spans are 32 bits); what lies beyond could not be named and is cut off.
    pub fn new(mut text: String) -> Source {
        const LIMIT: usize = u32::MAX as usize - 1;
        if text.len() > LIMIT {
            let cut = (0..=LIMIT).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
            text.truncate(cut);
        }
        let mut files: Vec<PathBuf> = Vec::new();
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut line_starts = Vec::new();
        let mut lo = 0usize;
        let mut index = std::collections::HashMap::new();
        for line in text.split_inclusive('\n') {
            line_starts.push(lo as u32);
            let next = lo + line.len();
            if let Some(marker) = read_marker(line) {
                let last = stretches.last();
                let file = match marker.file {
                    Some(name) => *index.entry(name.clone()).or_insert_with(|| {
                        files.push(PathBuf::from(name));
                        files.len() as u32 - 1
                    }),
                    None => last.map_or(u32::MAX, |s: &Stretch| s.file),
                };
                let system = marker.system || (marker.plain && last.is_some_and(|s| s.system));
                stretches.push(Stretch { lo: next as u32, file, line: marker.line, system });
            }
            lo = next;
        }
        if line_starts.is_empty() {
            line_starts.push(0);
        }
        Source::complete(text, files, stretches, line_starts)
    }

    /// Adds the stretch before the first marker, and a name where no marker gave one.
    fn complete(
        text: String,
        mut files: Vec<PathBuf>,
        mut stretches: Vec<Stretch>,
        line_starts: Vec<u32>,
    ) -> Source {
        if files.is_empty() || stretches.iter().any(|s| s.file == u32::MAX) {
            files.push(PathBuf::from("<stdin>"));
            let nameless = files.len() as u32 - 1;
            for s in stretches.iter_mut().filter(|s| s.file == u32::MAX) {
                s.file = nameless;
            }
        }
        let first = stretches.first().map_or(0, |s| s.file);
        stretches.insert(0, Stretch { lo: 0, file: first, line: 1, system: false });
        Source { text, files, stretches, line_starts }
    }

    /// The text of a span; empty where the span is not one of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// The text's own line (from 0) that holds the offset.
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&at| at <= offset).saturating_sub(1)
    }

    /// The bytes of one of the text's own lines, without its newline.
    pub fn line_span(&self, line: usize) -> Span {
        let lo = self.line_starts[line];
        let hi = self.line_starts.get(line + 1).map_or(self.text.len() as u32, |&at| at);
        let body = self.text[lo as usize..hi as usize].trim_end_matches(['\n', '\r']);
        Span::new(lo, lo + body.len() as u32)
    }

    /// File and line of an offset, by the line markers alone.
    pub fn presumed(&self, offset: u32) -> Presumed {
        let at = self.stretches.partition_point(|s| s.lo <= offset).saturating_sub(1);
        let stretch = &self.stretches[at];
        let lines = self.line_of(offset).saturating_sub(self.line_of(stretch.lo)) as u32;
        Presumed { file: stretch.file, line: stretch.line.saturating_add(lines), system: stretch.system }
    }

    /// The name of a file, as the line markers write it.
    pub fn file(&self, index: u32) -> &Path {
        &self.files[index as usize]
    }
}

struct Marker {
    line: u32,
    file: Option<String>,
    system: bool,
    /// `#line`, which has no flags: what was a system header remains one.
    plain: bool,
}

fn read_marker(line: &str) -> Option<Marker> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let (rest, plain) = match rest.strip_prefix("line") {
        Some(after) if after.starts_with([' ', '\t']) => (after.trim_start(), true),
        _ => (rest, false),
    };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim();
    if rest.is_empty() {
        return Some(Marker { line: number, file: None, system: false, plain: true });
    }
    let (name, flags) = read_quoted(rest)?;
    let system = flags.split_ascii_whitespace().any(|f| f == "3");
    Some(Marker { line: number, file: Some(name), system, plain })
}

/// A string literal at the beginning of `text`, unescaped, and what follows it.
fn read_quoted(text: &str) -> Option<(String, &str)> {
    let body = text.strip_prefix('"')?;
    let mut name = Vec::new();
    let bytes = body.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'"' => return Some((String::from_utf8_lossy(&name).into_owned(), &body[i + 1..])),
            b'\\' => {
                let octal = bytes[i + 1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
                if octal == 3 {
                    let value = bytes[i + 1..i + 4].iter().fold(0u32, |v, b| v * 8 + u32::from(b - b'0'));
                    name.push(value as u8);
                    i += 3;
                } else {
                    name.push(*bytes.get(i + 1)?);
                    i += 1;
                }
            }
            byte => name.push(byte),
        }
        i += 1;
    }
    None
}
