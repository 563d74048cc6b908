/* The operations between hosts in which Meridian is compared with MPI: probes/operations.upc,
 * operations-mpi.c and operations-socket.c.
 *
 * Process 0 works on the memory of the last process, which waits in a barrier; then all take part in
 * barriers, broadcasts and reductions. A program defines each of these:
 *
 *     put(turns), ...              one at a time
 *     puts_many(turns), ...        MANY of them, then a wait for all
 *     broadcast(bytes, turns), reduce(words, turns), lock(turns), allocate(turns)
 */
#ifndef BENCH_OPERATIONS_H
#define BENCH_OPERATIONS_H

#include "../measure.h"

#define WORDS (1 << 17)
#define MANY 20000
#define BULK (1 << 20)
/* Scattered memory: rows at a distance of twice their length, and pieces of a list, in memory of GRID
 * bytes. */
#define GRID (2 << 20)
#define ROWS 1024
#define ROW 64
#define LONG_ROWS 64
#define LONG_ROW (16 << 10)
/* The factor of the time of a sample: collective operations take milliseconds with more threads than
 * cores. */
#define OPERATIONS_LONGER 10

/* Returns a pseudo-random index in a table of WORDS. */
static inline unsigned next_place(void) {
    static unsigned long state = PROBE_RANDOM;
    return (unsigned)(probe_random(&state) % WORDS);
}

/* Returns the offset of piece i of a list of ROWS pieces of ROW bytes, in a scattered order: 797 and 2^11
 * have no common factor. */
static inline unsigned place_of(unsigned i) { return i * 797 % (GRID / 1024) * 1024; }

/* Returns the 99th percentile of the times of single turns of process 0, multiplied by the number of
 * turns. */
static inline double slowest(void (*run)(long turns), long turns) {
    enum { MOST = 1 << 14, LEAST = 200 };
    static double took[MOST];
    long many = turns < LEAST ? LEAST : turns < MOST ? turns : MOST;
    if (!PROBE_WORKS)
        return 0;
    for (long i = 0; i < many; i++) {
        double begin = measure_clock();
        run(1);
        took[i] = measure_clock() - begin;
    }
    /* Finds the slowest hundredth by selection: it is small enough. */
    long slow = many / 100 + 1;
    for (long i = 0; i < slow; i++)
        for (long j = i + 1; j < many; j++)
            if (took[j] > took[i]) {
                double other = took[i];
                took[i] = took[j];
                took[j] = other;
            }
    return took[slow - 1] * (double)turns;
}

static long processes_here;

static void add_operation(const char *name, void (*run)(long turns), double operations) {
    probe_at("operations", (struct series){name, run}, "processes", processes_here, operations);
}

/* Define an operation of process 0 alone, during which the others go on to the barrier, and of all. */
#define OPERATION(name, works, ...)                                                                          \
    static void name(long turns) {                                                                           \
        while (works && turns--) {                                                                           \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    }
#define ALONE(name, ...) OPERATION(name, PROBE_WORKS, __VA_ARGS__)
#define TOGETHER(name, ...) OPERATION(name, 1, __VA_ARGS__)

#endif
