// Split barriers with work between, with and without values, in functions, in branches that all threads
// take, and around collectives; a stencil that computes its interior between notify and wait;
// upc_fence.
//: clause 6.6.1 p1
#include "../../check.h"

#define N 10
#define STEPS 8
shared [N] long u[N * THREADS], v[N * THREADS];
shared [1] int ready[THREADS];
static long work;

static void announce(int step) {
    if (step % 2)
        upc_notify step;
    else
        upc_notify;
}
static void await_all(int step) {
    if (step % 2)
        upc_wait step;
    else
        upc_wait;
}

static long next(long left, long here, long right) { return (left + 2 * here + 3 * right) % 10007; }

int main(void) {
    int total = N * THREADS, me = MYTHREAD;
    long *mine = (long *)&u[me * N], *new = (long *)&v[me * N];
    for (int i = 0; i < N; i++)
        mine[i] = (me * N + i) * 31 % 97;
    long serial[total], other[total];
    for (int i = 0; i < total; i++)
        serial[i] = i * 31 % 97;

    for (int s = 0; s < STEPS; s++) {
        announce(s);
        for (int i = 1; i < N - 1; i++) /* cells that need no neighbour's values */
            new[i] = next(mine[i - 1], mine[i], mine[i + 1]);
        work += N - 2;
        await_all(s);
        new[0] = next(u[(me * N - 1 + total) % total], mine[0], mine[1]);
        new[N - 1] = next(mine[N - 2], mine[N - 1], u[(me * N + N) % total]);
        upc_notify;
        for (int i = 0; i < total; i++)
            other[i] = next(serial[(i - 1 + total) % total], serial[i], serial[(i + 1) % total]);
        for (int i = 0; i < total; i++)
            serial[i] = other[i];
        upc_wait;
        for (int i = 0; i < N; i++)
            mine[i] = new[i];
    }
    upc_barrier STEPS * 1000 + THREADS;
    for (int i = 0; i < total; i++)
        CHECK_EQ(u[i], serial[i]);

    /* Writes, a fence, and a note that is seen after them. */
    upc_barrier;
    for (int i = 0; i < N; i++)
        v[(me * N + i + N) % total] = me * 1000 + i;
    upc_fence;
    ((strict shared int *)ready)[(me + 1) % THREADS] = 1;
    while (!((strict shared int *)ready)[me])
        ;
    for (int i = 0; i < N; i++)
        CHECK_EQ(new[i], (me + THREADS - 1) % THREADS * 1000 + i);
    CHECK_EQ(work, STEPS * (N - 2));
    return 0;
}
