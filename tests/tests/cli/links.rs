//! Linking: the linker's messages in terms of the user's files, and files that do not match.

use crate::scratch;
use tests::{has_commands, scratch::Scratch};

/// The C compilers and linkers that are here, as options.
fn toolchains() -> Vec<String> {
    let mut all = Vec::new();
    for cc in ["gcc", "clang"] {
        for linker in ["bfd", "gold", "lld"] {
            let program = format!("ld.{linker}");
            if has_commands(&[cc, &program]).is_ok() {
                all.push(format!("--cc {cc} -Wno-unused-command-line-argument -fuse-ld={linker}"));
            }
        }
    }
    assert!(!all.is_empty(), "neither gcc nor clang, with any linker");
    all
}

/// Three files with a name that nobody defines: in a function, in a header's function, in data.
fn undefined() -> Scratch {
    scratch("undefined")
        .file(
            "main.sc",
            "#include <split-c/split-c.h>\nint first(int *v);\nint second(void);\nint splitc_main(void) {\n    \
             int v[64];\n    first(v);\n    return second();\n}\n",
        )
        .file("part.h", "int third(void);\nstatic int inside(void) {\n    return third();\n}\n")
        .file("part.upc", "#include <upc.h>\n#include \"part.h\"\nint second(void) {\n    return inside();\n}\n")
        .file("data.upc", "#include <upc.h>\nextern int fourth;\nint *p = &fourth;\n")
}

#[test]
fn undefined_references_name_the_users_files_and_lines() {
    let scratch = undefined();
    let files = "main.sc part.upc data.upc";
    let (objects, places) = ("main.o part.o data.o", ["main.sc:6", "part.h:3"]);
    for toolchain in toolchains() {
        for level in ["", "-g"] {
            let whole = scratch.refused(&format!("cc {toolchain} {level} {files} -o a"), &places);
            scratch.good(&format!("cc {toolchain} {level} -c {files}"));
            let parts = scratch.refused(&format!("cc {toolchain} {objects} -o a"), &places);
            for said in [&whole, &parts] {
                for name in ["first", "third", "fourth"] {
                    assert!(said.stderr.contains(name), "{toolchain} {level}: {}", said.report());
                }
                assert!(!said.stderr.contains("<meridian>"), "{toolchain} {level}: {}", said.report());
                assert!(!said.stderr.contains("/meridian-"), "{toolchain} {level}: {}", said.report());
            }
            let data = whole.stderr.lines().any(|line| line.contains("data.upc") && !line.contains(".o"));
            assert!(data, "{toolchain} {level}: {}", whole.report());
        }
        // Without lines the message names the file.
        let said = scratch.refused(&format!("cc {toolchain} -g0 {files} -o a"), &["main.sc", "part.upc"]);
        assert!(!said.stderr.contains("/meridian-"), "{toolchain} -g0: {}", said.report());
    }
}

#[test]
fn files_for_different_numbers_of_processors_are_not_linked() {
    let scratch = scratch("numbers")
        .file(
            "a.sc",
            "#include <split-c/split-c.h>\nint b(void);\nint splitc_main(void) { return b() - PROCS; }\n",
        )
        .file("b.ac", "int b(void) { return PROCS; }\n")
        .file("a.upc", "#include <upc.h>\nint b(void);\nint main(void) { return b() - THREADS; }\n")
        .file("b.upc", "#include <upc.h>\nint b(void) { return THREADS; }\n")
        .file("c.c", "int c(void) { return 1; }\n");
    for (file, options) in
        [("a.sc", "-fprocs-4"), ("b.ac", "-fprocs-2"), ("a.upc", "-T 4"), ("b.upc", "-T 3")]
    {
        let object = file.replace('.', "-");
        scratch.good(&format!("cc -c {options} {file} -o {object}-fixed.o"));
        scratch.good(&format!("cc -c {file} -o {object}-any.o"));
    }
    let processors =
        ["b-ac-fixed.o is compiled for PROCS = 2 (-fprocs-2)", "a-sc-fixed.o for PROCS = 4 (-fprocs-4)"];
    scratch.refused("cc a-sc-fixed.o b-ac-fixed.o -o a", &processors);
    let threads =
        ["b-upc-fixed.o is compiled for THREADS = 3 (-T 3)", "a-upc-fixed.o for THREADS = 4 (-T 4)"];
    scratch.refused("cc a-upc-fixed.o b-upc-fixed.o -o a", &threads);
    scratch.refused("cc -fprocs-4 a.sc b-ac-fixed.o -o a", &["PROCS = 2", "a.sc for PROCS = 4"]);
    scratch.refused(
        "cc -T 4 a.upc b-upc-any.o -o a",
        &["b-upc-any.o is compiled for a number of threads chosen"],
    );
    scratch.refused("cc a-sc-any.o b-ac-fixed.o -o a", &["a number of processors chosen at start"]);
    scratch.refused("cc a-sc-fixed.o b-upc-fixed.o -o a", &["THREADS = 3 (-T 3)", "PROCS = 4 (-fprocs-4)"]);
    assert!(!scratch.has("a"), "nothing was linked");
    // Files that match, and C that does not know the number of threads.
    scratch.good("cc -c -T 4 b.upc -o same.o");
    scratch.good("cc -c c.c -o c.o");
    scratch.good("cc a-upc-fixed.o same.o c.o -o a");
    scratch.good("run -n 4 ./a");
    scratch.good("cc a-sc-any.o b-upc-any.o c.c -o a");
    scratch.good("run -n 3 ./a");
    // The linker takes only the needed members of an archive; a mismatch is found when the program starts.
    scratch.shell("ar rc libb.a b-ac-fixed.o");
    scratch.good("cc a-sc-fixed.o libb.a -o a");
    let said = scratch
        .refused("run -n 4 ./a", &["b.ac was compiled for PROCS = 2, but a.sc for PROCS = 4", "-fprocs-N"]);
    assert!(!said.stderr.contains("THREADS"), "{}", said.report());
}

#[test]
fn what_files_of_c_and_upc_define_together_is_one_object() {
    let scratch = scratch("common")
        .file("main.upc", "int counter = 7;\nvoid up(void);\nint main(void) { up(); return counter != 8; }\n")
        .file("part.c", "int counter;\nvoid up(void) { counter++; }\n")
        .file("other.c", "int counter;\n");
    for cc in ["gcc", "clang"] {
        if has_commands(&[cc]).is_err() {
            continue;
        }
        scratch.good(&format!("cc --cc {cc} main.upc part.c other.c -o together"));
        scratch.good("run -n 2 ./together");
        scratch.good(&format!("cc --cc {cc} -c part.c other.c"));
        scratch.good(&format!("cc --cc {cc} main.upc part.o other.o -o apart"));
        scratch.good("run -n 2 ./apart");
        scratch.refused(&format!("cc --cc {cc} -fno-common main.upc part.c -o not"), &["counter"]);
    }
}
