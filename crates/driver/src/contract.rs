//! Files and headers of another version of the contract (`base::contract`) than that of this command.
//!
//! Each compiled file refers to a symbol with its version in its name. Object files and shared libraries on
//! the command line are checked before the linker runs. For members of archives, and for Meridian's own
//! library, the linker finds the symbol undefined.

use base::contract::CONTRACT_TEXT;
use std::ffi::OsString;
use std::path::Path;

/// The beginning of the symbol; the version follows.
const SYMBOL: &str = "mer_contract_";

/// Returns an error for the linker if a file is compiled for another version. `named` returns the user's name
/// of a file.
pub fn refuse(words: &[OsString], named: &dyn Fn(&str) -> String) -> Option<String> {
    let files = words.iter().map(|word| word.to_string_lossy()).filter(|word| !word.starts_with('-'));
    let mut others = files.filter_map(|word| {
        let bytes = std::fs::read(&*word).ok().filter(|bytes| bytes.starts_with(b"\x7fELF"))?;
        let other = versions(&bytes).into_iter().find(|version| version != CONTRACT_TEXT)?;
        Some((named(&word), other))
    });
    let (file, version) = others.next()?;
    Some(other_file(&file, &version))
}

fn other_file(file: &str, version: &str) -> String {
    format!(
        "{file} is compiled for version {version} of Meridian's contract, but this is version \
         {CONTRACT_TEXT}: compile it again"
    )
}

/// Returns advice on undefined symbols of versions; `undefined` has lines of the linker and the names of the
/// symbols there, and `library` is Meridian's.
pub fn advice<'a>(undefined: impl Iterator<Item = (&'a str, &'a str)>, library: &Path) -> String {
    let missing: Vec<(&str, &str)> =
        undefined.filter_map(|(line, name)| Some((line, name.strip_prefix(SYMBOL)?))).collect();
    let text = match missing.iter().find(|(_, version)| *version != CONTRACT_TEXT) {
        Some((line, version)) => other_file(line.split(":(").next().unwrap_or("a file"), version),
        None if !missing.is_empty() => {
            let found = std::fs::read(library).map(|bytes| versions(&bytes)).unwrap_or_default();
            format!(
                "the library {} has version {} of Meridian's contract, but this command has version \
                 {CONTRACT_TEXT}: run `make` again, or `make install`",
                library.display(),
                found.first().map_or("0", String::as_str)
            )
        }
        None => return String::new(),
    };
    format!("meridian cc: error: {text}\n")
}

/// Returns the versions in the names of symbols of a file.
fn versions(bytes: &[u8]) -> Vec<String> {
    let symbol = [b"\0", SYMBOL.as_bytes()].concat();
    let starts = bytes.windows(symbol.len()).enumerate().filter(|(_, window)| *window == symbol);
    let named = starts.filter_map(|(at, _)| {
        let version = bytes.get(at + symbol.len()..)?.split(|byte| *byte == 0).next()?;
        std::str::from_utf8(version).ok().filter(|v| v.len() == CONTRACT_TEXT.len()).map(String::from)
    });
    named.collect()
}

/// Returns an error if the headers in a directory have another version.
pub fn check_headers(include: &Path) -> Option<String> {
    let text = std::fs::read_to_string(include.join("meridian/abi/contract.h")).unwrap_or_default();
    let stated = text.lines().find_map(|line| line.strip_prefix("#define MER_CONTRACT_NUMBER "));
    let version = stated.map_or("0", str::trim);
    (version != CONTRACT_TEXT).then(|| {
        format!(
            "the headers in {} have version {version} of Meridian's contract, but this command has version \
             {CONTRACT_TEXT}: run `make` again, or `make install`",
            include.display()
        )
    })
}
