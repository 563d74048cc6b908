//! Constraints of UPC on declarations (6.4.1, 6.5), each with its legal neighbours.

mod support;

use expect_test::{Expect, expect};
use support::{accept, dynamic, fixed};

#[track_caller]
fn refuse(text: &str, messages: Expect) {
    messages.assert_eq(&dynamic(text));
}

#[test]
fn automatic_objects_are_private() {
    refuse(
        "void f(void) { shared int x; }",
        expect![[r#"
            1:27: error[U0600]: an automatic object cannot be shared: its type is `shared int`
                lives on the stack of one thread
                declare it `static`, or at file scope, or use a pointer-to-shared
        "#]],
    );
    refuse(
        "void f(void) { int * shared z; }",
        expect![[r#"
            1:29: error[U0600]: an automatic object cannot be shared: its type is `int *shared`
                lives on the stack of one thread
                declare it `static`, or at file scope, or use a pointer-to-shared
        "#]],
    );
    refuse(
        "void f(void) { shared [] int a[10]; }",
        expect![[r#"
            1:30: error[U0600]: an automatic object cannot be shared: its type is `shared [] int [10]`
                lives on the stack of one thread
                declare it `static`, or at file scope, or use a pointer-to-shared
        "#]],
    );
    refuse(
        "void f(void) { register shared int x; auto shared int y; }",
        expect![[r#"
            1:36: error[U0600]: an automatic object cannot be shared: its type is `shared int`
                lives on the stack of one thread
                declare it `static`, or at file scope, or use a pointer-to-shared
            1:55: error[U0600]: an automatic object cannot be shared: its type is `shared int`
                lives on the stack of one thread
                declare it `static`, or at file scope, or use a pointer-to-shared
        "#]],
    );
    refuse(
        "typedef shared int S; void f(void) { S x; }",
        expect![[r#"
            1:40: error[U0600]: an automatic object cannot be shared: its type is `S` (aka `shared int`)
                lives on the stack of one thread
                declare it `static`, or at file scope, or use a pointer-to-shared
        "#]],
    );
    refuse(
        "void f(void) { for (shared int i = 0;;) ; }",
        expect![[r#"
            1:32: error[U0600]: an automatic object cannot be shared: its type is `shared int`
                lives on the stack of one thread
                declare it `static`, or at file scope, or use a pointer-to-shared
        "#]],
    );
    refuse(
        "_Thread_local shared int x;",
        expect![[r#"
            1:1: error[U0600]: a shared object cannot be thread-local
                one object for all threads, or one for each
                leave one of the two out
        "#]],
    );
    refuse(
        "void f(void) { (shared int){5}; }",
        expect![[r#"
            1:17: error[U0600]: a compound literal cannot be shared
                shared type
                leave `shared` out, or declare a static shared object
        "#]],
    );
    accept(
        "void f(void) { static shared int x; extern shared int y; shared int *p; \
         static shared [] int a[3]; }",
    );
    accept("shared int x; int f(void) { __typeof__(x) copy = x; return copy; }");
}

#[test]
fn parameters_and_results_are_private() {
    refuse(
        "void f(shared int x);",
        expect![[r#"
            1:19: error[U0613]: a parameter cannot be shared: its type is `shared int`
                parameters are private objects of the thread that is called
                pass the value without `shared`, or a pointer-to-shared
        "#]],
    );
    refuse(
        "void f(shared int x) { }",
        expect![[r#"
            1:19: error[U0613]: a parameter cannot be shared: its type is `shared int`
                parameters are private objects of the thread that is called
                pass the value without `shared`, or a pointer-to-shared
        "#]],
    );
    refuse(
        "void f(x) shared int x; { }",
        expect![[r#"
            1:22: error[U0613]: a parameter cannot be shared: its type is `shared int`
                parameters are private objects of the thread that is called
                pass the value without `shared`, or a pointer-to-shared
        "#]],
    );
    refuse(
        "void f(int * shared p);",
        expect![[r#"
            1:21: error[U0613]: a parameter cannot be shared: its type is `int *shared`
                parameters are private objects of the thread that is called
                pass the value without `shared`, or a pointer-to-shared
        "#]],
    );
    refuse(
        "void f(shared [*] int a[]);",
        expect![[r#"
            1:23: error[U0606]: `[*]` in a parameter
                a parameter is a pointer, whose block size must be a number
                write the block size as a number, or `[]` for an indefinite one
        "#]],
    );
    refuse(
        "shared int f(void);",
        expect![[r#"
            1:13: error[U0614]: a function cannot return a shared object: `shared int`
                the result of this function is shared-qualified
                return the value without `shared`, or a pointer-to-shared
        "#]],
    );
    refuse(
        "typedef shared int S; S f(void) { return 0; }",
        expect![[r#"
            1:26: error[U0614]: a function cannot return a shared object: `S` (aka `shared int`)
                the result of this function is shared-qualified
                return the value without `shared`, or a pointer-to-shared
        "#]],
    );
    refuse(
        "shared int * shared g(void);",
        expect![[r#"
            1:22: error[U0614]: a function cannot return a shared object: `shared int *shared`
                the result of this function is shared-qualified
                return the value without `shared`, or a pointer-to-shared
        "#]],
    );
    accept("void f(shared int a[], shared [5] int b[10], shared int *p, shared [] int (*q)[3]);");
    accept("shared int *f(void); shared [] double *(*g)(shared int *);");
    accept("void f(a, n) shared int *a; int n; { a[n] = 0; }");
}

#[test]
fn members_are_private() {
    refuse(
        "struct s { shared int x; };",
        expect![[r#"
            1:23: error[U0601]: a member cannot be shared: its type is `shared int`
                shared member
                declare the whole object shared, or make the member a pointer-to-shared
        "#]],
    );
    refuse(
        "struct s { char * shared p; };",
        expect![[r#"
            1:26: error[U0601]: a member cannot be shared: its type is `char *shared`
                shared member
                declare the whole object shared, or make the member a pointer-to-shared
        "#]],
    );
    refuse(
        "struct s { shared [] int a[4]; };",
        expect![[r#"
            1:26: error[U0601]: a member cannot be shared: its type is `shared [] int [4]`
                shared member
                declare the whole object shared, or make the member a pointer-to-shared
        "#]],
    );
    refuse(
        "typedef shared int S; union u { S x; };",
        expect![[r#"
            1:35: error[U0601]: a member cannot be shared: its type is `S` (aka `shared int`)
                shared member
                declare the whole object shared, or make the member a pointer-to-shared
        "#]],
    );
    accept("struct s { shared int *x; shared [] struct s *next; shared int *a[3]; }; shared struct s x;");
}

#[test]
fn strict_and_relaxed_need_shared_and_exclude_each_other() {
    refuse(
        "strict int x;",
        expect![[r#"
            1:1: error[U0603]: `strict` without `shared`
                qualifies a type that is not shared
                write `strict shared …`, or leave `strict` out
        "#]],
    );
    refuse(
        "int * relaxed p;",
        expect![[r#"
            1:7: error[U0603]: `relaxed` without `shared`
                qualifies a type that is not shared
                write `relaxed shared …`, or leave `relaxed` out
        "#]],
    );
    refuse(
        "strict relaxed shared int x;",
        expect![[r#"
            1:8: error[U0602]: both `strict` and `relaxed`
                the second
                accesses to an object are either strict or relaxed: leave one of them out
        "#]],
    );
    refuse(
        "typedef strict shared int S; relaxed S x;",
        expect![[r#"
            1:30: error[U0602]: both `strict` and `relaxed`
                a typedef name in this declaration has the other qualifier
                accesses to an object are either strict or relaxed: leave one of them out
        "#]],
    );
    refuse(
        "int f(relaxed int x);",
        expect![[r#"
            1:7: error[U0603]: `relaxed` without `shared`
                qualifies a type that is not shared
                write `relaxed shared …`, or leave `relaxed` out
        "#]],
    );
    accept("strict shared int x; shared relaxed int y; int shared strict z; relaxed shared int *p;");
    accept("typedef shared int S; strict S x; strict shared int * relaxed shared q;");
}

#[test]
fn one_block_size_for_a_type() {
    refuse(
        "shared [2] shared [3] int *p;",
        expect![[r#"
            1:12: error[U0604]: two block sizes for one type
                the second
                leave one of them out
        "#]],
    );
    refuse(
        "typedef shared [2] int S; shared [3] S *p;",
        expect![[r#"
            1:27: error[U0604]: two block sizes for one type
                a typedef name in this declaration has another block size
                leave one of them out
        "#]],
    );
    refuse(
        "typedef shared [2] int A[4]; shared [3] A *p;",
        expect![[r#"
            1:30: error[U0604]: two block sizes for one type
                a typedef name in this declaration has another block size
                leave one of them out
        "#]],
    );
    accept("typedef shared [2] int S; shared S *p; const S *q; shared [2] S *r;");
    accept("shared [3] int x; shared int const *p; int shared [5] *q; int const shared [5] volatile *r;");
}

#[test]
fn block_sizes_are_constants_in_range() {
    refuse(
        "shared [-1] int *p;",
        expect![[r#"
            1:9: error[U0605]: the block size is negative
                its value is -1
        "#]],
    );
    refuse(
        "int n; shared [n] int *p;",
        expect![[r#"
            1:16: error[U0605]: the block size is not a constant
                must be an integer constant expression
                use a macro or an enumerator
        "#]],
    );
    refuse(
        "shared [THREADS] int *p;",
        expect![[r#"
            1:9: error[U0605]: the block size is not a constant
                THREADS is not a constant in the dynamic environment
                use `[*]`, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "shared [2.5] int *p;",
        expect![[r#"
            1:9: error[U0605]: a block size of type `double`
                not an integer
        "#]],
    );
    refuse(
        "shared [1099511627777] char *p;",
        expect![[r#"
            1:9: error[U0605]: the block size is over UPC_MAX_BLOCK_SIZE, which is 1099511627776
                its value is 1099511627777
                use a smaller block, or `[]` for an indefinite one
        "#]],
    );
    refuse(
        "shared [*] char x[1099511627777 * THREADS];",
        expect![[r#"
            1:17: error[U0605]: the block size is over UPC_MAX_BLOCK_SIZE, which is 1099511627776
                its value is 1099511627777
                use a smaller block, or `[]` for an indefinite one
        "#]],
    );
    accept("enum { B = 3 }; shared [B * 2] int *p; shared [sizeof(int)] char *q; shared [0] int *r;");
    accept("shared [1099511627776] char *p;");
}

#[test]
fn star_is_for_arrays_that_are_declared() {
    refuse(
        "shared [*] int *p;",
        expect![[r#"
            1:1: error[U0606]: `[*]` in the type that a pointer points to
                only an array that is being declared can be distributed by `[*]`
                write the block size as a number, or `[]` for an indefinite one
        "#]],
    );
    refuse(
        "void f(void) { 0 ? (shared [*] int *)0 : 0; }",
        expect![[r#"
            1:21: error[U0606]: `[*]` in the type that a pointer points to
                only an array that is being declared can be distributed by `[*]`
                write the block size as a number, or `[]` for an indefinite one
        "#]],
    );
    refuse(
        "typedef shared [*] int A[10 * THREADS];",
        expect![[r#"
            1:24: error[U0606]: `[*]` in a typedef
                a typedef declares no array whose length could be divided
                write the block size as a number, or use `[*]` where the array is declared
        "#]],
    );
    refuse(
        "extern shared [*] int a[];",
        expect![[r#"
            1:23: error[U0606]: `[*]` on an array whose length is not known here
                its block size cannot be computed
                write the length
        "#]],
    );
    refuse(
        "shared [*] int (*p)[10];",
        expect![[r#"
            1:1: error[U0606]: `[*]` in the type that a pointer points to
                only an array that is being declared can be distributed by `[*]`
                write the block size as a number, or `[]` for an indefinite one
        "#]],
    );
    accept("shared [*] int a[10 * THREADS]; shared [*] int b[THREADS][5]; shared [*] int c;");
    assert_eq!(fixed("shared [*] int a[13]; shared [*] int b[] = {1, 2, 3};"), "");
}

#[test]
fn the_generic_pointer_has_no_layout() {
    refuse(
        "shared [5] void *p;",
        expect![[r#"
            1:1: error[U0607]: a layout on `shared void`
                the generic pointer-to-shared has no block size
                write `shared void *`
        "#]],
    );
    refuse(
        "shared [] void *p;",
        expect![[r#"
            1:1: error[U0607]: a layout on `shared void`
                the generic pointer-to-shared has no block size
                write `shared void *`
        "#]],
    );
    refuse(
        "shared [1] void *p;",
        expect![[r#"
            1:1: error[U0607]: a layout on `shared void`
                the generic pointer-to-shared has no block size
                write `shared void *`
        "#]],
    );
    refuse(
        "typedef shared [2] void V; V *p;",
        expect![[r#"
            1:30: error[U0607]: a layout on `shared void`
                the generic pointer-to-shared has no block size
                write `shared void *`
        "#]],
    );
    accept("shared void *p; shared const void *q; void shared *r; strict shared void *s;");
    accept("shared [3] int **p; void * shared [3] *q;");
}

#[test]
fn threads_in_dynamic_arrays() {
    refuse(
        "shared int a[10];",
        expect![[r#"
            1:12: error[U0609]: a shared array without THREADS in its length
                the distribution of its blocks depends on the number of threads
                make one dimension a multiple of THREADS, use `shared []`, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "shared int a[THREADS][4 * THREADS];",
        expect![[r#"
            1:13: error[U0609]: THREADS in two dimensions of a shared array
                another dimension holds THREADS already
                keep THREADS in one dimension, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "shared int a[THREADS * THREADS];",
        expect![[r#"
            1:14: error[U0609]: THREADS in a form that is not a product
                in the dynamic environment THREADS stands alone or is multiplied by a constant
                write `constant*THREADS`, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "shared int a[10 + THREADS];",
        expect![[r#"
            1:19: error[U0609]: THREADS in a form that is not a product
                in the dynamic environment THREADS stands alone or is multiplied by a constant
                write `constant*THREADS`, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "shared int a[THREADS / 2];",
        expect![[r#"
            1:14: error[U0609]: THREADS in a form that is not a product
                in the dynamic environment THREADS stands alone or is multiplied by a constant
                write `constant*THREADS`, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "shared [] int a[THREADS];",
        expect![[r#"
            1:17: error[U0609]: THREADS in an array of indefinite block size
                all elements are on one thread, so their number must be a constant
                leave THREADS out, give a block size, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "shared int (**p)[THREADS][THREADS];",
        expect![[r#"
            1:17: error[U0609]: THREADS in two dimensions of a shared array
                another dimension holds THREADS already
                keep THREADS in one dimension, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "typedef shared int (*t)[THREADS][13][THREADS];",
        expect![[r#"
            1:24: error[U0609]: THREADS in two dimensions of a shared array
                another dimension holds THREADS already
                keep THREADS in one dimension, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "typedef int A[THREADS]; shared A x[THREADS];",
        expect![[r#"
            1:35: error[U0609]: THREADS in two dimensions of a shared array
                another dimension holds THREADS already
                keep THREADS in one dimension, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "shared int a[0 * THREADS];",
        expect![[r#"
            1:14: error[U0609]: THREADS is multiplied by a number that is not positive
                the factor is 0
                write THREADS alone or a positive constant times THREADS
        "#]],
    );
    refuse(
        "shared int a[-2 * THREADS];",
        expect![[r#"
            1:14: error[U0609]: THREADS is multiplied by a number that is not positive
                the factor is -2
                write THREADS alone or a positive constant times THREADS
        "#]],
    );
    refuse(
        "shared int a[];",
        expect![[r#"
            1:12: error[C0208]: `a` has an incomplete type, `shared int []`
                its size is not known at the end of the file
        "#]],
    );
    refuse(
        "void f(void) { static shared [3] int a[12]; }",
        expect![[r#"
            1:38: error[U0609]: a shared array without THREADS in its length
                the distribution of its blocks depends on the number of threads
                make one dimension a multiple of THREADS, use `shared []`, or fix the number of threads when compiling (-T N)
        "#]],
    );
    accept(
        "shared int a[THREADS]; shared int b[10*THREADS]; shared int c[THREADS*(100*20)]; \
         shared [] int d[10];",
    );
    accept("shared int a[THREADS*100*20]; shared int b[(THREADS)*2][5]; shared [7] int c[3][THREADS];");
    accept("typedef int S[10]; shared [3] S T[3*THREADS]; extern shared int e[]; shared int (*p)[10];");
    accept("typedef int A[THREADS]; shared A x; shared int (*p)[2*THREADS];");
    accept("shared [3] int x; shared [3] struct { int v; } y;");
    for text in [
        "shared int x[10+THREADS];",
        "shared [] int x[THREADS];",
        "shared int x[10];",
        "shared int x[THREADS][4*THREADS];",
        "shared int x[THREADS*THREADS];",
        "shared int (**p)[THREADS][THREADS];",
        "typedef shared int (*t)[THREADS][13][THREADS];",
    ] {
        assert_eq!(fixed(text), "", "{text}");
    }
}

#[test]
fn threads_in_private_arrays() {
    refuse(
        "int a[THREADS];",
        expect![[r#"
            1:7: error[C0209]: the length of this array is not constant
                known only at run time
                declare the array in the function, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "void f(void) { static int a[THREADS]; }",
        expect![[r#"
            1:29: error[C0209]: the length of this array is not constant
                known only at run time
                declare the array in the function, or fix the number of threads when compiling (-T N)
        "#]],
    );
    refuse(
        "typedef int A[THREADS]; A a;",
        expect![[r#"
            1:25: error[C0209]: a private type whose length depends on THREADS, outside of a shared declaration
                the length is known only at run time
                declare the array in the function: `int a[THREADS]`, or fix the number of threads (-T N)
        "#]],
    );
    accept("void f(void) { int a[THREADS]; double b[2 * THREADS + 1]; a[0] = b[0]; }");
}

#[test]
fn shared_arrays_have_constant_lengths() {
    refuse(
        "void f(int n) { static shared int a[n]; }",
        expect![[r#"
            1:37: error[C0209]: a shared array of variable length
                the length of a shared array must be constant
                allocate it with upc_all_alloc or upc_alloc
        "#]],
    );
    accept("void f(int n) { shared [] int (*p)[n]; }");
    refuse(
        "struct s; shared struct s x;",
        expect![[r#"
            1:27: error[C0208]: `x` has an incomplete type, `shared struct s`
                its size is not known at the end of the file
        "#]],
    );
    accept(
        "extern struct s x; extern shared struct t y; shared struct t *p; void f(int n, shared int a[n]);",
    );
}

#[test]
fn functions_are_not_shared() {
    refuse(
        "typedef int F(void); shared F f;",
        expect![[r#"
            1:22: error[C0211]: a function type cannot be shared
                `shared` qualifies a function type here
                functions are private code on every thread: leave `shared` out
        "#]],
    );
}

#[test]
fn size_operators_apply_to_shared_types() {
    refuse(
        "int x; unsigned long n = upc_blocksizeof(x);",
        expect![[r#"
            1:41: error[U0615]: `upc_blocksizeof` of `int`, which is not shared
                must be shared-qualified
                use `sizeof` for private objects
        "#]],
    );
    refuse(
        "shared int *p; unsigned long n = upc_elemsizeof p;",
        expect![[r#"
            1:49: error[U0615]: `upc_elemsizeof` of `shared int *`, which is not shared
                must be shared-qualified
                the pointer itself is private: use the object that it points to, `*p`
        "#]],
    );
    refuse(
        "unsigned long n = upc_localsizeof(int);",
        expect![[r#"
            1:35: error[U0615]: `upc_localsizeof` of `int`, which is not shared
                must be shared-qualified
                use `sizeof` for private objects
        "#]],
    );
    refuse(
        "extern shared int a[]; unsigned long n = upc_localsizeof(a);",
        expect![[r#"
            1:57: error[C0208]: `upc_localsizeof` of an incomplete type, `shared int []`
                its size is not known here
        "#]],
    );
    refuse(
        "shared struct s *p; void f(void) { upc_elemsizeof(*p); }",
        expect![[r#"
            1:50: error[C0208]: `upc_elemsizeof` of an incomplete type, `shared struct s`
                its size is not known here
        "#]],
    );
    accept(
        "shared [4] int a[8*THREADS]; \
         int x[upc_localsizeof(a)], y[upc_blocksizeof a], z[upc_elemsizeof(a[0])];",
    );
    accept(
        "extern shared int a[]; \
         int x[upc_blocksizeof(a)], y[upc_elemsizeof(a)], z[upc_blocksizeof(shared [3] int)];",
    );
}

#[test]
fn threads_and_mythread_are_values() {
    refuse(
        "void f(void) { MYTHREAD = 1; THREADS++; int *p = &MYTHREAD; p = &THREADS; }",
        expect![[r#"
            1:16: error[U0622]: `MYTHREAD` cannot be changed
                is a value, not an object
            1:30: error[U0622]: `THREADS` cannot be changed
                is a value, not an object
            1:50: error[U0622]: the address of `MYTHREAD`
                `MYTHREAD` is a value, not an object
                copy it into a variable
            1:65: error[U0622]: the address of `THREADS`
                `THREADS` is a value, not an object
                copy it into a variable
        "#]],
    );
    accept("int f(void) { return MYTHREAD + THREADS; }");
}

/// A block size that does not fit its type is refused in every place: it would become another one, or none.
#[test]
fn block_sizes_that_overflow() {
    for text in [
        "shared [1 << 40] int a[8 * THREADS];",
        "typedef shared [1 << 32] int T;",
        "int *f(shared void *p) { return (int *)(shared [65536 * 65536] int *)p; }",
        "shared [2147483647 + 1] int *a;",
        "shared [1L << 64] int *a;",
        "shared [0xffffffffu + 1] int *a;",
        "shared [-2147483648 - 1 + 4] int *a;",
    ] {
        let said = dynamic(&text.replace("-2147483648", "-2147483647 - 1"));
        assert!(said.contains("error[U0605]: the block size overflows"), "{text}\n{said}");
    }
    refuse(
        "shared [1 << 40] int a[8 * THREADS];",
        expect![[r#"
            1:9: error[U0605]: the block size overflows
                `int` cannot hold its value
                compute it in `long`, as `1L << 20`, or use `[]` for an indefinite one
        "#]],
    );
    for text in ["shared [1L << 41] int *a;", "shared [(1L << 40) + 1] int *a;"] {
        let said = dynamic(text);
        assert!(said.contains("error[U0605]: the block size is over UPC_MAX_BLOCK_SIZE"), "{text}\n{said}");
    }
    let said = fixed("shared [THREADS * 1000000000] int *a;");
    assert!(said.contains("error[U0605]: the block size overflows"), "{said}");
    accept("shared [1L << 40] int *a; shared [2147483647] int *b; shared [1u << 31] int *c;");
    accept("shared [-(-4)] int *a; shared [(0u - 1) & 7] int *b; shared [5 - 5] int *c;");
}

/// A typedef of a block may name a shared array of variable length, to which a pointer points.
#[test]
fn typedefs_of_variable_length() {
    accept(
        "int f(int n) { typedef shared [] int A[n]; typedef shared [3] int (*P)[4][n]; A *a = 0; P p = 0; \
         return sizeof(*a) + sizeof(*p) + sizeof(A); }",
    );
    for text in ["static A x;", "extern A x;", "static A x[2];"] {
        let said = dynamic(&format!("void f(int n) {{ typedef shared [] int A[n]; {text} }}"));
        assert!(said.contains("error[C0209]: a shared array of variable length"), "{text}\n{said}");
    }
    let said = dynamic("void f(int n) { typedef shared [] int A[n]; A x; }");
    assert!(said.contains("error[U0600]"), "{said}");
    let said = dynamic("int n; typedef shared [] int A[n];");
    assert!(said.contains("error[C0209]"), "{said}");
}
