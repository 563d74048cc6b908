//! The table of library functions agrees with the headers of UPC and Split-C, whose names a program may have.

mod support;

use c_sema::library::{self, Effects};
use c_syntax::Language;
use std::collections::HashSet;
use std::path::Path;

/// A header of Meridian without its comments; `None` for one of the C library.
fn header(name: &str) -> Option<String> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/include");
    let path = if name.contains('/') { include.join(name) } else { include.join("upc").join(name) };
    let text = std::fs::read_to_string(path).ok()?;
    let mut code = String::new();
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once("/*") {
        code += before;
        rest = after.split_once("*/").map_or("", |parts| parts.1);
    }
    Some(code + rest)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[test]
fn every_row_is_in_its_header() {
    let mut wrong = Vec::new();
    for row in library::rows() {
        let [atomic, control] = ["atomic.h", "control.h"].map(|name| row.header.replace("split-c.h", name));
        let texts = [row.header, &atomic, &control, "upc_types.h"].into_iter().filter_map(header);
        let text = texts.collect::<String>();
        if header(row.header).is_none() {
            continue;
        }
        let found = match row.name.strip_suffix('*') {
            Some(start) => words(&text).any(|word| word.starts_with(start)),
            None => words(&text).any(|word| word == row.name),
        };
        // Reductions are declared by macros that put their names together.
        if !found && !row.name.starts_with("all_reduce_to_") && !row.name.starts_with("all_scan_") {
            wrong.push(format!("{} in {}", row.name, row.header));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn every_function_of_the_headers_has_a_row() {
    let headers: HashSet<&str> = library::rows().map(|row| row.header).collect();
    let mut missing = Vec::new();
    for text in headers.into_iter().filter_map(header) {
        let mut rest = &*text;
        while let Some(at) = rest.find('(') {
            let name =
                rest[..at].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
            if name.starts_with("upc_") && library::find(name, Language::Upc).is_none() {
                missing.push(name.to_owned());
            }
            rest = &rest[at + 1..];
        }
    }
    assert_eq!(missing, [""; 0]);
}

#[test]
fn names_are_unique_and_belong_to_their_language() {
    let mut seen = HashSet::new();
    assert!(library::rows().all(|row| seen.insert(row.name)));
    let effects = |name, language| library::find(name, language).map(|row| row.effects);
    assert_eq!(effects("upc_all_alloc", Language::Upc), Some(Effects::Collective));
    assert_eq!(effects("upc_all_reduceUL", Language::Upc), Some(Effects::Collective));
    assert_eq!(effects("sync", Language::SplitC), Some(Effects::Syncs));
    assert_eq!(effects("upc_atomic_relaxed", Language::Upc), Some(Effects::Atomic));
    assert_eq!(effects("upc_atomic_strict", Language::Upc), Some(Effects::Any));
    assert_eq!(effects("__assert_fail", Language::Upc), Some(Effects::Fails));
    assert_eq!(effects("sync", Language::Upc), None, "is a name of the program's");
    assert_eq!(effects("clzl", Language::Upc), None, "is known with `__builtin_` alone");
}

/// The program may declare such a name with another type or kind, or define it; names of other headers are
/// declared like any other.
#[test]
fn functions_of_split_c_give_way_to_the_program() {
    let after = |header: &str| {
        let text = format!(
            "# 1 \"{header}\" 1 3\n\
             int exchange(void *global object, int value);\n\
             int enqueue(void *global queue, const void *item);\n\
             int fetch_and_add(void *global object, int value);\n\
             # 1 \"t.sc\" 2\n\
             int exchange = 4;\n\
             void enqueue(int n);\n\
             long fetch_and_add(long *l) {{ enqueue(exchange); return *l; }}\n"
        );
        support::run_as(Language::SplitC, &text, None).messages()
    };
    assert_eq!(after("/usr/include/split-c/atomic.h"), "");
    assert_eq!(after("/usr/include/atomic.h").matches("already declared").count(), 3);
}
