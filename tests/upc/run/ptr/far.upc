// Large distances: elements millions apart, block sizes of thousands, indices beyond 32 bits of bytes.
//: clause 6.4.2 p4
//: clause 6.5.1.1 p11
//: threads 1 3 8
#include "../../check.h"

#define BLOCK 100000
#define BLOCKS 5
shared[BLOCK] long far[BLOCK * BLOCKS * THREADS];
shared char wide[1 << 22][THREADS];

int main(void) {
    for (long i = 0; i < (long)BLOCK * BLOCKS * THREADS; i += 49999) {
        shared[BLOCK] long *p = far + i;
        CHECK_EQ(upc_threadof(p), i / BLOCK % THREADS);
        CHECK_EQ(upc_phaseof(p), i % BLOCK);
        CHECK_EQ(p - far, i);
        if (upc_threadof(p) == MYTHREAD)
            *p = i;
    }
    for (long i = MYTHREAD; i < (long)(1 << 22) * THREADS; i += 65537L * THREADS)
        (&wide[0][0])[i] = (char)(i >> 10);
    upc_barrier;
    for (long i = 0; i < (long)BLOCK * BLOCKS * THREADS; i += 49999)
        CHECK_EQ(far[i], i);
    for (int t = 0; t < THREADS; t++)
        for (long i = t; i < (long)(1 << 22) * THREADS; i += 65537L * THREADS)
            CHECK_EQ((&wide[0][0])[i], (char)(i >> 10));
    return 0;
}
