/* The monotonic clock, the same in all processes of a machine.  A reading costs some 20 ns. */
#ifndef MER_BASE_CLOCK_H
#define MER_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t mer_clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static inline double mer_clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
