/* Shared-out loops that go over a thread's own part. */
#include <stdio.h>
#include <upc_relaxed.h>
#define N 40
shared int a[N * THREADS];
shared [4] int b[4 * N * THREADS], c[4 * N * THREADS];
shared [10] double m[N * THREADS][10];
shared int *p;

static long sum(void) {
    long s = 0;
    for (int i = 0; i < N * THREADS; i++)
        s = (3 * s + a[i] + (long)m[i][i % 10]) % 1000003;
    for (int i = 0; i < 4 * N * THREADS; i++)
        s = (3 * s + b[i] + c[i]) % 1000003;
    return s;
}

int main(void) {
    int i;
    p = (shared int *)upc_all_alloc(THREADS, N * sizeof(int));
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) //> forall: own rows of [a], 1 a block
        a[i] = i;
    upc_forall (i = 0; i < N * THREADS; i++; i) //> forall: own rows of [a], 1 a block
        a[i] += 2 * i;
    upc_forall (i = 0; i < 4 * N * THREADS; i++; &b[i]) //> forall: own rows of [b c], 4 a block
        b[i] = c[i] = i;
    upc_forall (i = 0; i < 4 * N * THREADS; i++; &b[i]) //> forall: own rows of [b c], 4 a block, flat
        b[i] = c[i] + 1;
    upc_forall (i = 0; i < N * THREADS; i++; &m[i][0]) //> forall: own rows of [m], 1 a block
        for (int j = 0; j < 10; j++)
            m[i][j] = i + j;
    upc_barrier;
    upc_forall (i = 1; i < 4 * N * THREADS - 1; i++; &b[i]) //> forall: own rows of [b c], 4 a block, with neighbours
        b[i] = c[i - 1] + c[i] + c[i + 1];
    upc_forall (i = 0; i < 4 * N * THREADS - 4; i++; &b[i + 1]) //> forall: own rows of [b c], 4 a block, with neighbours
        b[i + 1] += c[i + 4];
    upc_barrier;
    upc_forall (i = 0; i < 4 * N * THREADS - 2; i++; &b[i + 2]) //> forall: own rows of [b c], 4 a block, with neighbours
        b[i + 2] += 3 * c[i + 1];
    upc_forall (i = 0; i < N * THREADS; i++; &p[i]) //> forall: own rows of [p], 1 a block
        p[i] = 5 * i;
    upc_barrier;
    upc_forall (i = 0; i < N * THREADS - 2; i++; &a[i + 2]) //> forall: own rows of [a p], 1 a block, flat
        a[i + 2] += p[i + 2];
    upc_barrier;
    printf("%ld %d\n", sum(), i);
    upc_barrier;
    return 0;
}
