/* The blocks of the heap, as the program allocates and frees them. */
#ifndef MER_SANITIZE_BLOCK_H
#define MER_SANITIZE_BLOCK_H

#include "sanitize/site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MER_BLOCK_OF_ALL UINT32_MAX /* the owner of memory that has the same address in every span */

struct mer_block {
    uint64_t start; /* native address; 0: an empty entry */
    uint64_t bytes; /* in each span */
    uint32_t owner; /* a thread, or MER_BLOCK_OF_ALL */
    uint32_t site;  /* of its allocation */
    bool freed;
};

/* Start-up, by the first thread of the host. */
void mer_block_new(void);

/* A block is allocated: its memory has not been accessed. */
void mer_block_allocated(uint64_t start, uint64_t bytes, uint32_t owner, struct mer_caller caller);

/* A block is about to be freed: the free is a write to all of it, and later accesses are errors.  An address
 * that no block has is left to the allocator's message. */
void mer_block_freed(uint64_t start, uint32_t thread, struct mer_caller caller);

/* Returns the block that contains, or contained, the native address in the span of `thread'; empty: none. */
struct mer_block mer_block_at(uint64_t native, uint32_t thread);

#endif
