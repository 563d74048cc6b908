//! The preprocessed text and its line map.
//!
//! The preprocessor states by line markers (`# 12 "file.c" 1 3`) where the lines that follow came from. They
//! are read once, here; later queries about a place use the table of stretches.

use crate::Span;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The part of the text after one line marker, to which it applies.
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
    /// Index into [`Source::includes`]; none in the file that is compiled.
    pub include: Option<u32>,
}

/// An `#include` that was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Include {
    /// Index into [`Source::files`] of the file that contains it.
    pub file: u32,
    /// The line in that file.
    pub line: u32,
    /// The include that led to that file.
    pub outer: Option<u32>,
}

/// The text that the preprocessor has written, and the origin of each of its lines.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The text. Not longer than 4 GB.
    pub text: String,
    /// The files in the line markers, under the names given there.
    pub files: Vec<PathBuf>,
    /// The stretches in order of `lo`; never empty.
    pub stretches: Vec<Stretch>,
    /// The includes, in order of their beginnings.
    pub includes: Vec<Include>,
    /// Offsets of the beginnings of the text's own lines.
    pub line_starts: Vec<u32>,
}

/// The place of a line by the line markers alone, without columns and macros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presumed {
    /// Index into [`Source::files`].
    pub file: u32,
    /// Line number, from 1.
    pub line: u32,
    /// Whether it is in a system header.
    pub system: bool,
}

impl Source {
    /// Takes the text and reads its line markers, `# 12 "file" 1 3` as well as `#line 12 "file"`. The text
    /// must be shorter than 4 GB (spans have 32 bits); the rest cannot be addressed and is cut off.
    pub fn new(mut text: String) -> Source {
        const LIMIT: usize = u32::MAX as usize - 1;
        if text.len() > LIMIT {
            let cut = (0..=LIMIT).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
            text.truncate(cut);
        }
        let mut map = LineMap::default();
        let mut line_starts = Vec::new();
        let mut lo = 0usize;
        for line in text.split_inclusive('\n') {
            line_starts.push(lo as u32);
            let next = lo + line.len();
            if let Some(marker) = read_marker(line) {
                map.add(marker, next as u32, line_starts.len());
            }
            lo = next;
        }
        if line_starts.is_empty() {
            line_starts.push(0);
        }
        let (files, stretches) = map.complete();
        Source { text, files, stretches, includes: map.includes, line_starts }
    }

    /// Returns the text of a span; empty if the span is not one of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Returns the text's own line (from 0) that contains the offset.
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&at| at <= offset).saturating_sub(1)
    }

    /// Returns the bytes of one of the text's own lines, without its newline.
    pub fn line_span(&self, line: usize) -> Span {
        let lo = self.line_starts[line];
        let hi = self.line_starts.get(line + 1).map_or(self.text.len() as u32, |&at| at);
        let body = self.text[lo as usize..hi as usize].trim_end_matches(['\n', '\r']);
        Span::new(lo, lo + body.len() as u32)
    }

    /// Returns file and line of an offset, by the line markers alone.
    pub fn presumed(&self, offset: u32) -> Presumed {
        let at = self.stretches.partition_point(|s| s.lo <= offset).saturating_sub(1);
        let stretch = &self.stretches[at];
        let lines = self.line_of(offset).saturating_sub(self.line_of(stretch.lo)) as u32;
        Presumed { file: stretch.file, line: stretch.line.saturating_add(lines), system: stretch.system }
    }

    /// Returns the includes that led to the file of an offset, the innermost first.
    pub fn includes_at(&self, offset: u32) -> impl Iterator<Item = Include> + '_ {
        let at = self.stretches.partition_point(|s| s.lo <= offset).saturating_sub(1);
        let include = |index: Option<u32>| index.map(|i| self.includes[i as usize]);
        std::iter::successors(include(self.stretches[at].include), move |found| include(found.outer))
    }

    /// Returns the name of a file, as the line markers write it.
    pub fn file(&self, index: u32) -> &Path {
        &self.files[index as usize]
    }
}

/// The line map under construction.
#[derive(Default)]
struct LineMap {
    files: Vec<PathBuf>,
    index: HashMap<String, u32>,
    stretches: Vec<Stretch>,
    includes: Vec<Include>,
    /// The include that led to the file of the current line.
    include: Option<u32>,
    /// The number of the text's line after the last marker.
    after: usize,
}

impl LineMap {
    /// Adds a marker that applies to the text from `lo` on, which is the text's line number `text_line` from
    /// 0.
    fn add(&mut self, marker: Marker, lo: u32, text_line: usize) {
        let last = self.stretches.last().map(|s| (s.file, s.system, s.line));
        let file = match marker.file {
            Some(name) => *self.index.entry(name.clone()).or_insert_with(|| {
                self.files.push(PathBuf::from(name));
                self.files.len() as u32 - 1
            }),
            None => last.map_or(u32::MAX, |l| l.0),
        };
        match (marker.step, last) {
            (Step::In, Some((outer, _, line))) if !self.stretches.is_empty() => {
                // The marker at the return has the exact line, but may be missing.
                let line = line.saturating_add((text_line - self.after) as u32).saturating_sub(1);
                self.includes.push(Include { file: outer, line: line.max(1), outer: self.include });
                self.include = Some(self.includes.len() as u32 - 1);
            }
            (Step::Back, _) => {
                if let Some(include) = self.include.map(|i| &mut self.includes[i as usize]) {
                    include.line = marker.line.saturating_sub(1).max(1);
                    self.include = include.outer;
                }
            }
            _ => {}
        }
        self.after = text_line;
        let system = marker.system || (marker.plain && last.is_some_and(|l| l.1));
        self.stretches.push(Stretch { lo, file, line: marker.line, system, include: self.include });
    }

    /// Returns the files and stretches, with the stretch before the first marker, and with a name for a file
    /// that has none.
    fn complete(&mut self) -> (Vec<PathBuf>, Vec<Stretch>) {
        let mut files = std::mem::take(&mut self.files);
        let mut stretches = std::mem::take(&mut self.stretches);
        if files.is_empty() || stretches.iter().any(|s| s.file == u32::MAX) {
            files.push(PathBuf::from("<stdin>"));
            let nameless = files.len() as u32 - 1;
            for s in stretches.iter_mut().filter(|s| s.file == u32::MAX) {
                s.file = nameless;
            }
            for include in self.includes.iter_mut().filter(|i| i.file == u32::MAX) {
                include.file = nameless;
            }
        }
        let first = stretches.first().map_or(0, |s| s.file);
        stretches.insert(0, Stretch { lo: 0, file: first, line: 1, system: false, include: None });
        (files, stretches)
    }
}

/// Whether a marker enters a file or comes back to one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    In,
    Back,
    Stay,
}

struct Marker {
    step: Step,
    line: u32,
    file: Option<String>,
    system: bool,
    /// Whether it is `#line`, which has no flags: a system header remains one.
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
        return Some(Marker { step: Step::Stay, line: number, file: None, system: false, plain: true });
    }
    let (name, flags) = read_quoted(rest)?;
    let flag = |which| flags.split_ascii_whitespace().any(|f| f == which);
    let step = match (flag("1"), flag("2")) {
        (true, _) => Step::In,
        (_, true) => Step::Back,
        _ => Step::Stay,
    };
    Some(Marker { step, line: number, file: Some(name), system: flag("3"), plain })
}

/// Reads a string literal at the beginning of `text`. Returns it unescaped, and the rest.
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
