//! Lines and columns as the protocol counts them, from 0 and in units of UTF-16, and bytes of a text.

use serde_json::{Value, json};
use std::ops::Range;

/// A text with its lines.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Finds the lines. A line ends with `\n`, `\r\n` or `\r`.
    pub fn new(text: &'t str) -> Lines<'t> {
        let bytes = text.as_bytes();
        let ends = bytes
            .iter()
            .enumerate()
            .filter(|&(at, &byte)| byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')));
        Lines { text, starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// Returns the text of a line, without its end; empty if there is no such line.
    pub fn line(&self, line: usize) -> &'t str {
        let Some(&start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// Returns the byte at a position. A position beyond the end of its line is that end, as in the protocol.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let (text, mut units) = (self.line(line), 0);
        for (at, c) in text.char_indices() {
            if units >= column {
                return start + at;
            }
            units += c.len_utf16();
        }
        start + text.len()
    }

    /// Returns the byte at a position of a message.
    pub fn at(&self, position: &Value) -> usize {
        let number = |name| position[name].as_u64().unwrap_or(0) as usize;
        self.offset(number("line"), number("character"))
    }

    /// Returns the bytes of a range of a message.
    pub fn bytes(&self, range: &Value) -> Range<usize> {
        let (start, end) = (self.at(&range["start"]), self.at(&range["end"]));
        start..end.max(start)
    }

    /// Returns the position of a byte, in the form of a message.
    pub fn position(&self, offset: usize) -> Value {
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let text = &self.text[self.starts[line]..offset];
        json!({ "line": line, "character": text.encode_utf16().count() })
    }

    /// Returns the range of bytes, in the form of a message.
    pub fn range(&self, bytes: Range<usize>) -> Value {
        json!({ "start": self.position(bytes.start), "end": self.position(bytes.end) })
    }

    /// Returns the token of letters, or the character, at a line and a column in characters, both from 1, as
    /// compilers count; the end of the line if the line is shorter.
    pub fn word(&self, line: usize, column: usize) -> Range<usize> {
        let text = self.line(line.saturating_sub(1));
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len());
        let skipped = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
        let rest = &text[skipped..];
        let letters = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
        let len = if letters > 0 { letters } else { rest.chars().next().map_or(0, char::len_utf8) };
        start + skipped..start + skipped + len
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use serde_json::json;

    #[test]
    fn columns_count_units_of_utf_16() {
        let lines = Lines::new("a\u{1F600}b\r\nüx\n");
        assert_eq!(lines.offset(0, 3), "a\u{1F600}".len());
        assert_eq!(lines.offset(0, 99), "a\u{1F600}b".len());
        assert_eq!(lines.position(lines.offset(1, 1)), json!({ "line": 1, "character": 1 }));
        assert_eq!(lines.position("a\u{1F600}b".len()), json!({ "line": 0, "character": 4 }));
        assert_eq!(lines.offset(7, 0), "a\u{1F600}b\r\nüx\n".len());
    }

    #[test]
    fn a_compilers_place_is_a_word() {
        let text = "int größe = 1;\n";
        let lines = Lines::new(text);
        assert_eq!(&text[lines.word(1, 5)], "größe");
        assert_eq!(&text[lines.word(1, 11)], "=");
        assert_eq!(lines.word(1, 80), text.len() - 1..text.len() - 1);
        assert_eq!(lines.word(9, 1), text.len()..text.len());
    }
}
