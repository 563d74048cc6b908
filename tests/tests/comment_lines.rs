//! Lines of comments keep to the line limits that rustfmt.toml and .clang-format set. Those tools break lines
//! of code, and leave comments as they are.

use std::path::Path;

/// The number after a name in a configuration file.
fn limit(file: &str, name: &str) -> usize {
    let text = std::fs::read_to_string(tests::home().join("..").join(file)).expect(file);
    let line = text.lines().find(|line| line.starts_with(name)).expect(name);
    line.rsplit([' ', '=', ':']).next().and_then(|number| number.trim().parse().ok()).expect("a number")
}

/// Returns true for lines of comments, except directives and marks of test programs, which cannot be broken.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    let directive = ["//:", "//~", "//=", "//>"].iter().any(|start| line.starts_with(start));
    !directive && ["//", "/*", "* "].iter().any(|start| line.starts_with(start))
}

/// A long word alone on its line cannot be broken either.
fn can_be_broken(line: &str) -> bool {
    line.trim_start().trim_start_matches(['/', '*', '!', ' ']).contains(' ')
}

fn too_long(folder: &Path, endings: &[&str], limit: usize) -> Vec<String> {
    let wanted = |path: &Path| path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending));
    let mut found = Vec::new();
    for file in tests::walk(folder, &wanted) {
        let bytes = std::fs::read(&file).expect("a source file");
        for (number, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            if line.chars().count() > limit && is_comment(line) && can_be_broken(line) {
                found.push(format!("{}:{}: {} columns", file.display(), number + 1, line.chars().count()));
            }
        }
    }
    found
}

#[test]
fn comments_keep_to_the_line_limits() {
    let root = tests::home().join("..").canonicalize().expect("the repository");
    let rust = limit("rustfmt.toml", "max_width");
    let c = limit(".clang-format", "ColumnLimit");
    let mut found = Vec::new();
    for folder in ["crates", "tests", "runtime", "examples", "bench"] {
        found.extend(too_long(&root.join(folder), &["rs"], rust));
        found.extend(too_long(&root.join(folder), &["c", "h", "upc", "sc", "ac", "inc", "pml"], c));
    }
    assert!(found.is_empty(), "comments go over the line limit:\n{}", found.join("\n"));
}

#[test]
fn a_comment_is_told_from_code_and_directives() {
    assert!(is_comment("    /// a comment") && is_comment(" * of C") && is_comment("/* so too"));
    assert!(
        !is_comment("//: expect-err text") && !is_comment("int *p; // behind code") && !is_comment("*p = 1;")
    );
    assert!(can_be_broken("// two words") && !can_be_broken("// https://example.org/a/long/address"));
}
