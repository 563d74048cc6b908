//! No input makes the parser panic, overflow the stack, or take more than linear time; errors are few and
//! name the fault.

mod common;

use base::Source;
use c_syntax::Dialect;
use common::{on_big_stack, parse, walk};
use proptest::prelude::*;

/// Parses in both dialects. If nothing is reported, spans must be exact; otherwise the tree must still be
/// well-formed.
fn survive(text: &str) {
    for dialect in [Dialect::default(), Dialect::UPC] {
        let source = Source::new(text.to_owned());
        let (unit, diagnostics) = c_syntax::parse(&source, dialect);
        for diagnostic in &diagnostics {
            let span = diagnostic.span;
            assert!(span.lo <= span.hi && text.get(span.range()).is_some(), "{diagnostic:?}");
        }
        if diagnostics.is_empty() {
            walk::check(&unit, text).expect("exact spans");
        } else {
            walk::all(&unit);
        }
    }
}

/// Pieces that together make much of the language, right and wrong.
const PIECES: &[&str] = &[
    "int",
    "char",
    "x",
    "y",
    "T",
    "typedef",
    "struct",
    "union",
    "enum",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "*",
    "&",
    "&&",
    "=",
    "==",
    "?",
    "+",
    "-",
    "++",
    ".",
    "->",
    "...",
    "1",
    "0x",
    "08",
    "1.5e",
    "'a'",
    "''",
    "\"s\"",
    "\"open",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "goto",
    "return",
    "break",
    "sizeof",
    "_Generic",
    "__attribute__",
    "((",
    "))",
    "asm",
    "typeof",
    "_Static_assert",
    "__extension__",
    "_Alignas",
    "_Atomic",
    "static",
    "const",
    "void",
    "__builtin_offsetof",
    "__builtin_va_arg",
    "__label__",
    "shared",
    "strict",
    "relaxed",
    "THREADS",
    "MYTHREAD",
    "upc_forall",
    "upc_barrier",
    "upc_wait",
    "upc_fence",
    "upc_localsizeof",
    "\n#pragma upc strict\n",
    "\n#pragma upc x\n",
    "\n# 3 \"f.c\" 1 3\n",
    "/*",
    "*/",
    "//",
    "\\",
    "@",
    "#",
    "é",
    "\0",
    "R\"(",
    "L",
    "u8",
    "^",
    "[[",
    "]]",
    "({",
    "})",
    "__auto_type",
    "__real__",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn token_soup(words in proptest::collection::vec(proptest::sample::select(PIECES), 0..120), tight in any::<bool>()) {
        let text = words.join(if tight { "" } else { " " });
        on_big_stack(move || survive(&text));
    }

    #[test]
    fn any_text(text in "\\PC*") {
        on_big_stack(move || survive(&text));
    }
}

/// A small generator: the same numbers every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        // Knuth's multiplier and increment; the high bits are the good ones.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

const PROGRAM: &str = r#"
#pragma upc relaxed
typedef struct list { struct list *next; int key : 7; double (*f[2])(double); } list;
shared [4] double a[10 * THREADS]; shared int *shared head; enum { A = 1 + 2, B };
static inline int work(list *l, int n, ...) __attribute__((noinline, nonnull(1)));
static inline int work(list *l, int n, ...) {
    int r = l ? n + 1 * 2 : (int)sizeof(list), v[] = { [0] = 1, [1 ... 3] = 4, 5 };
    upc_forall (int i = 0; i < n; i++; &a[i]) { a[i] = (double)i / 2; if (r > 3) continue; else r--; }
    for (list *p = l; p; p = p->next) switch (p->key) { case 1: case 2 ... 5: r += ({ int q = v[1]; q; }); break; default: goto out; }
    upc_barrier 7; upc_notify; upc_wait; asm volatile ("" : "+r"(r) : : "memory");
out: do { r ^= 'x' | "abc"[1]; } while (r && !n);
    return _Generic(r, int: r, default: 0) + upc_blocksizeof(a) + __builtin_offsetof(list, f[1]);
}
int old(x, y) int x; char *y; { return x ?: *y; }
"#;

/// One text with a few of its bytes or tokens taken out, doubled, moved, or replaced.
fn mutate(text: &str, numbers: &mut Numbers) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ';', '(', ')', '{', '}', ',']).collect();
    for _ in 0..1 + numbers.below(4) {
        let at = numbers.below(words.len());
        match numbers.below(5) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[numbers.below(words.len())]),
            2 => words[at] = PIECES[numbers.below(PIECES.len())],
            3 => words.insert(at, PIECES[numbers.below(PIECES.len())]),
            _ => words.truncate(words.len() - numbers.below(words.len() / 4)),
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

#[test]
fn mutated_programs() {
    on_big_stack(|| {
        let mut numbers = Numbers(20);
        for _ in 0..1000 {
            survive(&mutate(PROGRAM, &mut numbers));
        }
    });
}

#[test]
fn mutated_headers() {
    let header = "#include <stdio.h>\n#include <stdlib.h>\n#include <signal.h>\n#include <math.h>\n";
    let text = common::preprocess("gcc", header).expect("these headers are everywhere");
    on_big_stack(move || {
        let mut numbers = Numbers(21);
        for _ in 0..20 {
            survive(&mutate(&text, &mut numbers));
        }
    });
}

#[test]
fn the_programs_prefixes() {
    on_big_stack(|| (0..PROGRAM.len()).step_by(3).for_each(|end| survive(&PROGRAM[..end])));
}

/// Deep and long constructs, each repeated many times.
#[test]
fn towers() {
    let towers = [
        ("int x = ", "(", "1", ")", ";"),
        ("int x = ", "-", "1", "", ";"),
        ("int x = ", "(int)", "1", "", ";"),
        ("int x = ", "a[", "1", "]", ";"),
        ("int x = ", "f(", "1", ")", ";"),
        ("int x = ", "a ? ", "1", " : 2", ";"),
        ("int x = ", "1 ? 2 : ", "1", "", ";"),
        ("int x = ", "sizeof ", "1", "", ";"),
        ("int x = ", "a = ", "1", "", ";"),
        ("int x = ", "1 + ", "1", "", ";"),
        ("int x = ", "", "1", " + 1", ";"),
        ("int x = ", "", "a", "[1]", ";"),
        ("int x = ", "", "a", ".b", ";"),
        ("int x = ", "", "a", "()", ";"),
        ("int x = ", "", "(a", ", a", ");"),
        ("int x = ", "{", "1", "}", ";"),
        ("int x = ", "({", "1;", "});", ";"),
        ("int x = ", "__extension__ ", "1", "", ";"),
        ("int x = ", "_Generic(1, default: ", "1", ")", ";"),
        ("int x = ", "(struct s){", "1", "}", ";"),
        ("int ", "*", "x", "", ";"),
        ("int ", "(", "x", ")", ";"),
        ("int x", "[", "1", "]", ";"),
        ("int x", "", "", "[1]", ";"),
        ("int x", "(int ", "", ")", ";"),
        ("", "struct s { ", "int x;", "} y;", ""),
        ("", "typeof(", "int", ") ", "x;"),
        ("", "enum { A = sizeof(", "int", ") } ", "x;"),
        ("void f(void) ", "{", "", "}", ""),
        ("void f(void) {", "if (1) ", ";", "", "}"),
        ("void f(void) {", "if (1) ; else ", ";", "", "}"),
        ("void f(void) {", "while (1) ", ";", "", "}"),
        ("void f(void) {", "for (;;) ", ";", "", "}"),
        ("void f(void) {", "do ", ";", " while (1);", "}"),
        ("void f(void) {", "case 1: ", ";", "", "}"),
        ("void f(void) {", "l: ", ";", "", "}"),
        ("void f(void) {", "switch (1) {", "", "}", "}"),
        ("void f(void) {", "void g(void) {", "", "}", "}"),
        ("", "__attribute__((a(", "1", ")))", "int x;"),
        ("", "__attribute__((a)) ", "int x;", "", ""),
        ("shared ", "[upc_localsizeof(shared ", "", ")]", "int x;"),
        ("void f(void) {", "upc_forall (;;;) ", ";", "", "}"),
        ("int x = ", "&&a + ", "1", "", ";"),
        ("", "int x;", "", "", ""),
        ("", "}", "", "", ""),
        ("", "int f(", "", "", ""),
        ("void f(void) {", "foo(", "", ";", ""),
        ("", "_Atomic(", "int", ")", "x;"),
        ("", "int x = 08 + foo bar;", "", "", ""),
        ("void f(void) {", "a b c;", "", "", "}"),
        ("int x = ", "\"s\" ", "", "", ";"),
        ("int x = ", "__builtin_choose_expr(1, ", "1", ", 2)", ";"),
    ];
    on_big_stack(move || {
        for (before, open, middle, close, after) in towers {
            for count in [900, 15_000] {
                let text = format!("{before}{}{middle}{}{after}", open.repeat(count), close.repeat(count));
                survive(&text);
                survive(&text[..text.len() / 2]);
            }
        }
    });
}

/// Programs within the limits are read: the limits are far above real programs.
#[test]
fn the_limits_are_wide() {
    on_big_stack(|| {
        let nested = format!("int x = {}1{};", "(".repeat(900), ")".repeat(900));
        let chain = format!("int x = 1{};", " + 1".repeat(9000));
        let cases: String = (0..9000).map(|i| format!("case {i}: ")).collect();
        let elses: String = (0..5000).map(|i| format!("if (x == {i}) x = 1; else ")).collect();
        let body = format!("void f(int x) {{ switch (x) {{ {cases} ; }} {elses} ; }}");
        for text in [nested, chain, body] {
            let (source, _, diagnostics) = parse(&text, Dialect::UPC);
            assert!(diagnostics.is_empty(), "{}", base::render(&diagnostics, &source, false));
        }
    });
}
