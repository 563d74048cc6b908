/* <bupc_extensions.h>: semaphores.
 *
 * A semaphore is a count in the shared memory of the thread that made it, and beside it the number of threads
 * that sleep for it.  A wait takes n off the count by compare-and-swap if there is so much; else it spins,
 * yields, counts itself among the sleepers, and sleeps in the kernel as long as the count has the value that
 * it saw.  A post adds to the count, then looks whether somebody sleeps.  No wake-up is lost: either the
 * post's look comes after the sleeper has counted itself, and the post wakes it; or the sleeper's last look
 * at the count, in the kernel, comes after the post has added.  All these accesses are sequentially
 * consistent, for that argument's sake.
 *
 * Sleepers may want different amounts, so all are woken, and those for whom the count is too small sleep
 * again.
 *
 * If some memory is remote, the owner gets a request (sync/semaphore.h).
 */
#include "dialect/upc/bupc.h"

#include "sync/semaphore.h"
#include "host/job.h"
#include "base/fatal.h"
#include "heap/heap.h"
#include "rma/copy.h"
#include "rma/remote.h"
#include "base/wait.h"

#include <limits.h>

#define SEM_ALIVE 0x6d65737072656d73ULL
#define SEM_FREED 0x64656572666d6573ULL

struct semaphore {
    uint32_t count;
    uint32_t sleepers;
    uint64_t alive;
    uint32_t boolean;
};

static struct semaphore *checked(mer_ptr s, size_t n, const char *name) {
    struct semaphore *sem = mer_at(s.bits);
    uint64_t offset = (uint64_t)(uintptr_t)sem - MER_VIEW_BASE;
    if (!s.bits)
        mer_fatal("%s: the semaphore is a null pointer", name);
    if (offset >= (uint64_t)mer_job.threads * mer_job.span || sem->alive != SEM_ALIVE)
        mer_fatal("%s: the pointer (thread %d, address 0x%llx) is no semaphore%s", name,
                  (int)mer_threadof(s.bits), (unsigned long long)mer_native(s.bits),
                  offset < (uint64_t)mer_job.threads * mer_job.span && sem->alive == SEM_FREED
                      ? " any more: it has been freed"
                      : "; semaphores come from bupc_sem_alloc");
    if (n > (sem->boolean ? 1 : BUPC_SEM_MAXVALUE))
        mer_fatal("%s: %zu at once is more than a%s semaphore holds", name, n,
                  sem->boolean ? " boolean" : "ny");
    return sem;
}

/* ---- by message ---------------------------------------------------------------------------------------- */

/* Returns the owner's answer to a try; a fatal message if the owner has refused a request. */
static bool said(enum mer_semaphore_result result, mer_ptr s, size_t n, const char *name) {
    if (!s.bits)
        mer_fatal("%s: the semaphore is a null pointer", name);
    if (result == MER_SEMAPHORE_NONE || result == MER_SEMAPHORE_GONE)
        mer_fatal("%s: the pointer (thread %d, address 0x%llx) is no semaphore%s", name,
                  (int)mer_threadof(s.bits), (unsigned long long)mer_native(s.bits),
                  result == MER_SEMAPHORE_GONE ? " any more: it has been freed"
                                               : "; semaphores come from bupc_sem_alloc");
    if (result == MER_SEMAPHORE_TOO_MANY)
        mer_fatal("%s: the semaphore would exceed its greatest value, %u", name, BUPC_SEM_MAXVALUE);
    if (result == MER_SEMAPHORE_NEVER)
        mer_fatal("%s: %zu at once is more than a boolean semaphore holds", name, n);
    return result == MER_SEMAPHORE_DONE;
}

static uint32_t amount(size_t n, const char *name) {
    if (n > BUPC_SEM_MAXVALUE)
        mer_fatal("%s: %zu at once is more than any semaphore holds", name, n);
    return (uint32_t)n;
}

/* Whoever takes the semaphore sees this thread's earlier writes, to all threads. */
static void remote_post(mer_ptr s, size_t n, const char *name) {
    mer_rma_fence();
    said(mer_semaphore_give(s, amount(n, name), NULL), s, n, name);
}

static void remote_wait(mer_ptr s, size_t n, const char *name) {
    said(mer_semaphore_take(s, amount(n, name), name), s, n, name);
}

static bool remote_try(mer_ptr s, size_t n, const char *name) {
    return said(mer_semaphore_try(s, amount(n, name)), s, n, name);
}

/* ---- local --------------------------------------------------------------------------------------------- */

mer_ptr bupc_sem_alloc(int flags) {
    if (mer_by_message())
        return mer_semaphore_new(flags & BUPC_SEM_BOOLEAN ? MER_SEMAPHORE_BOOLEAN : MER_SEMAPHORE_COUNT, 0,
                                 "bupc_sem_alloc");
    uint64_t at = mer_heap_local(sizeof(struct semaphore), "bupc_sem_alloc");
    if (!at)
        return mer_mk(0);
    struct semaphore *sem = mer_view(mer_job.mythread, at);
    *sem = (struct semaphore){.alive = SEM_ALIVE, .boolean = flags & BUPC_SEM_BOOLEAN};
    return mer_mk(mer_bits((uint64_t)mer_job.mythread, at));
}

void bupc_sem_free(mer_ptr s) {
    if (!s.bits)
        return;
    if (mer_by_message()) {
        said(mer_semaphore_delete(s, "bupc_sem_free"), s, 0, "bupc_sem_free");
        return;
    }
    checked(s, 0, "bupc_sem_free")->alive = SEM_FREED;
    mer_heap_free((int)mer_threadof(s.bits), mer_native(s.bits), "bupc_sem_free");
}

static void post(struct semaphore *sem, size_t n, const char *name) {
    if (n == 0)
        return;
    if (sem->boolean)
        __atomic_store_n(&sem->count, 1, __ATOMIC_SEQ_CST);
    else if (__atomic_fetch_add(&sem->count, (uint32_t)n, __ATOMIC_SEQ_CST) > BUPC_SEM_MAXVALUE - n)
        mer_fatal("%s: the semaphore would exceed its greatest value, %u", name, BUPC_SEM_MAXVALUE);
    if (__atomic_load_n(&sem->sleepers, __ATOMIC_SEQ_CST))
        mer_futex_wake(&sem->count, INT_MAX);
}

/* Takes n off the count, if there is so much.  Acquire, partner: the additions in post. */
static bool take(struct semaphore *sem, uint32_t n) {
    uint32_t seen = __atomic_load_n(&sem->count, __ATOMIC_SEQ_CST);
    while (seen >= n)
        if (__atomic_compare_exchange_n(&sem->count, &seen, seen - n, true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return true;
    return false;
}

static void sleep_for(struct semaphore *sem, uint32_t n, const char *name) {
    __atomic_fetch_add(&sem->sleepers, 1, __ATOMIC_SEQ_CST);
    while (!take(sem, n)) {
        uint32_t seen = __atomic_load_n(&sem->count, __ATOMIC_SEQ_CST);
        if (seen >= n)
            continue;
        if (!mer_futex_wait(&sem->count, seen, mer_wait_stall_ns) && mer_wait_stalled)
            mer_wait_stalled(&sem->count, name);
    }
    __atomic_fetch_sub(&sem->sleepers, 1, __ATOMIC_SEQ_CST);
}

static void wait_for(struct semaphore *sem, uint32_t n, const char *name) {
    if (take(sem, n))
        return;
    struct mer_wait w;
    for (mer_wait_begin(&w); mer_wait_turn(&w);)
        if (take(sem, n)) {
            mer_wait_won(&w);
            return;
        }
    sleep_for(sem, n, name);
}

/* ---- the calls ----------------------------------------------------------------------------------------- */

static void any_post(mer_ptr s, size_t n, const char *name) {
    if (mer_by_message())
        remote_post(s, n, name);
    else
        post(checked(s, n, name), n, name);
}

static void any_wait(mer_ptr s, size_t n, const char *name) {
    if (mer_by_message())
        remote_wait(s, n, name);
    else
        wait_for(checked(s, n, name), (uint32_t)n, name);
}

static bool any_try(mer_ptr s, size_t n, const char *name) {
    return mer_by_message() ? remote_try(s, n, name) : take(checked(s, n, name), (uint32_t)n);
}

void bupc_sem_post(mer_ptr s) { any_post(s, 1, "bupc_sem_post"); }
void bupc_sem_postN(mer_ptr s, size_t n) { any_post(s, n, "bupc_sem_postN"); }
void bupc_sem_wait(mer_ptr s) { any_wait(s, 1, "bupc_sem_wait"); }
void bupc_sem_waitN(mer_ptr s, size_t n) { any_wait(s, n, "bupc_sem_waitN"); }
int bupc_sem_try(mer_ptr s) { return any_try(s, 1, "bupc_sem_try"); }
int bupc_sem_tryN(mer_ptr s, size_t n) { return any_try(s, n, "bupc_sem_tryN"); }

void bupc_memput_signal(mer_pptr dst, const void *src, size_t nbytes, mer_ptr s, size_t n) {
    mer_rma_put(dst.bits, src, nbytes, "bupc_memput_signal");
    any_post(s, n, "bupc_memput_signal");
}

void bupc_memput_signal_async(mer_pptr dst, const void *src, size_t nbytes, mer_ptr s, size_t n) {
    bupc_memput_signal(dst, src, nbytes, s, n);
}
