//! The modules of each crate use each other downwards only: siblings, each with all of its descendants, form
//! no circle. Parent and child may use each other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tests::modules::Modules;

/// The root files of all crates, by name.
fn crates() -> BTreeMap<String, PathBuf> {
    let home = tests::home().join("..").canonicalize().expect("the repository");
    let mut found = BTreeMap::from([("tests".to_owned(), home.join("tests/src/lib.rs"))]);
    for entry in std::fs::read_dir(home.join("crates")).expect("the crates") {
        let folder = entry.expect("a crate").path();
        let root =
            ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file)).into_iter().find(|f| f.exists());
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        found.extend(root.map(|root| (name, root)));
    }
    found
}

#[test]
fn no_modules_make_a_circle() {
    let mut wrong = Vec::new();
    for (name, root) in crates() {
        let modules = Modules::read(&root);
        let circles = modules.circles();
        for circle in circles {
            let ties = modules.ties(&circle);
            wrong.push(format!("{name}: {}\n    {}", circle.join(", "), ties.join("\n    ")));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A crate in a directory, of files with their texts.
fn crate_of(files: &[(&str, &str)]) -> (tempfile::TempDir, Modules) {
    let folder = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    let modules = Modules::read(&folder.path().join("lib.rs"));
    (folder, modules)
}

fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    crate_of(files).1.circles()
}

#[test]
fn circles_are_found() {
    let root = ("lib.rs", "mod a; mod b; pub use b::Thing;");
    let b = ("b.rs", "pub struct Thing; fn f() { super::a::g() }");
    let both = vec![vec!["a".to_owned(), "b".to_owned()]];
    // By a name that the root re-exports, by a path in the code, and in a macro.
    assert_eq!(circles_of(&[root, ("a.rs", "use crate::Thing; pub fn g() {}"), b]), both);
    assert_eq!(circles_of(&[root, ("a.rs", "pub fn g() { crate::b::f() }"), b]), both);
    assert_eq!(circles_of(&[root, ("a.rs", "pub fn g() { assert!(1 == crate::b::f()) }"), b]), both);
    // By another module's children.
    let a = ("a.rs", "mod deep; pub fn g() {}");
    assert_eq!(circles_of(&[root, a, ("a/deep.rs", "use crate::b::Thing;"), b]), both);
}

#[test]
fn what_is_no_circle_is_none() {
    let root = ("lib.rs", "mod a; mod b; pub struct Top;");
    // Parent and child, the root, and tests.
    let a =
        ("a.rs", "mod c; use c::C; use crate::Top; pub struct A; #[cfg(test)] mod tests { use crate::b; }");
    let files = [root, a, ("a/c.rs", "use super::A; pub struct C;"), ("b.rs", "use crate::a::A;")];
    assert_eq!(circles_of(&files), Vec::<Vec<String>>::new());
    let (_folder, modules) = crate_of(&files);
    assert_eq!(modules.count(), 4);
}
