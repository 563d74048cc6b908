//! The options with which a source is compiled, as arguments of `meridian cc`.
//!
//! They are searched for as clangd does: in the folder of the source and those above, in a
//! `compile_commands.json` (also in `build`) that lists the source, or a `compile_flags.txt`, an option a
//! line.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The options of a source, and the folder to which their paths are relative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Arguments of `meridian cc`, without the source and the output.
    pub words: Vec<String>,
    /// The working directory of the command.
    pub directory: PathBuf,
}

/// Returns the options of a source.
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

/// Returns the options alone: without the compiler, the source, and the paths of the object and the
/// dependences.
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
