/* What the programs of this directory measure with: the time, and medians over rounds. */
#ifndef TIMING_H
#define TIMING_H

#include <stdlib.h>
#include <time.h>

#define MOST_ROUNDS 99

/* Nanoseconds. */
static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the n values, which are sorted by it. */
static inline double median(double *x, int n) {
    qsort(x, (size_t)n, sizeof *x, by_size);
    return x[n / 2];
}

#endif
