/* See shadow.h. */
#include "sanitize/shadow.h"

#include "host/job.h"
#include "host/layout.h"
#include "sanitize/region.h"

#include <assert.h>
#include <string.h>

static_assert(1ULL << MER_SHADOW_CHUNK_LOG == MER_CHUNK,
              "the bounds of the runtime's memory are those of chunks");

#define CHUNK_GRANULES (MER_CHUNK / 8)

__thread struct mer_shadow_recent mer_shadow_recent[MER_SHADOW_RECENT];

void mer_shadow_new(void) { mer_region->shadow = mer_region_take(sizeof(struct mer_shadow)); }

/* Publishes `fresh' in a word that is null, and returns the word's content afterwards: that of another thread
 * if it was faster.  Release and acquire, partners: each other, and the loads in mer_shadow_chunk. */
static void *publish(void *word, void *fresh) {
    void **at = word, *none = NULL;
    if (__atomic_compare_exchange_n(at, &none, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return fresh;
    return none;
}

/* Returns true if the program may have objects in the chunk of this offset: static ones, or the heap's. */
static bool is_program(uint64_t at) {
    uint64_t native = at % mer_job.span;
    return native < mer_layout.scratch || native >= mer_layout.symmetric;
}

struct mer_granule *mer_shadow_make(uint64_t at) {
    uint64_t chunk = at >> MER_SHADOW_CHUNK_LOG;
    mer_shadow_leaf **root = &mer_region->shadow->root[chunk >> MER_SHADOW_LEAF_LOG];
    mer_shadow_leaf *leaf = __atomic_load_n(root, __ATOMIC_ACQUIRE);
    if (!leaf)
        leaf = publish(root, mer_region_take(sizeof *leaf));
    struct mer_granule **word = &(*leaf)[chunk % (1 << MER_SHADOW_LEAF_LOG)];
    struct mer_granule *granules = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (!granules)
        granules = publish(word, is_program(at) ? mer_region_take(CHUNK_GRANULES * sizeof *granules)
                                                : MER_SHADOW_NONE);
    return granules;
}

/* Acquire, partner: publish. */
struct mer_granule *mer_shadow_chunk(uint64_t at) {
    uint64_t chunk = at >> MER_SHADOW_CHUNK_LOG;
    mer_shadow_leaf *leaf = __atomic_load_n(&mer_region->shadow->root[chunk >> MER_SHADOW_LEAF_LOG],
                                            __ATOMIC_ACQUIRE);
    return leaf ? __atomic_load_n(&(*leaf)[chunk % (1 << MER_SHADOW_LEAF_LOG)], __ATOMIC_ACQUIRE) : NULL;
}

void mer_shadow_clear(uint64_t at, uint64_t n) {
    while (n > 0) {
        uint64_t here = MER_CHUNK - at % MER_CHUNK;
        if (here > n)
            here = n;
        struct mer_granule *granules = mer_shadow_chunk(at);
        if (granules && granules != MER_SHADOW_NONE)
            memset(&granules[at % MER_CHUNK / 8], 0, (at % 8 + here + 7) / 8 * sizeof *granules);
        at += here;
        n -= here;
    }
}

/* Empties the cells of a chunk, except those that say that a granule is freed. */
static void clear_accesses(struct mer_granule *granules) {
    for (size_t i = 0; i < CHUNK_GRANULES; i++)
        if (granules[i].cell[0] & MER_CELL_MASK)
            memset(&granules[i], 0, sizeof granules[i]);
}

void mer_shadow_clear_all(void) {
    for (uint64_t i = 0; i < MER_SHADOW_ROOT; i++) {
        mer_shadow_leaf *leaf = mer_region->shadow->root[i];
        for (int k = 0; leaf && k < 1 << MER_SHADOW_LEAF_LOG; k++)
            if ((*leaf)[k] && (*leaf)[k] != MER_SHADOW_NONE)
                clear_accesses((*leaf)[k]);
    }
}
