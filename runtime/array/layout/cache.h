/* The caches that a process may count on, and stores past them (non-temporal stores) for memory that is not
 * read again soon. */
#ifndef MER_ARRAY_CACHE_H
#define MER_ARRAY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MER_LINE 64 /* bytes of a cache line */

/* Returns the bytes of cache that a process may count on: most of the second level, which is its own, or its
 * share of the third, which others in the machine use too. */
long mer_cache_bytes(int level);

/* Returns true if this processor can store past the caches, and so many bytes, written in one go, are more
 * than a cache keeps. */
bool mer_stream_pays(size_t bytes);

/* Copy n bytes by stores that leave whole cache lines of the target out of the caches; the two must not
 * overlap.  Partial lines are stored as usual.  mer_stream_end, after the last copy, makes later stores, such
 * as an event's number, visible after the copied bytes.  It costs nothing if there was no copy. */
void mer_stream_copy(void *to, const void *from, size_t n);
void mer_stream_end(void);

/* A store past the caches holds up loads that come soon after it, until it is done, if their addresses have
 * the same last 12 bits.  mer_stream_held returns the distances from the stored row to the read row at which
 * that happens to a loop along a row that reads `offset' bytes from each element: a bit for each distance in
 * lines modulo 4096 bytes.  mer_stream_holds returns true if two rows are at one of these distances. */
uint64_t mer_stream_held(ptrdiff_t offset);
static inline bool mer_stream_holds(uint64_t held, const char *read, const char *stored) {
    return held >> (((uintptr_t)read - (uintptr_t)stored) / MER_LINE % 64) & 1;
}

#endif
