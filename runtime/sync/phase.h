/* The barrier's algorithm, by itself: no job, no messages, so that tests run it among threads of one process
 * and under the thread sanitizer, and tests/model states it for a model checker.
 *
 * A phase is one passage of the barrier by all threads, numbered from 1.  A thread first announces itself in
 * the phase (upc_notify), then waits until all have (upc_wait).  Announcing never waits, and waiting needs
 * nothing of the others but that they announce, as UPC 6.6.1.3 asks: no thread has to come to its upc_wait
 * for another's to complete.  This rules out dissemination and every other algorithm in which waiters relay.
 *
 * Two algorithms share the announcements (struct mer_phase_slot, one line a thread):
 *
 *   flags  Each thread posts the phase's number in its own slot, and waits for every other slot.  One line
 *          moves between any two threads, which for two threads is the least possible; the cost of waiting
 *          grows with their number, so this is for up to MER_PHASE_FLAGS threads that have a core each.
 *   tree   Announcements are counted in a tree of nodes.  The thread that completes a node counts in the node
 *          above; the one that completes the root posts the release event, which wakes all sleepers with one
 *          call of the kernel.
 *          Each thread sleeps at most once a phase, which is what counts with more threads than cores.
 *
 * Threads on several hosts.  Each host has a shared part of its own, in which it keeps the entries of all
 * threads of the job.  Its own threads go through the tree.  The thread that completes the root sends their
 * entries to the other hosts (`announce_remote', am/barrier.c), each of which keeps the entries and counts
 * the threads (mer_phase_arrived).  The thread or handler that completes the count on a host posts the
 * release event there.  A handler that also runs while the thread computes takes what arrives and, where
 * there are many hosts, passes it on.  So here too waiting needs nothing of the others but their
 * announcements. There are two counts, by the phase's parity: host B may announce n + 1 while A lacks C's
 * announcement of n, but not n + 2, for which A has to announce n + 1, and so to have released n.  For the
 * same reason the count of n may be cleared before the release of n is posted: the next to be added there is
 * of n + 2.  Modelled in tests/model/phase_hosts.pml.
 *
 * Why two entries a slot are enough (flags and tree): thread u writes the entry of phase n + 2, which lies in
 * the same place as that of phase n, only after its wait of phase n + 1, that is, after every thread v has
 * announced n + 1; v reads the entries of phase n only between its announcements of n and n + 1.  Therefore
 * no entry is overwritten while somebody may still read it.
 *
 * Why a tree node may be cleared by the thread that completes it: the next announcement at that node is for
 * phase n + 1, which its thread makes after the release of phase n, which is posted after all nodes were
 * cleared.  The order is carried upwards by the acquire-release additions and down by the release event.
 *
 * The release event is numbered by releases, not by phases: with flags most phases have none, and an event
 * may not be left behind (base/wrap.h).  All threads count the same, since a phase releases if it is the
 * tree's or if it has work, which all ask for.  With several hosts it is always the tree, and the two numbers
 * are equal.
 *
 * Memory order: what a thread wrote before it announced is seen by every thread whose wait is over.
 * flags: the exchange in mer_event_post against the acquire load in mer_event_reached.  tree: the same pair
 * on the release event, to which the additions at the nodes carry every announcer's writes.  Between hosts
 * memory is not shared: what a thread has put on other hosts is acknowledged before it announces
 * (sync/barrier.c).
 */
#ifndef MER_SYNC_PHASE_H
#define MER_SYNC_PHASE_H

#include "host/control.h"

#include <stdbool.h>
#include <stdint.h>

#define MER_PHASE_FLAGS 4 /* most threads for which flags are used */

/* What a thread does in the phase; two threads that do different things in one phase have lost each other. */
enum mer_phase_kind { MER_PHASE_STATEMENT = 0, MER_PHASE_COLLECTIVE = 1, MER_PHASE_FINISH = 2 };
#define MER_PHASE_KIND_MASK 3U
#define MER_PHASE_HAS_VALUE 4U
/* Above them the number of a collective call; threads in different calls have lost each other, too. */
#define MER_PHASE_CALL_SHIFT 8

/* What a thread does, of an entry's tag: equal in all threads of a phase. */
static inline uint32_t mer_phase_doing(uint32_t tag) { return tag & ~MER_PHASE_HAS_VALUE; }

/* One thread's view of the barrier; private to it. */
struct mer_phase {
    struct mer_phase_shared *shared; /* of this host */
    int threads, me;
    int first, here; /* the threads of this host: first ... first + here - 1 */
    bool flags;      /* the algorithm; all threads change it in the same phase; never with several hosts */
    /* Several hosts: give the entries of this host's threads in phase `number' to all other hosts. */
    void (*announce_remote)(const struct mer_phase *p);
    uint32_t number;   /* of the phase last announced */
    uint32_t releases; /* of the release that this thread waits for: phases and, with flags, work for all */
    int levels;
    uint32_t level_start[8]; /* index of a level's first node */
    uint32_t level_size[8];  /* how many arrive at a level in all */
};

void mer_phase_init(struct mer_phase *p, struct mer_phase_shared *shared, int threads, int me);
/* The same for thread `me' of a job of which threads first ... first + here - 1 are on this host. */
void mer_phase_init_hosts(struct mer_phase *p, struct mer_phase_shared *shared, int threads, int me,
                          int first, int here, void (*announce_remote)(const struct mer_phase *p));

/* Several hosts: an entry of another host's thread has come; before mer_phase_arrived. */
void mer_phase_note(struct mer_phase_shared *shared, int thread, uint32_t number,
                    const struct mer_phase_entry *entry);
/* Several hosts: `count' threads, of `threads', have announced phase `number' and their entries are here.  By
 * any thread or handler of the host. */
void mer_phase_arrived(struct mer_phase_shared *shared, uint32_t number, int count, int threads);

/* Announce the next phase. False: this thread completed the tree and not all threads do the same (with flags,
 * and with several hosts, comparing the entries finds that). */
bool mer_phase_announce(struct mer_phase *p, const struct mer_phase_entry *entry);

/* On one host only: a piece of work that one thread does for all, when all have announced the phase and
 * before any has left it: half the crossings of a barrier, the work, and a barrier.  All threads of a phase
 * have to ask for it.  In the tree the thread that completes the root does it, with flags thread `lead`, and
 * the release event, which flags do not use otherwise, tells the others.  What it writes is seen by all after
 * their wait: the release event again.
 *
 * mer_phase_announce_act announces and, in the tree, may do the work at once; mer_phase_gather, with flags on
 * the lead alone, waits for the others, after which the lead may compare entries, does the work and calls
 * mer_phase_release; all others call mer_phase_wait_release. */
typedef void mer_phase_work(void *context);
bool mer_phase_announce_act(struct mer_phase *p, const struct mer_phase_entry *entry, mer_phase_work *work,
                            void *context);
void mer_phase_gather(struct mer_phase *p, const char *what);
void mer_phase_release(struct mer_phase *p);
void mer_phase_wait_release(struct mer_phase *p, const char *what);

/* Wait until all threads have announced the phase that this thread announced last. */
void mer_phase_wait(struct mer_phase *p, const char *what);
/* The same without flags; false: not within about so long. */
bool mer_phase_wait_release_for(struct mer_phase *p, uint64_t nanoseconds);

/* Thread t's entry in the current phase; after mer_phase_wait. */
static inline const struct mer_phase_entry *mer_phase_entry(const struct mer_phase *p, int t) {
    return &p->shared->slot[t].entry[p->number & 1];
}

/* How many phases thread t has announced that this one has not; negative: how many it has yet to announce.
 * For messages: may lag. */
int mer_phase_ahead(const struct mer_phase *p, int t);

/* The value that all give in this phase, and whether one has (sync/barrier.c).  Free again after it. */
static inline uint64_t *mer_phase_consensus(const struct mer_phase *p, uint32_t number) {
    return &p->shared->consensus[number & 1];
}

#endif
