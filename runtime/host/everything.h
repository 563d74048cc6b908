/* Everything addressable, for programs that hold a Split-C or AC unit: the two addresses of a static object.
 */
#ifndef MER_HOST_EVERYTHING_H
#define MER_HOST_EVERYTHING_H

#include "host/job.h"

#include <stdbool.h>
#include <stdint.h>

/* A static of this process has two addresses: its native one, and the one in its own view.  If parts of one
 * object may overlap, both must be named in the same way.  Returns the address in the view for a native
 * address of a static, and p itself for all others. */
static inline void *mer_everything_seen(const void *p) {
    extern char begin[] __asm__("__data_start") __attribute__((weak));
    extern char end[] __asm__("_end") __attribute__((weak));
    uint64_t a = (uint64_t)(uintptr_t)p, first = (uint64_t)(uintptr_t)begin;
    bool is_static = mer_here.everything && a - first < (uint64_t)(uintptr_t)end - first;
    return is_static ? mer_view(mer_job.mythread, a) : (void *)(uintptr_t)a;
}

#endif
