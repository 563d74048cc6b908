//! The comments of sources in Rust and C, as text: for tests of how they are written.

/// A comment, or line comments that stand one below the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The line on which it begins.
    pub line: usize,
    /// The text without its marks; code in backquotes is left out.
    pub text: String,
    /// How it begins: `//`, `///`, `//!` or `/*`; `#` for a paragraph of a page.
    pub mark: &'static str,
}

impl Comment {
    /// The words of the comment.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let split = |c: char| !(c.is_ascii_alphabetic() || c == '\'' || c == '-');
        self.text.split(split).filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
    }
}

/// Returns the comments of a source, in their order.
pub fn of(text: &str) -> Vec<Comment> {
    let mut found: Vec<(Comment, usize)> = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let length = match () {
            () if rest.starts_with("//") => {
                let end = rest.find('\n').unwrap_or(rest.len());
                add_line(&mut found, &rest[..end], line);
                end
            }
            () if rest.starts_with("/*") => {
                let end = rest[2..].find("*/").map_or(rest.len(), |at| at + 4);
                let inner = rest[2..end].trim_end_matches("*/");
                let lines = inner.lines().map(|line| line.trim_start().trim_start_matches('*').trim_start());
                let text = without_code(&lines.collect::<Vec<_>>().join("\n"));
                found.push((Comment { line, text, mark: "/*" }, 0));
                end
            }
            () => literal(rest).unwrap_or(first.len_utf8()),
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found.into_iter().map(|(comment, _)| comment).collect()
}

/// Adds a line comment, or a line of one.
fn add_line(found: &mut Vec<(Comment, usize)>, text: &str, line: usize) {
    let mark = ["//!", "///"].into_iter().find(|mark| text.starts_with(mark)).unwrap_or("//");
    let text = without_code(text[mark.len()..].trim());
    match found.last_mut() {
        Some((last, end)) if last.mark == mark && *end + 1 == line => {
            last.text = format!("{}\n{text}", last.text);
            *end = line;
        }
        _ => found.push((Comment { line, text, mark }, line)),
    }
}

/// The text with `x` in the place of code in backquotes.
pub(crate) fn without_code(text: &str) -> String {
    text.split('`').enumerate().map(|(n, part)| if n % 2 == 0 { part } else { "x" }).collect()
}

/// The length of a string or character that the text begins with.
fn literal(text: &str) -> Option<usize> {
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return inner.find(&end).map(|at| 1 + hashes + 1 + at + end.len());
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + 1),
            // A lifetime is no character.
            _ if quote == '\'' && at > 1 && !text[1..].starts_with('\\') => return None,
            _ => {}
        }
    }
    None
}
