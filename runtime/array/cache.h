/* The caches that a process may count on, and stores past them for what is not read again soon. */
#ifndef MER_ARRAY_CACHE_H
#define MER_ARRAY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MER_LINE 64 /* bytes of a cache line */

/* Bytes of cache that a process may count on: most of the second level, which is its own, and of the third
 * its share, which others in the machine use too. */
long mer_cache_bytes(int level);

/* Can stores go past the caches here, and are so many bytes, written in one go, more than a cache keeps? */
bool mer_stream_pays(size_t bytes);

/* Copy n bytes by stores that leave whole cache lines of the target out of the caches; the two do not
 * overlap. Lines of which there is but a part are stored as ever.  mer_stream_end, after the last copy:
 * what is stored later, such as an event's number, is seen later.  Costs nothing if there was no copy. */
void mer_stream_copy(void *to, const void *from, size_t n);
void mer_stream_end(void);

/* A store past the caches holds up loads that come soon after it, until it is done, from where the address
 * has the same last 12 bits.  The distances from what is stored to what is read, in lines and modulo 4096
 * bytes, at which that happens to a loop along a row that reads at so many bytes from there: a bit each.  And
 * whether two rows are at one of these distances. */
uint64_t mer_stream_held(ptrdiff_t offset);
static inline bool mer_stream_holds(uint64_t held, const char *read, const char *stored) {
    return held >> (((uintptr_t)read - (uintptr_t)stored) / MER_LINE % 64) & 1;
}

#endif
