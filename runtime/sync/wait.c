/* Waiting, the slow half: spin, yield, sleep.  The protocol is argued in wait.h. */
#include "sync/wait.h"

#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Before mer_wait_configure: during start-up, when nobody knows how many cores there are. */
static long spin_turns = 0;
static long yield_turns = 20;

void (*mer_wait_stalled)(const void *word, const char *what);
uint64_t mer_wait_stall_ns;

void mer_wait_configure(long spins, long yields, bool crowded) {
    spin_turns = crowded ? 0 : spins;
    yield_turns = yields;
}

/* Yielding is the cheapest way to let the threads of a crowded job come by, and the worst where other
 * programs want the CPU too: each yield then costs one of their time slices.  So a yield is timed; after one
 * that took long, this process goes without for some waits, longer each time it happens again. */
#define LONG_YIELD_NS 200000
#define MOST_AVOIDED 1024

static _Thread_local long avoided; /* waits still to go without yielding */
static _Thread_local long avoid = 16;

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

bool mer_yield_begin(struct mer_yield *y) {
    y->left = yield_turns;
    if (avoided > 0) {
        avoided--;
        y->left = 0;
    }
    return y->left > 0;
}

bool mer_yield_turn(struct mer_yield *y) {
    uint64_t before = now_ns();
    sched_yield();
    if (now_ns() - before > LONG_YIELD_NS) {
        avoided = avoid;
        avoid = avoid < MOST_AVOIDED ? avoid * 2 : MOST_AVOIDED;
        return false;
    }
    if (--y->left > 0)
        return true;
    if (avoid > 16)
        avoid--;
    return false;
}

long mer_wait_spins(void) { return spin_turns; }

bool mer_futex_wait(uint32_t *word, uint32_t value, uint64_t nanoseconds) {
    struct timespec limit = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
    int saved = errno; /* waiting is no business of the user's errno */
    bool timely = syscall(SYS_futex, word, FUTEX_WAIT, value, nanoseconds ? &limit : NULL, NULL, 0) == 0 ||
                  errno != ETIMEDOUT;
    errno = saved;
    return timely;
}

void mer_futex_wake(uint32_t *word, int count) {
    int saved = errno;
    syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
    errno = saved;
}

void mer_event_wake(struct mer_event *event) { mer_futex_wake(&event->word, INT_MAX); }

void mer_event_wait_slow(struct mer_event *event, uint32_t number, const char *what) {
    for (long i = 0; i < spin_turns; i++) {
        if (mer_event_reached(event, number))
            return;
        mer_pause();
    }
    struct mer_yield yield;
    for (bool more = mer_yield_begin(&yield); more; more = mer_yield_turn(&yield))
        if (mer_event_reached(event, number))
            return;
    while (!mer_event_reached(event, number)) {
        uint32_t word = __atomic_load_n(&event->word, __ATOMIC_RELAXED);
        if ((int32_t)((word & ~1U) - (number << 1)) >= 0)
            continue;
        /* Partner: the exchange in mer_event_post, see wait.h. */
        if (!(word & 1) && !__atomic_compare_exchange_n(&event->word, &word, word | 1, false,
                                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            continue;
        if (!mer_futex_wait(&event->word, word | 1, mer_wait_stall_ns) && mer_wait_stalled)
            mer_wait_stalled(&event->word, what);
    }
}

void mer_patience_turn(struct mer_patience *p) {
    if (p->turns < (uint32_t)spin_turns) {
        p->turns++;
        mer_pause();
        return;
    }
    if (p->yields < (uint32_t)yield_turns) {
        struct mer_yield yield;
        bool good = mer_yield_begin(&yield) && (mer_yield_turn(&yield) || yield.left == 0);
        p->yields = good ? p->yields + 1 : (uint32_t)yield_turns;
        return;
    }
    uint32_t doublings = p->sleeps++ / 8;
    struct timespec pause = {0, 2000L << (doublings > 9 ? 9 : doublings)}; /* 2 us ... 1 ms */
    int saved = errno;
    nanosleep(&pause, NULL);
    errno = saved;
}
