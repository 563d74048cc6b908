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

long mer_wait_spins(void) { return spin_turns; }
long mer_wait_yields(void) { return yield_turns; }

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
    for (long i = 0; i < yield_turns; i++) {
        if (mer_event_reached(event, number))
            return;
        sched_yield();
    }
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
    long turn = p->turns++;
    if (turn < spin_turns) {
        mer_pause();
    } else if (turn < spin_turns + yield_turns) {
        sched_yield();
    } else {
        long doublings = (turn - spin_turns - yield_turns) / 8;
        long ns = 2000L << (doublings > 9 ? 9 : doublings); /* 2 us ... 1 ms */
        struct timespec pause = {0, ns};
        int saved = errno;
        nanosleep(&pause, NULL);
        errno = saved;
    }
}
