/* <upc_castable.h> (UPC 7.7).  The threads of a host see each other's shared memory, by whichever call it was
 * allocated, so all of it is castable; memory on another host, or in no thread's span, is not. */
#include "host/job.h"
#include "base/fatal.h"

#include <upc/upc_castable.h>

void *upc_cast(mer_pptr ptr);

void *upc_cast(mer_pptr ptr) {
    mer_u64 thread = mer_threadof(ptr.bits), address = (mer_u64)(uintptr_t)mer_at(ptr.bits);
    if (thread >= (mer_u64)mer_job.threads || !mer_on_host((int)thread) ||
        address - MER_VIEW_BASE - thread * mer_job.span >= mer_job.span)
        return NULL;
    return mer_at(ptr.bits);
}

upc_thread_info_t upc_thread_info(size_t threadId) {
    if (threadId >= (size_t)mer_job.threads)
        mer_fatal("upc_thread_info: there is no thread %zu; threads are 0 to %d", threadId,
                  mer_job.threads - 1);
    int castable = mer_on_host((int)threadId) ? UPC_CASTABLE_ALL : 0;
    return (upc_thread_info_t){castable, castable};
}
