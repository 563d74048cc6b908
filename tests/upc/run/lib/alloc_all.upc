// upc_all_alloc: one object, the same pointer everywhere, phase 0, laid out by blocks; null for zero.
//: clause 7.2.2 p1
//: clause 7.2.2.2 p1
//: clause 7.2.2.2 p2
//: clause 7.2.2.2 p3
//: clause 7.2.2.2 p4
//: clause 7.2.2.2 p5
//: clause 7.2.2.5 p1
//: clause 7.2.2.5 p2
//: clause 7.2.2.5 p3
//: clause 7.2.2.5 p4
#include "../../check.h"

shared void *shared pointers[THREADS];

int main(void) {
    for (int blocks = 1; blocks < 4 * THREADS; blocks += 3) {
        shared[6] int *p = (shared[6] int *)upc_all_alloc(blocks, 6 * sizeof(int));
        CHECK(p != NULL);
        CHECK_EQ(upc_phaseof(p), 0);
        CHECK_EQ(upc_threadof(p), 0);
        pointers[MYTHREAD] = p;
        upc_forall(int i = 0; i < 6 * blocks; i++; p + i) p[i] = i + blocks;
        upc_barrier;
        for (int t = 0; t < THREADS; t++)
            CHECK(pointers[t] == p);
        for (int i = 0; i < 6 * blocks; i++) {
            CHECK_EQ(p[i], i + blocks);
            CHECK_EQ(upc_threadof(&p[i]), i / 6 % THREADS);
        }
        upc_all_free(p);
    }
    CHECK(upc_all_alloc(0, 100) == NULL);
    CHECK(upc_all_alloc(100, 0) == NULL);
    upc_all_free(NULL);
    shared char *bytes = (shared char *)upc_all_alloc(100 * THREADS, 1);
    for (int i = MYTHREAD; i < 100 * THREADS; i += THREADS)
        bytes[i] = i;
    upc_barrier;
    for (int i = 0; i < 100 * THREADS; i++)
        CHECK_EQ(bytes[i], (char)i);
    upc_barrier;
    if (MYTHREAD == THREADS / 2)
        upc_free(bytes);
    return 0;
}
