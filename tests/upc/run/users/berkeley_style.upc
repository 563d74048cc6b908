/* In the style of a Berkeley tutorial: bupc_ timers, asynchronous copies with handles, value collectives,
 * strided copies, casts by bupc_cast. */
#include <upc.h>
#include <bupc_extensions.h>
#include <bupc_collectivev.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

#define N 32
shared [N] int src[N * THREADS];
shared [N] int dst[N * THREADS];
shared [N * N] double mat[THREADS][N][N];

static void fail(const char *what, int got, int want) {
    fprintf(stderr, "%d: %s: %d, not %d\n", MYTHREAD, what, got, want);
    upc_global_exit(1);
}

int main(int argc, char **argv) {
    int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    bupc_tick_t start = bupc_ticks_now();
    bupc_handle_t h[2];
    int i, j;

    for (i = 0; i < N; i++)
        src[MYTHREAD * N + i] = MYTHREAD * 1000 + i;
    upc_barrier;

    int *mine = (int *)&src[MYTHREAD * N];
    h[0] = bupc_memput_async(&dst[right * N], mine, N / 2 * sizeof(int));
    h[1] = bupc_memput_async(&dst[right * N + N / 2], mine + N / 2, N / 2 * sizeof(int));
    bupc_waitsync_all(h, 2);
    upc_barrier;
    for (i = 0; i < N; i++)
        if (dst[MYTHREAD * N + i] != left * 1000 + i)
            fail("put", dst[MYTHREAD * N + i], left * 1000 + i);

    int sum = bupc_allv_reduce_all(int, MYTHREAD + 1, UPC_ADD);
    if (sum != THREADS * (THREADS + 1) / 2)
        fail("reduce", sum, THREADS * (THREADS + 1) / 2);
    double root = bupc_allv_broadcast(double, MYTHREAD == THREADS - 1 ? 2.5 : 0.0, THREADS - 1);
    if (root != 2.5)
        fail("broadcast", (int)(root * 10), 25);
    int before = bupc_allv_prefix_reduce(int, 1, UPC_ADD);
    if (before != MYTHREAD + 1)
        fail("prefix", before, MYTHREAD + 1);

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            mat[MYTHREAD][i][j] = MYTHREAD + i * 0.5 + j * 100;
    upc_barrier;
    /* a column of the neighbour's matrix */
    double column[N];
    bupc_memget_fstrided(column, sizeof(double), sizeof(double), N, &mat[right][0][3], sizeof(double),
                         N * sizeof(double), N);
    for (i = 0; i < N; i++)
        if (column[i] != right + i * 0.5 + 300)
            fail("column", (int)column[i], (int)(right + i * 0.5 + 300));

    if (bupc_castable(&src[right * N])) {
        int *p = (int *)bupc_cast(&src[right * N]);
        if (p[5] != right * 1000 + 5)
            fail("cast", p[5], right * 1000 + 5);
    }
    upc_barrier;
    bupc_tick_t end = bupc_ticks_now();
    assert(bupc_ticks_to_us(end - start) < 1000ull * 1000 * 1000);
    if (!MYTHREAD)
        printf("done.\n");
    return 0;
}
