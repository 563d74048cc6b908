//! `meridian cc`: the results of good command lines.

use crate::{HELLO, scratch, sorted};
use std::process::Command;

#[test]
fn compiles_links_and_runs_in_one_step_and_in_two() {
    let scratch = scratch("steps").file("hello.upc", HELLO);
    scratch.good("cc hello.upc -o one");
    scratch.good("cc -c hello.upc");
    assert!(scratch.has("hello.o"));
    scratch.good("cc hello.o -o two");
    for program in ["one", "two"] {
        let out = scratch.good(&format!("run -n 3 ./{program}"));
        assert_eq!(sorted(&out), ["thread 0 of 3", "thread 1 of 3", "thread 2 of 3"]);
    }
    scratch.good("cc hello.upc");
    assert!(scratch.has("a.out"));
}

#[test]
fn plain_c_files_are_taken_as_c_and_as_upc() {
    let scratch = scratch("c")
        .file("hello.c", HELLO)
        .file("shared.c", "int shared = 3; int main(void) { return shared - 3; }");
    scratch.good("cc -x upc hello.c -o hello");
    assert_eq!(sorted(&scratch.good("run -n 2 ./hello")).len(), 2);
    scratch.good("cc -x c shared.c -x none -o plain");
    assert_eq!(scratch.meridian("run -n 2 ./plain").status, 0);
}

/// Standard input, and a file with open strings, are compiled from copies beside which others may have files.
#[test]
fn copies_of_sources_include_their_own_headers() {
    let program = "#include \"../value.h\"\nint main(void) { return VALUE; }\n";
    let open = "#include <split-c/split-c.h>\n#include \"../value.h\"\nchar *text = \"one\n two\";\n\
                int splitc_main(void) { return VALUE; }\n";
    let scratch = scratch("copies")
        .file("value.h", "#define VALUE 0\n")
        .file("wrong.h", "#define VALUE 1\n")
        .file("main.upc", program)
        .file("open.sc", open);
    let placed = scratch.shell("mkdir in others && mv main.upc open.sc in && mv wrong.h others/value.h");
    assert_eq!(placed.status, 0, "{}", placed.report());
    for compile in ["cc -x upc - -o program < main.upc", "cc -w open.sc -o program"] {
        let line =
            format!("cd in && TMPDIR=$PWD/../others $MERIDIAN {compile} && $MERIDIAN run -n 1 ./program");
        let end = scratch.shell(&line);
        assert_eq!(end.status, 0, "{compile}: {}", end.report());
    }
}

#[test]
fn bytes_of_strings_stay_what_they_are() {
    let mut text =
        b"#include <string.h>\n#include <upc.h>\nshared [] char latin_1[sizeof(\"a\xe9\")];\n".to_vec();
    text.extend(b"int main(void) {\n    const char *s = \"a\xe9\";\n    ");
    text.extend("const char *private_plane = \"\u{f00e9}\";\n    ".as_bytes());
    text.extend(
        b"return sizeof(latin_1) != 3 || strcmp(s, \"a\\xe9\") || \
                  strcmp(private_plane, \"\\U000f00e9\");\n}\n",
    );
    let scratch = scratch("bytes").file("bytes.upc", text);
    scratch.good("cc bytes.upc -o bytes");
    scratch.good("run -n 1 ./bytes");
}

#[test]
fn stages_end_where_they_are_told() {
    let scratch = scratch("stages").file("hello.upc", HELLO);
    assert!(scratch.good("cc -E hello.upc").contains("upc_barrier"));
    scratch.good("cc -S hello.upc");
    assert!(scratch.has("hello.s"));
    scratch.good("cc -fsyntax-only hello.upc");
    assert!(!scratch.has("hello.o") && !scratch.has("a.out"));
    let c = scratch.good("cc --emit=c hello.upc");
    assert_eq!(scratch.good("cc --emit=c hello.upc -o -"), c);
    assert!(c.contains("mer_") && c.contains("main"), "{c}");
    let verbose = scratch.meridian("cc -v -c hello.upc");
    assert_eq!(verbose.status, 0);
    assert!(verbose.stderr.contains("hello.upc"), "{}", verbose.report());
}

#[test]
fn remarks_say_what_has_become_of_each_access() {
    let source = "#include <upc_relaxed.h>
shared int a[8 * THREADS], b[8 * THREADS], one;
strict shared int flag;
shared [] int *p;
int other(int);
void f(double *to, int n) {
    upc_forall (int i = 0; i < 8 * THREADS; i++; &a[i])
        a[i] = b[i + 1];
    for (int i = 0; i < n; i++)
        to[i] = p[i] * one;
    for (int i = 0; i < n; i++)
        to[i] = a[b[i]];
    for (int i = 0; i < n; i++)
        to[i] = other(b[i]);
    while (flag < n)
        a[n] += b[n];
}
";
    let scratch = scratch("remarks").file("f.upc", source);
    let said = scratch.meridian("cc -O2 -Werror -w -Rcommunication -c f.upc");
    assert_eq!(said.status, 0, "{}", said.report());
    let remarks: Vec<&str> = said.stderr.lines().filter(|line| line.contains(": remark: ")).collect();
    let wanted = [
        "8:9: remark: write to `a[i]`: privatised: by a local pointer",
        "8:16: remark: read of `b[i + 1]`: cached while its loops run: ",
        "10:17: remark: read of `p[i]`: cached while its loops run: ",
        "10:24: remark: read of `one`: read once for ",
        "12:17: remark: read of `a[b[i]]`: prefetched: ",
        "12:19: remark: read of `b[i]`: prefetched, before ",
        "14:23: remark: read of `b[i]`: fine-grained: the loop calls a function",
        "15:12: remark: read of `flag`: fine-grained: the access is strict",
        "16:9: remark: update of `a[n]`: done by the owner",
        "16:17: remark: read of `b[n]`: fine-grained: the loop does not count",
    ];
    assert_eq!(remarks.len(), wanted.len(), "{}", said.report());
    for (remark, wanted) in remarks.iter().zip(wanted) {
        assert!(remark.starts_with(&format!("f.upc:{wanted}")), "{remark}, not {wanted}");
    }
    assert!(said.stderr.contains("read into a private array before the calls"), "{}", said.report());
    assert!(!scratch.meridian("cc -O2 -c f.upc").stderr.contains("remark"));
    let said = scratch.meridian("cc -Rcommunication -c f.upc");
    assert_eq!(said.status, 0, "{}", said.report());
    assert!(said.stderr.contains("is not optimised without -O1"), "{}", said.report());
    let sarif = scratch.meridian("cc -O2 -Rcommunication -fdiagnostics-format=sarif-stderr -c f.upc");
    assert!(sarif.stderr.contains("\"level\":\"note\""), "{}", sarif.report());
}

#[test]
fn dependencies_are_written_as_make_reads_them() {
    let scratch = scratch("dependencies")
        .file("part.h", "shared int x;\n")
        .file("a.upc", "#include \"part.h\"\nint main(void) { return x; }\n");
    scratch.good("cc -MMD -c a.upc");
    let rule = std::fs::read_to_string(scratch.path("a.d")).unwrap();
    assert!(rule.contains("a.o:") && rule.contains("part.h"), "{rule}");
    let rule = scratch.good("cc -MM a.upc");
    assert!(rule.contains("a.o:") && rule.contains("part.h"), "{rule}");
}

#[test]
fn macros_include_paths_and_libraries_are_passed_on() {
    let scratch = scratch("paths")
        .file("main.upc", "#include <one.h>\n#include <math.h>\nint f(void);\nint main(void) { return f() + ONE - TWO * 2 + 3 - (int)sqrt(16.0); }\n")
        .file("f.upc", "#ifdef GONE\n#error GONE\n#endif\nshared int s;\nint f(void) { return 4 + s; }\n");
    std::fs::create_dir(scratch.path("include")).unwrap();
    scratch.write("include/one.h", "#define ONE 1\n");
    scratch.good("cc -DGONE -UGONE -c f.upc -o f.o");
    assert_eq!(scratch.shell("ar rc libf.a f.o").status, 0);
    scratch.good("cc -I include -DTWO=2 main.upc -L. -lf -lm -o main");
    assert_eq!(scratch.meridian("run -n 2 ./main").status, 0);
}

/// Published makefiles lack `-lm`, or name it before the sources.
#[test]
fn the_mathematical_library_is_linked_where_it_is_used() {
    let text = "#include <math.h>\nint main(int n, char **v) { (void)v; return sqrt(n) != 1; }\n";
    let scratch = scratch("math").file("m.upc", text).file("m.c", text).file("hello.upc", HELLO);
    for line in ["cc m.upc -o m", "cc -lm m.c -o m", "cc -static m.upc -o m"] {
        scratch.good(line);
        scratch.good("run -n 2 ./m");
    }
    scratch.good("cc hello.upc -o hello");
    let needed = scratch.shell("LC_ALL=C ldd ./hello");
    assert!(!needed.stdout.contains("libm.so"), "{}", needed.report());
}

#[test]
fn the_mathematics_of_c_need_no_library_to_be_named() {
    let scratch = scratch("mathematics").file(
        "root.upc",
        "#include <math.h>\nint main(int n, char **v) { (void)v; return sqrt(n + 3.0) + fmax(n, 4) != 6; }\n",
    );
    scratch.good("cc root.upc -o root");
    assert_eq!(scratch.meridian("run -n 2 ./root").status, 0);
}

#[test]
fn a_users_macros_do_not_reach_the_runtimes_headers() {
    let scratch = scratch("macros").file("hello.upc", HELLO);
    scratch.good("cc -DN=4 -Dt=5 -Dp=6 -Dbits=7 -DT=8 -Dphase=9 -Dsize=1 -Dwhere=2 hello.upc -o hello");
    assert_eq!(scratch.meridian("run -n 2 ./hello").status, 0);
}

#[test]
fn it_is_the_cc_of_a_makefile() {
    let scratch = scratch("make")
        .file("main.c", "#include <stdio.h>\nint twice(int);\nint main(void) { printf(\"%d\\n\", twice(21)); return 0; }\n")
        .file("twice.c", "int twice(int x) { return 2 * x; }\n")
        .file("Makefile", "CFLAGS = -O2 -Wall\nmain: main.o twice.o\n");
    let outcome = scratch.shell("make -s CC=\"$MERIDIAN cc\" && ./main");
    assert_eq!((outcome.status, outcome.stdout.trim()), (0, "42"), "{}", outcome.report());
    // Meson identifies the linker of a compiler by this command.
    let asked = scratch.meridian("cc -Wl,--version");
    assert!(asked.status == 0 && asked.stdout.contains("ld"), "{}", asked.report());
}

#[test]
fn warnings_are_silenced_and_made_errors_as_gcc_does_it() {
    let scratch = scratch("warnings").file(
        "w.upc",
        "#include <upc.h>\nvoid f(void) {\n    upc_forall(int i = 0; i < 9; i++; i)\n        break;\n}\n",
    );
    assert!(scratch.meridian("cc -c w.upc").stderr.contains("warning"));
    assert!(!scratch.meridian("cc -w -c w.upc").stderr.contains("warning"));
    assert!(!scratch.meridian("cc -Wno-upc-forall -c w.upc").stderr.contains("warning"));
    assert_ne!(scratch.meridian("cc -Werror -c w.upc").status, 0);
    assert_ne!(scratch.meridian("cc -Werror=upc-forall -c w.upc").status, 0);
    assert_eq!(scratch.meridian("cc -Werror=upc-pragma -c w.upc").status, 0);
}

#[test]
fn so_many_errors_are_shown_as_are_asked_for() {
    let scratch = scratch("many").file("m.upc", "int main(void) { one; two; three; four; }\n");
    let said = scratch.meridian("cc -fmax-errors=2 -c m.upc").stderr;
    assert!(said.contains("`two`") && !said.contains("`three`") && said.contains("2 more errors"), "{said}");
    assert!(scratch.meridian("cc -fmax-errors=x -c m.upc").stderr.contains("a number is expected"));
}

#[test]
fn diagnostics_are_written_for_people_and_for_programs() {
    let text = "#include <upc.h>\nint main(void) {\n    int shared *p = upc_alloc(1)\n    return 0;\n}\n";
    let scratch = scratch("formats").file("a.upc", text).file("good.upc", HELLO);
    let line = scratch.refused("cc -c a.upc", &[]).stderr;
    let first = line.lines().next().unwrap();
    assert!(first.starts_with("a.upc:") && first.contains(": error: ") && first.ends_with(']'), "{line}");
    assert_eq!(first.split(':').take(3).filter(|part| part.parse::<u32>().is_ok()).count(), 2, "{line}");
    let drawn = scratch.refused("cc -fdiagnostics-format=text -c a.upc", &["error[", "--> a.upc:"]).stderr;
    assert!(!drawn.contains('\x1b'), "{drawn}");
    scratch.refused("cc -fdiagnostics-format=text -fdiagnostics-color=always -c a.upc", &["\x1b["]);
    scratch.refused("cc -fdiagnostics-format=xml -c a.upc", &["sarif-stderr"]);
    scratch.refused("cc -fdiagnostics-color=red -c a.upc", &["never"]);
    let log = |text: &str| {
        serde_json::from_str::<serde_json::Value>(text).unwrap_or_else(|e| panic!("{e}: {text}"))
    };
    let bad = log(&scratch.refused("cc -fdiagnostics-format=sarif-stderr -c a.upc", &[]).stderr);
    assert_eq!(bad["version"], "2.1.0");
    let result = &bad["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(
        (&result["level"], &place["artifactLocation"]["uri"]),
        (&"error".into(), &"a.upc".into()),
        "{bad}"
    );
    let region = format!("a.upc:{}:{}: ", place["region"]["startLine"], place["region"]["startColumn"]);
    assert!(first.starts_with(&region), "{region} {first}");
    scratch.refused("cc -fdiagnostics-format=sarif-file -c a.upc", &[]);
    assert_eq!(log(&std::fs::read_to_string(scratch.path("a.upc.sarif")).unwrap()), bad);
    scratch.good("cc -fdiagnostics-format=sarif-file -c good.upc");
    let none = log(&std::fs::read_to_string(scratch.path("good.upc.sarif")).unwrap());
    assert_eq!(none["runs"][0]["results"].as_array().map(Vec::len), Some(0));
}

/// Static shared objects of a library, seen from the program and the other way round.
const LIBRARY: &str = "#include <upc.h>\nshared int a[THREADS];\nshared [2] int b[2 * THREADS] = {1, 2};\n\
    shared int *p = &a[0];\nshared double big[200000000 * THREADS];\nTOTAL shared int total;\n\
    int sum(void) {\n    a[MYTHREAD] = MYTHREAD + 1;\n    big[MYTHREAD] = MYTHREAD;\n    upc_barrier;\n    int s = 0;\n    \
    for (int i = 0; i < THREADS; i++)\n        s += a[i] + (int)big[i];\n    if (*p != 1 || b[1] != 2)\n        \
    return -1;\n    if (MYTHREAD == THREADS - 1)\n        total = s;\n    upc_barrier;\n    return total;\n}\n";

#[test]
fn shared_libraries_have_static_shared_objects() {
    let main = "#include <stdio.h>\n#include <upc.h>\nextern shared int a[THREADS];\nshared int total;\nint sum(void);\n\
                int main(void) {\n    int s = sum();\n    return s != THREADS * THREADS || a[0] != 1;\n}\n";
    let plain = "int sum(void);\nint main(void) { return sum() <= 0; }\n";
    let opens = "#include <dlfcn.h>\n#include <stdio.h>\nint main(void) {\n    void *h = dlopen(\"./libl.so\", RTLD_NOW);\n    \
                 if (!h) { fputs(dlerror(), stderr); return 2; }\n    int (*sum)(void) = (int (*)(void))dlsym(h, \"sum\");\n    \
                 dlclose(h);\n    return sum() <= 0;\n}\n";
    let scratch = scratch("libraries").file("l.upc", LIBRARY).file("main.upc", main).file("plain.c", plain);
    let scratch = scratch.file("opens.c", opens).file("l.sc", "int x;\n");
    for cc in ["gcc", "clang"] {
        scratch.good(&format!("cc --cc {cc} -O2 -DTOTAL=extern -fPIC -shared l.upc -o libl.so"));
        scratch.good(&format!("cc --cc {cc} -O2 main.upc -L. -ll -Wl,-rpath,. -o main"));
        scratch.good(&format!("cc --cc {cc} -c main.upc -o main.o"));
        scratch.good(&format!("cc --cc {cc} main.o -L. -ll -Wl,-rpath,. -o two"));
        for line in
            ["run -n 1 ./main", "run -n 3 ./main", "run -H localhost:2,localhost:1 ./main", "run -n 3 ./two"]
        {
            scratch.good(line);
        }
        scratch.good(&format!("cc --cc {cc} -O2 -DTOTAL= -fPIC -shared l.upc -o libl.so"));
        scratch.good(&format!("cc --cc {cc} plain.c -L. -ll -Wl,-rpath,. -o plain"));
        scratch.good("run -n 3 ./plain");
        scratch.good(&format!("cc --cc {cc} -rdynamic opens.c -ldl -o opens"));
        let refused = scratch.refused("run -n 3 ./opens", &["too many static shared objects", "l.upc"]);
        assert!(refused.stderr.matches("too many").count() == 1, "{}", refused.report());
    }
    let small = LIBRARY.replace("200000000", "4000");
    scratch.write("l.upc", small);
    scratch.good("cc -O2 -DTOTAL= -fPIC -shared l.upc -o libl.so");
    scratch.good("run -n 3 ./opens");
    scratch.good("run -H localhost:2,localhost:1 ./opens");
    scratch.refused("cc -shared l.upc -o libl.so", &["-fPIC"]);
    scratch.refused("cc -shared -fPIC l.sc -o libl.so", &["l.sc", "link it into the program"]);
}

/// Other drivers link programs to any address.
#[test]
fn objects_are_linked_by_other_compilers_as_they_come() {
    let main = "int sum(void);\nint main() { return sum() <= 0; }\n";
    let scratch = scratch("foreign").file("l.upc", LIBRARY).file("main.c", main);
    scratch.good("cc -O2 -DTOTAL= -c l.upc");
    let lib = tests::meridian().parent().unwrap().parent().unwrap().join("lib");
    let line = format!("gcc main.c l.o -L'{}' -lmeridian -lpthread -ldl -lm -o main", lib.display());
    assert_eq!(scratch.shell(&line).status, 0, "{}", scratch.shell(&line).report());
    for line in ["run -n 1 ./main", "run -n 3 ./main", "run -H localhost:2,localhost:1 ./main"] {
        scratch.good(line);
    }
}

/// C of 1989 has neither `inline` nor declarations in `for`, and the headers' definitions need neither.
#[test]
fn files_are_compiled_as_c_of_1989() {
    let upc = "#include <upc.h>\n#include <upc_collective.h>\n#include <upc_io.h>\n#include <upc_nb.h>\n\
               #include <upc_tick.h>\n#include <upc_castable.h>\n#include <upc_atomic.h>\n\
               #include <bupc_extensions.h>\nshared [3] int a[3 * THREADS];\nint main(void) {\n    int i;\n    \
               upc_forall (i = 0; i < 3 * THREADS; i++; &a[i]) a[i] = 1;\n    upc_barrier;\n    \
               return a[3 * THREADS - 1] != 1;\n}\n";
    let split_c = "#include <split-c/split-c.h>\n#include <split-c/counter.h>\nint a[PROCS]::;\n\
                   int splitc_main(int n, char **v) {\n    int i;\n    for (i = 0; i < 3; i++) a[MYPROC] :- i;\n    \
                   all_store_sync();\n    return a[0] != 2;\n}\n";
    let ac = "#include <split-c/split-c.h>\n#include <ac/ac.h>\ndist int a[PROCS];\nint main(void) {\n    \
              a[MYPROC] = 1;\n    barrier();\n    return a[0] != 1;\n}\n";
    let scratch = scratch("c89").file("a.upc", upc).file("b.sc", split_c).file("c.ac", ac);
    for source in ["a.upc", "b.sc", "c.ac"] {
        for options in ["-ansi", "-std=c89 -pedantic -O2", "-std=c90 -T 2"] {
            scratch.good(&format!("cc {options} {source} -o program"));
            scratch.good("run -n 2 ./program");
        }
    }
}

/// Options in makefiles that were written for other UPC compilers.
#[test]
fn the_options_of_other_upc_compilers_are_understood() {
    let scratch = scratch("others").file("hello.upc", HELLO);
    for option in [
        "-Wc,-O3,-std=gnu99",
        "-Wl,-O1",
        "-Wp,-DX",
        "-pthreads",
        "-pthreads=2",
        "-nopthreads",
        "-shared-heap=1GB",
        "-shared-heap-max=2GB",
        "-network=smp",
        "-conduit=udp",
        "-translator=x",
        "-bupc",
        "-cupc2c",
        "-gupc",
        "-show-sizes",
        "-require-size",
        "-lines",
        "-nolines",
        "-opt",
        "-opt-enable=split",
        "-link-with=gcc",
        "-extern-main",
        "-nolink-cache",
        "-trace",
        "-stats",
        "-inst",
        "-profile",
        "-norc",
        "-allow-deprecated",
        "-fupc-pthreads-model-tls",
        "-fupc-debug",
        "-fno-upc-pre-include",
        "-q",
        "--network=udp",
        "-network udp",
        "-shared-heap 64MB",
        "--norc",
        "-qupc=dnodes=1",
        "-qupc=threads=2",
        "-fthreads 2",
    ] {
        scratch.good(&format!("cc {option} hello.upc -o hello"));
        assert_eq!(sorted(&scratch.good("run -n 2 ./hello")), ["thread 0 of 2", "thread 1 of 2"], "{option}");
        assert!(!scratch.has("pt"), "{option}");
    }
    let quoted = scratch.shell("\"$MERIDIAN\" cc -v '-Wc,-O3 -Wall' -network=smp hello.upc -o hello");
    let idle = "-network=smp has no effect: the network is chosen when the program starts";
    assert!(quoted.stderr.contains(idle) && quoted.stderr.contains(" -O3 -Wall "), "{}", quoted.report());
    scratch.refused("cc -uses-mpi hello.upc", &["--cc mpicc"]);
    scratch.refused("cc -fupc-thread-4 hello.upc", &["-fupc-thread-4", "-fupc-threads-N"]);
    scratch.refused("cc -link-with=no-such-linker hello.upc", &["no-such-linker"]);
    assert!(scratch.good("cc -version").starts_with("meridian cc "));
    scratch.good("cc -save-all-temps -c hello.upc");
    assert!(
        std::fs::read_dir(scratch.directory()).unwrap().any(|e| e
            .unwrap()
            .path()
            .extension()
            .is_some_and(|e| e == "s"))
    );
}

#[test]
fn upcc_brings_what_its_namesake_brings() {
    let text = "#include <upc.h>\nint main(void) {\n    upc_poll();\n    void *p = malloc(1);\n    free(p);\n    \
                int64_t n = bupc_atomicI64_fetchadd_private(&(int64_t){3}, 1);\n    return n == 3 ? 0 : abs(-1);\n}\n";
    let scratch = scratch("brings").file("b.upc", text);
    let upcc = tests::meridian().with_file_name("upcc");
    let outcome = scratch.run(Command::new(upcc).args(["b.upc", "-o", "b"]));
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{}", outcome.report());
    scratch.good("run -n 2 ./b");
    scratch.good("cc -bupc b.upc");
    scratch.refused("cc b.upc", &["upc_poll"]);
}

#[test]
fn loops_are_aligned_where_one_has_been_rewritten_and_nobody_says_otherwise() {
    let own = "#include <upc.h>\nshared double x[100 * THREADS];\nvoid twice(void) {\n    int i;\n    \
               upc_forall(i = 0; i < 100 * THREADS; i++; &x[i]) x[i] *= 2;\n}\n";
    let private = "double y[100];\nvoid twice(void) {\n    for (int i = 0; i < 100; i++) y[i] *= 2;\n}\n";
    let scratch = scratch("aligned").file("own.upc", own).file("private.upc", private);
    let aligns = |words: &str| {
        let said = scratch.meridian(&format!("cc -v -S {words}"));
        assert_eq!(said.status, 0, "{}", said.report());
        said.stderr.contains("-falign-loops=32")
    };
    assert!(aligns("-O3 own.upc"));
    assert!(!aligns("own.upc"));
    assert!(!aligns("-O3 private.upc"));
    let aligned =
        |words: &str| scratch.good(&format!("cc -O3 {words} -S own.upc -o -")).matches(".p2align 5").count();
    assert!(aligned("") > aligned("-falign-loops=1"));
}

#[test]
fn strict_and_debugging_options_concern_the_users_text_only() {
    let scratch = scratch("options-passed").file("hello.upc", HELLO);
    for options in
        ["-std=c99 -pedantic -Wall -Wextra", "-std=c11 -pedantic-errors -Werror", "-g3 -O2", "-ggdb3 -fPIC"]
    {
        let outcome = scratch.meridian(&format!("cc {options} hello.upc -o hello"));
        assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{options}: {}", outcome.report());
        assert_eq!(sorted(&scratch.good("run -n 2 ./hello")), ["thread 0 of 2", "thread 1 of 2"]);
    }
}

#[test]
fn c_compilers_do_not_see_what_has_been_obeyed() {
    let scratch = scratch("obeyed")
        .file("p.upc", "#pragma upc strict\nshared int x;\nint f(void) {\n#pragma upc relaxed\n    return x;\n}\n")
        .file(
            "e.sc",
            "#include <split-c/split-c.h>\nextern inline int same(int *spread p, int *global q) { return p && \
             (int *global)p == q && *q; }\nint f(int *spread p) { return same(p, (int *global)p); }\n",
        );
    for cc in ["gcc", "clang"] {
        for file in ["p.upc", "e.sc"] {
            let said = scratch.meridian(&format!("cc --cc {cc} -Wall -O2 -c {file}"));
            assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{cc} {file}");
        }
    }
}

/// Statements whose value the program does not use, which become C whose value is not used either.
const UNUSED: &str = "#include <split-c/split-c.h>
static int v[4];
static union { int *global p; double d; } u;
int splitc_main(void) {
    int *global p = toglobal(0, v);
    union { int *global p; double d; } *global at = toglobal(0, (void *)&u);
    int *global q = p;
    double *global d = (double *global)p;
    (*p)++; (*p)--; ++*p; --*p; *p += 2; p[1]++; *p <<= 1; *d *= 2;
    for (int i = 0; i < 2; i++, (*p)++) ;
    for (int i = 0; i < 2; (*p)++, i++) ;
    for (int i = 0; i < 2; i++, *p += 1) ;
    for ((*p)++; *p < 3; (*p)++) ;
    for (*p = 0; *p < 3; ++*p) ;
    if (q) (*p)++; else (*p)--;
    (void)(*p)++;
    q++; q--; ++q; q += 1; q -= 2;
    at->p = q; at->p++; --at->p; at->d = 1;
    (*p)++, (*q)--;
    return ({ (*p)++; });
}
";

#[test]
fn c_compilers_warn_of_nothing_that_the_user_has_not_written() {
    let scratch = scratch("not-written").file("unused.sc", UNUSED).file(
        "names.upc",
        "#include <upc.h>\nshared int a[4*THREADS];\nshared [2] int b[2*THREADS];\n\
         __typeof__(&b[0]) first = b;\nextern __typeof__(a[0] + 1) sum;\n\
         int f(void) {\n  upc_forall (int i = 0; i < THREADS; i++; &a[i]) ;\n\
           upc_forall (int i = 0; i < THREADS; i++; i) ;\n  return first == &b[0] && sum;\n}\n",
    );
    for cc in ["gcc", "clang"].into_iter().filter(|cc| tests::has_commands(&[*cc]).is_ok()) {
        for file in ["unused.sc", "names.upc"] {
            for options in ["", "-Wall -Wextra", "-O2 -Wall -Wextra", "-fPIC -Wall"] {
                let said = scratch.meridian(&format!("cc --cc={cc} {options} -c {file}"));
                assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{cc} {options}: {}", said.report());
            }
        }
    }
}

/// The C compiler repeats no warning of Meridian, and warns once of the body of a loop that is compiled in
/// two versions.
#[test]
fn nothing_is_warned_of_twice() {
    let scratch = scratch("twice")
        .file(
            "pointers.upc",
            "#include <upc_relaxed.h>\n#include <stdio.h>\nshared int a[4*THREADS];\n\
             int f(shared int **p, shared [4] int **q) {\n  a[0] == 3;\n  printf(\"%d %s\\n\", a, p);\n\
               return p == q;\n}\n",
        )
        .file(
            "loop.upc",
            "#include <upc_relaxed.h>\nshared int a[100*THREADS];\nvoid f(unsigned n, int k) {\n\
               upc_forall (int i = 0; i < 100*THREADS; i++; &a[i]) {\n    if (i < sizeof(int)) a[i] = k;\n\
                 if (i < n)\n      k++;\n  }\n  if (k < n)\n    a[k] = 1;\n}\n",
        );
    for cc in ["gcc", "clang"].into_iter().filter(|cc| tests::has_commands(&[*cc]).is_ok()) {
        for (file, warnings) in [("pointers.upc", 4), ("loop.upc", 3)] {
            for options in ["-Wall -Wextra", "-O2 -Wall -Wextra"] {
                let said = scratch.meridian(&format!("cc --cc={cc} {options} -c {file}"));
                let count = said.stderr.matches(" warning: ").count();
                assert_eq!((said.status, count), (0, warnings), "{cc} {options}: {}", said.report());
            }
        }
    }
}

/// A C compiler's warning of a `upc_forall`'s condition names the condition's own line, with every
/// optimisation.
#[test]
fn a_condition_is_warned_of_on_its_own_line() {
    let scratch = scratch("condition").file(
        "signs.upc",
        "#include <upc.h>\nshared int a[10 * THREADS];\nint main(void) {\n  unsigned i;\n  int n = 0;\n\
           upc_forall (i = 0; i < 10 * THREADS; i++; &a[i]) {\n    n += 1;\n  }\n  return n == 12345;\n}\n",
    );
    for options in ["-O0 -Wextra", "-O1 -Wextra", "-O3 -Wextra"] {
        let said = scratch.meridian(&format!("cc --cc=gcc {options} -c signs.upc"));
        let lines: Vec<&str> = said.stderr.lines().filter(|line| line.contains(" warning: ")).collect();
        assert!(lines.iter().all(|line| line.starts_with("signs.upc:6:")), "{options}: {}", said.report());
        assert_eq!((said.status, lines.len()), (0, 1), "{options}: {}", said.report());
    }
}

/// The start of Split-C and AC programs, their exit status, and the place of their automatic objects, in the
/// views.
#[test]
fn old_split_c_is_compiled_without_warnings() {
    let scratch = scratch("old-split-c").file(
        "old.sc",
        "#include <split-c/split-c.h>\nint hits[PROCS]::;\nstatic void hit(int *at, int by) { *at += by; }\n\
         splitc_main()\n{\n    atomic(hit, &hits[0], 1);\n    return 0;\n}\n",
    );
    for cc in ["gcc", "clang"].into_iter().filter(|cc| tests::has_commands(&[*cc]).is_ok()) {
        for options in ["", "-Wall -Wextra", "-O2 -Wall"] {
            let said = scratch.meridian(&format!("cc --cc={cc} {options} -c old.sc"));
            assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{cc} {options}: {}", said.report());
        }
    }
}

#[test]
fn split_c_and_ac_programs_have_an_entry_in_every_form() {
    let in_view = "static int in_view(void) { int x; return (unsigned long)&x >> 40 == (unsigned long)MYPROC * 32 + 17; }\n";
    let forms = [
        (
            "a.sc",
            "splitc_main(argc, argv) int argc; char **argv; { if (argc > 3) return 7; exit(!in_view()); }",
            0,
        ),
        ("b.sc", "splitc_main() { if (!in_view()) exit(1); if (MYPROC < PROCS) return; }", 0),
        ("c.sc", "void splitc_main(void) { if (!in_view()) exit(1); }", 0),
        (
            "d.sc",
            "int splitc_main(int argc, char **argv) { return in_view() && argc == 1 && argv[1] == 0 ? 5 : 1; }",
            5,
        ),
        ("e.sc", "main(argc, argv) int argc; char *argv[]; { return in_view() ? 6 : 1; }", 6),
        ("f.ac", "int main(void) { if (!in_view()) return 1; }", 0),
        ("g.ac", "void main() { if (!in_view()) exit(1); }", 0),
        (
            "h.ac",
            "int main(int argc, char **argv) { return argc > 1 ? 8 : main(2, argv) && in_view() ? 8 : 1; }",
            8,
        ),
    ];
    let mut scratch = scratch("entries").file(
        "i.c",
        format!("#include <split-c/split-c.h>\n{in_view}int splitc_main() {{ return in_view() ? 9 : 1; }}\n"),
    );
    for (name, text, _) in forms {
        scratch = scratch.file(name, format!("#include <stdlib.h>\n{in_view}{text}\n"));
    }
    for (name, status) in forms.map(|f| (f.0, f.2)).into_iter().chain([("i.c", 9)]) {
        for link in ["", "-static"] {
            scratch.good(&format!("cc -w {name} {link} -o program"));
            let outcome = scratch.meridian("run -n 2 ./program");
            assert_eq!(outcome.status, status, "{name} {link}: {}", outcome.report());
        }
    }
}

#[test]
fn warnings_of_the_front_end_are_unknown_to_c_compilers_and_not_passed_on() {
    let scratch =
        scratch("own-warnings").file("a.sc", "int x;\nint f(int *global g) { x := *g; return x; }\n");
    for cc in ["gcc", "clang"] {
        let told = scratch.meridian(&format!("cc --cc {cc} -c a.sc"));
        assert!(told.stderr.contains("before `sync()`"), "{}", told.report());
        let silent = scratch.meridian(&format!("cc --cc {cc} -Wno-split-phase -c a.sc"));
        assert_eq!((silent.status, silent.stderr.as_str()), (0, ""), "{cc}");
    }
}

/// gcc makes code before a call that it considers exceptional short rather than fast. So loops that start
/// reads in advance, and the iterations after them, have no such call on their usual path.
#[test]
fn loops_that_read_in_advance_are_compiled_to_be_fast() {
    let source = "#include <upc_relaxed.h>\nshared long a[8 * THREADS], place[8 * THREADS], to[8 * THREADS];\n\
                  void gather(void) {\n\
                  upc_forall (long i = 0; i < 8 * THREADS; i++; i)\n    to[i] = a[place[i]];\n}\n";
    let scratch = scratch("read_in_advance").file("gather.upc", source);
    scratch.good("cc --cc gcc -O3 -S gather.upc -o gather.s");
    let (mut section, mut waits) = (String::new(), Vec::new());
    for line in scratch.read("gather.s").lines().map(str::trim) {
        if line.starts_with(".section") || line == ".text" {
            section = line.to_owned();
        } else if line.contains("call") && line.contains("mer_remote_get_wait") {
            waits.push(section.clone());
        }
    }
    assert!(!waits.is_empty(), "it waits for nothing");
    assert!(waits.iter().all(|section| !section.contains("unlikely")), "{waits:?}");
}

/// No warning comes from two assignments that are done together, or one by one if their loop seldom runs.
#[test]
fn writes_that_are_done_together_are_silent() {
    let source = "#include <upc_relaxed.h>\nshared long a[8 * THREADS], b[8 * THREADS], place[8 * THREADS];\n\
                  void put(void) {\nupc_forall (long i = 0; i < 8 * THREADS; i++; i) {\n\
                  a[place[i]] = i;\n    b[place[i]] = -i;\n}\n}\n";
    let scratch = scratch("together").file("put.upc", source);
    for cc in ["gcc", "clang"] {
        let told = scratch.meridian(&format!("cc --cc {cc} -O3 -Wall -Wextra -c put.upc"));
        assert_eq!((told.status, told.stderr.as_str()), (0, ""), "{cc}");
    }
}
