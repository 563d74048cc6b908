//! No input makes the checks panic: sources that exercise most of the language, cut and mixed at random.

mod support;

use proptest::prelude::*;

const SOURCES: &[&str] = &[
    include_str!("upc_declarations.rs"),
    include_str!("upc_expressions.rs"),
    include_str!("c.rs"),
    include_str!("tables.rs"),
];

/// The pieces of C in the tests' own text: the text between quotes.
fn snippets() -> Vec<String> {
    let mut found = Vec::new();
    for source in SOURCES {
        for (i, piece) in source.replace("\\\"", "\u{1}").split('"').enumerate() {
            if i % 2 == 1 && piece.contains(';') {
                found.push(piece.replace('\u{1}', "\"").replace("\\n\\", "\n").replace("\\n", "\n"));
            }
        }
    }
    found
}

fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            c if c.is_alphanumeric() || c == '_' => {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
            }
            c => c.len_utf8(),
        };
        words.push(&rest[..end]);
        rest = &rest[end..];
    }
    words
}

#[derive(Clone, Debug)]
enum Edit {
    Drop(prop::sample::Index),
    Copy(prop::sample::Index, prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    Insert(prop::sample::Index, &'static str),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<prop::sample::Index>;
    let token = prop::sample::select(vec![
        "shared",
        "[",
        "]",
        "*",
        "(",
        ")",
        "{",
        "}",
        ";",
        ",",
        "=",
        "int",
        "struct s",
        "THREADS",
        "0",
        "-1",
        "sizeof",
        "&",
        "typedef",
        "static",
        "...",
        ":",
        "?",
        "->",
        ".x",
        "[*]",
        "void",
        "9999999999999999999",
        "if",
        "case",
        "enum",
        "\"s\"",
        "upc_forall",
        "__typeof__",
        "_Generic",
        "strict",
        "1.5",
        "return",
        "goto l",
        "union",
        "++",
        "union { int a; }",
    ]);
    prop_oneof![
        at().prop_map(Edit::Drop),
        (at(), at()).prop_map(|(a, b)| Edit::Copy(a, b)),
        (at(), at()).prop_map(|(a, b)| Edit::Swap(a, b)),
        (at(), token).prop_map(|(a, t)| Edit::Insert(a, t)),
    ]
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut words = words(text);
    for edit in edits {
        if words.is_empty() {
            break;
        }
        let n = words.len();
        match edit {
            Edit::Drop(i) => drop(words.remove(i.index(n))),
            Edit::Copy(i, j) => words.insert(j.index(n), words[i.index(n)]),
            Edit::Swap(i, j) => words.swap(i.index(n), j.index(n)),
            Edit::Insert(i, token) => words.insert(i.index(n), token),
        }
    }
    words.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_checked(
        which in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        edits in prop::collection::vec(edit(), 1..12),
        threads in prop::option::of(1u32..5),
    ) {
        let all = snippets();
        let text: Vec<&str> = which.iter().map(|i| &*all[i.index(all.len())]).collect();
        support::run(&apply(&text.join("\n"), &edits), threads);
    }
}

#[test]
fn deep_nesting_is_checked() {
    let chain = |n: usize, unit: &str| format!("int f(int x, int *p) {{ return {}x; }}", unit.repeat(n));
    for text in [
        chain(9000, "-"),
        chain(3000, "("),
        chain(100_000, "x + "),
        chain(5000, "*&"),
        chain(50_000, "p[0], "),
    ] {
        support::run(&text, None);
    }
    let chained = format!("struct s {{ struct s *n; }} *p; void f(void) {{ p{}; }}", "->n".repeat(9000));
    support::run(&chained, None);
    let ifs = format!("void f(int n) {{ {} ; }}", "if (n) ; else ".repeat(9000));
    support::run(&ifs, None);
}
