//! The standard's clauses against the tests that cover them.
//!
//! `clauses/*.txt` lists the paragraphs of the standard in order: a line `# title` opens a group, and
//! `6.4.2 p4 | Semantics | what it says, in our words` is a paragraph. A paragraph that holds only a grammar
//! rule, an introduction or an example marks itself `-` in place of a kind that needs a test. Test programs
//! name paragraphs with `//: clause`.

use crate::{directives, home, walk};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A paragraph of the standard.
#[derive(Debug)]
pub struct Clause {
    /// Number and paragraph, as `6.4.2 p4`.
    pub name: String,
    /// `Constraints`, `Semantics`, `Syntax`, …; `-`: needs no test.
    pub kind: String,
    /// What it says.
    pub summary: String,
}

/// A file of `clauses/`.
#[derive(Debug)]
pub struct Part {
    /// Groups in order: title, paragraphs.
    pub groups: Vec<(String, Vec<Clause>)>,
}

/// Reads the lists, in the order of the files' names.
pub fn parts() -> Result<Vec<Part>, String> {
    let files = walk(&home().join("clauses"), &|path| path.extension().is_some_and(|e| e == "txt"));
    files.iter().map(|path| part(path)).collect()
}

fn part(path: &Path) -> Result<Part, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut groups: Vec<(String, Vec<Clause>)> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if let Some(title) = line.strip_prefix("# ") {
            groups.push((title.to_string(), Vec::new()));
            continue;
        }
        let fields: Vec<&str> = line.splitn(3, '|').map(str::trim).collect();
        let (&[name, kind, summary], Some(group)) = (fields.as_slice(), groups.last_mut()) else {
            return Err(format!("{}:{}: want `name | kind | summary`", path.display(), index + 1));
        };
        group.1.push(Clause { name: name.into(), kind: kind.into(), summary: summary.into() });
    }
    Ok(Part { groups })
}

/// Which tests cover which clause, by the clause's name. Tests are named by their path under `upc/`.
pub fn coverage() -> Result<BTreeMap<String, Vec<String>>, String> {
    let root = home().join("upc");
    let tests = walk(&root, &|path| path.extension().is_some_and(|e| e == "upc" || e == "d"));
    let mut covered: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for test in &tests {
        let name = test.strip_prefix(&root).unwrap_or(test).display().to_string();
        for clause in directives::Directives::read(&directives::head(test))?.clauses {
            covered.entry(clause).or_default().push(name.clone());
        }
    }
    Ok(covered)
}

/// The table, as `docs/clauses-upc.md` holds it. An error names the tests whose clause is in no list.
pub fn table() -> Result<String, String> {
    let parts = parts()?;
    let mut covered = coverage()?;
    let mut body = String::new();
    let (mut wanted, mut gaps) = (0, Vec::new());
    for (title, clauses) in parts.iter().flat_map(|part| &part.groups) {
        let _ = write!(body, "\n## {title}\n\n| clause | | what it says | tests |\n|---|---|---|---|\n");
        for clause in clauses {
            let tests = covered.remove(&clause.name).unwrap_or_default();
            let needs = clause.kind != "-";
            wanted += usize::from(needs);
            let cell = match (tests.is_empty(), needs) {
                (true, true) => {
                    gaps.push(clause.name.clone());
                    "**gap**".to_string()
                }
                (true, false) => "—".to_string(),
                (false, _) => tests.iter().map(|test| format!("`{test}`")).collect::<Vec<_>>().join(", "),
            };
            let _ = writeln!(body, "| {} | {} | {} | {cell} |", clause.name, clause.kind, clause.summary);
        }
    }
    if !covered.is_empty() {
        return Err(format!("tests name clauses that clauses/*.txt does not list: {covered:#?}"));
    }
    Ok(opening(wanted, &gaps) + &body)
}

fn opening(wanted: usize, gaps: &[String]) -> String {
    let list = if gaps.is_empty() { "none".to_string() } else { gaps.join(", ") };
    format!(
        "# UPC 1.3: clauses against tests\n\n\
         Generated from `tests/clauses/*.txt` and the `//: clause` lines of the programs in `tests/upc` by\n\
         `MERIDIAN_BLESS=1 cargo test -p tests --test clauses`. Paragraphs are numbered as the standard's\n\
         text numbers them; a dash marks those that only introduce, give grammar or an example.\n\n\
         {} of {wanted} paragraphs have tests. Gaps: {list}.\n",
        wanted - gaps.len()
    )
}
