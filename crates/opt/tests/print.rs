//! The text of the tree (`--emit=tree`): every statement of C, and every node and access that optimisations
//! put there. `UPDATE_EXPECT=1` writes it anew.

mod common;

use c_syntax::Language;
use expect_test::{Expect, expect};

/// Checks the optimised program as `--emit=tree` shows it.
fn check(language: Language, text: &str, expected: Expect) {
    let source = base::Source::new(format!("# 1 \"t\"\n{text}"));
    let mut tree = common::tree(language, &source).expect("no errors");
    expected.assert_eq(&opt::explain::explain(&mut tree, &source).expect("no pass breaks a loop"));
}

#[test]
fn statements_are_shown_as_they_were_written() {
    check(
        Language::Upc,
        "\
shared int a[10 * THREADS], *q;
int n;
int f(int k, int *to) {
    int i, sum = 0;
    if (k) sum = 1; else sum = 2;
    if (k > 1)
        return 0;
    while (k--)
        to[k]   = 1;
    do { sum++; } while (sum < 3);
    switch (k) {
    case 1 ... 2: sum = 4; break;
    default: ;
    }
#pragma unknown
again:
    for (i = 0; i < n; i++)
        to[i] = a[i];
    if (to[0]) goto again;
    upc_barrier 3;
    return sum;
}
int untouched(int x) { for (;;) if (x--) break; return x; }
",
        expect![[r#"
            ==== versioning ====
            t:8: not done: no access in the loop needs a locality test
            t:10: not done: no access in the loop needs a locality test
            t:17: for one host and for several
            t:23: not done: no access in the loop needs a locality test
            ---- f
            {
                int i, sum = 0;
                if (k)
                    sum = 1;
                else
                    sum = 2;
                if (k > 1)
                    return 0;
                while (k--)
                    to[k] = 1;
                do
                    {
                        sum++;
                    }
                while (sum < 3);
                switch (k)
                    {
                        case 1 ... 2:
                            sum = 4;
                        break;
                        default:
                            ;
                    }
                again:
                    if (has_remote) {
                        memory may be remote:
                            for (i = 0; i < n; i++)
                                to[i] = a[i];
                    }
                    else {
                        all memory is local:
                            for (i = 0; i < n; i++)
                                to[i] = a[i];
                    }
                if (to[0])
                    goto again;
                upc_barrier 3;
                return sum;
            }

            ==== sections ====
            t:17: not done: no access in the loop is worth a copy of a section
            ==== local-rows ====
            t:17: not done: not all accesses of the loop are to rows that stay the same
            ==== caching ====
            t:17: reads from other hosts
            ---- f
            {
                int i, sum = 0;
                if (k)
                    sum = 1;
                else
                    sum = 2;
                if (k > 1)
                    return 0;
                while (k--)
                    to[k] = 1;
                do
                    {
                        sum++;
                    }
                while (sum < 3);
                switch (k)
                    {
                        case 1 ... 2:
                            sum = 4;
                        break;
                        default:
                            ;
                    }
                again:
                    if (has_remote) {
                        memory may be remote:
                            cache_begin();
                            for (i = 0; i < n; i++)
                                to[i] = cached(a[i]);
                    }
                    else {
                        all memory is local:
                            for (i = 0; i < n; i++)
                                to[i] = a[i];
                    }
                if (to[0])
                    goto again;
                upc_barrier 3;
                return sum;
            }

            ==== prefetch ====
            t:17: not done: the loop's condition reads objects that may change
            ==== accesses that may go to other hosts ====
            t:17: caching: reads from other hosts
                not sections: no access in the loop is worth a copy of a section
                not local-rows: not all accesses of the loop are to rows that stay the same
                read of `a[i]`: cached while its loops run: remote objects are requested together with their neighbours
        "#]],
    );
}

#[test]
fn own_parts_of_arrays_are_gone_over_by_local_pointers() {
    check(
        Language::Upc,
        "\
shared int a[10 * THREADS], b[10 * THREADS];
shared [4] double d[4 * THREADS];
shared [8] int *p;
void f(int n) {
    int i;
    upc_forall (i = 1; i < n; i++; &a[i])
        a[i] = i;
    upc_forall (int j = 0; j <= n; j++; &d[j])
        d[j] += b[j + 1] ? d[j - 1] : -1;
    upc_forall (int j = 0; j < n; j++; &p[j])
        p[j] = !p[j];
}
",
        expect![[r#"
            ==== forall ====
            t:6: own rows of [a], 1 a block
            t:8: own rows of [d], 4 a block, with neighbours
            t:10: own rows of [p], 8 a block, flat
            ---- f
            {
                int i;
                forall scope outer.1;
                if (outer.1 == 0) {
                    index lo.2 = 1;
                    index hi.3 = n;
                    local shared int * own.5 = own(bits(0, &a));
                    index q.4 = ceil_div_threads(lo.2 - MYTHREAD);
                    index end.6 = ceil_div_threads(hi.3 - MYTHREAD);
                    for (; q.4 < end.6; q.4++) {
                        i = (int)((q.4 * THREADS) + MYTHREAD);
                        own.5[q.4] = i;
                    }
                    i = (int)((lo.2 < hi.3) ? hi.3 : lo.2);
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.1 is 0:
                        upc_forall (i = 1; i < n; i++; &a[i])
                            a[i] = i;
                }
                forall scope outer.7;
                if (outer.7 == 0) {
                    index lo.8 = 0;
                    index hi.9 = n + 1;
                    local shared [4] double * own.11 = own(bits(0, &d));
                    index k.12 = ceil_div_threads(floor_div(lo.8, 4) - MYTHREAD);
                    for (; (((k.12 * THREADS) + MYTHREAD) * 4) < hi.9; k.12++) {
                        index first.13 = ((k.12 * THREADS) + MYTHREAD) * 4;
                        index last.14 = (((first.13 + 4) < hi.9) ? (first.13 + 4) : hi.9) - first.13;
                        index q.10 = (lo.8 > first.13) ? (lo.8 - first.13) : 0;
                        local shared [4] double * row.15 = own.11 + ((k.12 * 4) * 1);
                        index inner.17 = (last.14 < 4) ? last.14 : 4;
                        int side.16 = 0;
                        for (; side.16 < 2; side.16++) {
                            index side_end.18 = side.16 ? last.14 : ((1 < last.14) ? 1 : last.14);
                            for (; q.10 < side_end.18; q.10++) {
                                int j = (int)(first.13 + q.10);
                                row.15[q.10] += b[j + 1] ? d[j - 1] : -1;
                            }
                            if (!side.16) {
                                for (; q.10 < inner.17; q.10++) {
                                    int j = (int)(first.13 + q.10);
                                    row.15[q.10] += b[j + 1] ? row.15[q.10 + -1] : -1;
                                }
                            }
                        }
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.7 is 0:
                        upc_forall (int j = 0; j <= n; j++; &d[j])
                            d[j] += b[j + 1] ? d[j - 1] : -1;
                }
                forall scope outer.19;
                if ((outer.19 == 0) && at_origin_blocked(p)) {
                    index lo.20 = 0;
                    index hi.21 = n;
                    local shared [8] int * own.23 = own(p.bits);
                    index q.22 = own_rows(lo.20, 8);
                    index end.24 = own_rows(hi.21, 8);
                    for (; q.22 < end.24; q.22++) {
                        own.23[q.22] = !own.23[q.22];
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.19 is 0:
                        upc_forall (int j = 0; j < n; j++; &p[j])
                            p[j] = !p[j];
                }
            }

            ==== versioning ====
            t:6: not done: no access in the loop needs a locality test
            t:8: for one host and for several
            t:10: not done: no access in the loop needs a locality test
            ---- f
            {
                int i;
                forall scope outer.1;
                if (outer.1 == 0) {
                    index lo.2 = 1;
                    index hi.3 = n;
                    local shared int * own.5 = own(bits(0, &a));
                    index q.4 = ceil_div_threads(lo.2 - MYTHREAD);
                    index end.6 = ceil_div_threads(hi.3 - MYTHREAD);
                    for (; q.4 < end.6; q.4++) {
                        i = (int)((q.4 * THREADS) + MYTHREAD);
                        own.5[q.4] = i;
                    }
                    i = (int)((lo.2 < hi.3) ? hi.3 : lo.2);
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.1 is 0:
                        upc_forall (i = 1; i < n; i++; &a[i])
                            a[i] = i;
                }
                forall scope outer.7;
                if (outer.7 == 0) {
                    if (has_remote) {
                        memory may be remote:
                            index lo.8 = 0;
                            index hi.9 = n + 1;
                            local shared [4] double * own.11 = own(bits(0, &d));
                            index k.12 = ceil_div_threads(floor_div(lo.8, 4) - MYTHREAD);
                            for (; (((k.12 * THREADS) + MYTHREAD) * 4) < hi.9; k.12++) {
                                index first.13 = ((k.12 * THREADS) + MYTHREAD) * 4;
                                index last.14 = (((first.13 + 4) < hi.9) ? (first.13 + 4) : hi.9) - first.13;
                                index q.10 = (lo.8 > first.13) ? (lo.8 - first.13) : 0;
                                local shared [4] double * row.15 = own.11 + ((k.12 * 4) * 1);
                                index inner.17 = (last.14 < 4) ? last.14 : 4;
                                int side.16 = 0;
                                for (; side.16 < 2; side.16++) {
                                    index side_end.18 = side.16 ? last.14 : ((1 < last.14) ? 1 : last.14);
                                    for (; q.10 < side_end.18; q.10++) {
                                        int j = (int)(first.13 + q.10);
                                        row.15[q.10] += b[j + 1] ? d[j - 1] : -1;
                                    }
                                    if (!side.16) {
                                        for (; q.10 < inner.17; q.10++) {
                                            int j = (int)(first.13 + q.10);
                                            row.15[q.10] += b[j + 1] ? row.15[q.10 + -1] : -1;
                                        }
                                    }
                                }
                            }
                    }
                    else {
                        all memory is local:
                            index lo.8 = 0;
                            index hi.9 = n + 1;
                            local shared [4] double * own.11 = own(bits(0, &d));
                            index k.12 = ceil_div_threads(floor_div(lo.8, 4) - MYTHREAD);
                            for (; (((k.12 * THREADS) + MYTHREAD) * 4) < hi.9; k.12++) {
                                index first.13 = ((k.12 * THREADS) + MYTHREAD) * 4;
                                index last.14 = (((first.13 + 4) < hi.9) ? (first.13 + 4) : hi.9) - first.13;
                                index q.10 = (lo.8 > first.13) ? (lo.8 - first.13) : 0;
                                local shared [4] double * row.15 = own.11 + ((k.12 * 4) * 1);
                                index inner.17 = (last.14 < 4) ? last.14 : 4;
                                int side.16 = 0;
                                for (; side.16 < 2; side.16++) {
                                    index side_end.18 = side.16 ? last.14 : ((1 < last.14) ? 1 : last.14);
                                    for (; q.10 < side_end.18; q.10++) {
                                        int j = (int)(first.13 + q.10);
                                        row.15[q.10] += b[j + 1] ? d[j - 1] : -1;
                                    }
                                    if (!side.16) {
                                        for (; q.10 < inner.17; q.10++) {
                                            int j = (int)(first.13 + q.10);
                                            row.15[q.10] += b[j + 1] ? row.15[q.10 + -1] : -1;
                                        }
                                    }
                                }
                            }
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.7 is 0:
                        upc_forall (int j = 0; j <= n; j++; &d[j])
                            d[j] += b[j + 1] ? d[j - 1] : -1;
                }
                forall scope outer.19;
                if ((outer.19 == 0) && at_origin_blocked(p)) {
                    index lo.20 = 0;
                    index hi.21 = n;
                    local shared [8] int * own.23 = own(p.bits);
                    index q.22 = own_rows(lo.20, 8);
                    index end.24 = own_rows(hi.21, 8);
                    for (; q.22 < end.24; q.22++) {
                        own.23[q.22] = !own.23[q.22];
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.19 is 0:
                        upc_forall (int j = 0; j < n; j++; &p[j])
                            p[j] = !p[j];
                }
            }

            ==== sections ====
            t:8: not done: no access in the loop is worth a copy of a section
            ==== caching ====
            t:8: reads from other hosts
            ---- f
            {
                int i;
                forall scope outer.1;
                if (outer.1 == 0) {
                    index lo.2 = 1;
                    index hi.3 = n;
                    local shared int * own.5 = own(bits(0, &a));
                    index q.4 = ceil_div_threads(lo.2 - MYTHREAD);
                    index end.6 = ceil_div_threads(hi.3 - MYTHREAD);
                    for (; q.4 < end.6; q.4++) {
                        i = (int)((q.4 * THREADS) + MYTHREAD);
                        own.5[q.4] = i;
                    }
                    i = (int)((lo.2 < hi.3) ? hi.3 : lo.2);
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.1 is 0:
                        upc_forall (i = 1; i < n; i++; &a[i])
                            a[i] = i;
                }
                forall scope outer.7;
                if (outer.7 == 0) {
                    if (has_remote) {
                        memory may be remote:
                            cache_begin();
                            index lo.8 = 0;
                            index hi.9 = n + 1;
                            local shared [4] double * own.11 = own(bits(0, &d));
                            index k.12 = ceil_div_threads(floor_div(lo.8, 4) - MYTHREAD);
                            for (; (((k.12 * THREADS) + MYTHREAD) * 4) < hi.9; k.12++) {
                                index first.13 = ((k.12 * THREADS) + MYTHREAD) * 4;
                                index last.14 = (((first.13 + 4) < hi.9) ? (first.13 + 4) : hi.9) - first.13;
                                index q.10 = (lo.8 > first.13) ? (lo.8 - first.13) : 0;
                                local shared [4] double * row.15 = own.11 + ((k.12 * 4) * 1);
                                index inner.17 = (last.14 < 4) ? last.14 : 4;
                                int side.16 = 0;
                                for (; side.16 < 2; side.16++) {
                                    index side_end.18 = side.16 ? last.14 : ((1 < last.14) ? 1 : last.14);
                                    for (; q.10 < side_end.18; q.10++) {
                                        int j = (int)(first.13 + q.10);
                                        row.15[q.10] += cached(b[j + 1]) ? cached(d[j - 1]) : -1;
                                    }
                                    if (!side.16) {
                                        for (; q.10 < inner.17; q.10++) {
                                            int j = (int)(first.13 + q.10);
                                            row.15[q.10] += cached(b[j + 1]) ? row.15[q.10 + -1] : -1;
                                        }
                                    }
                                }
                            }
                    }
                    else {
                        all memory is local:
                            index lo.8 = 0;
                            index hi.9 = n + 1;
                            local shared [4] double * own.11 = own(bits(0, &d));
                            index k.12 = ceil_div_threads(floor_div(lo.8, 4) - MYTHREAD);
                            for (; (((k.12 * THREADS) + MYTHREAD) * 4) < hi.9; k.12++) {
                                index first.13 = ((k.12 * THREADS) + MYTHREAD) * 4;
                                index last.14 = (((first.13 + 4) < hi.9) ? (first.13 + 4) : hi.9) - first.13;
                                index q.10 = (lo.8 > first.13) ? (lo.8 - first.13) : 0;
                                local shared [4] double * row.15 = own.11 + ((k.12 * 4) * 1);
                                index inner.17 = (last.14 < 4) ? last.14 : 4;
                                int side.16 = 0;
                                for (; side.16 < 2; side.16++) {
                                    index side_end.18 = side.16 ? last.14 : ((1 < last.14) ? 1 : last.14);
                                    for (; q.10 < side_end.18; q.10++) {
                                        int j = (int)(first.13 + q.10);
                                        row.15[q.10] += b[j + 1] ? d[j - 1] : -1;
                                    }
                                    if (!side.16) {
                                        for (; q.10 < inner.17; q.10++) {
                                            int j = (int)(first.13 + q.10);
                                            row.15[q.10] += b[j + 1] ? row.15[q.10 + -1] : -1;
                                        }
                                    }
                                }
                            }
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.7 is 0:
                        upc_forall (int j = 0; j <= n; j++; &d[j])
                            d[j] += b[j + 1] ? d[j - 1] : -1;
                }
                forall scope outer.19;
                if ((outer.19 == 0) && at_origin_blocked(p)) {
                    index lo.20 = 0;
                    index hi.21 = n;
                    local shared [8] int * own.23 = own(p.bits);
                    index q.22 = own_rows(lo.20, 8);
                    index end.24 = own_rows(hi.21, 8);
                    for (; q.22 < end.24; q.22++) {
                        own.23[q.22] = !own.23[q.22];
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.19 is 0:
                        upc_forall (int j = 0; j < n; j++; &p[j])
                            p[j] = !p[j];
                }
            }

            ==== prefetch ====
            t:8: cached [b]
                not rounds: no inner loop continues by values that it reads
                not stages: stages would prefetch no more reads than the simple form
            t:8: cached [b]
                not rounds: no inner loop continues by values that it reads
                not stages: stages would prefetch no more reads than the simple form
            ---- f
            {
                int i;
                forall scope outer.1;
                if (outer.1 == 0) {
                    index lo.2 = 1;
                    index hi.3 = n;
                    local shared int * own.5 = own(bits(0, &a));
                    index q.4 = ceil_div_threads(lo.2 - MYTHREAD);
                    index end.6 = ceil_div_threads(hi.3 - MYTHREAD);
                    for (; q.4 < end.6; q.4++) {
                        i = (int)((q.4 * THREADS) + MYTHREAD);
                        own.5[q.4] = i;
                    }
                    i = (int)((lo.2 < hi.3) ? hi.3 : lo.2);
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.1 is 0:
                        upc_forall (i = 1; i < n; i++; &a[i])
                            a[i] = i;
                }
                forall scope outer.7;
                if (outer.7 == 0) {
                    if (has_remote) {
                        memory may be remote:
                            cache_begin();
                            index lo.8 = 0;
                            index hi.9 = n + 1;
                            local shared [4] double * own.11 = own(bits(0, &d));
                            index k.12 = ceil_div_threads(floor_div(lo.8, 4) - MYTHREAD);
                            for (; (((k.12 * THREADS) + MYTHREAD) * 4) < hi.9; k.12++) {
                                index first.13 = ((k.12 * THREADS) + MYTHREAD) * 4;
                                index last.14 = (((first.13 + 4) < hi.9) ? (first.13 + 4) : hi.9) - first.13;
                                index q.10 = (lo.8 > first.13) ? (lo.8 - first.13) : 0;
                                local shared [4] double * row.15 = own.11 + ((k.12 * 4) * 1);
                                index inner.17 = (last.14 < 4) ? last.14 : 4;
                                int side.16 = 0;
                                for (; side.16 < 2; side.16++) {
                                    index side_end.18 = side.16 ? last.14 : ((1 < last.14) ? 1 : last.14);
                                    int waiting.25 = 0;
                                    int fetched.26 = cache_cold;
                                    int met.27;
                                    unsigned n.28;
                                    unsigned m.29;
                                    typeof(q.10) from.30;
                                    for (; q.10 < side_end.18; ) {
                                        met.27 = 0;
                                        n.28 = 0;
                                        if (fetched.26) {
                                            from.30 = q.10;
                                            cache_part();
                                            for (; (n.28 < cache_depth) && (q.10 < side_end.18); n.28++, q.10++) {
                                                int j = (int)(first.13 + q.10);
                                                if (cache_part_full()) break;
                                                ask for cached(b[j + 1]), counted by waiting.25;
                                            }
                                            wait for waiting.25;
                                            q.10 = from.30;
                                        }
                                        m.29 = 0;
                                        for (; fetched.26 ? (m.29 < n.28) : ((!met.27 && (m.29 < prefetch_pause)) && (q.10 < side_end.18)); m.29++, q.10++) {
                                            int j = (int)(first.13 + q.10);
                                            row.15[q.10] += cached(b[j + 1]) ? cached(d[j - 1]) : -1;
                                        }
                                        fetched.26 = met.27;
                                    }
                                    if (!side.16) {
                                        int waiting.32 = 0;
                                        int fetched.33 = cache_cold;
                                        int met.34;
                                        unsigned n.35;
                                        unsigned m.36;
                                        typeof(q.10) from.37;
                                        for (; q.10 < inner.17; ) {
                                            met.34 = 0;
                                            n.35 = 0;
                                            if (fetched.33) {
                                                from.37 = q.10;
                                                cache_part();
                                                for (; (n.35 < cache_depth) && (q.10 < inner.17); n.35++, q.10++) {
                                                    int j = (int)(first.13 + q.10);
                                                    if (cache_part_full()) break;
                                                    ask for cached(b[j + 1]), counted by waiting.32;
                                                }
                                                wait for waiting.32;
                                                q.10 = from.37;
                                            }
                                            m.36 = 0;
                                            for (; fetched.33 ? (m.36 < n.35) : ((!met.34 && (m.36 < prefetch_pause)) && (q.10 < inner.17)); m.36++, q.10++) {
                                                int j = (int)(first.13 + q.10);
                                                row.15[q.10] += cached(b[j + 1]) ? row.15[q.10 + -1] : -1;
                                            }
                                            fetched.33 = met.34;
                                        }
                                    }
                                }
                            }
                    }
                    else {
                        all memory is local:
                            index lo.8 = 0;
                            index hi.9 = n + 1;
                            local shared [4] double * own.11 = own(bits(0, &d));
                            index k.12 = ceil_div_threads(floor_div(lo.8, 4) - MYTHREAD);
                            for (; (((k.12 * THREADS) + MYTHREAD) * 4) < hi.9; k.12++) {
                                index first.13 = ((k.12 * THREADS) + MYTHREAD) * 4;
                                index last.14 = (((first.13 + 4) < hi.9) ? (first.13 + 4) : hi.9) - first.13;
                                index q.10 = (lo.8 > first.13) ? (lo.8 - first.13) : 0;
                                local shared [4] double * row.15 = own.11 + ((k.12 * 4) * 1);
                                index inner.17 = (last.14 < 4) ? last.14 : 4;
                                int side.16 = 0;
                                for (; side.16 < 2; side.16++) {
                                    index side_end.18 = side.16 ? last.14 : ((1 < last.14) ? 1 : last.14);
                                    for (; q.10 < side_end.18; q.10++) {
                                        int j = (int)(first.13 + q.10);
                                        row.15[q.10] += b[j + 1] ? d[j - 1] : -1;
                                    }
                                    if (!side.16) {
                                        for (; q.10 < inner.17; q.10++) {
                                            int j = (int)(first.13 + q.10);
                                            row.15[q.10] += b[j + 1] ? row.15[q.10 + -1] : -1;
                                        }
                                    }
                                }
                            }
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.7 is 0:
                        upc_forall (int j = 0; j <= n; j++; &d[j])
                            d[j] += b[j + 1] ? d[j - 1] : -1;
                }
                forall scope outer.19;
                if ((outer.19 == 0) && at_origin_blocked(p)) {
                    index lo.20 = 0;
                    index hi.21 = n;
                    local shared [8] int * own.23 = own(p.bits);
                    index q.22 = own_rows(lo.20, 8);
                    index end.24 = own_rows(hi.21, 8);
                    for (; q.22 < end.24; q.22++) {
                        own.23[q.22] = !own.23[q.22];
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.19 is 0:
                        upc_forall (int j = 0; j < n; j++; &p[j])
                            p[j] = !p[j];
                }
            }

            ==== accumulate ====
            t:8: updates by the owner: 1
            ---- f
            {
                int i;
                forall scope outer.1;
                if (outer.1 == 0) {
                    index lo.2 = 1;
                    index hi.3 = n;
                    local shared int * own.5 = own(bits(0, &a));
                    index q.4 = ceil_div_threads(lo.2 - MYTHREAD);
                    index end.6 = ceil_div_threads(hi.3 - MYTHREAD);
                    for (; q.4 < end.6; q.4++) {
                        i = (int)((q.4 * THREADS) + MYTHREAD);
                        own.5[q.4] = i;
                    }
                    i = (int)((lo.2 < hi.3) ? hi.3 : lo.2);
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.1 is 0:
                        upc_forall (i = 1; i < n; i++; &a[i])
                            a[i] = i;
                }
                forall scope outer.7;
                if (outer.7 == 0) {
                    if (has_remote) {
                        memory may be remote:
                            cache_begin();
                            index lo.8 = 0;
                            index hi.9 = n + 1;
                            local shared [4] double * own.11 = own(bits(0, &d));
                            index k.12 = ceil_div_threads(floor_div(lo.8, 4) - MYTHREAD);
                            for (; (((k.12 * THREADS) + MYTHREAD) * 4) < hi.9; k.12++) {
                                index first.13 = ((k.12 * THREADS) + MYTHREAD) * 4;
                                index last.14 = (((first.13 + 4) < hi.9) ? (first.13 + 4) : hi.9) - first.13;
                                index q.10 = (lo.8 > first.13) ? (lo.8 - first.13) : 0;
                                local shared [4] double * row.15 = own.11 + ((k.12 * 4) * 1);
                                index inner.17 = (last.14 < 4) ? last.14 : 4;
                                int side.16 = 0;
                                for (; side.16 < 2; side.16++) {
                                    index side_end.18 = side.16 ? last.14 : ((1 < last.14) ? 1 : last.14);
                                    int waiting.25 = 0;
                                    int fetched.26 = cache_cold;
                                    int met.27;
                                    unsigned n.28;
                                    unsigned m.29;
                                    typeof(q.10) from.30;
                                    for (; q.10 < side_end.18; ) {
                                        met.27 = 0;
                                        n.28 = 0;
                                        if (fetched.26) {
                                            from.30 = q.10;
                                            cache_part();
                                            for (; (n.28 < cache_depth) && (q.10 < side_end.18); n.28++, q.10++) {
                                                int j = (int)(first.13 + q.10);
                                                if (cache_part_full()) break;
                                                ask for cached(b[j + 1]), counted by waiting.25;
                                            }
                                            wait for waiting.25;
                                            q.10 = from.30;
                                        }
                                        m.29 = 0;
                                        for (; fetched.26 ? (m.29 < n.28) : ((!met.27 && (m.29 < prefetch_pause)) && (q.10 < side_end.18)); m.29++, q.10++) {
                                            int j = (int)(first.13 + q.10);
                                            row.15[q.10] += cached(b[j + 1]) ? cached(d[j - 1]) : -1;
                                        }
                                        fetched.26 = met.27;
                                    }
                                    if (!side.16) {
                                        int waiting.32 = 0;
                                        int fetched.33 = cache_cold;
                                        int met.34;
                                        unsigned n.35;
                                        unsigned m.36;
                                        typeof(q.10) from.37;
                                        for (; q.10 < inner.17; ) {
                                            met.34 = 0;
                                            n.35 = 0;
                                            if (fetched.33) {
                                                from.37 = q.10;
                                                cache_part();
                                                for (; (n.35 < cache_depth) && (q.10 < inner.17); n.35++, q.10++) {
                                                    int j = (int)(first.13 + q.10);
                                                    if (cache_part_full()) break;
                                                    ask for cached(b[j + 1]), counted by waiting.32;
                                                }
                                                wait for waiting.32;
                                                q.10 = from.37;
                                            }
                                            m.36 = 0;
                                            for (; fetched.33 ? (m.36 < n.35) : ((!met.34 && (m.36 < prefetch_pause)) && (q.10 < inner.17)); m.36++, q.10++) {
                                                int j = (int)(first.13 + q.10);
                                                row.15[q.10] += cached(b[j + 1]) ? row.15[q.10 + -1] : -1;
                                            }
                                            fetched.33 = met.34;
                                        }
                                    }
                                }
                            }
                    }
                    else {
                        all memory is local:
                            index lo.8 = 0;
                            index hi.9 = n + 1;
                            local shared [4] double * own.11 = own(bits(0, &d));
                            index k.12 = ceil_div_threads(floor_div(lo.8, 4) - MYTHREAD);
                            for (; (((k.12 * THREADS) + MYTHREAD) * 4) < hi.9; k.12++) {
                                index first.13 = ((k.12 * THREADS) + MYTHREAD) * 4;
                                index last.14 = (((first.13 + 4) < hi.9) ? (first.13 + 4) : hi.9) - first.13;
                                index q.10 = (lo.8 > first.13) ? (lo.8 - first.13) : 0;
                                local shared [4] double * row.15 = own.11 + ((k.12 * 4) * 1);
                                index inner.17 = (last.14 < 4) ? last.14 : 4;
                                int side.16 = 0;
                                for (; side.16 < 2; side.16++) {
                                    index side_end.18 = side.16 ? last.14 : ((1 < last.14) ? 1 : last.14);
                                    for (; q.10 < side_end.18; q.10++) {
                                        int j = (int)(first.13 + q.10);
                                        row.15[q.10] += b[j + 1] ? d[j - 1] : -1;
                                    }
                                    if (!side.16) {
                                        for (; q.10 < inner.17; q.10++) {
                                            int j = (int)(first.13 + q.10);
                                            row.15[q.10] += b[j + 1] ? row.15[q.10 + -1] : -1;
                                        }
                                    }
                                }
                            }
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.7 is 0:
                        upc_forall (int j = 0; j <= n; j++; &d[j])
                            accumulated(d[j]) += b[j + 1] ? d[j - 1] : -1;
                }
                forall scope outer.19;
                if ((outer.19 == 0) && at_origin_blocked(p)) {
                    index lo.20 = 0;
                    index hi.21 = n;
                    local shared [8] int * own.23 = own(p.bits);
                    index q.22 = own_rows(lo.20, 8);
                    index end.24 = own_rows(hi.21, 8);
                    for (; q.22 < end.24; q.22++) {
                        own.23[q.22] = !own.23[q.22];
                    }
                }
                else {
                    memory may be remote:
                        all iterations, own ones alone if outer.19 is 0:
                        upc_forall (int j = 0; j < n; j++; &p[j])
                            p[j] = !p[j];
                }
            }

            ==== accesses that may go to other hosts ====
            t:8: caching: reads from other hosts; prefetch: cached [b]
                not sections: no access in the loop is worth a copy of a section
                not rounds: no inner loop continues by values that it reads
                not stages: stages would prefetch no more reads than the simple form
                update of `d[j]`: privatised: by a local pointer
                read of `b[j + 1]`: cached while its loops run: remote objects are requested together with their neighbours
                read of `d[j - 1]`: privatised: by a local pointer inside of blocks; at their borders cached while its loops run: remote objects are requested together with their neighbours
        "#]],
    );
}

#[test]
fn reads_in_advance_are_started_and_waited_for() {
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
            ==== versioning ====
            t:5: for one host and for several
            t:7: for one host and for several
            ---- f
            {
                long sum = 0;
                if (has_remote) {
                    memory may be remote:
                        for (int i = 0; i < n; i++)
                            sum += a[at[i]] * one;
                }
                else {
                    all memory is local:
                        for (int i = 0; i < n; i++)
                            sum += a[at[i]] * one;
                }
                if (has_remote) {
                    memory may be remote:
                        for (int i = 0; i < n; i++)
                            {
                                sum += a[k[i]];
                                k[i + 1] = 3;
                            }
                }
                else {
                    all memory is local:
                        for (int i = 0; i < n; i++)
                            {
                                sum += a[k[i]];
                                k[i + 1] = 3;
                            }
                }
                return sum;
            }

            ==== sections ====
            t:5: not done: no access in the loop is worth a copy of a section
            t:7: not done: no access in the loop is worth a copy of a section
            ==== local-rows ====
            t:5: not done: not all accesses of the loop are to rows that stay the same
            t:7: not done: not all accesses of the loop are to rows that stay the same
            ==== caching ====
            t:5: reads from other hosts
            t:7: not done: no read in the loop is worth a cache
            ---- f
            {
                long sum = 0;
                if (has_remote) {
                    memory may be remote:
                        cache_begin();
                        for (int i = 0; i < n; i++)
                            sum += a[cached(at[i])] * one;
                }
                else {
                    all memory is local:
                        for (int i = 0; i < n; i++)
                            sum += a[at[i]] * one;
                }
                if (has_remote) {
                    memory may be remote:
                        for (int i = 0; i < n; i++)
                            {
                                sum += a[k[i]];
                                k[i + 1] = 3;
                            }
                }
                else {
                    all memory is local:
                        for (int i = 0; i < n; i++)
                            {
                                sum += a[k[i]];
                                k[i + 1] = 3;
                            }
                }
                return sum;
            }

            ==== prefetch ====
            t:5: [a], once [one], held [at]
                not rounds: no inner loop continues by values that it reads
                not stages: stages would prefetch no more reads than the simple form
            t:7: [a], up to written objects
                not rounds: no inner loop continues by values that it reads
                not stages: stages would prefetch no more reads than the simple form
            ---- f
            {
                long sum = 0;
                if (has_remote) {
                    memory may be remote:
                        cache_begin();
                        int i = 0;
                        int waiting.1 = 0;
                        int fetched.2 = 1;
                        int met.3;
                        unsigned n.5;
                        unsigned m.6;
                        typeof(i) from.7;
                        shared int once.11;
                        buffer of shared int buffer.8;
                        buffer of shared int buffer.9;
                        unsigned ready.4;
                        for (; i < n; ) {
                            once.11 = one;
                            met.3 = 0;
                            n.5 = 0;
                            if (fetched.2) {
                                from.7 = i;
                                ready.4 = 0;
                                for (; (ready.4 < prefetch_depth) && i < n; ready.4++, i++) {
                                    hold buffer.8[ready.4] := cached(at[i]), counted by waiting.1;
                                }
                                wait for waiting.1;
                                i = from.7;
                                for (; (n.5 < ready.4) && i < n; n.5++, i++) {
                                    hold buffer.9[n.5] := a[held(at[i], buffer.8[n.5])], counted by waiting.1;
                                }
                                wait for waiting.1;
                                i = from.7;
                            }
                            m.6 = 0;
                            for (; fetched.2 ? (m.6 < n.5) : ((!met.3 && (m.6 < prefetch_pause)) && i < n); m.6++, i++) {
                                sum += staged(a[held(at[i], buffer.8[m.6])], buffer.9[m.6]) * once.11;
                            }
                            fetched.2 = met.3;
                        }
                }
                else {
                    all memory is local:
                        for (int i = 0; i < n; i++)
                            sum += a[at[i]] * one;
                }
                if (has_remote) {
                    memory may be remote:
                        int i = 0;
                        counts waiting.16;
                        int now.17 = 1;
                        int next.18 = 0;
                        int fetched.19;
                        int met.20 = 1;
                        unsigned first.13 = 0;
                        unsigned last.14 = 0;
                        unsigned begin.15;
                        unsigned n.21;
                        unsigned m.22;
                        typeof(i) from.23;
                        typeof(i) front.12 = i;
                        buffer of shared int buffer.24;
                        extent before.26 = extent_none;
                        extent written.25 = extent_none;
                        for (; (first.13 < last.14) || i < n; ) {
                            begin.15 = next.18 ? prefetch_depth : 0;
                            n.21 = begin.15;
                            if (met.20) {
                                from.23 = i;
                                if (!(first.13 < last.14)) {
                                    front.12 = from.23;
                                }
                                i = front.12;
                                met.20 = 0;
                                fetched.19 = 1;
                                extent_next(&before.26, &written.25, first.13 < last.14);
                                for (; (n.21 < (begin.15 + prefetch_depth)) && i < n; n.21++, i++) {
                                    if (extent_meets(&written.25, &k[i], sizeof(int))) break;
                                    if (extent_meets(&before.26, &k[i], sizeof(int))) break;
                                    extent_add(&written.25, &k[i + 1], sizeof(int));
                                    start buffer.24[n.21] := a[k[i]], counted by waiting.16[next.18];
                                }
                                front.12 = i;
                                i = from.23;
                                if (!met.20) {
                                    n.21 = begin.15;
                                }
                                else {
                                    if (n.21 == begin.15) {
                                        met.20 = first.13 < last.14;
                                    }
                                }
                            }
                            wait for waiting.16[now.17];
                            fetched.19 = first.13 < last.14;
                            m.22 = fetched.19 ? first.13 : 0;
                            for (; fetched.19 ? (m.22 < last.14) : ((!met.20 && (m.22 < prefetch_pause)) && i < n); m.22++, i++) {
                                {
                                    sum += prefetched(a[k[i]], buffer.24[m.22]);
                                    k[i + 1] = 3;
                                }
                            }
                            first.13 = begin.15;
                            last.14 = n.21;
                            now.17 = next.18;
                            next.18 = !now.17;
                        }
                }
                else {
                    all memory is local:
                        for (int i = 0; i < n; i++)
                            {
                                sum += a[k[i]];
                                k[i + 1] = 3;
                            }
                }
                return sum;
            }

            ==== accesses that may go to other hosts ====
            t:5: caching: reads from other hosts; prefetch: [a], once [one], held [at]
                not sections: no access in the loop is worth a copy of a section
                not local-rows: not all accesses of the loop are to rows that stay the same
                not rounds: no inner loop continues by values that it reads
                not stages: stages would prefetch no more reads than the simple form
                read of `a[at[i]]`: prefetched: the reads of many iterations are under way at a time
                read of `at[i]`: prefetched, before the reads whose addresses depend on its value
                read of `one`: read once for many iterations
            t:7: prefetch: [a], up to written objects
                not sections: no access in the loop is worth a copy of a section
                not local-rows: not all accesses of the loop are to rows that stay the same
                not caching: no read in the loop is worth a cache
                not rounds: no inner loop continues by values that it reads
                not stages: stages would prefetch no more reads than the simple form
                read of `a[k[i]]`: prefetched: the reads of many iterations are under way at a time
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
    for (p = a + MYTHREAD; p < a + n; p += THREADS)
        *p = sum;
    for (int i = MYTHREAD; i < n; i += THREADS)
        a[i]++;
    return sum;
}
",
        expect![[r#"
            ==== strided ====
            t:9: own rows of [a], counted
            ---- f
            {
                int sum = 0;
                shared int *p = a;
                for (int i = 0; i < n; i++, p++)
                    sum += *p;
                for (p = a + MYTHREAD; p < a + n; p += THREADS)
                    *p = sum;
                local shared int * own.2 = own(bits(0, &a));
                index q.1 = 0;
                index end.3 = ceil_div_threads(n - MYTHREAD);
                for (; q.1 < end.3; q.1++) {
                    own.2[q.1]++;
                }
                return sum;
            }

            ==== versioning ====
            t:5: for one host and for several
            t:7: for one host and for several
            t:9: not done: no access in the loop needs a locality test
            ---- f
            {
                int sum = 0;
                shared int *p = a;
                if (has_remote) {
                    memory may be remote:
                        for (int i = 0; i < n; i++, p++)
                            sum += *p;
                }
                else {
                    all memory is local:
                        for (int i = 0; i < n; i++, p++)
                            sum += *p;
                }
                if (has_remote) {
                    memory may be remote:
                        for (p = a + MYTHREAD; p < a + n; p += THREADS)
                            *p = sum;
                }
                else {
                    all memory is local:
                        for (p = a + MYTHREAD; p < a + n; p += THREADS)
                            *p = sum;
                }
                local shared int * own.2 = own(bits(0, &a));
                index q.1 = 0;
                index end.3 = ceil_div_threads(n - MYTHREAD);
                for (; q.1 < end.3; q.1++) {
                    own.2[q.1]++;
                }
                return sum;
            }

            ==== sections ====
            t:5: not done: no access in the loop is worth a copy of a section
            t:7: not done: no access in the loop is worth a copy of a section
            ==== local-rows ====
            t:5: not done: not all accesses of the loop are to rows that stay the same
            t:7: not done: not all accesses of the loop are to rows that stay the same
            ==== caching ====
            t:5: not done: the loop is not known to end by counting
            t:7: not done: no read in the loop is worth a cache
            ==== prefetch ====
            t:5: not done: the loop's step has an unknown form
            t:7: not done: no iteration is sure to read shared memory
                not rounds: no inner loop continues by values that it reads
                not stages: stages would prefetch no more reads than the simple form
            ==== induction ====
            t:7: not done: the loop's pointers are used for more than accesses and steps
            ==== accumulate ====
            t:9: updates by the owner: 1
            ==== accesses that may go to other hosts ====
            t:5: each access by itself
                not sections: no access in the loop is worth a copy of a section
                not local-rows: not all accesses of the loop are to rows that stay the same
                not caching: the loop is not known to end by counting
                not prefetch: the loop's step has an unknown form
                read of `*p`: fine-grained: the loop's step has an unknown form
            t:7: each access by itself
                not sections: no access in the loop is worth a copy of a section
                not local-rows: not all accesses of the loop are to rows that stay the same
                not caching: no read in the loop is worth a cache
                not rounds: no inner loop continues by values that it reads
                not stages: stages would prefetch no more reads than the simple form
                not prefetch: no iteration is sure to read shared memory
                write to `*p`: fine-grained: a message of its own, which the thread does not wait for
        "#]],
    );
}

#[test]
fn loops_go_a_processor_at_a_time() {
    check(
        Language::SplitC,
        "\
int a[100]::, b[100]::;
int f(int n) {
    int i, s = 0, *p;
    for (i = 0; i < n; i++)
        s += a[i];
    for (i = MYPROC; i < n; i += PROCS)
        b[i] = a[i];
    while (n--)
        a[n] = 1;
    return s;
}
",
        expect![[r#"
            ==== strip-mining ====
            t:4: [a], with reductions
            t:6: [b a], one processor's
            t:8: not done: the loop traverses no elements of an array
            ---- f
            {
                int i, s = 0, *p;
                i = 0;
                index lo.2 = i;
                index n.3 = n - lo.2;
                pointer-to-shared start.1 = add_cyclic(element_cyclic(&a, 0, sizeof(int)), lo.2, sizeof(int));
                if (((n.3 >= (4 * THREADS)) && !has_remote) && !remote_global(start.1.bits)) {
                    all memory is local:
                        index j.4 = 0;
                        for (; j.4 < THREADS; j.4++) {
                            index end.6 = ceil_div_threads(n.3 - j.4);
                            local int * row.7 = at(add_cyclic(start.1, j.4, sizeof(int)).bits);
                            index q.5 = 0;
                            for (; q.5 < end.6; q.5++) {
                                reduction(s += row.7[q.5]);
                            }
                        }
                    i = (int)(lo.2 + n.3);
                }
                else {
                    without its first clause:
                    for (i = 0; i < n; i++)
                        s += a[i];
                }
                i = MYPROC;
                index lo.10 = i;
                index n.11 = ceil_div_threads(n - lo.10);
                pointer-to-shared start.8 = add_cyclic(element_cyclic(&b, 0, sizeof(int)), lo.10, sizeof(int));
                pointer-to-shared start.9 = add_cyclic(element_cyclic(&a, 0, sizeof(int)), lo.10, sizeof(int));
                if (((n.11 > 0) && (!remote_global(start.8.bits) || mine_pointer(start.8.bits))) && (!remote_global(start.9.bits) || mine_pointer(start.9.bits))) {
                    index end.14 = n.11;
                    local int * row.15 = at(start.8.bits);
                    local int * row.16 = at(start.9.bits);
                    index q.13 = 0;
                    for (; q.13 < end.14; q.13++) {
                        row.15[q.13] = row.16[q.13];
                    }
                    i = (int)(lo.10 + (n.11 * THREADS));
                }
                else {
                    without its first clause:
                    for (i = MYPROC; i < n; i += PROCS)
                        b[i] = a[i];
                }
                while (n--)
                    a[n] = 1;
                return s;
            }

            ==== versioning ====
            t:8: for one host and for several
            ---- f
            {
                int i, s = 0, *p;
                i = 0;
                index lo.2 = i;
                index n.3 = n - lo.2;
                pointer-to-shared start.1 = add_cyclic(element_cyclic(&a, 0, sizeof(int)), lo.2, sizeof(int));
                if (((n.3 >= (4 * THREADS)) && !has_remote) && !remote_global(start.1.bits)) {
                    all memory is local:
                        index j.4 = 0;
                        for (; j.4 < THREADS; j.4++) {
                            index end.6 = ceil_div_threads(n.3 - j.4);
                            local int * row.7 = at(add_cyclic(start.1, j.4, sizeof(int)).bits);
                            index q.5 = 0;
                            for (; q.5 < end.6; q.5++) {
                                reduction(s += row.7[q.5]);
                            }
                        }
                    i = (int)(lo.2 + n.3);
                }
                else {
                    without its first clause:
                    for (i = 0; i < n; i++)
                        s += a[i];
                }
                i = MYPROC;
                index lo.10 = i;
                index n.11 = ceil_div_threads(n - lo.10);
                pointer-to-shared start.8 = add_cyclic(element_cyclic(&b, 0, sizeof(int)), lo.10, sizeof(int));
                pointer-to-shared start.9 = add_cyclic(element_cyclic(&a, 0, sizeof(int)), lo.10, sizeof(int));
                if (((n.11 > 0) && (!remote_global(start.8.bits) || mine_pointer(start.8.bits))) && (!remote_global(start.9.bits) || mine_pointer(start.9.bits))) {
                    index end.14 = n.11;
                    local int * row.15 = at(start.8.bits);
                    local int * row.16 = at(start.9.bits);
                    index q.13 = 0;
                    for (; q.13 < end.14; q.13++) {
                        row.15[q.13] = row.16[q.13];
                    }
                    i = (int)(lo.10 + (n.11 * THREADS));
                }
                else {
                    without its first clause:
                    for (i = MYPROC; i < n; i += PROCS)
                        b[i] = a[i];
                }
                if (has_remote) {
                    memory may be remote:
                        while (n--)
                            a[n] = 1;
                }
                else {
                    all memory is local:
                        while (n--)
                            a[n] = 1;
                }
                return s;
            }

        "#]],
    );
}

#[test]
fn stores_are_counted() {
    check(
        Language::SplitC,
        "\
double wide[100]::;
void f(int n) {
    int i;
    for (i = MYPROC; i < n; i += PROCS)
        wide[i] :- i / 2.0;
}
",
        expect![[r#"
            ==== store-counting ====
            t:4: stores of 8 bytes
            ---- f
            {
                int i;
                if (counts_stores) {
                    store counts stores.1, 8 bytes each;
                    for (i = MYPROC; i < n; i += PROCS)
                        counted(wide[i] :- i / 2.0, stores.1);
                }
                else {
                    for (i = MYPROC; i < n; i += PROCS)
                        uncounted(wide[i] :- i / 2.0);
                }
            }

            ==== strip-mining ====
            t:4: not done: the loop traverses no elements of an array
            t:4: not done: the loop traverses no elements of an array
            ==== strided ====
            t:4: own rows of [wide], counted
            t:4: own rows of [wide], counted
            ---- f
            {
                int i;
                if (counts_stores) {
                    store counts stores.1, 8 bytes each;
                    local double * own.3 = own(bits(0, &wide));
                    index q.2 = 0;
                    index end.4 = ceil_div_threads(n - MYTHREAD);
                    for (; q.2 < end.4; q.2++) {
                        int i = (int)((q.2 * THREADS) + MYTHREAD);
                        counted(own.3[q.2] :- i / 2.0, stores.1);
                    }
                    i = (int)((((end.4 > 0) ? end.4 : 0) * THREADS) + MYTHREAD);
                }
                else {
                    local double * own.6 = own(bits(0, &wide));
                    index q.5 = 0;
                    index end.7 = ceil_div_threads(n - MYTHREAD);
                    for (; q.5 < end.7; q.5++) {
                        int i = (int)((q.5 * THREADS) + MYTHREAD);
                        uncounted(own.6[q.5] :- i / 2.0);
                    }
                    i = (int)((((end.7 > 0) ? end.7 : 0) * THREADS) + MYTHREAD);
                }
            }

            ==== versioning ====
            t:4: not done: no access in the loop needs a locality test
            t:4: not done: no access in the loop needs a locality test
        "#]],
    );
}
