//! The clauses of the dialects against the tests that cover them.
//!
//! The lists in `clauses/` hold UPC's standard paragraph by paragraph, and the others form by form: a line
//! `# title` opens a group, and `6.4.2 p4 | Semantics | a summary` is a clause. A clause
//! that holds only a grammar rule, an introduction or an example has `-` in place of a kind that needs a
//! test. Test programs name clauses with `//: clause`, those in Id several at once with `%: clause`.

use crate::{directives, home, walk};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A dialect's table.
pub struct Table {
    /// The place of the lists, below `clauses/`: a file, or a directory of them.
    lists: &'static str,
    /// The place of the programs, and their extension; programs of `gdb/` and `bench/id90` with that
    /// extension count too.
    folder: &'static str,
    extension: &'static str,
    /// The page in `docs/`.
    pub page: &'static str,
    title: &'static str,
    /// An explanation of the clauses, for the page's head.
    about: &'static str,
}

/// All tables.
pub const TABLES: [Table; 4] = [
    Table {
        lists: "upc",
        folder: "upc",
        extension: "upc",
        page: "clauses-upc.md",
        title: "UPC 1.3: clauses against tests",
        about: "Paragraphs have the numbers of the standard's\ntext; a dash marks introductions, grammar rules and \
                examples.",
    },
    Table {
        lists: "split-c.txt",
        folder: "splitc",
        extension: "sc",
        page: "clauses-split-c.md",
        title: "Split-C: forms against tests",
        about: "Split-C has no standard: the list follows the\nlanguage summary and the library of \"Active \
                Messages: an Efficient Communication Architecture for\nMultiprocessors\", section 6.1, and published \
                programs.",
    },
    Table {
        lists: "ac.txt",
        folder: "ac",
        extension: "ac",
        page: "clauses-ac.md",
        title: "AC: forms against tests",
        about: "The list follows the sections of \"AC for the T3D\".",
    },
    Table {
        lists: "id90.txt",
        folder: "id",
        extension: "id",
        page: "clauses-id90.md",
        title: "Id90: forms against tests",
        about: "The reference manual of Id 90.1 (M91, CSG\nmemo 284-2) was not available. The source of each form is \
                in parentheses: NA90 is Nikhil and\nArvind, \"Id: a language with implicit parallelism\", 1990, \
                by section; P87, P88 and P89 are\nparticle-in-cell programs of these years, G is one of Gamteb; W the \
                encyclopaedia's article on Id;\nANP89 \"I-structures\", BNA91 \"M-structures\", ASA95 \"Semantics of \
                barriers\", T89 Traub on lenient\nevaluation; VE von Eicken's thesis, by section.",
    },
];

/// A paragraph of a standard, or a form of a language.
#[derive(Debug)]
pub struct Clause {
    /// Number and paragraph, as `6.4.2 p4`.
    pub name: String,
    /// `Constraints`, `Semantics`, `Syntax`, …; `-`: needs no test.
    pub kind: String,
    /// A summary of the paragraph.
    pub summary: String,
}

/// A file of `clauses/`.
#[derive(Debug)]
pub struct Part {
    /// Groups in order: title, paragraphs.
    pub groups: Vec<(String, Vec<Clause>)>,
}

/// Reads the lists, in the order of the files' names.
pub fn parts(table: &Table) -> Result<Vec<Part>, String> {
    let lists = home().join("clauses").join(table.lists);
    let files = match lists.is_file() {
        true => vec![lists],
        false => walk(&lists, &|path| path.extension().is_some_and(|e| e == "txt")),
    };
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

/// The tests that cover each clause, by the clause's name. Tests are named by their path below the dialect's
/// directory, those under the debugger by `gdb/`, and the Id programs of the benchmarks by `bench/id90/`.
pub fn coverage(table: &Table) -> Result<BTreeMap<String, Vec<String>>, String> {
    let wanted = |path: &Path| path.extension().is_some_and(|e| e == table.extension || e == "d");
    let mut covered: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let own = home().join(table.folder);
    let repository = home().join("..");
    for (root, below) in [
        (own.clone(), own.as_path()),
        (home().join("gdb"), home()),
        (repository.join("bench/id90"), repository.as_path()),
    ] {
        for test in walk(&root, &wanted) {
            let name = test.strip_prefix(below).unwrap_or(&test).display().to_string();
            let clauses = match table.extension {
                "id" => of_id(&test)?,
                _ => directives::Directives::read(&directives::head(&test))?.clauses,
            };
            for clause in clauses {
                covered.entry(clause).or_default().push(name.clone());
            }
        }
    }
    Ok(covered)
}

/// The clauses that an Id program names.
fn of_id(test: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(test).map_err(|error| format!("{}: {error}", test.display()))?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("%: clause "));
    Ok(lines.flat_map(|line| line.split(", ")).map(str::to_owned).collect())
}

/// The table, as its page in `docs/` has it. Returns an error that names the tests whose clause is in no
/// list.
pub fn page(table: &Table) -> Result<String, String> {
    let parts = parts(table)?;
    let mut covered = coverage(table)?;
    let mut body = String::new();
    let (mut wanted, mut gaps) = (0, Vec::new());
    for (title, clauses) in parts.iter().flat_map(|part| &part.groups) {
        let _ = write!(body, "\n## {title}\n\n| clause | kind | rule | tests |\n|---|---|---|---|\n");
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
        return Err(format!("tests name clauses that the lists in clauses/ do not have: {covered:#?}"));
    }
    Ok(opening(table, wanted, &gaps) + &body)
}

fn opening(table: &Table, wanted: usize, gaps: &[String]) -> String {
    let Table { lists, folder, title, about, .. } = table;
    let (list, covered) =
        (if gaps.is_empty() { "none".to_string() } else { gaps.join(", ") }, wanted - gaps.len());
    let files = if lists.ends_with(".txt") { lists.to_string() } else { format!("{lists}/*.txt") };
    let mark = if table.extension == "id" { "%:" } else { "//:" };
    format!(
        "# {title}\n\n\
         Generated from `tests/clauses/{files}` and the `{mark} clause` lines of the programs in `tests/{folder}` by\n\
         `MERIDIAN_BLESS=1 cargo test -p tests --test clauses`. {about}\n\n\
         {covered} of {wanted} have tests. Gaps: {list}.\n"
    )
}
