//! Finds the function, file and line that contain an address of a process.
//!
//! A thread that dies of a signal starts `meridian locate` with its process and its program counter, and
//! waits for it (`runtime/start/locate.c`). A thread that has printed a fatal message of the runtime does so
//! too, with the addresses of its active calls, of which the innermost in the program is printed. The process
//! still exists then, so its map of memory names the file and the offset in it; the file's DWARF and symbols
//! give the rest. Nothing else is needed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use addr2line::{Context, gimli};
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SymbolKind};

/// Returns one line of a message for each of `addresses` of process `pid`, and for each call that the
/// compiler has inlined there; empty if no address lies in a known file.
pub fn locate(pid: u32, addresses: &[u64]) -> String {
    let program = Program::of(pid);
    addresses.iter().filter_map(|&address| program.describe(address)).collect()
}

/// Returns one line of a message for the innermost of the calls at `addresses` of process `pid` whose source
/// line is not the runtime's; empty if there is none.
pub fn caller(pid: u32, addresses: &[u64]) -> String {
    Program::of(pid).caller(addresses)
}

/// Returns the lines of a message for a fault in process `pid`; `addresses` are that of the fault and those
/// of its callers, innermost first. The lines are for the innermost address with a source line of the
/// program; else for the innermost in a function of the program; else for the first address.
pub fn fault(pid: u32, addresses: &[u64]) -> String {
    let program = Program::of(pid);
    let main = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
    let has_line = |&&address: &&u64| !program.caller(&[address]).is_empty();
    let is_function = |&&address: &&u64| {
        if mapped(&program.maps, address).is_none_or(|(path, _)| path != main) {
            return false;
        }
        let text = program.describe(address).unwrap_or_default();
        let named = text.strip_prefix("meridian: in ").unwrap_or_default();
        !named.starts_with('/') && !named.starts_with("mer_")
    };
    let innermost = addresses.iter().find(has_line).or_else(|| addresses.iter().find(is_function));
    innermost.or(addresses.first()).and_then(|&address| program.describe(address)).unwrap_or_default()
}

/// The root of the runtime's sources, as debug information names it (`runtime/CMakeLists.txt`).
const RUNTIME: &str = "/meridian/runtime";

/// Whether a source is one of the runtime's, or one of the headers with the inline functions of compiled
/// code.
fn is_runtime(source: &str) -> bool {
    let source = Path::new(source);
    let in_headers = source.parent().is_some_and(|directory| {
        directory.ends_with("include/meridian/abi") || directory.ends_with("include/meridian")
    });
    source.starts_with(RUNTIME) || (in_headers && source.extension().is_some_and(|ending| ending == "h"))
}

/// Returns the file that is mapped at `address`, and the offset in the file.
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

/// Returns the address that the file gives to its byte `at`.
fn address_of(file: &object::File, at: u64) -> Option<u64> {
    file.segments().find_map(|segment| {
        let (from, size) = segment.file_range();
        (from..from + size).contains(&at).then(|| at - from + segment.address())
    })
}

/// The files that a process has mapped, each read once.
pub struct Program {
    maps: String,
    read: RefCell<HashMap<PathBuf, Option<Binary>>>,
}

impl Program {
    /// The files of process `pid`, which still exists.
    pub fn of(pid: u32) -> Program {
        let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
        Program { maps, read: RefCell::default() }
    }

    /// Returns the functions at the offset `at` in a file, as [`Binary::frames`] does.
    fn frames_in(&self, path: &Path, at: u64) -> Vec<Frame> {
        let mut read = self.read.borrow_mut();
        let binary = read.entry(path.to_owned()).or_insert_with(|| Binary::read(path));
        let frames = binary.as_ref().and_then(|binary| {
            let address = address_of(&binary.parse()?, at)?;
            binary.frames(&[address]).pop()
        });
        frames.unwrap_or_default()
    }

    /// Returns the functions at an address, innermost first, without those of the runtime.
    pub fn frames(&self, address: u64) -> Vec<Frame> {
        let Some((path, at)) = mapped(&self.maps, address) else { return Vec::new() };
        let is_own = |frame: &Frame| frame.line.as_ref().is_none_or(|(source, _)| !is_runtime(source));
        self.frames_in(&path, at).into_iter().filter(is_own).collect()
    }

    /// The message of [`caller`].
    fn caller(&self, addresses: &[u64]) -> String {
        let frames = addresses.iter().flat_map(|&address| self.frames(address));
        let line = |frame: Frame| {
            let (source, line) = frame.line?;
            Some(format!("meridian: in {}, {source}:{line}\n", frame.function))
        };
        frames.filter_map(line).next().unwrap_or_default()
    }

    /// Returns the lines of a message for an address: with debug information function, file and line; without
    /// it the function; without symbols the name of the file. None if the address is in no file.
    fn describe(&self, address: u64) -> Option<String> {
        let (path, at) = mapped(&self.maps, address)?;
        let mut text = String::new();
        for frame in self.frames_in(&path, at) {
            let word = if text.is_empty() { "in" } else { "inlined into" };
            let _ = match &frame.line {
                Some((source, line)) => {
                    writeln!(text, "meridian: {word} {}, {source}:{line}", frame.function)
                }
                None => writeln!(text, "meridian: {word} {}, {}", frame.function, path.display()),
            };
        }
        Some(if text.is_empty() { format!("meridian: in {}\n", path.display()) } else { text })
    }
}

/// A program or library read from disk, with its symbols and its debug information.
pub struct Binary(Vec<u8>);

/// A function that contains an address, and the line there: its file's name and its number from 1. The line
/// is unknown without debug information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The linker's name.
    pub function: String,
    /// The file name as the compiler was given it.
    pub line: Option<(String, u32)>,
}

impl Binary {
    /// Reads a file. Returns none if there is none, or if it is not an executable or library.
    pub fn read(path: &Path) -> Option<Binary> {
        let binary = Binary(std::fs::read(path).ok()?);
        binary.parse()?;
        Some(binary)
    }

    fn parse(&self) -> Option<object::File<'_>> {
        object::File::parse(&*self.0).ok()
    }

    /// Returns, for each of the file's addresses, the functions that the compiler has inlined there, the
    /// innermost first, and then the function that holds it; nothing if no function is known.
    pub fn frames(&self, addresses: &[u64]) -> Vec<Vec<Frame>> {
        let Some(file) = self.parse() else { return vec![Vec::new(); addresses.len()] };
        let context = context(&file);
        let frames = |&address: &u64| {
            let known = context.as_ref().map_or(Vec::new(), |context| inlined(context, &file, address));
            if !known.is_empty() {
                return known;
            }
            function(&file, address).map(|function| Frame { function, line: None }).into_iter().collect()
        };
        addresses.iter().map(frames).collect()
    }
}

type Bytes<'a> = gimli::EndianSlice<'a, gimli::RunTimeEndian>;

fn context<'a>(file: &object::File<'a>) -> Option<Context<Bytes<'a>>> {
    let endian =
        if file.is_little_endian() { gimli::RunTimeEndian::Little } else { gimli::RunTimeEndian::Big };
    let section = |id: gimli::SectionId| -> Result<_, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
        Ok(gimli::EndianSlice::new(data.unwrap_or_default(), endian))
    };
    Context::from_dwarf(gimli::Dwarf::load(section).ok()?).ok()
}

fn inlined(context: &Context<Bytes>, file: &object::File, address: u64) -> Vec<Frame> {
    let mut all = Vec::new();
    let Ok(mut frames) = context.find_frames(address).skip_all_loads() else { return all };
    while let Ok(Some(frame)) = frames.next() {
        let name = frame.function.as_ref().and_then(|name| name.raw_name().ok().map(String::from));
        let Some(function) = name.or_else(|| function(file, address)) else { continue };
        let Some(place) = frame.location else { continue };
        let (Some(source), Some(line)) = (place.file, place.line) else { continue };
        all.push(Frame { function, line: Some((source.to_owned(), line)) });
    }
    all
}

/// Returns the function whose symbol covers `address`.
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

    /// Returns what `say` says of a call in `inner`, inlined into `outer`, in a program that is compiled with
    /// these flags.
    fn told(text: &str, flags: &[&str], say: fn(u32, &[u64]) -> String) -> (String, PathBuf, PathBuf) {
        use std::io::{BufRead, BufReader};
        use std::process::{Command, Stdio};
        let directory = tempfile::tempdir().unwrap();
        let (source, program) = (directory.path().join("at.c"), directory.path().join("at"));
        std::fs::write(&source, text).unwrap();
        let mut cc = Command::new("cc");
        cc.args(["-O1", "-o"]).arg(&program).arg(&source).args(flags);
        assert!(cc.status().unwrap().success());
        let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = u64::from_str_radix(line.trim().trim_start_matches("0x"), 16).unwrap();
        let text = say(child.id(), &[address, 1]);
        drop(child.stdin.take());
        child.wait().unwrap();
        (text, source, program)
    }

    fn located(flags: &[&str]) -> (String, PathBuf, PathBuf) {
        told(TEXT, flags, locate)
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
    fn callers_are_sought_behind_the_runtime() {
        assert!(is_runtime(&format!("{RUNTIME}/sync/lock.c")));
        assert!(is_runtime("/usr/include/meridian/abi/access.h"));
        assert!(is_runtime("/usr/include/meridian/everything.h"));
        assert!(!is_runtime("include/meridian/abi/access.upc"));
        assert!(!is_runtime("/home/a/runtime/main.upc"));
        assert_eq!(caller(0, &[1]), "");
        let [inner, outer] = ["static inline", "__attribute__((noinline)) void *outer"];
        let text = TEXT
            .replace(inner, &format!("#line 3 \"{RUNTIME}/at.c\"\n{inner}"))
            .replace(outer, &format!("#line 7 \"/home/a/at.upc\"\n{outer}"));
        assert_eq!(told(&text, &["-g"], caller).0, "meridian: in outer, /home/a/at.upc:8\n");
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
