/* Tests whether pointers lead to different objects, for loops that do atomic operations in advance
 * (crates/opt, facts/dependences.rs).
 *
 * Arithmetic on a pointer stays within the object that it leads to (C 6.5.6p8), so accesses through pointers
 * to different objects are to different memory.  Objects of the heap are its allocations.  Static objects are
 * not distinguished.  A pointer may lead to the end of an object, where another object may begin, so both
 * count.
 *
 * Cost: for each pointer into the heap of another host one round trip, once a loop.
 */
#include "heap/heap.h"
#include "host/layout.h"

#include <meridian/abi/abi.h>
#include <stdbool.h>

/* The objects to which a pointer may lead: starts of allocations, or one of these. */
enum { NOTHING = 0, STATIC = 1, UNKNOWN = 2 };
struct objects {
    mer_u64 of[2];
};

static struct objects objects_of(mer_u64 bits) {
    mer_u64 native = mer_native(bits);
    struct objects found = {{NOTHING, NOTHING}};
    if (!bits)
        return found;
    if (native < mer_layout.scratch) {
        found.of[0] = STATIC;
        return found;
    }
    uint64_t starts[2];
    mer_heap_objects((int)mer_threadof(bits), native, starts);
    found.of[0] = starts[0];
    found.of[1] = starts[1];
    if (!found.of[0] && !found.of[1])
        found.of[0] = UNKNOWN;
    return found;
}

static bool meet(const struct objects *a, const struct objects *b) {
    for (int i = 0; i < 4; i++) {
        mer_u64 x = a->of[i / 2], y = b->of[i % 2];
        if (x != NOTHING && y != NOTHING && (x == y || x == UNKNOWN || y == UNKNOWN))
            return true;
    }
    return false;
}

int mer_distinct(mer_u64 pairs, int n, const mer_u64 *roots) {
    struct objects objects[MER_DISTINCT_MOST];
    for (int i = 0; i < n; i++)
        objects[i] = objects_of(roots[i]);
    for (; pairs; pairs &= pairs - 1) {
        int pair = __builtin_ctzll(pairs);
        if (meet(&objects[pair / MER_DISTINCT_MOST], &objects[pair % MER_DISTINCT_MOST]))
            return 0;
    }
    return 1;
}
