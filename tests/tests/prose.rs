//! Comments name the things that they are about. Two habits that make them hard to read are counted here, for
//! each folder: clauses with "what" in the place of a noun, and comments that begin with a pronoun, which has
//! nothing to stand for.

use std::collections::BTreeMap;
use std::path::Path;
use tests::comments::{self, Comment};

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
const HELP: [&str; 3] =
    ["crates/bench/src/options.rs", "crates/launch/src/options.rs", "crates/sim/src/options.rs"];

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

#[test]
fn comments_name_things() {
    let root = tests::home().join("..").canonicalize().expect("the repository");
    let is_source = |path: &Path| SOURCES.iter().any(|ending| path.extension().is_some_and(|e| e == *ending));
    let (mut folders, mut wrong) = (BTreeMap::<String, (usize, usize)>::new(), Vec::new());
    for file in ROOTS.iter().flat_map(|of| tests::walk(&root.join(of), &is_source)) {
        let name = file.strip_prefix(&root).expect("a file of it").display().to_string();
        if name.contains("/target/") || HELP.contains(&name.as_str()) {
            continue;
        }
        let (words, clauses) = folders.entry(folder(&name)).or_default();
        let text = String::from_utf8_lossy(&std::fs::read(&file).expect("a source file")).into_owned();
        for comment in comments_of(&name, &text) {
            *words += comment.words().count();
            *clauses += comment.words().filter(|word| matches!(*word, "what" | "What" | "whatever")).count();
            // In Rust, line comments are mostly remarks within a function.
            let is_head = comment.mark != "//" || !name.ends_with(".rs");
            if is_head && begins_with_pronoun(&comment) {
                let first = comment.text.lines().next().unwrap_or_default();
                wrong.push(format!("{name}:{}: it begins with a pronoun: {first}", comment.line));
            }
        }
    }
    for (folder, (words, clauses)) in &folders {
        if clauses * 1000 > words * MOST_CLAUSES && *clauses > 1 {
            wrong.push(format!("{folder}: {clauses} clauses with \"what\" in {words} words"));
        }
    }
    assert!(folders.len() > 100, "{} folders", folders.len());
    assert!(wrong.is_empty(), "{} comments to rewrite:\n{}", wrong.len(), wrong.join("\n"));
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
