// All threads allocate, pass on and free at once; no two live objects overlap.
//: clause 7.2.2.4 p2
//: clause 7.2.2.1 p3
#include "../../check.h"

#define SLOTS 32
shared[] int *shared[SLOTS] box[SLOTS * THREADS];

int main(void) {
    unsigned seed = 7 * MYTHREAD + 3;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < SLOTS; i++) {
            seed = seed * 1664525u + 1013904223u;
            int n = 1 + (seed >> 16) % 300;
            shared[] int *p = (shared[] int *)upc_alloc((n + 1) * sizeof(int));
            CHECK(p != NULL);
            p[0] = n;
            for (int j = 1; j <= n; j++)
                p[j] = MYTHREAD * 100000 + i * 1000 + j;
            box[MYTHREAD * SLOTS + i] = p;
        }
        upc_barrier;
        int other = (MYTHREAD + round + 1) % THREADS;
        for (int i = 0; i < SLOTS; i++) {
            shared[] int *p = box[other * SLOTS + i];
            for (int j = 1; j <= p[0]; j++)
                CHECK_EQ(p[j], other * 100000 + i * 1000 + j);
            upc_free(p);
        }
        upc_barrier;
    }
    return 0;
}
