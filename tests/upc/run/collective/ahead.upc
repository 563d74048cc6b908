// Threads that only give run far ahead of those that take: hundreds of calls with MYSYNC in a row, during
// which one thread sometimes sleeps and the others go on as far as they may. Nothing is lost or overtaken.
//: clause 7.3.3 p2
//: clause 7.3.3 p3
#include "data.h"

enum { ROUNDS = 700, SMALL = 8, LARGE = 300 };

static shared void *dst, *src;
static const int flags = UPC_IN_MYSYNC | UPC_OUT_MYSYNC;

/* Every 150 rounds this thread sleeps while the others need not. */
static void fall_behind(int round, int sleeper) {
    struct timespec pause = {0, 5000000};
    if (round % 150 == 20 && MYTHREAD == sleeper)
        nanosleep(&pause, NULL);
}

static void broadcasts(size_t n) {
    for (int round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            fill(part(src, 0, 0), round, n);
        fall_behind(round, THREADS - 1);
        upc_all_broadcast(part(dst, 0, 0), part(src, 0, 0), n, flags);
        CHECK_EQ(first_wrong(part(dst, MYTHREAD, 0), round, n), n);
    }
    upc_barrier;
}

static void gathers(size_t n) {
    int root = THREADS - 1;
    for (int round = 0; round < ROUNDS; round++) {
        fill(part(src, MYTHREAD, 0), round * 64 + MYTHREAD, n);
        fall_behind(round, root);
        upc_all_gather(part(dst, root, 0), part(src, 0, 0), n, flags);
        for (int t = 0; MYTHREAD == root && t < THREADS; t++)
            CHECK_EQ(first_wrong(part(dst, root, t * n), round * 64 + t, n), n);
    }
    upc_barrier;
}

static shared long sum, term[THREADS], prefix[THREADS];

static void reductions(void) {
    for (int round = 0; round < ROUNDS; round++) {
        term[MYTHREAD] = round + MYTHREAD;
        fall_behind(round, round % 2 ? 0 : THREADS - 1);
        upc_all_reduceL(&sum, term, UPC_ADD, THREADS, 1, NULL, flags);
        if (MYTHREAD == 0)
            CHECK_EQ(sum, (long)round * THREADS + THREADS * (THREADS - 1) / 2);
        upc_all_prefix_reduceL(prefix, term, UPC_ADD, THREADS, 1, NULL, flags);
        CHECK_EQ(prefix[MYTHREAD], (long)round * (MYTHREAD + 1) + MYTHREAD * (MYTHREAD + 1) / 2);
    }
    upc_barrier;
}

int main(void) {
    dst = upc_all_alloc(THREADS, AREA);
    src = upc_all_alloc(THREADS, AREA);
    broadcasts(SMALL);
    broadcasts(LARGE);
    gathers(SMALL);
    gathers(LARGE);
    reductions();
    return 0;
}
