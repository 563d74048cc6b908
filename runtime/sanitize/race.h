/* Accesses to shared memory: each is compared with the last ones to the same bytes, and recorded. */
#ifndef MER_SANITIZE_RACE_H
#define MER_SANITIZE_RACE_H

#include "host/layout.h"
#include "sanitize/clock.h"
#include "sanitize/shadow.h"
#include "sanitize/site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of accesses, as the bits of a cell (shadow.h). */
enum mer_access {
    MER_ACCESS_READ = 0,
    MER_ACCESS_WRITE = 1 << 8,       /* MER_CELL_WRITE */
    MER_ACCESS_ATOMIC_READ = 1 << 9, /* MER_CELL_ATOMIC */
    MER_ACCESS_ATOMIC_WRITE = 3 << 8
};

/* Who does an access: a thread, or its transfers, in an interval (clock.h). */
struct mer_actor {
    unsigned thread;
    uint32_t interval;
};

/* Checks an access of this thread to n bytes at an address of this process, and records it;
 * mer_race_access_by for another actor, of which this thread knows all that it knows itself.  Addresses
 * outside of the views, and the runtime's own memory there, are left alone.  Reports a race, and an access
 * to freed memory. */
void mer_race_access(uint64_t at, size_t n, enum mer_access kind, struct mer_caller caller);
void mer_race_access_by(struct mer_actor actor, uint64_t at, size_t n, enum mer_access kind,
                        struct mer_caller caller);

/* Returns true if the access of this thread to n <= 8 bytes is to private memory, or covered by one that the
 * thread has done to the same bytes in this interval.  Cost: 2 to 4 ns; true for most accesses in loops. */
static inline bool mer_race_known(uint64_t at, size_t n, enum mer_access kind) {
    uint64_t offset = at - MER_VIEW_BASE, from = offset % 8;
    if (offset >= MER_VIEW_SIZE)
        return true;
    const struct mer_shadow_recent *recent = &mer_shadow_recent[offset / MER_CHUNK % MER_SHADOW_RECENT];
    if (offset / MER_CHUNK != recent->chunk || !recent->granules || from + n > 8)
        return false;
    const uint64_t *cell = recent->granules[offset % MER_CHUNK / 8].cell;
    uint64_t mine = mer_clock_epoch | (uint64_t)kind | ((1ULL << n) - 1) << from;
    for (int i = 0; i < MER_SHADOW_CELLS; i++)
        if (mer_cell_knows(__atomic_load_n(&cell[i], __ATOMIC_RELAXED), mine))
            return true;
    return false;
}

/* The n bytes, from a multiple of 8, are freed by this thread, which races as a write does; an access to
 * them is reported from now on, until they are allocated.  Chunks whose memory nobody has accessed are
 * left out if n is large. */
void mer_race_free(uint64_t at, size_t n, struct mer_caller caller);

#endif
