// Pointers with indefinite block size stay on their thread, have phase 0, and count like C's.
//: clause 6.4.2 p3
//: clause 6.5.1.1 p11
//: clause 6.5.2.1 p12
//: clause 6.5.2.1 p13
#include "../../check.h"

shared[] double solid[100];
shared[] long *shared mine[THREADS];

int main(void) {
    for (int i = 0; i < 100; i++) {
        CHECK_EQ(upc_threadof(&solid[i]), 0);
        CHECK_EQ(upc_phaseof(&solid[i]), 0);
        CHECK_EQ(upc_addrfield(&solid[i]) - upc_addrfield(solid), i * sizeof(double));
    }
    shared[] long *p = upc_alloc(50 * sizeof(long));
    for (int i = 0; i < 50; i++)
        p[i] = 1000 * MYTHREAD + i;
    mine[MYTHREAD] = p;
    upc_barrier;
    shared[] long *q = mine[(MYTHREAD + 1) % THREADS];
    int other = (MYTHREAD + 1) % THREADS;
    shared[] long *end = q + 50;
    CHECK_EQ(end - q, 50);
    for (long i = 0; q < end; q++, i++) {
        CHECK_EQ(upc_threadof(q), other);
        CHECK_EQ(upc_phaseof(q), 0);
        CHECK_EQ(*q, 1000 * other + i);
    }
    for (long i = 49; --q >= end - 50; i--)
        CHECK_EQ(*q, 1000 * other + i);
    upc_barrier;
    return 0;
}
