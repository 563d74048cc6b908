/* UPC's lock objects (7.2.4) over mutexes (mutex.h): one line each, in the shared memory of the thread that
 * made them.  A mark in each detects pointers that are no lock, and locks that have been freed.
 */
#include "sync/lock.h"

#include "host/job.h"
#include "base/fatal.h"
#include "heap/heap.h"
#include "base/mutex.h"

#define LOCK_ALIVE 0x6b636f6c6e69726dULL
#define LOCK_FREED 0x6465657266206b6cULL

struct lock {
    struct mer_mutex mutex;
    uint32_t unused;
    uint64_t alive; /* LOCK_ALIVE from upc_..._lock_alloc to upc_lock_free */
};

static uint32_t own_number(void) { return (uint32_t)mer_job.mythread + 1; }

#define THE_LOCK "the lock (thread %d, address 0x%llx)"

_Noreturn void mer_lock_refuse(mer_ptr lock, enum mer_lock_fault fault, int holder, const char *name) {
    int owner = (int)mer_threadof(lock.bits);
    unsigned long long at = (unsigned long long)mer_native(lock.bits);
    switch (fault) {
    case MER_LOCK_NULL:
        mer_fatal("%s: the lock is a null pointer", name);
    case MER_LOCK_GONE:
        mer_fatal("%s: " THE_LOCK " has been freed", name, owner, at);
    case MER_LOCK_OWN:
        mer_fatal(
            "%s: this thread holds the lock (thread %d, address 0x%llx) already, and would wait for itself",
            name, owner, at);
    case MER_LOCK_FREE:
        mer_fatal("%s: " THE_LOCK " is not locked", name, owner, at);
    case MER_LOCK_OTHERS:
        mer_fatal("%s: " THE_LOCK " is held by thread %d, not by this one", name, owner, at, holder);
    default:
        mer_fatal("%s: the pointer (thread %d, address 0x%llx) is no lock; locks come from "
                  "upc_global_lock_alloc or upc_all_lock_alloc",
                  name, owner, at);
    }
}

static struct lock *checked(mer_ptr lock, const char *name) {
    struct lock *l = mer_at(lock.bits);
    uint64_t offset = (uint64_t)(uintptr_t)l - MER_VIEW_BASE;
    if (__builtin_expect(offset >= (uint64_t)mer_job.threads * mer_job.span, 0))
        mer_lock_refuse(lock, lock.bits ? MER_LOCK_NONE : MER_LOCK_NULL, 0, name);
    if (__builtin_expect(l->alive != LOCK_ALIVE, 0))
        mer_lock_refuse(lock, l->alive == LOCK_FREED ? MER_LOCK_GONE : MER_LOCK_NONE, 0, name);
    return l;
}

mer_ptr mer_lock_new(const char *name) {
    uint64_t at = mer_heap_local(sizeof(struct lock), name);
    if (!at)
        return mer_mk(0);
    struct lock *l = mer_view(mer_job.mythread, at);
    l->mutex.word = 0;
    l->alive = LOCK_ALIVE;
    return mer_mk(mer_bits((uint64_t)mer_job.mythread, at));
}

void mer_lock_delete(mer_ptr lock, const char *name) {
    if (!lock.bits)
        return;
    struct lock *l = checked(lock, name);
    l->alive = LOCK_FREED;
    mer_heap_free((int)mer_threadof(lock.bits), mer_native(lock.bits), name);
}

static uint32_t holder(const struct lock *l) {
    return __atomic_load_n(&l->mutex.word, __ATOMIC_RELAXED) & ~MER_MUTEX_SLEEPERS;
}

void mer_lock_take(mer_ptr lock, const char *name) {
    struct lock *l = checked(lock, name);
    uint32_t me = own_number();
    if (__builtin_expect(mer_mutex_try(&l->mutex, me), 1))
        return;
    if (holder(l) == me)
        mer_lock_refuse(lock, MER_LOCK_OWN, 0, name);
    mer_mutex_lock_slow(&l->mutex, me, name);
}

bool mer_lock_attempt(mer_ptr lock, const char *name) {
    struct lock *l = checked(lock, name);
    uint32_t me = own_number();
    if (mer_mutex_try(&l->mutex, me))
        return true;
    if (holder(l) == me)
        mer_lock_refuse(lock, MER_LOCK_OWN, 0, name);
    return false;
}

void mer_lock_release(mer_ptr lock, const char *name) {
    struct lock *l = checked(lock, name);
    uint32_t now = holder(l);
    if (__builtin_expect(now != own_number(), 0))
        mer_lock_refuse(lock, now ? MER_LOCK_OTHERS : MER_LOCK_FREE, (int)now - 1, name);
    mer_mutex_unlock(&l->mutex);
}
