/* Small data between threads without barriers: each thread owns a ring of slots, and puts the data of the
 * n-th step for other threads into slot n.
 *
 * All threads count the steps alike (mer_ring_begin).  In a step any of them may post its own slot, with or
 * without data, and wait for any other thread's.  A thread that only posts never waits for the readers, and
 * may run ahead of them by up to MER_RING_DEPTH / 2 steps: with more threads than cores this saves a switch
 * of context a call.  Up to MER_RING_INLINE bytes of data lie in the line of the event on which readers wait,
 * so that they come with it; more lie apart, so that the lines of all slots fill one page.
 *
 * Why a slot is not overwritten while somebody may read it: at every step whose number is a multiple of
 * H = MER_RING_DEPTH / 2 each thread posts that number in its drained event, which says that it has
 * finished all earlier steps.  A thread that fills the slot of step n overwrites the data of step n - 2H,
 * after the drained events of all threads have reached H * (n / H) - H, which is greater than n - 2H.  It
 * waits only for threads at least one step behind it, so there is no cycle of waits.
 *
 * Steps are compared by their difference (base/wrap.h), but a thread may post no slot for any number of
 * steps.  So at every step whose number is a multiple of MER_RING_RENEW each thread first waits until the
 * others are at most MER_RING_RENEW steps behind it.  It then posts the numbers of the last MER_RING_DEPTH
 * steps in those of its slots that it has not posted in them, for which nobody waits.
 */
#ifndef MER_COLL_RING_H
#define MER_COLL_RING_H

#include "base/wait.h"

#include <stddef.h>
#include <stdint.h>

#define MER_RING_DEPTH 64
#define MER_RING_INLINE 48  /* bytes of data that lie in the slot */
#define MER_RING_BYTES 4096 /* most bytes of data */
#define MER_RING_RENEW (1U << 24)

struct mer_ring_slot {
    _Alignas(64) struct mer_event event; /* posted with the step's number */
    uint32_t tag;                        /* for the caller's use, as data is */
    _Alignas(16) unsigned char data[MER_RING_INLINE];
};

/* Begin the next step and return its number.  All threads. */
uint32_t mer_ring_begin(void);

/* Returns the own slot of this step, to be filled; waits until it may be overwritten. */
struct mer_ring_slot *mer_ring_fill(uint32_t step, const char *name);

/* Post the own slot: it is filled or, without an earlier mer_ring_fill, this thread has come to this point of
 * the step.  At most once a step. */
void mer_ring_post(uint32_t step);

/* Waits until t has posted its slot in this step and returns that slot, valid until this thread begins the
 * next step. */
const struct mer_ring_slot *mer_ring_wait(int t, uint32_t step, const char *name);

/* Returns the place of n <= MER_RING_BYTES bytes of data that belong to thread t's slot, under the rules for
 * the slot. */
void *mer_ring_data(int t, uint32_t step, size_t n);

/* Returns thread t's slot of this step without waiting: after a barrier that followed the post. */
struct mer_ring_slot *mer_ring_slot(int t, uint32_t step);

#endif
