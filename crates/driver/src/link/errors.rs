//! Undefined symbols in the user's terms: a program without `main`, functions of C that an Id program
//! declares and no file defines, and functions of a library whose header has not been included.

use super::Made;
use crate::diagnose;
use crate::options::{Input, Language, Options};
use base::{Code, Diagnostic, Source, Span};
use id::external::{Declared, declared_in};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;

/// The program's entry, to which the `main` of `runtime/dialect/split_c/entry.c` refers.
const ENTRY: &str = "splitc_main";

/// Returns the linker's messages. Those about a missing entry and about functions that Id programs declare
/// are rephrased, and advice about functions of Meridian's libraries is added at the end. Messages of linkers
/// with another wording stay as they are. `words`: the arguments of the linker.
pub fn explain(said: &str, words: &[OsString], options: &Options) -> String {
    let missing: BTreeSet<&str> = said.lines().filter_map(undefined).collect();
    let no_entry = missing.contains(ENTRY) && said.contains("entry.c");
    let external = if missing.is_empty() { BTreeSet::new() } else { external(&missing, words, options) };
    let told = |name: &str| (no_entry && name == ENTRY) || external.contains(name);
    let all_told = missing.iter().all(|name| told(name));
    let of_told = |line: &str| {
        (no_entry && line.contains("entry.c"))
            || undefined(line).is_some_and(told)
            || external.iter().any(|name| line.contains(&format!("more undefined references to `{name}'")))
    };
    let mut out = String::new();
    let mut lines = said.lines().peekable();
    while let Some(line) = lines.next() {
        // The line before the one about the undefined symbol names the function around it.
        let leads = line.contains("in function `") && lines.peek().is_some_and(|next| of_told(next));
        let of_linker = line.starts_with("collect2: ") && !missing.is_empty() && all_told;
        if !(of_told(line) || leads || of_linker) {
            out.push_str(line);
            out.push('\n');
        }
    }
    if no_entry {
        let _ = writeln!(out, "meridian cc: error: {}", no_main(options));
    }
    for name in missing {
        if let Some((whose, header)) = c_sema::library::header_of(name).filter(|_| !no_entry || name != ENTRY)
        {
            let _ = writeln!(out, "meridian cc: `{name}` is a function of {whose}: #include <{header}>");
        } else if is_large(name, words) {
            let what = "has more than 256 MB on a thread: give its length in each `extern` declaration";
            let _ = writeln!(out, "meridian cc: `{name}` {what}");
        }
    }
    out
}

/// Returns a linker's messages with the names of sources instead of those of the object files made from them,
/// and of the C that these were compiled from, by which an object file without line information is named.
pub fn by_sources(said: &str, made: &[Made]) -> String {
    let mut text = said.to_owned();
    for Made { object, source } in made {
        let source = source.to_string_lossy();
        text = text.replace(&*object.to_string_lossy(), &source);
        if let Some(stem) = object.file_stem() {
            text = text.replace(&format!("{}.c:(", stem.to_string_lossy()), &format!("{source}:("));
        }
    }
    text
}

/// Whether a file defines a shared array of this name that is placed at start (`struct mer_big`). Files that
/// do not know its length refer to it as an object of the image.
fn is_large(name: &str, words: &[OsString]) -> bool {
    let symbol = format!("\0mer_big_{name}\0").into_bytes();
    let has = |bytes: Vec<u8>| bytes.windows(symbol.len()).any(|w| w == symbol);
    words.iter().any(|word| std::fs::read(word).is_ok_and(has))
}

/// Reports the missing functions of C that Id programs declare. Returns their symbols.
fn external<'a>(missing: &BTreeSet<&'a str>, words: &[OsString], options: &Options) -> BTreeSet<&'a str> {
    let objects: Vec<Vec<u8>> = words.iter().filter_map(|word| std::fs::read(word).ok()).collect();
    let declared: Vec<Declared> = objects.iter().flat_map(|o| declared_in(o)).collect();
    let mut told = BTreeSet::new();
    for d in declared {
        if let Some(symbol) = missing.get(&d.symbol[..]).filter(|symbol| !told.contains(*symbol)) {
            told.insert(*symbol);
            report(&d, &objects, options);
        }
    }
    told
}

fn report(declared: &Declared, objects: &[Vec<u8>], options: &Options) {
    let Declared { symbol, file, line, column, length } = declared;
    let text = std::fs::read_to_string(file).unwrap_or_default();
    // A file that no longer exists, or has changed, has no line to be shown.
    let has_it = |l: &&str| l.get(*column..column + length).is_some_and(|name| !name.is_empty());
    let own = text.lines().nth(line - 1).filter(has_it);
    let head = format!("# {line} {file:?}\n");
    let (at, long) = own.map_or((head.len(), 0), |_| (head.len() + column, *length));
    let span = Span::new(at as u32, (at + long) as u32);
    let shown = format!("{head}{}\n", own.unwrap_or_default());
    let message = format!("no file of the program defines the function `{symbol}` of C");
    let mut d = Diagnostic::error(Code::IdExternal, span, message);
    d.label = "declared here".into();
    d.help = Some(match other_case(symbol, objects) {
        Some(other) => {
            format!("there is `{other}`: `@external` takes C's name in quotes after the name in Id")
        }
        None => "add the file of C that defines it to the command line, or its library (`-l`)".into(),
    });
    diagnose::report(vec![d], &Source::new(shown), options);
}

/// Returns a symbol in one of the objects that differs only in case: Id ignores case.
fn other_case<'a>(symbol: &str, objects: &'a [Vec<u8>]) -> Option<&'a str> {
    let mut texts = objects.iter().flat_map(|o| o.split(|b| *b == 0));
    let other = texts.find(|t| t.eq_ignore_ascii_case(symbol.as_bytes()) && *t != symbol.as_bytes())?;
    std::str::from_utf8(other).ok()
}

/// Returns the lines of the linker's output that name undefined symbols, and these.
pub fn all_undefined(said: &str) -> impl Iterator<Item = (&str, &str)> {
    said.lines().filter_map(|line| Some((line, undefined(line)?)))
}

/// Returns the undefined name in a line of the linker's output.
fn undefined(line: &str) -> Option<&str> {
    let (_, rest) =
        line.split_once("undefined reference to ").or_else(|| line.split_once("undefined symbol: "))?;
    Some(rest.trim().trim_matches(['`', '\'', '\u{2018}', '\u{2019}']))
}

fn no_main(options: &Options) -> &'static str {
    let has = |wanted| {
        options.inputs.iter().any(|i| matches!(i, Input::File { language, .. } if *language == wanted))
    };
    if has(Language::SplitC) {
        "the program has neither `splitc_main`, with which a Split-C program begins, nor `main`: define one, \
         add the file that has it, or compile with -c"
    } else {
        "the program has no `main`: define it, add the file that has it, or compile with -c"
    }
}
