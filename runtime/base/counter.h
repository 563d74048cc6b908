/* The processor's time-stamp counter, read together with the monotonic clock, from which its rate follows. */
#ifndef MER_BASE_COUNTER_H
#define MER_BASE_COUNTER_H

#include "base/clock.h"

#if defined(__x86_64__)
#include <x86intrin.h>

/* The counter and the clock at one moment. */
struct mer_counter_reading {
    uint64_t ticks, ns;
};

#define MER_COUNTER_READINGS 25 /* some 50 ns each */

/* Returns the narrowest of many readings, each of which brackets the clock by the counter: the process may
 * lose its core in between.  The clock is read at the same point of each bracket, so that the difference of
 * two readings is wrong by some 10 ns. */
static inline struct mer_counter_reading mer_counter_read(void) {
    struct mer_counter_reading reading = {0, 0};
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < MER_COUNTER_READINGS; i++) {
        uint64_t before = __rdtsc(), now = mer_clock_ns(), after = __rdtsc();
        if (after - before < best) {
            best = after - before;
            reading = (struct mer_counter_reading){before + best / 2, now};
        }
    }
    return reading;
}

/* The reading at start-up, before anything else is done. */
extern struct mer_counter_reading mer_counter_start;
#endif

/* Take the reading at start-up, if there is a counter. */
void mer_counter_begin(void);

#endif
