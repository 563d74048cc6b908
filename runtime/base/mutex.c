/* Mutexes in shared memory.
 *
 * A mutex word is 0 (free), h (held by thread h - 1, nobody sleeps) or h | SLEEPERS.  Taking it is one
 * compare-exchange of 0 by h.  A waiter spins and yields (wait.h says how long), then, before it sleeps, sets
 * SLEEPERS by a compare-exchange on the value it saw, and sleeps while the word has exactly that value.  The
 * holder frees by exchanging in 0 and wakes one sleeper if the word had SLEEPERS.  A thread that has slept
 * takes the mutex as h | SLEEPERS, since others may sleep still; the price is at most one wake too many.
 * No wake-up is lost: if the holder's exchange comes before the waiter's compare-exchange, the latter fails;
 * if it comes after, the holder sees SLEEPERS.  The kernel's own look at the word covers the time between.
 * Modelled in tests/model/mutex.pml.
 *
 * A thread that runs takes the mutex before one that sleeps, which is unfair and fast: each hand-over to a
 * sleeper would cost a context switch.
 */
#include "base/mutex.h"

#include "base/wait.h"

/* Only loads the word: a compare-exchange takes the line exclusively even if it fails. */
static bool free_now(const struct mer_mutex *mutex) {
    return __atomic_load_n(&mutex->word, __ATOMIC_RELAXED) == 0;
}

void mer_mutex_lock_slow(struct mer_mutex *mutex, uint32_t me, const char *what) {
    struct mer_wait w;
    for (mer_wait_begin(&w); mer_wait_turn(&w);)
        if (free_now(mutex) && mer_mutex_try(mutex, me)) {
            mer_wait_won(&w);
            return;
        }
    for (;;) {
        uint32_t word = __atomic_load_n(&mutex->word, __ATOMIC_RELAXED);
        if (word == 0) {
            if (mer_mutex_try(mutex, me | MER_MUTEX_SLEEPERS))
                return;
            continue;
        }
        /* Partner: the exchange in mer_mutex_unlock. */
        if (!(word & MER_MUTEX_SLEEPERS) &&
            !__atomic_compare_exchange_n(&mutex->word, &word, word | MER_MUTEX_SLEEPERS, false,
                                         __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            continue;
        if (!mer_futex_wait(&mutex->word, word | MER_MUTEX_SLEEPERS, mer_wait_stall_ns) && mer_wait_stalled)
            mer_wait_stalled(&mutex->word, what);
    }
}

void mer_mutex_wake(struct mer_mutex *mutex) { mer_futex_wake(&mutex->word, 1); }
