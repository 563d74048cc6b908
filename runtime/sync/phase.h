/* The barrier's algorithm by itself, without job and messages.  So tests run it among threads of one process
 * and under the thread sanitizer, and tests/model states it for a model checker.
 *
 * A phase is one passage of the barrier by all threads, numbered from 1.  A thread first announces itself in
 * the phase (upc_notify), then waits until all have (upc_wait).  Announcing never waits, and waiting needs
 * only the announcements of the others, as UPC 6.6.1.3 requires: no thread has to come to its upc_wait for
 * another's to complete.  This excludes dissemination and every other algorithm in which waiters relay.
 *
 * Two algorithms share the announcements (struct mer_phase_slot, one line for each thread):
 *
 *   flags  Each thread posts the phase's number in its own slot, and waits for every other slot.  One line
 *          moves between any two threads, which is the minimum for two threads.  The cost of waiting grows
 *          with the number of threads, so this is for up to MER_PHASE_FLAGS threads that have a core each.
 *   tree   Announcements are counted in a tree of nodes.  The thread that completes a node counts in the node
 *          above.  The one that completes the root posts the release event, which wakes all sleepers with one
 *          call of the kernel.  Each thread sleeps at most once in a phase; with more threads than cores this
 *          decides the cost.
 *
 * Threads on several hosts.  Each host has its own shared part, in which it keeps the entries of all threads
 * of the job.  Its own threads go through the tree.  The thread that completes the root sends their entries
 * to the other hosts (`announce_remote', sync/announce.c), each of which keeps the entries and counts the
 * threads (mer_phase_arrived).  The thread or handler that completes the count on a host posts the release
 * event there.  A handler that also runs while the thread computes takes arriving entries and, if there are
 * many hosts, passes them on.  So here too waiting needs only the announcements of the others.
 *
 * There are two counts, by the phase's parity.  Host B may announce n + 1 while A lacks C's announcement of
 * n, but not n + 2: for this A must have announced n + 1, and so have released n.  For the same reason the
 * count of n may be cleared before the release of n is posted: the next addition to it is for n + 2.
 * Modelled in tests/model/phase_hosts.pml.
 *
 * Why two entries in a slot are enough (flags and tree): the entries of phases n and n + 2 are in the same
 * place.  Thread u writes the entry of phase n + 2 only after its wait of phase n + 1, that is, after every
 * thread v has announced n + 1.  v reads the entries of phase n only between its announcements of n and
 * n + 1.  Therefore no entry is overwritten while a thread may still read it.
 *
 * Why the thread that completes a tree node may clear it: the next announcement at that node is for phase
 * n + 1.  Its thread makes it after the release of phase n, which is posted after all nodes were cleared.
 * The acquire-release additions carry this order up the tree, and the release event carries it down.
 *
 * The release event is numbered by releases, not by phases: with flags most phases have no release, and an
 * event may not be left behind (base/wrap.h).  All threads count the same number, because a phase releases if
 * it uses the tree or if it has work, for which all threads ask.  Several hosts always use the tree, and then
 * the two numbers are equal.
 *
 * Memory order: a thread's writes from before its announcement are visible to every thread whose wait is
 * over.  flags: the exchange in mer_event_post against the acquire load in mer_event_reached.  tree: the same
 * pair on the release event, to which the additions at the nodes carry every announcer's writes.  Between
 * hosts memory is not shared: a thread's writes to other hosts are acknowledged before it announces
 * (sync/barrier.c).
 */
#ifndef MER_SYNC_PHASE_H
#define MER_SYNC_PHASE_H

#include "host/control.h"

#include <stdbool.h>
#include <stdint.h>

#define MER_PHASE_FLAGS 4 /* most threads for which flags are used */

/* The operation of a thread in the phase.  Two threads with different operations in one phase are an
 * error. */
enum mer_phase_kind { MER_PHASE_STATEMENT = 0, MER_PHASE_COLLECTIVE = 1, MER_PHASE_FINISH = 2 };
#define MER_PHASE_KIND_MASK 3U
#define MER_PHASE_HAS_VALUE 4U
/* The bits above hold the number of a collective call; threads in different calls are an error too. */
#define MER_PHASE_CALL_SHIFT 8

/* Returns the operation and call from an entry's tag: equal in all threads of a phase. */
static inline uint32_t mer_phase_doing(uint32_t tag) { return tag & ~MER_PHASE_HAS_VALUE; }

/* A thread's private state of the barrier. */
struct mer_phase {
    struct mer_phase_shared *shared; /* of this host */
    int threads, me;
    int first, here; /* the threads of this host: first ... first + here - 1 */
    bool flags;      /* not the tree; all threads change it in the same phase; false with several hosts */
    /* Several hosts: send the entries of this host's threads in phase `number' to all other hosts. */
    void (*announce_remote)(const struct mer_phase *p);
    uint32_t number;   /* of the last announced phase */
    uint32_t releases; /* of the release that this thread waits for; with flags, phases with work */
    int levels;
    uint32_t level_start[8]; /* index of a level's first node */
    uint32_t level_size[8];  /* the number of arrivals at a level, over all its nodes */
};

void mer_phase_init(struct mer_phase *p, struct mer_phase_shared *shared, int threads, int me);
/* Like mer_phase_init, for thread `me' of a job of which threads first ... first + here - 1 are on this
 * host. */
void mer_phase_init_hosts(struct mer_phase *p, struct mer_phase_shared *shared, int threads, int me,
                          int first, int here, void (*announce_remote)(const struct mer_phase *p));

/* Several hosts: store an entry of another host's thread; before mer_phase_arrived. */
void mer_phase_note(struct mer_phase_shared *shared, int thread, uint32_t number,
                    const struct mer_phase_entry *entry);
/* Several hosts: count `count' threads, of `threads', that have announced phase `number' and whose entries
 * are here.  Called by any thread or handler of the host. */
void mer_phase_arrived(struct mer_phase_shared *shared, uint32_t number, int count, int threads);

/* Announce the next phase.  Returns false if this thread completed the tree and not all threads do the same.
 * (With flags, and with several hosts, the comparison of the entries finds that.) */
bool mer_phase_announce(struct mer_phase *p, const struct mer_phase_entry *entry);

/* On one host only: work that one thread does for all, when all have announced the phase and before any has
 * left it.  This needs half the crossings of two barriers, one before the work and one after it.  All threads
 * of a phase must ask for it.  In the tree, the thread that completes the root does the work; with flags,
 * thread `lead'.  The release event, which flags do not use otherwise, tells the others.  All see the writes
 * of the work after their wait: the release event again.
 *
 * mer_phase_announce_act announces and, in the tree, may do the work at once.  With flags, the lead calls
 * mer_phase_gather, which waits for the others; then it may compare entries, does the work and calls
 * mer_phase_release.  All others call mer_phase_wait_release. */
typedef void mer_phase_work(void *context);
bool mer_phase_announce_act(struct mer_phase *p, const struct mer_phase_entry *entry, mer_phase_work *work,
                            void *context);
void mer_phase_gather(struct mer_phase *p, const char *what);
void mer_phase_release(struct mer_phase *p);
void mer_phase_wait_release(struct mer_phase *p, const char *what);

/* Wait until all threads have announced the phase that this thread announced last. */
void mer_phase_wait(struct mer_phase *p, const char *what);
/* Like mer_phase_wait, for the tree.  Returns false if the phase is not over after about `nanoseconds'. */
bool mer_phase_wait_release_for(struct mer_phase *p, uint64_t nanoseconds);

/* Returns thread t's entry in the current phase; after mer_phase_wait. */
static inline const struct mer_phase_entry *mer_phase_entry(const struct mer_phase *p, int t) {
    return &p->shared->slot[t].entry[p->number & 1];
}

/* Returns the number of phases that thread t has announced and this one has not; negative if this thread is
 * ahead.  For messages: may lag. */
int mer_phase_ahead(const struct mer_phase *p, int t);

/* Returns the word for the value that all threads give in this phase, and whether one has (sync/barrier.c).
 * The word is free again after the phase. */
static inline uint64_t *mer_phase_consensus(const struct mer_phase *p, uint32_t number) {
    return &p->shared->consensus[number & 1];
}

#endif
