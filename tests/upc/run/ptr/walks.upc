// Typical walks over shared arrays: strides of THREADS, of blocks, backwards, two pointers.
//: clause 6.4.2 p4
#include "../../check.h"

#define N 32
#define B 4
shared int c[N * THREADS];
shared[B] int b[N * THREADS];

int main(void) {
    /* the thread's own part of a cyclic array */
    for (shared int *p = &c[MYTHREAD]; p < c + N * THREADS; p += THREADS) {
        CHECK_EQ(upc_threadof(p), MYTHREAD);
        *p = p - c;
    }
    /* the thread's own blocks */
    for (shared[B] int *p = &b[MYTHREAD * B]; p < b + N * THREADS; p += B * THREADS)
        for (int i = 0; i < B; i++) {
            CHECK_EQ(upc_threadof(p + i), MYTHREAD);
            p[i] = p + i - b;
        }
    upc_barrier;
    long sum = 0;
    for (shared int *p = c + N * THREADS - 1; p >= c; p -= 1)
        sum += *p;
    CHECK_EQ(sum, (long)N * THREADS * (N * THREADS - 1) / 2);
    shared[B] int *low = b, *high = b + N * THREADS - 1;
    for (; low < high; low++, high--)
        CHECK_EQ(*low + *high, N * THREADS - 1);
    shared[B] int *p = b;
    int i = 0;
    while (p != b + N * THREADS)
        CHECK_EQ(*p++, i++);
    do
        CHECK_EQ(*--p, --i);
    while (p > b);
    return 0;
}
