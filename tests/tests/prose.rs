//! Comments and pages name the things that they are about. Two habits that make them hard to read are
//! counted here, for each folder: clauses with "what" in the place of a noun, and comments or paragraphs that
//! begin with a pronoun, which has nothing to stand for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tests::comments::{self, Comment};
use tests::paragraphs;

/// Clauses with "what" in 1,000 words, at most.
const MOST_CLAUSES: usize = 2;

/// Folders whose comments are counted, tests and examples included.
const ROOTS: [&str; 5] = ["crates", "runtime", "bench", "examples", "tests"];

/// Endings of the names of sources.
const SOURCES: [&str; 7] = ["rs", "c", "h", "pml", "upc", "sc", "ac"];

/// Words that refer to an earlier noun.
const PRONOUNS: [&str; 12] =
    ["It", "Its", "That", "Those", "They", "These", "Them", "So", "Such", "Of", "Likewise", "Else"];

/// Files whose comments are messages: a command prints them as its help.
const HELP: [&str; 1] = ["crates/bench/src/options.rs"];

/// The folder that a file counts for: `crates/opt/src/facts` for `crates`, `tests/upc/run` for `tests`,
/// `runtime/am` for the rest.
fn folder(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let depth = match parts[0] {
        "crates" => 4,
        "tests" => 3,
        _ => 2,
    };
    parts[..depth.min(parts.len() - 1)].join("/")
}

/// The comments of a file. The directives and marks of test programs (`//: `, `//~ `, `//= `, `//> `, `//! `)
/// are no prose, and are left out.
fn comments_of(name: &str, text: &str) -> Vec<Comment> {
    let mut found = comments::of(text);
    if !name.ends_with(".rs") {
        found.retain(|comment| comment.mark != "//!");
        for comment in &mut found {
            let prose = comment.text.lines().filter(|line| !line.starts_with([':', '~', '=', '>']));
            comment.text = prose.collect::<Vec<_>>().join("\n");
        }
    }
    found
}

fn begins_with_pronoun(comment: &Comment) -> bool {
    comment.words().next().is_some_and(|word| PRONOUNS.contains(&word))
}

/// The habits in the texts of some folders.
#[derive(Default)]
struct Habits {
    /// By folder: words, and clauses with "what" among them.
    folders: BTreeMap<String, (usize, usize)>,
    wrong: Vec<String>,
}

impl Habits {
    /// Adds the texts of a file.
    fn add(&mut self, file: &str, folder: String, texts: &[Comment]) {
        let (words, clauses) = self.folders.entry(folder).or_default();
        for text in texts {
            *words += text.words().count();
            *clauses += text.words().filter(|word| matches!(*word, "what" | "What" | "whatever")).count();
            // In Rust, line comments are mostly remarks within a function.
            let is_head = text.mark != "//" || !file.ends_with(".rs");
            if is_head && begins_with_pronoun(text) {
                let first = text.text.lines().next().unwrap_or_default();
                self.wrong.push(format!("{file}:{}: it begins with a pronoun: {first}", text.line));
            }
        }
    }

    /// Fails with all texts to rewrite.
    fn check(mut self) {
        for (folder, (words, clauses)) in &self.folders {
            if clauses * 1000 > words * MOST_CLAUSES && *clauses > 1 {
                self.wrong.push(format!("{folder}: {clauses} clauses with \"what\" in {words} words"));
            }
        }
        assert!(self.wrong.is_empty(), "{} texts to rewrite:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

fn root() -> PathBuf {
    tests::home().join("..").canonicalize().expect("the repository")
}

fn text_of(file: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(file).expect("a file of text")).into_owned()
}

#[test]
fn comments_name_things() {
    let is_source = |path: &Path| SOURCES.iter().any(|ending| path.extension().is_some_and(|e| e == *ending));
    let (root, mut habits) = (root(), Habits::default());
    for file in ROOTS.iter().flat_map(|of| tests::walk(&root.join(of), &is_source)) {
        let name = file.strip_prefix(&root).expect("a file of it").display().to_string();
        if name.contains("/target/") || HELP.contains(&name.as_str()) {
            continue;
        }
        habits.add(&name, folder(&name), &comments_of(&name, &text_of(&file)));
    }
    assert!(habits.folders.len() > 100, "{} folders", habits.folders.len());
    habits.check();
}

#[test]
fn pages_name_things() {
    let is_page = |path: &Path| path.extension().is_some_and(|e| e == "md");
    let (root, mut habits) = (root(), Habits::default());
    let top = std::fs::read_dir(&root).expect("the repository").map(|entry| entry.expect("an entry").path());
    let below =
        ["docs", "examples", "runtime", "tests"].iter().flat_map(|of| tests::walk(&root.join(of), &is_page));
    for file in top.filter(|path| is_page(path)).chain(below) {
        let name = file.strip_prefix(&root).expect("a file of it").display().to_string();
        habits.add(&name, format!("/{}", folder(&name)), &paragraphs::of(&text_of(&file)));
    }
    assert!(habits.folders.len() > 4, "{} folders", habits.folders.len());
    habits.check();
}

#[test]
fn comments_are_told_from_code_and_strings() {
    let text = "//! A file.\nlet a = \"// no comment\"; // one\n// of two lines\nlet b = '\"'; /* three\n * lines\n \
                */\nfn f<'a>(x: &'a str) {} /// It `is // what` so\nlet r = r#\"/* none\"#;\n";
    let found = comments::of(text);
    let said: Vec<(usize, &str, &str)> =
        found.iter().map(|of| (of.line, of.mark, of.text.as_str())).collect();
    let wanted = [
        (1, "//!", "A file."),
        (2, "//", "one\nof two lines"),
        (4, "/*", "three\nlines\n"),
        (7, "///", "It x so"),
    ];
    assert_eq!(said, wanted);
    assert!(begins_with_pronoun(&found[3]) && !begins_with_pronoun(&found[0]));
}

#[test]
fn paragraphs_are_told_from_code() {
    let page = "# A page\nIt has `what`\nlines.\n- one\n  item\n1. **It** is two\n\n    $ what\n\n```c\nwhat\n```\n\
                | a | row |\nmore\n";
    let found = paragraphs::of(page);
    let said: Vec<(usize, &str)> = found.iter().map(|of| (of.line, of.text.as_str())).collect();
    let wanted = [
        (1, "# A page"),
        (2, "It has x\nlines."),
        (4, "- one\nitem"),
        (6, "1. **It** is two"),
        (13, "| a | row |\nmore"),
    ];
    assert_eq!(said, wanted);
    let wrong: Vec<usize> = found.iter().filter(|of| begins_with_pronoun(of)).map(|of| of.line).collect();
    assert_eq!(wrong, [2, 6]);
}
