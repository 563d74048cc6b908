//! String literals that continue over the ends of their lines, as GNU C accepted them until version 3.3:
//! Split-C programs of that time have them.
//!
//! Current preprocessors do not accept them. So a file with such strings is preprocessed as a copy, in which
//! `\n\` stands at each of these ends: that is the same text, and the line numbers stay the same. Headers are
//! not examined.

use base::{Code, Diagnostic, Span};

/// Returns the file as current C accepts it, and the warnings about its strings, at their places in `text`;
/// none if no string continues.
pub fn close(text: &str) -> Option<(String, Vec<Diagnostic>)> {
    let mut scan = Scan { bytes: text.as_bytes(), at: 0, ends: Vec::new(), said: Vec::new() };
    scan.file();
    if scan.ends.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 3 * scan.ends.len());
    let mut from = 0;
    for &end in &scan.ends {
        out.push_str(&text[from..end]);
        out.push_str("\\n\\");
        from = end;
    }
    out.push_str(&text[from..]);
    Some((out, scan.said))
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Ends of lines inside of strings.
    ends: Vec<usize>,
    said: Vec<Diagnostic>,
}

impl Scan<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn file(&mut self) {
        let mut fresh = true;
        while self.at < self.bytes.len() {
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (b'\n', _) => {
                    fresh = true;
                    self.at += 1;
                    continue;
                }
                (b' ' | b'\t' | b'\r', _) => {
                    self.at += 1;
                    continue;
                }
                (b'#', _) if fresh => self.rest_of_line(),
                (b'/', b'/') => self.rest_of_line(),
                (b'/', b'*') => self.comment(),
                (b'\'', _) => self.character(),
                (b'"', _) => self.string(),
                _ => self.at += 1,
            }
            fresh = false;
        }
    }

    /// Moves to the end of the logical line, which backslashes and comments continue.
    fn rest_of_line(&mut self) {
        while self.at < self.bytes.len() && self.byte(self.at) != b'\n' {
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (b'\\', _) => self.at += 2,
                (b'/', b'*') => self.comment(),
                _ => self.at += 1,
            }
        }
    }

    fn comment(&mut self) {
        let behind = &self.bytes[self.at + 2..];
        let length = behind.windows(2).position(|two| two == b"*/");
        self.at = length.map_or(self.bytes.len(), |n| self.at + 2 + n + 2);
    }

    /// Skips a character constant. A quote that its line does not close, as in text left out by `#if 0`, is
    /// none.
    fn character(&mut self) {
        let mut at = self.at + 1;
        while at < self.bytes.len() && !matches!(self.byte(at), b'\'' | b'\n') {
            at += if self.byte(at) == b'\\' { 2 } else { 1 };
        }
        self.at = if self.byte(at) == b'\'' { at + 1 } else { self.at + 1 };
    }

    fn string(&mut self) {
        let lo = self.at;
        let mut ends = Vec::new();
        let mut at = lo + 1;
        while at < self.bytes.len() && self.byte(at) != b'"' {
            match self.byte(at) {
                b'\\' if self.byte(at + 1) == b'\r' => at += 3,
                b'\\' => at += 2,
                b'\n' => {
                    ends.push(if self.byte(at - 1) == b'\r' { at - 1 } else { at });
                    at += 1;
                }
                _ => at += 1,
            }
        }
        let raw = lo > 0 && self.byte(lo - 1) == b'R';
        if !ends.is_empty() && (raw || !self.is_meant(&ends, at)) {
            self.at = ends[0];
            return;
        }
        self.at = at + 1;
        if let Some(&first) = ends.first() {
            let message = "this string literal continues over the end of its line";
            let span = Span::new(lo as u32, first as u32);
            self.said.push(
                Diagnostic::warning(Code::OpenString, span, message)
                    .help("close it there and open it again on the next line, `\"a\\n\"`, `\"b\\n\"`"),
            );
            self.ends.extend(ends);
        }
    }

    /// Whether a string over lines, up to this quote, is meant as one, rather than a string whose quote has
    /// been forgotten: it contains no directive, and a token that may follow a string follows.
    fn is_meant(&self, ends: &[usize], close: usize) -> bool {
        let skip =
            |from: usize| self.bytes[from.min(self.bytes.len())..].iter().find(|b| !b.is_ascii_whitespace());
        let directive = ends.iter().any(|&end| skip(end) == Some(&b'#'));
        !directive && close < self.bytes.len() && skip(close + 1).is_some_and(|b| b",;)}]:?\"/".contains(b))
    }
}

#[cfg(test)]
mod tests {
    use super::close;

    fn closed(text: &str) -> Option<String> {
        close(text).map(|(text, _)| text)
    }

    #[test]
    fn lines_end_in_strings() {
        assert_eq!(closed("puts(\"a\nb\\\"\n\");\n").as_deref(), Some("puts(\"a\\n\\\nb\\\"\\n\\\n\");\n"));
        assert_eq!(closed("s = \"a\r\nb\";").as_deref(), Some("s = \"a\\n\\\r\nb\";"));
    }

    #[test]
    fn places_are_those_of_the_text() {
        let (_, said) = close("\n puts(\"a\nb\");").unwrap_or_default();
        assert_eq!(said.iter().map(|d| (d.span.lo, d.span.hi)).collect::<Vec<_>>(), [(7, 9)]);
    }

    #[test]
    fn other_quotes_stay() {
        for text in [
            "puts(\"a\\\nb\");",
            "/* \" */ puts(\"a\"); // \"\nint c = '\"';\n",
            "#error \"don't\nint x;\n",
            "#if 0\nsay \"hello\n#endif\nputs(\"b\");\n",
            "puts(\"a);\nputs(\"b\");\n",
            "puts(\"a);\n",
            "s = R\"(a\nb)\";",
        ] {
            assert_eq!(closed(text), None, "{text}");
        }
    }
}
