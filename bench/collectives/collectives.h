/* The common part of collectives.upc and collectives.c (MPI): the calls, their sizes and numbers. Both print
 * lines `call bytes nanoseconds', and measure in the same way: a barrier, n calls in sequence, a barrier. The
 * time is that from the start of the first thread until the end of the last one, divided by n. The clock is
 * one for all processes of a host: with more threads than cores some end before others begin. */
#ifndef BENCH_COLLECTIVES_H
#define BENCH_COLLECTIVES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BROADCAST, GATHER, GATHER_ALL, EXCHANGE, REDUCE, PREFIX, CALLS };
static const char *const call_name[] = {"broadcast", "gather", "gather_all", "exchange", "reduce", "prefix"};

/* Bytes of a block, which each thread contributes, or contributes to each other thread. */
static const long block_bytes[] = {8, 64, 512, 4096, 32768, 262144, 1048576};
#define SIZES ((int)(sizeof block_bytes / sizeof *block_bytes))

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns the number of blocks that the larger operand of a call has on one thread. */
static int blocks_of(int call, int threads) {
    return call == GATHER || call == GATHER_ALL || call == EXCHANGE ? threads : 1;
}

/* Returns the number of calls to time, if n took `time' nanoseconds in all and `budget' are to be spent: n if
 * that was enough, else a larger number, which has to be checked again. */
static long more_calls(long n, double time, double budget) {
    if (time > budget / 2 || n >= 2000000)
        return n;
    double factor = budget / (time > 1 ? time : 1);
    return (long)((double)n * (factor > 10 ? 10 : factor)) + 1;
}

#endif
