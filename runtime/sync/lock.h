/* Mutual exclusion: the word-sized mutex that the heaps use, and the job's lock objects (UPC 7.2.4).
 *
 * A mutex is a 32-bit word in shared memory: 0 free, else the holder's number + 1, with the top bit set when
 * somebody may sleep on the word.  See lock.c for the argument.
 */
#ifndef MER_SYNC_LOCK_H
#define MER_SYNC_LOCK_H

#include <meridian/abi.h>
#include <stdbool.h>
#include <stdint.h>

#define MER_MUTEX_SLEEPERS 0x80000000U

struct mer_mutex {
    uint32_t word;
};

void mer_mutex_lock_slow(struct mer_mutex *mutex, uint32_t me, const char *what);
void mer_mutex_wake(struct mer_mutex *mutex);

/* me: the caller's thread number + 1.  False: held by somebody.  Acquire, partner: mer_mutex_unlock. */
static inline bool mer_mutex_try(struct mer_mutex *mutex, uint32_t me) {
    uint32_t free = 0;
    return __atomic_compare_exchange_n(&mutex->word, &free, me, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static inline void mer_mutex_lock(struct mer_mutex *mutex, uint32_t me, const char *what) {
    if (!mer_mutex_try(mutex, me))
        mer_mutex_lock_slow(mutex, me, what);
}

/* The caller holds it.  Release, partner: the compare-exchange of mer_mutex_try. */
static inline void mer_mutex_unlock(struct mer_mutex *mutex) {
    if (__atomic_exchange_n(&mutex->word, 0, __ATOMIC_SEQ_CST) & MER_MUTEX_SLEEPERS)
        mer_mutex_wake(mutex);
}

/* ---- lock objects ------------------------------------------------------------------------------------ */

/* name: the library call as the user wrote it, for messages.  Pointers are in the form of upc_lock_t *.
 * Null, freed or foreign pointers, a lock taken twice by one thread and an unlock of a lock that the thread
 * does not hold are fatal messages. */
mer_ptr mer_lock_new(const char *name); /* in the caller's shared memory; null if there is none left */
void mer_lock_delete(mer_ptr lock, const char *name); /* locked or not; null: nothing */
void mer_lock_take(mer_ptr lock, const char *name);
bool mer_lock_attempt(mer_ptr lock, const char *name);
void mer_lock_release(mer_ptr lock, const char *name);

#endif
