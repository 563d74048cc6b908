//! The C of each construct, on one page: UPC on the left of each case, C on the right. The run tests show
//! that the C is correct; these show that it stays readable. `UPDATE_EXPECT=1` rewrites them.

mod common;

use expect_test::{Expect, expect};

/// The C of a piece of UPC.
fn lowered(upc: &str, threads: Option<u32>) -> String {
    let source = base::Source::new(format!("# 1 \"t.upc\"\n{upc}"));
    let mut tree = common::tree(c_syntax::Language::Upc, threads, &source);
    opt::optimise(&mut tree);
    common::c_of(&tree, &source)
}

fn check(upc: &str, c: Expect) {
    c.assert_eq(&lowered(upc, None));
}

#[test]
fn private_code_goes_out_as_it_came() {
    let private = "struct s { int a, b[3]; };\nint f(struct s *p) { return p->b[1] ? p->a : -1; }\n";
    assert_eq!(lowered(private, None), private);
}

#[test]
fn declarations_of_shared_objects() {
    check(
        "shared int x;\nshared [4] double a[10 * THREADS];\nextern shared [] char text[];\n",
        expect![[r#"
            MER_SHARED_BEGIN int x MER_SHARED_DATA; MER_SHARED_END
            MER_SHARED_BEGIN double a[12] MER_SHARED_DATA; MER_SHARED_END
            extern char text[];
        "#]],
    );
}

#[test]
fn declarations_of_pointers() {
    check(
        "shared int *p, *q[3], i;\nshared [4] int *(*f)(shared void *, int);\nstruct n { shared [] struct n *next; int v; };\n",
        expect![[r#"
            mer_ptr p; mer_ptr q[3]; MER_SHARED_BEGIN int i MER_SHARED_DATA; MER_SHARED_END
            mer_pptr (*f)(mer_pptr , int);
            struct n { mer_ptr next;
                                                 int v; };
        "#]],
    );
}

#[test]
fn accesses() {
    check(
        "shared int x, a[THREADS];\nshared [4] int b[4 * THREADS];\nstrict shared int s;\n\
         int f(int i) { x = a[i]; b[i] += 2; s = s + 1; return b[i]++; }\n",
        expect![[r#"
            MER_SHARED_BEGIN int x MER_SHARED_DATA; MER_SHARED_END MER_SHARED_BEGIN int a[1] MER_SHARED_DATA; MER_SHARED_END
            MER_SHARED_BEGIN int b[4] MER_SHARED_DATA; MER_SHARED_END
            MER_SHARED_BEGIN int s MER_SHARED_DATA; MER_SHARED_END
            int f(int i) { MER_PUT(int, mer_mk(mer_bits(0, MER_SYM(x))).bits, MER_GET(int, mer_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int)).bits)); MER_ACCUMULATE(int, int, mer_elem_b(MER_SYM(b), (mer_i64)(i), sizeof(int), 4).bits, [0], +, MER_ACCUMULATE_ADD, 2); MER_STRICT_PUT_AT(int, int, mer_mk(mer_bits(0, MER_SYM(s))).bits, [0], MER_STRICT_GET(int, MER_GET(int, mer_mk(mer_bits(0, MER_SYM(s))).bits)) + 1)
                                                         ; return MER_UPDATE_POST(int, mer_elem_b(MER_SYM(b), (mer_i64)(i), sizeof(int), 4).bits, mer_old_ + 1); }
        "#]],
    );
}

#[test]
fn members_of_shared_structs() {
    check(
        "shared struct { int n; struct { char c[4]; } in; unsigned bit : 2; } s;\n\
         shared [] char *f(int i) { s.bit = 1; s.in.c[i] = 'x'; return &s.in.c[i]; }\n",
        expect![[r#"
                   struct  mer_anon_0
                          { int n; struct  mer_anon_1
                                          { char c[4]; } in; unsigned bit : 2; }; MER_SHARED_BEGIN struct mer_anon_0 s MER_SHARED_DATA; MER_SHARED_END
            mer_ptr f(int i) { MER_PUT_FIELD(unsigned int, struct mer_anon_0, mer_mk(mer_bits(0, MER_SYM(s))).bits, [0], bit, 64, 2, 1); MER_PUT_AT(char, struct mer_anon_0, mer_mk(mer_bits(0, MER_SYM(s))).bits, ->in.c[(i)], 'x')
                                                                 ; return mer_mk(mer_mk(mer_bits(0, MER_SYM(s))).bits + __builtin_offsetof(struct mer_anon_0, in.c[i])); }
        "#]],
    );
}

#[test]
fn steps_of_pointers() {
    check(
        "int f(shared int *p, shared [4] int *q, shared [] int *r) {\n    p++; q--; p += THREADS; q = q + 3;\n    return *p++ + (int)(q - q) + r[2];\n}\n",
        expect![[r#"
            int f(mer_ptr p, mer_pptr q, mer_ptr r) {
                (p = mer_inc_c(p, sizeof(int))); (q = mer_dec_b(q, sizeof(int), 4)); (p = mer_turn_c(p, (mer_i64)1 * (mer_i64)1, sizeof(int))); (q = mer_add_b(q, (mer_i64)(3), sizeof(int), 4));
                return MER_GET(int, (__extension__ ({ mer_ptr mer_v1; (p = mer_inc_c((mer_v1 = p), sizeof(int))); mer_v1; })).bits) + ((int)(mer_diff_b(q, q, sizeof(int), 4))) + MER_GET_AT(int, int, r.bits, [(2)]);
            }
        "#]],
    );
}

#[test]
fn conversions() {
    check(
        "int f(shared void *v) { shared int *p = v; shared [4] int *q = (shared [4] int *)p;\n    \
         v = q; p = 0; return p == v || !q || (p && *(int *)p); }\n",
        expect![[r#"
            int f(mer_pptr v) { mer_ptr p = mer_narrow((v));  mer_pptr q = mer_widen(p);
                (v = (q)); (p = mer_mk(0))
                            ; return ((mer_same(p.bits, v.bits) || mer_same(q.bits, 0)) || (((p.bits != 0) && *((int *)mer_at(p.bits))))); }
        "#]],
    );
}

#[test]
fn statements() {
    check(
        "int f(int v) { upc_barrier; upc_notify v; upc_wait v; upc_fence; return THREADS + MYTHREAD; }\n",
        expect![[r#"
            int f(int v) { mer_barrier(0, 0, "t.upc:1"); mer_notify(1, (v), "t.upc:1"); mer_wait(1, (v), "t.upc:1"); mer_fence();
                                                                             return MER_THREADS + MER_MYTHREAD; }
        "#]],
    );
}

#[test]
fn a_loop_shared_out_in_general() {
    check(
        "int owner(int);\nvoid f(int n) { upc_forall (int i = 0; i < n; i += 2; owner(i)) ; }\n",
        expect![[r#"
            int owner(int);
            void f(int n) { { MER_FORALL_SCOPE(mer_outer1); for (int i = 0; i < n; i += 2) { if (mer_mine_int(owner(i)) || mer_outer1) { }  } }  }
        "#]],
    );
}

#[test]
fn a_loop_over_own_elements() {
    check(
        "shared double a[100 * THREADS];\nvoid f(double s) { upc_forall (int i = 0; i < 100 * THREADS; i++; &a[i]) a[i] *= s; }\n",
        expect![[r#"
            MER_SHARED_BEGIN double a[100] MER_SHARED_DATA; MER_SHARED_END
            void f(double s) { { MER_FORALL_SCOPE(mer_outer1); if (mer_outer1 == 0) { { mer_i64 mer_lo2 = (mer_i64)(0); mer_i64 mer_hi3 = (mer_i64)(100 * MER_THREADS); __typeof__(double) *mer_own5 __attribute__((unused)) = MER_OWN_PART(DEFINED, a); mer_i64 mer_q4 = mer_ceildivt(mer_lo2 - MER_MYTHREAD); mer_i64 mer_end6 = mer_ceildivt(mer_hi3 - MER_MYTHREAD); for (; mer_q4 < mer_end6; mer_q4++) { (mer_own5[mer_q4] *= s); } }  } else { MER_SELDOM_BEGIN for (int i = 0; i < 100 * MER_THREADS; i++) { MER_SELDOM_UPDATE(double, double, double, mer_seldom_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(double)).bits, [0], mer_new_, mer_old_ * (s)); }  MER_SELDOM_END } }  }
        "#]],
    );
}

#[test]
fn static_pointers_are_filled_in_at_start() {
    check(
        "shared [2] int a[2 * THREADS];\nstatic shared [2] int *p = &a[3];\nshared int x = 7;\n",
        expect![[r#"
            MER_SHARED_BEGIN int a[2] MER_SHARED_DATA; MER_SHARED_END
            static mer_pptr p = {0};  static const struct mer_init_ptr mer_init1 MER_RECORD("mer_init_ptr") = {(void *)&p, &a, 3, sizeof(int), 2, 0, 1, 0};
            MER_SHARED_BEGIN int x MER_SHARED_DATA; MER_SHARED_END static int mer_image2 =
                           7;  static const struct mer_init_data mer_init3 MER_RECORD("mer_init_data") = {&x, &mer_image2, sizeof(mer_image2) / sizeof(int), sizeof(int), 1, 0, 0, "x"};
        "#]],
    );
}

#[test]
fn a_loop_that_waits() {
    check(
        "shared int flag;\nvoid f(void) { while (!flag) ; }\n",
        expect![[r#"
            MER_SHARED_BEGIN int flag MER_SHARED_DATA; MER_SHARED_END
            void f(void) { { struct mer_spin mer_spin1 = {{0}};
                           while (!MER_GET(int, mer_mk(mer_bits(0, MER_SYM(flag))).bits))  mer_spin(&mer_spin1); } }
        "#]],
    );
}

#[test]
fn a_known_number_of_threads() {
    expect![[r#"
        MER_SHARED_BEGIN int a[2] MER_SHARED_DATA; MER_SHARED_END
        int f(mer_ptr p
                           , int i) { (p = mer_turn_c(p, 1, sizeof(int)))
                                            ; return MER_GET(int, mer_dec_c(p, sizeof(int)).bits) + MER_GET(int, mer_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int)).bits); }
    "#]].assert_eq(&lowered(
        "shared int a[8];\nint f(shared int *p, int i) { p += 4; return p[-1] + a[i]; }\n",
        Some(4),
    ));
}

/// The C of a function with the loop `body` in it.
fn c_of_loop(body: &str) -> String {
    let upc = format!(
        "shared int a[THREADS], b[THREADS], one;\nstrict shared int s;\nshared [8] int c[8 * THREADS], e[8 * THREADS];\nshared [] int *shared dir[THREADS];\n\
         shared struct {{ int n, f : 3; }} r[THREADS];\n\
         int idx[9], out[9], *p, n; double d[9];\nint other(int);\nvoid f(int k, shared [] int *q) {{ int x = 0; {body} }}\n"
    );
    lowered(&upc, None)
}

/// The number of accesses of a loop that are prefetched for jobs on several hosts, and of those that are read
/// once for a part of it.
fn prefetched(body: &str) -> (usize, usize) {
    let c = c_of_loop(body);
    // Reads started by MER_PREFETCH_HOLD, such as operands of addresses, are taken from their buffers.
    let count = |macros: &[&str]| macros.iter().map(|name| c.matches(name).count()).sum::<usize>();
    let taken = c.matches("MER_PREFETCH_TAKE").count();
    let scattered = count(&["MER_PREFETCH_SCATTERED"]); // taken or not
    (count(&["MER_PREFETCH_START", "MER_CACHE_START"]) + taken.max(scattered), c.matches(" mer_once").count())
}

#[test]
fn two_writes_to_one_thread_are_done_together() {
    for (writes, together) in [
        ("a[p[i]] = i; b[p[i]] = x;", 0), // p may lead to a
        ("{ int w = p[i]; a[w] = i; b[w] = x; }", 1),
        ("{ int w = p[i]; a[w] = i; b[w] = d[3] * idx[i]; a[w + 1] = 1; }", 1),
        ("{ int w = idx[i]; a[w] = i; b[w] = x; a[w] = x; b[w] = i; }", 2),
        ("{ a[idx[i]] = *p; b[idx[i]] = n; }", 1),
        ("{ c[idx[i]] = x; e[idx[i]] = i; }", 1),
        ("{ a[idx[i]] = x; e[idx[i]] = i; }", 0), // other threads
        ("{ a[idx[i]] = x; b[idx[i] + 1] = i; }", 0),
        ("{ a[idx[i]] = x; b[idx[i]] = a[3]; }", 0), // may be the object that the first has written
        ("{ a[idx[i]] = x; b[idx[i]] = *p; }", 0),
        ("{ a[idx[i]] = x; b[idx[i]] = n++; }", 0),
        ("{ a[idx[i]] = n++; b[idx[i]] = n; }", 0),
        ("{ a[idx[i]] = x; b[idx[i]] = s; }", 0), // strict
        ("{ a[idx[i]] = x; n = i; b[idx[i]] = x; }", 0),
        ("{ a[idx[i]] = x; b[idx[i]] += x; }", 0),
        ("{ a[idx[i]] = x; b[idx[i]] = other(i); }", 0),
    ] {
        let c = c_of_loop(&format!("for (int i = 0; i < k; i++) {{ {writes} }}"));
        assert_eq!(c.matches("MER_SCATTER_PUT_TWO").count(), together, "{writes}\n{c}");
    }
}

#[test]
fn places_that_memory_numbers_are_asked_for_without_a_branch() {
    for (read, scattered) in [
        ("x += a[p[i]];", true),
        ("x += r[idx[i] % 3].n;", true),
        ("{ int w = p[i]; x += a[w + 1]; }", true),
        ("x += a[i];", false),
        ("x += q[2 * i];", false),
        ("x += dir[0][i];", false),
    ] {
        let c = c_of_loop(&format!("for (int i = 0; i < k; i++) {read}"));
        assert_eq!(c.contains("MER_PREFETCH_SCATTERED"), scattered, "{read}");
    }
}

/// An earlier iteration has yet to set the number: until then it may have any value, and nothing may trap.
#[test]
fn arithmetic_of_what_is_not_set_yet() {
    for (index, how) in [
        ("a[i] + 1", "MER_EARLY_ADD("),
        ("a[i] - 1", "MER_EARLY_SUB("),
        ("a[i] * 3", "MER_EARLY_MUL("),
        ("7 / a[i]", "MER_EARLY_DIV(7, "),
        ("7 % a[i]", "MER_EARLY_REM(7, "),
        ("1 << a[i]", "MER_EARLY_SHL(1, "),
        ("8 >> a[i]", "MER_EARLY_SHR(8, "),
        ("-a[i]", "MER_EARLY_NEG("),
    ] {
        let c = c_of_loop(&format!(
            "for (int i = 0; i < k; i++) {{ if (i % 3) x += b[{index}]; a[i + 1] = 5; }}"
        ));
        assert_eq!(c.matches(how).count(), 1, "{index}\n{c}");
    }
}

#[test]
fn reads_that_are_prefetched() {
    for (body, expected) in [
        ("for (int i = 0; i < k; i++) x += a[i];", (1, 0)),
        ("for (int i = k; i > 0; i -= 2) x += a[i] * b[i + 1];", (2, 0)),
        ("for (int i = 0; i < k; i++) out[i] = a[idx[i]];", (1, 0)),
        ("for (int i = 0; i < k; i++) d[i] = a[p[i]];", (1, 0)),
        ("for (int i = 0; i < k; i++) for (int j = 0; j < k; j++) x += a[3 * j + i];", (1, 0)),
        ("for (int i = 0; i < k; i++) { a[i] = b[i] + 1; r[i].n++; }", (1, 0)),
        ("upc_forall (int i = 0; i < k; i++; i) x += a[idx[i]];", (1, 0)),
        ("upc_forall (int i = 0; i < k; i++; &a[i]) a[i] = b[i] + b[idx[i]];", (1, 0)),
        ("upc_forall (int i = 1; i < k; i++; &c[i]) c[i] = e[i - 1] + e[i] + e[i + 1];", (2, 0)),
        ("for (int i = 0; i < k; i++) x += r[i].n;", (1, 0)),
        ("for (shared int *e = a; e != b; e++) x += *e;", (1, 0)),
    ] {
        assert_eq!(prefetched(body), expected, "{body}");
    }
    let (reads, once) = prefetched("for (int i = 0; i < k; i++) x += dir[k][i] * one;");
    assert!(reads == 1 && once > 2, "{once}");
    let (reads, once) = prefetched("for (int i = 0; i < one; i++) x += a[i];");
    assert!(reads == 1 && once > 2, "{once}");
    let (reads, once) = prefetched("for (int i = 0; i < k; i++) p[i] = a[i] * one;");
    assert!(reads == 1 && once == 0, "{once}");
}

#[test]
fn reads_up_to_what_the_loop_writes() {
    for body in [
        "for (int i = 0; i < k; i++) a[i] = a[i + 1];",
        "for (int i = 0; i < k; i++) b[i] = q[i];",
        "upc_forall (int i = 0; i < k; i++; &a[i]) a[i] = a[idx[i]];",
        "for (int i = 0; i < k; i++) q[i] = b[i];",
        "for (int i = 0; i < k; i++) b[i] = dir[k][i];",
        "for (int i = 0; i < k; i++) { x += a[i + one]; one = x; }",
        "for (int i = 0; i < k; i++) p[i] = a[i + one];",
        "for (int i = 0; i < k; i++) p[i] = a[idx[i]];",
        "for (int i = 0; i < k; i++) idx[i] = a[idx[i + 1]];",
        "for (int i = 0; i < p[i]; i++) x += a[i];",
    ] {
        let (reads, _) = prefetched(body);
        assert_eq!(reads, 1, "{body}");
    }
}

#[test]
fn reads_that_wait_for_their_turn() {
    for body in [
        "upc_forall (int i = 0; i < k; i++; &a[i]) a[i] = b[i];",
        "for (int i = 0; i < k; i++) { if (!q) continue; x += q[i]; }",
        "for (int i = 0; i < k; i++) if (q) x += q[i];",
        "for (int i = 0; i < k; i++) x = a[x];",
        "for (int i = 0; i < k; i++) x += a[other(i)];",
        "for (int i = 0; i < k; i++) { x += a[i]; other(i); }",
        "for (int i = 0; i < k; i++) { x += a[i]; upc_fence; }",
        "for (int i = 0; i < k; i++) { x += a[i]; if (x > 9) break; }",
        "for (int i = 0; i < k; i++) x += a[i] + s;",
        "for (int i = 0; i < k; i++) { x += a[i]; i += x; }",
        "for (int i = 0; i < one; i++) { x += a[i]; one = x; }",
        "for (int i = 0; i < one; i++) { x += a[i]; q[i] = x; }",
        "for (int i = 0; i < s; i++) x += a[i];",
        "for (int i = 0; i < p[i]; i++) { x += a[i]; p[x] = i; }",
        "for (int i = 0; i < k; i++) x += r[i].f;",
        "for (int i = 0; i < k; i++) x += b[a[i]];",
        "for (int i = 0; i < k; i++) x += one;",
        "for (int i = 0; i < k; i++) { int j = x + i; x += q ? q[j] : 0; }",
    ] {
        let (reads, _) = prefetched(body);
        let inner = usize::from(body.contains("b[a[i]]"));
        assert_eq!(reads, inner, "{body}");
    }
}
