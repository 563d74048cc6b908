// shared void * keeps thread, phase and address of anything; the way back to the same type gives the same
// pointer; to block size 1 and indefinite the phase becomes 0.
//: clause 6.4.3 p2
//: clause 6.4.3 p3
//: clause 6.5.1.1 p14
#include "../../check.h"

shared[6] int a[12 * THREADS];
shared int c[12 * THREADS];
shared[] int s[12];
shared struct pair {
    int x, y;
} pairs[THREADS];

static shared void *through(shared void *v) { return v; }

int main(void) {
    for (int i = 0; i < 12 * THREADS; i++) {
        shared void *v = &a[i];
        CHECK_EQ(upc_phaseof(v), i % 6);
        CHECK_EQ(upc_threadof(v), i / 6 % THREADS);
        shared[6] int *back = v;
        CHECK(back == &a[i]);
        CHECK_EQ(upc_phaseof(back), i % 6);
        CHECK_EQ(back - a, i);
        shared int *one = v;
        shared[] int *none = (shared[] int *)v;
        CHECK_EQ(upc_phaseof(one), 0);
        CHECK_EQ(upc_phaseof(none), 0);
        CHECK_EQ(upc_addrfield(one), upc_addrfield(v));
        CHECK_EQ(upc_threadof(none), upc_threadof(v));
        shared[6] int *again = through(&a[i]);
        CHECK(again == &a[i] && upc_phaseof(again) == i % 6);
        shared[6] float *same_block = (shared[6] float *)v;
        CHECK_EQ(upc_phaseof(same_block), i % 6);
    }
    shared void *v = c;
    CHECK(v == &c[0]);
    v = &pairs[MYTHREAD];
    ((shared struct pair *)v)->x = 3;
    ((shared struct pair *)v)->y = 4 + MYTHREAD;
    CHECK_EQ(pairs[MYTHREAD].x, 3);
    CHECK_EQ(pairs[MYTHREAD].y, 4 + MYTHREAD);
    v = s;
    CHECK_EQ(upc_threadof(v), 0);
    const shared void *cv = v;
    CHECK(cv == v);
    return 0;
}
