/* The memory of a job on one host: a memory file that every process maps whole, and the control block. */
#ifndef MER_HOST_MEMORY_H
#define MER_HOST_MEMORY_H

#include <stdint.h>

struct mer_control;

/* Returns a new, empty memory file of `size` bytes, closed on exec.  Ends the job with a message if none can
 * be made. */
int mer_memory_new(const char *name, uint64_t size);

/* Map the control block.  Ends the job with a message if that is not possible. */
struct mer_control *mer_memory_map_control(int fd);

/* Returns the bytes of each span from MER_HEAP_OFFSET on that this process can map if it maps `here' spans
 * and `low' bytes more of each.  At most the whole span, and the first of these limits that applies:
 *   - MERIDIAN_RESERVE, if it is set;
 *   - under valgrind, which keeps a record of every mapped 64 KB, MER_MEMORY_VALGRIND plus the stack's size;
 *   - the span's share of half of the address space that a limit (ulimit -v) leaves; the other half is for
 *     private memory. */
uint64_t mer_memory_reservable(int here, uint64_t low, uint64_t span);
#define MER_MEMORY_VALGRIND (128ULL << 20)

/* Returns the reason why mer_memory_reservable gave less than all, as a clause for a message; null if it gave
 * all. */
const char *mer_memory_limit(void);

/* Map the views of this host's threads, and set mer_layout.low and .mapped.  Of each span [0, low) is mapped,
 * and `most' bytes from MER_HEAP_OFFSET on.  If `most' is no limit, all spans are one mapping, and the
 * address space of other hosts' spans is reserved without access.  Ends the job with a message that gives
 * advice if that is not possible. */
void mer_memory_map_views(int fd, uint64_t low, uint64_t most);

/* Map [native, native + length) of this process, whole pages, onto its own part of the job's memory, so that
 * a debugger that prints a static shared object by name shows the part that this thread owns. */
void mer_memory_map_native(int fd, uint64_t part, uint64_t native, uint64_t length);

/* Give the pages of [at, at + length), a part of the views, back to the system; they read as zero
 * afterwards. */
void mer_memory_discard(void *at, uint64_t length);

/* Have the system put as much as possible of [at, at + length), a part of the views, into large pages.  This
 * causes fewer TLB misses, and hardware prefetching does not end every 4 KB.  Without effect if the system
 * has none free, or does not know the request (Linux older than 6.1). */
void mer_memory_large_pages(void *at, uint64_t length);

/* Make [at, at + length), a part of the views, inaccessible to this process. */
void mer_memory_hide(void *at, uint64_t length);

#endif
