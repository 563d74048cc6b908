//! Directories for files of a command's own. They contain sources, programs and the user's input, in places
//! that every user can list; so no other user may read them, whatever the umask is.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::{Builder, TempDir};

/// Makes a directory with this prefix in the system's place for temporary files. It is removed with the
/// value.
///
/// # Errors
/// If it cannot be made.
pub fn directory(prefix: &str) -> io::Result<TempDir> {
    directory_in(&std::env::temp_dir(), prefix)
}

/// Makes such a directory in another place.
///
/// # Errors
/// If it cannot be made.
pub fn directory_in(place: &Path, prefix: &str) -> io::Result<TempDir> {
    Builder::new().prefix(prefix).permissions(Permissions::from_mode(0o700)).tempdir_in(place)
}
