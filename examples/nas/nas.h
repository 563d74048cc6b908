/* The common part of the programs of this directory: the class from the command line, shares of n things, a
 * sum over all threads, time, and the verdict.
 *
 * All parameters of results (sizes, seeds, published values) are those of the NAS Parallel Benchmarks, D.
 * Bailey and others, report RNR-94-007; classes S and W are those of its later revisions. */
#ifndef NAS_H
#define NAS_H

#include "random.h"

#include <upc_relaxed.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_tick.h>

/* ---- the command line ---------------------------------------------------------------------------------- */

/* 0, 1 or 2 for class S, W or A, which is the only argument; S without one. Another argument is reported
 * once and ends the program on all threads, each of which calls this. */
static inline int read_class(int argc, char **argv) {
    static const char names[] = "SWA";
    if (argc < 2)
        return 0;
    const char *found = argc == 2 && strlen(argv[1]) == 1 ? strchr(names, argv[1][0]) : NULL;
    if (found)
        return (int)(found - names);
    if (MYTHREAD == 0)
        fprintf(stderr, "usage: %s [S|W|A]\n", argv[0]);
    upc_barrier;
    exit(2);
}

/* Ends the job if memory is short, or if one thread cannot go on for another reason. */
static inline void *need(void *memory) {
    if (!memory) {
        fprintf(stderr, "thread %d: out of memory\n", MYTHREAD);
        upc_global_exit(1);
    }
    return memory;
}

/* n bytes of this thread's shared memory. */
static inline shared void *need_shared(size_t n) {
    shared void *memory = upc_alloc(n);
    need((void *)memory);
    return memory;
}

/* ---- shares -------------------------------------------------------------------------------------------- */

/* n things in a row are shared out as evenly as possible: thread t has things first_of(t, n) up to, but
 * not including, first_of(t + 1, n). With more threads than things some have none. */
static inline long first_of(int t, long n) { return t * n / THREADS; }
static inline long share_of(int t, long n) { return first_of(t + 1, n) - first_of(t, n); }

/* The thread whose share thing i is in. */
static inline int owner_of(long i, long n) { return (int)(((i + 1) * THREADS - 1) / n); }

/* ---- all threads --------------------------------------------------------------------------------------- */

/* The sum of all threads' x, the same to the last bit on each since all add in the order of threads.
 * Collective, and no thread leaves it before all have entered.
 *
 * upc_all_gather_all brings each thread a row of all values. There are two sets, used in turn: a thread that
 * writes to a set again has left the call in between, so all had entered that call, done with this set. */
static inline double all_sum(double x) {
    static shared double value[2][THREADS];
    static shared double *rows[2]; /* element MYTHREAD of a set is where this thread's row begins */
    static int set;
    if (!rows[0])
        for (int i = 0; i < 2; i++)
            rows[i] = (shared double *)upc_all_alloc(THREADS, THREADS * sizeof(double));
    set = !set;
    value[set][MYTHREAD] = x;
    upc_all_gather_all(rows[set], value[set], sizeof x, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    const double *row = (double *)&rows[set][MYTHREAD];
    double sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += row[t];
    return sum;
}

/* ---- time and verdict ---------------------------------------------------------------------------------- */

static inline double seconds(void) { return upc_ticks_to_ns(upc_ticks_now()) * 1e-9; }

/* Returns true if a value is the published one; otherwise reports it once. */
static inline bool agrees(const char *what, double value, double right, double tolerance) {
    bool good = fabs(value - right) <= tolerance * fabs(right);
    if (!good && MYTHREAD == 0)
        printf("%s is %.14g, must be %.14g\n", what, value, right);
    return good;
}

/* Prints the verdict and the speed. Returns the exit code. */
static inline int verdict(const char *name, int class, bool good, double took, double operations) {
    if (MYTHREAD == 0) {
        printf("%s class %c: VERIFICATION %s\n", name, "SWA"[class], good ? "SUCCESSFUL" : "FAILED");
        printf("time %.6f s, %.1f million operations a second, %d threads\n", took, operations / took * 1e-6,
               THREADS);
    }
    return good ? 0 : 1;
}

#endif
