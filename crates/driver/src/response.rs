//! Response files: `@file` on the command line stands for the words in the file, as build systems write it if
//! a command would be too long.
//!
//! The words are split as gcc does it: blanks separate, both kinds of quotes hold a word together, a
//! backslash takes the next byte literally, and a word `@other` stands for another file.

use crate::Failure;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// The most files within files; more means a file that names itself.
const DEPTH: usize = 100;

/// Replaces each `@file` by its words. A word that names no file stays as it is.
pub fn expand(args: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let mut out = Vec::with_capacity(args.len());
    expand_into(&mut out, args, 0)?;
    Ok(out)
}

fn expand_into(out: &mut Vec<OsString>, args: Vec<OsString>, depth: usize) -> Result<(), Failure> {
    for arg in args {
        let file = match arg.as_bytes().strip_prefix(b"@") {
            Some(name) if Path::new(std::ffi::OsStr::from_bytes(name)).is_file() => {
                Path::new(std::ffi::OsStr::from_bytes(name)).to_owned()
            }
            _ => {
                out.push(arg);
                continue;
            }
        };
        if depth == DEPTH {
            return Err(format!("{}: this file of options names itself", file.display()).into());
        }
        let text = std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        expand_into(out, split(&text), depth + 1)?;
    }
    Ok(())
}

fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(b) = bytes.next() {
        match (b, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (_, Some(q)) if b == q => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(b),
            (b'"' | b'\'', None) => {
                quote = Some(b);
                word.get_or_insert_default();
            }
            _ if b.is_ascii_whitespace() => words.extend(word.take().map(OsString::from_vec)),
            _ => word.get_or_insert_default().push(b),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_gcc_does_it() {
        let words = split(b"-O2 \"-DA=a b\"\n'-DB=\\\"x\\\"' -DC=\\ y\t-I'/a dir'/b '' ");
        assert_eq!(words, ["-O2", "-DA=a b", "-DB=\"x\"", "-DC= y", "-I/a dir/b", ""]);
    }

    #[test]
    fn files_within_files_and_words_that_name_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("inner"), "-DX 'a b.c'").unwrap();
        std::fs::write(path("outer"), format!("-c @{} -o", path("inner").display())).unwrap();
        std::fs::write(path("self"), format!("@{}", path("self").display())).unwrap();
        let at = |name: &str| OsString::from(format!("@{}", path(name).display()));
        let words = expand(vec![at("outer"), at("none")]).unwrap();
        assert_eq!(words[..4], ["-c", "-DX", "a b.c", "-o"]);
        assert_eq!(words[4], at("none"));
        assert!(expand(vec![at("self")]).unwrap_err().0.contains("names itself"));
    }
}
