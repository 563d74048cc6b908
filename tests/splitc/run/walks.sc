//: clause array 10
/* Walks over spread arrays in the forms that are run a processor at a time, and in similar forms
 * whose iterations depend on each other; each against the same sum or array formed element by
 * element.
 */
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check.h"

#define N 57 /* elements, no multiple of the processors */
#define PER 64

struct cell {
    short key;
    double weight;
};
static int a[PER * PROCS]::, b[PER * PROCS]::, single[3]::;
static long wide[PER * PROCS]::;
static unsigned char bytes[PER * PROCS]::;
static struct cell cells[PER * PROCS]::;
static int rows[PROCS]::[PER];

/* One element, by a call that no plan sees through. */
__attribute__((noinline)) static int at(int *spread p, long k) { return *(p + k); }
__attribute__((noinline)) static long sum_of(int *spread p, long n) {
    long s = 0;
    for (long k = 0; k < n; k++)
        s += at(p, k);
    return s;
}

static void fill(void) {
    barrier();
    int i;
    for_my_1d(i, PER *PROCS) {
        a[i] = i * 7 - 40;
        b[i] = -i;
        wide[i] = 1L << 40 | i;
        bytes[i] = (unsigned char)(i * 11);
        cells[i].key = (short)(i - 9);
        cells[i].weight = i * 0.5;
    }
    CHECK(i >= PER * PROCS && i < (PER + 1) * PROCS);
    for_my_1d(i, PROCS) for (int k = 0; k < PER; k++) rows[i][k] = i * 100 + k;
    barrier();
}

static void sums(int *spread p, int *spread end) {
    long n = end - p, expect = sum_of(p, n);
    int s = 0, i, count = 0;
    int *spread q = p;
    for (i = 0; i < n; i++)
        s += *q++;
    CHECK(s == expect && q == end && i == n);
    s = 5;
    for (q = p; q < end; q++)
        s -= *q, count++;
    CHECK(s == 5 - expect && q == end && count == n);
    s = 0;
    for (q = p; q != end; ++q)
        s = s + *q;
    CHECK(s == expect && q == end);
    s = 0;
    for (i = 0; i <= n - 1; i += 1)
        s += p[i];
    CHECK(s == expect && i == n);
    int left = (int)n;
    for (q = p, s = 0; left--; )
        s += *q++;
    CHECK(s == expect && q == end && left == -1);
    left = (int)n;
    q = p;
    s = 0;
    while (left-- > 0)
        s += *q++;
    CHECK(s == expect && q == end && left == -1);
    q = p;
    s = 0;
    while (q < end)
        s += *q++;
    CHECK(s == expect && q == end);
    for (left = (int)n, q = p, s = 0; left > 0; left--)
        s += *q++;
    CHECK(s == expect && q == end && left == 0);
    s = 0;
    for (q = p; q < end; q++) {
        int v = *q;
        if (v > 0)
            s += *q;
        else
            count--;
    }
    for (i = 0; i < n; i++) {
        s -= at(p, i) > 0 ? at(p, i) : 0;
        count -= at(p, i) > 0;
    }
    CHECK(s == 0 && count == 0);
}

static void types(void) {
    unsigned long x = 0, y = 0, product = 1, expect = 1;
    int own[N], ones = -1, all = 0;
    double total = 0, straight = 0;
    for (int i = 0; i < N; i++)
        own[i] = 3 * i;
    for (int i = 0; i < N; i++)
        x ^= wide[i] + own[i];
    for (int i = 0; i < N; i++)
        y ^= (unsigned long)(1L << 40 | i) + 3 * i;
    CHECK(x == y);
    for (unsigned i = 0; i < N; i++)
        product *= bytes[i] | 1;
    for (int i = 0; i < N; i++)
        expect *= (i * 11 & 255) | 1;
    CHECK(product == expect);
    for (int i = 0; i < N; i++)
        ones &= bytes[i] | 0x700, all |= bytes[i];
    CHECK(ones == 0x700 && all == 255);
    for (int i = 0; i < N; i++)
        total += cells[i].weight * cells[i].key;
    for (int i = 0; i < N; i++)
        straight += i * 0.5 * (short)(i - 9);
    CHECK(total == straight);
    int most = -1000, least = 1000, other = -1000, chosen = -1000, found = 0, *spread v = b + 3;
    for (int i = 0; i < N; i++)
        if (v[i] < least)
            least = v[i];
    for (int i = 0; i < N; i++) {
        if (most <= a[i]) {
            most = a[i];
        }
    }
    for (int i = 0; i < N; i++)
        chosen = a[i] > chosen ? a[i] : chosen;
    CHECK(least == -(N + 2) && most == 7 * (N - 1) - 40 && chosen == most);
    /* the last of several, and a value that is not the compared one: these depend on the order */
    for (int i = 0; i < N; i++)
        if (bytes[i] % 2 > other % 2)
            other = bytes[i], found++;
    CHECK(other == 11 && found == 1);
    most = 0;
    for (int i = 0; i < N; i++)
        if (a[i] > most)
            most = b[i];
    CHECK(most == -(N - 1));
    /* Sums that pass the largest int on the way in any other order. */
    int up = 2000000000, *spread p = a;
    for (int i = 0; i < N; i++)
        up += i % 2 ? 100000000 + 0 * p[i] : -100000000 - 0 * p[i];
    CHECK(up == 1900000000);
}

static void stores(void) {
    fill();
    if (MYPROC == PROCS - 1) {
        int *spread p = a;
        for (int i = 0; i < N; i++)
            *p++ = i * i;
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
        for (int i = 0; i < N; i++)
            b[i] += 2 * a[i];
        for (int i = 2; i < N; i++)
            wide[i]++;
        for (int i = 0; i < N; i++)
            cells[i].key = (short)(a[i] & 0xff);
    }
    barrier();
    for (int k = 0; k < N; k++) {
        CHECK(at(a, k) == k * k && at(b, k) == 3 * k * k + 1 && cells[k].key == (k * k & 0xff));
        CHECK(wide[k] == (1L << 40 | k) + (k >= 2));
    }
}

/* Loops whose order may not change. */
static void dependent(void) {
    fill();
    if (MYPROC == 0) {
        for (int i = 0; i < N - 1; i++)
            a[i + 1] = a[i] + 1;
        int *spread p = b, *spread q = b + 1;
        for (int i = 0; i < N - 1; i++)
            *q++ = *p++ + 2;
        int last = 0, seen = 0, *spread r = a;
        for (int i = 0; i < N; i++) {
            last = r[i];
            seen += last;
        }
        CHECK(last == a[N - 1]);
        long weighted = 0, expect = 0;
        for (int i = 0; i < N; i++)
            weighted = 2 * weighted % 1000003 + r[i];
        for (int i = 0; i < N; i++)
            expect = 2 * expect % 1000003 + at(a, i);
        CHECK(weighted == expect);
        int first = -1;
        for (int i = 0; i < N; i++)
            if (r[i] >= 0) {
                first = i;
                break;
            }
        CHECK(first == 40);
        for (int i = 0; i < N; i++)
            single[0] = (int)r[i];
        CHECK(single[0] == at(a, N - 1));
        /* every other element: the pointer steps twice */
        int s = 0, t = 0;
        int *spread w = a;
        for (int i = 0; i < N / 2; i++) {
            s += *w++;
            t -= *w++;
        }
        CHECK(w == a + N / 2 * 2);
        for (int i = 0; i < N / 2; i++)
            s -= at(a, 2 * i), t += at(a, 2 * i + 1);
        CHECK(s == 0 && t == 0);
        /* now and then: the pointer steps under a condition */
        w = a;
        for (int i = 0; i < N; i++)
            if (i % 3 == 0)
                s += *w++;
        CHECK(w == a + (N + 2) / 3 && s == sum_of(a, (N + 2) / 3));
        /* the stored element is read by another name */
        int *spread alias = a;
        for (int i = 1; i < N; i++)
            alias[i] = r[i - 1];
        for (int i = 0; i < N; i++)
            CHECK(a[i] == -40);
    }
    barrier();
    for (int k = 0; k < N; k++)
        CHECK(at(a, k) == -40 && at(b, k) == 2 * k);
}

/* Own elements, and others' with the same step. */
static void own(int *spread p, int n) {
    fill();
    int i, count = 0;
    long s = 0;
    for_my_1d(i, n) {
        p[i] = p[i] * 2 + i;
        a[i] += p[i];
        count++;
    }
    CHECK(count == (n - MYPROC + PROCS - 1) / PROCS);
    barrier();
    for (i = (MYPROC + 1) % PROCS; i < n; i += PROCS)
        s += p[i];
    for (i = (MYPROC + 1) % PROCS; i < n; i += PROCS)
        s -= at(p, i);
    CHECK(s == 0);
    for (int *spread q = p + MYPROC; q < p + n; q += PROCS)
        s += *q;
    for (i = MYPROC; i < n; i += PROCS) {
        if (i == 5)
            continue;
        s -= at(p, i);
    }
    CHECK(s == (MYPROC == 5 % PROCS && n > 5 ? at(p, 5) : 0));
    barrier();
    for (i = 0; i < n; i++)
        CHECK(at(a, i) == i * 7 - 40 + at(p, i) && at(p, i) == -2 * i + i);
    for_my_1d(i, PROCS) for (int k = 0; k < PER; k++) CHECK(rows[i][k] == i * 100 + k);
    barrier();
    /* stores to own elements count, and addresses keep their processor */
    for_my_1d(i, n) {
        a[i] :- -i;
        b[i] := i;
        CHECK(toproc(&a[i]) == MYPROC);
    }
    sync();
    store_sync(count * sizeof(int));
    barrier();
    for (i = 0; i < n; i++)
        CHECK(at(a, i) == -i && at(b, i) == i);
    barrier();
}

int splitc_main(int argc, char **argv) {
    fill();
    for (int from = 0; from < 6; from++)
        for (int n = 0; n < N - 6; n += 1 + n / 5)
            sums(a + from, a + from + n);
    types();
    stores();
    dependent();
    own(b, N);
    own(b, 5);
    own(b, 0);
    barrier();
    return 0;
}
