//! Which function, file and line an address of a process lies in.
//!
//! A thread that dies of a signal starts `meridian locate` with its process and its program counter, and
//! waits for it (`runtime/start/fault.c`). The process still exists then, so that its map of memory names the
//! file and the place in it; the file's DWARF and symbols say the rest. Nothing else is needed.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use addr2line::{Context, gimli};
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind};

/// One line of a message for each of `addresses` of process `pid`, and for each call that the compiler has
/// inlined there; empty where no address lies in a known file.
pub fn locate(pid: u32, addresses: &[u64]) -> String {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    addresses
        .iter()
        .filter_map(|&address| mapped(&maps, address))
        .map(|(path, at)| describe(&path, at))
        .collect()
}

/// The file that is mapped at `address`, and the place in the file.
fn mapped(maps: &str, address: u64) -> Option<(PathBuf, u64)> {
    maps.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let (from, to) = words.next()?.split_once('-')?;
        let (from, to) = (u64::from_str_radix(from, 16).ok()?, u64::from_str_radix(to, 16).ok()?);
        let offset = u64::from_str_radix(words.nth(1)?, 16).ok()?;
        // The path may contain blanks: it is the rest of the line, from its first slash.
        let path = line.find('/').filter(|_| (from..to).contains(&address))?;
        Some((PathBuf::from(&line[path..]), address - from + offset))
    })
}

/// The lines for the place `at` in the file `path`: with debug information function, file and line; without
/// it the function; without symbols the name of the file.
fn describe(path: &Path, at: u64) -> String {
    let look = || {
        let data = std::fs::read(path).ok()?;
        let file = object::File::parse(&*data).ok()?;
        let address = address_of(&file, at)?;
        by_debug_information(&file, address)
            .or_else(|| Some(format!("meridian: in {}, {}\n", function(&file, address)?, path.display())))
    };
    look().unwrap_or_else(|| format!("meridian: in {}\n", path.display()))
}

/// The address that the file gives to its byte `at`.
fn address_of(file: &object::File, at: u64) -> Option<u64> {
    file.segments().find_map(|segment| {
        let (from, size) = segment.file_range();
        (from..from + size).contains(&at).then(|| at - from + segment.address())
    })
}

fn by_debug_information(file: &object::File, address: u64) -> Option<String> {
    let endian =
        if file.is_little_endian() { gimli::RunTimeEndian::Little } else { gimli::RunTimeEndian::Big };
    let section = |id: gimli::SectionId| -> Result<_, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
        Ok(gimli::EndianSlice::new(data.unwrap_or_default(), endian))
    };
    let context = Context::from_dwarf(gimli::Dwarf::load(section).ok()?).ok()?;
    let mut frames = context.find_frames(address).skip_all_loads().ok()?;
    let mut text = String::new();
    while let Ok(Some(frame)) = frames.next() {
        let name = frame.function.as_ref().and_then(|name| name.raw_name().ok().map(String::from));
        let Some(name) = name.or_else(|| function(file, address)) else { continue };
        let Some(place) = frame.location else { continue };
        let (Some(source), Some(line)) = (place.file, place.line) else { continue };
        let word = if text.is_empty() { "in" } else { "inlined into" };
        let _ = writeln!(text, "meridian: {word} {name}, {source}:{line}");
    }
    (!text.is_empty()).then_some(text)
}

/// The function whose symbol covers `address`.
fn function(file: &object::File, address: u64) -> Option<String> {
    file.symbols()
        .chain(file.dynamic_symbols())
        .filter(|symbol| symbol.kind() == SymbolKind::Text)
        .find(|symbol| symbol.address() <= address && address - symbol.address() < symbol.size().max(1))
        .and_then(|symbol| symbol.name().ok().map(String::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a call in `inner`, inlined into `outer`, in a program that is compiled so.
    fn located(flags: &[&str]) -> (String, PathBuf, PathBuf) {
        use std::io::{BufRead, BufReader};
        use std::process::{Command, Stdio};
        const TEXT: &str = "#include <stdio.h>
__attribute__((noinline)) void *here(void) { return __builtin_return_address(0); }
static inline __attribute__((always_inline)) void *inner(void) {
    char *at = here();
    return at - 1;
}
__attribute__((noinline)) void *outer(void) {
    void *at = inner();
    return (char *)at + 0;
}
int main(void) {
    printf(\"%p\\n\", outer());
    fflush(stdout);
    return getchar() == 0;
}
";
        let directory = tempfile::tempdir().unwrap();
        let (source, program) = (directory.path().join("at.c"), directory.path().join("at"));
        std::fs::write(&source, TEXT).unwrap();
        let mut cc = Command::new("cc");
        cc.args(["-O1", "-o"]).arg(&program).arg(&source).args(flags);
        assert!(cc.status().unwrap().success());
        let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = u64::from_str_radix(line.trim().trim_start_matches("0x"), 16).unwrap();
        let text = locate(child.id(), &[address, 1]);
        drop(child.stdin.take());
        child.wait().unwrap();
        (text, source, program)
    }

    #[test]
    fn an_address_is_told_with_function_file_and_line() {
        let (text, source, _) = located(&["-g"]);
        let source = source.display();
        let expected = format!("meridian: in inner, {source}:4\nmeridian: inlined into outer, {source}:8\n");
        assert_eq!(text, expected);
    }

    #[test]
    fn without_debug_information_the_function_or_the_file_is_told() {
        let (text, _, program) = located(&["-g0"]);
        assert_eq!(text, format!("meridian: in outer, {}\n", program.display()));
        let (text, _, program) = located(&["-g0", "-s"]);
        assert_eq!(text, format!("meridian: in {}\n", program.display()));
    }

    #[test]
    fn a_process_that_is_gone_has_no_places() {
        assert_eq!(locate(0, &[1]), "");
    }

    #[test]
    fn a_map_names_the_file_and_the_place_in_it() {
        let maps = "00400000-00402000 r-xp 00001000 fd:00 77 /tmp/my program\n\
                    7f0000000000-7f0000001000 rw-p 00000000 00:00 0\n";
        assert_eq!(mapped(maps, 0x40_0010), Some(("/tmp/my program".into(), 0x1010)));
        assert_eq!(mapped(maps, 0x40_2000), None);
        assert_eq!(mapped(maps, 0x7f00_0000_0000), None);
    }
}
