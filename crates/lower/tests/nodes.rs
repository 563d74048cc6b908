//! The C of the nodes that the optimisations put into the tree (`opt::tree::Node` and `Access`), as in
//! `constructs.rs` for the program's constructs. `UPDATE_EXPECT=1` rewrites it.

mod common;

use c_syntax::Language;
use expect_test::{Expect, expect};

fn check(language: Language, text: &str, expected: Expect) {
    let source = base::Source::new(format!("# 1 \"t\"\n{text}"));
    let mut tree = common::tree(language, None, &source);
    opt::optimise(&mut tree);
    // In lines of readable length.
    expected.assert_eq(&common::c_of(&tree, &source).replace("; ", ";\n").replace("{ ", "{\n"));
}

#[test]
fn own_parts_of_arrays() {
    check(
        Language::Upc,
        "\
shared int a[10 * THREADS], b[10 * THREADS];
shared [4] double d[4 * THREADS];
void f(int n) {
    int i;
    upc_forall (i = 1; i < n; i++; &a[i])
        a[i] = i;
    upc_forall (int j = 0; j <= n; j++; &d[j])
        d[j] += b[j + 1] ? d[j - 1] : -1;
}
",
        expect![[r#"
            MER_SHARED_BEGIN int a[10] MER_SHARED_DATA;
            MER_SHARED_END MER_SHARED_BEGIN int b[10] MER_SHARED_DATA;
            MER_SHARED_END
            MER_SHARED_BEGIN double d[4] MER_SHARED_DATA;
            MER_SHARED_END
            void f(int n) {
                int i;
                {
            MER_FORALL_SCOPE(mer_outer1);
            if (mer_outer1 == 0) {
            {
            mer_i64 mer_lo2 = (mer_i64)(1);
            mer_i64 mer_hi3 = (mer_i64)(n);
            __typeof__(int) *mer_own5 __attribute__((unused)) = MER_OWN_PART(DEFINED, a);
            mer_i64 mer_q4 = mer_ceildivt(mer_lo2 - MER_MYTHREAD);
            mer_i64 mer_end6 = mer_ceildivt(mer_hi3 - MER_MYTHREAD);
            for (;
            mer_q4 < mer_end6;
            mer_q4++) {
            i = (int)(mer_q4 * (mer_i64)MER_THREADS + MER_MYTHREAD);
            (mer_own5[mer_q4] = i);
            } i = (int)(mer_lo2 < mer_hi3 ? mer_hi3 : mer_lo2);
            }  } else {
            MER_SELDOM_BEGIN
            for (i = 1;
            i < n;
            i++) {
            MER_SELDOM_PUT(word, int, int, mer_seldom_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int)).bits, [0], i);
            }  MER_SELDOM_END } }
                {
            MER_FORALL_SCOPE(mer_outer7);
            if (mer_outer7 == 0) {
            {
            if (MER_HAS_REMOTE) {
            {
            mer_cache_begin();
            mer_i64 mer_lo8 = (mer_i64)(0);
            mer_i64 mer_hi9 = (mer_i64)(n) + 1;
            __typeof__(double) *mer_own11 __attribute__((unused)) = MER_OWN_PART(DEFINED, d);
            mer_i64 mer_k12 = mer_ceildivt(mer_floordiv(mer_lo8, 4) - MER_MYTHREAD);
            for (;
            (mer_k12 * (mer_i64)MER_THREADS + MER_MYTHREAD) * 4 < mer_hi9;
            mer_k12++) {
            mer_i64 mer_first13 = (mer_k12 * (mer_i64)MER_THREADS + MER_MYTHREAD) * 4;
            mer_i64 mer_last14 = (mer_first13 + 4 < mer_hi9 ? mer_first13 + 4 : mer_hi9) - mer_first13;
            mer_i64 mer_q10 = mer_lo8 > mer_first13 ? mer_lo8 - mer_first13 : 0;
            __typeof__(double) *mer_row15 __attribute__((unused)) = mer_own11 + mer_k12 * 4 * 1;
            mer_i64 mer_inner17 = mer_last14 < 4 ? mer_last14 : 4;
            int mer_side16 = 0;
            for (;
            mer_side16 < 2;
            mer_side16++) {
            mer_i64 mer_side_end18 = mer_side16 ? mer_last14 : (1 < mer_last14 ? 1 : mer_last14);
            int mer_waiting19 = 0;
            int mer_fetched20 = mer_cache_cold;
            int mer_met21;
            unsigned mer_n22;
            unsigned mer_m23;
            __typeof__(mer_q10) mer_from24;
            for (;
            mer_q10 < mer_side_end18;
            ) {
            mer_met21 = 0;
            mer_n22 = 0;
            if (mer_fetched20) {
            mer_from24 = mer_q10;
            mer_cache_part();
            for (;
            mer_n22 < MER_CACHE_DEPTH && mer_q10 < mer_side_end18;
            mer_n22++, mer_q10++) {
            int j __attribute__((unused)) = (int)(mer_first13 + mer_q10);
            if (mer_cache_part_full()) break;
            MER_CACHE_START(int, int, mer_seldom_elem_c(MER_SYM(b), (mer_i64)(j + 1), sizeof(int)).bits, [0], mer_waiting19, mer_met21) } mer_remote_get_wait(&mer_waiting19);
            mer_q10 = mer_from24;
            } mer_m23 = 0;
            for (;
            mer_fetched20 ? mer_m23 < mer_n22 : !mer_met21 && mer_m23 < MER_PREFETCH_PAUSE && mer_q10 < mer_side_end18;
            mer_m23++, mer_q10++) {
            int j __attribute__((unused)) = (int)(mer_first13 + mer_q10);
            (mer_row15[mer_q10] += (MER_CACHE_GET(int, int, mer_elem_c(MER_SYM(b), (mer_i64)(j + 1), sizeof(int)).bits, [0], &mer_met21) ? MER_CACHE_GET(double, double, mer_elem_b(MER_SYM(d), (mer_i64)(j - 1), sizeof(double), 4).bits, [0], (int *)0) : -1));
            } mer_fetched20 = mer_met21;
            } if (!mer_side16) {
            int mer_waiting26 = 0;
            int mer_fetched27 = mer_cache_cold;
            int mer_met28;
            unsigned mer_n29;
            unsigned mer_m30;
            __typeof__(mer_q10) mer_from31;
            for (;
            mer_q10 < mer_inner17;
            ) {
            mer_met28 = 0;
            mer_n29 = 0;
            if (mer_fetched27) {
            mer_from31 = mer_q10;
            mer_cache_part();
            for (;
            mer_n29 < MER_CACHE_DEPTH && mer_q10 < mer_inner17;
            mer_n29++, mer_q10++) {
            int j __attribute__((unused)) = (int)(mer_first13 + mer_q10);
            if (mer_cache_part_full()) break;
            MER_CACHE_START(int, int, mer_seldom_elem_c(MER_SYM(b), (mer_i64)(j + 1), sizeof(int)).bits, [0], mer_waiting26, mer_met28) } mer_remote_get_wait(&mer_waiting26);
            mer_q10 = mer_from31;
            } mer_m30 = 0;
            for (;
            mer_fetched27 ? mer_m30 < mer_n29 : !mer_met28 && mer_m30 < MER_PREFETCH_PAUSE && mer_q10 < mer_inner17;
            mer_m30++, mer_q10++) {
            int j __attribute__((unused)) = (int)(mer_first13 + mer_q10);
            (mer_row15[mer_q10] += (MER_CACHE_GET(int, int, mer_elem_c(MER_SYM(b), (mer_i64)(j + 1), sizeof(int)).bits, [0], &mer_met28) ? mer_row15[mer_q10 + (-1)] : -1));
            } mer_fetched27 = mer_met28;
            } } } } }  } else {
            {
            mer_i64 mer_lo8 = (mer_i64)(0);
            mer_i64 mer_hi9 = (mer_i64)(n) + 1;
            __typeof__(double) *mer_own11 __attribute__((unused)) = MER_OWN_PART(DEFINED, d);
            mer_i64 mer_k12 = mer_ceildivt(mer_floordiv(mer_lo8, 4) - MER_MYTHREAD);
            for (;
            (mer_k12 * (mer_i64)MER_THREADS + MER_MYTHREAD) * 4 < mer_hi9;
            mer_k12++) {
            mer_i64 mer_first13 = (mer_k12 * (mer_i64)MER_THREADS + MER_MYTHREAD) * 4;
            mer_i64 mer_last14 = (mer_first13 + 4 < mer_hi9 ? mer_first13 + 4 : mer_hi9) - mer_first13;
            mer_i64 mer_q10 = mer_lo8 > mer_first13 ? mer_lo8 - mer_first13 : 0;
            __typeof__(double) *mer_row15 __attribute__((unused)) = mer_own11 + mer_k12 * 4 * 1;
            mer_i64 mer_inner17 = mer_last14 < 4 ? mer_last14 : 4;
            int mer_side16 = 0;
            for (;
            mer_side16 < 2;
            mer_side16++) {
            mer_i64 mer_side_end18 = mer_side16 ? mer_last14 : (1 < mer_last14 ? 1 : mer_last14);
            for (;
            mer_q10 < mer_side_end18;
            mer_q10++) {
            int j __attribute__((unused)) = (int)(mer_first13 + mer_q10);
            (mer_row15[mer_q10] += (MER_REF(int, mer_here_elem_c(MER_SYM(b), (mer_i64)(j + 1), sizeof(int)).bits) ? MER_REF(double, mer_here_elem_b(MER_SYM(d), (mer_i64)(j - 1), sizeof(double), 4).bits) : -1));
            } if (!mer_side16) {
            for (;
            mer_q10 < mer_inner17;
            mer_q10++) {
            int j __attribute__((unused)) = (int)(mer_first13 + mer_q10);
            (mer_row15[mer_q10] += (MER_REF(int, mer_here_elem_c(MER_SYM(b), (mer_i64)(j + 1), sizeof(int)).bits) ? mer_row15[mer_q10 + (-1)] : -1));
            } } } } }  } }  } else {
            MER_SELDOM_BEGIN
            for (int j = 0;
            j <= n;
            j++) {
            MER_SELDOM_UPDATE(double, double, double, mer_seldom_elem_b(MER_SYM(d), (mer_i64)(j), sizeof(double), 4).bits, [0], mer_new_, mer_old_ + ((MER_SELDOM_GET(word, int, int, mer_seldom_elem_c(MER_SYM(b), (mer_i64)(j + 1), sizeof(int)).bits, [0]) ? MER_SELDOM_GET(double, double, double, mer_seldom_elem_b(MER_SYM(d), (mer_i64)(j - 1), sizeof(double), 4).bits, [0]) : -1)));
            }  MER_SELDOM_END } }
            }
        "#]],
    );
}

#[test]
fn extrema_by_the_owner() {
    check(
        Language::Upc,
        "\
struct s { int n; signed char c; };
shared int a[10 * THREADS];
shared struct s r[THREADS];
void f(int *k, int n, signed char c) {
    if (n < a[k[n]])
        a[k[n]] = n;
    r[n].c = r[n].c >= c ? r[n].c : c;
    for (int i = 0; i < n; i++)
        if (a[i] < n) { a[i] = n; }
}
",
        expect![[r#"
            struct s {
            int n;
            signed char c;
            };
            MER_SHARED_BEGIN int a[10] MER_SHARED_DATA;
            MER_SHARED_END
            MER_SHARED_BEGIN struct s r[1] MER_SHARED_DATA;
            MER_SHARED_END
            void f(int *k, int n, signed char c) {
                {
            MER_EXTREMUM(int, int, mer_elem_c(MER_SYM(a), (mer_i64)(k[n]), sizeof(int)).bits, [0], <, MER_TEST_LESS, 0, 0, n);
            }
            {
            MER_EXTREMUM(signed char, struct s, mer_elem_c(MER_SYM(r), (mer_i64)(n), sizeof(struct s)).bits, ->c, <=, MER_TEST_LESS_EQUAL, 1, 1, c);
            }
                {
            if (MER_HAS_REMOTE) {
                for (int i = 0;
            i < n;
            i++)
                    {
            MER_EXTREMUM(int, int, mer_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int)).bits, [0], >, MER_TEST_GREATER, 0, 0, n);
            }  } else {
                for (int i = 0;
            i < n;
            i++)
                    {
                    if (MER_REF(int, mer_here_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int)).bits) < n) {
            (MER_REF(int, mer_here_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int)).bits) = n);
            } }  } }
            }
        "#]],
    );
}

#[test]
fn reads_in_advance() {
    check(
        Language::Upc,
        "\
shared int a[10 * THREADS], at[10 * THREADS], one;
int own[100], *k;
long f(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[at[i]] * one;
    for (int i = 0; i < n; i++) {
        sum += a[k[i]];
        k[i + 1] = 3;
    }
    return sum;
}
",
        expect![[r#"
            MER_SHARED_BEGIN int a[10] MER_SHARED_DATA;
            MER_SHARED_END MER_SHARED_BEGIN int at[10] MER_SHARED_DATA;
            MER_SHARED_END MER_SHARED_BEGIN int one MER_SHARED_DATA;
            MER_SHARED_END
            int own[100], *k;
            long f(int n) {
                long sum = 0;
                {
            if (MER_HAS_REMOTE) {
            {
            mer_cache_begin();
            {
            int i = 0;
            int mer_waiting1 = 0;
            int mer_fetched2 = 1;
            int mer_met3;
            unsigned mer_n5;
            unsigned mer_m6;
            __typeof__(i) mer_from7;
            __typeof__(int) mer_once11;
            MER_PREFETCH_BUFFER(int, mer_buffer8, MER_PREFETCH_DEPTH) MER_PREFETCH_BUFFER(int, mer_buffer9, MER_PREFETCH_DEPTH) unsigned mer_ready4;
            for (;
            i < n;
            ) {
            mer_once11 = MER_GET(int, mer_mk(mer_bits(0, MER_SYM(one))).bits);
            mer_met3 = 0;
            mer_n5 = 0;
            if (mer_fetched2) {
            mer_from7 = i;
            mer_ready4 = 0;
            for (;
            mer_ready4 < MER_PREFETCH_DEPTH && (i < n);
            mer_ready4++, i++) {
            MER_CACHE_HOLD(int, mer_seldom_elem_c(MER_SYM(at), (mer_i64)(i), sizeof(int)).bits, [0], mer_buffer8[mer_ready4], mer_waiting1, mer_met3) } mer_remote_get_wait(&mer_waiting1);
            i = mer_from7;
            for (;
            mer_n5 < mer_ready4 && (i < n);
            mer_n5++, i++) {
            MER_PREFETCH_SCATTERED(int, mer_elem_c(MER_SYM(a), (mer_i64)((mer_fetched2 ? mer_buffer8[mer_n5] : MER_CACHE_READ(int, int, mer_elem_c(MER_SYM(at), (mer_i64)(i), sizeof(int)).bits, [0], &mer_met3))), sizeof(int)).bits, [0], mer_buffer9[mer_n5], mer_waiting1, mer_met3) } mer_remote_get_wait(&mer_waiting1);
            i = mer_from7;
            } mer_m6 = 0;
            for (;
            mer_fetched2 ? mer_m6 < mer_n5 : !mer_met3 && mer_m6 < MER_PREFETCH_PAUSE && (i < n);
            mer_m6++, i++) {
            (sum += MER_PREFETCH_TAKE(int, int, mer_elem_c(MER_SYM(a), (mer_i64)((mer_fetched2 ? mer_buffer8[mer_m6] : MER_CACHE_READ(int, int, mer_elem_c(MER_SYM(at), (mer_i64)(i), sizeof(int)).bits, [0], &mer_met3))), sizeof(int)).bits, [0], mer_buffer9[mer_m6], mer_fetched2, mer_met3) * mer_once11);
            } mer_fetched2 = mer_met3;
            } }  }  } else {
                for (int i = 0;
            i < n;
            i++)
                    (sum += MER_REF(int, mer_here_elem_c(MER_SYM(a), (mer_i64)(MER_REF(int, mer_here_elem_c(MER_SYM(at), (mer_i64)(i), sizeof(int)).bits)), sizeof(int)).bits) * MER_REF(int, mer_mk(mer_bits(0, MER_SYM(one))).bits));
            } }
                {
            if (MER_HAS_REMOTE) {
            {
            int i = 0;
            int mer_waiting16[2] = {0, 0};
            int mer_now17 = 1;
            int mer_next18 = 0;
            int mer_fetched19;
            int mer_met20 = 1;
            unsigned mer_first13 = 0;
            unsigned mer_last14 = 0;
            unsigned mer_begin15;
            unsigned mer_n21;
            unsigned mer_m22;
            __typeof__(i) mer_from23;
            __typeof__(i) mer_front12 = i;
            MER_PREFETCH_BUFFER(int, mer_buffer24, MER_PREFETCH_DEPTH) struct mer_extent mer_before26 = MER_EXTENT_NONE;
            struct mer_extent mer_written25 = MER_EXTENT_NONE;
            for (;
            mer_first13 < mer_last14 || (i < n);
            ) {
            mer_begin15 = mer_next18 ? MER_PREFETCH_DEPTH : 0;
            mer_n21 = mer_begin15;
            if (mer_met20) {
            mer_from23 = i;
            if (!(mer_first13 < mer_last14)) {
            mer_front12 = mer_from23;
            } i = mer_front12;
            mer_met20 = 0;
            mer_fetched19 = 1;
            mer_extent_next(&mer_before26, &mer_written25, mer_first13 < mer_last14);
            for (;
            mer_n21 < mer_begin15 + MER_PREFETCH_DEPTH && (i < n);
            mer_n21++, i++) {
            if (mer_extent_meets(&mer_written25, mer_extent_private(&(k[i])), sizeof(int))) break;
            if (mer_extent_meets(&mer_before26, mer_extent_private(&(k[i])), sizeof(int))) break;
            mer_extent_add(&mer_written25, mer_extent_private(&(k[i + 1])), sizeof(int));
            MER_PREFETCH_SCATTERED(int, mer_elem_c(MER_SYM(a), (mer_i64)(k[i]), sizeof(int)).bits, [0], mer_buffer24[mer_n21], mer_waiting16[mer_next18], mer_met20) } mer_front12 = i;
            i = mer_from23;
            if (!mer_met20) {
            mer_n21 = mer_begin15;
            } else {
            if (mer_n21 == mer_begin15) {
            mer_met20 = mer_first13 < mer_last14;
            } } } mer_remote_get_wait(&mer_waiting16[mer_now17]);
            mer_fetched19 = mer_first13 < mer_last14;
            mer_m22 = mer_fetched19 ? mer_first13 : 0;
            for (;
            mer_fetched19 ? mer_m22 < mer_last14 : !mer_met20 && mer_m22 < MER_PREFETCH_PAUSE && (i < n);
            mer_m22++, i++) {
                                            {
                    (sum += MER_PREFETCH_GET(int, int, mer_elem_c(MER_SYM(a), (mer_i64)(k[i]), sizeof(int)).bits, [0], mer_buffer24[mer_m22], mer_fetched19, mer_met20));
                    k[i + 1] = 3;
                } } mer_first13 = mer_begin15;
            mer_last14 = mer_n21;
            mer_now17 = mer_next18;
            mer_next18 = !mer_now17;
            } }  } else {
                for (int i = 0;
            i < n;
            i++) {
                    (sum += MER_REF(int, mer_here_elem_c(MER_SYM(a), (mer_i64)(k[i]), sizeof(int)).bits))
                                  ;
                    k[i + 1] = 3;
                } } }
                return sum;
            }
        "#]],
    );
}

#[test]
fn steps_of_pointers() {
    check(
        Language::Upc,
        "\
shared int a[10 * THREADS];
int f(int n) {
    int sum = 0;
    shared int *p = a;
    for (int i = 0; i < n; i++, p++)
        sum += *p;
    for (int i = MYTHREAD; i < n; i += THREADS)
        a[i]++;
    return sum;
}
",
        expect![[r#"
            MER_SHARED_BEGIN int a[10] MER_SHARED_DATA;
            MER_SHARED_END
            int f(int n) {
                int sum = 0;
                mer_ptr p = mer_mk(mer_bits(0, MER_SYM(a)));
                {
            if (MER_HAS_REMOTE) {
                for (int i = 0;
            i < n;
            i++, (void)((p = mer_inc_c(p, sizeof(int)))))
                    (sum += MER_GET(int, (p).bits));
            } else {
                for (int i = 0;
            i < n;
            i++, (void)((p = mer_inc_c(p, sizeof(int)))))
                    (sum += MER_REF(int, (p).bits));
            } }
            {
            __typeof__(int) *mer_own2 __attribute__((unused)) = MER_OWN_PART(DEFINED, a);
            mer_i64 mer_q1 = 0;
            mer_i64 mer_end3 = mer_ceildivt((mer_i64)(n) - MER_MYTHREAD);
            for (;
            mer_q1 < mer_end3;
            mer_q1++) {
            (mer_own2[mer_q1]++)
                          ;
            } }
                return sum;
            }
        "#]],
    );
}

#[test]
fn a_processor_at_a_time_and_stores_that_are_counted() {
    check(
        Language::SplitC,
        "\
int a[100]::;
int f(int n) {
    int i, s = 0;
    for (i = 0; i < n; i++)
        s += a[i];
    while (n--)
        a[n] = 1;
    for (i = MYPROC; i < n; i += PROCS)
        a[i] :- i;
    return s;
}
",
        expect![[r#"
            MER_SHARED_BEGIN int a[100] __attribute__((weak)) MER_SHARED_DATA;
            MER_SHARED_END
            int f(int n) {
                int i, s = 0;
                {
            i = 0;
            mer_i64 mer_lo3 = (mer_i64)i;
            mer_i64 mer_n4 = (mer_i64)(n) - mer_lo3;
            mer_ptr mer_start2 = mer_add_c(mer_elem_c(MER_SYM(a), 0, sizeof(int)), mer_lo3, sizeof(int));
            if (mer_n4 >= 4 * (mer_i64)MER_THREADS && !MER_HAS_REMOTE && !mer_remote_global(mer_start2.bits)) {
            mer_i64 mer_j5 = 0;
            for (;
            mer_j5 < MER_THREADS;
            mer_j5++) {
            mer_i64 mer_end7 = mer_ceildivt(mer_n4 - mer_j5);
            __typeof__(int) *mer_row8 __attribute__((unused)) = mer_at(mer_add_c(mer_start2, mer_j5, sizeof(int)).bits);
            mer_i64 mer_q6 = 0;
            for (;
            mer_q6 < mer_end7;
            mer_q6++) {
            (s = (int)((unsigned)s + (unsigned)(int)(mer_row8[mer_q6])));
            } } i = (int)(mer_lo3 + mer_n4);
            } else {
                for (
                          ;
            i < n;
            i++)
                    (s += MER_GET(int, mer_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int)).bits));
            } }
                {
            if (MER_HAS_REMOTE) {
                while (n--)
                    MER_GLOBAL_PUT_AT(int, mer_elem_c(MER_SYM(a), (mer_i64)(n), sizeof(int)).bits, 0, 1);
            } else {
                while (n--)
                    (MER_REF(int, mer_here_elem_c(MER_SYM(a), (mer_i64)(n), sizeof(int)).bits) = 1);
            } }
            {
            if (&mer_counts_stores) {
            MER_STORES_SCOPE(mer_stores1, 4);
            {
            __typeof__(int) *mer_own10 __attribute__((unused)) = MER_OWN_PART(DEFINED, a);
            mer_i64 mer_q9 = 0;
            mer_i64 mer_end11 = mer_ceildivt((mer_i64)(n) - MER_MYTHREAD);
            for (;
            mer_q9 < mer_end11;
            mer_q9++) {
            int i __attribute__((unused)) = (int)(mer_q9 * (mer_i64)MER_THREADS + MER_MYTHREAD);
            ((void)MER_STORE_IN(&mer_stores1, int, mer_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int)).bits, 0, i))
                             ;
            } i = (int)((mer_end11 > 0 ? mer_end11 : 0) * (mer_i64)MER_THREADS + MER_MYTHREAD);
            }  } else {
            {
            __typeof__(int) *mer_own13 __attribute__((unused)) = MER_OWN_PART(DEFINED, a);
            mer_i64 mer_q12 = 0;
            mer_i64 mer_end14 = mer_ceildivt((mer_i64)(n) - MER_MYTHREAD);
            for (;
            mer_q12 < mer_end14;
            mer_q12++) {
            int i __attribute__((unused)) = (int)(mer_q12 * (mer_i64)MER_THREADS + MER_MYTHREAD);
            ((void)MER_STORE_UNCOUNTED(int, mer_elem_c(MER_SYM(a), (mer_i64)(i), sizeof(int)).bits, 0, i));
            } i = (int)((mer_end14 > 0 ? mer_end14 : 0) * (mer_i64)MER_THREADS + MER_MYTHREAD);
            }  } }
                return s;
            }
        "#]],
    );
}
