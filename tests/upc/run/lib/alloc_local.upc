// upc_alloc: space on the calling thread, readable by all, freed by anyone.
//: clause 7.2.2.3 p1
//: clause 7.2.2.3 p2
//: clause 7.2.2.3 p3
//: clause 7.2.2.4 p2
#include <string.h>
#include "../../check.h"

shared[] int *shared mine[THREADS];

int main(void) {
    CHECK(upc_alloc(0) == NULL);
    for (int round = 1; round <= 30; round++) {
        int n = round * 10 + MYTHREAD;
        shared[] int *p = (shared[] int *)upc_alloc(n * sizeof(int));
        CHECK(p != NULL);
        CHECK_EQ(upc_threadof(p), MYTHREAD);
        CHECK_EQ(upc_phaseof(p), 0);
        int *local = (int *)p;
        for (int i = 0; i < n; i++)
            local[i] = i ^ round;
        mine[MYTHREAD] = p;
        upc_barrier;
        int other = (MYTHREAD + round) % THREADS;
        shared[] int *q = mine[other];
        for (int i = 0; i < round * 10 + other; i++)
            CHECK_EQ(q[i], i ^ round);
        upc_barrier;
        upc_free(mine[other]);
        upc_barrier;
    }
    return 0;
}
