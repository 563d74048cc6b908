//! Common mistakes: each causes one message, at the right line, that names a remedy, and no further messages.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tests::process;

/// A name, the program, the line of the only error or warning, and a text in the message or its help.
const MISTAKES: &[(&str, &str, usize, &str)] = &[
    ("open_string.id", "def greeting = \"hello;\ngreeting;\n", 1, "the string does not end on its line"),
    ("directive.id", "#include <stdio.h>\nprint 3;\n", 1, "`#` begins no token of Id"),
    (
        "type.upc",
        "#include <upc.h>\nshared foo_t x[THREADS];\nvoid f(foo_t *p) { p->a = 1; }\nint main(void) {\n    \
        foo_t y;\n    y.a = 1;\n    x[0].a = 2;\n    return 0;\n}\n",
        2,
        "unknown type name `foo_t`",
    ),
    ("keyword.upc", "shred int a[THREADS];\nint main(void) { a[0] = 1; return a[0]; }\n", 1, "`shared`"),
    (
        "member_type.upc",
        "struct p { int x; flot y; };\nshared struct p ps[THREADS];\nint main(void) {\n    \
        struct p q = ps[0];\n    ps[0].y = 1;\n    return q.y;\n}\n",
        1,
        "`float`",
    ),
    (
        "include.upc",
        "int main(void) {\n    printf(\"a %d\\n\", 1);\n    printf(\"b\\n\");\n    return 0;\n}\n",
        2,
        "#include <stdio.h>",
    ),
    (
        "mathematics.upc",
        "int main(void) {\n    double x = sqrt(2.0), y = sqrt(3.0);\n    return x > y;\n}\n",
        2,
        "#include <math.h>",
    ),
    (
        "bound.upc",
        "#define N 10;\nshared int a[N * THREADS];\nint main(void) { return a[0]; }\n",
        2,
        "expected `]`",
    ),
    (
        "affinity_of_value.upc",
        "#include <upc.h>\nshared int a[THREADS];\nint main(void) { return upc_threadof(a[0]); }\n",
        3,
        "write `&` before the object",
    ),
    (
        "parenthesis.upc",
        "shared (4) int a[4 * THREADS];\nint main(void) { return 0; }\n",
        1,
        "stands in brackets",
    ),
    (
        "barrier.upc",
        "int main(void) {\n    upc_barier;\n    return 0;\n}\n",
        2,
        "did you mean `upc_barrier`?",
    ),
    (
        "forall.upc",
        "shared int a[THREADS];\nint main(void) {\n    upc_foral (int i = 0; i < THREADS; i++; i)\n        \
        a[i] = i;\n    return a[0];\n}\n",
        3,
        "did you mean `upc_forall`?",
    ),
    (
        "forall_block.upc",
        "shared int a[THREADS];\nint main(void) {\n    int i;\n    upc_foral_ (i = 0; i < THREADS; i++; &a[i]) {\n        \
        a[i] = i;\n    }\n    return a[0];\n}\n",
        4,
        "did you mean `upc_forall`?",
    ),
    (
        "wait.upc",
        "int main(void) {\n    upc_notify 1;\n    upc_wiat 1;\n    return 0;\n}\n",
        3,
        "`upc_wait`?",
    ),
    ("fence.upc", "int main(void) {\n    upc_fense;\n    return 0;\n}\n", 2, "did you mean `upc_fence`?"),
    (
        "on_one.sc",
        "#include <split-c/split-c.h>\nint x;\nint splitc_main(void) {\n    on_on { x = 1; }\n    return x;\n}\n",
        4,
        "did you mean `on_one`?",
    ),
    (
        "for_my_1d.ac",
        "#include <split-c/split-c.h>\ndist int x[9];\nint main(void) {\n    int i;\n    for_my1d (i, 9) x[i] = i;\n    \
        return x[0];\n}\n",
        5,
        "did you mean `for_my_1d`?",
    ),
    (
        "no_control.sc",
        "int x;\nint splitc_main(void) {\n    on_proc (1) { x = 1; }\n    return x;\n}\n",
        3,
        "#include <split-c/control.h>",
    ),
    (
        "shared_pointer.upc",
        "#include <upc.h>\nint *shared p;\nint main(void) {\n    p = upc_all_alloc(THREADS, 4);\n    return 0;\n}\n",
        4,
        "did you mean `shared int *`?",
    ),
    ("number.upc", "int main(void) { return MYTHRED; }\n", 1, "did you mean `MYTHREAD`?"),
    (
        "two_dimensions.upc",
        "shared [THREADS] int a[THREADS][THREADS];\nint main(void) { return a[0][0]; }\n",
        1,
        "the block size is not a constant",
    ),
    (
        "block_of_threads.upc",
        "shared [4] int *p;\nint main(void) {\n    p = (shared [THREADS] int *)p;\n    return *p;\n}\n",
        3,
        "the block size is not a constant",
    ),
    (
        "negative_block.upc",
        "shared [-4] int a[THREADS];\nshared [4] int *f(int i) { a[i] = 3; return a + 1; }\n\
        int main(void) { return a[1] - *f(2); }\n",
        1,
        "the block size is negative",
    ),
    ("no_name.upc", "int shared;\nint main(void) { return 0; }\n", 1, "declares nothing"),
    ("private_rows.upc", "int a[THREADS];\nint main(void) { return a[0]; }\n", 1, "(-T N)"),
    ("semicolon.upc", "int main(void) {\n    int i = 0\n    i++;\n    return i;\n}\n", 2, "add `;` here"),
    (
        "struct.upc",
        "struct s { int a; }\nshared struct s x;\nint main(void) { x.a = 1; return 0; }\n",
        1,
        "add `;` here",
    ),
    (
        "member.upc",
        "struct s { int a int b; };\nshared struct s x;\nint main(void) { return x.b; }\n",
        1,
        "add `;` here",
    ),
    (
        "brace.upc",
        "int main(void) {\n    if (MYTHREAD) {\n        ;\n    }\n    }\n    if (THREADS)\n        return 1;\n    \
        return 0;\n}\nint g(void) { return 1; }\n",
        6,
        "an extra `}` before this statement",
    ),
    (
        "open.upc",
        "int f(void) {\n    if (MYTHREAD) {\n        ;\n    return 0;\n}\nint main(void) { return f(); }\n",
        1,
        "add the missing `}`",
    ),
    (
        "variable.upc",
        "int main(void) {\n    for (int i = 0; i < 3; i++) { total += i; total++; total = total * 2; }\n    \
        return total + total;\n}\n",
        2,
        "`total` is not declared",
    ),
    (
        "array.upc",
        "int main(void) {\n    upc_forall (int i = 0; i < 10; i++; &arr[i])\n        arr[i] = arr[i] + 1;\n    \
        return arr[0];\n}\n",
        2,
        "`arr` is not declared",
    ),
    (
        "unknown.upc",
        "struct s { int a; };\nshared struct s v;\nint main(void) {\n    v.b = 1;\n    v.b++;\n    return v.b;\n}\n",
        4,
        "no member `b`",
    ),
    (
        "incomplete.upc",
        "shared struct nowhere s;\nint main(void) {\n    s.x = 1;\n    s.y = 2;\n    return s.x;\n}\n",
        3,
        "its definition is not visible",
    ),
    (
        "parenthesis.upc",
        "int main(void) {\n    if (MYTHREAD == 0 {\n        ;\n    }\n    return 0;\n}\n",
        2,
        "expected `)`",
    ),
    (
        "arguments.upc",
        "int f(shared int *p, int n) { return p[n]; }\nint main(void) {\n    return f(1);\n}\n",
        3,
        "takes 2 arguments, but 1 is given",
    ),
    ("barrier.upc", "int main(void) {\n    upc_barrier();\n    return 0;\n}\n", 2, "write `upc_barrier;`"),
    ("fence.upc", "int main(void) {\n    upc_fence();\n    return 0;\n}\n", 2, "write `upc_fence;`"),
    (
        "string.upc",
        "#include <stdio.h>\nint main(void) {\n    puts(\"x);\n    return 0;\n}\n",
        3,
        "add the missing `\"`",
    ),
    (
        "macro.upc",
        "#define INC(x) ((x) + nothing)\nint main(void) {\n    int a = INC(1);\n    a = INC(2);\n    \
        return INC(a);\n}\n",
        3,
        "`nothing` is not declared",
    ),
    ("blank.upc", "int main(void) {\n    return\u{a0}0;\n}\n", 2, "write a blank"),
    (
        "spread.sc",
        "#include <split-c/split-c.h>\nint main(void) {\n    bulk_read(1, 2);\n    return 0;\n}\n",
        3,
        "takes 3 arguments",
    ),
    ("called.sc", "#include <split-c/split-c.h>\nsplitc_main() {\n    barrier;\n}\n", 3, "write `barrier()`"),
];

fn said(directory: &str, file: &str, text: &[u8]) -> String {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(directory);
    std::fs::create_dir_all(&scratch).unwrap();
    std::fs::write(scratch.join(file), text).unwrap();
    let mut command = Command::new(tests::meridian());
    command.args(["cc", "-Wall", "-c", "-o", "/dev/null", file]).current_dir(&scratch);
    let outcome = process::run(&mut command, None, Duration::from_secs(60)).unwrap();
    outcome.stderr
}

#[test]
fn a_mistake_is_one_message() {
    let mut wrong = String::new();
    for &(file, text, line, told) in MISTAKES {
        let said = said("mistakes", file, text.as_bytes());
        let messages: Vec<&str> =
            said.lines().filter(|l| l.contains(": error: ") || l.contains(": warning: ")).collect();
        // A preprocessor reports an open string itself.
        let messages: Vec<&str> =
            messages.into_iter().filter(|l| !l.contains("missing terminating")).collect();
        let place = format!("{file}:{line}:");
        if messages.len() != 1 || !messages[0].starts_with(&place) || !said.contains(told) {
            wrong += &format!("{file}: wanted one message at line {line} with `{told}`:\n{said}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn columns_of_the_c_compiler_are_those_of_the_source() {
    let program = "shared int a[10*THREADS];\nint main(void) {\n    a[0] = a[1] + a[2]; int unused = 3; \
                   a[3]++; int other;\n    return 0;\n}\n";
    let said = said("columns", "columns.upc", program.as_bytes());
    for place in ["columns.upc:3:29: warning: unused variable", "columns.upc:3:53: warning: unused variable"]
    {
        assert!(said.contains(place), "no `{place}` in\n{said}");
    }
}

#[test]
fn bytes_that_are_not_utf8_stand_in_comments_and_strings() {
    let fine = b"\xef\xbb\xbfshared int a[THREADS]; /* caf\xe9 */\nint main(void) { return \"na\xefve\"[0] == a[0]; }\n";
    assert_eq!(said("utf8", "fine.upc", fine), "");
    let name =
        said("utf8", "name.upc", b"shared int caf\xe9[THREADS];\nint main(void) { return caf\xe9[0]; }\n");
    assert!(name.starts_with("name.upc:1:") && name.contains("byte 0xe9 is not UTF-8"), "{name}");
    assert_eq!(name.matches("error:").count(), 1, "{name}");
    let letters = "shared int größe[THREADS];\nint main(void) { return größe[0]; }\n";
    assert_eq!(said("utf8", "letters.upc", letters.as_bytes()), "");
}
