//! Parts of Meridian of another version of the contract (`runtime/include/meridian/abi/contract.h`) are
//! refused: an object file, a library, headers, Meridian's own library, a launcher, an agent, another
//! host's program.
//!
//! The parts are made from those that are there, by another version in the place of each one in their bytes.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use base::contract::{CONTRACT, CONTRACT_TEXT};
use tempfile::TempDir;
use tests::process::{self, LONG, Outcome};
use tests::scratch::copy_program;

const OTHER: u32 = !CONTRACT;

fn other() -> String {
    format!("{OTHER:08x}")
}

/// Replaces all occurrences. Returns their number.
fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) -> usize {
    let found = |bytes: &[u8]| bytes.windows(from.len()).position(|window| window == from);
    let (mut at, mut count) = (0, 0);
    while let Some(next) = found(&bytes[at..]) {
        bytes[at + next..][..to.len()].copy_from_slice(to);
        at += next + to.len();
        count += 1;
    }
    count
}

/// The forms in which a file states its version.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// In the names of symbols, and in texts.
    Text,
    /// As a number, in records and code.
    Number,
}

/// Makes a copy of a file with another version in the place of all of these forms.
fn patch(from: &Path, to: &Path, forms: &[Form]) {
    let mut bytes = fs::read(from).expect("a file to be changed");
    for form in forms {
        let count = match form {
            Form::Text => replace(&mut bytes, CONTRACT_TEXT.as_bytes(), other().as_bytes()),
            Form::Number => replace(&mut bytes, &CONTRACT.to_le_bytes(), &OTHER.to_le_bytes()),
        };
        assert!(count > 0, "{} states no version", from.display());
    }
    fs::write(to, bytes).expect("a changed file");
    fs::set_permissions(to, fs::Permissions::from_mode(0o755)).expect("permissions");
}

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().expect("a directory"));
        let write = |name: &str, text: &str| fs::write(place.path(name), text).expect("a source");
        write(
            "one.upc",
            "shared int a[THREADS];\nint two(void);\nint main(void) { a[MYTHREAD] = two(); return a[MYTHREAD]; }\n",
        );
        write("two.upc", "shared int b[THREADS];\nint two(void) { return b[MYTHREAD]; }\n");
        write("three.id", "def f x = x + 1;\nprint_int (f 2);\n");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, program: &Path, words: &[&str]) -> Outcome {
        let mut command = Command::new(program);
        tests::forget(&mut command, "MERIDIAN_");
        command.args(words).current_dir(&self.0);
        process::run(&mut command, None, LONG).expect("a command")
    }

    /// `meridian cc` with these words.
    fn cc(&self, words: &[&str]) -> Outcome {
        self.run(&tests::meridian(), &[&["cc"], words].concat())
    }

    fn compile(&self, words: &[&str]) {
        let end = self.cc(words);
        assert_eq!((end.status, end.stderr.as_str()), (0, ""), "{}", end.report());
    }

    fn patch(&self, from: &str, to: &str, forms: &[Form]) {
        patch(&self.path(from), &self.path(to), forms);
    }

    /// `meridian run` with these words.
    fn meridian_run(&self, words: &[&str]) -> Outcome {
        self.run(&tests::meridian(), &[&["run"], words].concat())
    }

    /// A program of `one.upc` and `two.upc`.
    fn program(&self) -> PathBuf {
        self.compile(&["one.upc", "two.upc", "-o", "program"]);
        self.path("program")
    }

    /// An installation in which this file, and no other, has another version.
    fn installation(&self, other_file: &str) -> PathBuf {
        let own = tests::meridian().canonicalize().expect("meridian");
        let (from, to) = (own.parent().unwrap().parent().unwrap(), self.path("installation"));
        for directory in ["bin", "lib", "include/meridian/abi"] {
            fs::create_dir_all(to.join(directory)).expect("a directory");
        }
        for directory in ["lib", "include", "include/meridian", "include/meridian/abi"] {
            for entry in fs::read_dir(from.join(directory)).expect("an installation") {
                let name = entry.expect("an entry").file_name();
                let link = to.join(directory).join(&name);
                if !link.exists() {
                    symlink(from.join(directory).join(&name), link).expect("a link");
                }
            }
        }
        copy_program(&own, &to.join("bin/meridian"));
        let forms: &[Form] =
            if other_file.ends_with(".a") { &[Form::Text, Form::Number] } else { &[Form::Text] };
        let _ = fs::remove_file(to.join(other_file));
        patch(&from.join(other_file), &to.join(other_file), forms);
        to.join("bin/meridian")
    }
}

/// The command has been refused with one message, which has both versions and all of these words.
fn refused(end: &Outcome, words: &[&str]) {
    let said = &end.stderr;
    assert!(end.status != 0 && end.stdout.is_empty(), "{}", end.report());
    for word in words.iter().copied().chain([CONTRACT_TEXT, &other()]) {
        assert!(said.contains(word), "{word} in\n{}", end.report());
    }
    let messages = said.lines().filter(|line| line.starts_with("meridian"));
    assert_eq!(messages.count(), 1, "{}", end.report());
}

#[test]
fn a_program_of_one_version_runs() {
    let place = Place::new();
    place.program();
    let end = place.meridian_run(&["-n", "2", "./program"]);
    assert_eq!((end.status, end.stderr.as_str()), (0, ""), "{}", end.report());
}

#[test]
fn an_object_file_is_not_linked() {
    let place = Place::new();
    place.compile(&["-c", "two.upc", "-o", "own.o"]);
    place.patch("own.o", "two.o", &[Form::Text]);
    refused(
        &place.cc(&["one.upc", "two.o", "-o", "program"]),
        &["two.o is compiled for version", "compile it again"],
    );
    assert!(!place.path("program").exists());
}

#[test]
fn a_member_of_an_archive_is_not_linked() {
    let place = Place::new();
    place.compile(&["-c", "two.upc", "-o", "own.o"]);
    place.patch("own.o", "two.o", &[Form::Text]);
    let end = place.run(Path::new("ar"), &["rc", "libtwo.a", "two.o"]);
    assert_eq!(end.status, 0, "{}", end.report());
    refused(
        &place.cc(&["one.upc", "-L.", "-ltwo", "-o", "program"]),
        &["libtwo.a", "two.o", "compile it again"],
    );
}

#[test]
fn an_object_file_of_id_is_not_linked() {
    let place = Place::new();
    place.compile(&["-c", "three.id", "-o", "own.o"]);
    place.patch("own.o", "three.o", &[Form::Text]);
    refused(&place.cc(&["three.o", "-o", "program"]), &["three.o is compiled for version"]);
}

/// A linker that does not compare symbols, or a file that was changed, is found at start by the record.
#[test]
fn the_record_of_a_file_is_compared_at_start() {
    let place = Place::new();
    for (source, object, more) in [("two.upc", "two.o", &["one.upc"][..]), ("three.id", "three.o", &[])] {
        place.compile(&["-c", source, "-o", "own.o"]);
        place.patch("own.o", object, &[Form::Number]);
        place.compile(&[more, &[object, "-o", "program"]].concat());
        let end = place.run(&place.path("program"), &[]);
        refused(&end, &[&format!("{source} was compiled for version"), "compile it again"]);
        if !more.is_empty() {
            refused(&place.meridian_run(&["-n", "2", "./program"]), &[source]);
        }
    }
}

#[test]
fn a_shared_library_is_refused_at_start() {
    let place = Place::new();
    place.compile(&["-shared", "-fPIC", "two.upc", "-o", "libtwo.so"]);
    place.compile(&["one.upc", "-L.", "-ltwo", "-Wl,-rpath,$ORIGIN", "-o", "program"]);
    place.patch("libtwo.so", "libtwo.so", &[Form::Text, Form::Number]);
    refused(
        &place.meridian_run(&["-n", "2", "./program"]),
        &["the library ", "libtwo.so", "compile the library again"],
    );
    refused(&place.cc(&["one.upc", "./libtwo.so", "-o", "program"]), &["libtwo.so is compiled for version"]);
}

#[test]
fn headers_and_runtime_of_another_version_are_refused_by_the_compiler() {
    for (file, words) in [
        ("include/meridian/abi/contract.h", ["the headers in ", "installation/include"]),
        ("lib/libmeridian.a", ["the library ", "installation/lib/libmeridian.a"]),
    ] {
        let place = Place::new();
        let meridian = place.installation(file);
        let end = place.run(&meridian, &["cc", "one.upc", "two.upc", "-o", "program"]);
        refused(&end, &[&words[..], &["or `make install`"]].concat());
    }
}

#[test]
fn a_launcher_is_refused() {
    let place = Place::new();
    place.program();
    patch(&tests::meridian(), &place.path("launcher"), &[Form::Text]);
    for words in [&["run", "-n", "3", "./program"][..], &["run", "-n", "1", "./program"]] {
        let end = place.run(&place.path("launcher"), words);
        refused(&end, &["the launcher ", "/launcher has version", "compile and link it again"]);
    }
    let end = place.meridian_run(&["-n", "2", "sh", "-c", "unset MERIDIAN_CONTRACT; exec ./program"]);
    let once = end.stderr.contains("has version 0 of") && end.stderr.lines().count() == 1;
    assert!(end.status != 0 && once, "{}", end.report());
}

#[test]
fn a_program_of_another_installation_is_refused() {
    let place = Place::new();
    place.program();
    place.patch("program", "changed", &[Form::Text, Form::Number]);
    let words = ["`./changed` is compiled for version", "compile it again"];
    refused(&place.meridian_run(&["-n", "2", "./changed"]), &words);
    refused(&place.meridian_run(&["-H", "localhost:1,localhost:1", "./changed"]), &words);
}

#[test]
fn an_agent_is_refused() {
    let place = Place::new();
    place.program();
    patch(&tests::meridian(), &place.path("agent"), &[Form::Text, Form::Number]);
    let script = "#!/bin/sh\nshift\neval \"set -- $*\"\nshift\nexec ./agent \"$@\"\n";
    fs::write(place.path("reach"), script).expect("a script");
    fs::set_permissions(place.path("reach"), fs::Permissions::from_mode(0o755)).expect("permissions");
    let end = place.meridian_run(&["-H", "localhost:1,node7:1", "--ssh", "./reach", "./program"]);
    refused(&end, &["host node7: ", "install the same build on all hosts"]);
}

/// Host 1 runs a program of another version, as if its own launcher had started it.
#[test]
fn a_program_of_another_host_is_refused() {
    let place = Place::new();
    place.program();
    place.patch("program", "changed", &[Form::Text, Form::Number]);
    let script = format!(
        "[ $MERIDIAN_HOST = 0 ] && exec ./program; export MERIDIAN_CONTRACT={}; exec ./changed",
        other()
    );
    let end = place.meridian_run(&["-H", "localhost:2,localhost:1", "sh", "-c", &script]);
    refused(&end, &["the program on host ", "copy the program"]);
}

/// Thread 1 runs a program of another version, as if its own launcher had started it.
#[test]
fn a_program_of_another_thread_is_refused() {
    let place = Place::new();
    place.program();
    place.patch("program", "changed", &[Form::Text, Form::Number]);
    let script = format!(
        "[ $MERIDIAN_THREAD = 0 ] && exec ./program; export MERIDIAN_CONTRACT={}; exec ./changed",
        other()
    );
    let end = place.meridian_run(&["-n", "2", "sh", "-c", &script]);
    refused(&end, &["another thread on host ", "run the same program on all threads"]);
}

/// `runtime/gdb/meridian.py` computes addresses without the headers.
#[test]
fn the_debuggers_script_has_the_numbers_of_the_contract() {
    let script = fs::read_to_string(tests::home().join("../runtime/gdb/meridian.py")).expect("the script");
    for line in [
        format!("VIEW_BASE = {:#x}", base::contract::VIEW_BASE),
        format!("HEAP_OFFSET = 1 << {}", base::contract::HEAP_OFFSET.ilog2()),
        format!("ADDRESS_MASK = (1 << {}) - 1", base::contract::THREAD_SHIFT),
    ] {
        assert!(script.lines().any(|l| l == line), "{line}");
    }
    assert_eq!(base::contract::ADDR_MASK, (1 << base::contract::THREAD_SHIFT) - 1);
}

#[test]
fn the_runtime_checks_each_layout() {
    let runtime = tests::home().join("../runtime");
    let is_c = |path: &Path| path.extension().is_some_and(|extension| extension == "c" || extension == "h");
    let files = tests::walk(&runtime, &is_c);
    let text: String = files.iter().map(|file| fs::read_to_string(file).expect("a source")).collect();
    let header = fs::read_to_string(runtime.join("include/meridian/abi/contract.h")).expect("the contract");
    let layouts: Vec<&str> = header
        .lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split('(').next())
        .filter(|name| name.starts_with("MER_LAYOUT_"))
        .collect();
    assert!(layouts.len() > 15, "{layouts:?}");
    for layout in layouts {
        assert!(text.contains(&format!(", {layout});")), "no struct is checked against {layout}");
    }
}
