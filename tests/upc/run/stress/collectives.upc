// Collectives of several kinds in all ways to synchronise, called by threads that come early and late.
//: threads 2 3 4
#include <upc_relaxed.h>
#include <upc_collective.h>
#include <unistd.h>
#include "../../check.h"

#define N 64
#define ROUNDS 40

shared[N] long source[THREADS * N], target[THREADS * N];
shared long result;
static shared long *all_from, *all_to;
static long *my_from, *my_to;

/* Thread t's value at place k in this round. */
static long given(int round, int t, int k) { return 1000L * round + 100 * t + k; }

static void broadcast(int round, int root, upc_flag_t mode) {
    upc_all_broadcast(target, &source[root * N], N * sizeof(long), mode);
    if (mode & UPC_OUT_NOSYNC)
        upc_barrier;
    for (int k = 0; k < N; k++)
        CHECK_EQ(target[MYTHREAD * N + k], given(round, root, k));
}

static void gather_all(int round, upc_flag_t mode) {
    upc_all_gather_all(all_to, source, N * sizeof(long), mode);
    if (mode & UPC_OUT_NOSYNC)
        upc_barrier;
    for (int k = 0; k < N * THREADS; k++)
        CHECK_EQ(my_to[k], given(round, k / N, k % N));
}

static void exchange(int round, upc_flag_t mode) {
    upc_all_exchange(all_to, all_from, N * sizeof(long), mode);
    if (mode & UPC_OUT_NOSYNC)
        upc_barrier;
    for (int k = 0; k < N * THREADS; k++)
        CHECK_EQ(my_to[k], given(round, k / N, MYTHREAD * N + k % N));
}

static void reduce(int round, upc_flag_t mode) {
    long sum = 0;
    upc_all_reduceL(&result, source, UPC_ADD, THREADS * N, N, 0, mode);
    upc_barrier;
    for (int k = 0; k < N * THREADS; k++)
        sum += given(round, k / N, k % N);
    CHECK_EQ(result, sum);
}

static void prefix(int round, upc_flag_t mode) {
    long sum = 0;
    upc_all_prefix_reduceL(target, source, UPC_ADD, THREADS * N, N, 0, mode);
    if (mode & UPC_OUT_NOSYNC)
        upc_barrier;
    for (int k = 0; k < N * (MYTHREAD + 1); k++) {
        sum += given(round, k / N, k % N);
        if (k / N == MYTHREAD)
            CHECK_EQ(target[k], sum);
    }
}

static void come_late(unsigned chance) {
    if (chance % 5 == 0)
        usleep(chance / 5 % 3000);
    else if (chance % 5 == 1)
        for (volatile unsigned i = 0; i < chance / 5 % 100000; i++)
            ;
}

int main(void) {
    static const upc_flag_t in[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
    static const upc_flag_t out[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
    unsigned own = 3 + 31 * MYTHREAD, common = 5;
    all_from = upc_all_alloc(THREADS, N * THREADS * sizeof(long));
    all_to = upc_all_alloc(THREADS, N * THREADS * sizeof(long));
    my_from = (long *)&all_from[MYTHREAD];
    my_to = (long *)&all_to[MYTHREAD];
    for (int round = 0; round < ROUNDS; round++) {
        own = own * 1103515245 + 12345;
        common = common * 1103515245 + 12345;
        come_late(own >> 12);
        for (int k = 0; k < N; k++)
            source[MYTHREAD * N + k] = given(round, MYTHREAD, k);
        for (int k = 0; k < N * THREADS; k++)
            my_from[k] = given(round, MYTHREAD, k);
        upc_flag_t before = in[(common >> 16) % 3], mode = before | out[(common >> 18) % 3];
        if (before == UPC_IN_NOSYNC)
            upc_barrier;
        switch (round % 5) {
        case 0:
            broadcast(round, (int)((common >> 10) % THREADS), mode);
            break;
        case 1:
            gather_all(round, mode);
            break;
        case 2:
            exchange(round, mode);
            break;
        case 3:
            reduce(round, mode);
            break;
        default:
            prefix(round, mode);
        }
        upc_barrier;
    }
    return 0;
}
