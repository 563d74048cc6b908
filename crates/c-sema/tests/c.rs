//! Errors of C that the checks report, and GNU C that must pass.

mod support;

use expect_test::{Expect, expect};
use support::{accept, dynamic};

#[track_caller]
fn refuse(text: &str, messages: Expect) {
    messages.assert_eq(&dynamic(text));
}

#[test]
fn names() {
    refuse(
        "int counter; int f(void) { return cuonter + zebra + zebra; }",
        expect![[r#"
            1:35: error[C0200]: `cuonter` is not declared
                not found in this scope
                did you mean `counter`?
            1:45: error[C0200]: `zebra` is not declared
                not found in this scope
        "#]],
    );
    refuse(
        "int f(void) { return foo(1); }",
        expect![[r#"
            1:22: warning[C0213]: function `foo` is called without a declaration
                assumed to return int
        "#]],
    );
    refuse(
        "void f(void) { printf(\"\"); upc_unlock(0); }",
        expect![[r#"
            1:16: warning[C0213]: function `printf` is called without a declaration
                assumed to return int
                add `#include <stdio.h>`
            1:28: warning[C0213]: function `upc_unlock` is called without a declaration
                assumed to return int
                add `#include <upc.h>`
        "#]],
    );
    refuse(
        "void f(void) { goto out; again: ; goto agian; }",
        expect![[r#"
            1:21: error[C0200]: no label `out` in this function
                unknown label
            1:40: error[C0200]: no label `agian` in this function
                unknown label
                did you mean `again`?
        "#]],
    );
    refuse(
        "typedef int T; int f(void) { return sizeof(T) + T; }",
        expect![[r#"
            1:49: error[C0205]: `T` is a type, not a value
                a type name
        "#]],
    );
}

#[test]
fn declarations() {
    refuse(
        "int x; double x;",
        expect![[r#"
            1:15: error[C0201]: `x` is already declared with another type
                is `double` here
        "#]],
    );
    refuse(
        "int f(int); int f(int, int);",
        expect![[r#"
            1:17: error[C0201]: `f` is already declared with another type
                is `int (int, int)` here
        "#]],
    );
    refuse(
        "int x; int x(void);",
        expect![[r#"
            1:12: error[C0201]: `x` is already declared as something else
                a function here
        "#]],
    );
    refuse(
        "void f(void) { int a; int a; }",
        expect![[r#"
            1:27: error[C0201]: `a` is declared twice in this scope
                the second declaration
        "#]],
    );
    refuse(
        "int f(int a) { int a; return a; }",
        expect![[r#"
            1:20: error[C0201]: `a` is declared twice in this scope
                the second declaration
        "#]],
    );
    refuse(
        "int f(int a, int a);",
        expect![[r#"
            1:18: error[C0201]: two parameters named `a`
                the second
        "#]],
    );
    refuse(
        "int f(void) { return 1; } int f(void) { return 2; }",
        expect![[r#"
            1:31: error[C0201]: `f` is defined twice
                the second body
        "#]],
    );
    refuse(
        "int x = 1; int x = 2;",
        expect![[r#"
            1:16: error[C0201]: `x` is defined twice
                the second definition
        "#]],
    );
    refuse(
        "struct s { int a; char a; }; struct s { int b; };",
        expect![[r#"
            1:24: error[C0201]: two members named `a`
                the second
            1:37: error[C0201]: `struct s` is defined twice
                this scope has a definition already
        "#]],
    );
    refuse(
        "struct s { int a; }; union s u;",
        expect![[r#"
            1:28: error[C0201]: `s` is the tag of another kind of type
                was declared with another keyword
        "#]],
    );
    refuse(
        "enum { A, B, A };",
        expect![[r#"
            1:14: error[C0201]: `A` is declared twice
                an enumerator here
        "#]],
    );
    refuse(
        "int x; static int x;",
        expect![[r#"
            1:19: error[C0201]: `x` is static here, but not in an earlier declaration
                static here
        "#]],
    );
    refuse(
        "void v; struct s t; int f(void) { struct u w; return 0; }",
        expect![[r#"
            1:6: error[C0208]: `v` has an incomplete type, `void`
                its size is not known here
            1:18: error[C0208]: `t` has an incomplete type, `struct s`
                its size is not known at the end of the file
            1:44: error[C0208]: `w` has an incomplete type, `struct u`
                its size is not known here
        "#]],
    );
    refuse(
        "long char c; short double d; signed unsigned i; int a[-1]; int b[1.5]; int g(void)[3]; \
         int (h[2])(void);",
        expect![[r#"
            1:1: error[C0102]: `long char` is not a type
                these specifiers do not go together
            1:14: error[C0102]: `short double` is not a type
                these specifiers do not go together
            1:30: error[C0102]: `signed unsigned` is not a type
                these specifiers do not go together
            1:55: error[C0211]: an array of negative length
                the length is -1
            1:66: error[C0211]: an array bound of type `double`
                not an integer
            1:77: error[C0211]: a function cannot return an array
                return a pointer to it
            1:94: error[C0208]: an array of functions
                its elements would be `int (void)`
        "#]],
    );
    refuse(
        "long __int128 i; short __int128 j; unsigned __int128 k;",
        expect![[r#"
            1:1: error[C0102]: `long __int128` is not a type
                these specifiers do not go together
            1:18: error[C0102]: `short __int128` is not a type
                these specifiers do not go together
        "#]],
    );
    refuse(
        "int n; int (*p)[n]; void f(int m) { static int (*q)[m]; static int a[m]; }",
        expect![[r#"
            1:17: error[C0209]: the length of this array is not constant
                known only at run time
            1:70: error[C0209]: the length of this array is not constant
                known only at run time
        "#]],
    );
    refuse(
        "int n; int a[n]; struct s { int w : n; int v : 33; };",
        expect![[r#"
            1:14: error[C0209]: the length of this array is not constant
                known only at run time
            1:37: error[C0209]: the width of a bit-field is not constant
                varies
            1:48: error[C0211]: a bit-field wider than its type, which has 32 bits
                too wide
        "#]],
    );
    refuse(
        "_Static_assert(sizeof(int) == 8, \"int is small\");",
        expect![[r#"
            1:16: error[C0212]: static assertion failed: "int is small"
                is false
        "#]],
    );
    refuse(
        "shared [2] int x[4*THREADS]; extern shared [3] int x[4*THREADS];",
        expect![[r#"
            1:52: error[C0201]: `x` is already declared with another type
                is `shared [3] int [4*THREADS]` here
        "#]],
    );
    // The parameters are those nearest the name.
    refuse(
        "int (*f(int a))(int b) { return a ? 0 : f(b); }",
        expect![[r#"
            1:43: error[C0200]: `b` is not declared
                not found in this scope
        "#]],
    );
}

#[test]
fn expressions() {
    let head = "struct s { int number; double weight; } s, *p; int n, a[3], *q; const int k = 1; \
        void v(void); int two(int, int); double d;\n";
    let refuse = |body: &str, e: Expect| refuse(&format!("{head}void f(void) {{\n{body}\n}}\n"), e);
    refuse(
        "s.numbr; p->x; p.number; s->number; n.x; q->x;",
        expect![[r#"
            3:3: error[C0202]: `struct s` has no member `numbr`
                unknown member
                did you mean `number`?
            3:13: error[C0202]: `struct s` has no member `x`
                unknown member
                its members are `number`, `weight`
            3:16: error[C0202]: member `number` of `struct s *`
                not a struct or union
                the operand is a pointer: write `->number`
            3:26: error[C0202]: `->` on `struct s`, which is not a pointer
                not a pointer
                write `.number`
            3:37: error[C0202]: member `x` of `int`
                not a struct or union
            3:42: error[C0202]: member `x` of `int`
                the target of this pointer is not a struct or union
        "#]],
    );
    refuse(
        "n(1); two(1); two(1, 2, 3); two(s, 1); two(v(), 1);",
        expect![[r#"
            3:1: error[C0203]: call of `int`, which is not a function
                not a function
            3:7: error[C0204]: `two` takes 2 arguments, but 1 is given
                too few
            3:15: error[C0204]: `two` takes 2 arguments, but 3 are given
                too many
            3:33: error[C0207]: `struct s` given for `int` as argument 1 of `two`
                is `struct s`
            3:44: error[C0207]: an expression without value is used as argument 1 of `two`
                is void
        "#]],
    );
    refuse(
        "s + 1; q + q; q * 2; d % 2; -s; ~d; !s; *n; a[d]; n[n];",
        expect![[r#"
            3:1: error[C0205]: `+` cannot be applied to `struct s` and `int`
                these operands have the wrong types
            3:8: error[C0205]: `+` cannot be applied to `int *` and `int *`
                these operands have the wrong types
            3:15: error[C0205]: `*` cannot be applied to `int *` and `int`
                these operands have the wrong types
            3:22: error[C0205]: `%` cannot be applied to `double` and `int`
                these operands have the wrong types
            3:29: error[C0205]: `-` cannot be applied to `struct s`
                this operand has the wrong type
            3:33: error[C0205]: `~` cannot be applied to `double`
                this operand has the wrong type
            3:38: error[C0205]: a condition of type `struct s`
                neither a number nor a pointer
            3:41: error[C0205]: `*` cannot be applied to `int`
                this operand has the wrong type
            3:47: error[C0205]: an array index of type `double`
                not an integer
            3:51: error[C0205]: `int` is indexed by `int`
                one must be an array or a pointer, the other an integer
        "#]],
    );
    refuse(
        "1 = n; n + 1 = 2; a = q; k = 2; k++; v = 0; two(1, 2)++; &1; &(n + 1);",
        expect![[r#"
            3:1: error[C0206]: the left side of this assignment is not an object
                is a value
            3:8: error[C0206]: the left side of this assignment is not an object
                is a value
            3:19: error[C0206]: an array cannot be assigned
                is an array
                assign its elements, or copy it
            3:26: error[C0206]: an object of type `const int` cannot be changed
                is const
            3:33: error[C0206]: an object of type `const int` cannot be changed
                is const
            3:38: error[C0206]: a function cannot be assigned
                is a function
            3:45: error[C0206]: the left side of this assignment is not an object
                is a value
            3:58: error[C0205]: the address of a value
                is not an object
            3:62: error[C0205]: the address of a value
                is not an object
        "#]],
    );
    refuse(
        "n = s; s = n; n = v(); s = 0; q = d; d = q;",
        expect![[r#"
            3:5: error[C0207]: `struct s` given for `int` in an assignment
                is `struct s`
            3:12: error[C0207]: `int` given for `struct s` in an assignment
                is `int`
            3:19: error[C0207]: an expression without value is used in an assignment
                is void
            3:28: error[C0207]: `int` given for `struct s` in an assignment
                is `int`
            3:35: error[C0207]: `double` given for `int *` in an assignment
                is `double`
            3:42: error[C0207]: `int *` given for `double` in an assignment
                is `int *`
        "#]],
    );
    refuse(
        "(struct s)n; (int)s; (double)q; (int *)d; n ? s : n; if (s) ; while (v()) ;",
        expect![[r#"
            3:1: error[C0205]: `int` cannot be cast to `struct s`
                a struct is not made by a cast
            3:14: error[C0205]: `struct s` cannot be cast to `int`
                a struct is not a number or a pointer
            3:22: error[C0205]: `int *` cannot be cast to `double`
                a pointer is not a floating number
            3:33: error[C0205]: `double` cannot be cast to `int *`
                a floating number is not a pointer
            3:43: error[C0205]: the branches of this conditional have types `struct s` and `int`
                have no common type
            3:58: error[C0205]: a condition of type `struct s`
                neither a number nor a pointer
            3:70: error[C0205]: a condition of type `void`
                neither a number nor a pointer
        "#]],
    );
    refuse(
        "sizeof(struct x); struct x *y; *y; y + 1;",
        expect![[r#"
            3:8: error[C0208]: `sizeof` of an incomplete type, `struct x`
                its size is not known here
            3:36: error[C0208]: arithmetic on a pointer to `struct x`
                the size of the pointer's target is not known
        "#]],
    );
    refuse(
        "_Generic(d, int: 1, char *: 2);",
        expect![[r#"
            3:10: error[C0205]: no arm of this _Generic fits `double`
                has no arm
        "#]],
    );
    refuse(
        "register int r; &r;",
        expect![[r#"
            3:18: error[C0205]: the address of `r`, which is declared `register`
                a register has no address
                leave `register` out of its declaration
        "#]],
    );
}

#[test]
fn statements() {
    refuse(
        "void f(int n) { break; continue; case 1: default: ; }",
        expect![[r#"
            1:17: error[C0212]: `break` outside a loop or switch
                nothing to leave here
            1:24: error[C0212]: `continue` outside a loop
                no loop to continue here
            1:34: error[C0212]: `case` outside a switch
                no switch around it
            1:42: error[C0212]: `default` outside a switch
                no switch around it
        "#]],
    );
    refuse(
        "void f(int n) { switch (n) { case 1: case 2: case 1: default: default: ; } }",
        expect![[r#"
            1:51: error[C0212]: two cases with the value 1
                the second
            1:63: error[C0212]: two `default`s in one switch
                the second
        "#]],
    );
    refuse(
        "void f(int n, double d) { switch (d) { } switch (n) { case 1 ... 3: ; case n: ; } }",
        expect![[r#"
            1:35: error[C0212]: a switch on `double`
                not an integer
            1:76: error[C0209]: the value of this case is not constant
                varies
        "#]],
    );
    refuse(
        "struct s { int x; } f(void) { return 1; } int g(struct s s) { return s; }",
        expect![[r#"
            1:38: error[C0207]: `int` given for `struct s` as the result of this function
                is `int`
            1:70: error[C0207]: `struct s` given for `int` as the result of this function
                is `struct s`
        "#]],
    );
    refuse(
        "void f(void) { a: ; a: ; }",
        expect![[r#"
            1:21: error[C0201]: two labels named `a`
                the second
        "#]],
    );
}

#[test]
fn initialisers() {
    refuse(
        "int a[2] = 1; int *p[] = 5; char s[4] = 7;",
        expect![[r#"
            1:12: error[C0210]: an array, `int [2]`, is initialised by one expression
                needs a list in braces
                write `{ … }`
            1:26: error[C0210]: an array, `int *[]`, is initialised by one expression
                needs a list in braces
                write `{ … }`
            1:41: error[C0210]: an array, `char [4]`, is initialised by one expression
                needs a list in braces
                write `{ … }`
        "#]],
    );
    refuse(
        "struct s { int a, b; } x = { .c = 1 }, y = { [0] = 1 }, z = 3; int v[2] = { [2] = 1, .x = 2 };",
        expect![[r#"
            1:31: error[C0202]: no member `c` to initialise
                unknown member
            1:47: error[C0210]: `[…]` designates an element, but a struct is initialised
                not an array
            1:61: error[C0207]: `int` given for `struct s` in an initialisation
                is `int`
            1:78: error[C0210]: index 2 is outside the array, which has 2 elements
                outside
            1:87: error[C0210]: `.x` designates a member, but an array is initialised
                not a struct
        "#]],
    );
    refuse(
        "int g(void); int x = g(); int y; int z = y + 1;",
        expect![[r#"
            1:22: error[C0209]: the initialiser of a static object is not constant
                known only at run time
            1:42: error[C0209]: the initialiser of a static object is not constant
                known only at run time
        "#]],
    );
    refuse(
        "int f(int n) { int a[n] = {1}; static int b = n; return a[0] + b; }",
        expect![[r#"
            1:27: error[C0210]: an array of variable length is initialised
                its length is not constant
            1:47: error[C0209]: the initialiser of a static object is not constant
                known only at run time
        "#]],
    );
    refuse(
        "shared int x; shared int *p = &x; shared int *q = p; int y = x; shared int z = MYTHREAD;",
        expect![[r#"
            1:51: error[C0209]: the initialiser of a static pointer-to-shared is not an address constant
                not known before the program runs
                initialise it by null or the address of a static shared object, or assign it in a function
            1:62: error[C0209]: the initialiser of a static object is not constant
                known only at run time
            1:80: error[C0209]: the initialiser of a static object is not constant
                known only at run time
        "#]],
    );
    accept(
        "shared int x, a[3*THREADS]; shared int *p = &x, *q = a + 2, *r = &a[1], *s = 0; \
         shared void *t = &x;",
    );
    accept(
        "struct s { int a; struct { int b, c; } d; int e[3]; union { int u; float w; }; } \
         x = { 1, 2, 3, { 4, 5 }, { 6 } }, \
            y = { .d.b = 1, 2, .e[1] = 5, 6, .w = 1 }, z[] = { 1, 2, 3, 4, 5, 6, 7, [3].e = { 1 }, \
            [5] = { 0 } };",
    );
    accept(
        "char s[] = \"ab\", t[2] = \"ab\", u[] = { \"xyz\" }, *v[] = { \"a\", \"b\" }, \
         w[2][3] = { \"ab\", \"cd\" };",
    );
}

#[test]
fn gnu_c_passes() {
    accept("#pragma once\nint f(int n) { __typeof__(n) m = ({ int k = n; k * 2; }); return m ?: n; }");
    accept("void f(void) { static void *t[] = { &&a, &&b }; goto *t[1]; a: ; b: ; }");
    accept("int f(int n) { int g(int k) { return k + n; } return g(2); }");
    accept("int f(int c) { switch (c) { case 'a' ... 'z': return 1; default: return 0; } }");
    accept(
        "typedef int v4 __attribute__((vector_size(16))); v4 f(v4 a, v4 b) { v4 c = a * b + 1; c[2] = 3; \
         return c < a; }",
    );
    accept("_Decimal32 a; _Decimal64 b; _Static_assert(sizeof(a + b) == 8 && sizeof(b + a) == 8, \"\");");
    accept("typedef unsigned u128 __attribute__((mode(TI))); u128 x; _Static_assert(sizeof(x) == 16, \"\");");
    accept(
        "struct e { }; int z[0]; struct f { int n; char data[]; } g = { 1, \"ab\" }; enum fwd; \
         void h(enum fwd *);",
    );
    accept(
        "int f(void *p, int (*g)(void)) { return p + 1 != 0 && g + 1 && *p + 0 == 0; }"
            .replace(" && *p + 0 == 0", "")
            .as_str(),
    );
    accept(
        "extern int x; int x; int x; int x = 3; static int s(void); int s(void) { return 1; } \
         int t(void); extern int t(void);",
    );
    accept("_Complex double f(_Complex double z) { return z * 2.0i + ~z + __real__ z; }");
    accept(
        "int f(int n, int a[n][n], int b[static 3], int c[const]) { int v[n][n]; \
         return sizeof v + sizeof(int[n]) + a[0][1] + b[0] + c[0]; }",
    );
    accept("f(a, b) char a; { return a + b; } main() { f(1, 2); return 0; }");
    accept(
        "__auto_type x = 3; int f(void) { __auto_type y = x + 1L; \
         return __builtin_types_compatible_p(__typeof__(y), long) ? 1 : __builtin_choose_expr(1, 2, \
         \"a\"); }",
    );
    accept(
        "int f(const char *s, ...) { __builtin_va_list ap; __builtin_va_start(ap, s); \
         int n = __builtin_va_arg(ap, int); __builtin_va_end(ap); return n; }",
    );
    accept(
        "unsigned f(unsigned x) { return __builtin_popcount(x) + __builtin_bswap32(x) + \
         __sync_fetch_and_add(&x, 1) + __builtin_unknown_thing(x); }",
    );
    accept("union u { int i; float f; } g(int n) { return (union u)n; } void h(void) { return (void)0; }");
    accept(
        "#define offsetof(t, m) __builtin_offsetof(t, m)\nstruct s { int a; struct { int b[3]; } c; }; \
         int x[__builtin_offsetof(struct s, c.b[2])]; int y[(unsigned long)&((struct s *)0)->c];",
    );
    accept(
        "int f(int x) { return _Generic(x, int: 1, default: \"no\"); } \
         int g(const int *p) { return _Generic(*p, int: 1); }",
    );
    accept(
        "inline int f(void) { return 1; } \
         extern inline __attribute__((gnu_inline)) int g(void) { return 1; } int g(void) { return 2; }",
    );
    accept("void f(void) { typedef int T; { T T = 3; T++; } } typedef int A[3]; const A ca = { 1, 2, 3 };");
}

#[test]
fn overloaded_functions_of_clang_pass() {
    accept(
        "#define OVER __attribute__((overloadable))\n\
         static float __attribute__((overloadable)) half(float x) { return x / 2; }\n\
         static double __attribute__((overloadable)) half(double x) { return x / 2; }\n\
         int f(void) { float y = half(3.0f); return y + half(2.0) > 2; }",
    );
}

#[test]
fn programs_of_gcc_s_own_tests_that_were_refused_once() {
    accept(
        "typedef union { int lock; } mutex; int f(void) { struct { int c; mutex m; } r = { .m = 0 }; \
         return r.c; }",
    );
    accept(
        "void bar(int (*)(void)); int f(int j) { { int g(void) { return j; } bar(g); } \
         int g(void) { return 2; } return g(); }",
    );
    accept("struct f { __uint128_t t : 124, u : 4; } x = { 1, 2 };");
    accept("char x __attribute__((aligned(128), vector_size(2))); int f[__alignof__(x) == 128 ? 1 : -1];");
    accept("void d(union { void *p; } __attribute__((transparent_union))); void d(void *p);");
    accept("int n(void); void f(int (*)[n()], struct S { int a[n()]; } *);");
    accept(
        "struct { struct { } e; int a[0]; struct { int : 3; } b; int c; } \
         x = { .e = { }, .c = 1 }, y = { {}, {}, {}, 2 };",
    );
}

#[test]
fn what_gcc_accepts_in_old_programs() {
    accept("int n, z = 0 * n, y = n * 0;");
    accept("void f(); f() { }");
}

#[test]
fn a_pointer_is_not_compared_with_a_floating_number() {
    refuse(
        "int f(int *p) { return p == 1.5; }",
        expect![[r#"
            1:24: error[C0205]: `==` cannot be applied to `int *` and `double`
                these operands have the wrong types
        "#]],
    );
    refuse(
        "int f(int *p) { return 1.5 == p; }",
        expect![[r#"
            1:24: error[C0205]: `==` cannot be applied to `double` and `int *`
                these operands have the wrong types
        "#]],
    );
}

#[test]
fn a_builtin_has_the_type_of_the_function_that_it_is() {
    refuse(
        "int *memchr(const void *, int, unsigned long); \
         double f(char *s) { return __builtin_memchr(s, 1, 2); }",
        expect![[r#"
            1:75: error[C0207]: `int *` given for `double` as the result of this function
                is `int *`
        "#]],
    );
    refuse(
        "double f(void) { return __builtin_alloca(4); }",
        expect![[r#"
            1:25: error[C0207]: `void *` given for `double` as the result of this function
                is `void *`
        "#]],
    );
}

/// The size of an array with THREADS in its length is constant nowhere in the dynamic environment; each
/// diagnostic marks the varying operand.
#[test]
fn sizes_that_depend_on_threads() {
    let contexts = [
        ("int f(int n) { switch (n) { case #: return 1; } return 0; }", "the value of this case"),
        ("int f(int n) { switch (n) { case 1 ... #: return 1; } return 0; }", "the value of this case"),
        ("int x[#];", "the length of this array"),
        ("typedef int T[#];", "the length of this array"),
        ("struct s { int m[#]; };", "the length of this array"),
        ("int f(void) { static int z[# + 1]; return z[0]; }", "the length of this array"),
        ("enum { A = # };", "the value of an enumerator"),
        ("struct s { int b : #; };", "the width of a bit-field"),
        ("static int z = #;", "the initialiser of a static object"),
        ("char *p = (char *)0 + #;", "the initialiser of a static object"),
        ("int g(void) { int q[] = {[#] = 1}; return q[0]; }", "the index of a designator"),
        ("int q[9] = {[1 ... #] = 1};", "the index of a designator"),
        ("_Alignas(#) int k;", "an alignment"),
        ("struct s { _Alignas(#) char n; };", "an alignment"),
        ("int k __attribute__((aligned(#)));", "an alignment"),
        ("typedef int T __attribute__((vector_size(#)));", "the size of a vector"),
        ("_Static_assert(# > 3, \"\");", "the condition of a static assertion"),
        (
            "int f(void) { return __builtin_choose_expr(# > 3, 1, 2); }",
            "the condition of `__builtin_choose_expr`",
        ),
    ];
    for (context, what) in contexts {
        for size in ["sizeof(row)", "sizeof row", "sizeof(shared [2] int[THREADS][2])"] {
            let text = format!("shared int row[4 * THREADS]; {}", context.replace('#', size));
            let column = text.find(size).unwrap() + 1;
            let said = dynamic(&text);
            let wanted = format!(
                "1:{column}: error[C0209]: {what} is not constant\n    depends on THREADS, which is known only at run time\n"
            );
            assert!(said.starts_with(&wanted), "{text}\n{said}");
        }
        let constant = context.replace('#', "upc_localsizeof(row)").replace("q[9]", "q[99]");
        accept(&format!("shared int row[4 * THREADS]; {constant}"));
    }
    accept("shared int row[4 * THREADS]; int f(void) { int v[sizeof(row)]; return sizeof(v); }");
}

#[test]
fn incomplete_enumerations() {
    refuse(
        "enum later; extern enum later seven[7]; struct s { enum later x; }; int n = sizeof(enum later);",
        expect![[r#"
            1:36: error[C0208]: an array of an incomplete type
                its elements would be `enum later`
            1:63: error[C0208]: member of incomplete type `enum later`
                its size is not known here
            1:84: error[C0208]: `sizeof` of an incomplete type, `enum later`
                its size is not known here
        "#]],
    );
    accept("enum later; enum later *p; enum later f(void); enum later x; enum later { A }; enum later y[3];");
}
