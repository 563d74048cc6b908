/* The memory of a job on one host: a memory file that every process maps whole, and the control block. */
#ifndef MER_HOST_MEMORY_H
#define MER_HOST_MEMORY_H

#include <stdint.h>

struct mer_control;

/* A new, empty memory file of `size` bytes, closed on exec.  Fatal message if there can be none. */
int mer_memory_new(const char *name, uint64_t size);

/* Map the control block / the views of threads (span bytes each, from MER_VIEW_BASE on) from a file: of the
 * `here' threads from `first' on; address space for the others is kept, and may not be touched.  Fatal
 * message, with what to do, if that is not possible. */
struct mer_control *mer_memory_map_control(int fd);
void mer_memory_map_views(int fd, int threads, int first, int here, uint64_t span);

/* Map [native, native + length) of this process, whole pages, onto its own part of the job's memory, so that
 * a debugger that prints a static shared object by name shows what the thread owns. */
void mer_memory_map_native(int fd, uint64_t part, uint64_t native, uint64_t length);

/* Give the pages of [at, at + length), a part of the views, back to the system; they read as zero after. */
void mer_memory_discard(void *at, uint64_t length);

/* Take [at, at + length), a part of the views, out of this process's reach. */
void mer_memory_hide(void *at, uint64_t length);

#endif
