/* Copies of more bytes than a thread's shared memory has (access.h: mer_copy_check).
 *
 * A wrongly computed length is usually a negative number, and enormous as a size.  The C library would wrap
 * around the address space with it, in part without a fault, or fill all memory before it faults. */
#include "rma/copy.h"

#include "base/fatal.h"
#include "host/job.h"
#include "host/layout.h"

void mer_copy_bounds(mer_u64 bits, mer_size n, const char *name) {
    uint64_t in_view = (bits & MER_ADDR_MASK) - MER_VIEW_BASE, span = mer_job.span;
    bool shared = in_view < (uint64_t)mer_job.threads * span;
    /* Private memory, which Split-C and AC address too, is bounded only by the size of an address. */
    uint64_t most = shared ? mer_layout.mapped - in_view % span : MER_ADDR_MASK;
    char text[32];
    if (n <= most)
        return;
    mer_fatal("%s: %llu bytes%s are asked for, but only %s lie between the pointer-to-shared and the end of "
              "the shared memory of thread %d",
              name, (unsigned long long)n, (long long)n < 0 ? " (a negative number)" : "",
              mer_bytes_text(text, most), (int)mer_procof(bits));
}
