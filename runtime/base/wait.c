/* Waiting, the slow half: spin, yield, sleep.  The protocol is argued in wait.h. */
#include "base/wait.h"

#include <meridian/abi/abi.h>

#include "base/clock.h"

#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

const struct mer_wait_hook *mer_wait_hook;
_Thread_local bool mer_wait_alone;
void (*mer_wait_stalled)(const void *word, const char *what);
uint64_t mer_wait_stall_ns;

/* ---- how long to spin and yield -------------------------------------------------------------------------
 *
 * Spinning is right while the thread waited for runs on another core.  It is wasted if that thread needs this
 * core, or if other programs keep it from running.  A thread cannot know which case holds, so it learns its
 * limit: the limit doubles when a wait that had run out of spins ends during yields that returned at once
 * (this core is idle), and shrinks when a yield let another thread run, or this one slept.
 *
 * Yielding is the cheapest way to let the threads of an oversubscribed job run, and the worst if other
 * programs want the CPU too: each yield then costs one of their time slices.  So yields are timed.  After a
 * long yield the thread does not yield for some waits, and for more each time it happens again.
 *
 * If waiting polls a network, a turn takes a microsecond, and thousands of turns take many round trips.  Such
 * a thread yields once in SPINS_A_YIELD turns while it spins, which costs little on a core of its own.
 */
#define LEAST_SPINS 50
#define FIRST_SPINS 400
#define SPINS_A_YIELD 16
#define IDLE_YIELD_NS 1500
#define LONG_YIELD_NS 200000
#define LEAST_AVOIDED 16
#define MOST_AVOIDED 1024

/* Before mer_wait_configure, during start-up, the number of cores is not known. */
static long most_spins = 0;
static long most_yields = 20;

static _Thread_local long spins = FIRST_SPINS;
static _Thread_local long avoided; /* waits still to go without yielding */
static _Thread_local long avoid = LEAST_AVOIDED;

void mer_wait_configure(long spin_limit, long yield_limit, bool oversubscribed) {
    most_spins = oversubscribed ? 0 : spin_limit;
    most_yields = yield_limit;
}

unsigned mer_fences;

void mer_fence_turn(void) {
    if (most_spins == 0)
        sched_yield();
}

static long at_least(long n, long least) { return n < least ? least : n; }

void mer_wait_begin(struct mer_wait *w) {
    *w = (struct mer_wait){.spins = spins < most_spins ? spins : most_spins, .yields = most_yields};
    if (avoided > 0) {
        avoided--;
        w->yields = 0;
    }
}

/* Yields once.  Returns false if that took longer than LONG_YIELD_NS. */
static bool yield(struct mer_wait *w) {
    uint64_t before = mer_clock_ns();
    sched_yield();
    uint64_t took = mer_clock_ns() - before;
    w->yielded++;
    w->yielded_ns += took;
    if (took <= LONG_YIELD_NS)
        return true;
    avoided = avoid;
    avoid = avoid < MOST_AVOIDED ? avoid * 2 : MOST_AVOIDED;
    return false;
}

/* Handles messages; returns true if the wait begins anew.  A sender often sends another message soon: a
 * thread that has just handled messages begins its wait anew rather than go to sleep, and the next message
 * finds it awake (a round trip of 0.2 us instead of 10).  Not with more threads than cores. */
static _Thread_local bool attended_late; /* messages came while the thread was about to sleep */

static bool attended(struct mer_wait *w) {
    if (!mer_wait_hook || (mer_wait_hook->poll() <= 0 && !attended_late) || most_spins == 0)
        return false;
    attended_late = false;
    /* The learnt limit is not used: it comes from waits without messages, which may have been short. */
    w->spins = FIRST_SPINS < most_spins ? FIRST_SPINS : most_spins;
    return true;
}

/* Returns true if this spin is to yield: the kernel may have put the thread waited for on this core, because
 * another program has the other one, and does not move it soon. */
static bool yields_early(const struct mer_wait *w) {
    return w->yields > 0 && w->spins % SPINS_A_YIELD == 0 && mer_wait_hook && mer_wait_hook->by_network;
}

bool mer_wait_turn(struct mer_wait *w) {
    if (attended(w))
        return true;
    if (w->spins > 0) {
        w->spins--;
        if (yields_early(w))
            w->yields = yield(w) ? w->yields : 0;
        else
            mer_pause();
        return true;
    }
    if (w->yields > 0) {
        w->yields--;
        if (yield(w))
            return true;
    }
    spins = at_least(spins - spins / 4, LEAST_SPINS);
    avoid = at_least(avoid - 1, LEAST_AVOIDED);
    return false;
}

void mer_wait_won(const struct mer_wait *w) {
    if (w->yielded == 0)
        return;
    if (w->yielded_ns / (uint64_t)w->yielded < IDLE_YIELD_NS)
        spins = spins * 2 < most_spins ? spins * 2 : at_least(most_spins, LEAST_SPINS);
    else
        spins = at_least(spins / 2, LEAST_SPINS);
}

/* ---- sleeping ------------------------------------------------------------------------------------------ */

static bool sleep_on_one(uint32_t *word, uint32_t value, uint64_t nanoseconds) {
    struct timespec limit = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    return syscall(SYS_futex, word, FUTEX_WAIT, value, nanoseconds ? &limit : NULL, NULL, 0) == 0 ||
           errno != ETIMEDOUT;
}

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#define WORD_32_BITS 2   /* FUTEX_32; older headers have neither this nor the struct */
#define NAP_NS 200000ULL /* between looks at the bell, on a kernel that cannot wait for two words */

struct word_to_wait {
    uint64_t value, address;
    uint32_t flags, reserved;
};

/* The messages that wake a thread asleep on a word.  With a core for each thread, messages that memory
 * handlers have handled wake it too: more are likely to come, and find the thread awake (see `attended').
 * With more threads than cores the progress thread, which has handled one, would lose its core to a thread
 * that has nothing to do. */
static enum mer_bell bell_beside_word(void) { return most_spins == 0 ? MER_BELL_MESSAGES : MER_BELL_ALL; }

/* Sleeps until the word or the bell changes.  Returns false on timeout, if the kernel can wait for both. */
static bool sleep_on_both(uint32_t *word, uint32_t value, enum mer_bell bell, uint64_t nanoseconds) {
    static bool missing;
    struct word_to_wait words[2] = {{value, (uintptr_t)word, WORD_32_BITS, 0},
                                    {bell, (uintptr_t)mer_wait_hook->bell, WORD_32_BITS, 0}};
    uint64_t until = mer_clock_ns() + nanoseconds;
    struct timespec limit = {(time_t)(until / 1000000000), (long)(until % 1000000000)};
    if (!missing) {
        if (syscall(SYS_futex_waitv, words, 2, 0, nanoseconds ? &limit : NULL, CLOCK_MONOTONIC) >= 0)
            return true;
        if (errno != ENOSYS && errno != EPERM)
            return errno != ETIMEDOUT;
        missing = true;
    }
    sleep_on_one(word, value, NAP_NS);
    return true;
}

/* Sets the bell, and looks for messages once more.  Returns true if the thread may sleep.  Full fence, on all
 * cores if senders have none; partner: the publication of a message, after which the sender looks at the bell
 * (transport/receive_ring.h). */
static bool bell_set(enum mer_bell bell) {
    __atomic_exchange_n(mer_wait_hook->bell, bell, __ATOMIC_SEQ_CST);
    if (mer_wait_hook->global_fence && syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0) != 0) {
        /* Registration has succeeded, so this does not happen; without the fence there is no sleep. */
        __atomic_store_n(mer_wait_hook->bell, MER_BELL_AWAKE, __ATOMIC_RELAXED);
        sched_yield();
        return false;
    }
    if (mer_wait_hook->poll() == 0)
        return true;
    attended_late = true;
    __atomic_store_n(mer_wait_hook->bell, MER_BELL_AWAKE, __ATOMIC_RELAXED);
    return false;
}

static void rest(bool resting) {
    if (mer_wait_hook->rest)
        mer_wait_hook->rest(resting);
}

bool mer_futex_wait(uint32_t *word, uint32_t value, uint64_t nanoseconds) {
    int saved = errno; /* the user's errno does not change in waits */
    enum mer_bell bell = bell_beside_word();
    bool timely = true;
    if (!mer_wait_hook || !mer_wait_hook->may_poll()) {
        timely = sleep_on_one(word, value, nanoseconds);
    } else if (bell_set(bell)) {
        rest(true);
        timely = sleep_on_both(word, value, bell, nanoseconds);
        rest(false);
        __atomic_store_n(mer_wait_hook->bell, MER_BELL_AWAKE, __ATOMIC_RELAXED);
    }
    errno = saved;
    return timely;
}

void mer_bell_wait(const char *what) {
    int saved = errno;
    if (bell_set(MER_BELL_ALL)) {
        rest(true);
        bool timely = sleep_on_one(mer_wait_hook->bell, MER_BELL_ALL, mer_wait_stall_ns);
        rest(false);
        if (!timely && mer_wait_stalled)
            mer_wait_stalled(mer_wait_hook->bell, what);
        __atomic_store_n(mer_wait_hook->bell, MER_BELL_AWAKE, __ATOMIC_RELAXED);
    }
    errno = saved;
}

void mer_futex_wake(uint32_t *word, int count) {
    int saved = errno;
    syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
    errno = saved;
}

void mer_event_wake(struct mer_event *event) { mer_futex_wake(&event->word, INT_MAX); }

bool mer_event_wait_for(struct mer_event *event, uint32_t number, uint64_t nanoseconds) {
    struct mer_wait w;
    mer_wait_begin(&w);
    while (!mer_event_reached(event, number)) {
        if (mer_wait_turn(&w)) {
            if (mer_event_reached(event, number))
                mer_wait_won(&w);
            continue;
        }
        uint32_t word = __atomic_load_n(&event->word, __ATOMIC_RELAXED);
        if (mer_event_word_ahead(word, number) >= 0)
            continue;
        /* Partner: the exchange in mer_event_post, see wait.h. */
        if (!(word & 1) && !__atomic_compare_exchange_n(&event->word, &word, word | 1, false,
                                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            continue;
        if (!mer_futex_wait(&event->word, word | 1, nanoseconds))
            return mer_event_reached(event, number);
    }
    return true;
}

void mer_event_wait_slow(struct mer_event *event, uint32_t number, const char *what) {
    while (!mer_event_wait_for(event, number, mer_wait_stall_ns))
        if (mer_wait_stalled)
            mer_wait_stalled(&event->word, what);
}

void mer_backoff_turn(struct mer_backoff *p) {
    if (!p->begun)
        mer_wait_begin(&p->wait);
    p->begun = true;
    if (!p->sleeps && mer_wait_turn(&p->wait))
        return;
    if (mer_wait_hook && mer_wait_hook->poll() > 0)
        return;
    uint32_t doublings = p->sleeps++ / 8;
    struct timespec pause = {0, 2000L << (doublings > 9 ? 9 : doublings)}; /* 2 us ... 1 ms */
    int saved = errno;
    nanosleep(&pause, NULL);
    errno = saved;
}
