//! The diagnostics of `meridian cc` for a source in the editor, in the form of the protocol.

use crate::command::Command;
use crate::documents::plain;
use crate::position::Lines;
use c_syntax::Language;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The input of a check.
pub struct Check {
    /// The source's file, which may differ from the text.
    pub path: PathBuf,
    /// The source's language.
    pub language: Language,
    /// The options of its compilation.
    pub command: Command,
    /// The editor's text.
    pub text: String,
}

/// A diagnostic, and the file that it is about.
pub type Found = (PathBuf, Value);

/// The name of standard input in messages.
const STDIN: &str = "<stdin>";

/// Runs `meridian cc` on the text. Returns its diagnostics, and those of the C compiler that it calls.
///
/// # Errors
/// If the command cannot be run; the error has the reason.
pub fn run(meridian: &Path, check: &Check) -> Result<Vec<Found>, String> {
    let folder = check.path.parent().unwrap_or(Path::new("/"));
    let mut command = std::process::Command::new(meridian);
    command.arg("cc").args(&check.command.words).arg("-iquote").arg(folder);
    command.args(["-fsyntax-only", "-fdiagnostics-format=sarif-stderr", "-x", check.language.row().option]);
    // Columns in macros are found by means of the file, so the file is used if it equals the text.
    let saved = std::fs::read_to_string(&check.path).is_ok_and(|text| text == check.text);
    command.arg(if saved { check.path.as_os_str() } else { "-".as_ref() });
    command.current_dir(&check.command.directory).env("LC_ALL", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|why| format!("cannot run {}: {why}", meridian.display()))?;
    let (stdin, text) = (child.stdin.take(), check.text.clone());
    // If the command does not read to the end, its messages say why.
    let writer = std::thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(text.as_bytes())));
    let output = child.wait_with_output().map_err(|why| why.to_string())?;
    drop(writer.join());
    Ok(read(&String::from_utf8_lossy(&output.stderr), check))
}

/// Reads the command's output: a line of SARIF with our diagnostics, lines of the C compiler's, and lines of
/// our own that concern the command rather than a source.
fn read(said: &str, check: &Check) -> Vec<Found> {
    let sources = Sources { check, lines: Lines::new(&check.text) };
    let mut found = Vec::new();
    for line in said.lines() {
        if line.starts_with('{')
            && let Ok(log) = serde_json::from_str::<Value>(line)
        {
            let results = log["runs"][0]["results"].as_array();
            found.extend(results.into_iter().flatten().filter_map(|result| sources.of_sarif(result)));
        } else if let Some(text) = line.strip_prefix("meridian cc: error: ") {
            let diagnostic = sources.diagnostic(STDIN, (1, 1), "error", text, None);
            found.push(diagnostic);
        } else {
            found.extend(sources.of_line(line));
        }
    }
    found
}

struct Sources<'c> {
    check: &'c Check,
    lines: Lines<'c>,
}

impl Sources<'_> {
    fn of_sarif(&self, result: &Value) -> Option<Found> {
        let place = &result["locations"][0]["physicalLocation"];
        let number = |name: &str| place["region"][name].as_u64().map(|n| n as usize);
        Some(self.diagnostic(
            place["artifactLocation"]["uri"].as_str()?,
            (number("startLine")?, number("startColumn").unwrap_or(1)),
            result["level"].as_str()?,
            result["message"]["text"].as_str()?,
            result["ruleId"].as_str(),
        ))
    }

    /// Reads `file:line:column: error: text`.
    fn of_line(&self, line: &str) -> Option<Found> {
        let kinds = [": fatal error: ", ": error: ", ": warning: "];
        let (at, kind) = kinds.iter().filter_map(|kind| Some((line.find(kind)?, *kind))).min()?;
        let (place, text) = (&line[..at], &line[at + kind.len()..]);
        let (place, column) = place.rsplit_once(':')?;
        let (file, number) = place.rsplit_once(':')?;
        let level = if kind.contains("error") { "error" } else { "warning" };
        Some(self.diagnostic(file, (number.parse().ok()?, column.parse().ok()?), level, text, None))
    }

    fn diagnostic(
        &self,
        file: &str,
        (line, column): (usize, usize),
        level: &str,
        text: &str,
        code: Option<&str>,
    ) -> Found {
        let path = plain(&self.check.command.directory.join(file));
        let (path, range) = if file == STDIN || path == self.check.path {
            (self.check.path.clone(), self.lines.range(self.lines.word(line, column)))
        } else {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let lines = Lines::new(&text);
            let range = lines.range(lines.word(line, column));
            (path, range)
        };
        let severity = match level {
            "error" => 1,
            "warning" => 2,
            _ => 3,
        };
        let mut diagnostic =
            json!({ "range": range, "severity": severity, "source": "meridian", "message": text });
        if let Some(code) = code {
            diagnostic["code"] = code.into();
        }
        (path, diagnostic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_said_becomes_diagnostics() {
        let check = Check {
            path: "/p/a.upc".into(),
            language: Language::Upc,
            command: Command { words: Vec::new(), directory: "/p".into() },
            text: "int f(void) {\n    return größe;\n}\n".into(),
        };
        let log = json!({ "runs": [{ "results": [{
            "ruleId": "C0100", "level": "error", "message": { "text": "undeclared" },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": "<stdin>" }, "region": { "startLine": 2, "startColumn": 12 },
            }}],
        }]}]});
        let said = format!(
            "In file included from <stdin>:1:\n{log}\n<stdin>:1:5: warning: unused [-Wx]\n\
             meridian cc: error: no\n./q/../a.h:3:1: error: bad\n"
        );
        let found = read(&said, &check);
        let shown: Vec<String> = found
            .iter()
            .map(|(path, d)| format!("{} {} {}", path.display(), d["range"], d["severity"]))
            .collect();
        let at = |line: usize, from: usize, to: usize| {
            let [start, end] = [from, to].map(|column| json!({ "line": line, "character": column }));
            json!({ "start": start, "end": end })
        };
        assert_eq!(
            shown,
            [
                format!("/p/a.upc {} 1", at(1, 11, 16)),
                format!("/p/a.upc {} 2", at(0, 4, 5)),
                format!("/p/a.upc {} 1", at(0, 0, 3)),
                format!("/p/a.h {} 1", at(0, 0, 0)),
            ]
        );
    }
}
