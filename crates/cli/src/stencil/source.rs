//! Free-form Fortran as statements: comments removed, continued lines joined, our directives kept.

/// A statement, or a directive (`!$meridian ...`), and the line on which it begins.
#[derive(Debug, Clone)]
pub struct Statement {
    pub line: usize,
    pub text: String,
}

/// The mark of our directives.
pub const MARK: &str = "!$meridian";

pub fn statements(text: &str) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut continued = false;
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if !continued && trimmed.to_ascii_lowercase().starts_with(MARK) {
            found.push(Statement { line: number + 1, text: trimmed.to_ascii_lowercase() });
            continue;
        }
        let mut code = without_comment(trimmed).trim();
        if code.is_empty() {
            continue;
        }
        let goes_on = code.ends_with('&');
        code = code.strip_suffix('&').unwrap_or(code).trim_end();
        match found.last_mut() {
            Some(last) if continued => {
                // A leading ampersand joins without a blank, as within a word.
                let joined = code.strip_prefix('&');
                last.text.push_str(if joined.is_some() { "" } else { " " });
                last.text.push_str(joined.unwrap_or(code));
            }
            _ => found.push(Statement { line: number + 1, text: code.to_owned() }),
        }
        continued = goes_on;
    }
    found.into_iter().flat_map(separated).collect()
}

/// Returns the statements of a line, which semicolons separate.
fn separated(line: Statement) -> Vec<Statement> {
    let mut parts = vec![String::new()];
    for piece in pieces(&line.text) {
        match piece {
            Piece::Other(";") => parts.push(String::new()),
            Piece::Word(word) | Piece::Other(word) => parts.last_mut().expect("there is one").push_str(word),
        }
    }
    let statement = |part: &String| Statement { line: line.line, text: part.trim().to_owned() };
    parts.iter().filter(|part| !part.trim().is_empty()).map(statement).collect()
}

/// Returns the line up to its comment, if it has one outside of strings.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '!') => return &line[..at],
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    line
}

/// The parts of a text that matter here.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Piece<'a> {
    Word(&'a str),
    /// A string, a number, blanks, or a single other character.
    Other(&'a str),
}

/// Splits a text. Words are identifiers; numbers are none, even with exponents such as `1.0d0`.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match c {
            '\'' | '"' => rest[1..].find(c).map_or(rest.len(), |end| end + 2),
            _ if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            _ => c.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        let is_word = c.is_ascii_alphabetic() || c == '_';
        found.push(if is_word { Piece::Word(piece) } else { Piece::Other(piece) });
        rest = after;
    }
    found
}

/// Returns the text between the bracket with which `text` begins and its partner, and the rest.
pub fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut at) = (0, 0);
    for piece in pieces(text) {
        let (Piece::Word(word) | Piece::Other(word)) = piece;
        match word {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        at += word.len();
        if depth == 0 {
            return text.starts_with('(').then(|| (&text[1..at - 1], &text[at..]));
        }
    }
    None
}

/// Returns the parts of a list, between commas outside of brackets and strings.
pub fn list(text: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for piece in pieces(text) {
        let (Piece::Word(word) | Piece::Other(word)) = piece;
        depth += i32::from(word == "(") - i32::from(word == ")");
        if word == "," && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut().expect("there is one").push_str(word);
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}
