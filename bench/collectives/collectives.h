/* What collectives.upc and collectives.c (MPI) have in common: which calls, which sizes, how often.  Both
 * print lines `call bytes nanoseconds', and measure alike: a barrier, n calls in a row, a barrier; the time
 * from when the first thread begins until the last one ends, divided by n.  The clock is one for all
 * processes of a host: with more threads than cores some are done before others begin. */
#ifndef BENCH_COLLECTIVES_H
#define BENCH_COLLECTIVES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BROADCAST, GATHER, GATHER_ALL, EXCHANGE, REDUCE, PREFIX, CALLS };
static const char *const call_name[] = {"broadcast", "gather", "gather_all", "exchange", "reduce", "prefix"};

/* Bytes of a block: what each thread gives, or gives to each. */
static const long block_bytes[] = {8, 64, 512, 4096, 32768, 262144, 1048576};
#define SIZES ((int)(sizeof block_bytes / sizeof *block_bytes))

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* How many blocks the larger operand of a call has on one thread. */
static int blocks_of(int call, int threads) {
    return call == GATHER || call == GATHER_ALL || call == EXCHANGE ? threads : 1;
}

/* How many calls to time, when n took `time' nanoseconds in all and `budget' are to be spent: the same number
 * if that was enough, else more, and then it is asked again. */
static long more_calls(long n, double time, double budget) {
    if (time > budget / 2 || n >= 2000000)
        return n;
    double factor = budget / (time > 1 ? time : 1);
    return (long)((double)n * (factor > 10 ? 10 : factor)) + 1;
}

#endif
