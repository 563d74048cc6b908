//! `meridian cc`: bad input, bad command lines and bad surroundings.

use crate::{HELLO, scratch, sorted};

#[test]
fn sources_that_cannot_be_read_are_named() {
    let scratch = scratch("unreadable").file("good.upc", HELLO);
    std::fs::create_dir(scratch.path("directory.upc")).unwrap();
    scratch.refused("cc missing.upc", &["missing.upc"]);
    scratch.refused("cc directory.upc", &["directory.upc"]);
    scratch.refused("cc", &["no input files"]);
    scratch.refused("cc good.upc -o no/such/directory/a.out", &["no/such/directory"]);
}

#[test]
fn sources_that_are_no_text_are_refused_without_a_panic() {
    let noise: Vec<u8> = (0..5000u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    let scratch =
        scratch("binary").file("noise.upc", noise).file("zero.upc", [0u8; 3000]).file("empty.upc", "");
    scratch.refused("cc -c noise.upc", &["error"]);
    scratch.refused("cc -c zero.upc", &["error"]);
    scratch.good("cc -c empty.upc");
    // The dialect whose entry is missing is known when the program starts.
    let linked = scratch.meridian("cc empty.upc -o empty");
    let told = if linked.status == 0 { scratch.refused("run -n 2 ./empty", &[]) } else { linked };
    assert!(told.stderr.contains("main"), "{}", told.report());
}

#[test]
fn no_prefix_of_a_program_makes_the_compiler_panic() {
    let source = std::fs::read_to_string(tests::home().join("upc/run/decl/structs.upc")).unwrap();
    let body = source
        .replace("#include \"../../check.h\"", "#define CHECK(x) (x);\n#define CHECK_EQ(x, y) ((x) == (y));");
    let scratch = scratch("prefixes");
    for end in (1..body.len()).step_by(211) {
        scratch.write("prefix.upc", &body[..end]);
        let outcome = scratch.meridian("cc -fsyntax-only prefix.upc");
        assert!(outcome.status == 0 || outcome.status == 1, "{end} bytes: {}", outcome.report());
    }
}

#[test]
fn a_missing_include_is_told_at_its_line() {
    let scratch = scratch("include")
        .file("a.upc", "#include <stdio.h>\n#include \"missing.h\"\nint main(void) { return 0; }\n");
    scratch.refused("cc a.upc", &["missing.h", "a.upc:2"]);
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let scratch = scratch("options").file("a.upc", HELLO).file("b.upc", HELLO);
    scratch.refused("cc -T 4 -fupc-threads-5 a.upc", &["4", "5"]);
    scratch.refused("cc -T 0 a.upc", &["0"]);
    scratch.refused("cc -T many a.upc", &["many"]);
    scratch.refused("cc -T -3 a.upc", &["3"]);
    scratch.refused("cc -c a.upc b.upc -o both.o", &["-o"]);
    scratch.refused("cc --emit=pascal a.upc", &["pascal"]);
    scratch.refused("cc -x cobol a.upc", &["cobol"]);
    scratch.refused("cc --no-such-option a.upc", &["--no-such-option"]);
}

#[test]
fn every_spelling_of_a_static_thread_count_is_the_same() {
    let scratch = scratch("spellings").file("hello.upc", HELLO);
    for option in ["-T 2", "-T2", "-T=2", "-fupc-threads-2", "-THREADS=2", "-fupc-threads=2"] {
        scratch.good(&format!("cc {option} hello.upc -o hello"));
        assert_eq!(sorted(&scratch.good("run ./hello")), ["thread 0 of 2", "thread 1 of 2"], "{option}");
    }
}

#[test]
fn the_back_end_compiler_that_is_missing_is_named() {
    let scratch = scratch("backend").file("hello.upc", HELLO);
    let outcome = scratch.shell("MERIDIAN_CC=no-such-compiler \"$MERIDIAN\" cc hello.upc");
    assert_ne!(outcome.status, 0);
    assert!(outcome.stderr.contains("no-such-compiler"), "{}", outcome.report());
    scratch.refused("cc --cc= hello.upc", &["no C compiler is named"]);
}

#[test]
fn objects_for_different_static_threads_do_not_run_together() {
    let scratch = scratch("mixed")
        .file("a.upc", "#include <upc.h>\nint f(void);\nshared int x;\nint main(void) { return f(); }\n")
        .file("b.upc", "#include <upc.h>\nshared int y;\nint f(void) { return y; }\n");
    scratch.good("cc -T 2 -c a.upc");
    scratch.good("cc -T 3 -c b.upc");
    let linked = scratch.meridian("cc a.o b.o -o mixed");
    if linked.status == 0 {
        scratch.refused("run ./mixed", &["2", "3"]);
    }
}

#[test]
fn a_c_compiler_that_is_meridian_again_is_refused() {
    let scratch = scratch("circle").file("hello.upc", HELLO);
    let script = "printf '#!/bin/sh\\nexec \"$MERIDIAN\" cc \"$@\"\\n' > again && chmod +x again && ";
    let outcome = scratch.shell(&format!("{script} CC=./again ./again -c hello.upc"));
    assert_ne!(outcome.status, 0, "{}", outcome.report());
    assert!(outcome.stderr.contains("runs `meridian cc` again"), "{}", outcome.report());
}

#[test]
fn an_error_in_a_header_is_told_there() {
    let scratch = scratch("header")
        .file("outer.h", "#include \"inner.h\"\n")
        .file("inner.h", "shared int ok;\nstatic int bad(void) { return ok + gone; }\n")
        .file("main.upc", "#include \"outer.h\"\nint main(void) { return bad(); }\n");
    scratch.refused("cc -c main.upc", &["inner.h:2:36", "gone"]);
}

#[test]
fn a_program_without_an_entry_is_not_linked() {
    let scratch = scratch("entry")
        .file("part.upc", "#include <upc.h>\nshared int x;\nint part(void) { return x; }\n")
        .file("part.sc", "int *global p;\nint part(void) { return *p; }\n")
        .file("part.c", "int part(void) { return 1; }\n");
    for (file, entry) in
        [("part.upc", "has no `main`"), ("part.sc", "`splitc_main`"), ("part.c", "has no `main`")]
    {
        let said = scratch.refused(&format!("cc {file} -o part"), &[entry, "compile with -c"]);
        assert!(!said.stderr.contains("entry.c"), "{file}: {}", said.report());
        assert!(!scratch.has("part"), "{file} became a program");
    }
}

#[test]
fn static_objects_that_do_not_fit_are_named_when_linking() {
    let scratch = scratch("large-statics")
        .file(
            "large.sc",
            "double big[300000000];\nint end;\nint splitc_main() { big[5] = end; return big[6]; }\n",
        )
        .file(
            "large.upc",
            "#include <upc.h>\nshared int x;\nint main(void) {\n    static char buffer[1L << 31];\n    \
             buffer[x] = 1;\n    return buffer[7];\n}\n",
        );
    for (file, name) in [("large.sc", "`big` (2288 MB)"), ("large.upc", "`buffer` (2048 MB)")] {
        let said = scratch.refused(&format!("cc {file} -o large"), &[name, "2 GB", "allocate", "malloc"]);
        assert_eq!(said.stderr.lines().count(), 1, "{file}: {}", said.report());
        assert!(!scratch.has("large"), "{file} became a program");
    }
}

#[test]
fn functions_of_a_library_without_their_header_are_named_when_linking() {
    let scratch =
        scratch("no-header").file("a.ac", "void barrier(void);\nint main(void) { barrier(); return 0; }\n");
    let said = scratch.refused("cc a.ac -o a", &["undefined reference", "#include <split-c/split-c.h>"]);
    assert!(!said.stderr.contains("has no `main`"), "{}", said.report());
}

#[test]
fn functions_of_c_that_no_file_defines_are_named_where_id_declares_them() {
    let scratch = scratch("no-external")
        .file(
            "main.id",
            "typeof area = float -> float;\ntypeof half = float -> float;\n  @external area \"Area\";\n\
             @external half;\n{ call print (area 1.0); call print (half 1.0) };\n",
        )
        .file("half.c", "double half(double x) { return x / 2; }\n")
        .file("other.c", "double AREA(double x) { return x; }\n");
    let said = scratch.refused(
        "cc -fdiagnostics-format=text main.id half.c -o a",
        &[
            "no file of the program defines the function `Area` of C",
            "main.id:3:13",
            "@external area",
            "add the file of C",
        ],
    );
    assert_eq!(said.stderr.matches("error").count(), 1, "{}", said.report());
    assert!(!said.stderr.contains("collect2") && !said.stderr.contains("reference"), "{}", said.report());
    // Linked by itself, and in a directory from which the text is not seen.
    scratch.good("cc -c main.id -o main.o");
    let said = scratch.refused("cc main.o half.c other.c -o a", &["`Area`", "there is `AREA`"]);
    assert!(!said.stderr.contains("`half`"), "{}", said.report());
    std::fs::remove_file(scratch.path("main.id")).expect("it was there");
    scratch.refused("cc main.o -o a", &["main.id:3:1: error", "`Area`", "main.id:4:1: error", "`half`"]);
    // For names that the Id program does not declare the linker's message stays.
    let scratch =
        scratch.file("third.c", "double missing(void);\ndouble Area(double x) { return missing(); }\n");
    scratch.refused("cc main.o half.c third.c -o a", &["undefined reference to `missing'"]);
}

#[test]
fn large_arrays_are_declared_with_their_lengths() {
    let scratch = scratch("large")
        .file("use.upc", "extern shared [] char large[]; int main(void) { return large[0]; }")
        .file("define.upc", "shared [] char large[300000000];");
    scratch.refused(
        "cc use.upc define.upc -o large",
        &["`large`", "give its length in each `extern` declaration"],
    );
}
