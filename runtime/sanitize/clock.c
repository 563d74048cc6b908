/* See clock.h.
 *
 * The barrier.  Each thread publishes its clock before it notifies, in the array of the phase's parity, and
 * after the wait all learn all of them.  An array is written again two phases later, when every thread has
 * left the wait of the phase before and so has read it.
 *
 * A cell has 20 bits for a clock.  When a thread comes to a barrier with half of that, all threads empty
 * the shadow and begin again with clock 1: the barrier orders all earlier accesses before all later ones.
 * A thread that reaches the end without a barrier keeps its last clock, and so does one with a million
 * transfers: races may be missed then, but none is invented.  Accesses between a notify and its wait are
 * missed by that barrier alone. */
#include "sanitize/clock.h"

#include "host/job.h"
#include "sanitize/region.h"
#include "sync/barrier.h"

#include <stdbool.h>
#include <string.h>

#define BUCKETS (1U << 14)

struct object {
    uint64_t name;
    struct object *next;
    uint32_t clock[]; /* of all threads */
};

struct bucket {
    struct mer_region_lock lock;
    struct object *objects;
};

struct mer_clocks {
    struct bucket bucket[BUCKETS];
    uint32_t at_barrier[2][MER_CELL_THREAD_MOST];
};

uint32_t mer_clock[MER_CELL_THREAD_MOST];
uint64_t mer_clock_epoch;
static unsigned phase;                     /* the parity of the barrier's phase */
static bool writes_relaxed;                /* this thread has done relaxed atomic writes */
static uint32_t fenced;                    /* then: its clock at the last fence */
static uint32_t met[MER_CELL_THREAD_MOST]; /* found by relaxed atomic reads since then */
static bool has_met;
static uint32_t transfers; /* the last transfer's interval */

unsigned mer_transfer_thread(void) { return (unsigned)(mer_job.threads + mer_job.mythread); }

/* The entries of a clock that are used. */
static size_t entries(void) { return 2 * (size_t)mer_job.threads; }

void mer_clock_new(void) { mer_region->clocks = mer_region_take(sizeof(struct mer_clocks)); }

/* Begins the interval `clock' of this thread. */
static void begin(uint32_t clock) {
    mer_clock[mer_job.mythread] = clock;
    mer_clock_epoch = (uint64_t)mer_job.mythread << MER_CELL_THREAD_SHIFT | (uint64_t)clock
                                                                                << MER_CELL_CLOCK_SHIFT;
}

void mer_clock_start(void) { begin(1); }

/* Ends this thread's interval. */
static void advance(void) {
    if (mer_clock[mer_job.mythread] < MER_CELL_CLOCK_MOST)
        begin(mer_clock[mer_job.mythread] + 1);
}

static void join(uint32_t *into, const uint32_t *from) {
    for (size_t t = 0; t < entries(); t++)
        into[t] = from[t] > into[t] ? from[t] : into[t];
}

static struct bucket *bucket_of(uint64_t name) {
    return &mer_region->clocks->bucket[(name * 0x9e3779b97f4a7c15ULL) >> 50];
}

/* Returns the sync object in its locked bucket; if there is none, null or a new one. */
static struct object *find(struct bucket *bucket, uint64_t name, bool make) {
    struct object *object = bucket->objects;
    while (object && object->name != name)
        object = object->next;
    if (!object && make) {
        object = mer_region_take(sizeof *object + entries() * sizeof *object->clock);
        object->name = name;
        object->next = bucket->objects;
        bucket->objects = object;
    }
    return object;
}

static void give(uint64_t name, const uint32_t *clock) {
    struct bucket *bucket = bucket_of(name);
    mer_region_lock(&bucket->lock);
    join(find(bucket, name, true)->clock, clock);
    mer_region_unlock(&bucket->lock);
}

static bool take(uint64_t name, uint32_t *clock) {
    struct bucket *bucket = bucket_of(name);
    mer_region_lock(&bucket->lock);
    struct object *object = find(bucket, name, false);
    if (object)
        join(clock, object->clock);
    mer_region_unlock(&bucket->lock);
    return object;
}

void mer_clock_release(uint64_t name) {
    give(name, mer_clock);
    advance();
}

void mer_clock_acquire(uint64_t name) { take(name, mer_clock); }

void mer_clock_fence(void) {
    if (has_met) {
        join(mer_clock, met);
        memset(met, 0, entries() * sizeof *met);
        has_met = false;
    }
    if (writes_relaxed) {
        fenced = mer_clock[mer_job.mythread];
        advance();
    }
}

/* All that the thread has learned since its last fence is released too, and before its first relaxed write
 * all that it has done: races may be missed then, but none is invented. */
void mer_clock_release_relaxed(uint64_t name) {
    uint32_t *own = &mer_clock[mer_job.mythread], now = *own;
    if (!writes_relaxed) {
        writes_relaxed = true;
        fenced = now;
        advance();
        now = *own;
    }
    *own = fenced;
    give(name, mer_clock);
    *own = now;
}

void mer_clock_acquire_relaxed(uint64_t name) { has_met |= take(name, met); }

uint32_t mer_clock_transfer_begin(void) {
    if (transfers < MER_CELL_CLOCK_MOST)
        transfers++;
    return transfers;
}

void mer_clock_transfer_end(uint32_t interval) {
    uint32_t *known = &mer_clock[mer_transfer_thread()];
    if (interval > *known)
        *known = interval;
}

void mer_clock_forget(uint64_t name) {
    struct bucket *bucket = bucket_of(name);
    mer_region_lock(&bucket->lock);
    struct object *object = find(bucket, name, false);
    if (object)
        memset(object->clock, 0, entries() * sizeof *object->clock);
    mer_region_unlock(&bucket->lock);
}

void mer_clock_notify(void) {
    uint32_t *published = mer_region->clocks->at_barrier[phase];
    mer_clock_fence();
    /* Relaxed: the barrier itself orders these before the reads in mer_clock_wait. */
    __atomic_store_n(&published[mer_job.mythread], mer_clock[mer_job.mythread], __ATOMIC_RELAXED);
    __atomic_store_n(&published[mer_transfer_thread()], mer_clock[mer_transfer_thread()], __ATOMIC_RELAXED);
    advance();
}

/* All threads of the job begin again.  Every thread of the host comes here in the same phase. */
static void begin_again(void) {
    static const char name[] = "the clocks of -fsanitize=pgas";
    mer_barrier_host(name);
    if (mer_job.mythread == mer_job.here_first) {
        mer_shadow_clear_all();
        for (unsigned i = 0; i < BUCKETS; i++)
            for (struct object *o = mer_region->clocks->bucket[i].objects; o; o = o->next)
                memset(o->clock, 0, entries() * sizeof *o->clock);
    }
    memset(mer_clock, 0, (size_t)mer_job.threads * sizeof *mer_clock);
    writes_relaxed = false;
    memset(met, 0, sizeof met);
    has_met = false;
    mer_clock_start();
    mer_barrier_host(name);
}

void mer_clock_all_sync(const char *name) {
    mer_clock_notify();
    mer_barrier_host(name);
    mer_clock_wait();
}

void mer_clock_wait(void) {
    const uint32_t *published = mer_region->clocks->at_barrier[phase];
    uint32_t most = 0;
    for (size_t t = 0; t < entries(); t++) {
        uint32_t clock = __atomic_load_n(&published[t], __ATOMIC_RELAXED);
        if (t < (size_t)mer_job.threads && clock > most)
            most = clock;
        if (clock > mer_clock[t])
            mer_clock[t] = clock;
    }
    phase ^= 1;
    if (most > MER_CELL_CLOCK_MOST / 2)
        begin_again();
}
