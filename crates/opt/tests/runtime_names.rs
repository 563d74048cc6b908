//! Passes know no name of the runtime: they use `Primitive`s, whose names in C lowering alone has.

use std::path::{Path, PathBuf};

/// The names that inlined functions get, which are the program's own with a number.
const INLINED: &str = "format!(\"mer_{}_{}\"";

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_string_is_a_name_of_the_runtime() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
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
