//! Deliberate faults in the C runtime, which show that its tests can fail.
//!
//! A file of `runtime/tests/faults` holds one fault: a description in words, and then
//!
//! ```text
//! file: sync/lock.c          the file of the runtime
//! suite: ctest test_lock     who must catch it
//! is:
//!     lines of that file, which stand there exactly once
//! becomes:
//!     the faulty lines
//! ```
//!
//! A suite is `ctest NAME`, or `ctest NAME of PROGRAM` if the test has another name than its program; or
//! `cargo TEST FILTER`, a test of the package `tests` with a filter, which compiles programs with the faulty
//! runtime.

use std::path::{Path, PathBuf};

/// A fault.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The name of its file.
    pub name: String,
    /// The fault in words.
    pub what: String,
    /// The file of the runtime, below `runtime/`.
    pub file: PathBuf,
    /// The suite that must catch it.
    pub suite: Suite,
    /// The right lines, and the faulty ones.
    is: String,
    becomes: String,
}

/// A suite of tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suite {
    /// A test of ctest, and the program to build for it.
    Ctest(String, String),
    /// A test file of the package `tests`, and a filter.
    Cargo(String, String),
}

/// The directory of the runtime.
pub fn runtime() -> PathBuf {
    crate::home().join("../runtime")
}

/// All faults, by name. An error names the file that cannot be read.
pub fn all() -> Result<Vec<Fault>, String> {
    let files = crate::walk(&runtime().join("tests/faults"), &|path| path.is_file());
    files.iter().map(|file| read(file)).collect()
}

fn read(path: &Path) -> Result<Fault, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    parse(&name, &text).ok_or_else(|| format!("{name}: want words, `file:`, `suite:`, `is:` and `becomes:`"))
}

fn parse(name: &str, text: &str) -> Option<Fault> {
    let (head, code) = text.split_once("\nis:\n")?;
    let (is, becomes) = code.split_once("becomes:\n")?;
    let (what, head) = head.split_once("\nfile:")?;
    let (file, suite) = head.split_once("\nsuite:")?;
    let words: Vec<&str> = suite.split_whitespace().collect();
    let suite = match words.as_slice() {
        ["ctest", test] => Suite::Ctest(test.to_string(), test.to_string()),
        ["ctest", test, "of", program] => Suite::Ctest(test.to_string(), program.to_string()),
        ["cargo", test, filter @ ..] => Suite::Cargo(test.to_string(), filter.join(" ")),
        _ => return None,
    };
    let what = what.split_whitespace().collect::<Vec<_>>().join(" ");
    let (is, becomes) = (is.to_string(), becomes.to_string());
    Some(Fault { name: name.into(), what, file: file.trim().into(), suite, is, becomes })
}

impl Fault {
    /// The faulty text of a file. Returns an error if the right lines do not stand there exactly once: the
    /// runtime has changed, and the fault has to follow.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        match text.matches(&self.is).count() {
            _ if self.is.trim().is_empty() => Err(format!("{}: no lines after `is:`", self.name)),
            1 if self.is != self.becomes => Ok(text.replacen(&self.is, &self.becomes, 1)),
            1 => Err(format!("{}: changes nothing", self.name)),
            count => Err(format!(
                "{}: its lines stand {count} times in runtime/{}, not once; the fault has to follow the runtime",
                self.name,
                self.file.display()
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "What is\nwrong.\n\nfile: a/b.c\nsuite: ctest x_2 of x\nis:\n    one();\nbecomes:\n    two();\n";

    #[test]
    fn a_fault_is_read_and_applied_where_its_lines_stand_once() {
        let fault = parse("f", TEXT).unwrap();
        assert_eq!((fault.what.as_str(), fault.file.as_path()), ("What is wrong.", Path::new("a/b.c")));
        assert_eq!(fault.suite, Suite::Ctest("x_2".into(), "x".into()));
        assert_eq!(fault.apply("{\n    one();\n}\n").unwrap(), "{\n    two();\n}\n");
        assert!(fault.apply("    one();\n    one();\n").unwrap_err().contains("2 times in runtime/a/b.c"));
        assert!(fault.apply("gone").is_err());
        assert!(parse("f", &TEXT.replace("suite: ctest", "suite: other")).is_none());
        let same = parse("f", &TEXT.replace("two", "one")).unwrap();
        assert!(same.apply("    one();\n").unwrap_err().contains("changes nothing"));
    }
}
