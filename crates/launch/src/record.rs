//! `--record`: the file of a recording, to which the threads of a job append (`runtime/base/record.c`); and
//! `--profile`, for which every thread writes a file of its own.
//!
//! The threads of one host append to one file. Appending is not safe on files that several hosts share, so in
//! a job on several hosts each thread writes a file of its own, FILE.THREAD, and the launcher concatenates
//! them after the job has ended. A recording is a header, which thread 0 writes, followed by blocks in any
//! order.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::error::{Error, explain};

fn cannot(what: &str, file: &Path, error: &io::Error) -> String {
    format!("cannot {what} {}: {}", file.display(), explain(error))
}

/// Empties the file, and passes its absolute path to the threads in the variable. Returns the path.
fn empty(file: &Path, variable: &str) -> Result<PathBuf, String> {
    File::create(file).map_err(|error| cannot("write", file, &error))?;
    let path = std::path::absolute(file).map_err(|error| cannot("write", file, &error))?;
    // SAFETY: the launcher has no other thread yet, which could read the environment meanwhile.
    unsafe { std::env::set_var(variable, &path) };
    Ok(path)
}

/// Returns the name of a thread's part of the file.
fn part(file: &Path, thread: usize) -> PathBuf {
    let mut name = file.as_os_str().to_os_string();
    name.push(format!(".{thread}"));
    name.into()
}

/// Makes the file. With `parts` threads on several hosts, removes the parts of an earlier recording.
///
/// # Errors
/// If the file cannot be written.
pub fn make(file: &Path, parts: Option<usize>) -> Result<(), Error> {
    let path = empty(file, "MERIDIAN_RECORD").map_err(Error::Record)?;
    for thread in 0..parts.unwrap_or(0) {
        let part = part(&path, thread);
        match fs::remove_file(&part) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::Record(cannot("remove", &part, &error)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Concatenates the parts of this many threads, and removes them.
///
/// # Errors
/// If parts are missing, which the message names, or a file cannot be read or written. The parts then stay.
pub fn gather(file: &Path, threads: usize) -> Result<(), Error> {
    let missing: Vec<String> = (0..threads)
        .filter(|&thread| !part(file, thread).is_file())
        .map(|thread| thread.to_string())
        .collect();
    if !missing.is_empty() {
        return Err(Error::Record(format!(
            "the parts of thread {} are missing: let the hosts share the directory of {}, or copy the parts \
             from the other hosts, and append all parts to this file, the part of thread 0 first",
            missing.join(", "),
            file.display()
        )));
    }
    let failed = |what: &str, file: &Path, error: &io::Error| Error::Record(cannot(what, file, error));
    let mut whole = File::create(file).map_err(|error| failed("write", file, &error))?;
    for thread in 0..threads {
        let part = part(file, thread);
        let mut from = File::open(&part).map_err(|error| failed("read", &part, &error))?;
        io::copy(&mut from, &mut whole).map_err(|error| failed("write", file, &error))?;
    }
    for thread in 0..threads {
        let part = part(file, thread);
        fs::remove_file(&part).map_err(|error| failed("remove", &part, &error))?;
    }
    Ok(())
}

/// Prepares `--profile`: checks that the file can be written, removes parts of an earlier profile, and has
/// each of the `threads` threads write its own part next to the file (`runtime/base/profile.c`).
///
/// # Errors
/// If the file cannot be written, or keeps nothing, as devices do.
pub fn make_profile(file: &Path, threads: usize) -> Result<(), Error> {
    let path = empty(file, "MERIDIAN_PROFILE_LINES").map_err(Error::Profile)?;
    if !path.is_file() {
        let why = format!("{} is a device or a pipe; name a file for the profile", file.display());
        return Err(Error::Profile(why));
    }
    remove_parts(&path, threads);
    Ok(())
}

fn remove_parts(file: &Path, threads: usize) {
    for thread in 0..threads {
        let _ = fs::remove_file(part(file, thread));
    }
}

/// Concatenates the parts that threads have written into the file, and removes them. A thread that has died
/// has written none, and its part may be empty.
///
/// # Errors
/// If a file cannot be read or written. The profile is then removed.
pub fn gather_profile(file: &Path, threads: usize) -> Result<(), Error> {
    let gathered = || {
        let mut whole = File::create(file)?;
        for thread in 0..threads {
            match File::open(part(file, thread)) {
                Ok(mut from) => io::copy(&mut from, &mut whole).map(drop)?,
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    };
    let result = gathered();
    remove_parts(file, threads);
    result.map_err(|error: io::Error| {
        let _ = fs::remove_file(file);
        Error::Profile(cannot("gather", file, &error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_put_together_in_order_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.trace");
        for (thread, text) in ["head", "one", "two"].iter().enumerate() {
            fs::write(part(&file, thread), text).unwrap();
        }
        gather(&file, 3).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "headonetwo");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_part_that_is_not_here_is_named_and_the_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.trace");
        fs::write(part(&file, 0), "head").unwrap();
        let why = gather(&file, 3).unwrap_err().to_string();
        assert!(why.contains("the parts of thread 1, 2 are missing"), "{why}");
        assert!(part(&file, 0).is_file());
    }

    #[test]
    fn parts_of_a_profile_are_put_together_without_those_of_the_dead() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.json");
        fs::write(part(&file, 0), "zero").unwrap();
        fs::write(part(&file, 2), "two").unwrap();
        gather_profile(&file, 3).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "zerotwo");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_profile_that_cannot_be_gathered_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.json");
        fs::write(part(&file, 0), "zero").unwrap();
        fs::create_dir(part(&file, 1)).unwrap();
        let why = gather_profile(&file, 2).unwrap_err().to_string();
        assert!(why.contains("cannot gather"), "{why}");
        assert!(!file.exists() && !part(&file, 0).exists());
    }

    #[test]
    fn a_device_is_no_file_for_a_profile() {
        let why = make_profile(Path::new("/dev/full"), 2).unwrap_err().to_string();
        assert!(why.contains("/dev/full is a device or a pipe"), "{why}");
    }
}
