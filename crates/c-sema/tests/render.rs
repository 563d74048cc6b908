//! Some messages as the user sees them.

mod support;

use expect_test::{Expect, expect};

#[track_caller]
fn shows(text: &str, picture: Expect) {
    let checked = support::run(text, None);
    picture.assert_eq(&base::render::render(&checked.diagnostics, &checked.source, false));
}

#[test]
fn pictures() {
    shows(
        "int main(void) {\n    shared int x;\n    return 0;\n}\n",
        expect![[r#"
        error[U0600]: an automatic object cannot be shared: its type is `shared int`
         --> <stdin>:2:16
          |
        2 |     shared int x;
          |                ^ lives on the stack of one thread
          |
          = note: UPC 6.5.2
          = help: declare it `static`, or at file scope, or use a pointer-to-shared

    "#]],
    );
    shows(
        "shared [2] shared [3] int *p;\n",
        expect![[r#"
        error[U0604]: two block sizes for one type
         --> <stdin>:1:12
          |
        1 | shared [2] shared [3] int *p;
          | ---------- ^^^^^^^^^^ the second
          | |
          | the first
          |
          = note: UPC 6.5
          = help: leave one of them out

    "#]],
    );
    shows(
        "shared [4] double *blocked;\nvoid take(shared double *p);\nvoid f(void) {\n    take(blocked);\n}\n",
        expect![[r#"
            warning[U0618]: `shared [4] double *` given for `shared double *` as argument 1 of `take`
             --> <stdin>:4:10
              |
            4 |     take(blocked);
              |          ^^^^^^^ block size 4, where 1 is expected
              |
              = note: UPC 6.4.3
              = note: `-Wno-incompatible-pointer-types` turns this warning off
              = help: write a cast, `(shared double *)`, if this is meant; the phase becomes 0

        "#]],
    );
    shows(
        "typedef shared int cell;\nint two(cell *p, int n);\nint f(cell *p) {\n    return two(p);\n}\n",
        expect![[r#"
            error[C0204]: `two` takes 2 arguments, but 1 is given
             --> <stdin>:4:12
              |
            4 |     return two(p);
              |            ^^^^^^ too few
              |
              = note: C17 6.5.2.2

        "#]],
    );
    shows(
        "shared int a[THREADS];\nvoid f(void) {\n    int i;\n    upc_forall (i = 0; i < THREADS; i++; \
         &a[i])\n        if (a[i])\n            break;\n}\n",
        expect![[r#"
            warning[U0620]: `break` leaves a upc_forall: the behaviour is undefined
             --> <stdin>:6:13
              |
            6 |             break;
              |             ^^^^^^ ends the loop on this thread only
              |
              = note: UPC 6.6.2
              = note: `-Wno-upc-forall` turns this warning off
              = help: let all iterations run, or use `for` with a test of the affinity

        "#]],
    );
}
