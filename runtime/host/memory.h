/* The memory of a job on one host: a memory file that every process maps whole, and the control block. */
#ifndef MER_HOST_MEMORY_H
#define MER_HOST_MEMORY_H

#include <stdint.h>

struct mer_control;

/* A new, empty memory file of `size` bytes, closed on exec.  Fatal message if there can be none. */
int mer_memory_new(const char *name, uint64_t size);

/* Map the control block.  Fatal message if that is not possible. */
struct mer_control *mer_memory_map_control(int fd);

/* The bytes of each span from MER_HEAP_OFFSET on that this process can map, where it maps `here' spans and
 * `low' bytes more of each: what MERIDIAN_RESERVE says; else, where the process has a limit on its address
 * space (ulimit -v), what half of the rest of that gives, the other half being for private memory; else all
 * of the span.  Under valgrind, which keeps a record of every 64 KB that are mapped, MER_MEMORY_VALGRIND. */
uint64_t mer_memory_reservable(int here, uint64_t low, uint64_t span);
#define MER_MEMORY_VALGRIND (128ULL << 20)

/* Why mer_memory_reservable gave less than all, as a clause for a message; null: it did not. */
const char *mer_memory_limit(void);

/* Map the views of this host's threads, and set mer_layout.low and .mapped: of each [0, low), and `most'
 * bytes from MER_HEAP_OFFSET on, or, where that is more, up to the span's end.  Where nothing is limited all
 * spans are one mapping, and address space is kept for those of other hosts, which may not be touched.
 * Fatal message, with what to do, if that is not possible. */
void mer_memory_map_views(int fd, uint64_t low, uint64_t most);

/* Map [native, native + length) of this process, whole pages, onto its own part of the job's memory, so that
 * a debugger that prints a static shared object by name shows what the thread owns. */
void mer_memory_map_native(int fd, uint64_t part, uint64_t native, uint64_t length);

/* Give the pages of [at, at + length), a part of the views, back to the system; they read as zero after. */
void mer_memory_discard(void *at, uint64_t length);

/* Have the system put what it can of [at, at + length), a part of the views, into large pages: fewer misses
 * of the TLB, and hardware prefetching that does not end every 4 KB.  Without effect where the system has
 * none free, or does not know the request (Linux before 6.1). */
void mer_memory_large_pages(void *at, uint64_t length);

/* Make [at, at + length), a part of the views, inaccessible to this process. */
void mer_memory_hide(void *at, uint64_t length);

#endif
