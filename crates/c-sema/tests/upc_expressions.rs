//! Constraints of UPC on expressions and statements (6.4.2, 6.4.3, 6.6), each with its legal neighbours.

mod support;

use expect_test::{Expect, expect};
use support::{accept, dynamic};

/// Declarations that the snippets use.
const HEAD: &str = "shared int *p; shared [4] int *b; shared [] int *i; int *l; shared void *v; \
    shared struct s *u; \
     shared int a[10*THREADS]; shared [4] int c[8*THREADS]; int n; double d; struct r { int m; \
     int bits : 3; }; \
     shared struct r sr; struct r pr; void take(shared int *); void *malloc(unsigned long);\n";

/// Checks statements of a function body; they stand on line 3.
#[track_caller]
fn refuse(body: &str, messages: Expect) {
    messages.assert_eq(&dynamic(&format!("{HEAD}void f(void) {{\n{body}\n}}\n")));
}

#[track_caller]
fn allow(body: &str) {
    accept(&format!("{HEAD}void f(void) {{\n{body}\n}}\n"));
}

#[test]
fn no_binary_operator_on_shared_and_local() {
    refuse(
        "n = p == l;",
        expect![[r#"
            3:5: error[U0610]: this operator is applied to a pointer-to-shared and a pointer-to-local
                `shared int *` and `int *`
                cast the pointer-to-shared to a pointer-to-local if its object has affinity to this thread
        "#]],
    );
    refuse(
        "n = p - l;",
        expect![[r#"
            3:5: error[U0610]: this operator is applied to a pointer-to-shared and a pointer-to-local
                `shared int *` and `int *`
                cast the pointer-to-shared to a pointer-to-local if its object has affinity to this thread
        "#]],
    );
    refuse(
        "n = l < p;",
        expect![[r#"
            3:5: error[U0610]: this operator is applied to a pointer-to-shared and a pointer-to-local
                `int *` and `shared int *`
                cast the pointer-to-shared to a pointer-to-local if its object has affinity to this thread
        "#]],
    );
    refuse(
        "n ? p : l;",
        expect![[r#"
            3:1: error[U0610]: the branches of this conditional are a pointer-to-shared and a pointer-to-local
                `shared int *` and `int *`
                cast the pointer-to-shared to a pointer-to-local if its object has affinity to this thread
        "#]],
    );
    refuse(
        "n = v == malloc(1);",
        expect![[r#"
            3:5: error[U0610]: this operator is applied to a pointer-to-shared and a pointer-to-local
                `shared void *` and `void *`
                cast the pointer-to-shared to a pointer-to-local if its object has affinity to this thread
        "#]],
    );
    allow("n = p == 0; n = 0 != p; n = (void *)0 == p; n = p == v; n = !p && b || i; if (p) while (v) ;");
}

#[test]
fn order_needs_complete_types() {
    refuse(
        "n = v < v;",
        expect![[r#"
            3:5: error[U0611]: pointers-to-shared to an incomplete type, `shared void`, are ordered
                their difference is not defined
                only == and != apply; cast both to a complete type to compare their order
        "#]],
    );
    refuse(
        "n = u >= u;",
        expect![[r#"
            3:5: error[U0611]: pointers-to-shared to an incomplete type, `shared struct s`, are ordered
                their difference is not defined
                only == and != apply; cast both to a complete type to compare their order
        "#]],
    );
    refuse(
        "n = p < v;",
        expect![[r#"
            3:5: error[U0611]: pointers-to-shared to an incomplete type, `shared void`, are ordered
                their difference is not defined
                only == and != apply; cast both to a complete type to compare their order
        "#]],
    );
    allow("n = p < p + 1; n = b >= &c[3]; n = u == u; n = v != u;");
}

#[test]
fn arithmetic_needs_elements() {
    refuse(
        "v + 1;",
        expect![[r#"
            3:1: error[C0208]: arithmetic on a pointer to `shared void`
                the size of the pointer's target is not known
                cast it to a pointer-to-shared of the type that is meant
        "#]],
    );
    refuse(
        "v++;",
        expect![[r#"
            3:1: error[C0208]: arithmetic on a pointer to `shared void`
                the size of the pointer's target is not known
                cast it to a pointer-to-shared of the type that is meant
        "#]],
    );
    refuse(
        "u += 2;",
        expect![[r#"
            3:1: error[C0208]: arithmetic on a pointer to `shared struct s`
                the size of the pointer's target is not known
        "#]],
    );
    refuse(
        "n = v - v;",
        expect![[r#"
            3:5: error[C0208]: arithmetic on a pointer to `shared void`
                the size of the pointer's target is not known
                cast it to a pointer-to-shared of the type that is meant
        "#]],
    );
    refuse(
        "*v;",
        expect![[r#"
            3:1: error[C0208]: a `shared void *` is dereferenced
                the target of the pointer has no type
                cast it to a pointer-to-shared of the type that is meant
        "#]],
    );
    refuse(
        "p + p;",
        expect![[r#"
            3:1: error[C0205]: `+` cannot be applied to `shared int *` and `shared int *`
                these operands have the wrong types
        "#]],
    );
    refuse(
        "p * 2;",
        expect![[r#"
            3:1: error[C0205]: `*` cannot be applied to `shared int *` and `int`
                these operands have the wrong types
        "#]],
    );
    refuse(
        "p + 1.5;",
        expect![[r#"
            3:1: error[C0205]: `+` cannot be applied to `shared int *` and `double`
                these operands have the wrong types
        "#]],
    );
    refuse(
        "n = p - b;",
        expect![[r#"
            3:5: error[U0626]: `-` on pointers-to-shared of different types, `shared int *` and `shared [4] int *`
                they count in different elements or blocks
                cast one of them to the type of the other
        "#]],
    );
    allow("p + 1; 1 + p; p - 1; p - &a[3]; p++; --b; i += n; p[3] = 2[p]; n = c - b;");
}

#[test]
fn assignments_between_pointers() {
    refuse(
        "p = b;",
        expect![[r#"
            3:5: warning[U0618]: `shared [4] int *` given for `shared int *` in an assignment
                block size 4, where 1 is expected
                write a cast, `(shared int *)`, if this is meant; the phase becomes 0
        "#]],
    );
    refuse(
        "i = p;",
        expect![[r#"
            3:5: warning[U0618]: `shared int *` given for `shared [] int *` in an assignment
                block size 1, where `[]` is expected
                write a cast, `(shared [] int *)`, if this is meant; the phase becomes 0
        "#]],
    );
    refuse(
        "shared double *q = p;",
        expect![[r#"
            3:20: warning[U0618]: `shared int *` given for `shared double *` in an initialisation
                is `shared int *`
                write a cast, `(shared double *)`, if this is meant; the phase becomes 0
        "#]],
    );
    refuse(
        "l = p;",
        expect![[r#"
            3:5: error[U0618]: pointer-to-shared `shared int *` given for pointer-to-local `int *` in an assignment
                points to shared memory
                if the object has affinity to this thread, write a cast, `(int *)`; else copy it with upc_memget
        "#]],
    );
    refuse(
        "p = l;",
        expect![[r#"
            3:5: error[U0612]: pointer-to-local `int *` given for pointer-to-shared `shared int *` in an assignment
                points to private memory
                private memory cannot be shared: declare the object shared or allocate it with upc_alloc
        "#]],
    );
    refuse(
        "p = 5;",
        expect![[r#"
            3:5: error[U0612]: integer `int` given for pointer-to-shared `shared int *` in an assignment
                is not a null pointer constant
                write 0 for the null pointer-to-shared
        "#]],
    );
    refuse(
        "p = n;",
        expect![[r#"
            3:5: error[U0612]: integer `int` given for pointer-to-shared `shared int *` in an assignment
                is not a null pointer constant
                write 0 for the null pointer-to-shared
        "#]],
    );
    refuse(
        "n = p;",
        expect![[r#"
            3:5: error[C0207]: `shared int *` given for `int` in an assignment
                is `shared int *`
                a cast converts the pointer to an integer
        "#]],
    );
    refuse(
        "d = p;",
        expect![[r#"
            3:5: error[C0207]: `shared int *` given for `double` in an assignment
                is `shared int *`
        "#]],
    );
    refuse(
        "take(l); take(b); take(n);",
        expect![[r#"
            3:6: error[U0612]: pointer-to-local `int *` given for pointer-to-shared `shared int *` as argument 1 of `take`
                points to private memory
                private memory cannot be shared: declare the object shared or allocate it with upc_alloc
            3:15: warning[U0618]: `shared [4] int *` given for `shared int *` as argument 1 of `take`
                block size 4, where 1 is expected
                write a cast, `(shared int *)`, if this is meant; the phase becomes 0
            3:24: error[U0612]: integer `int` given for pointer-to-shared `shared int *` as argument 1 of `take`
                is not a null pointer constant
                write 0 for the null pointer-to-shared
        "#]],
    );
    refuse(
        "int **w = (int **)0; shared int **x = w;",
        expect![[r#"
            3:39: error[U0618]: `int **` given for `shared int **` in an initialisation
                is `int **`
                their targets must be pointers of one kind: declare both alike
        "#]],
    );
    refuse(
        "p = sr;",
        expect![[r#"
            3:5: error[C0207]: `struct r` given for `shared int *` in an assignment
                is `struct r`
        "#]],
    );
    refuse(
        "p = &sr.m;",
        expect![[r#"
            3:5: warning[U0618]: `shared [] int *` given for `shared int *` in an assignment
                block size `[]`, where 1 is expected
                write a cast, `(shared int *)`, if this is meant; the phase becomes 0
        "#]],
    );
    allow(
        "p = 0; p = (void *)0; v = p; p = v; v = b; i = &sr.m; b = c; p = a; p = &a[3]; take(0); take(v); \
         take(a);",
    );
    allow("shared const int *q = p; strict shared int *s = p; const shared void *w = b; _Bool t = p;");
}

#[test]
fn casts_to_shared() {
    refuse(
        "p = (shared int *)l;",
        expect![[r#"
            3:5: error[U0612]: `int *` cannot be cast to `shared int *`
                points to private memory
                only pointers-to-shared and null can be cast to a pointer-to-shared
        "#]],
    );
    refuse(
        "p = (shared int *)5;",
        expect![[r#"
            3:5: error[U0612]: `int` cannot be cast to `shared int *`
                is an integer, not a pointer-to-shared
                only pointers-to-shared and null can be cast to a pointer-to-shared
        "#]],
    );
    refuse(
        "p = (shared int *)n;",
        expect![[r#"
            3:5: error[U0612]: `int` cannot be cast to `shared int *`
                is an integer, not a pointer-to-shared
                only pointers-to-shared and null can be cast to a pointer-to-shared
        "#]],
    );
    refuse(
        "int **w = 0; shared int **x = (shared int **)w;",
        expect![[r#"
            3:31: error[U0612]: `int **` cannot be cast to `shared int **`
                points to pointers-to-local
                only pointers-to-shared and null can be cast to a pointer-to-shared
        "#]],
    );
    refuse(
        "n = (shared int)n;",
        expect![[r#"
            3:5: error[U0612]: `int` cannot be cast to `shared int`
                is not shared
                only pointers-to-shared and null can be cast to a pointer-to-shared
        "#]],
    );
    allow(
        "p = (shared int *)0; p = (shared int *)b; l = (int *)p; n = (int)(long)p; \
         n = (unsigned long)v != 0;",
    );
    allow("shared int **x = (shared int **)malloc(8); p = (shared int *)(void *)0; v = (shared void *)a;");
    allow("b = (shared [4] int *)v; i = (shared [] int *)&a[MYTHREAD]; shared char *q = (shared char *)a;");
}

#[test]
fn branches_of_a_conditional() {
    refuse(
        "p = n ? p : b;",
        expect![[r#"
            3:5: error[C0205]: the branches of this conditional have types `shared int *` and `shared [4] int *`
                have no common type
        "#]],
    );
    refuse(
        "p = n ? p : n;",
        expect![[r#"
            3:5: error[C0205]: the branches of this conditional have types `shared int *` and `int`
                have no common type
        "#]],
    );
    allow("p = n ? p : 0; v = n ? v : b; p = n ? 0 : a; shared const int *q = 0; q = n ? p : q;");
}

#[test]
fn comparison_of_different_blocks_is_warned_of() {
    refuse(
        "n = p == b;",
        expect![[r#"
            3:5: warning[U0627]: `shared int *` is compared with `shared [4] int *`
                pointers-to-shared of different types
                cast one of them to the type of the other
        "#]],
    );
}

#[test]
fn bit_fields_have_no_address() {
    refuse(
        "&sr.bits; &pr.bits;",
        expect![[r#"
            3:1: error[C0205]: the address of a bit-field
                a bit-field has no address
            3:11: error[C0205]: the address of a bit-field
                a bit-field has no address
        "#]],
    );
    allow("sr.bits = 2; sr.bits++; &sr.m;");
}

#[test]
fn affinity_is_an_integer_or_a_pointer_to_shared() {
    refuse(
        "upc_forall (n = 0; n < 5; n++; l) ;",
        expect![[r#"
            3:32: error[U0616]: an affinity of type `int *`
                points to private memory
                use an integer, the address of a shared object, or `continue`
        "#]],
    );
    refuse(
        "upc_forall (n = 0; n < 5; n++; d) ;",
        expect![[r#"
            3:32: error[U0616]: an affinity of type `double`
                neither an integer nor a pointer-to-shared
                use an integer, the address of a shared object, or `continue`
        "#]],
    );
    refuse(
        "upc_forall (n = 0; n < 5; n++; sr) ;",
        expect![[r#"
            3:32: error[U0616]: an affinity of type `struct r`
                neither an integer nor a pointer-to-shared
                write `&` before the shared object whose thread shall run the iteration
        "#]],
    );
    allow(
        "upc_forall (n = 0; n < 5; n++; &a[n]) ; upc_forall (;;;) ; upc_forall (;;; continue) ; \
         upc_forall (;;; n) ;",
    );
    allow(
        "upc_forall (int k = 0; k < 5; k++; a + k) continue; upc_forall (n = 0; n < 3; n++; v) ; \
         upc_forall (;;; 'x') ;",
    );
}

#[test]
fn barrier_values_are_assignable_to_int() {
    refuse(
        "upc_barrier l;",
        expect![[r#"
            3:13: warning[U0617]: a value of type `int *` for `upc_barrier`
                a pointer becomes an int
                use an integer that is the same on all threads: addresses may differ
        "#]],
    );
    refuse(
        "upc_notify p; upc_wait pr;",
        expect![[r#"
            3:12: error[U0617]: a value of type `shared int *` for `upc_notify`
                cannot be assigned to an int
                use an integer, the same on all threads, or no value
            3:24: error[U0617]: a value of type `struct r` for `upc_wait`
                cannot be assigned to an int
                use an integer, the same on all threads, or no value
        "#]],
    );
    allow("upc_barrier; upc_barrier n; upc_notify 3; upc_wait 3; upc_fence; upc_barrier a[2];");
}

#[test]
fn leaving_a_forall_is_warned_of() {
    refuse(
        "upc_forall (n = 0; n < 5; n++; n) break;",
        expect![[r#"
            3:35: warning[U0620]: `break` leaves a upc_forall: the behaviour is undefined
                ends the loop on this thread only
                let all iterations run, or use `for` with a test of the affinity
        "#]],
    );
    refuse(
        "upc_forall (n = 0; n < 5; n++; n) { for (;;) return; }",
        expect![[r#"
            3:46: warning[U0620]: `return` leaves a upc_forall: the behaviour is undefined
                ends the loop on this thread only
                let all iterations run, or use `for` with a test of the affinity
        "#]],
    );
    refuse(
        "upc_forall (n = 0; n < 5; n++; n) { goto out; } out: ;",
        expect![[r#"
            3:42: warning[U0620]: `goto` leaves a upc_forall: the behaviour is undefined
                the label is outside the loop
                let all iterations run, or use `for` with a test of the affinity
        "#]],
    );
    refuse(
        "goto in; upc_forall (n = 0; n < 5; n++; n) { in: ; }",
        expect![[r#"
            3:6: error[U0620]: `goto` enters a upc_forall
                the label is inside the loop, which divides its iterations among the threads when it begins
                jump to a label before the loop
        "#]],
    );
    allow(
        "upc_forall (n = 0; n < 5; n++; n) { for (;;) break; switch (n) { case 1: break; } goto next; \
         next: continue; }",
    );
    allow("upc_forall (;;; continue) upc_forall (n = 0; n < 5; n++; n) ;");
}

#[test]
fn collectives_in_a_forall_are_warned_of() {
    refuse(
        "upc_forall (n = 0; n < 5; n++; n) upc_barrier;",
        expect![[r#"
            3:35: warning[U0621]: `upc_barrier` inside a upc_forall: the behaviour is undefined
                all threads must take part, but each runs iterations of its own
                move it out of the loop, or use `for` if every thread shall run every iteration
        "#]],
    );
    refuse(
        "upc_forall (n = 0; n < 5; n++; n) { upc_notify 1; upc_wait 1; }",
        expect![[r#"
            3:37: warning[U0621]: `upc_notify` inside a upc_forall: the behaviour is undefined
                all threads must take part, but each runs iterations of its own
                move it out of the loop, or use `for` if every thread shall run every iteration
            3:51: warning[U0621]: `upc_wait` inside a upc_forall: the behaviour is undefined
                all threads must take part, but each runs iterations of its own
                move it out of the loop, or use `for` if every thread shall run every iteration
        "#]],
    );
    refuse(
        "shared void *upc_all_alloc(unsigned long, unsigned long); upc_forall (;;; \
         n) v = upc_all_alloc(1, 1);",
        expect![[r#"
            3:82: warning[U0621]: `upc_all_alloc` inside a upc_forall: the behaviour is undefined
                all threads must take part, but each runs iterations of its own
                move it out of the loop, or use `for` if every thread shall run every iteration
        "#]],
    );
    allow("upc_forall (n = 0; n < 5; n++; n) upc_fence; upc_barrier;");
}
