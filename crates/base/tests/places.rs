//! From the preprocessed text back to the user's lines, with the real preprocessors.

use base::{Code, Diagnostic, Locator, Source, Span};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn temporary() -> TempDir {
    tempfile::Builder::new().prefix("meridian-places-").tempdir().expect("a directory")
}

fn write(directory: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn preprocess(cc: &str, file: &Path) -> Option<Source> {
    let output = Command::new(cc).args(["-w", "-E", "-x", "c"]).arg(file).output().ok()?;
    output.status.success().then(|| Source::new(String::from_utf8(output.stdout).expect("UTF-8")))
}

/// Returns the span of the n-th occurrence (from 0) of a word in the preprocessed text, outside of line
/// markers.
fn find(source: &Source, word: &str, nth: usize) -> Span {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let at = source
        .text
        .match_indices(word)
        .filter(|&(at, _)| {
            let line = source.slice(source.line_span(source.line_of(at as u32)));
            !line.starts_with('#')
                && !is_word(source.text[..at].chars().next_back())
                && (!is_word(source.text[at + word.len()..].chars().next()) || !is_word(word.chars().next()))
        })
        .nth(nth)
        .unwrap_or_else(|| panic!("{word} stands in the text"))
        .0;
    Span::new(at as u32, (at + word.len()) as u32)
}

/// Returns `line:column text`, and the macro, for a span.
fn place(source: &Source, span: Span) -> String {
    let place = Locator::new(source).locate(span);
    let shown = &place.text.text[place.range.clone()];
    let name = place.in_macro.map_or(String::new(), |found| {
        let line = found.defined.map_or("?".to_owned(), |d| d.1.to_string());
        format!(" in {} of line {line}", found.name)
    });
    format!("{}:{} {shown}{name}", place.line, place.column)
}

/// Runs the checks with every installed compiler.
fn with_compilers(text: &str, check: impl Fn(&Source, &str)) {
    let directory = temporary();
    let file = write(&directory, "prog.c", text);
    let mut tried = 0;
    for cc in ["gcc", "clang"] {
        if let Some(source) = preprocess(cc, &file) {
            check(&source, cc);
            tried += 1;
        }
    }
    assert!(tried > 0, "these tests need gcc or clang");
}

const PROGRAM: &str = "#define ADD(x, y) ((x) + (y) + hidden)
#define   NIL    ((void *)zero)
#include <stddef.h>
int f(int alpha) {
\treturn   alpha  /* words */ +beta;
    return ADD(gamma,
               delta * 2) +   NIL + tail;
    epsilon = NULL ; zeta = ADD( 1 , ADD(eta, 2)); theta;
    int \\
      joined = iota  ; \"é\" ; after;
#define TWICE(x) ((x) * other * (x))
    TWICE(mu [ 3 ]);
}
#pragma omp here
";

#[test]
fn columns_come_back() {
    with_compilers(PROGRAM, |source, _| {
        assert_eq!(place(source, find(source, "alpha", 0)), "4:11 alpha");
        assert_eq!(place(source, find(source, "beta", 0)), "5:31 beta");
        let sum = find(source, "alpha", 1).to(find(source, "beta", 0));
        assert_eq!(place(source, sum), "5:11 alpha  /* words */ +beta");
        assert_eq!(place(source, find(source, "theta", 0)), "8:52 theta");
        assert_eq!(place(source, find(source, "iota", 0)), "10:16 iota");
        assert_eq!(place(source, find(source, "after", 0)), "10:30 after");
    });
}

#[test]
fn arguments_of_macros_keep_their_places() {
    with_compilers(PROGRAM, |source, _| {
        assert_eq!(place(source, find(source, "gamma", 0)), "6:16 gamma");
        assert_eq!(place(source, find(source, "delta", 0)), "7:16 delta");
        assert_eq!(place(source, find(source, "tail", 0)), "7:37 tail");
        assert_eq!(place(source, find(source, "zeta", 0)), "8:22 zeta");
        assert_eq!(place(source, find(source, "eta", 0)), "8:42 eta");
    });
}

#[test]
fn an_argument_used_twice_has_one_place() {
    with_compilers(PROGRAM, |source, _| {
        for copy in [0, 1] {
            assert_eq!(place(source, find(source, "mu", copy)), "12:11 mu");
            let start = find(source, "mu", copy);
            let length = source.text[start.lo as usize..].find(')').expect("it ends") as u32;
            assert_eq!(place(source, Span::new(start.lo, start.lo + length)), "12:11 mu [ 3 ]");
        }
        assert_eq!(place(source, find(source, "other", 0)), "12:5 TWICE in TWICE of line 11");
    });
}

#[test]
fn what_a_macro_brought_is_at_its_name() {
    with_compilers(PROGRAM, |source, _| {
        assert_eq!(place(source, find(source, "hidden", 0)), "6:12 ADD in ADD of line 1");
        assert_eq!(place(source, find(source, "zero", 0)), "7:31 NIL in NIL of line 2");
        let null = find(source, "void", 1);
        assert!(place(source, null).starts_with("8:15 NULL in NULL of line "), "{}", place(source, null));
    });
}

#[test]
fn what_stands_in_the_outer_macro_is_not_the_arguments() {
    let text = "#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LIMIT 10
#define CHECK(a, b) do { int a_ = (a), b_ = (b); \\
    if (a_ != b_) outer = 1; } while (0)
#define ASSERT(c) do { if (!(c)) failed(1); } while (0)
void f(void) {
    CHECK(MAX(x, 3), LIMIT);
    CHECK(y, LIMIT + LIMIT);
    CHECK(z,
          MAX(LIMIT, 4));
    ASSERT(MAX(u, 1));
}
";
    with_compilers(text, |source, _| {
        for (n, line) in [7, 8, 9].into_iter().enumerate() {
            let expected = format!("{line}:5 CHECK in CHECK of line 3");
            assert_eq!(place(source, find(source, "outer", n)), expected);
            assert_eq!(place(source, find(source, "a_", 2 * n)), expected);
        }
        assert_eq!(place(source, find(source, "x", 0)), "7:15 x");
        assert_eq!(place(source, find(source, "failed", 0)), "11:5 ASSERT in ASSERT of line 5");
    });
}

#[test]
fn a_span_that_ends_in_a_macro_reaches_to_the_end_of_its_call() {
    with_compilers(PROGRAM, |source, _| {
        let start = find(source, "zeta", 0);
        let length = source.text[start.lo as usize..].find(';').expect("the statement ends") as u32;
        let whole = Span::new(start.lo, start.lo + length);
        assert_eq!(place(source, whole), "8:22 zeta = ADD( 1 , ADD(eta, 2))");
    });
}

#[test]
fn pragmas_are_shown_whole() {
    with_compilers(PROGRAM, |source, _| {
        let at = source.text.find("#pragma omp").expect("the pragma is kept") as u32;
        assert_eq!(place(source, Span::new(at, at + 16)), "14:1 #pragma omp here");
    });
}

#[test]
fn headers_are_followed_and_rendered() {
    let directory = temporary();
    write(&directory, "inner.h", "\n\nint   wrong   here ;\n");
    write(&directory, "outer.h", "int outer;\n\n\n\n\n\n\n\n\n\n\n#include \"inner.h\"\nint end;\n");
    let file = write(&directory, "prog.c", "#include \"outer.h\"\nint  fine ;\n");
    let source = ["gcc", "clang"].iter().find_map(|cc| preprocess(cc, &file)).expect("gcc or clang");
    let diagnostic = Diagnostic::error(Code::SharedAutomatic, find(&source, "here", 0), "this is wrong")
        .label("here")
        .also(find(&source, "fine", 0), "unlike this")
        .note("a reason")
        .help("do otherwise");
    let rendered = base::render(&[diagnostic.clone(), diagnostic], &source, false);
    let rendered = rendered.replace(&directory.path().display().to_string(), "DIR");
    assert_eq!(
        rendered,
        "\
error[U0600]: this is wrong
 --> DIR/inner.h:3:15
  |
3 | int   wrong   here ;
  |               ^^^^ here
  |
 ::: DIR/prog.c:2:6
  |
2 | int  fine ;
  |      ---- unlike this
  |
  = note: a reason
  = note: included from DIR/outer.h:12, which is included from DIR/prog.c:1
  = note: UPC 6.5.2
  = help: do otherwise

"
    );
}

#[test]
fn warnings_in_system_headers_are_dropped() {
    let source =
        Source::new("# 1 \"/nowhere/sys.h\" 1 3\nint a;\n# 2 \"/nowhere/user.c\" 2\nint b;\n".into());
    let warn =
        |word| Diagnostic::warning(Code::PragmaPlacement, find(&source, word, 0), format!("about {word}"));
    let rendered = base::render(&[warn("a"), warn("b")], &source, false);
    assert!(!rendered.contains("about a") && rendered.contains("about b"), "{rendered}");
    assert!(rendered.contains("/nowhere/user.c:2:5") && rendered.contains("2 | int b;"), "{rendered}");
    let error = Diagnostic::error(Code::Expected, find(&source, "a", 0), "about a");
    assert!(base::render(&[error], &source, false).contains("/nowhere/sys.h:1:5"));
}

#[test]
fn line_markers() {
    let text =
        "a\n# 7 \"x \\\"y\\\\\\303\\251.c\" 1 3 4\nb\n\nc\n#line 40\nd\n #  line 9 \"z.c\"\ne\n# pragma x\nf";
    let source = Source::new(text.to_owned());
    let at = |word: &str| {
        let offset = source.text.rfind(&format!("\n{word}")).map_or(0, |at| at + 1) as u32;
        let place = source.presumed(offset);
        (source.file(place.file).display().to_string(), place.line, place.system)
    };
    let name = "x \"y\\é.c".to_owned();
    assert_eq!(source.presumed(0).line, 1);
    assert_eq!(at("b"), (name.clone(), 7, true));
    assert_eq!(at("c"), (name.clone(), 9, true));
    assert_eq!(at("d"), (name, 40, true));
    assert_eq!(at("e"), ("z.c".into(), 9, true));
    assert_eq!(at("f"), ("z.c".into(), 11, true));
}

#[test]
fn any_span_has_a_place() {
    let texts = [
        "",
        "\n",
        "é",
        "# 1 \"/nowhere/x.c\"\n",
        "# 5 \"/nowhere/x.c\"\na é b\n\n# 6 \"/nowhere/x.c\"",
        "int x = \"open",
    ];
    for text in texts {
        let source = Source::new(text.to_owned());
        let limit = text.len() as u32 + 3;
        for lo in 0..limit {
            for hi in lo..limit {
                let error = Diagnostic::error(Code::Expected, Span::new(lo, hi), "x");
                assert!(base::render(&[error], &source, true).contains("x"));
            }
        }
    }
}

#[test]
fn files_that_changed_do_no_harm() {
    let directory = temporary();
    let file = write(&directory, "prog.c", "int a, b;\nint f(int c) { return c + MACRO(d) + e; }\n");
    let source = ["gcc", "clang"].iter().find_map(|cc| preprocess(cc, &file)).expect("gcc or clang");
    let unchanged = std::fs::read_to_string(&file).expect("a file");
    for text in [unchanged.as_str(), "", "\n", "é é é\n\u{e9}", "int (((((", "\n\n\n) ) ) (", "#", "\"", "/*"]
    {
        std::fs::write(&file, text).expect("a file");
        for lo in 0..source.text.len() as u32 {
            for length in [0, 1, 3, 20] {
                let error = Diagnostic::error(Code::Expected, Span::new(lo, lo + length), "x");
                assert!(base::render(&[error], &source, false).contains("x"));
            }
        }
    }
}

/// The drawing library processes all of the text that it is given: for a long line this is the part around
/// the place, which keeps its column.
#[test]
fn a_long_line_is_drawn_in_part() {
    let mut text = "int first;\n".to_owned();
    text += &"aé;".repeat(20_000);
    text += "wrong;";
    text += &"b;".repeat(20_000);
    text += "\nint last;\n";
    let source = Source::new(text);
    let at = source.text.find("wrong").expect("it stands there") as u32;
    let error = |lo, hi| Diagnostic::error(Code::Expected, Span::new(lo, hi), "this").label("here");
    let drawn = base::render(&[error(at, at + 5)], &source, false);
    assert!(drawn.contains(":2:60001\n") && drawn.contains("wrong;b;") && drawn.len() < 6000, "{drawn}");
    let last = source.text.len() as u32;
    assert!(base::render(&[error(last - 5, last)], &source, false).contains("int last;"));
    let lines = base::render::render_lines(&[error(at, at + 5)], &source, None);
    assert!(lines.contains(":2:60001: error: this [C0100]\n"), "{lines}");
}
