//! Directories for files of a command's own. They hold sources, programs and what users type, in places where
//! every user may look; so nobody else may look into them, whatever the umask is.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::{Builder, TempDir};

/// A directory whose name begins like this, in the system's place for temporary files. It goes with the
/// value.
///
/// # Errors
/// When it cannot be made.
pub fn directory(prefix: &str) -> io::Result<TempDir> {
    directory_in(&std::env::temp_dir(), prefix)
}

/// The same, in another place.
///
/// # Errors
/// When it cannot be made.
pub fn directory_in(place: &Path, prefix: &str) -> io::Result<TempDir> {
    Builder::new().prefix(prefix).permissions(Permissions::from_mode(0o700)).tempdir_in(place)
}
