//! The compiler's diagnostics against the marks in a test program.
//!
//! A line that the compiler must complain of carries `//~ ERROR text` or `//~ WARNING text`: one diagnostic
//! of that severity on that line, whose message holds the text (in any case of letters). Each `^` after the
//! tilde moves the mark one line up. Several marks may stand on one line. `ERROR:7` asks for column 7 too.

use std::path::Path;

/// How bad.
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
    /// Its severity.
    pub severity: Severity,
    /// A part of its message.
    pub text: String,
}

/// A diagnostic that the compiler printed.
#[derive(Debug)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// Code and message, with what the notes and hints beneath it say.
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
                return Err(format!("line {}: a mark is `ERROR text` or `WARNING text`", index + 1));
            };
            let (column, text) = column(text);
            let line = index + 1 - up;
            marks.push(Mark { line, column, severity, text: text.trim().to_string() });
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

/// Reads diagnostics in rustc's manner: `error[U0123]: message`, then ` --> file:line:column`.
pub fn parse(stderr: &str) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut head: Option<(Severity, String)> = None;
    for line in stderr.lines() {
        if let Some(start) = heading(line) {
            head = Some(start);
        } else if let Some(place) = line.trim_start().strip_prefix("--> ") {
            let Some((severity, message)) = head.take() else {
                continue;
            };
            let mut parts = place.trim().rsplitn(3, ':');
            let column = parts.next().and_then(|text| text.parse().ok());
            let line = parts.next().and_then(|text| text.parse().ok());
            if let (Some(column), Some(line), Some(path)) = (column, line, parts.next()) {
                let file = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
                found.push(Diagnostic { severity, message, file, line, column });
            }
        } else if let Some(last) = found.last_mut().filter(|_| head.is_none()) {
            last.message.push('\n');
            last.message.push_str(line);
        }
    }
    found
}

fn heading(line: &str) -> Option<(Severity, String)> {
    let (severity, rest) = if let Some(rest) = line.strip_prefix("error") {
        (Severity::Error, rest)
    } else {
        (Severity::Warning, line.strip_prefix("warning")?)
    };
    let (code, rest) = match rest.strip_prefix('[') {
        Some(code) => code.split_once(']')?,
        None => ("", rest),
    };
    Some((severity, format!("{code}{rest}")))
}

/// Holds the diagnostics against the marks; the result says each difference, and is empty if there is none.
/// Diagnostics that are not marked count as differences for the severities in `strict`.
pub fn compare(marks: &[Mark], mut found: Vec<Diagnostic>, file: &str, strict: &[Severity]) -> String {
    let mut differences = String::new();
    for mark in marks {
        let fits = |diagnostic: &Diagnostic| {
            diagnostic.severity == mark.severity
                && diagnostic.file == file
                && diagnostic.line == mark.line
                && mark.column.is_none_or(|column| diagnostic.column == column)
                && diagnostic.message.to_lowercase().contains(&mark.text.to_lowercase())
        };
        match found.iter().position(fits) {
            Some(position) => drop(found.swap_remove(position)),
            None => {
                let Mark { line, severity, text, column } = mark;
                let column = column.map_or(String::new(), |column| format!(":{column}"));
                differences += &format!("line {line}{column}: no {severity:?} with `{text}`\n");
            }
        }
    }
    for diagnostic in found.iter().filter(|diagnostic| strict.contains(&diagnostic.severity)) {
        let Diagnostic { severity, message, file, line, column } = diagnostic;
        let first = message.lines().next().unwrap_or_default();
        differences += &format!("{file}:{line}:{column}: not expected: {severity:?}: {first}\n");
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "error[U0001]: no such thing\n  --> dir/a.upc:3:7\n   |\n3 | x\n   |\n\
                           warning: odd\n --> a.upc:4:1\n";

    #[test]
    fn marks_and_diagnostics_meet() {
        let marks = marks("a\nb\nc //~ ERROR u0001: no such THING\n//~ WARNING odd\n").unwrap();
        assert_eq!(compare(&marks, parse(PRINTED), "a.upc", &[Severity::Error, Severity::Warning]), "");
    }

    #[test]
    fn what_is_missing_or_not_marked_is_told() {
        let marks = marks("a\n//~^ ERROR gone\n").unwrap();
        let told = compare(&marks, parse(PRINTED), "a.upc", &[Severity::Error]);
        assert!(told.contains("line 1: no Error with `gone`"), "{told}");
        assert!(told.contains("a.upc:3:7: not expected"), "{told}");
        assert!(!told.contains("odd"), "{told}");
    }
}
