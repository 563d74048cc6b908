/* The barrier's algorithm; phase.h explains why it is correct. */
#include "sync/phase.h"

#include "base/wait.h"
#include "base/wrap.h"

#include <assert.h>

/* A node's count: the number of arrivals in the low bits, and above them the sum of the operations
 * (mer_phase_doing) of the threads below, as numbers.  At the root all threads do the same if the sum is this
 * thread's number times the number of threads.  If the threads do two different things, the sum certainly
 * differs from that.  If they do three or more, it can be equal by chance. */
#define ARRIVAL 1ULL
#define ARRIVALS_MASK 0x3fffULL
#define DOING_SHIFT 14

static_assert(MER_MAX_THREADS <= ARRIVALS_MASK, "the arrivals of all threads fit");
static_assert(MER_MAX_THREADS <= 1 << (64 - 32 - DOING_SHIFT), "the sum of what all do fits");

void mer_phase_init(struct mer_phase *p, struct mer_phase_shared *shared, int threads, int me) {
    mer_phase_init_hosts(p, shared, threads, me, 0, threads, NULL);
}

void mer_phase_init_hosts(struct mer_phase *p, struct mer_phase_shared *shared, int threads, int me,
                          int first, int here, void (*announce_remote)(const struct mer_phase *p)) {
    *p = (struct mer_phase){.shared = shared,
                            .threads = threads,
                            .me = me,
                            .first = first,
                            .here = here,
                            .number = mer_wrap_start,
                            .releases = mer_wrap_start,
                            .announce_remote = announce_remote};
    mer_event_begin((struct mer_event *)&shared->release, mer_wrap_start);
    mer_event_begin((struct mer_event *)&shared->slot[me].event, mer_wrap_start);
    uint32_t size = (uint32_t)here, start = 0;
    do {
        p->level_start[p->levels] = start;
        p->level_size[p->levels] = size;
        p->levels++;
        size = (size + MER_BARRIER_FAN_IN - 1) / MER_BARRIER_FAN_IN;
        start += size;
    } while (size > 1);
}

static struct mer_event *slot_event(const struct mer_phase *p, int t) {
    return (struct mer_event *)&p->shared->slot[t].event;
}

/* Count this thread's arrival in the tree; *last becomes true for the thread that completes the root.
 * Returns false if that thread finds that not all threads do the same. */
static bool climb(struct mer_phase *p, uint32_t doing, bool *last) {
    uint64_t sums = (uint64_t)doing << DOING_SHIFT;
    uint32_t index = (uint32_t)(p->me - p->first);
    for (int level = 0; level < p->levels; level++) {
        uint32_t node = index / MER_BARRIER_FAN_IN, first = node * MER_BARRIER_FAN_IN;
        uint32_t expected = p->level_size[level] - first;
        if (expected > MER_BARRIER_FAN_IN)
            expected = MER_BARRIER_FAN_IN;
        uint64_t *arrivals = &p->shared->node[p->level_start[level] + node].arrivals;
        /* Acquire-release, partner: the same addition by the others at this node. */
        uint64_t now = __atomic_add_fetch(arrivals, sums + ARRIVAL, __ATOMIC_ACQ_REL);
        if ((now & ARRIVALS_MASK) < expected)
            return true;
        /* Relaxed: ordered before the next phase by the release event, see phase.h. */
        __atomic_store_n(arrivals, 0, __ATOMIC_RELAXED);
        sums = now & ~ARRIVALS_MASK;
        index = node;
    }
    *last = true;
    return sums >> DOING_SHIFT == (uint64_t)doing * (uint64_t)p->threads;
}

void mer_phase_note(struct mer_phase_shared *shared, int thread, uint32_t number,
                    const struct mer_phase_entry *entry) {
    struct mer_phase_slot *slot = &shared->slot[thread];
    slot->entry[number & 1] = *entry;
    __atomic_store_n(&slot->event, number << 1, __ATOMIC_RELAXED); /* for messages only */
}

void mer_phase_arrived(struct mer_phase_shared *shared, uint32_t number, int count, int threads) {
    uint32_t *arrived = &shared->arrived[number & 1];
    /* Acquire-release, partner: the same addition by the others, whose entries have been written. */
    if (__atomic_add_fetch(arrived, (uint32_t)count, __ATOMIC_ACQ_REL) != (uint32_t)threads)
        return;
    __atomic_store_n(arrived, 0, __ATOMIC_RELAXED); /* ordered before phase number + 2 by the release event */
    mer_event_post((struct mer_event *)&shared->release, number);
}

bool mer_phase_announce(struct mer_phase *p, const struct mer_phase_entry *entry) {
    return mer_phase_announce_act(p, entry, NULL, NULL);
}

bool mer_phase_announce_act(struct mer_phase *p, const struct mer_phase_entry *entry, mer_phase_work *work,
                            void *context) {
    uint32_t n = ++p->number;
    if (!p->flags || work)
        p->releases++;
    struct mer_phase_slot *slot = &p->shared->slot[p->me];
    slot->entry[n & 1] = *entry;
    if (p->flags) {
        mer_event_post((struct mer_event *)&slot->event, n);
        return true;
    }
    /* For messages only; threads that wait in this phase wait for the release. */
    __atomic_store_n(&slot->event, n << 1, __ATOMIC_RELAXED);
    bool last = false, alike = climb(p, mer_phase_doing(entry->tag), &last);
    if (p->announce_remote) {
        if (last) {
            p->announce_remote(p);
            mer_phase_arrived(p->shared, n, p->here, p->threads);
        }
        return true;
    }
    if (last && alike) {
        uint64_t *before = mer_phase_consensus(p, n - 1);
        if (*before) /* plain: the additions of all are before, the release event is after */
            *before = 0;
        if (work)
            work(context);
        mer_phase_release(p);
    }
    return alike;
}

void mer_phase_release(struct mer_phase *p) {
    mer_event_post((struct mer_event *)&p->shared->release, p->releases);
}

void mer_phase_wait_release(struct mer_phase *p, const char *what) {
    mer_event_wait((struct mer_event *)&p->shared->release, p->releases, what);
}

bool mer_phase_wait_release_for(struct mer_phase *p, uint64_t nanoseconds) {
    return mer_event_wait_for((struct mer_event *)&p->shared->release, p->releases, nanoseconds);
}

void mer_phase_gather(struct mer_phase *p, const char *what) {
    for (int t = p->me + 1; t < p->threads; t++)
        mer_event_wait(slot_event(p, t), p->number, what);
    for (int t = 0; t < p->me; t++)
        mer_event_wait(slot_event(p, t), p->number, what);
}

void mer_phase_wait(struct mer_phase *p, const char *what) {
    if (p->flags)
        mer_phase_gather(p, what);
    else
        mer_phase_wait_release(p, what);
}

int mer_phase_ahead(const struct mer_phase *p, int t) { return mer_event_ahead(slot_event(p, t), p->number); }
