/* Shared memory allocation (UPC 7.2.2) and termination (7.2.1).
 *
 * The collective calls go through one barrier in which thread 0, which does the work, passes on the result.
 */
#include "dialect/upc/upc.h"

#include "start/finish.h"
#include "host/job.h"
#include "base/fatal.h"
#include "base/record.h"
#include "dialect/upc/single.h"
#include "heap/heap.h"
#include "sync/barrier.h"

#include <stdint.h>

void upc_global_exit(int status) { mer_finish_all(status); }

/* Allocates `shared [nbytes] char[nblocks * nbytes]`; null for no bytes, or if there is no memory. */
static mer_pptr blocks_alloc(size_t nblocks, size_t nbytes, const char *name) {
    size_t total, each;
    uint64_t threads = (uint64_t)mer_job.threads;
    if (nblocks == 0 || nbytes == 0)
        return mer_mkp(0, 0);
    if (__builtin_mul_overflow(nblocks, nbytes, &total)) {
        mer_warn("%s: asked for %zu blocks of %zu bytes, more than an address space can hold; it returns a "
                 "null pointer-to-shared",
                 name, nblocks, nbytes);
        return mer_mkp(0, 0);
    }
    each = (nblocks / threads + (nblocks % threads != 0)) * nbytes;
    uint64_t at = mer_heap_symmetric(each, total, name);
    return mer_mkp(at ? mer_bits(0, at) : 0, 0);
}

mer_pptr upc_global_alloc(size_t nblocks, size_t nbytes) {
    return blocks_alloc(nblocks, nbytes, "upc_global_alloc");
}

mer_pptr upc_all_alloc(size_t nblocks, size_t nbytes) {
    mer_check_single_valued("upc_all_alloc", mer_digest(nblocks, nbytes));
    if (nblocks == 0 || nbytes == 0) {
        mer_barrier_check_outside("upc_all_alloc");
        return mer_mkp(0, 0);
    }
    mer_record_begin();
    uint64_t mine = mer_job.mythread == 0 ? blocks_alloc(nblocks, nbytes, "upc_all_alloc").bits : 0;
    mer_barrier_exchange("upc_all_alloc", mine);
    mer_record_end(MER_RECORD_INNER, 0, 0);
    return mer_mkp(mer_barrier_payload(0), 0);
}

mer_pptr upc_alloc(size_t nbytes) {
    if (nbytes == 0)
        return mer_mkp(0, 0);
    uint64_t at = mer_heap_local(nbytes, "upc_alloc");
    return mer_mkp(at ? mer_bits((uint64_t)mer_job.mythread, at) : 0, 0);
}

/* A function of UPC 1.1, which real programs still call. */
mer_pptr upc_local_alloc(size_t nblocks, size_t nbytes) {
    size_t total;
    if (__builtin_mul_overflow(nblocks, nbytes, &total))
        total = SIZE_MAX; /* is refused, with a message */
    return upc_alloc(total);
}

static void free_checked(mer_pptr ptr, const char *name) {
    if (ptr.bits)
        mer_heap_free((int)mer_threadof(ptr.bits), mer_native(ptr.bits), name);
}

void upc_free(mer_pptr ptr) { free_checked(ptr, "upc_free"); }

/* The object stays valid until all threads have entered; then one of them frees it. */
void upc_all_free(mer_pptr ptr) {
    mer_check_single_valued("upc_all_free", ptr.bits);
    if (!ptr.bits) {
        mer_barrier_check_outside("upc_all_free");
        return;
    }
    mer_record_begin();
    mer_barrier_collective("upc_all_free");
    if (mer_job.mythread == 0)
        free_checked(ptr, "upc_all_free");
    mer_record_end(MER_RECORD_INNER, 0, 0);
}
