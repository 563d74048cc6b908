//! Passes know no name of the runtime: they use `Primitive`s, and only lowering knows their names in C.

/// The names of inlined functions, which are the program's own with a number.
const INLINED: &str = "format!(\"mer_{}_{}\"";

#[test]
fn no_string_is_a_name_of_the_runtime() {
    let is_source = |path: &std::path::Path| path.extension().is_some_and(|extension| extension == "rs");
    let files = tests::walk(&tests::home().join("../crates/opt/src"), &is_source);
    assert!(files.len() > 50, "only {} files", files.len());
    let mut named = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        for (number, line) in text.lines().enumerate() {
            let is_name = ["\"mer_", "\"MER_", "\"&mer_"].iter().any(|start| line.contains(start));
            if is_name && !line.contains(INLINED) {
                named.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(named.is_empty(), "\n{}", named.join("\n"));
}
