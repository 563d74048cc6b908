// upc_global_alloc: each caller gets an object of its own over all threads; one thread alone may call it.
//: clause 7.2.2.1 p1
//: clause 7.2.2.1 p2
//: clause 7.2.2.1 p3
//: clause 7.2.2.4 p1
//: clause 7.2.2.4 p2
//: clause 7.2.2.5 p5
#include "../../check.h"

shared[3] long *shared objects[THREADS];

int main(void) {
    shared[3] long *mine = (shared[3] long *)upc_global_alloc(4 * THREADS, 3 * sizeof(long));
    CHECK(mine != NULL);
    CHECK_EQ(upc_threadof(mine), 0);
    CHECK_EQ(upc_phaseof(mine), 0);
    objects[MYTHREAD] = mine;
    for (int i = 0; i < 12 * THREADS; i++)
        mine[i] = 1000L * MYTHREAD + i;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        for (int u = 0; u < t; u++)
            CHECK(objects[t] != objects[u]);
        for (int i = 0; i < 12 * THREADS; i++) {
            CHECK_EQ(objects[t][i], 1000L * t + i);
            CHECK_EQ(upc_threadof(&objects[t][i]), i / 3 % THREADS);
        }
    }
    upc_barrier;
    upc_free(objects[(MYTHREAD + 1) % THREADS]);
    CHECK(upc_global_alloc(0, 8) == NULL && upc_global_alloc(8, 0) == NULL);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        shared int *p = (shared int *)upc_global_alloc(THREADS, sizeof(int));
        p[THREADS - 1] = 5;
        CHECK_EQ(p[THREADS - 1], 5);
        objects[0] = (shared[3] long *)(shared void *)p;
    }
    upc_barrier;
    upc_all_free(objects[0]);
    return 0;
}
