//! The replacement of each word of the dialects; other text does not move.

use c_syntax::Language::{self, Ac, SplitC, Upc};
use editor::rewrite::rewrite;

/// Returns the C of a source, with a dot for each blank that replaces a character.
fn shown(language: Language, source: &str) -> String {
    let rewritten = rewrite(source, &[language]);
    let (mut out, mut at) = (String::new(), 0);
    // The sources here are ASCII, so that bytes are columns.
    for (byte, c) in rewritten.text.char_indices() {
        at += usize::from(rewritten.spans.get(at).is_some_and(|span| span.end <= byte));
        let inside = rewritten.spans.get(at).is_some_and(|span| span.contains(&byte));
        out.push(if inside && c == ' ' { '.' } else { c });
    }
    out
}

#[track_caller]
fn becomes(language: Language, source: &str, c: &str) {
    assert_eq!(shown(language, source), c, "{source}");
}

#[test]
fn qualifiers_and_their_layouts_are_blanked() {
    becomes(Upc, "shared [4] int a[4 * THREADS];", "...... ... int a[4 * THREADS];");
    becomes(Upc, "shared [] strict int *shared p;", "...... .. ...... int *...... p;");
    becomes(Upc, "shared[*] int a[9];", "......... int a[9];");
    becomes(Upc, "f((shared [B[0] + 1] int *)p)", "f((...... ..... . .. int *)p)");
    becomes(Upc, "shared\nint a;", "......\nint a;");
    becomes(SplitC, "int *global p; int *spread q;", "int *...... p; int *...... q;");
    becomes(Ac, "dist int *dist p;", ".... int *.... p;");
}

#[test]
fn words_of_other_dialects_are_names() {
    becomes(Upc, "int global, dist;", "int global, dist;");
    becomes(Ac, "int shared = spread;", "int shared = spread;");
    becomes(Language::C, "int shared, global, dist;", "int shared, global, dist;");
}

#[test]
fn upc_forall_is_a_loop_that_names_its_affinity() {
    becomes(Upc, "upc_forall (i = 0; i < n; i++; &a[i]) {", ".......for (i = 0; i < n; i++, &a[i]) {");
    becomes(Upc, "upc_forall (;;;) f();", ".......for (;;.) f();");
    becomes(Upc, "upc_forall (;;; i) f();", ".......for (;;. i) f();");
    becomes(Upc, "upc_forall (; i < 9; i++; continue) f();", ".......for (; i < 9; i++. ........) f();");
    becomes(Upc, "upc_forall (;;; continue) f();", ".......for (;;. ........) f();");
    becomes(Upc, "upc_forall (;f(({g(); 1;}));i++;i);", ".......for (;f(({g(); 1;}));i++,i);");
    // Incomplete text, as it is while being typed.
    becomes(Upc, "upc_forall (int i = 0; i <", ".......for (int i = 0; i <");
    becomes(Upc, "upc_forall", ".......for");
}

#[test]
fn statements_of_barriers_are_expressions() {
    becomes(Upc, "upc_barrier; upc_wait; upc_fence;", "upc_barrier; upc_wait; upc_fence;");
    becomes(Upc, "upc_barrier 1;", "upc_barrier,1;");
    becomes(Upc, "upc_notify\tx + 1;", "upc_notify,x + 1;");
    becomes(Upc, "upc_wait(x);", "........(x);");
    becomes(Upc, "upc_barrier\nf();", "upc_barrier\nf();");
    becomes(Upc, "upc_barrier /* why */ MYTHREAD;", "upc_barrier,/* why */ MYTHREAD;");
}

#[test]
fn sizes_are_sizes() {
    becomes(Upc, "upc_blocksizeof(shared [3] int)", ".........sizeof(...... ... int)");
    becomes(Upc, "upc_localsizeof a", ".........sizeof a");
}

#[test]
fn colons_of_split_c() {
    becomes(SplitC, "double a[N]::;", "double a[N]..;");
    becomes(SplitC, "int c[PROCS]::[10];", "int c[PROCS]..[10];");
    becomes(SplitC, "x := *g; *g := x;", "x .= *g; *g .= x;");
    becomes(SplitC, "*g :- x;", "*g .= x;");
    becomes(SplitC, "y = a ? b :-1;", "y = a ? b :-1;");
    becomes(SplitC, "y = a ? (x := *g) : f(b ? 1 :-1);", "y = a ? (x .= *g) : f(b ? 1 :-1);");
    becomes(
        SplitC,
        "switch (x) { case 1:-x; default: y :- 1; }",
        "switch (x) { case 1:-x; default: y .= 1; }",
    );
    becomes(SplitC, "struct s { int a:3; };", "struct s { int a:3; };");
    becomes(Ac, "y = a ? b :-1;", "y = a ? b :-1;");
}

#[test]
fn bodies_of_macros_are_rewritten_and_other_directives_are_not() {
    becomes(Upc, "#define S shared [2] int", "#define S ...... ... int");
    becomes(
        Upc,
        "#define EACH(i, n) \\\n  upc_forall (i = 0; i < n; \\\n  i++; i)\nint x;",
        "#define EACH(i, n) \\\n  .......for (i = 0; i < n; \\\n  i++, i)\nint x;",
    );
    becomes(Upc, "#define shared(x) x", "#define shared(x) x");
    becomes(
        Upc,
        "#pragma upc strict\n# include <shared.h>\n#if shared\n",
        "#pragma upc strict\n# include <shared.h>\n#if shared\n",
    );
    becomes(SplitC, "#define PUT(g, x) *(g) :- (x)\n", "#define PUT(g, x) *(g) .= (x)\n");
}

#[test]
fn comments_and_strings_stay() {
    for text in [
        "// shared int\n/* upc_barrier 1; \n# define shared\n*/ char *s = \"shared // \\\" /*\"; char c = '\"';",
        "char *s = \"not closed\nint x; /* nor this",
        "char c = 'shared",
        "// shared \\\nshared int",
    ] {
        becomes(Upc, text, text);
    }
}

#[test]
fn a_header_of_several_dialects() {
    let both = rewrite("int *spread a; dist int b; int x[3]::;", &[Ac, SplitC]);
    assert_eq!(both.text, "int *       a;      int b; int x[3]  ;");
    assert_eq!(both.spans.len(), 4);
}

/// Checks that lines and columns in UTF-16 are those of the source, for any text.
fn keeps_the_shape(text: &str) {
    for languages in [&[Upc][..], &[SplitC], &[Ac], &[Upc, SplitC, Ac]] {
        let c = rewrite(text, languages);
        let columns = |text: &str| text.split('\n').map(|l| l.encode_utf16().count()).collect::<Vec<_>>();
        assert_eq!(columns(&c.text), columns(text), "{text:?}");
        assert!(c.spans.windows(2).all(|two| two[0].end <= two[1].start), "{text:?}");
    }
}

#[test]
fn letters_outside_of_ascii_keep_their_columns() {
    keeps_the_shape("shared [größe * 𝒳] int a; /* 𝒳 */ upc_forall(;;;é) x;");
    assert_eq!(rewrite("shared [größe] int a;", &[Upc]).text, "               int a;");
}

proptest::proptest! {
    #[test]
    fn any_text_keeps_its_shape(pieces in proptest::collection::vec(piece(), 0..40)) {
        keeps_the_shape(&pieces.concat());
    }
}

/// Returns the pieces that the rewriting examines, in any order.
fn piece() -> impl proptest::strategy::Strategy<Value = String> {
    const PIECES: [&str; 44] = [
        "shared",
        " ",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ";",
        ":",
        "::",
        ":=",
        ":-",
        "?",
        "case ",
        "upc_forall",
        "upc_barrier",
        "upc_wait",
        " 1",
        "x",
        "größe",
        "𝒳",
        "\n",
        "\r\n",
        "\\\n",
        "#define ",
        "#",
        "\"",
        "'",
        "\\",
        "/*",
        "*/",
        "//",
        "continue",
        "upc_elemsizeof",
        "global ",
        "dist ",
        "spread ",
        ",",
        "\t",
        "THREADS",
        "R\"a(",
        "\u{feff}",
        "-",
    ];
    proptest::strategy::Strategy::prop_map(0..PIECES.len(), |index| PIECES[index].to_owned())
}
