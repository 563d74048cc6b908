//! Shared by the tests of the whole tool: reading the directives at the head of a test program, running a
//! command with a bound on its time, reading the compiler's diagnostics, the standard's memory model, and the
//! table of its clauses. The tests themselves are in `tests/`; the programs that they compile are in `upc/`.

pub mod bugs;
pub mod clauses;
pub mod comments;
pub mod diagnostics;
pub mod differential;
pub mod directives;
pub mod faults;
pub mod memory_model;
pub mod modules;
pub mod mutation;
pub mod network_faults;
pub mod paragraphs;
pub mod process;
pub mod programs;
pub mod random;
pub mod sample;
pub mod scratch;
pub mod terminal;
pub mod trial;
pub mod world;

use crate::trial::{Ran, Skip};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory of this package, which holds `upc/` and `clauses/`.
pub fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The command under test: `$MERIDIAN`, or the one that `make` built. Always absolute, because the tests run
/// commands in directories of their own.
pub fn meridian() -> PathBuf {
    let named = std::env::var_os("MERIDIAN").map(PathBuf::from);
    let path = named.unwrap_or_else(|| home().join("../build/bin/meridian"));
    path.canonicalize().unwrap_or(path)
}

/// The runtime's table of conduits.
const TABLE: &str = include_str!("../../runtime/conduit/conduits.h");

/// The conduits of this kind (`COMPILED_IN`, `MODULE`) that a job may use without being told to.
fn conduits_of(kind: &'static str) -> impl Iterator<Item = &'static str> {
    let rows = TABLE.split(" X(").skip(1).filter(|row| !row.contains(" only_when_named,"));
    rows.filter_map(move |row| row.split_once(kind)).map(|(name, _)| name.trim_end_matches(", "))
}

/// The conduits that tests use; those that are compiled in come first.
pub fn conduits() -> Vec<&'static str> {
    conduits_of("COMPILED_IN").chain(conduits_of("MODULE")).collect()
}

/// Skips a test of a conduit that the command's programs do not have here.
pub fn has_conduit(conduit: &str) -> Ran {
    let module = meridian().with_file_name(format!("../lib/meridian/conduit-{conduit}.so"));
    if conduits_of("COMPILED_IN").any(|name| name == conduit) || module.exists() {
        return Ok(());
    }
    Err(Skip(format!("the conduit {conduit} is not built here (packaging/setup network)")))
}

/// Skips a test of encrypted jobs if the module for them is not built.
pub fn has_encryption() -> Ran {
    if meridian().with_file_name("../lib/meridian/encrypt-openssl.so").exists() {
        return Ok(());
    }
    Err(Skip("encryption is not built here (packaging/setup network)".into()))
}

/// Skips a test that needs commands that are not installed here.
pub fn has_commands(commands: &[&str]) -> Ran {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |command: &str| {
        Path::new(command).is_absolute() && Path::new(command).exists()
            || std::env::split_paths(&path).any(|directory| directory.join(command).exists())
    };
    match commands.iter().find(|command| !is_there(command)) {
        Some(missing) => Err(Skip(format!("{missing} is not installed here (packaging/setup test net)"))),
        None => Ok(()),
    }
}

/// `net/NAME.upc`, compiled into the directory.
pub fn net_program(name: &str, directory: &Path) -> PathBuf {
    let source = home().join("net").join(name).with_extension("upc");
    let out = directory.join(format!("net-{name}"));
    let status = Command::new(meridian()).arg("cc").arg(source).arg("-o").arg(&out).status();
    assert!(status.expect("meridian cc").success(), "{name}");
    out
}

/// The first of the texts that does not occur in the output after the one before it.
pub fn first_missing<'a>(output: &str, wanted: &'a [String]) -> Option<&'a String> {
    let mut rest = output;
    wanted.iter().find(|text| match rest.split_once(text.as_str()) {
        Some((_, behind)) => {
            rest = behind;
            false
        }
        None => true,
    })
}

/// Removes variables whose names begin with `beginning` from the command's environment, so that settings of
/// the user do not count.
pub fn forget(command: &mut Command, beginning: &str) {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with(beginning)) {
        command.env_remove(name);
    }
}

/// Every path under `root` for which `wanted` holds, sorted. A wanted directory is not entered.
pub fn walk(root: &Path, wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(directory) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if wanted(&path) {
                found.push(path);
            } else if path.is_dir() {
                open.push(path);
            }
        }
    }
    found.sort();
    found
}
