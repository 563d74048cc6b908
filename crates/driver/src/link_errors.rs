//! What the linker misses, in the user's terms: a program without `main`, and functions of a library whose
//! header has not been included.

use crate::options::{Input, Language, Options};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Where the entry of programs in C refers to theirs: `runtime/dialect/split_c/entry.c`.
const ENTRY: &str = "splitc_main";

/// The linker's messages, those of a missing entry in other words, and behind them what to do about functions
/// of Meridian's libraries. Messages of linkers that speak otherwise stay as they are.
pub fn explain(said: &str, options: &Options) -> String {
    let missing: BTreeSet<&str> = said.lines().filter_map(undefined).collect();
    let no_entry = missing.contains(ENTRY) && said.contains("entry.c");
    let mut out = String::new();
    let mut lines = said.lines().peekable();
    while let Some(line) = lines.next() {
        let of_entry =
            line.starts_with("collect2: ") || line.contains("entry.c") || undefined(line) == Some(ENTRY);
        // What stands in front of the line that says what is missing names the function around it.
        let leads = line.ends_with("in function `main':")
            && lines.peek().is_some_and(|next| next.contains("entry.c"));
        if !(no_entry && (of_entry || leads)) {
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
        }
    }
    out
}

/// The name that a line of the linker's says is not defined.
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
