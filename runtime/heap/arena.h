/* An arena: the allocator of one range of shared memory.  Its state is in shared memory too, so any process
 * of the job may allocate from it and free to it, under its mutex.
 *
 * Memory is handed out in chunks of MER_CHUNK bytes.  Requests up to MER_SMALL_MAX share chunks: a slab is a
 * chunk cut into slots of one size class, with a bit map of the free ones.  Larger requests take runs of
 * whole chunks; free runs are kept in bins by size and merged with their neighbours.  The descriptions of the
 * chunks are in a map apart from the chunks.  So a program that writes past its objects does not destroy
 * them, and a pointer to be freed can be checked.
 *
 * Memory of freed runs goes back to the system when enough of it has accumulated.
 */
#ifndef MER_HEAP_ARENA_H
#define MER_HEAP_ARENA_H

#include "host/layout.h"
#include "base/mutex.h"

#include <stdbool.h>
#include <stdint.h>

#define MER_HEAP_ALIGN 64ULL
#define MER_SMALL_MAX (32ULL << 10)
#define MER_CLASSES 36
#define MER_BINS 256

enum mer_chunk_state {
    MER_CHUNK_NONE = 0,  /* inside a run, or never used */
    MER_CHUNK_FREE,      /* first of a free run */
    MER_CHUNK_FREE_LAST, /* last of a free run of two or more */
    MER_CHUNK_RUN,       /* first of a run handed out */
    MER_CHUNK_SLAB       /* cut into slots */
};

/* The description of a chunk.  Indices are chunk numbers + 1, 0 for none. */
struct mer_chunk {
    uint8_t state;
    uint8_t class;       /* slab: size class */
    uint16_t vacant;     /* slab: free slots */
    uint32_t length;     /* runs: chunks; also in FREE_LAST, to find the first */
    uint32_t next, prev; /* in the bin or in the class's list of slabs with free slots */
    uint32_t dirty;      /* free run: chunks of it whose memory may be committed */
    uint32_t unused;
    uint64_t total;    /* RUN, SLAB: bytes in use, over all threads */
    uint64_t free[16]; /* slab: a set bit marks a free slot */
};

struct mer_arena {
    struct mer_mutex mutex;
    uint32_t top;       /* chunks that have ever been used; those after are fresh */
    uint32_t limit;     /* number of chunks */
    uint32_t give_back; /* dirty chunks of a free run at which its memory goes back to the system */
    uint64_t base;      /* native address of chunk 0 */
    int32_t owner;      /* the thread, or -1 if symmetric: every thread has the memory */
    uint32_t slabs[MER_CLASSES];
    uint32_t bins[MER_BINS];
    uint64_t bins_used[MER_BINS / 64];
};

/* Returns the bytes of address space that an arena's state takes for so many chunks. */
uint64_t mer_arena_state_size(uint64_t chunks);

/* Set up an arena whose state is zero memory. */
void mer_arena_init(struct mer_arena *arena, uint64_t base, uint64_t chunks, int owner, uint32_t give_back);

/* Allocate `bytes'.  Returns the native address, or 0 if the arena's address space is used up.  total: for
 * runs, the bytes of this allocation that will be in use, over all threads; slabs count their chunk on every
 * thread.  The bytes that may be on this host's threads are counted as reserved.  The caller holds the
 * mutex. */
uint64_t mer_arena_alloc(struct mer_arena *arena, uint64_t bytes, uint64_t total);

/* Returns true if mer_arena_alloc needs a fresh chunk or run for this request.  Then the memory must be
 * available.
 */
bool mer_arena_needs_run(const struct mer_arena *arena, uint64_t bytes);

/* Free an allocation.  Returns null, or the error in the address as a clause for a message; *released becomes
 * the bytes that no longer count as reserved.  The caller holds the mutex. */
const char *mer_arena_free(struct mer_arena *arena, uint64_t address, uint64_t *released);

/* Returns the usable bytes of the allocation at an address, or 0 if there is none; *total becomes the total
 * given at allocation (0 for a slot).  The caller holds the mutex. */
uint64_t mer_arena_size(struct mer_arena *arena, uint64_t address, uint64_t *total);

/* Returns the start of the allocation that contains the byte at an address, or 0 if none does.  Time: within
 * a large allocation, one step for each chunk before the address.  The caller holds the mutex. */
uint64_t mer_arena_object(struct mer_arena *arena, uint64_t address);

/* Returns the start of the slot in use that ends at an address, or 0 if none does.  The caller holds the
 * mutex. */
uint64_t mer_arena_slot_before(struct mer_arena *arena, uint64_t address);

/* Returns the bytes that a request of more than MER_SMALL_MAX bytes takes. */
uint64_t mer_arena_round(uint64_t bytes);

/* Count so many bytes of this host as handed out; negative numbers as freed. */
void mer_arena_count(uint64_t bytes);

/* Returns the slot size of the class that serves `bytes` <= MER_SMALL_MAX; for tests. */
uint64_t mer_arena_class_size(uint64_t bytes);

#endif
