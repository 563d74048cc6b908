/* The plain C interface, <meridian/meridian.h>. */
#include <meridian/meridian.h>

#include "start/finish.h"
#include "host/job.h"
#include "base/fatal.h"
#include "heap/heap.h"
#include "sync/barrier.h"

int mer_threads(void) { return mer_job.threads; }

int mer_mythread(void) { return mer_job.mythread; }

void mer_barrier_all(void) { mer_barrier_collective("mer_barrier_all"); }

void mer_global_exit(int status) { mer_finish_all(status); }

void *mer_shared_alloc(size_t bytes) {
    uint64_t at = bytes ? mer_heap_local(bytes, "mer_shared_alloc") : 0;
    return at ? mer_view(mer_job.mythread, at) : NULL;
}

int mer_shared_thread(const void *at) {
    uint64_t offset = (uint64_t)(uintptr_t)at - MER_VIEW_BASE;
    return offset < (uint64_t)mer_job.threads * mer_job.span ? (int)(offset / mer_job.span) : -1;
}

void mer_shared_free(void *at) {
    if (!at)
        return;
    int t = mer_shared_thread(at);
    if (t < 0)
        mer_fatal("mer_shared_free: %p is private memory", at);
    mer_heap_free(t, (uint64_t)(uintptr_t)at - MER_VIEW_BASE - (uint64_t)t * mer_job.span, "mer_shared_free");
}
