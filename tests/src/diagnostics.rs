//! The compiler's diagnostics against the marks in a test program.
//!
//! A line with an error carries `//~ ERROR U0600` or `//~ ERROR U0600: text`, and one with a warning
//! `//~ WARNING …`: exactly one diagnostic of that severity and code on that line, whose message, notes or
//! hints contain the text (letter case is ignored). Each `^` after the tilde moves the mark one line up.
//! Several marks may stand on one line. `ERROR:7` asks for column 7 too. `U0622|C0206` stands for either
//! code, if the static environment has another than the dynamic one. A mark without a code is an error: any
//! diagnostic would satisfy it.

use std::path::Path;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Compilation fails.
    Error,
    /// Compilation goes on.
    Warning,
}

/// A mark in a test program.
#[derive(Debug)]
pub struct Mark {
    /// The line the diagnostic must be on, from 1.
    pub line: usize,
    /// The column, from 1, if the mark gives one.
    pub column: Option<usize>,
    /// The severity.
    pub severity: Severity,
    /// The code, as `U0600`, or several.
    pub codes: Vec<String>,
    /// A part of the message; may be empty.
    pub text: String,
}

/// A diagnostic that the compiler printed.
#[derive(Debug)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The code; empty for a diagnostic of the C compiler.
    pub code: String,
    /// The message, with the text of the notes and hints beneath it.
    pub message: String,
    /// The last component of the file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// The marks of a program.
pub fn marks(source: &str) -> Result<Vec<Mark>, String> {
    let mut marks = Vec::new();
    for (index, line) in source.lines().enumerate() {
        for mark in line.split("//~").skip(1) {
            let rest = mark.trim_start_matches('^');
            let up = mark.len() - rest.len();
            let rest = rest.trim();
            let (severity, text) = if let Some(text) = rest.strip_prefix("ERROR") {
                (Severity::Error, text)
            } else if let Some(text) = rest.strip_prefix("WARNING") {
                (Severity::Warning, text)
            } else {
                return Err(format!(
                    "line {}: a mark is `ERROR CODE: text` or `WARNING CODE: text`",
                    index + 1
                ));
            };
            let (column, text) = column(text);
            let missing = || format!("line {}: a mark names the code, as `U0600`", index + 1);
            let mut rest = text.trim();
            let mut codes = Vec::new();
            while let Some((code, more)) = rest.split_once('|').filter(|(code, _)| code.len() == CODE) {
                codes.push(self::code(code).ok_or_else(missing)?.0.to_string());
                rest = more;
            }
            let (last, text) = code(rest).ok_or_else(missing)?;
            codes.push(last.to_string());
            let line = index + 1 - up;
            marks.push(Mark { line, column, severity, codes, text: text.into() });
        }
    }
    Ok(marks)
}

/// `:7 text` as column 7 and the text.
fn column(text: &str) -> (Option<usize>, &str) {
    let digits = text.strip_prefix(':').unwrap_or_default();
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    match digits[..end].parse() {
        Ok(column) => (Some(column), &digits[end..]),
        Err(_) => (None, text),
    }
}

/// The length of a code.
const CODE: usize = 5;

/// `U0600: text` as the code and the text, which may be missing with its colon.
pub fn code(text: &str) -> Option<(&str, &str)> {
    let (code, rest) = text.split_at_checked(CODE)?;
    let (letter, digits) = code.split_at_checked(1)?;
    let is_code =
        letter.chars().all(|c| c.is_ascii_uppercase()) && digits.bytes().all(|b| b.is_ascii_digit());
    let text = if rest.is_empty() { rest } else { rest.strip_prefix(':')?.trim() };
    is_code.then_some((code, text))
}

/// Reads diagnostics in rustc's manner: `error[U0123]: message`, then ` --> file:line:column`.
pub fn parse(stderr: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut head: Option<(Severity, String, String)> = None;
    for line in stderr.lines() {
        if let Some(start) = heading(line) {
            head = Some(start);
        } else if let Some(place) = line.trim_start().strip_prefix("--> ") {
            let Some((severity, code, message)) = head.take() else {
                continue;
            };
            let mut parts = place.trim().rsplitn(3, ':');
            let column = parts.next().and_then(|text| text.parse().ok());
            let line = parts.next().and_then(|text| text.parse().ok());
            if let (Some(column), Some(line), Some(path)) = (column, line, parts.next()) {
                let file = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
                found.push(Diagnostic { severity, code, message, file, line, column });
            }
        } else if let Some(last) = found.last_mut().filter(|_| head.is_none()) {
            // The user's own lines are not part of the message: a mark would find its own text in them.
            let number = line.trim_start().split(' ').next().unwrap_or_default();
            if number.parse::<usize>().is_err() {
                last.message.push('\n');
                last.message.push_str(line);
            }
        }
    }
    found
}

/// Severity, code and message of a diagnostic's first line.
fn heading(line: &str) -> Option<(Severity, String, String)> {
    let (severity, rest) = if let Some(rest) = line.strip_prefix("error") {
        (Severity::Error, rest)
    } else {
        (Severity::Warning, line.strip_prefix("warning")?)
    };
    let (code, rest) = match rest.strip_prefix('[') {
        Some(code) => code.split_once(']')?,
        None => ("", rest),
    };
    Some((severity, code.to_string(), rest.trim_start_matches(':').trim().to_string()))
}

/// Compares the diagnostics with the marks. Returns a text with each difference, empty if there is none.
/// Diagnostics that are not marked count as differences for the severities in `strict`.
pub fn compare(marks: &[Mark], mut found: Vec<Diagnostic>, file: &str, strict: &[Severity]) -> String {
    let mut differences = String::new();
    for mark in marks {
        let fits = |diagnostic: &Diagnostic| {
            diagnostic.severity == mark.severity
                && diagnostic.file == file
                && diagnostic.line == mark.line
                && mark.codes.contains(&diagnostic.code)
                && mark.column.is_none_or(|column| diagnostic.column == column)
                && diagnostic.message.to_lowercase().contains(&mark.text.to_lowercase())
        };
        match found.iter().position(fits) {
            Some(position) => drop(found.swap_remove(position)),
            None => {
                let Mark { line, severity, codes, text, column } = mark;
                let code = codes.join("|");
                let column = column.map_or(String::new(), |column| format!(":{column}"));
                differences += &format!("line {line}{column}: no {severity:?} {code} with `{text}`\n");
            }
        }
    }
    for diagnostic in found.iter().filter(|diagnostic| strict.contains(&diagnostic.severity)) {
        let Diagnostic { severity, code, message, file, line, column } = diagnostic;
        let first = message.lines().next().unwrap_or_default();
        differences += &format!("{file}:{line}:{column}: not expected: {severity:?} {code}: {first}\n");
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "error[U0001]: no such thing\n  --> dir/a.upc:3:7\n   |\n3 | x // own\n   |\n\
                           warning[U0002]: odd\n --> a.upc:4:1\n";

    #[test]
    fn marks_and_diagnostics_meet() {
        let marks = marks("a\nb\nc //~ ERROR U0001: no such THING\n//~ WARNING U0002\n").unwrap();
        assert_eq!(compare(&marks, parse(PRINTED), "a.upc", &[Severity::Error, Severity::Warning]), "");
    }

    #[test]
    fn what_is_missing_or_not_marked_is_told() {
        let marks = marks("a\n//~^ ERROR U0001: gone\n").unwrap();
        let told = compare(&marks, parse(PRINTED), "a.upc", &[Severity::Error]);
        assert!(told.contains("line 1: no Error U0001 with `gone`"), "{told}");
        assert!(told.contains("a.upc:3:7: not expected"), "{told}");
        assert!(!told.contains("odd"), "{told}");
    }

    #[test]
    fn another_code_does_not_satisfy_a_mark_and_none_is_refused() {
        let other = marks("a\nb\nc //~ ERROR U0009: no such thing\n").unwrap();
        assert!(compare(&other, parse(PRINTED), "a.upc", &[]).contains("no Error U0009"));
        let own = marks("a\nb\nc //~ ERROR U0001: own\n").unwrap();
        assert!(compare(&own, parse(PRINTED), "a.upc", &[]).contains("with `own`"));
        let either = marks("a\nb\nc //~ ERROR U0009|U0001: thing\n").unwrap();
        assert_eq!(compare(&either, parse(PRINTED), "a.upc", &[Severity::Error]), "");
        for text in ["//~ ERROR", "//~ ERROR no such thing", "//~ ERROR U001: no", "//~ ERROR U0001 no"] {
            assert!(marks(text).is_err(), "{text}");
        }
    }
}
