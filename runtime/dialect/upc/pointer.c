/* Pointer-to-shared manipulation (UPC 7.2.3). */
#include "dialect/upc/upc.h"

#include "host/job.h"
#include "base/fatal.h"

size_t upc_threadof(mer_pptr ptr) { return mer_threadof(ptr.bits); }

size_t upc_phaseof(mer_pptr ptr) { return ptr.phase; }

mer_pptr upc_resetphase(mer_pptr ptr) { return mer_phase0(ptr); }

size_t upc_addrfield(mer_pptr ptr) { return mer_native(ptr.bits); }

/* Blocks of nbytes, totalsize bytes in all, are dealt out to the threads in turn.  Thread threadid has a
 * block of each whole round, and of the last, partial round a whole block, a part of one, or nothing.  If
 * nbytes is 0 (indefinite), all bytes are thread 0's. */
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid) {
    size_t threads = (size_t)mer_job.threads;
    if (threadid >= threads)
        mer_fatal("upc_affinitysize: threadid is %zu, but has to be below THREADS = %zu (UPC 7.2.3.5)",
                  threadid, threads);
    if (nbytes == 0)
        return threadid == 0 ? totalsize : 0;
    size_t blocks = totalsize / nbytes, rest = totalsize % nbytes;
    size_t rounds = blocks / threads, partial = blocks % threads;
    size_t size = rounds * nbytes;
    if (threadid < partial)
        size += nbytes;
    else if (threadid == partial)
        size += rest;
    return size;
}
