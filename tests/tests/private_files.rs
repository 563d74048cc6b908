//! No other user can read the files that Meridian makes for itself, with any umask: temporary directories
//! have mode 0700, and the parts of recordings and profiles 0600.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tests::process::{self, LONG, Outcome};
use tests::scratch::Scratch;

fn scratch(name: &str) -> Scratch {
    Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("private").join(name), LONG)
}

/// Writes an executable script into the directory.
fn script(directory: &Path, name: &str, text: &str) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

/// `sh -c` with no umask.
fn openly(directory: &Path, line: &str) -> Outcome {
    let mut command = Command::new("sh");
    tests::forget(&mut command, "MERIDIAN_");
    let temporary = directory.join("tmp");
    fs::create_dir_all(&temporary).unwrap();
    command.args(["-c", &format!("umask 0; {line}"), tests::meridian().to_str().unwrap()]);
    command.current_dir(directory).env("TMPDIR", &temporary);
    process::run(&mut command, None, LONG).expect("sh")
}

/// The modes that scripts have written down, one on each line.
fn modes(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(String::from).collect()
}

const PROGRAM: &str = "#include <upc.h>\n#include <stdlib.h>\nint main(void) { upc_barrier; return system(\"stat -c %a \
                       part.0 >>modes; true\"); }\n";

#[test]
fn the_compiler_works_in_a_directory_of_its_own() {
    let place = scratch("cc").file("p.upc", "int main(void) { return 0; }\n");
    let directory = place.directory();
    script(directory, "watching-cc", "stat -c %a tmp/meridian-* >>modes\nexec cc \"$@\"");
    let end = openly(directory, "\"$0\" cc --cc ./watching-cc p.upc -o p");
    assert_eq!(end.status, 0, "{}", end.report());
    let modes = modes(&directory.join("modes"));
    assert!(!modes.is_empty() && modes.iter().all(|mode| mode == "700"), "{modes:?}");
}

#[test]
fn a_session_of_id_works_in_a_directory_of_its_own() {
    let place = scratch("id");
    let directory = place.directory();
    let watch =
        format!("stat -c %a \"$TMPDIR\"/meridian-id-* >>'{}/modes'\nexec cc \"$@\"", directory.display());
    script(directory, "watching-cc", &watch);
    let end = openly(directory, "echo '1 + 2' | MERIDIAN_CC=$PWD/watching-cc \"$0\" id");
    let modes = modes(&directory.join("modes"));
    assert!(!modes.is_empty() && modes.iter().all(|mode| mode == "700"), "{modes:?} {}", end.report());
}

#[test]
fn parts_of_recordings_and_profiles_are_their_users_own() {
    let place = scratch("parts").file("p.upc", PROGRAM);
    let directory = place.directory();
    assert_eq!(openly(directory, "\"$0\" cc p.upc -o p").status, 0);
    for words in ["--profile=part -n 2", "--record part -H localhost:1,localhost:1"] {
        let end = openly(directory, &format!("\"$0\" run {words} ./p"));
        assert_eq!(end.status, 0, "{words}: {}", end.report());
    }
    let modes = modes(&directory.join("modes"));
    assert_eq!(modes.len(), 4, "each of two threads, twice: {modes:?}");
    assert!(modes.iter().all(|mode| mode == "600"), "{modes:?}");
}

/// A crate makes its directories by `base::scratch`.
#[test]
fn directories_are_made_in_one_way() {
    let crates = tests::home().join("../crates");
    let sources = tests::walk(&crates, &|path| path.extension().is_some_and(|ending| ending == "rs"));
    let mut found = Vec::new();
    for file in sources.iter().filter(|file| !file.ends_with("base/src/scratch.rs")) {
        let below = file.strip_prefix(&crates).unwrap();
        let is_test =
            below.components().any(|part| part.as_os_str() == "tests") || below.ends_with("tests.rs");
        let text = fs::read_to_string(file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        if !is_test
            && ["tempdir(", "tempdir_in(", "TempDir::new", "TempDir::with"]
                .iter()
                .any(|call| code.contains(call))
        {
            found.push(below.display().to_string());
        }
    }
    assert!(sources.len() > 100 && found.is_empty(), "use base::scratch: {found:?}");
}
