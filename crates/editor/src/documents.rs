//! The files that clangd has from us: those that are open in the editor, and the headers of sources in a
//! dialect that contain words of it. clangd uses such a header as given here, not as on disk.

use crate::command::{self, Command};
use crate::rewrite::{Rewritten, rewrite};
use c_syntax::Language;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// A file.
pub struct Document {
    /// The address as the editor writes it; none if the file is not open there.
    pub address: Option<String>,
    /// The dialects of its words; empty for C, which clangd gets as it is.
    pub languages: Vec<Language>,
    /// A source, which can be checked by itself; otherwise a header.
    pub source: bool,
    /// The contents.
    pub text: String,
    /// The contents as C.
    pub rewritten: Rewritten,
    /// The number of the text, for clangd.
    pub version: i64,
    /// The options of its compilation.
    pub command: Command,
}

/// All files, by their paths.
#[derive(Default)]
pub struct Documents {
    /// The files.
    pub files: HashMap<PathBuf, Document>,
}

/// Returns the language of a source by its name, or by the headers of UPC in a file of C.
fn language_of(path: &Path, text: &str) -> Option<Language> {
    let suffix = path.extension()?.to_str()?;
    match Language::of_suffix(suffix)? {
        Language::C => includes(text).iter().any(|(name, _)| is_of_upc(name)).then_some(Language::Upc),
        dialect => Some(dialect),
    }
}

fn is_of_upc(header: &str) -> bool {
    ["upc.h", "upc_relaxed.h", "upc_strict.h"].contains(&header)
}

/// Returns the dialect of a header that no source is known to include: the first whose words it contains.
fn guess(text: &str) -> Vec<Language> {
    let dialects = [Language::Upc, Language::SplitC, Language::Ac];
    dialects.into_iter().find(|&dialect| !rewrite(text, &[dialect]).spans.is_empty()).into_iter().collect()
}

/// Returns the names in a text's `#include` lines, and whether they are in quotes.
fn includes(text: &str) -> Vec<(&str, bool)> {
    let name = |line| -> Option<(&str, bool)> {
        let line =
            str::trim_start(line).strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let quoted = line.starts_with('"');
        let rest = line.strip_prefix(['"', '<'])?;
        Some((&rest[..rest.find(['"', '>'])?], quoted))
    };
    text.lines().filter_map(name).collect()
}

impl Document {
    /// Makes a file that is open in the editor.
    pub fn new(path: &Path, address: String, text: String, known: &[Language]) -> Document {
        let language = language_of(path, &text);
        let header =
            language.is_none() && path.extension().is_some_and(|suffix| suffix == "h" || suffix == "upch");
        let languages = match language {
            Some(language) => vec![language],
            None if !known.is_empty() => known.to_vec(),
            None if header => guess(&text),
            None => Vec::new(),
        };
        let rewritten = rewrite(&text, &languages);
        let command = command::of(path);
        Document {
            address: Some(address),
            languages,
            source: language.is_some(),
            text,
            rewritten,
            version: 1,
            command,
        }
    }

    /// Makes a header that is not open.
    fn hidden(text: String, languages: Vec<Language>, command: Command) -> Document {
        let rewritten = rewrite(&text, &languages);
        Document { address: None, languages, source: false, text, rewritten, version: 1, command }
    }

    /// Replaces the text.
    pub fn set(&mut self, text: String) {
        self.rewritten = rewrite(&text, &self.languages);
        self.text = text;
        self.version += 1;
    }

    /// Whether clangd's text differs from the editor's, or may when more is typed.
    pub fn is_ours(&self) -> bool {
        !self.languages.is_empty()
    }

    /// Returns the command by which clangd reads the file.
    ///
    /// # Errors
    /// If `meridian cc` does not accept the options of the file.
    pub fn clang(&self, path: &Path) -> Result<Vec<String>, String> {
        let language = self.languages.first().copied().unwrap_or_default();
        let mut words: Vec<OsString> = self.command.words.iter().map(OsString::from).collect();
        words.extend(["-fsyntax-only", "-x", language.row().option].map(OsString::from));
        words.push(path.into());
        let options = driver::preprocessing(words).map_err(|failure| failure.0)?;
        let before = ["clang", "-xc"].map(String::from).into_iter();
        let options = options.iter().map(|word| word.to_string_lossy().into_owned());
        let after = QUIET.into_iter().chain(["-include", "meridian/clangd.h"]).map(String::from);
        Ok(before.chain(options).chain(after).chain([path.to_string_lossy().into_owned()]).collect())
    }
}

/// Options against warnings that follow from the rewriting.
const QUIET: [&str; 4] =
    ["-Wno-unused-value", "-Wno-unknown-pragmas", "-Wno-implicit-int", "-Wno-return-type"];

impl Documents {
    /// Finds the headers with words of the dialect that a source includes, and reads those that are not open
    /// from the disk. Returns the paths of those that clangd does not have, or has with another text.
    pub fn take_headers(&mut self, source: &Path) -> Vec<PathBuf> {
        let Some(document) = self.files.get(source) else { return Vec::new() };
        let (languages, command) = (document.languages.clone(), document.command.clone());
        let folders = document.clang(source).map(|words| folders(&words, &command.directory));
        let Ok(folders) = folders else { return Vec::new() };
        let (mut unread, mut seen, mut changed) = (vec![source.to_owned()], Vec::new(), Vec::new());
        while let Some(path) = unread.pop() {
            if seen.contains(&path) {
                continue;
            }
            let open = self.files.get(&path).filter(|d| d.address.is_some()).map(|d| d.text.clone());
            let Some(text) = open.or_else(|| std::fs::read_to_string(&path).ok()) else { continue };
            let own = path.parent().unwrap_or(Path::new("/"));
            for (name, quoted) in includes(&text) {
                let first = [own].into_iter().filter(|_| quoted);
                let places = first.chain(folders.iter().map(PathBuf::as_path));
                unread.extend(places.map(|place| plain(&place.join(name))).find(|path| path.is_file()));
            }
            if path != source && self.take_header(&path, text, &languages, &command) {
                changed.push(path.clone());
            }
            seen.push(path);
        }
        changed
    }

    /// Whether clangd must be given this header.
    fn take_header(&mut self, path: &Path, text: String, languages: &[Language], command: &Command) -> bool {
        match self.files.get_mut(path) {
            Some(header) => {
                let more: Vec<_> =
                    languages.iter().filter(|l| !header.languages.contains(l)).copied().collect();
                if header.source || (more.is_empty() && header.text == text) {
                    return false;
                }
                header.languages.extend(more);
                header.set(text);
                true
            }
            None if rewrite(&text, languages).spans.is_empty() => false,
            None => {
                let header = Document::hidden(text, languages.to_vec(), command.clone());
                self.files.insert(path.to_owned(), header);
                true
            }
        }
    }
}

/// Returns a path without `.` and `..`, as editors write it.
pub fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out
}

/// Returns the folders in which a command searches for headers, except the system's.
fn folders(words: &[String], directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if ["-I", "-iquote", "-isystem", "-idirafter"].contains(&word.as_str()) {
            found.extend(words.next().map(|folder| directory.join(folder)));
        } else if let Some(folder) = word.strip_prefix("-I") {
            found.push(directory.join(folder));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_or_a_header_tells_the_language() {
        let of = |name: &str, text| language_of(Path::new(name), text);
        assert_eq!(of("/a.sc", ""), Some(Language::SplitC));
        assert_eq!(of("/a.c", "int shared;"), None);
        assert_eq!(of("/a.c", "# include <upc.h>\n"), Some(Language::Upc));
        assert_eq!(of("/a.h", "#include <upc.h>\n"), None);
        assert_eq!(guess("extern double *spread rows;"), [Language::SplitC]);
        assert_eq!(guess("int f(void);"), []);
        assert_eq!(
            includes("#include \"a.h\"\n  # include <b/c.h> /* */\nint x;"),
            [("a.h", true), ("b/c.h", false)]
        );
    }
}
