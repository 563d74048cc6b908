// Arrays of gigabytes of address space, little of which is touched.
//: clause 6.5.2.1 p5
//: threads 1 2 4
#include "../../check.h"

#define N (1L << 28)
shared double huge[N * THREADS];
shared[1L << 24] char blocks[(1L << 30) * THREADS];

int main(void) {
    CHECK_EQ(sizeof huge, N * THREADS * 8);
    for (long i = MYTHREAD; i < N * THREADS; i += (N / 16) * THREADS)
        huge[i] = i;
    long last = (1L << 30) * THREADS - 1;
    if (upc_threadof(&blocks[last]) == MYTHREAD)
        blocks[last] = 'z';
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (long i = t; i < N * THREADS; i += (N / 16) * THREADS)
            CHECK(huge[i] == i);
    CHECK_EQ(blocks[last], 'z');
    CHECK_EQ(blocks[last - 1], 0);
    return 0;
}
