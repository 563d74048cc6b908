// The operands of an assignment to a shared lvalue are evaluated once, strict or relaxed.
//: clause 6.4.3 p2
#include "../../check.h"

shared int a[8 * THREADS];
strict shared int sa[8 * THREADS];
shared[2] struct {
    int x;
    unsigned bits : 5;
} s[8 * THREADS];
static int calls;
static int next(void) { return calls++; }

/* Updates by a bit-field whose place has effects, in a loop with a version for one host. */
static void update_by_bit_fields(int n) {
    calls = 0;
    for (int i = 0; i < n; i++) {
        a[(MYTHREAD + i * THREADS) % (8 * THREADS)] = -64;
        a[(MYTHREAD + i * THREADS) % (8 * THREADS)] /= s[2 * MYTHREAD + next() % 2].bits;
    }
    CHECK_EQ(calls, n);
    for (int i = 0; i < n; i++)
        CHECK_EQ(a[MYTHREAD + i * THREADS], i % 2 ? -21 : -2);
}

int main(void) {
    int base = MYTHREAD, step = THREADS;
    a[base + step * next()] = 1;
    a[base + step * next()] += 2;
    a[base + step * next()]++;
    --a[base + step * next()];
    CHECK_EQ(calls, 4);
    CHECK(a[base] == 1 && a[base + step] == 2 && a[base + 2 * step] == 1 && a[base + 3 * step] == -1);
    calls = 0;
    sa[base + step * next()] = 1;
    sa[base + step * next()] += 2;
    sa[base + step * next()]++;
    --sa[base + step * next()];
    CHECK_EQ(calls, 4);
    CHECK(sa[base] == 1 && sa[base + step] == 2 && sa[base + 2 * step] == 1 && sa[base + 3 * step] == -1);
    calls = 0;
    s[2 * base + next()].bits = 30;
    s[2 * base + next()].bits += 3;
    CHECK_EQ(calls, 2);
    CHECK(s[2 * base].bits == 30 && s[2 * base + 1].bits == 3);
    update_by_bit_fields(8);
    return 0;
}
