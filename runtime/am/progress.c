/* The progress thread of a job on one host with MERIDIAN_REFERENCE=1: it serves requests for this thread's
 * memory while the thread computes, as the transport's does between hosts (transport/progress.c).
 *
 * Messages between threads of a host come by the receive rings, which one POSIX thread at a time may read.
 * Here two POSIX threads read them under a lock: the thread in its polls and waits, and the progress thread
 * if the thread has not polled for a while.  The progress thread runs memory handlers (transport/handlers.h),
 * and defers all other messages, which the thread runs in its next poll, before those in the rings.  So
 * messages of each of the two classes keep their order.
 *
 * The lock is two flags.  A POSIX thread that wants it sets its own flag, then looks at the other's, and
 * clears its own if that is set: if both do so at the same time, at least one sees the other's flag.  Between
 * the two steps there has to be a full fence.  The thread polls often, and the progress thread seldom wants
 * the lock.  So if the kernel can make the thread's core execute a fence (membarrier), the progress thread
 * has it do so, and the thread needs a fence for the compiler alone.  Either the thread's write of its flag
 * is before the kernel's fence, and the progress thread sees it; or the thread's read of the other flag is
 * after that fence, and sees the flag that was set before.  Both may clear their flags at the same time; the
 * progress thread tries again at the latest after a nap, so no message stays.  Modelled in
 * tests/model/reference_lock.pml.
 *
 * Only a service (am/call.c) waits for the lock; for all other purposes its holder does the work.  The
 * progress thread may wait, with the lock, for a place in another thread's ring of replies: that thread, or
 * its progress thread, takes replies during all its own waits, until MOST of them are deferred.  Then that
 * progress thread leaves them in the ring, and goes on when its thread polls.
 */
#include "am/progress.h"

#include "am/state.h"

#include "base/fatal.h"
#include "base/system.h"
#include "base/wait.h"
#include "transport/deferred.h"
#include "transport/progress.h"
#include "transport/receive_ring.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BUSY_TURNS 50 /* without a message, before the next nap */
#define MOST 1024     /* messages of each way that may be deferred */

static struct {
    pthread_t thread;
    bool wants[2];  /* it wants or holds the rings' lock: the thread, the progress thread; atomic */
    bool fences;    /* the progress thread fences for both, by the kernel */
    uint32_t polls; /* of the thread, so far; atomic */
    bool attention; /* something was handled or deferred since the thread last asked; atomic */
    uint32_t stop;  /* atomic */

    pthread_mutex_t lock;               /* of `queues' */
    struct mer_message_queue queues[2]; /* by way */
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local bool is_progress;

/* ---- the lock of the rings ----------------------------------------------------------------------------- */

/* Relaxed: only this POSIX thread writes its flag. */
static bool holds(void) { return __atomic_load_n(&own.wants[is_progress], __ATOMIC_RELAXED); }

/* Releases the lock.  Release, partner: the load of the other's flag in try_enter.  progress: is_progress of
 * the caller, here and below, so that polls need not load it. */
static inline void leave(bool progress) { __atomic_store_n(&own.wants[progress], false, __ATOMIC_RELEASE); }

/* Returns false if the other holds the lock, or both tried at once.  Cost for the thread: two writes and two
 * reads of a line that is its own. */
static inline bool try_enter(bool progress) {
    bool fenced = true;
    if (__builtin_expect(!own.fences, 0)) {
        (void)__atomic_exchange_n(&own.wants[progress], true, __ATOMIC_SEQ_CST);
    } else {
        __atomic_store_n(&own.wants[progress], true, __ATOMIC_RELAXED);
        if (progress) /* it was registered with success, so this does not fail */
            fenced = syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
        else
            __atomic_signal_fence(__ATOMIC_SEQ_CST); /* partner: membarrier above */
    }
    /* Acquire, partner: leave. */
    if (fenced && !__atomic_load_n(&own.wants[!progress], __ATOMIC_SEQ_CST))
        return true;
    leave(progress);
    return false;
}

/* ---- deferred messages --------------------------------------------------------------------------------- */

static uint32_t deferred_count(enum mer_am_way way) { return mer_message_queue_count(&own.queues[way]); }

/* Returns false if as many messages are deferred as may be. */
static bool defer(enum mer_am_way way, const struct mer_am_message *m, int handler, bool medium) {
    if (deferred_count(way) >= MOST)
        return false;
    struct mer_queued_message *d = mer_message_queue_copy(m, handler, medium);
    pthread_mutex_lock(&own.lock);
    mer_message_queue_add(&own.queues[way], d);
    pthread_mutex_unlock(&own.lock);
    return true;
}

static struct mer_queued_message *take_deferred(enum mer_am_way way) {
    pthread_mutex_lock(&own.lock);
    struct mer_queued_message *d = mer_message_queue_take(&own.queues[way]);
    pthread_mutex_unlock(&own.lock);
    return d;
}

/* Runs deferred messages, in the thread.  Returns how many. */
static int run_deferred(enum mer_am_way way) {
    int ran = 0;
    for (struct mer_queued_message *d; deferred_count(way) && (d = take_deferred(way)); ran++) {
        struct mer_am_message m = mer_queued_message(d);
        mer_handlers_run(&mer_am.handlers, &m, d->handler);
        free(d);
    }
    return ran;
}

/* ---- the thread ---------------------------------------------------------------------------------------- */

/* Runs the messages that the progress thread has deferred.  Returns how many it has handled or deferred, at
 * least.  Not inlined, so that other polls save no registers for it.  Acquire, partner: turn; the thread sees
 * the handlers' changes. */
static __attribute__((noinline)) int attend(void) {
    int served = __atomic_exchange_n(&own.attention, false, __ATOMIC_ACQUIRE);
    return served + run_deferred(MER_AM_REPLIES) + run_deferred(MER_AM_REQUESTS);
}

/* Relaxed: `attention' is written while the lock is held. */
static inline bool attention_asked(void) { return __atomic_load_n(&own.attention, __ATOMIC_RELAXED); }

int mer_am_progress_poll(void) {
    int handled = 0;
    /* Relaxed: the progress thread only asks whether the count has changed lately. */
    __atomic_store_n(&own.polls, own.polls + 1, __ATOMIC_RELAXED);
    bool entered = try_enter(false);
    if (__builtin_expect(!entered || attention_asked(), 0)) {
        if (entered)
            leave(false);
        handled = attend();
        if (!try_enter(false))
            return handled;
    }
    if (!attention_asked()) /* else deferred messages go before those in the rings */
        handled += mer_receiver_drain(&mer_am.receiver, MER_AM_REPLIES) +
                   mer_receiver_drain(&mer_am.receiver, MER_AM_REQUESTS);
    leave(false);
    return handled;
}

/* ---- the progress thread ------------------------------------------------------------------------------- */

/* Handles or defers the messages in a ring, but no more than a ring full.  Returns how many.  The lock is
 * held. */
static int take(enum mer_am_way way) {
    struct mer_receiver *r = &mer_am.receiver;
    unsigned count = 0;
    for (; count < MER_AM_DEPTH && mer_am_pending(r->slot[way], r->next[way]); count++) {
        struct mer_am_message m = mer_receiver_message(r, way);
        int handler = r->slot[way]->handler;
        if (mer_handler_kind(&mer_am.handlers, handler) & MER_HANDLER_MEMORY)
            mer_handler_of(&mer_am.handlers, &m, handler)(&m);
        else if (!defer(way, &m, handler, r->slot[way]->size == MER_AM_IS_MEDIUM))
            break;
        mer_receiver_next(r, way);
    }
    return (int)count;
}

/* Relaxed: a claim that is not seen yet is seen by one of the next turns. */
static uint32_t claimed(enum mer_am_way way) {
    return __atomic_load_n(&mer_am.receiver.rings->ring[way].tail, __ATOMIC_RELAXED);
}

static int turn(void) {
    static uint32_t next[2]; /* the places at which the last turn ended */
    /* Without a claim since then the rings are empty.  So a thread that computes is seldom interrupted by the
     * kernel's fence. */
    if (claimed(MER_AM_REPLIES) == next[MER_AM_REPLIES] && claimed(MER_AM_REQUESTS) == next[MER_AM_REQUESTS])
        return 0;
    if (!try_enter(true))
        return 0;
    int count = take(MER_AM_REPLIES) + take(MER_AM_REQUESTS);
    memcpy(next, mer_am.receiver.next, sizeof next);
    if (count) /* a memory handler may have ended a wait of the thread, which has to look again */
        __atomic_store_n(&own.attention, true, __ATOMIC_RELEASE);
    leave(true);
    if (count)
        mer_deferred_wake();
    return count;
}

static void *run(void *unused) {
    (void)unused;
    uint32_t seen = 0;
    is_progress = true;
    while (!__atomic_load_n(&own.stop, __ATOMIC_RELAXED)) {
        mer_futex_wait(&own.stop, 0, mer_progress_nap_ns());
        for (int idle = 0; idle < BUSY_TURNS; idle++) {
            uint32_t now = __atomic_load_n(&own.polls, __ATOMIC_RELAXED);
            bool polled = now != seen;
            seen = now;
            if (polled) /* the thread takes its messages itself */
                break;
            if (turn())
                idle = 0;
            else if (idle > 0)
                sched_yield();
        }
    }
    return NULL;
}

/* ---- for am.c and call.c ------------------------------------------------------------------------------- */

int mer_am_progress_drain_replies(void) {
    bool entered = !holds() && try_enter(is_progress);
    int handled = is_progress ? 0 : run_deferred(MER_AM_REPLIES);
    if (is_progress)
        handled += take(MER_AM_REPLIES);
    else if (entered || holds())
        handled += deferred_count(MER_AM_REPLIES) ? 0 : mer_receiver_drain(&mer_am.receiver, MER_AM_REPLIES);
    if (entered)
        leave(is_progress);
    return handled;
}

bool mer_am_progress_guard(void) {
    if (!mer_am.progress || holds())
        return false;
    while (!try_enter(is_progress)) {
        run_deferred(MER_AM_REPLIES); /* the holder may wait for a place for more of them */
        sched_yield();
    }
    return true;
}

void mer_am_progress_unguard(bool guarded) {
    if (guarded)
        leave(is_progress);
}

void mer_am_progress_start(void) {
    mer_am.progress = true;
    own.fences = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    sigset_t before;
    mer_block_signals(&before);
    int error = pthread_create(&own.thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        mer_fatal("cannot start the progress thread: %s", strerror(error));
}

void mer_am_progress_stop(void) {
    if (!mer_am.progress || own.stop)
        return;
    __atomic_store_n(&own.stop, 1, __ATOMIC_RELAXED);
    mer_futex_wake(&own.stop, 1);
    pthread_join(own.thread, NULL);
}
