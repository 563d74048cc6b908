//! Tests of the text of pieces: the user's lines keep their places, new text keeps its tokens apart, and the
//! builders' results are balanced.

use base::{Source, Span};
use emit::build::{after, around, assign, block, declare, for_loop, if_else, initializer, statement};
use emit::{Piece, call, seq, splice, write};

fn source(text: &str) -> Source {
    Source::new(text.to_owned())
}

/// The text of new pieces alone.
fn new_text(piece: &Piece) -> String {
    write(&source(""), "", piece)
}

/// The place of `part` in `text`.
fn span(text: &str, part: &str) -> Span {
    let lo = text.find(part).expect("the part") as u32;
    Span::new(lo, lo + part.len() as u32)
}

/// The number at which a compiler would report each line of C, by the markers.
fn reported(c: &str) -> Vec<(u32, &str)> {
    let mut at = 0;
    let mut lines = Vec::new();
    for line in c.lines() {
        match line.strip_prefix("# ").and_then(|rest| rest.split(' ').next()) {
            Some(number) => at = number.parse().expect("a line number"),
            None => {
                lines.push((at, line));
                at += 1;
            }
        }
    }
    lines
}

#[test]
fn unchanged_text_goes_out_as_it_came() {
    let text = "# 1 \"a.upc\"\nint a;\n\n# 40 \"b.h\"\nint b; /* x */\n";
    let all = Span::new(0, text.len() as u32);
    assert_eq!(write(&source(text), "", &Piece::Src(all)), text);
}

#[test]
fn lines_keep_their_numbers_around_changes() {
    let text = "# 1 \"a.upc\"\nint f(void)\n{\n    one();\n    two(1,\n        2);\n    three();\n}\n";
    let all = Span::new(0, text.len() as u32);
    let change = (span(text, "two(1,\n        2)"), Piece::text("TWO"));
    let c = write(&source(text), "", &splice(all, vec![change]));
    let lines = reported(&c);
    let at = |what: &str| lines.iter().find(|line| line.1.contains(what)).map(|line| line.0);
    assert_eq!((at("one"), at("TWO"), at("three")), (Some(3), Some(4), Some(6)), "{c}");
}

#[test]
fn words_behind_changes_keep_their_columns() {
    let text = "# 1 \"a.upc\"\nint x, y;\n\ta(1); b(2); c(\n3); d(4);\n";
    let all = Span::new(0, text.len() as u32);
    let long = Piece::text("SOMETHING_LONGER_THAN_BEFORE(1)");
    let changes = vec![(span(text, "a(1)"), long.clone()), (span(text, "c(\n3)"), long)];
    let c = write(&source(text), "", &splice(all, changes));
    for word in ["int", "b(2)", "d(4)"] {
        let before = |text: &str| {
            let line = text.lines().find(|line| line.contains(word)).expect("the word");
            line[..line.find(word).unwrap()].replace(|c| c != '\t', " ")
        };
        assert_eq!(before(&c), before(text), "{word} in {c}");
    }
}

#[test]
fn a_line_of_its_own_leaves_the_next_columns_alone() {
    let text = "# 1 \"a.upc\"\nint a;\nint b;\n";
    let all = Span::new(0, text.len() as u32);
    let lo = span(text, "int b").lo;
    let c = write(&source(text), "", &splice(all, vec![(Span::new(lo, lo), Piece::Line("new;".into()))]));
    assert!(c.contains("\nnew;\n"), "{c}");
    assert_eq!(reported(&c).iter().find(|line| line.1 == "int b;").map(|line| line.0), Some(2), "{c}");
}

#[test]
fn flat_text_holds_no_directives() {
    let text = "# 1 \"a.upc\"\nf(1,\n# 2 \"a.upc\"\n  2)\n";
    let part = span(text, "f(1,\n# 2 \"a.upc\"\n  2)");
    let c = write(&source(text), "", &seq!["M(", Piece::Src(part).flat(), ");"]);
    assert_eq!(c.trim(), "M(f(1,   2) );");
}

#[test]
fn tokens_stay_apart() {
    for (a, b, text) in
        [("int", "x", "int x"), ("1", ".x", "1 .x"), ("a", "+b", "a+b"), ("x", "\"s\"", "x \"s\"")]
    {
        assert_eq!(new_text(&seq![a, b]).trim_end(), text);
    }
}

#[test]
fn builders() {
    let a = || Piece::text("a");
    for (piece, text) in [
        (block([statement("a"), statement("b")]), "{ a; b; }"),
        (declare("int x", None), "int x;"),
        (declare("int x", Some(a())), "int x = a;"),
        (if_else(a(), block([]), None), "if (a) { }"),
        (if_else(a(), block([]), Some(block([statement("b")]))), "if (a) { } else { b; }"),
        (for_loop(";".into(), a(), "i++".into(), block([])), "for (; a; i++) { }"),
        (for_loop(declare("int i", Some(a())), a(), Piece::empty(), block([])), "for (int i = a; a; ) { }"),
        (after([declare("int v", Some(a()))], assign("v", "2")), "__extension__ ({ int v = a; v = 2; })"),
        (initializer([a(), initializer([])]), "{a, {}}"),
        (call!["M"; a(), "b", String::from("c")], "M(a, b, c)"),
        (call!["M";], "M()"),
    ] {
        let written: Vec<String> = new_text(&piece).split_whitespace().map(str::to_owned).collect();
        assert_eq!(written.join(" "), text);
    }
    let (open, close) = around(statement("front"), statement("behind"));
    assert_eq!(new_text(&seq![open, "x;", close]).trim_end(), "{ front; x; behind; }");
}
