//! Paths of other programs.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Returns the program that a command of this name starts: a path if the name has a slash, else a file in a
/// directory of `PATH`. Returns `None` if there is none that can be executed.
pub fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|file| is_program(file));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_program(file))
}

/// Whether a file exists that somebody may execute.
fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn programs_are_found_by_name_and_by_path() {
        assert!(find("sh").is_some_and(|file| file.is_absolute()));
        assert_eq!(find("/bin/sh"), Some("/bin/sh".into()));
        for wrong in ["no-such-program", "/bin", "/etc/passwd", "", "."] {
            assert_eq!(find(wrong), None, "{wrong}");
        }
    }
}
