/* What compiled code calls in place of inline code: without optimisation the small functions of abi.h, and
 * there and where memory may be remote where the objects of accesses lie (access.h).
 *
 * This file is compiled without lines, so that a debugger's `step' passes over these calls.  What may fault
 * is left to the caller, whose line is then told.  What is remote is left to the functions of remote.c by a
 * last call, or within a record of the call, so that the caller's line is recorded (base/record.h). */
#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the header has the definitions */
#define MER_SMALL_HERE
#include <meridian/abi.h>

#include "base/record.h"

int(mer_remote)(mer_u64 bits) { return mer_remote(bits); }

void *mer_read(mer_u64 bits, void *copy, mer_size n) {
    return mer_remote(bits) ? mer_remote_get(copy, bits, n) : mer_at(bits);
}

/* The caller stores what is remote to its own copy once more, and so does not ask. */
void *mer_write(mer_u64 bits, void *value, mer_size n) {
    if (!mer_remote(bits))
        return mer_at(bits);
    mer_record_begin();
    mer_remote_put(bits, value, n);
    mer_record_end(MER_RECORD_INNER, 0, 0);
    return value;
}

/* ---- loops that prefetch ------------------------------------------------------------------------------- */

int mer_prefetch_start(void *to, mer_u64 bits, mer_size n, int *waiting) {
    if (!mer_remote(bits))
        return 0;
    mer_record_begin();
    mer_remote_get_start(to, bits, n, waiting);
    mer_record_end(MER_RECORD_INNER, 0, 0);
    return 1;
}

/* A scalar is read at once, as the program's own read would. */
static void copy(void *to, const void *from, mer_size n) {
    if (n == 8)
        *(mer_u64 *)to = *(const volatile mer_u64 *)from;
    else if (n == 4)
        *(__UINT32_TYPE__ *)to = *(const volatile __UINT32_TYPE__ *)from;
    else if (n == 2)
        *(__UINT16_TYPE__ *)to = *(const volatile __UINT16_TYPE__ *)from;
    else
        __builtin_memcpy(to, from, n);
}

int mer_prefetch_hold(void *to, mer_u64 bits, mer_size n, int *waiting) {
    int remote = mer_prefetch_start(to, bits, n, waiting);
    if (!remote)
        copy(to, mer_at(bits), n);
    return remote;
}

void *mer_prefetched(mer_u64 bits, void *copy, mer_size n, int *met) {
    if (!mer_remote(bits))
        return mer_at(bits);
    if (!met)
        return copy;
    *met = 1;
    return mer_remote_get(copy, bits, n);
}

void mer_extent_add(struct mer_extent *extent, mer_u64 at, mer_size n) {
    if (at < extent->lo)
        extent->lo = at;
    if (at + n > extent->hi)
        extent->hi = at + n;
}

int mer_extent_meets(const struct mer_extent *extent, mer_u64 at, mer_size n) {
    return at < extent->hi && at + n > extent->lo;
}

mer_u64 mer_extent_private(const volatile void *at) {
    mer_u64 offset = (mer_u64)at - MER_VIEW_BASE;
    return offset < MER_VIEW_SIZE ? offset % MER_SPAN : (mer_u64)at;
}
