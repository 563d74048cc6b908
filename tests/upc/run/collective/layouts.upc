// Operands as declared in programs: static and allocated arrays of the standard's layouts for each
// function, a destination's phase, which is ignored, sources in the middle of a block.
//: clause 7.4 p1
//: clause 7.4.1 p1
//: clause 7.3.3 p1
//: clause 7.4.2.1 p1
//: clause 7.4.2.1 p4
//: clause 7.4.2.1 p5
//: clause 7.4.2.1 p7
//: clause 7.4.2.2 p1
//: clause 7.4.2.2 p4
//: clause 7.4.2.2 p6
//: clause 7.4.2.3 p1
//: clause 7.4.2.3 p4
//: clause 7.4.2.3 p6
//: clause 7.4.2.4 p1
//: clause 7.4.2.4 p4
//: clause 7.4.2.4 p6
//: clause 7.4.2.5 p1
//: clause 7.4.2.5 p4
//: clause 7.4.2.5 p6
//: clause 7.4.2.6 p1
//: clause 7.4.2.6 p5
//: clause 7.4.2.6 p7
#include "../../check.h"
#include <upc_collective.h>

#if __UPC_COLLECTIVE__ != 1
#error "the feature macro"
#endif

enum { N = 10, MOST = 8 };

shared int single[THREADS], all[THREADS], rotated[THREADS];
shared[N] int one[N * THREADS], other[N * THREADS];
shared[] int row[N * MOST];
shared[N * MOST] int square[THREADS][N * MOST], turned[THREADS][N * MOST];

static void broadcasts(void) {
    single[MYTHREAD] = 10 + MYTHREAD;
    upc_barrier;
    upc_all_broadcast(all, &single[THREADS - 1], sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_barrier;
    CHECK_EQ(all[MYTHREAD], 10 + THREADS - 1);
    for (int i = 0; i < N; i++)
        one[N * MYTHREAD + i] = 1000 * MYTHREAD + i;
    // From the middle of a block to the middle of each block: the destination's phase is ignored.
    upc_all_broadcast(&other[2], &one[N * (THREADS - 1) + 3], 2 * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int t = 0; t < THREADS; t++)
        for (int i = 2; i < 4; i++)
            CHECK_EQ(other[N * t + i], 1000 * (THREADS - 1) + i + 1);
    upc_barrier;
}

static void scatters_and_gathers(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < N * THREADS; i++)
            row[i] = 3 * i;
    upc_all_scatter(other, row, N * sizeof(int), 0);
    for (int i = 0; i < N; i++)
        CHECK_EQ(other[N * MYTHREAD + i], 3 * (N * MYTHREAD + i));
    for (int i = 0; i < N; i++)
        one[N * MYTHREAD + i] = 7 * (N * MYTHREAD + i);
    upc_all_gather(row, one, N * sizeof(int), 0);
    for (int i = 0; i < N * THREADS; i++)
        CHECK_EQ(row[i], 7 * i);
    upc_barrier;
    // Part of each block only, from phase 4.
    upc_all_gather(row, &one[4], 3 * sizeof(int), UPC_OUT_ALLSYNC);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < 3; i++)
            CHECK_EQ(row[3 * t + i], 7 * (N * t + 4 + i));
    upc_barrier;
}

static void to_all(void) {
    upc_all_gather_all(square, one, N * sizeof(int), UPC_IN_ALLSYNC);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < N * THREADS; i++)
            CHECK_EQ(square[t][i], 7 * i);
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++)
        square[MYTHREAD][i] = 100 * MYTHREAD + i;
    upc_all_exchange(turned, square, N * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < N; i++)
            CHECK_EQ(turned[MYTHREAD][N * t + i], 100 * t + N * MYTHREAD + i);
    upc_barrier;
}

/* Allocated in the run: a row of the matrix on each thread. */
static void allocated(void) {
    shared int *a = upc_all_alloc(THREADS * THREADS, N * sizeof(int));
    shared int *b = upc_all_alloc(THREADS * THREADS, N * sizeof(int));
    shared[] int *mine = (shared[] int *)&a[MYTHREAD], *result = (shared[] int *)&b[MYTHREAD];
    for (int i = 0; i < N * THREADS; i++)
        mine[i] = MYTHREAD * 100000 + i;
    upc_all_exchange(b, a, N * sizeof(int), 0);
    for (int i = 0; i < N * THREADS; i++)
        CHECK_EQ(result[i], i / N * 100000 + MYTHREAD * N + i % N);
    upc_all_free(a);
    upc_all_free(b);
}

static void permuted(void) {
    rotated[MYTHREAD] = (MYTHREAD + 1) % THREADS;
    upc_all_permute(&other[1], &one[1], rotated, 2 * sizeof(int), 0);
    int from = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 1; i < 3; i++)
        CHECK_EQ(other[N * MYTHREAD + i], 7 * (N * from + i));
    upc_barrier;
}

/* The functions are functions although calls by name are macros. */
static void by_pointer(void) {
    typedef void mover(shared void *restrict, shared const void *restrict, size_t, upc_flag_t);
    mover *const movers[] = {upc_all_broadcast, &upc_all_gather, (upc_all_scatter)};
    single[MYTHREAD] = MYTHREAD;
    all[MYTHREAD] = -1;
    upc_barrier;
    movers[0](all, single, sizeof(int), 0);
    CHECK_EQ(all[MYTHREAD], 0);
    upc_barrier;
    void (*reduce)(shared void *restrict, shared const void *restrict, upc_op_t, size_t, size_t,
                   int (*)(int, int), upc_flag_t) = upc_all_reduceI;
    reduce(all, single, UPC_MAX, THREADS, 1, NULL, 0);
    CHECK_EQ(all[0], THREADS - 1);
    upc_barrier;
}

int main(void) {
    broadcasts();
    scatters_and_gathers();
    to_all();
    allocated();
    permuted();
    by_pointer();
    return 0;
}
