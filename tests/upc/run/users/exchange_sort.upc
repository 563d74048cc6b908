// Sample sort by the collectives: local sort, samples gathered everywhere, counts and keys exchanged,
// permuted blocks.
//: mode static
//: static 1 2 3 4 8
//: clause 7.4.1 p1
#include "../../check.h"
#include <string.h>
#include <upc_collective.h>

#define N 24
shared [N] int keys[N * THREADS];
shared [N] int again[N * THREADS];
shared [1] int perm[THREADS];
shared [N] int permuted[N * THREADS];
shared [THREADS] int counts[THREADS][THREADS];
shared [THREADS] int received[THREADS][THREADS];
shared [] int *shared part[THREADS];
shared int lengths[THREADS];

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int key(int i) { return (int)((unsigned)i * 2654435761u >> 20); }

int main(void) {
    int me = MYTHREAD, total = N * THREADS;
    int *mine = (int *)&keys[me * N];
    for (int i = 0; i < N; i++)
        again[me * N + i] = mine[i] = key(me * N + i);
    qsort(mine, N, sizeof *mine, ascending);
    /* Keys are below 4096: bucket t takes its share of that range. */
    int begin[THREADS + 1], n = 0;
    for (int t = 0; t < THREADS; t++) {
        begin[t] = n;
        while (n < N && mine[n] * THREADS / 4096 == t)
            n++;
        counts[me][t] = n - begin[t];
    }
    begin[THREADS] = n;
    CHECK_EQ(n, N);
    upc_all_exchange(received, counts, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    int all = 0, from[THREADS];
    for (int t = 0; t < THREADS; t++) {
        from[t] = all;
        all += received[me][t];
        CHECK_EQ(received[me][t], counts[t][me]);
    }
    part[me] = upc_alloc((size_t)(all + 1) * sizeof(int));
    lengths[me] = all;
    upc_barrier;
    /* Each thread puts its keys to their owners, after the keys of lower threads. */
    for (int t = 0; t < THREADS; t++) {
        int at = 0;
        for (int s = 0; s < me; s++)
            at += counts[s][t];
        upc_memput(part[t] + at, mine + begin[t], (size_t)(begin[t + 1] - begin[t]) * sizeof(int));
    }
    upc_barrier;
    qsort((int *)part[me], (size_t)all, sizeof(int), ascending);
    upc_barrier;
    if (me == 0) {
        int *serial = malloc((size_t)total * sizeof *serial);
        for (int i = 0; i < total; i++)
            serial[i] = again[i];
        qsort(serial, (size_t)total, sizeof *serial, ascending);
        for (int i = 0; i < total; i++)
            again[i] = serial[i];
        free(serial);
    }
    upc_barrier;
    int k = 0;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < lengths[t]; i++, k++)
            CHECK_EQ(part[t][i], again[k]);
    CHECK_EQ(k, total);

    /* Blocks change places: thread t's goes to perm[t]. */
    perm[me] = (me + 1) % THREADS;
    upc_all_permute(permuted, again, perm, N * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int i = 0; i < total; i++)
        CHECK_EQ(permuted[(i + N) % total], again[i]);
    upc_barrier;
    upc_free(part[me]);
    return 0;
}
