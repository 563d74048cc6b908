/* Measurement of a benchmark by itself: round robin over its kernels, one JSON line a sample.
 *
 * A kernel is a function that does `ops` operations a turn. The number of turns is chosen once, so that a
 * sample takes about the requested time. Then every round runs each kernel once, so that a disturbance of the
 * machine affects all of them alike and the ratio of two kernels of one round is meaningful. Thread 0's
 * samples are printed; the others run the same kernel at the same time.
 *
 *     ./program ROUNDS NANOSECONDS
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined(MEASURE_THREAD)
/* A program of another system: it defines MEASURE_THREAD, MEASURE_BARRIER and MEASURE_FIRST before the
 * include. */
#define MEASURE_THREADS 2
#elif defined(__UPC__)
#include <upc_relaxed.h>
#define MEASURE_THREAD MYTHREAD
#define MEASURE_THREADS THREADS
#define MEASURE_BARRIER() upc_barrier
#else
#include <split-c/split-c.h>
#define MEASURE_THREAD MYPROC
#define MEASURE_THREADS PROCS
#define MEASURE_BARRIER() barrier()
#endif

struct kernel {
    const char *name;
    void (*run)(long turns);
    double ops; /* operations a turn, as one thread counts them */
};

/* Takes the result of a kernel, so that the computation is not optimised away. */
static volatile double measure_sink;

/* Makes the C compiler forget the contents of memory here, so that it cannot reuse them later or in the next
 * turn. */
#define MEASURE_FORGET() __asm__ volatile("" ::: "memory")

static double measure_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns thread 0's value, on all threads. */
#if defined(MEASURE_FIRST)
static long measure_first(long value) { return MEASURE_FIRST(value); }
#elif defined(__UPC__)
static shared long measure_word;
static long measure_first(long value) {
    if (MYTHREAD == 0)
        measure_word = value;
    upc_barrier;
    long first = measure_word;
    upc_barrier;
    return first;
}
#else
static long measure_first(long value) { return all_bcast_l(value); }
#endif

/* Returns the nanoseconds that this thread needs for the turns. One turn runs before, so that the caches hold
 * the kernel's own data and not those of the kernel that ran before it. */
static double measure_sample(const struct kernel *k, long turns) {
    k->run(1);
    MEASURE_BARRIER();
    double start = measure_clock();
    k->run(turns);
    return measure_clock() - start;
}

/* Returns the same number on all threads: thread 0 doubles the turns until they fill a quarter of the
 * time. */
static long measure_calibrate(const struct kernel *k, double wanted) {
    long turns = 1;
    for (;;) {
        double took = measure_sample(k, turns);
        long next = measure_first(took >= wanted / 4 ? -(long)(turns * (wanted / took)) - 1 : 2 * turns);
        if (next < 0)
            return -next;
        turns = next;
    }
}

static int measure_main(int argc, char **argv, const struct kernel *kernels, int many) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s ROUNDS NANOSECONDS\n", argv[0]);
        return 2;
    }
    int rounds = atoi(argv[1]);
    double wanted = atof(argv[2]);
    long *turns = malloc((size_t)many * sizeof *turns);
    for (int i = 0; i < many; i++)
        turns[i] = measure_calibrate(&kernels[i], wanted);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < many; i++) {
            double took = measure_sample(&kernels[i], turns[i]);
            if (MEASURE_THREAD == 0)
                printf("{\"name\":\"%s\",\"round\":%d,\"ns\":%.4f}\n", kernels[i].name, round,
                       took / ((double)turns[i] * kernels[i].ops));
        }
    MEASURE_BARRIER();
    free(turns);
    return 0;
}

#define MEASURE_MAIN(argc, argv, kernels)                                                                    \
    measure_main(argc, argv, kernels, (int)(sizeof(kernels) / sizeof(kernels)[0]))

#endif
