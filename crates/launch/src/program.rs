//! The program to be started: its path, whether it can be started at all, and the number of threads it was
//! compiled for.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base::contract::{CONTRACT, unit};
use object::{Object, ObjectSection, ReadCache};

use crate::error::Error;

/// Finds the program that `name` means: a path if it has a slash, else a file of this directory, else one of
/// a directory of `PATH`.
///
/// # Errors
/// If there is none, or it is a directory or not executable.
pub fn find(name: &OsStr, search: Option<&OsStr>) -> Result<PathBuf, Error> {
    let path = Path::new(name);
    if name.is_empty() {
        return Err(Error::NoProgram(path.to_path_buf()));
    }
    if name.as_encoded_bytes().contains(&b'/') {
        return startable(path, path).map(|()| path.to_path_buf());
    }
    let here = Path::new(".").join(path);
    let verdict = startable(&here, path);
    if verdict.is_ok() {
        return Ok(here);
    }
    let directories = search.map(std::env::split_paths).into_iter().flatten();
    if let Some(found) = directories.map(|d| d.join(path)).find(|p| startable(p, p).is_ok()) {
        return Ok(found);
    }
    match verdict {
        Err(Error::NoFile(_)) | Ok(()) => Err(Error::NoProgram(path.to_path_buf())),
        Err(error) => Err(error),
    }
}

/// Whether `path` can be started; messages call it `name`, as the user did.
fn startable(path: &Path, name: &Path) -> Result<(), Error> {
    let named = || name.to_path_buf();
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::NoFile(named()));
        }
        Err(error) => {
            return Err(Error::CannotRun { path: named(), reason: error.to_string() });
        }
    };
    if meta.is_dir() {
        Err(Error::Directory(named()))
    } else if is_source(path) {
        Err(Error::Source(named()))
    } else if meta.permissions().mode() & 0o111 == 0 {
        Err(Error::NotExecutable(named()))
    } else if foreign(path) {
        let reason = "the file is neither a program for this machine nor a script";
        Err(Error::CannotRun { path: named(), reason: reason.into() })
    } else {
        Ok(())
    }
}

/// Whether the file has the name of a source, and not the contents of a program or a script.
pub fn is_source(path: &Path) -> bool {
    const SOURCES: [&str; 5] = ["upc", "sc", "ac", "id", "c"];
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut head));
    let runs = read.is_ok() && (head.starts_with(b"\x7fELF") || head.starts_with(b"#!"));
    !runs && path.extension().is_some_and(|e| SOURCES.iter().any(|source| e == *source))
}

/// Whether the file is data, or a program for another kind of machine. The C library passes a file that the
/// kernel refuses to the shell, which would read it as a script, once in every thread. If the kernel has been
/// taught further formats (binfmt_misc), it decides.
fn foreign(path: &Path) -> bool {
    let start = |path: &Path| {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut bytes));
        read.map(|_| bytes)
    };
    let taught = || {
        let formats = std::fs::read_dir("/proc/sys/fs/binfmt_misc").into_iter().flatten().flatten();
        formats.filter(|f| !["register", "status"].map(Some).contains(&f.file_name().to_str())).count() > 0
    };
    let (Ok(bytes), Ok(own)) = (start(path), start(Path::new("/proc/self/exe"))) else {
        return false; // unreadable, which does not matter to the kernel
    };
    let suspect = if bytes.starts_with(b"\x7fELF") {
        // Bytes 4 and 5 are the width and the byte order, 18 and 19 the machine.
        bytes.get(4..6) != own.get(4..6) || bytes.get(18..20) != own.get(18..20)
    } else {
        !bytes.starts_with(b"#!") && bytes.contains(&0)
    };
    suspect && !taught()
}

/// Returns a hash of the program's contents (FNV-1a, on words of eight bytes), which tells one build from
/// another.
///
/// # Errors
/// If the file cannot be read.
pub fn hash(path: &Path) -> std::io::Result<u64> {
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = std::fs::read(path)?;
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    let start = 0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64;
    // The rotation moves the words' upper bits into the lower ones; a product moves bits only upwards.
    Ok(words.fold(start, |hash, word| (hash ^ word).wrapping_mul(PRIME).rotate_left(29)))
}

/// A record of a file of the program.
struct Unit {
    contract: u32,
    static_threads: i32,
}

/// Returns the records of the program's files: none for a script, or a program that Meridian did not build.
fn units(path: &Path) -> Vec<Unit> {
    let read = || {
        let cache = ReadCache::new(File::open(path).ok()?);
        let file = object::File::parse(&cache).ok()?;
        let data = file.section_by_name("mer_unit")?.data().ok()?.to_vec();
        let number = |record: &[u8], at: usize| {
            let bytes: [u8; 4] = record[at..at + 4].try_into().expect("four bytes");
            if file.is_little_endian() { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
        };
        let unit = |record: &[u8]| Unit {
            contract: number(record, unit::CONTRACT),
            static_threads: number(record, unit::STATIC_THREADS).cast_signed(),
        };
        Some(data.chunks_exact(unit::TOTAL_SIZE).map(unit).collect())
    };
    read().unwrap_or_default()
}

/// Checks that the program is not of another version of the contract. The runtime refuses programs of which
/// only some files are, because it can name these files.
///
/// # Errors
/// If all files of the program are compiled for another version than this launcher's.
pub fn check_contract(path: &Path) -> Result<(), Error> {
    let units = units(path);
    match units.first() {
        Some(first) if units.iter().all(|unit| unit.contract != CONTRACT) => {
            Err(Error::Contract { path: path.to_path_buf(), contract: first.contract })
        }
        _ => Ok(()),
    }
}

/// Returns the number of threads that a file of the program was compiled for (`-T N`), or none: for a program
/// for any number, a script, or a program that Meridian did not build. The runtime refuses programs that mix
/// several numbers, because it can name the files; here the first number counts.
pub fn static_threads(path: &Path) -> Option<u32> {
    units(path).iter().map(|unit| unit.static_threads).find(|&n| n > 0).map(|n| n as u32)
}

/// Whether Meridian has compiled a file of the program.
pub fn is_meridian(path: &Path) -> bool {
    let look = || {
        let cache = ReadCache::new(File::open(path).ok()?);
        object::File::parse(&cache).ok()?.section_by_name("mer_unit").map(drop)
    };
    look().is_some()
}

/// Whether a file of the program has been compiled with `-g`, so that a debugger knows its variables. The
/// driver then names its script for gdb; the lines that every program has need none.
pub fn has_variables(path: &Path) -> bool {
    let look = || {
        let cache = ReadCache::new(File::open(path).ok()?);
        object::File::parse(&cache).ok()?.section_by_name(".debug_gdb_scripts").map(drop)
    };
    look().is_some()
}

/// Whether the program is linked with a library for OpenMP, so that its threads start threads of their own.
pub fn uses_openmp(path: &Path) -> bool {
    let look = || {
        let cache = ReadCache::new(File::open(path).ok()?);
        let file = object::File::parse(&cache).ok()?;
        let names = file.section_by_name(".dynstr")?.data().ok()?.to_vec();
        Some(names.split(|&b| b == 0).any(|name| {
            [&b"libgomp.so"[..], b"libomp.so", b"libiomp5.so"].iter().any(|l| name.starts_with(l))
        }))
    };
    look().unwrap_or(false)
}

/// Returns the number of threads of the job: the number demanded on the command line, else the program's
/// static number, else the default from the environment, else none, if nobody has chosen.
///
/// # Errors
/// If the demand contradicts the program's static number.
pub fn threads(path: &Path, asked: Option<u32>, demanded: bool) -> Result<Option<u32>, Error> {
    match (static_threads(path), asked) {
        (Some(built), Some(asked)) if demanded && asked != built => {
            Err(Error::StaticThreads { path: path.to_path_buf(), built, asked })
        }
        (Some(built), _) => Ok(Some(built)),
        (None, asked) => Ok(asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_for_in_path() {
        let found = find(OsStr::new("sh"), Some(OsStr::new("/nowhere:/bin:/usr/bin"))).unwrap();
        assert!(found.ends_with("sh") && found.is_absolute());
    }

    #[test]
    fn a_hash_tells_contents_apart_wherever_they_differ() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("program");
        let of = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            hash(&file).unwrap()
        };
        let mut bytes = vec![7u8; 1001];
        let whole = of(&bytes);
        assert_eq!(whole, of(&bytes));
        let mut seen = vec![whole, of(&bytes[..1000])];
        for at in [0, 7, 8, 500, 1000] {
            bytes[at] ^= 0x80;
            seen.push(of(&bytes));
            bytes[at] ^= 0x80;
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 7);
    }

    #[test]
    fn what_cannot_be_started_is_named() {
        let message = |name: &str| find(OsStr::new(name), None).unwrap_err().to_string();
        assert!(message("no-such-program-here").contains("PATH"));
        assert!(message("./no-such-program-here").contains("`./no-such-program-here`: no such file"));
        assert!(message("").contains("PATH"));
        assert!(message("/usr").contains("directory"));
        assert!(message("/etc/passwd").contains("not executable"));
    }

    /// Makes a file of this directory with this text and mode.
    fn file(directory: &Path, name: &str, mode: u32, text: &[u8]) -> PathBuf {
        let path = directory.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    /// Compiles a C program.
    fn compiled(directory: &Path, name: &str, text: &str, flags: &[&str]) -> PathBuf {
        let (source, out) = (directory.join(format!("{name}.c")), directory.join(name));
        std::fs::write(&source, text).unwrap();
        let mut cc = std::process::Command::new("cc");
        assert!(cc.arg("-o").arg(&out).arg(source).args(flags).status().unwrap().success());
        out
    }

    #[test]
    fn only_what_the_kernel_starts_is_started() {
        let directory = tempfile::tempdir().unwrap();
        let d = directory.path();
        let elf = std::fs::read("/proc/self/exe").unwrap()[..64].to_vec();
        let other = |at: usize| {
            let mut other = elf.clone();
            other[at] ^= 0x55;
            other
        };
        let started: [(&str, u32, &[u8]); 7] = [
            ("program.upc", 0o755, &elf),
            ("script.c", 0o755, b"#!/bin/sh\n"),
            ("script", 0o755, b"#!/bin/sh\n\0"),
            ("text", 0o755, b"echo plain words are read by the shell\n"),
            ("elf", 0o755, &elf),
            ("owner", 0o100, &elf),
            ("others", 0o001, &elf),
        ];
        for (name, mode, text) in started {
            let path = file(d, name, mode, text);
            assert!(startable(&path, &path).is_ok(), "{name}");
        }
        let refused: [(&str, u32, &[u8], &str); 9] = [
            ("hello.sc", 0o755, b"int splitc_main(void) { return 0; }\n", "source file"),
            ("object.upc", 0o644, &elf, "not executable"),
            ("data", 0o755, b"ab\0c", "neither a program"),
            ("width", 0o755, &other(4), "neither a program"),
            ("order", 0o755, &other(5), "neither a program"),
            ("machine", 0o755, &other(18), "neither a program"),
            ("plain", 0o644, &elf, "not executable"),
            ("hello.upc", 0o755, b"", "source file"),
            ("hello.c", 0o644, b"", "source file"),
        ];
        for (name, mode, text, says) in refused {
            let path = file(d, name, mode, text);
            let error = startable(&path, Path::new("given")).unwrap_err().to_string();
            assert!(error.contains("`given`") && error.contains(says), "{name}: {error}");
        }
        let below = file(d, "file", 0o755, &elf).join("below");
        assert!(matches!(startable(&below, &below), Err(Error::CannotRun { .. })), "no directory");
    }

    #[test]
    fn a_program_here_comes_before_one_of_the_path() {
        let directory = tempfile::tempdir().unwrap();
        let (one, two) = (directory.path().join("1"), directory.path().join("2"));
        for folder in [&one, &two] {
            std::fs::create_dir(folder).unwrap();
        }
        file(&one, "tool", 0o644, b"#!/bin/sh\n");
        let wanted = file(&two, "tool", 0o755, b"#!/bin/sh\n");
        let search = std::env::join_paths([&one, &two]).unwrap();
        assert_eq!(
            find(OsStr::new("tool"), Some(search.as_os_str())).unwrap(),
            wanted,
            "one that cannot be run is no tool"
        );
        assert!(matches!(find(OsStr::new("tool"), Some(one.as_os_str())), Err(Error::NoProgram(_))));
        // The tests' directory is that of the package, which holds a directory `src`.
        assert!(matches!(find(OsStr::new("src"), None), Err(Error::Directory(_))));
        assert_eq!(find(OsStr::new("src/../Cargo.toml"), None).unwrap_err().exit_code(), 126);
    }

    #[test]
    fn the_record_of_a_unit_tells_its_static_threads() {
        let directory = tempfile::tempdir().unwrap();
        let unit = |name: &str, records: &str| {
            let text = format!(
                "struct unit {{ unsigned abi; int threads; const char *file; }};
                 __attribute__((used, aligned(8), section(\"mer_unit\"))) static const struct unit all[] =
                 {{ {records} }};
                 int main(void) {{ return 0; }}"
            );
            compiled(directory.path(), name, &text, &["-no-pie"])
        };
        let (any, four) = (unit("any", "{7, 0, 0}"), unit("four", "{7, 0, 0}, {7, 4, 0}, {7, 5, 0}"));
        assert_eq!((static_threads(&any), static_threads(&four)), (None, Some(4)));
        let (other, some) =
            (unit("other", "{7, 0, 0}"), unit("some", &format!("{{{CONTRACT}u, 0, 0}}, {{7, 0, 0}}")));
        assert!(matches!(check_contract(&other), Err(Error::Contract { contract: 7, .. })));
        assert!(
            [&some, Path::new("/bin/sh"), Path::new("/etc/passwd")].iter().all(|p| check_contract(p).is_ok())
        );
        assert!(is_meridian(&any) && is_meridian(&four) && !is_meridian(Path::new("/bin/sh")));
        assert_eq!(threads(&four, None, false).unwrap(), Some(4));
        assert_eq!(threads(&four, Some(4), true).unwrap(), Some(4));
        assert_eq!(threads(&four, Some(3), false).unwrap(), Some(4), "a default gives way");
        assert!(matches!(
            threads(&four, Some(3), true),
            Err(Error::StaticThreads { built: 4, asked: 3, .. })
        ));
        assert_eq!(threads(&any, Some(3), true).unwrap(), Some(3));
    }

    #[test]
    fn a_program_with_openmp_is_known_by_its_libraries() {
        let directory = tempfile::tempdir().unwrap();
        let d = directory.path();
        let program = |name: &str, library: &str| {
            let soname = format!("-Wl,-soname,{library}");
            let made =
                compiled(d, &format!("lib{name}.so"), "void f(void) { }", &["-shared", "-fPIC", &soname]);
            let text = "void f(void); int main(void) { f(); return 0; }";
            compiled(d, name, text, &[made.to_str().unwrap()])
        };
        assert!(uses_openmp(&program("gnu", "libgomp.so.1")) && uses_openmp(&program("llvm", "libomp.so.5")));
        assert!(uses_openmp(&program("intel", "libiomp5.so")));
        assert!(!uses_openmp(&program("other", "libother.so.1")) && !uses_openmp(Path::new("/etc/passwd")));
    }

    #[test]
    fn a_program_of_others_has_no_static_threads() {
        assert_eq!(static_threads(Path::new("/bin/sh")), None);
        assert_eq!(static_threads(Path::new("/etc/passwd")), None);
        assert_eq!(threads(Path::new("/bin/sh"), None, false).unwrap(), None);
        assert_eq!(threads(Path::new("/bin/sh"), Some(3), true).unwrap(), Some(3));
    }
}
