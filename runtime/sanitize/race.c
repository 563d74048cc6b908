/* See race.h.
 *
 * Why no race is missed when two threads access a granule at the same time: a thread looks at the cells, puts
 * its access into one of them by a compare-and-swap, which is a full fence, and looks at the cells again.  Of
 * two accesses the one whose swap is second finds the first one's cell in its second look, unless a third
 * access has replaced that cell; it is then reported by the third.  A swap that fails begins anew.
 *
 * Which cell an access takes: one of its own thread's that it covers, or that is the same access to other
 * bytes; an empty one; one that is before it and that it covers; one that is before it; else one by the
 * number of the thread.  An access covers another one if it has all bytes of it, and is a write or both are
 * reads: whatever races with the covered access later races with the covering one.
 */
#include "sanitize/race.h"

#include "host/job.h"
#include "host/layout.h"
#include "sanitize/clock.h"
#include "sanitize/report.h"
#include "sanitize/shadow.h"

#include <assert.h>
#include <stdbool.h>

static_assert((int)MER_ACCESS_WRITE == (int)MER_CELL_WRITE &&
                  (int)MER_ACCESS_ATOMIC_READ == (int)MER_CELL_ATOMIC,
              "a kind is the bits of a cell");

/* Returns true if the two are by different actors: threads, or transfers of one thread. */
static bool differ(uint64_t cell, uint64_t mine) {
    uint64_t difference = cell ^ mine;
    bool is_transfer = mer_cell_thread(mine) >= (unsigned)mer_job.threads;
    return difference & (is_transfer ? MER_CELL_EPOCH : MER_CELL_THREADS);
}

/* Returns true if the access `cell' is not known to be before `mine', of another actor, and one of the two is
 * a write that is not atomic together with the other. */
static bool races(uint64_t cell, uint64_t mine) {
    return (cell & mine & MER_CELL_MASK) && ((cell | mine) & MER_CELL_WRITE) &&
           !(cell & mine & MER_CELL_ATOMIC) && differ(cell, mine) &&
           mer_cell_clock(cell) > mer_clock[mer_cell_thread(cell)];
}

/* Returns true if the cell is the same access, to other bytes of the granule. */
static bool is_more(uint64_t mine, uint64_t cell) { return !((mine ^ cell) & ~MER_CELL_MASK); }

/* How good a cell is as the place of an access.  If all are OTHER, the number of the thread chooses one. */
enum { OTHER, BEFORE, COVERED, EMPTY, OWN };

/* Returns the cell that the access takes.  Sets *concurrent if a cell is of another thread and not known
 * to be before it. */
static inline int choose(const uint64_t *cells, uint64_t mine, bool *concurrent) {
    int best = (int)(mer_cell_thread(mine) % MER_SHADOW_CELLS), rank = OTHER;
    *concurrent = false;
#pragma GCC unroll 4
    for (int i = 0; i < MER_SHADOW_CELLS; i++) {
        uint64_t cell = cells[i];
        unsigned thread = mer_cell_thread(cell);
        int is = OTHER;
        if (!cell)
            is = EMPTY;
        else if (!differ(cell, mine))
            is = mer_cell_covers(mine, cell) || is_more(mine, cell) ? OWN : OTHER;
        else if (mer_cell_clock(cell) <= mer_clock[thread])
            is = mer_cell_covers(mine, cell) ? COVERED : BEFORE;
        else
            *concurrent = true;
        if (is > rank) {
            best = i;
            rank = is;
        }
    }
    return best;
}

/* Reports the races of `mine', an access or a free, with cells; `but': those seen before, or null. */
static void look(const uint64_t *cells, const uint64_t *but, uint64_t mine, uint64_t at, bool frees) {
    for (int i = 0; i < MER_SHADOW_CELLS; i++)
        if (races(cells[i], mine) && !(but && but[i] == cells[i]))
            mer_report_race(at, mine, cells[i], frees);
}

static void load(uint64_t *cells, const struct mer_granule *granule) {
    /* Relaxed: the order is that of the swap in `granule'. */
    for (int i = 0; i < MER_SHADOW_CELLS; i++)
        cells[i] = __atomic_load_n(&granule->cell[i], __ATOMIC_RELAXED);
}

/* Returns true if the granule is freed memory, as its first cell says (mer_race_free). */
static bool is_freed(const uint64_t *cells) { return cells[0] && !(cells[0] & MER_CELL_MASK); }

static void access_granule(struct mer_granule *granule, uint64_t mine, uint64_t at,
                           struct mer_caller caller) {
    uint64_t cells[MER_SHADOW_CELLS], after[MER_SHADOW_CELLS];
    load(cells, granule);
    for (int i = 0; i < MER_SHADOW_CELLS; i++)
        if (mer_cell_knows(cells[i], mine))
            return;
    mine |= (uint64_t)mer_site_of(caller) << MER_CELL_SITE_SHIFT;
    bool concurrent;
    int taken;
    for (;; load(cells, granule)) {
        if (__builtin_expect(is_freed(cells), 0)) {
            mer_report_freed(at, mine, cells[0]);
            return;
        }
        taken = choose(cells, mine, &concurrent);
        uint64_t cell = cells[taken], next = mine | (is_more(mine, cell) ? cell & MER_CELL_MASK : 0);
        /* Sequentially consistent, partner: the same swap of other threads; see the head of the file. */
        if (__atomic_compare_exchange_n(&granule->cell[taken], &cell, next, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
            break;
    }
    if (concurrent)
        look(cells, NULL, mine, at, false);
    load(after, granule);
    uint64_t changed = 0;
    for (int i = 0; i < MER_SHADOW_CELLS; i++)
        changed |= i == taken ? 0 : after[i] ^ cells[i];
    if (__builtin_expect(changed != 0, 0)) {
        after[taken] = cells[taken];
        look(after, cells, mine, at, false);
    }
}

/* Returns the shadow of the chunk of an offset in the views; null: its accesses are not checked. */
static inline struct mer_granule *find(uint64_t offset) {
    struct mer_shadow_recent *recent = &mer_shadow_recent[offset / MER_CHUNK % MER_SHADOW_RECENT];
    if (recent->chunk == offset / MER_CHUNK && recent->granules)
        return recent->granules;
    struct mer_granule *chunk = mer_shadow_make(offset);
    if (chunk == MER_SHADOW_NONE)
        return NULL;
    *recent = (struct mer_shadow_recent){offset / MER_CHUNK, chunk};
    return chunk;
}

void mer_race_access(uint64_t at, size_t n, enum mer_access kind, struct mer_caller caller) {
    unsigned me = (unsigned)mer_job.mythread;
    mer_race_access_by((struct mer_actor){me, mer_clock[me]}, at, n, kind, caller);
}

void mer_race_access_by(struct mer_actor actor, uint64_t at, size_t n, enum mer_access kind,
                        struct mer_caller caller) {
    uint64_t offset = at - MER_VIEW_BASE, end = offset + n;
    if (offset >= MER_VIEW_SIZE)
        return;
    uint64_t mine = (uint64_t)actor.thread << MER_CELL_THREAD_SHIFT |
                    (uint64_t)actor.interval << MER_CELL_CLOCK_SHIFT | kind;
    while (offset < end) {
        struct mer_granule *chunk = find(offset);
        if (!chunk)
            return;
        uint64_t chunk_end = (offset | (MER_CHUNK - 1)) + 1, stop = end < chunk_end ? end : chunk_end;
        while (offset < stop) {
            unsigned first = offset % 8,
                     count = stop - offset < 8 - first ? (unsigned)(stop - offset) : 8 - first;
            uint64_t mask = ((1ULL << count) - 1) << first;
            access_granule(&chunk[offset % MER_CHUNK / 8], mine | mask, offset + MER_VIEW_BASE, caller);
            offset += count;
        }
    }
}

/* From this size on, chunks that nobody has accessed get no shadow when they are freed. */
#define LARGE (1ULL << 20)

/* Checks the free of a granule, and marks it: `freed' is the cell for that. */
static void free_granule(struct mer_granule *granule, uint64_t freed, uint64_t at) {
    uint64_t cells[MER_SHADOW_CELLS];
    load(cells, granule);
    if (is_freed(cells))
        return;
    look(cells, NULL, freed | MER_CELL_MASK, at, true);
    /* Relaxed: the program orders a free after all accesses, or it has an error that is found by chance. */
    for (int i = 0; i < MER_SHADOW_CELLS; i++)
        __atomic_store_n(&granule->cell[i], i ? 0 : freed, __ATOMIC_RELAXED);
}

void mer_race_free(uint64_t at, size_t n, struct mer_caller caller) {
    uint64_t offset = at - MER_VIEW_BASE, end = offset + n, me = (uint64_t)mer_job.mythread;
    uint64_t cell = (uint64_t)mer_site_of(caller) << MER_CELL_SITE_SHIFT | me << MER_CELL_THREAD_SHIFT |
                    (uint64_t)mer_clock[me] << MER_CELL_CLOCK_SHIFT | MER_CELL_WRITE;
    for (uint64_t next; offset < end; offset = next) {
        next = (offset | (MER_CHUNK - 1)) + 1;
        struct mer_granule *chunk = n < LARGE ? mer_shadow_make(offset) : mer_shadow_chunk(offset);
        if (!chunk || chunk == MER_SHADOW_NONE)
            continue;
        uint64_t stop = end < next ? end : next;
        for (uint64_t i = offset; i < stop; i += 8)
            free_granule(&chunk[i % MER_CHUNK / 8], cell, MER_VIEW_BASE + i);
    }
}
