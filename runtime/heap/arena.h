/* An arena: the allocator of one range of shared memory, whose state lies in shared memory too, so that any
 * process of the job may allocate from it and free to it, under its mutex.
 *
 * Memory is handed out in chunks of MER_CHUNK bytes.  Requests up to MER_SMALL_MAX share chunks: a slab is a
 * chunk cut into slots of one size class, with a bit map of the free ones.  Larger requests take runs of
 * whole chunks; free runs are kept in bins by size and merged with their neighbours.  The description of each
 * chunk lies in a map apart from the chunks, so that a program that writes past its objects does not destroy
 * it, and that a pointer to be freed can be told from any other.
 *
 * Memory of freed runs goes back to the system when enough of it has come together.
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

/* What the arena knows of a chunk.  Indices are chunk numbers + 1, 0 for none. */
struct mer_chunk {
    uint8_t state;
    uint8_t class;       /* slab: size class */
    uint16_t vacant;     /* slab: free slots */
    uint32_t length;     /* runs: chunks; FREE_LAST: likewise, so that the first can be found */
    uint32_t next, prev; /* in the bin or in the class's list of slabs with free slots */
    uint32_t dirty;      /* free run: chunks of it whose memory may be committed */
    uint32_t unused;
    uint64_t total;    /* RUN, SLAB: bytes that are in use, over all threads */
    uint64_t free[16]; /* slab: bit set: slot free */
};

struct mer_arena {
    struct mer_mutex mutex;
    uint32_t top;       /* chunks that have ever been used; those behind are fresh */
    uint32_t limit;     /* chunks there are */
    uint32_t give_back; /* dirty chunks of a free run at which its memory goes back to the system */
    uint64_t base;      /* native address of chunk 0 */
    int32_t owner;      /* the thread; -1: symmetric, every thread has the memory */
    uint32_t slabs[MER_CLASSES];
    uint32_t bins[MER_BINS];
    uint64_t bins_used[MER_BINS / 64];
};

/* Bytes of address space that an arena's state takes for so many chunks. */
uint64_t mer_arena_state_size(uint64_t chunks);

/* Set up an arena whose state is zero memory. */
void mer_arena_init(struct mer_arena *arena, uint64_t base, uint64_t chunks, int owner, uint32_t give_back);

/* Allocate; the native address, or 0 if the arena's address space is used up.  total: bytes that will be in
 * use of this allocation, over all threads, for runs; slabs count their chunk on every thread.  What of that
 * may be on this host's threads is counted as reserved.  The caller holds the mutex. */
uint64_t mer_arena_alloc(struct mer_arena *arena, uint64_t bytes, uint64_t total);

/* Would mer_arena_alloc have to take a fresh chunk or run for this request?  Then its memory has to be there.
 */
bool mer_arena_needs_run(const struct mer_arena *arena, uint64_t bytes);

/* Free.  Null, or what is wrong with the address, as a clause for a message; *released: bytes that count as
 * reserved no longer.  The caller holds the mutex. */
const char *mer_arena_free(struct mer_arena *arena, uint64_t address, uint64_t *released);

/* Bytes that the allocation at an address may use, and what was given as its total (of a slot: 0); 0: there
 * is none.  The caller holds the mutex. */
uint64_t mer_arena_size(struct mer_arena *arena, uint64_t address, uint64_t *total);

/* Bytes that a request of more than MER_SMALL_MAX bytes takes. */
uint64_t mer_arena_round(uint64_t bytes);

/* Count so many bytes of this host's as handed out, negative ones as given back. */
void mer_arena_count(uint64_t bytes);

/* The slot size of the class that serves `bytes` <= MER_SMALL_MAX; tests. */
uint64_t mer_arena_class_size(uint64_t bytes);

#endif
