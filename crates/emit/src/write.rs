//! Printing pieces with the right line markers.
//!
//! Invariant: before a stretch of the user's text is written at top level, the file and line that a C
//! compiler assigns to this place of the output equal the stretch's; if they differ, a marker is written
//! first. A flattened piece has blanks in place of line breaks, and the next top-level stretch corrects the
//! line. It also corrects the column, if words would be in another column than the user's.
//!
//! Lowering may write a stretch of the user's text twice, for a loop that is compiled in two versions. The C
//! compiler has to warn of it once. So text that has been written before is marked as a system header's, of
//! which C compilers do not warn.

use crate::Piece;
use base::{Source, Span};
use std::collections::BTreeMap;

/// Returns the C text of `program`: `prologue` (whole lines, without the user's text), then the pieces.
pub fn write(source: &Source, prologue: &str, program: &Piece) -> String {
    write_marking(source, prologue, program, true)
}

/// Returns the C text like [`write()`]. `repeated`: whether text that is written again is marked as a system
/// header's. Some tools ignore all text of system headers, for example clang's coverage mapping.
pub fn write_marking(source: &Source, prologue: &str, program: &Piece, repeated: bool) -> String {
    let out = String::with_capacity(source.text.len() * 5 / 4);
    let mut writer =
        Writer { source, out, at: None, repeated, quiet: false, copied: false, written: BTreeMap::new() };
    writer.out.push_str(prologue);
    writer.piece(program, false);
    if !writer.out.ends_with('\n') {
        writer.out.push('\n');
    }
    writer.out
}

struct Writer<'a> {
    source: &'a Source,
    out: String,
    /// The file (index) and line that a reader of the output would give the next byte; `None` after the
    /// prologue.
    at: Option<(u32, u32)>,
    /// Whether repeated text is marked.
    repeated: bool,
    /// Whether the reader takes the next text for a system header's.
    quiet: bool,
    /// Whether the present text belongs to a copy.
    copied: bool,
    /// The stretches of the user's text that have been written on their own lines: first byte, end.
    written: BTreeMap<u32, u32>,
}

impl Writer<'_> {
    fn piece(&mut self, piece: &Piece, flat: bool) {
        match piece {
            Piece::Text(text) => self.text(text),
            Piece::Line(text) if !flat => {
                self.fresh_line();
                self.out.push_str(text);
                self.out.push('\n');
                self.at = None;
            }
            Piece::Line(text) => self.text(text),
            Piece::Seq(parts) => parts.iter().for_each(|part| self.piece(part, flat)),
            Piece::Flat(inner) => self.piece(inner, true),
            Piece::Copy(inner) => {
                let outer = std::mem::replace(&mut self.copied, true);
                self.piece(inner, flat);
                self.copied = outer;
            }
            Piece::At(offset) => {
                if !flat && self.at.is_some_and(|at| at != self.place(*offset)) {
                    self.sync(*offset);
                }
            }
            Piece::Src(span) if flat => self.flat(*span),
            Piece::Src(span) => self.verbatim(*span),
        }
    }

    /// Writes new text, with a blank before it if it would join the preceding token.
    fn text(&mut self, text: &str) {
        if let (Some(a), Some(b)) = (self.out.chars().next_back(), text.chars().next())
            && glue(a, b)
        {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    /// Writes the user's text in one line, without directives.
    fn flat(&mut self, span: Span) {
        let text = &self.source.text[span.range()];
        if !text.contains('\n') {
            self.text(text);
            return;
        }
        for line in text.split('\n') {
            let line = line.trim_end_matches('\r');
            if line.trim_start().starts_with('#') {
                continue;
            }
            self.text(line);
            self.out.push(' ');
        }
    }

    /// Writes the user's text unchanged, on its own line.
    fn verbatim(&mut self, span: Span) {
        let mut text = &self.source.text[span.range()];
        let mut lo = span.lo;
        // Compilers do not warn of punctuation alone.
        let first = lo + (text.len() - text.trim_start().len()) as u32;
        let quiet = self.repeated
            && (self.copied
                || self.is_written(first) && (self.quiet || text.contains(|c: char| c.is_alphanumeric())));
        if self.at != Some(self.place(lo)) || quiet != self.quiet || self.is_shifted(lo, text) {
            // The reader is at another line: leading blank lines would only be counted wrongly.
            let rest = text.trim_start();
            if rest.is_empty() {
                return;
            }
            lo = span.hi - rest.len() as u32;
            text = rest;
            if is_marker(rest) {
                self.fresh_line();
            } else {
                self.quiet = quiet;
                self.sync(lo);
                self.indent(lo);
            }
        }
        self.text(text);
        if !self.copied {
            self.written.insert(lo, span.hi);
        }
        // The text's own markers and line breaks advance the reader as they advance the source.
        self.at = Some(self.place(lo + text.len() as u32));
    }

    /// Returns whether the words at the beginning of `text`, at `lo`, would be in another column than in the
    /// source, after rewritten text. A C compiler would then point to the wrong column.
    fn is_shifted(&self, lo: u32, text: &str) -> bool {
        let line = text.split('\n').next().unwrap_or_default();
        let wanted = self.before(lo).len();
        wanted <= MOST_BLANKS && !self.stands_at(wanted) && line.contains(|c: char| c.is_alphanumeric())
    }

    /// Returns whether the last line of the output has `column` bytes. Costs O(`column`), not the line's
    /// length.
    fn stands_at(&self, column: usize) -> bool {
        let out = self.out.as_bytes();
        let Some(start) = out.len().checked_sub(column) else { return false };
        !out[start..].contains(&b'\n') && (start == 0 || out[start - 1] == b'\n')
    }

    /// Returns the text on the source's line before the byte at `offset`.
    fn before(&self, offset: u32) -> &str {
        let starts = &self.source.line_starts;
        let start = starts[starts.partition_point(|&s| s <= offset).saturating_sub(1)];
        &self.source.text[start as usize..offset as usize]
    }

    /// Writes blanks, so that the next text has its column in the source.
    fn indent(&mut self, offset: u32) {
        let before = self.before(offset);
        if before.len() <= MOST_BLANKS {
            let blanks: String = before.bytes().map(|b| if b == b'\t' { '\t' } else { ' ' }).collect();
            self.out.push_str(&blanks);
        }
    }

    /// Returns whether the byte at `offset` has been written on its own line.
    fn is_written(&self, offset: u32) -> bool {
        self.written.range(..=offset).next_back().is_some_and(|(_, &end)| offset < end)
    }

    fn fresh_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// Writes a marker unless the reader is at the line of `offset` already.
    fn sync(&mut self, offset: u32) {
        let want = self.place(offset);
        self.fresh_line();
        let stretch = self.stretch(offset);
        let flag = if stretch.system || self.quiet { " 3" } else { "" };
        let file = self.source.files[want.0 as usize].to_string_lossy();
        let quoted = file.replace('\\', "\\\\").replace('"', "\\\"");
        self.out.push_str(&format!("# {} \"{quoted}\"{flag}\n", want.1));
        self.at = Some(want);
    }

    fn stretch(&self, offset: u32) -> &base::source::Stretch {
        let n = self.source.stretches.partition_point(|s| s.lo <= offset);
        &self.source.stretches[n.saturating_sub(1)]
    }

    /// Returns the file and line that the source's markers give the byte at `offset`.
    fn place(&self, offset: u32) -> (u32, u32) {
        let stretch = self.stretch(offset);
        let line_of = |at: u32| self.source.line_starts.partition_point(|&s| s <= at) as u32;
        (stretch.file, stretch.line + line_of(offset).saturating_sub(line_of(stretch.lo)))
    }
}

/// The most blanks for a column: a macro may become a line so long that its columns are useless.
const MOST_BLANKS: usize = 400;

/// Returns whether two adjacent characters could belong to one token.
fn glue(a: char, b: char) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let quote = |c: char| c == '"' || c == '\'';
    match (a, b) {
        ('.', b) => b.is_ascii_digit() || b == '.',
        (a, '.') => a.is_ascii_digit(),
        (a, b) => (word(a) || quote(a)) && (word(b) || quote(b)),
    }
}

/// Returns whether the text begins with a line marker, `# 12 "file"`.
fn is_marker(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('#') else { return false };
    let rest = rest.trim_start_matches(' ');
    rest.strip_prefix("line").unwrap_or(rest).trim_start().starts_with(|c: char| c.is_ascii_digit())
}
