// Pointers-to-shared in conditional, comma, assignment and logical expressions; side effects happen once.
//: clause 6.4.3 p2
#include "../../check.h"

shared[4] int a[8 * THREADS];
static int calls;
static shared[4] int *at(int i) {
    calls++;
    return &a[i];
}

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < 8 * THREADS; i++)
            a[i] = i;
    upc_barrier;
    shared[4] int *p, *q, *r;
    p = q = r = at(2);
    CHECK(p == r && calls == 1);
    CHECK_EQ(*(p ? p : q), 2);
    CHECK_EQ(*(0, p + 1), 3);
    p = calls > 5 ? p : NULL;
    CHECK(!p);
    p = calls > 5 ? 0 : q;
    CHECK(p == q);
    shared void *v = calls ? (shared void *)q : NULL;
    CHECK(v == q && upc_phaseof(v) == 2);
    CHECK_EQ(*at(5), 5);
    CHECK_EQ(calls, 2);
    CHECK_EQ(at(1)[3], 4);
    CHECK_EQ(calls, 3);
    CHECK((q = at(6)) && *q == 6);
    CHECK_EQ((*(q += 1, q)), 7);
    CHECK_EQ(*&a[3], 3);
    CHECK_EQ(*&*&*q, 7);
    CHECK_EQ((&a[2])[1], 3);
    CHECK_EQ(*(&a[5] - 2), 3);
    CHECK_EQ((int)(&*(a + 4) - &a[0]), 4);
    if ((p = at(0)) != 0 && *p == 0)
        calls = 0;
    CHECK_EQ(calls, 0);
    return 0;
}
