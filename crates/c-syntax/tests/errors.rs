//! Messages to users: each mistake is reported once, at its place, with advice.

mod common;

use c_syntax::Dialect;
use common::{on_big_stack, parse};
use expect_test::{Expect, expect};

fn check_in(dialect: Dialect, text: &'static str, expected: Expect) {
    let rendered = on_big_stack(move || {
        let (source, _, diagnostics) = parse(text, dialect);
        base::render(&diagnostics, &source, false)
    });
    expected.assert_eq(&rendered);
}

fn check(text: &'static str, expected: Expect) {
    check_in(Dialect::UPC, text, expected);
}

#[test]
fn missing_semicolons() {
    check(
        "struct s { int a
  int b }
int x
int f(int n) {
  n++
  return n
}
struct t { int b; }
void g(void);
void h(void) { f(1) f(2); f(3); }
",
        expect![[r#"
            error[C0100]: expected `;` after the member, found the keyword `int`
             --> <stdin>:1:16
              |
            1 | struct s { int a
              |                ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: expected `;` after the type, found the keyword `int`
             --> <stdin>:2:9
              |
            2 |   int b }
              |         ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: expected `;` after the declaration, found the keyword `int`
             --> <stdin>:3:5
              |
            3 | int x
              |     ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: expected `;` after the expression, found the keyword `return`
             --> <stdin>:5:5
              |
            5 |   n++
              |     ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: expected `;` after `return`, found `}`
             --> <stdin>:6:10
              |
            6 |   return n
              |          ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: expected `;` after the type, found the keyword `void`
             --> <stdin>:8:19
              |
            8 | struct t { int b; }
              |                   ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: expected `;` after the expression, found `f`
              --> <stdin>:10:19
               |
            10 | void h(void) { f(1) f(2); f(3); }
               |                   ^ `;` is missing here
               |
               = help: add `;` here

        "#]],
    );
}

#[test]
fn unknown_types() {
    check(
        "typedef unsigned long size_t;
sizet a; sizet b; const foo c;
void f(foo x, int y, unsinged z) { bar *p = 0; baz q; (quux *)y; for (zip i = 0; ; ) ; }
struct s { lng m; };
",
        expect![[r#"
            error[C0103]: unknown type name `sizet`
             --> <stdin>:2:1
              |
            2 | sizet a; sizet b; const foo c;
              | ^^^^^
              |
              = note: C17 6.7.2
              = help: there is a type with a similar name: `size_t`

            error[C0103]: unknown type name `foo`
             --> <stdin>:2:25
              |
            2 | sizet a; sizet b; const foo c;
              |                         ^^^
              |
              = note: C17 6.7.2

            error[C0103]: unknown type name `unsinged`
             --> <stdin>:3:22
              |
            3 | void f(foo x, int y, unsinged z) { bar *p = 0; baz q; (quux *)y; for (zip i = 0; ; ) ; }
              |                      ^^^^^^^^
              |
              = note: C17 6.7.2
              = help: there is a type with a similar name: `unsigned`

            error[C0103]: unknown type name `bar`
             --> <stdin>:3:36
              |
            3 | void f(foo x, int y, unsinged z) { bar *p = 0; baz q; (quux *)y; for (zip i = 0; ; ) ; }
              |                                    ^^^
              |
              = note: C17 6.7.2

            error[C0103]: unknown type name `baz`
             --> <stdin>:3:48
              |
            3 | void f(foo x, int y, unsinged z) { bar *p = 0; baz q; (quux *)y; for (zip i = 0; ; ) ; }
              |                                                ^^^
              |
              = note: C17 6.7.2

            error[C0103]: unknown type name `quux`
             --> <stdin>:3:56
              |
            3 | void f(foo x, int y, unsinged z) { bar *p = 0; baz q; (quux *)y; for (zip i = 0; ; ) ; }
              |                                                        ^^^^
              |
              = note: C17 6.7.2

            error[C0103]: unknown type name `zip`
             --> <stdin>:3:71
              |
            3 | void f(foo x, int y, unsinged z) { bar *p = 0; baz q; (quux *)y; for (zip i = 0; ; ) ; }
              |                                                                       ^^^
              |
              = note: C17 6.7.2

            error[C0103]: unknown type name `lng`
             --> <stdin>:4:12
              |
            4 | struct s { lng m; };
              |            ^^^
              |
              = note: C17 6.7.2
              = help: there is a type with a similar name: `long`

        "#]],
    );
}

#[test]
fn brackets() {
    check(
        "int f(int a { return a; }
int g(int a) { if (a { return (a + 1; } return a[1; }
int h(int a) { f(a, ; while a) a--; return 0; }
}
int i(int a) { return (a)); }
int j(void) { if (1) {
",
        expect![[r#"
            error[C0100]: expected `)` to close the parameter list, found `{`
             --> <stdin>:1:13
              |
            1 | int f(int a { return a; }
              |      -      ^
              |      |
              |      to match this `(`

            error[C0100]: expected `)` around the condition of `if`, found `{`
             --> <stdin>:2:22
              |
            2 | int g(int a) { if (a { return (a + 1; } return a[1; }
              |                   -  ^
              |                   |
              |                   to match this `(`

            error[C0100]: expected `]` to close the index, found `;`
             --> <stdin>:2:51
              |
            2 | int g(int a) { if (a { return (a + 1; } return a[1; }
              |                                                 - ^
              |                                                 |
              |                                                 to match this `[`

            error[C0100]: expected an expression, found `;`
             --> <stdin>:3:21
              |
            3 | int h(int a) { f(a, ; while a) a--; return 0; }
              |                     ^

            error[C0100]: expected `;` after the expression, found `a`
             --> <stdin>:3:30
              |
            3 | int h(int a) { f(a, ; while a) a--; return 0; }
              |                              ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: this `}` closes nothing
             --> <stdin>:4:1
              |
            4 | }
              | ^
              |
              = help: remove the `}`, or add the `{` that is missing before it

            error[C0100]: expected `;` after `return`, found `)`
             --> <stdin>:5:25
              |
            5 | int i(int a) { return (a)); }
              |                         ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: this `{` is never closed
             --> <stdin>:6:13
              |
            6 | int j(void) { if (1) {
              |             ^
              |
              = help: add the missing `}`

            error[C0100]: this `{` is never closed
             --> <stdin>:6:22
              |
            6 | int j(void) { if (1) {
              |                      ^
              |
              = help: add the missing `}`

        "#]],
    );
}

#[test]
fn statements() {
    check(
        "void f(int n) {
  else n++;
  if (n) int k = 1;
  case: n++;
  goto 3;
  do n--; until (n);
  for (int i = 0, i < 3, i++) n++;
  n = = 3; n = ; int = 4;
  f(int);
  return;
}
",
        expect![[r#"
            error[C0100]: there is no `if` before this `else`
             --> <stdin>:2:3
              |
            2 |   else n++;
              |   ^^^^

            error[C0100]: a declaration cannot stand here without braces around it
             --> <stdin>:3:10
              |
            3 |   if (n) int k = 1;
              |          ^^^
              |
              = help: write `{ … }`

            error[C0100]: expected an expression, found `:`
             --> <stdin>:4:7
              |
            4 |   case: n++;
              |       ^

            error[C0100]: expected the name of a label after `goto`, found `3`
             --> <stdin>:5:8
              |
            5 |   goto 3;
              |        ^

            error[C0100]: expected `while` after the body of `do`, found `until`
             --> <stdin>:6:11
              |
            6 |   do n--; until (n);
              |           ^^^^^

            error[C0100]: expected `;` after the declaration, found `<`
             --> <stdin>:7:19
              |
            7 |   for (int i = 0, i < 3, i++) n++;
              |                   ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: expected an expression, found `=`
             --> <stdin>:8:7
              |
            8 |   n = = 3; n = ; int = 4;
              |       ^

            error[C0100]: expected an expression, found `;`
             --> <stdin>:8:16
              |
            8 |   n = = 3; n = ; int = 4;
              |                ^

            error[C0100]: expected a name, found `=`
             --> <stdin>:8:22
              |
            8 |   n = = 3; n = ; int = 4;
              |                      ^

            error[C0100]: expected an argument, found a type
             --> <stdin>:9:5
              |
            9 |   f(int);
              |     ^^^

        "#]],
    );
}

#[test]
fn upc() {
    check(
        "shared [4 int a[10];
void f(void) {
  upc_forall (int i = 0; i < 10; i++) a[i] = 0;
  upc_forall (int i = 0; i < 10) a[i] = 0;
  upc_barrier
  upc_notify 1 2;
#pragma upc strict
#pragma upc fast
}
",
        expect![[r#"
            error[C0100]: expected `]` to end the layout, found the keyword `int`
             --> <stdin>:1:11
              |
            1 | shared [4 int a[10];
              |        -  ^^^
              |        |
              |        to match this `[`

            error[U0625]: `upc_forall` needs a fourth clause, the affinity
             --> <stdin>:3:37
              |
            3 |   upc_forall (int i = 0; i < 10; i++) a[i] = 0;
              |   ---------- in this loop           ^ `;` and the affinity are missing here
              |
              = note: UPC 6.6.2
              = help: write `; i)` or `; &a[i])` to divide the iterations, or `;)` to run all iterations on every thread

            error[C0100]: expected `;` after the second clause of the loop, found `)`
             --> <stdin>:4:32
              |
            4 |   upc_forall (int i = 0; i < 10) a[i] = 0;
              |                                ^

            error[C0100]: expected `;` after `upc_barrier`, found the keyword `upc_notify`
             --> <stdin>:5:13
              |
            5 |   upc_barrier
              |             ^ `;` is missing here
              |
              = help: add `;` here

            error[C0100]: expected `;` after `upc_notify`, found `2`
             --> <stdin>:6:14
              |
            6 |   upc_notify 1 2;
              |              ^ `;` is missing here
              |
              = help: add `;` here

            warning[U0619]: this pragma has no effect here
             --> <stdin>:7:1
              |
            7 | #pragma upc strict
              | ^^^^^^^^^^^^^^^^^^
              |
              = note: UPC 6.7.1
              = note: `-Wno-upc-pragma` turns this warning off
              = help: put the pragma outside of functions, or first in a block, before the declarations

            warning[U0619]: unknown pragma `upc fast`
             --> <stdin>:8:1
              |
            8 | #pragma upc fast
              | ^^^^^^^^^^^^^^^^
              |
              = note: UPC 6.7.1
              = note: `-Wno-upc-pragma` turns this warning off
              = help: there are `#pragma upc strict` and `#pragma upc relaxed`

        "#]],
    );
}

#[test]
fn upc_words_in_c() {
    check_in(
        Dialect::default(),
        "shared int x;\n",
        expect![[r#"
        error[C0103]: unknown type name `shared`
         --> <stdin>:1:1
          |
        1 | shared int x;
          | ^^^^^^
          |
          = note: C17 6.7.2
          = help: `shared` is a keyword of UPC: compile this file as UPC

    "#]],
    );
}

#[test]
fn tokens() {
    check(
        "int a = 08, b = 0xg, c = 1.5.2, d = 0b12, e = 1e, f = 0x1.8, g = 3foo;
char *s = \"open;
char t = '', u = 'x;
int @ v = `3`;
/* never
",
        expect![[r#"
            error[C0003]: `08` is not a number
             --> <stdin>:1:9
              |
            1 | int a = 08, b = 0xg, c = 1.5.2, d = 0b12, e = 1e, f = 0x1.8, g = 3foo;
              |         ^^ digit 8 in an octal number
              |
              = note: C17 6.4.4

            error[C0003]: `0xg` is not a number
             --> <stdin>:1:17
              |
            1 | int a = 08, b = 0xg, c = 1.5.2, d = 0b12, e = 1e, f = 0x1.8, g = 3foo;
              |                 ^^^ no digits
              |
              = note: C17 6.4.4

            error[C0003]: `1.5.2` is not a number
             --> <stdin>:1:26
              |
            1 | int a = 08, b = 0xg, c = 1.5.2, d = 0b12, e = 1e, f = 0x1.8, g = 3foo;
              |                          ^^^^^ `.2` is not a suffix of a floating constant
              |
              = note: C17 6.4.4

            error[C0003]: `0b12` is not a number
             --> <stdin>:1:37
              |
            1 | int a = 08, b = 0xg, c = 1.5.2, d = 0b12, e = 1e, f = 0x1.8, g = 3foo;
              |                                     ^^^^ a binary number has only the digits 0 and 1
              |
              = note: C17 6.4.4

            error[C0003]: `1e` is not a number
             --> <stdin>:1:47
              |
            1 | int a = 08, b = 0xg, c = 1.5.2, d = 0b12, e = 1e, f = 0x1.8, g = 3foo;
              |                                               ^^ the exponent has no digits
              |
              = note: C17 6.4.4

            error[C0003]: `0x1.8` is not a number
             --> <stdin>:1:55
              |
            1 | int a = 08, b = 0xg, c = 1.5.2, d = 0b12, e = 1e, f = 0x1.8, g = 3foo;
              |                                                       ^^^^^ a hexadecimal floating constant without exponent
              |
              = note: C17 6.4.4
              = help: write the exponent, as in `0x1.8p0`

            error[C0003]: `3foo` is not a number
             --> <stdin>:1:66
              |
            1 | int a = 08, b = 0xg, c = 1.5.2, d = 0b12, e = 1e, f = 0x1.8, g = 3foo;
              |                                                                  ^^^^ `foo` is not a suffix of an integer
              |
              = note: C17 6.4.4

            error[C0002]: this string literal is not closed on its line
             --> <stdin>:2:11
              |
            2 | char *s = "open;
              |           ^^^^^^
              |
              = note: C17 6.4
              = help: add the missing `"`

            error[C0002]: empty character constant
             --> <stdin>:3:10
              |
            3 | char t = '', u = 'x;
              |          ^^
              |
              = note: C17 6.4

            error[C0002]: this character constant is not closed on its line
             --> <stdin>:3:18
              |
            3 | char t = '', u = 'x;
              |                  ^^^
              |
              = note: C17 6.4
              = help: add the missing `'`

            error[C0001]: stray `@` in the program
             --> <stdin>:4:5
              |
            4 | int @ v = `3`;
              |     ^
              |
              = note: C17 6.4

            error[C0001]: stray ``` in the program
             --> <stdin>:4:11
              |
            4 | int @ v = `3`;
              |           ^
              |
              = note: C17 6.4

            error[C0001]: stray ``` in the program
             --> <stdin>:4:13
              |
            4 | int @ v = `3`;
              |             ^
              |
              = note: C17 6.4

            error[C0002]: this comment is never closed
             --> <stdin>:5:1
              |
            5 | /* never
              | ^^
              |
              = note: C17 6.4

        "#]],
    );
}

#[test]
fn repeated_errors_are_counted() {
    let text: &'static str = "int x = 08;\n".repeat(25).leak();
    let rendered = on_big_stack(move || {
        let (source, _, diagnostics) = parse(text, Dialect::UPC);
        base::render(&diagnostics, &source, false)
    });
    assert_eq!(rendered.matches("error[C0003]").count(), 20);
    assert!(rendered.trim_end().ends_with("and 5 more errors"), "{rendered}");
}
