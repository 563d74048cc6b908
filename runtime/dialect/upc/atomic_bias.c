/* A biased lock on the objects of atomics, if a process has the one UPC thread of its host.
 *
 * Two POSIX threads change objects there: the UPC thread, in its operations on own objects and in the
 * handlers that it runs, and the progress thread, in handlers that it runs while the UPC thread computes.
 * Handlers run one at a time, under the lock of the transport's end.  A locked instruction costs some 20
 * cycles, ten times as much as the rest of the work on an element of a histogram.  So the lock is biased
 * towards the UPC thread, which acquires and releases it by plain stores (meridian/abi/atomic.h), and omits
 * the instructions' lock prefix meanwhile.
 *
 * The progress thread revokes the bias before it changes the first object, and does not give it back: the UPC
 * thread, which finds it revoked, uses locked instructions, as the progress thread does.  So neither waits
 * for the other, except for the few instructions in which the lock is held when it is revoked.  When the UPC
 * thread has done many operations with locked instructions, it takes the bias back, under the lock of the
 * end: no handler runs then, and the next one of the progress thread revokes the bias again.
 *
 * Between the store to `held' and the load of `revoked' there has to be a full fence, and likewise between
 * the store to `revoked' and the load of `held'.  The thread that revokes has the kernel execute both
 * (membarrier).  If the kernel does not, nothing is biased.  runtime/tests/model/atomic_bias.pml checks it.
 *
 * POSIX threads that the program has made may do operations on own objects too.  The first of these ends the
 * bias for good. */
#include "dialect/upc/atomic.h"

#include "am/state.h"
#include "base/fatal.h"
#include "host/job.h"

#include <sched.h>

#define OPERATIONS 256 /* of the UPC thread before it takes the bias back */

/* Stays revoked in the program's other POSIX threads, and if nothing is biased. */
_Thread_local struct mer_atomic_bias mer_atomic_bias = {.revoked = 1};

static struct {
    struct mer_atomic_bias *owner; /* the UPC thread's; null if nothing is biased; constant once it is set */
    bool ended;                    /* for good; written under the end's lock, atomic */
    unsigned operations; /* with a locked instruction since the bias was revoked; the UPC thread's */
} bias;

static bool owns(void) { return bias.owner == &mer_atomic_bias; }
static bool has_ended(void) { return __atomic_load_n(&bias.ended, __ATOMIC_RELAXED); }

void mer_atomic_bias_start(void) {
    bool alone = mer_transport && mer_job.here == 1 && !mer_am.progress;
    if (!bias.owner && alone && mer_rows_fence_all(mer_transport_rows(mer_transport)))
        bias.owner = &mer_atomic_bias;
}

/* Revokes the bias.  Called under the end's lock, by another POSIX thread than the owner. */
static void revoke(void) {
    if (__atomic_load_n(&bias.owner->revoked, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&bias.owner->revoked, 1, __ATOMIC_RELAXED);
    if (!mer_rows_fence_all(mer_transport_rows(mer_transport)))
        mer_fatal("the kernel no longer executes fences in the threads of this process (membarrier)");
    /* Acquire, partner: the release of the lock; the changes made under it are there. */
    while (__atomic_load_n(&bias.owner->held, __ATOMIC_ACQUIRE))
        sched_yield();
}

bool mer_atomic_bias_for_handler(void) {
    if (!bias.owner)
        return false;
    if (owns())
        return !has_ended();
    revoke();
    return false;
}

static __attribute__((noinline, cold)) void end_bias(void) {
    bool guarded = mer_transport_guard(mer_transport);
    revoke();
    __atomic_store_n(&bias.ended, true, __ATOMIC_RELAXED);
    mer_transport_unguard(mer_transport, guarded);
}

void mer_atomic_bias_elsewhere(void) {
    if (bias.owner && !owns() && !has_ended())
        end_bias();
}

/* Release, partner: the acquire of `revoked' in mer_atomic_change; the changes made by handlers are there. */
static __attribute__((noinline)) void take_back(void) {
    bool guarded = mer_transport_guard(mer_transport);
    if (!has_ended())
        __atomic_store_n(&mer_atomic_bias.revoked, 0, __ATOMIC_RELEASE);
    mer_transport_unguard(mer_transport, guarded);
}

void mer_atomic_own(mer_u64 bits, mer_u64 operand, unsigned kind, unsigned op) {
    mer_atomic_bias_elsewhere();
    mer_atomic_table[kind][__builtin_ctz(op)](NULL, NULL, mer_at(bits), &operand, NULL);
    if (owns() && ++bias.operations % OPERATIONS == 0 && !has_ended())
        take_back();
}
