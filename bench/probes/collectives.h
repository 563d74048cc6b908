/* The common part of collectives.upc and collectives-mpi.c, which compute the same results from the same
 * data.
 *
 * A sample is a series of calls, from the start of the first process until the end of the last one. The clock
 * is one for all processes of a host: with more threads than cores some end before others begin. ALLSYNC
 * stands for UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC and for MPI's call between two barriers, which promise the
 * same; MYSYNC for UPC_IN_MYSYNC | UPC_OUT_MYSYNC and for MPI's call. A program defines these:
 *
 *     one_call(call, n, all)            a call with blocks of n bytes
 *     first_to_last(began, ended)       on process 0 the time from the first of all to the last of all
 */
#ifndef BENCH_COLLECTIVES_H
#define BENCH_COLLECTIVES_H

#include "../measure.h"

enum call { BROADCAST, GATHER, GATHER_ALL, EXCHANGE, REDUCE, PREFIX, CALLS };

/* Bytes of a block, which each thread contributes, or contributes to each other thread. */
static const long block_bytes[] = {8, 64, 512, 4096, 32768, 262144, 1048576};
#define SIZES (probe_quick ? 5 : 7)
#define MOST_BYTES (size_t) block_bytes[SIZES - 1]

static void one_call(enum call call, long n, int all);
static double first_to_last(double began, double ended);

static long processes_here;

static double calls(enum call call, int all, long turns) {
    double began = measure_clock();
    while (turns--)
        one_call(call, probe_now->at[0], all);
    return first_to_last(began, measure_clock());
}

#define CALL(call)                                                                                           \
    static double all_##call(long turns) { return calls(call, 1, turns); }                                   \
    static double my_##call(long turns) { return calls(call, 0, turns); }
CALL(BROADCAST)
CALL(GATHER)
CALL(GATHER_ALL)
CALL(EXCHANGE)
CALL(REDUCE)
CALL(PREFIX)

static const struct {
    const char *series;
    double (*timed)(long turns);
} collectives[] = {
    {"broadcast, ALLSYNC", all_BROADCAST},   {"broadcast, MYSYNC", my_BROADCAST},
    {"gather, ALLSYNC", all_GATHER},         {"gather, MYSYNC", my_GATHER},
    {"gather-all, ALLSYNC", all_GATHER_ALL}, {"gather-all, MYSYNC", my_GATHER_ALL},
    {"exchange, ALLSYNC", all_EXCHANGE},     {"exchange, MYSYNC", my_EXCHANGE},
    {"reduce, ALLSYNC", all_REDUCE},         {"reduce, MYSYNC", my_REDUCE},
    {"prefix, ALLSYNC", all_PREFIX},         {"prefix, MYSYNC", my_PREFIX},
};

/* Allocates two arrays with MOST_BYTES for each pair of processes, and writes all of them. */
static void make_blocks(void);

static void add_collectives(void) {
    make_blocks();
    for (unsigned i = 0; i < sizeof collectives / sizeof *collectives; i++)
        for (int size = 0; size < SIZES; size++)
            probe_add((struct point){.part = "collectives",
                                     .series = collectives[i].series,
                                     .axis = {"bytes", "processes"},
                                     .at = {block_bytes[size], processes_here},
                                     .timed = collectives[i].timed});
}

static const struct part parts[] = {{"collectives", add_collectives}};

#endif
