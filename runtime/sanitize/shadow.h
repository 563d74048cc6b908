/* The shadow: for each 8 bytes of shared memory (a granule) the last accesses to it.
 *
 * A granule has four cells.  A cell is one access: its bytes, kind, thread, the thread's clock then, and
 * its call site.  Zero is an empty cell.  A cell without bytes says that the granule is freed heap memory.
 * The memory is found by a tree of two levels over chunks of the views (host/layout.h), and appears when a
 * chunk is first accessed. */
#ifndef MER_SANITIZE_SHADOW_H
#define MER_SANITIZE_SHADOW_H

#include <meridian/abi/abi.h>
#include <stdbool.h>
#include <stdint.h>

#define MER_SHADOW_CELLS 4
struct mer_granule {
    uint64_t cell[MER_SHADOW_CELLS];
};

/* The fields of a cell, from its lowest bit. */
#define MER_CELL_MASK 0xffULL /* the bytes, by bit */
#define MER_CELL_WRITE (1ULL << 8)
#define MER_CELL_ATOMIC (1ULL << 9) /* strict, or by an atomic operation: two such accesses are no race */
#define MER_CELL_THREAD_SHIFT 10
#define MER_CELL_THREADS (1023ULL << MER_CELL_THREAD_SHIFT)
#define MER_CELL_THREAD_MOST 1024 /* numbers; a thread has two of them (clock.h) */
#define MER_CELL_CLOCK_SHIFT 20
#define MER_CELL_CLOCK_MOST ((1U << 20) - 1)
#define MER_CELL_SITE_SHIFT 40
#define MER_CELL_SITE_MOST ((1U << 24) - 1)
/* Thread and clock. */
#define MER_CELL_EPOCH (((1ULL << MER_CELL_SITE_SHIFT) - 1) & -(1ULL << MER_CELL_THREAD_SHIFT))

static inline unsigned mer_cell_thread(uint64_t cell) {
    return (unsigned)(cell >> MER_CELL_THREAD_SHIFT) & (MER_CELL_THREAD_MOST - 1);
}
static inline uint32_t mer_cell_clock(uint64_t cell) {
    return (uint32_t)(cell >> MER_CELL_CLOCK_SHIFT) & MER_CELL_CLOCK_MOST;
}
static inline uint32_t mer_cell_site(uint64_t cell) { return (uint32_t)(cell >> MER_CELL_SITE_SHIFT); }

/* Returns true if the access `one' has all bytes of `other', and is a write or both are reads: whatever races
 * with `other' races with it, if it is not before `other'. */
static inline bool mer_cell_covers(uint64_t one, uint64_t other) {
    return !((other & ~one & (MER_CELL_MASK | MER_CELL_WRITE)) | (one & ~other & MER_CELL_ATOMIC));
}

/* Returns true if `cell' covers the access `mine', of the same thread in the same interval. */
static inline bool mer_cell_knows(uint64_t cell, uint64_t mine) {
    return !((cell ^ mine) & MER_CELL_EPOCH) && mer_cell_covers(cell, mine);
}

/* Start-up, by the first thread of the host. */
void mer_shadow_new(void);

#define MER_SHADOW_CHUNK_LOG 16
#define MER_SHADOW_LEAF_LOG 12 /* chunks of one node */
#define MER_SHADOW_ROOT ((MER_VIEW_SIZE >> MER_SHADOW_CHUNK_LOG) >> MER_SHADOW_LEAF_LOG)

/* The chunk of the tree for memory that is not the program's: no accesses to it are checked. */
#define MER_SHADOW_NONE ((struct mer_granule *)1)

typedef struct mer_granule *mer_shadow_leaf[1 << MER_SHADOW_LEAF_LOG];
struct mer_shadow {
    mer_shadow_leaf *root[MER_SHADOW_ROOT];
};

/* Chunks that this POSIX thread has accessed, offsets in the views by MER_CHUNK, by their low bits; and their
 * shadows.  (A chunk 0 without a shadow: none.) */
#define MER_SHADOW_RECENT 256
extern __thread struct mer_shadow_recent {
    uint64_t chunk;
    struct mer_granule *granules;
} mer_shadow_recent[MER_SHADOW_RECENT];

/* Makes the shadow of the chunk of `at', an offset in the views, and returns it. */
struct mer_granule *mer_shadow_make(uint64_t at);

/* Returns the shadow of the chunk of `at', an offset in the views; MER_SHADOW_NONE if that is memory of the
 * runtime; null if the chunk has not been accessed.  Cost: two loads. */
struct mer_granule *mer_shadow_chunk(uint64_t at);

/* Empties the cells of n bytes at offset `at' in the views. */
void mer_shadow_clear(uint64_t at, uint64_t n);

/* Empties all cells, except for freed memory.  No other thread may access shared memory meanwhile. */
void mer_shadow_clear_all(void);

#endif
