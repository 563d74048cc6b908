/* Locks (UPC 7.2.4): a mutex in shared memory or, if some memory is remote, a request to the owner
 * (sync/semaphore.h).  The null strict accesses after upc_lock and before upc_unlock are the sequentially
 * consistent exchanges on the mutex, and the round trips to the owner.
 *
 * Giving way.  Programs that take several locks take the first, try the second, and if that fails release the
 * first and begin again.  Hardly any time passes between the release and the new beginning, least of all for
 * a lock of the thread's own.  A thread that handles messages only while it waits for the second lock handles
 * those of other threads while it holds the first: nobody who tries the first ever finds it free.  So a
 * thread that has released a lock after a failed attempt waits before it asks for another, for a random time,
 * longer with each failure, and handles messages meanwhile. */
#include "dialect/upc/upc.h"

#include "sync/semaphore.h"
#include "host/job.h"
#include "base/clock.h"
#include "base/record.h"
#include "dialect/upc/single.h"
#include "rma/remote.h"
#include "sync/barrier.h"
#include "sync/lock.h"

#include <meridian/am.h>
#include <sched.h>

/* Up to 2^8 microseconds. */
#define LONGEST 8
static unsigned failed; /* attempts since one has succeeded */
static bool has_failed; /* the last one has, and no lock has been released since */
static bool gives_way;  /* a lock has been released since, and none asked for */

/* True if calls need only take or release the mutex; false until a call has looked.  Besides has_failed and
 * gives_way, the conditions are constant from the start of the program, except that a recording may end
 * early. */
static bool only_mutex;

static void look(void) { only_mutex = !(mer_recording | has_failed | gives_way) && !mer_by_message(); }

/* A fatal message if the owner has refused a request. */
static void refuse(enum mer_semaphore_result result, mer_ptr lock, int holder, const char *name) {
    static const enum mer_lock_fault faults[] = {
        [MER_SEMAPHORE_NONE] = MER_LOCK_NONE,     [MER_SEMAPHORE_GONE] = MER_LOCK_GONE,
        [MER_SEMAPHORE_OWN] = MER_LOCK_OWN,       [MER_SEMAPHORE_NOT_HELD] = MER_LOCK_FREE,
        [MER_SEMAPHORE_OTHERS] = MER_LOCK_OTHERS, [MER_SEMAPHORE_NEVER] = MER_LOCK_NONE,
        [MER_SEMAPHORE_TOO_MANY] = MER_LOCK_NONE};
    if (result != MER_SEMAPHORE_DONE && result != MER_SEMAPHORE_NOT_NOW)
        mer_lock_refuse(lock, lock.bits ? faults[result] : MER_LOCK_NULL, holder, name);
}

static mer_ptr lock_new(const char *name) {
    return mer_by_message() ? mer_semaphore_new(MER_SEMAPHORE_LOCK, 1, name) : mer_lock_new(name);
}

static void lock_delete(mer_ptr lock, const char *name) {
    if (!mer_by_message())
        mer_lock_delete(lock, name);
    else if (lock.bits)
        refuse(mer_semaphore_delete(lock, name), lock, 0, name);
}

mer_ptr upc_global_lock_alloc(void) { return lock_new("upc_global_lock_alloc"); }

mer_ptr upc_all_lock_alloc(void) {
    mer_u64 mine = mer_job.mythread == 0 ? lock_new("upc_all_lock_alloc").bits : 0;
    mer_barrier_exchange("upc_all_lock_alloc", mine);
    return mer_mk(mer_barrier_payload(0));
}

void upc_lock_free(mer_ptr lock) { lock_delete(lock, "upc_lock_free"); }

void upc_all_lock_free(mer_ptr lock) {
    mer_check_single_valued("upc_all_lock_free", lock.bits);
    mer_barrier_collective("upc_all_lock_free");
    if (mer_job.mythread == 0)
        lock_delete(lock, "upc_all_lock_free");
}

static void give_way(void) {
    static uint64_t random;
    uint64_t start = mer_clock_ns(), most = 1000u << (failed < LONGEST ? failed : LONGEST);
    if (!random)
        random = (uint64_t)mer_job.mythread * 2 + 1;
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint64_t turn = (random >> 33) % most;
    do {
        if (mer_by_message())
            mer_am_poll();
        sched_yield();
    } while (mer_clock_ns() - start < turn);
    gives_way = false;
}

static void take(mer_ptr lock) {
    if (__builtin_expect(gives_way, 0))
        give_way();
    if (!mer_by_message()) {
        mer_lock_take(lock, "upc_lock");
        return;
    }
    mer_rma_fence();
    refuse(mer_semaphore_take(lock, 1, "upc_lock"), lock, 0, "upc_lock");
}

/* A lock's number in a recording is its address on its thread. */
static void recorded(enum mer_record_kind kind, mer_ptr lock) {
    mer_record_end(kind, (int)mer_threadof(lock.bits), mer_native(lock.bits));
}

/* Not inlined, so that the path with the mutex alone saves no registers. */
static __attribute__((noinline)) void take_otherwise(mer_ptr lock, const void *place) {
    mer_record_begin_at(place);
    take(lock);
    recorded(MER_RECORD_LOCK, lock);
    look();
}

/* Cost: one load, which hits the cache, besides the mutex. */
void upc_lock(mer_ptr lock) {
    if (__builtin_expect(only_mutex, 1))
        mer_lock_take(lock, "upc_lock");
    else
        take_otherwise(lock, __builtin_return_address(0));
}

static int attempt(mer_ptr lock) {
    if (__builtin_expect(gives_way, 0))
        give_way();
    if (!mer_by_message())
        return mer_lock_attempt(lock, "upc_lock_attempt");
    mer_rma_fence();
    enum mer_semaphore_result result = mer_semaphore_try(lock, 1);
    refuse(result, lock, 0, "upc_lock_attempt");
    return result == MER_SEMAPHORE_DONE;
}

int upc_lock_attempt(mer_ptr lock) {
    mer_record_begin();
    int taken = attempt(lock);
    failed = taken ? 0 : failed + 1;
    has_failed = !taken;
    look();
    recorded(taken ? MER_RECORD_LOCK : MER_RECORD_NOTHING, lock);
    return taken;
}

static void give(mer_ptr lock) {
    if (!mer_by_message()) {
        mer_lock_release(lock, "upc_unlock");
        return;
    }
    int holder = -1;
    mer_rma_fence();
    enum mer_semaphore_result result = mer_semaphore_give(lock, 1, &holder);
    refuse(result, lock, holder, "upc_unlock");
}

static __attribute__((noinline)) void give_otherwise(mer_ptr lock, const void *place) {
    mer_record_begin_at(place);
    gives_way |= has_failed;
    has_failed = false;
    give(lock);
    recorded(MER_RECORD_UNLOCK, lock);
    look();
}

void upc_unlock(mer_ptr lock) {
    if (__builtin_expect(only_mutex, 1))
        mer_lock_release(lock, "upc_unlock");
    else
        give_otherwise(lock, __builtin_return_address(0));
}
