//! The C of the constructs of Split-C and AC, as in `constructs.rs` for UPC. `UPDATE_EXPECT=1` rewrites it.

mod common;

use c_syntax::Language;
use expect_test::{Expect, expect};

fn check(language: Language, text: &str, expected: Expect) {
    let source = base::Source::new(format!("# 1 \"t\"\n{text}"));
    expected.assert_eq(&common::c_of(&common::tree(language, None, &source), &source));
}

#[test]
fn the_entry_of_split_c() {
    let text = "splitc_main(argc) { if (argc) return; }\n";
    check(
        Language::SplitC,
        text,
        expect![[r#"
        int splitc_main(int); int main(int mer_argc_, char **mer_argv_, char **mer_envp_) { return mer_everything_run((int (*)(int, char **, char **))(void (*)(void))splitc_main, mer_argc_, mer_argv_, mer_envp_); }
        splitc_main(argc) { if (argc) return 0;  return 0; }
    "#]],
    );
    check(
        Language::SplitC,
        "void splitc_main(void) { }\n",
        expect![[r#"
        void splitc_main(void); int main(int mer_argc_, char **mer_argv_, char **mer_envp_) { mer_everything_run((int (*)(int, char **, char **))(void (*)(void))splitc_main, mer_argc_, mer_argv_, mer_envp_); return 0; }
        void splitc_main(void) { }
    "#]],
    );
}

#[test]
fn the_entry_of_ac() {
    check(
        Language::Ac,
        "int main(int argc, char **argv) { return argc; }\n",
        expect![[r#"
            int main(int argc, char **argv) { { int mer_status_; if (mer_everything_main((int (*)(int, char **, char **))(void (*)(void))main, &mer_status_)) return mer_status_; }
                                              return argc; }
        "#]],
    );
}

#[test]
fn split_phase_assignments() {
    check(
        Language::SplitC,
        "struct s { int n; } *global p;\nint x;\nvoid f(int *global g) { x := *g; g[1] := 5; p->n :- 6; *g += 2; }\n",
        expect![[r#"
            struct s { int n; }; mer_ptr p;
            int x;
            void f(mer_ptr g) { MER_SPLIT_GET_AT(int, &(x), (g).bits, 0); MER_SPLIT_PUT_AT(int, g.bits, 1, 5); ((void)MER_STORE_IN((struct mer_stores *)0, int, mer_mk(p.bits + __builtin_offsetof(struct s, n)).bits, 0, 6)); (void) __extension__ ({ mer_u64 mer_b1 = (g).bits; MER_GLOBAL_PUT(int, mer_b1, MER_GLOBAL_GET(int, mer_b1) + (2)); }); }
        "#]],
    );
}

#[test]
fn conversions_of_pointers() {
    check(
        Language::SplitC,
        "int x, *l;\nint *global g;\nint f(void) { g = (int *global)&x; l = (int *)g; g = toglobal(3, l); l = tolocal(g); return toproc(g); }\n",
        expect![[r#"
            int x, *l;
            mer_ptr g;
            int f(void) { (g = mer_address_to_global((mer_u64)(&x))); (l = ((int *)mer_to_local(g))); (g = mer_to_global_at((int)(3), (mer_u64)(l))); (l = ((int *)mer_to_local(g)))
                                                                                               ; return mer_to_proc(g); }
        "#]],
    );
}

/// Another processor may change any memory; a loop that changes something itself, or calls, does not wait.
#[test]
fn loops_that_wait() {
    check(
        Language::SplitC,
        "void f(int *p, volatile int *q, int *a, int *b) { while (*p) ; do { } while (!*q); for (; *p < *a; ) ; while (*a++ = *b++) ; while (f(p, q, a, b), *p) ; while (*p) *q = 0; }\n",
        expect![[r#"
            void f(int *p, volatile int *q, int *a, int *b) { { struct mer_spin mer_spin1 = {{0}};
                                                              while (*p)  mer_spin(&mer_spin1); } { struct mer_spin mer_spin2 = {{0}};
                                                                           do  mer_spin(&mer_spin2);
                                                                                  while (!*q); } { struct mer_spin mer_spin3 = {{0}};
                                                                                               for (; *p < *a; )  mer_spin(&mer_spin3); }
                                                                                                                   while (*a++ = *b++) ; while (f(p, q, a, b), *p) ; while (*p) *q = 0; }
        "#]],
    );
}

#[test]
fn spread_arrays() {
    check(
        Language::SplitC,
        "int a[PROCS]::[4], b[PROCS][PROCS]::;\nint f(int i, int n) { int c[n]:: = {1}; return a[i][2] + b[i][0] + c[i]; }\n",
        expect![[r#"
            MER_SHARED_BEGIN int a[1][4] __attribute__((weak)) MER_SHARED_DATA; MER_SHARED_END struct mer_big mer_big_b __attribute__((weak)) MER_RECORD("mer_big") = {0, 0}; static mer_u64 mer_size1(void) { return mer_part_bytes(((mer_i64)1 * MER_THREADS * ((mer_i64)MER_THREADS)), sizeof(int)); } static const struct mer_sized mer_sized2 MER_RECORD("mer_sized") = {&mer_big_b, mer_size1};
            int f(int i, int n) { const mer_i64 mer_len_4 __attribute__((unused)) = (mer_i64)(n); mer_u64 c __attribute__((cleanup(mer_automatic_free), unused)) = mer_automatic(&c, ((mer_i64)1 * mer_len_4), sizeof(int), "t:2"); int mer_image3[] = {1}; mer_automatic_init(c, ((mer_i64)1 * mer_len_4), sizeof(int), (const void *)&mer_image3, sizeof(mer_image3));
                                                    return MER_GET_AT(int, int, mer_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int[4])).bits, [(2)]) + MER_GET_ELEM_AT(int, int, [0], c, (mer_big_b.native, (mer_i64)(i) * ((mer_i64)1 * MER_THREADS) + (mer_i64)(0), sizeof(int))) + MER_GET_ELEM_AT(int, int, [0], c, (c, (mer_i64)(i), sizeof(int))); }
        "#]],
    );
}

#[test]
fn dist_objects() {
    check(
        Language::Ac,
        "dist int a[10], *p;\nint *own(void) { p = a + PROCS; *p++ = 3; return &a[MYPROC]; }\n",
        expect![[r#"
            MER_SHARED_BEGIN int a[10] __attribute__((weak)) MER_SHARED_DATA; MER_SHARED_END mer_ptr p;
            int *own(void) { (p = mer_turn_c(mer_mk(mer_bits(0, MER_SYM(a))), (mer_i64)1 * (mer_i64)1, sizeof(int))); MER_GLOBAL_PUT_AT(int, (__extension__ ({ mer_ptr mer_v1; (p = mer_inc_c((mer_v1 = p), sizeof(int))); mer_v1; })).bits, 0, 3)
                                                    ; return ((int *)mer_to_local(mer_elem_c(MER_SYM(a), (mer_i64)(MER_MYTHREAD), sizeof(int)))); }
        "#]],
    );
}

/// The macros take the number of an element if the elements lie together; a spread pointer is moved first.
#[test]
fn subscripts_of_pointers() {
    check(
        Language::SplitC,
        "int f(int *spread s, int *global g, int (*global row)[4], int i) { return s[i] + g[i] + 2[g] + row[i][1]; }\n",
        expect![[r#"
            int f(mer_ptr s, mer_ptr g, mer_ptr row
                                                                    , int i) { return MER_GLOBAL_GET_AT(int, mer_add_c(s, (mer_i64)(i), sizeof(int)).bits, 0) + MER_GLOBAL_GET_AT(int, g.bits, i) + MER_GLOBAL_GET_AT(int, g.bits, 2) + MER_GLOBAL_GET_AT(int, mer_add_i(mer_add_i(row, (mer_i64)(i) * (mer_i64)4, sizeof(int)), 1, sizeof(int)).bits, 0); }
        "#]],
    );
}

/// Values that travel in registers for floating-point numbers are marked, and no others.
#[test]
fn functions_that_the_owner_runs() {
    check(
        Language::SplitC,
        "typedef void run(void);\n\
         int mer_splitc_atomic_int(run *function, int nargs, void *global object, ...);\n\
         int add(int *to, int by);\nfloat scale(float *to, float by, int times);\n\
         float f(int *global n, float *global x) { mer_splitc_atomic_int((run *)add, 1, n, 5); return mer_splitc_atomic_int((run *)scale, 2, x, 0.5, 3); }\n",
        expect![[r#"
            typedef void run(void);
            int mer_splitc_atomic_int(run *function, int nargs, mer_ptr object, ...);
            int add(int *to, int by);
            float scale(float *to, float by, int times);
            float f(mer_ptr n, mer_ptr x) { mer_splitc_atomic_int((run *)add, 1, (n), 5)
                                                                                                ; return mer_splitc_atomic_float((run *)scale, 2 | 0x2100, (x), mer_float_word(0.5), 3); }
        "#]],
    );
}
