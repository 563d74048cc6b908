/* Counters that wrap, and where they start.
 *
 * A counter of 32 bits that a job raises at each barrier or message wraps within minutes or hours.  Two
 * values are compared for equality, or by their difference, which is right while they are less than half the
 * counter's range apart.  So each counter has a bound on the distance of two compared values, and no compared
 * word may fall behind: a thread that does not use its word for long still brings it up to date.
 *
 *   counter                              bits  compared    apart, and why
 *   struct mer_event, whose users are:   31    difference  less than 2^30 by its users (base/wait.h)
 *     phases (sync/phase.h)              32    difference  2: all threads enter each; of events, 31 bits
 *     releases (sync/phase.h)            31    difference  1: all threads count each
 *     steps of rings (coll/ring.h)       31    difference  2 * MER_RING_RENEW: ring.h
 *     drained rings (coll/ring.h)        31    difference  likewise
 *     grants (sync/semaphore.c)            31    difference  1: a thread waits for one
 *     runs of exchanges (array)          31    difference  2: exchange.h
 *   places of receive rings (transport)  32    difference  MER_AM_DEPTH
 *   the same in `ready'                  32    equality    a lap: a slot is filled in each
 *   packets (transport, conduit ofi)     32    equality    0: a connection keeps their order
 *   polls, rests (transport), polls (am) 32    equality    a look must not come 2^32 polls after the last
 *   handles (dialect/upc/nb.c)           32    equality    a stale one is told, unless 2^31 came after it
 *   fences (access.h)                    32    remainder   by a power of two
 *   quanta (tam)                         32    difference  unsigned: since a frame was ready
 *   frames that went and came (tam)      32    equality    0: raised and lowered alike
 *
 * Counters of 64 bits do not wrap: bytes stored, steps of trees and of rings, calls of collectives and of
 * arrays, parts of loops (rma/ahead/write_log.c).  Numbers that only select one of two buffers do so by
 * their parity.
 *
 * For tests, MERIDIAN_WRAP=n has these counters start n steps before zero.  Words in shared memory, which is
 * zero at first, are then set to that value before they are used.
 */
#ifndef MER_BASE_WRAP_H
#define MER_BASE_WRAP_H

#include <stdint.h>

/* The first value of counters that wrap.  Start-up sets it. */
extern uint32_t mer_wrap_start;

/* Returns how far a is ahead of b; negative if a is behind. */
static inline int32_t mer_wrap_ahead(uint32_t a, uint32_t b) { return (int32_t)(a - b); }

/* Sets a word of shared memory, which is zero at first, to a counter's first value.  Several threads may call
 * this at once. */
static inline void mer_wrap_begin(uint32_t *word, uint32_t first) {
    uint32_t zero = 0;
    if (first) /* relaxed: another value than zero is the first one or a later one */
        __atomic_compare_exchange_n(word, &zero, first, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#endif
