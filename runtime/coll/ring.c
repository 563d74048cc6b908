/* The threads' rings of slots; ring.h has the argument.  The slots lie in the threads' scratch memory, the
 * drained events in the control block. */
#include "coll/ring.h"

#include "host/job.h"
#include "host/layout.h"
#include "sync/barrier.h"

#include <assert.h>

#define HALF (MER_RING_DEPTH / 2)

/* A thread's scratch memory: the slots, then the data that lie apart. */
struct ring {
    struct mer_ring_slot slot[MER_RING_DEPTH];
    unsigned char apart[MER_RING_DEPTH][MER_RING_BYTES];
};
static_assert(sizeof(struct mer_ring_slot) == 64, "a slot is a line");
static_assert(sizeof(struct ring) <= MER_SCRATCH_SIZE, "the ring fits");

static struct {
    uint64_t steps;   /* begun */
    uint64_t cleared; /* slots of all steps before this one may be overwritten */
} self;               /* of this thread, the only one of this process */

static struct mer_event *drained(int t) { return mer_coll_words(t); }

struct mer_ring_slot *mer_ring_slot(int t, uint32_t step) {
    return &((struct ring *)mer_scratch(t))->slot[step % MER_RING_DEPTH];
}

void *mer_ring_data(int t, uint32_t step, size_t n) {
    struct ring *ring = mer_scratch(t);
    return n <= MER_RING_INLINE ? ring->slot[step % MER_RING_DEPTH].data : ring->apart[step % MER_RING_DEPTH];
}

/* Waits until all threads have finished the steps before this one. */
static void wait_drained(uint64_t step, const char *name) {
    for (int i = 1; i < mer_job.threads; i++)
        mer_event_wait(drained((mer_job.mythread + i) % mer_job.threads), (uint32_t)step, name);
}

/* Bring up to date the own slots of the last steps, all of which this thread has passed. */
static void renew(void) {
    wait_drained(self.steps - MER_RING_RENEW, "a collective call");
    for (uint32_t step = (uint32_t)self.steps - MER_RING_DEPTH; step != (uint32_t)self.steps; step++)
        if (!mer_event_reached(&mer_ring_slot(mer_job.mythread, step)->event, step))
            mer_ring_post(step);
}

/* The first step of a test that starts its counters late (base/wrap.h): all slots count as posted before it.
 */
static void begin_late(void) {
    self.steps = mer_wrap_start;
    mer_event_begin(drained(mer_job.mythread), mer_wrap_start);
    for (uint32_t i = 0; i < MER_RING_DEPTH; i++)
        mer_event_begin(&mer_ring_slot(mer_job.mythread, i)->event, mer_wrap_start);
    mer_barrier_host("a collective call");
}

uint32_t mer_ring_begin(void) {
    if (__builtin_expect(self.steps == 0 && mer_wrap_start, 0))
        begin_late();
    self.steps++;
    if (self.steps % HALF == 0) /* release, partner: mer_event_wait in wait_drained */
        mer_event_post(drained(mer_job.mythread), (uint32_t)self.steps);
    if (__builtin_expect(self.steps % MER_RING_RENEW == 0, 0))
        renew();
    return (uint32_t)self.steps;
}

struct mer_ring_slot *mer_ring_fill(uint32_t step, const char *name) {
    if (self.steps >= self.cleared) {
        uint64_t half = self.steps / HALF * HALF;
        wait_drained(half - HALF, name);
        self.cleared = half + HALF;
    }
    return mer_ring_slot(mer_job.mythread, step);
}

void mer_ring_post(uint32_t step) { mer_event_post(&mer_ring_slot(mer_job.mythread, step)->event, step); }

const struct mer_ring_slot *mer_ring_wait(int t, uint32_t step, const char *name) {
    struct mer_ring_slot *slot = mer_ring_slot(t, step);
    mer_event_wait(&slot->event, step, name);
    return slot;
}
