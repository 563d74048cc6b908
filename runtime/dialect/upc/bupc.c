/* <bupc_extensions.h>: pointers, threads, ticks, and the names of plain non-blocking transfers. */
#include "dialect/upc/bupc.h"

#include "am/am.h"
#include "host/hosts.h"
#include "host/job.h"
#include "base/fatal.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- ticks --------------------------------------------------------------------------------------------- */

uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t ticks);

#define READINGS 1000

double bupc_tick_granularity(void) {
    uint64_t least = UINT64_MAX, last = upc_ticks_now();
    for (int i = 0; i < READINGS; i++) {
        uint64_t now = upc_ticks_now();
        if (now != last && now - last < least)
            least = now - last;
        last = now;
    }
    return (double)upc_ticks_to_ns(least) / 1000;
}

double bupc_tick_overhead(void) {
    uint64_t start = upc_ticks_now();
    for (int i = 1; i < READINGS; i++)
        upc_ticks_now();
    return (double)upc_ticks_to_ns(upc_ticks_now() - start) / (1000.0 * READINGS);
}

/* ---- pointers, threads --------------------------------------------------------------------------------- */

mer_pptr bupc_ptradd(mer_pptr p, size_t blockelems, size_t elemsz, ptrdiff_t elemincr) {
    if (blockelems == 0)
        return mer_widen(mer_add_i(mer_narrow(p), elemincr, elemsz));
    if (blockelems == 1)
        return mer_widen(mer_add_c(mer_narrow(p), elemincr, elemsz));
    return mer_add_b(p, elemincr, elemsz, blockelems);
}

int bupc_castable(mer_pptr ptr) { return mer_on_host((int)mer_threadof(ptr.bits)); }

int bupc_thread_castable(unsigned thread) {
    return thread < (unsigned)mer_job.threads && mer_on_host((int)thread);
}

void *bupc_cast(mer_pptr ptr) { return bupc_castable(ptr) ? mer_at(ptr.bits) : NULL; }

/* Returns the thread whose span holds an address, or -1 if it is private. */
static int owner(const void *at) {
    uint64_t offset = (uint64_t)(uintptr_t)at - MER_VIEW_BASE;
    return offset < (uint64_t)mer_job.threads * mer_job.span ? (int)(offset / mer_job.span) : -1;
}

mer_pptr bupc_inverse_cast(void *ptr) {
    int t = owner(ptr);
    return mer_mkp(t < 0 ? 0 : (uint64_t)t << MER_THREAD_SHIFT | (uint64_t)(uintptr_t)ptr, 0);
}

mer_pptr bupc_local_to_shared(void *ptr, int thread, int phase) {
    int t = owner(ptr);
    if (!ptr)
        return mer_mkp(0, 0);
    if (t < 0)
        mer_fatal("bupc_local_to_shared: %p is private memory", ptr);
    if (thread < 0 || thread >= mer_job.threads || phase < 0)
        mer_fatal("bupc_local_to_shared: there is no thread %d with phase %d among %d threads", thread, phase,
                  mer_job.threads);
    uint64_t here = (uint64_t)t << MER_THREAD_SHIFT | (uint64_t)(uintptr_t)ptr;
    return mer_mkp(here + (uint64_t)(int64_t)(thread - t) * mer_stride(), (uint64_t)phase);
}

int bupc_dump_shared(mer_pptr ptr, char *buf, int maxlen) {
    if (!buf || maxlen < BUPC_DUMP_MIN_LENGTH) {
        errno = EINVAL;
        return -1;
    }
    if (ptr.bits)
        snprintf(buf, (size_t)maxlen, "<address=%p, addrfield=0x%llx, thread=%d, phase=%llu>",
                 mer_at(ptr.bits), (unsigned long long)mer_native(ptr.bits), (int)mer_threadof(ptr.bits),
                 (unsigned long long)ptr.phase);
    else
        snprintf(buf, (size_t)maxlen, "<NULL>");
    return 0;
}

int bupc_thread_distance(int x, int y) {
    if (x == y)
        return BUPC_THREADS_SAME;
    return mer_host_of(x) == mer_host_of(y) ? BUPC_THREADS_VERYNEAR : BUPC_THREADS_VERYFAR;
}

/* Programs poll in loops that wait for others; if these have no core of their own, they need this one. */
void bupc_poll(void) {
    mer_am_poll();
    if (mer_by_message())
        mer_am_poll();
    if (mer_here.oversubscribed)
        sched_yield();
}

/* ---- traces -------------------------------------------------------------------------------------------- */

#define MASK 256 /* of letters, each of which names a kind of event once */

static char trace_mask[MASK], stats_mask[MASK];
static int trace_local = 1;

void bupc_trace_setmask(const char *mask) { snprintf(trace_mask, sizeof trace_mask, "%s", mask); }
void bupc_stats_setmask(const char *mask) { snprintf(stats_mask, sizeof stats_mask, "%s", mask); }
const char *bupc_trace_getmask(void) { return trace_mask; }
const char *bupc_stats_getmask(void) { return stats_mask; }
void bupc_trace_settracelocal(int on) { trace_local = on != 0; }
int bupc_trace_gettracelocal(void) { return trace_local; }

/* ---- non-blocking transfers: those of nb.c ------------------------------------------------------------- */

void bupc_waitsync(upc_handle_t handle) { upc_sync(handle); }
int bupc_trysync(upc_handle_t handle) { return upc_sync_attempt(handle); }

/* A handle of a list that is complete becomes UPC_COMPLETE_HANDLE, so that the list may be given again. */
static bool try_one(upc_handle_t *handle) {
    if (!upc_sync_attempt(*handle))
        return false;
    *handle = UPC_COMPLETE_HANDLE;
    return true;
}

void bupc_waitsync_all(upc_handle_t *handles, size_t n) {
    for (size_t i = 0; i < n; i++) {
        upc_sync(handles[i]);
        handles[i] = UPC_COMPLETE_HANDLE;
    }
}

/* Waits for at least one transfer that was not complete, if there is one. */
void bupc_waitsync_some(upc_handle_t *handles, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (handles[i] != UPC_COMPLETE_HANDLE) {
            upc_sync(handles[i]);
            handles[i] = UPC_COMPLETE_HANDLE;
            break;
        }
    bupc_trysync_some(handles, n);
}

int bupc_trysync_all(upc_handle_t *handles, size_t n) {
    int all = 1;
    for (size_t i = 0; i < n; i++)
        all &= try_one(&handles[i]);
    return all;
}

int bupc_trysync_some(upc_handle_t *handles, size_t n) {
    int some = n == 0;
    for (size_t i = 0; i < n; i++)
        some |= try_one(&handles[i]);
    return some;
}

void bupc_waitsynci(void) { upc_synci(); }
int bupc_trysynci(void) { return upc_synci_attempt(); }

/* Transfers without a handle between these calls are the region's.  upc_synci completes those of the thread,
 * so the region's handle is complete. */
void bupc_begin_accessregion(void) {}
upc_handle_t bupc_end_accessregion(void) {
    upc_synci();
    return UPC_COMPLETE_HANDLE;
}

#define BOTH(name, parameters, arguments)                                                                    \
    upc_handle_t bupc_##name##_async parameters { return upc_##name##_nb arguments; }                        \
    void bupc_##name##_asynci parameters { upc_##name##_nbi arguments; }

BOTH(memcpy, (mer_pptr dst, mer_pptr src, size_t n), (dst, src, n))
BOTH(memget, (void *dst, mer_pptr src, size_t n), (dst, src, n))
BOTH(memput, (mer_pptr dst, const void *src, size_t n), (dst, src, n))
BOTH(memset, (mer_pptr dst, int c, size_t n), (dst, c, n))
