/* The program's calls for shared memory of the heap, and those of <meridian/meridian.h>, under the names of
 * sanitize.h. */
#include "dialect/upc/upc.h"
#include "heap/heap.h"
#include "host/job.h"
#include "sanitize/block.h"
#include "sanitize/clock.h"
#include "sync/barrier.h"

#include <meridian/meridian.h>

mer_pptr mer_san_upc_global_alloc(size_t nblocks, size_t nbytes);
mer_pptr mer_san_upc_all_alloc(size_t nblocks, size_t nbytes);
mer_pptr mer_san_upc_alloc(size_t nbytes);
mer_pptr mer_san_upc_local_alloc(size_t nblocks, size_t nbytes);
void mer_san_upc_free(mer_pptr ptr);
void mer_san_upc_all_free(mer_pptr ptr);

/* The bytes in each span of nblocks blocks that are dealt out to all threads. */
static uint64_t part(size_t nblocks, size_t nbytes) {
    size_t threads = (size_t)mer_job.threads;
    return (nblocks / threads + (nblocks % threads != 0)) * nbytes;
}

static mer_pptr dealt_out(mer_pptr got, size_t nblocks, size_t nbytes, struct mer_caller caller) {
    if (got.bits)
        mer_block_allocated(mer_native(got.bits), part(nblocks, nbytes), MER_BLOCK_OF_ALL, caller);
    return got;
}

mer_pptr mer_san_upc_global_alloc(size_t nblocks, size_t nbytes) {
    return dealt_out(upc_global_alloc(nblocks, nbytes), nblocks, nbytes, MER_CALLER);
}

mer_pptr mer_san_upc_all_alloc(size_t nblocks, size_t nbytes) {
    mer_pptr got = upc_all_alloc(nblocks, nbytes);
    if (mer_job.mythread == 0)
        dealt_out(got, nblocks, nbytes, MER_CALLER);
    mer_barrier_host("upc_all_alloc"); /* nobody accesses the memory before it is known as new */
    return got;
}

static mer_pptr own(mer_pptr got, uint64_t bytes, struct mer_caller caller) {
    if (got.bits)
        mer_block_allocated(mer_native(got.bits), bytes, (uint32_t)mer_job.mythread, caller);
    return got;
}

mer_pptr mer_san_upc_alloc(size_t nbytes) { return own(upc_alloc(nbytes), nbytes, MER_CALLER); }

mer_pptr mer_san_upc_local_alloc(size_t nblocks, size_t nbytes) {
    return own(upc_local_alloc(nblocks, nbytes), nblocks * nbytes, MER_CALLER);
}

static void freed(mer_pptr ptr, struct mer_caller caller) {
    if (ptr.bits)
        mer_block_freed(mer_native(ptr.bits), (uint32_t)mer_threadof(ptr.bits), caller);
}

void mer_san_upc_free(mer_pptr ptr) {
    freed(ptr, MER_CALLER);
    upc_free(ptr);
}

/* The memory is freed when all threads have entered. */
void mer_san_upc_all_free(mer_pptr ptr) {
    mer_clock_all_sync("upc_all_free");
    if (mer_job.mythread == 0)
        freed(ptr, MER_CALLER);
    mer_barrier_host("upc_all_free");
    upc_all_free(ptr);
}

/* ---- <meridian/meridian.h> ----------------------------------------------------------------------------- */

void mer_san_mer_barrier_all(void);
void *mer_san_mer_shared_alloc(size_t bytes);
void mer_san_mer_shared_free(void *at);

void mer_san_mer_barrier_all(void) {
    mer_clock_notify();
    mer_barrier_all();
    mer_clock_wait();
}

static uint64_t native(const void *at, int thread) {
    return (uint64_t)(uintptr_t)at - MER_VIEW_BASE - (uint64_t)thread * mer_job.span;
}

void *mer_san_mer_shared_alloc(size_t bytes) {
    void *got = mer_shared_alloc(bytes);
    if (got)
        mer_block_allocated(native(got, mer_job.mythread), bytes, (uint32_t)mer_job.mythread, MER_CALLER);
    return got;
}

void mer_san_mer_shared_free(void *at) {
    int thread = mer_shared_thread(at);
    if (at && thread >= 0)
        mer_block_freed(native(at, thread), (uint32_t)thread, MER_CALLER);
    mer_shared_free(at);
}
