//! Parts in other languages that are linked with a session's programs: they define the functions of
//! `@external`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The extensions of files that are linked as they are.
const LINKED: [&str; 3] = ["o", "a", "so"];
/// The extensions of files that are compiled first.
const COMPILED: [&str; 4] = ["c", "upc", "sc", "ac"];

/// Parts, each a file of the user's and the file that is linked for it.
#[derive(Clone, Default)]
pub struct Parts {
    files: Vec<(PathBuf, PathBuf)>,
    compiled: usize,
}

fn has_extension(file: &Path, of: &[&str]) -> bool {
    file.extension().is_some_and(|e| of.iter().any(|o| e == *o))
}

/// Returns whether a file is taken as Id source.
pub fn is_id(file: &Path) -> bool {
    !has_extension(file, &LINKED) && !has_extension(file, &COMPILED)
}

/// A file's name without its directory and its extension.
pub fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}

impl Parts {
    /// Adds a file, or replaces it. If the file has to be compiled, returns the command that compiles it into
    /// the directory.
    pub fn add(
        &mut self,
        file: &Path,
        directory: &Path,
        mut compiler: Command,
    ) -> Result<Option<Command>, String> {
        std::fs::File::open(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let own = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        self.files.retain(|(other, _)| *other != own);
        if has_extension(file, &LINKED) {
            self.files.push((own.clone(), own));
            return Ok(None);
        }
        self.compiled += 1;
        let object = directory.join(format!("{}-{}.o", stem(file), self.compiled));
        compiler.arg("-O2").arg("-c").arg(&own).arg("-o").arg(&object);
        self.files.push((own, object));
        Ok(Some(compiler))
    }

    /// The user's files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(file, _)| file.as_path())
    }

    /// The files that are linked.
    pub fn linked(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(_, linked)| linked.as_path())
    }
}
