/* A mutex: a 32-bit word in shared memory.  The heaps use it, and
 * UPC's locks (lock.h).  The word is 0 when free, else the holder's number + 1, with the top bit set when
 * somebody may sleep on it.  See mutex.c for the argument.
 */
#ifndef MER_BASE_MUTEX_H
#define MER_BASE_MUTEX_H

#include <stdbool.h>
#include <stdint.h>

#define MER_MUTEX_SLEEPERS 0x80000000U

struct mer_mutex {
    uint32_t word;
};

/* `what` names the library call, for messages about long waits; may be null. */
void mer_mutex_lock_slow(struct mer_mutex *mutex, uint32_t me, const char *what);
void mer_mutex_wake(struct mer_mutex *mutex);

/* me: the caller's thread number + 1.  Returns false if somebody holds the mutex.  Acquire, partner:
 * mer_mutex_unlock. */
static inline bool mer_mutex_try(struct mer_mutex *mutex, uint32_t me) {
    uint32_t free = 0;
    return __atomic_compare_exchange_n(&mutex->word, &free, me, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static inline void mer_mutex_lock(struct mer_mutex *mutex, uint32_t me, const char *what) {
    if (!mer_mutex_try(mutex, me))
        mer_mutex_lock_slow(mutex, me, what);
}

/* The caller holds the mutex.  Release, partner: the compare-exchange of mer_mutex_try. */
static inline void mer_mutex_unlock(struct mer_mutex *mutex) {
    if (__atomic_exchange_n(&mutex->word, 0, __ATOMIC_SEQ_CST) & MER_MUTEX_SLEEPERS)
        mer_mutex_wake(mutex);
}

#endif
