//! How a source is compiled: the options that stand beside it, in the words of `meridian cc`.
//!
//! They are looked for where clangd looks: in the folder of the source, and in those above, a
//! `compile_commands.json` (also in `build`) that has the source, or a `compile_flags.txt`, an option a line.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The options of a source, and the folder that relative paths in them begin at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Words of `meridian cc`, without the source and what is made of it.
    pub words: Vec<String>,
    /// Where the command is given.
    pub directory: PathBuf,
}

/// The options of a source.
pub fn of(source: &Path) -> Command {
    let folder = source.parent().unwrap_or(Path::new("/"));
    let found = folder.ancestors().find_map(|above| {
        let databases = [above.to_owned(), above.join("build")];
        databases.iter().find_map(|place| in_database(place, source)).or_else(|| in_flags(above))
    });
    found.unwrap_or_else(|| Command { words: Vec::new(), directory: folder.to_owned() })
}

fn in_flags(folder: &Path) -> Option<Command> {
    let text = std::fs::read_to_string(folder.join("compile_flags.txt")).ok()?;
    let words = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
    Some(Command { words, directory: folder.to_owned() })
}

fn in_database(folder: &Path, source: &Path) -> Option<Command> {
    let text = std::fs::read_to_string(folder.join("compile_commands.json")).ok()?;
    let database: Value = serde_json::from_str(&text).ok()?;
    database.as_array()?.iter().find_map(|entry| {
        let directory = folder.join(entry["directory"].as_str()?);
        let same = |word: &str| {
            let path = directory.join(word);
            path == source || path.canonicalize().is_ok_and(|path| path == source)
        };
        if !same(entry["file"].as_str()?) {
            return None;
        }
        let words = match &entry["arguments"] {
            Value::Array(words) => words.iter().filter_map(|w| w.as_str().map(str::to_owned)).collect(),
            _ => shlex::split(entry["command"].as_str()?)?,
        };
        Some(Command { words: options(words, same), directory })
    })
}

/// The options alone: without the compiler, the source, and where the object and the dependences go.
fn options(words: Vec<String>, is_source: impl Fn(&str) -> bool) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = words.into_iter().skip(1).skip_while(|word| word == "cc");
    while let Some(word) = words.next() {
        match word.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" | "-x" => drop(words.next()),
            "-c" | "-S" | "-E" | "--" | "-M" | "-MM" | "-MD" | "-MMD" | "-MP" => {}
            name if name.starts_with("-o") && !name.starts_with("-opt") => {}
            name if !name.starts_with('-') && is_source(name) => {}
            _ => out.push(word),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_reduced_to_its_options() {
        let words = "meridian cc -O2 -I inc -T 4 -DN=3 -c sub/x.upc -o x.o -MD -MF x.d";
        let words = words.split(' ').map(str::to_owned).collect();
        let found = options(words, |word| word == "sub/x.upc");
        assert_eq!(found, ["-O2", "-I", "inc", "-T", "4", "-DN=3"]);
    }
}
