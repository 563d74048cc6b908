//! Object files that are compiled for different numbers of threads.
//!
//! Each file has a symbol that says whether it was compiled with `-fprocs-4` or `-T 4`
//! (`lower::fixed_symbol`). The linker does not compare these symbols, so they are compared here for the
//! object files on the command line. Members of archives, some of which the linker may leave out, are
//! compared when the program starts.

use c_syntax::Language;
use std::ffi::OsString;

/// Returns an error for the linker, if two of these files are for different numbers of threads. `named`
/// returns the user's name of a file.
pub fn refuse(words: &[OsString], named: &dyn Fn(&str) -> String) -> Option<String> {
    let files = words.iter().map(|word| word.to_string_lossy()).filter(|word| !word.starts_with('-'));
    let mut files = files.filter_map(|word| Some((named(&word), fixed(&std::fs::read(&*word).ok()?)?)));
    let (first, number) = files.next()?;
    let (other, another) = files.find(|(_, fixed)| fixed.number != number.number)?;
    Some(format!(
        "{other} is compiled for {}, but {first} for {}: compile all files alike",
        another.words(),
        number.words()
    ))
}

/// The number of threads that a file is compiled for; 0 is any.
struct Fixed {
    number: u32,
    everything: bool,
}

impl Fixed {
    fn words(&self) -> String {
        match (self.number, self.everything) {
            (0, false) => "a number of threads chosen at start (no -T)".into(),
            (0, true) => "a number of processors chosen at start (no -fprocs-N)".into(),
            (n, false) => format!("THREADS = {n} (-T {n})"),
            (n, true) => format!("PROCS = {n} (-fprocs-{n})"),
        }
    }
}

/// Reads the symbols of an object file.
fn fixed(bytes: &[u8]) -> Option<Fixed> {
    if !bytes.starts_with(b"\x7fELF") {
        return None;
    }
    [Language::Upc, Language::Ac].into_iter().find_map(|language| {
        let symbol = format!("\0{}", lower::fixed_symbol(language));
        let at = bytes.windows(symbol.len()).position(|w| w == symbol.as_bytes())? + symbol.len();
        let digits = bytes[at..].split(|byte| *byte == 0).next()?;
        let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
        Some(Fixed { number, everything: language.row().everything })
    })
}
