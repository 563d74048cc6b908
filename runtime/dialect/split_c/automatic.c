/* Automatic spread and dist objects, which all processors declare together: memory when the declaration is
 * reached, given back at the end of its scope.
 */
#include "core/job.h"
#include "core/message.h"
#include "sync/barrier.h"

#include <meridian/everything.h>
#include <split-c/split-c.h>
#include <string.h>

mer_u64 mer_automatic(mer_i64 count, mer_size size, const char *where) {
    if (count < 0)
        mer_fatal("%s: a spread or dist array of %lld elements is declared", where, (long long)count);
    mer_ptr p = all_spread_malloc(count ? (mer_size)count : 1, size ? size : 1);
    if (!p.bits)
        mer_fatal("%s: there is no memory left for this spread or dist object", where);
    return mer_native(p.bits);
}

void mer_automatic_free(mer_u64 *native) { all_spread_free(mer_mk(mer_bits(0, *native))); }

void mer_automatic_init(mer_u64 native, mer_i64 count, mer_size size, const void *image, mer_size bytes) {
    char *own = mer_at(mer_bits((mer_u64)mer_job.mythread, native));
    for (mer_u64 unit = (mer_u64)mer_job.mythread; unit < (mer_u64)count; unit += (mer_u64)mer_job.threads) {
        if ((unit + 1) * size <= bytes)
            memcpy(own, (const char *)image + unit * size, size);
        else
            memset(own, 0, size);
        own += size;
    }
    mer_barrier_collective("the initialisation of a spread or dist object");
}
