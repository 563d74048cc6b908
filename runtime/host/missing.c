/* Global pointers to processors that do not exist, and other pointers outside of the views of the job's
 * processors (everything.h).
 *
 * `toglobal' makes such pointers without a message: a program may step past the last processor and never use
 * the pointer.  Every access through one ends with a message, because its bits are not below mer_local_limit.
 * The message names the processor, which the pointer encodes:
 *
 *   mer_bits(p, a)                 p from NEAR_FIRST to NEAR_END - 1: limits for which the sum does not reach
 *                                  another kind for any span.  Compared and stepped like other pointers
 *   MER_PRIVATE | p | address      memory outside of the views, of a processor of the job
 *   FAR | number << FAR_SHIFT      any other processor, or private memory of one that does not exist.  The
 *                                  address is lost.  Adding an offset keeps the number if the offset is less
 *                                  than 1 << (FAR_SHIFT - 1)
 */
#include "host/control.h"
#include "host/job.h"

#include <meridian/everything.h>
#include <assert.h>

#define NEAR_FIRST (-8192)
#define NEAR_END 16384
#define FAR (MER_PRIVATE | (mer_u64)MER_MAX_THREADS << MER_THREAD_SHIFT)
#define FAR_SHIFT 24
#define FAR_MOST ((1 << (MER_THREAD_SHIFT - FAR_SHIFT - 1)) - 1)

/* mer_stride() is at most 5/4 of 2^48, and MER_VIEW_BASE less than 2^48. */
static_assert((NEAR_END * 5 / 4 + 2) < (1 << 15), "near pointers do not have the bit MER_PRIVATE");
static_assert((1 << 16) + (NEAR_FIRST * 5 / 4) - 2 > (1 << 15) + MER_MAX_THREADS, "nor do they reach FAR");

static bool is_far(mer_u64 bits) { return bits >> MER_THREAD_SHIFT == FAR >> MER_THREAD_SHIFT; }
static bool is_private(mer_u64 bits) { return bits >= MER_PRIVATE && bits < FAR; }

static mer_ptr far_pointer(int proc) {
    int number = proc > FAR_MOST ? FAR_MOST : proc < -FAR_MOST ? -FAR_MOST : proc;
    mer_u64 field = (mer_u64)(mer_i64)number << FAR_SHIFT & MER_ADDR_MASK;
    return mer_mk(FAR | field | 1ULL << (FAR_SHIFT - 1));
}

int mer_named_proc(mer_u64 bits) {
    mer_i64 stride = (mer_i64)mer_stride();
    if (is_far(bits))
        return (int)((mer_i64)(bits << 16) >> (16 + FAR_SHIFT));
    if (is_private(bits))
        return (int)mer_procof(bits);
    return (int)mer_floordiv((mer_i64)(bits - MER_VIEW_BASE), (mer_u64)stride);
}

static mer_u64 native_of(mer_u64 bits) { return bits - mer_bits(mer_named_proc(bits), 0); }

void *mer_local_of_other(mer_ptr g) {
    if (is_far(g.bits))
        return NULL;
    if (is_private(g.bits))
        return (void *)(uintptr_t)(g.bits & MER_ADDR_MASK);
    mer_u64 native = native_of(g.bits);
    return native < MER_HEAP_OFFSET ? (void *)(uintptr_t)native : mer_view(mer_job.mythread, native);
}

mer_ptr mer_moved_other(int proc, mer_ptr g) {
    bool missing = mer_is_missing(proc);
    if (!g.bits)
        return g;
    if (is_far(g.bits))
        return missing ? far_pointer(proc) : g;
    if (is_private(g.bits) && !missing)
        return mer_mk(MER_PRIVATE | (g.bits & MER_ADDR_MASK) | (mer_u64)proc << MER_THREAD_SHIFT);
    if (is_private(g.bits) || proc < NEAR_FIRST || proc >= NEAR_END)
        return far_pointer(proc);
    return mer_mk(mer_bits((mer_u64)(mer_i64)proc, native_of(g.bits)));
}

mer_ptr mer_missing_at(int proc, mer_u64 a) { return mer_moved_other(proc, mer_address_to_global(a)); }
