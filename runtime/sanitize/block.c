/* See block.h.  The blocks are a hash table by start, of linear probing, in the region.  The entry of a freed
 * block stays, for reports, until another block has its start.  When the table is full, further blocks are
 * not known: their frees are not checked. */
#include "sanitize/block.h"

#include "host/job.h"
#include "sanitize/race.h"
#include "sanitize/region.h"
#include "sanitize/shadow.h"

#include <meridian/abi/abi.h>

#define MOST (1U << 20)

struct mer_blocks {
    struct mer_region_lock lock;
    struct mer_block block[MOST];
};

void mer_block_new(void) { mer_region->blocks = mer_region_take(sizeof(struct mer_blocks)); }

static bool owns(const struct mer_block *block, uint32_t thread) {
    return block->owner == MER_BLOCK_OF_ALL || block->owner == thread;
}

/* Returns the entry with this start and owner, or the empty one where it would be; null: the table is
 * full. */
static struct mer_block *find(uint64_t start, uint32_t owner) {
    struct mer_block *all = mer_region->blocks->block;
    uint32_t i = (uint32_t)((start * 0x9e3779b97f4a7c15ULL) >> 44) % MOST;
    for (uint32_t n = 0; n < MOST; n++, i = (i + 1) % MOST)
        if (!all[i].start || (all[i].start == start && all[i].owner == owner))
            return &all[i];
    return NULL;
}

/* Calls `act' for the part of a block in each span that has one. */
static void each_part(const struct mer_block *block,
                      void (*act)(uint64_t at, uint64_t bytes, struct mer_caller), struct mer_caller caller) {
    for (int t = 0; t < mer_job.threads; t++)
        if (owns(block, (uint32_t)t))
            act(MER_VIEW_BASE + (uint64_t)t * mer_job.span + block->start, block->bytes, caller);
}

static void clear(uint64_t at, uint64_t bytes, struct mer_caller caller) {
    (void)caller;
    mer_shadow_clear(at - MER_VIEW_BASE, bytes);
}

void mer_block_allocated(uint64_t start, uint64_t bytes, uint32_t owner, struct mer_caller caller) {
    struct mer_block block = {.start = start, .bytes = bytes, .owner = owner, .site = mer_site_of(caller)};
    each_part(&block, clear, caller);
    mer_region_lock(&mer_region->blocks->lock);
    struct mer_block *entry = find(start, owner);
    if (entry)
        *entry = block;
    mer_region_unlock(&mer_region->blocks->lock);
}

void mer_block_freed(uint64_t start, uint32_t thread, struct mer_caller caller) {
    mer_region_lock(&mer_region->blocks->lock);
    struct mer_block *entry = find(start, thread);
    if (!entry || !entry->start)
        entry = find(start, MER_BLOCK_OF_ALL);
    struct mer_block block = entry ? *entry : (struct mer_block){0};
    if (block.start)
        entry->freed = true;
    mer_region_unlock(&mer_region->blocks->lock);
    if (!block.start || block.freed)
        return;
    each_part(&block, mer_race_free, caller);
}

struct mer_block mer_block_at(uint64_t native, uint32_t thread) {
    struct mer_block found = {0};
    mer_region_lock(&mer_region->blocks->lock);
    for (uint32_t i = 0; i < MOST; i++) {
        const struct mer_block *block = &mer_region->blocks->block[i];
        if (block->start && native - block->start < block->bytes && owns(block, thread) &&
            (!found.start || found.freed))
            found = *block;
    }
    mer_region_unlock(&mer_region->blocks->lock);
    return found;
}
