/* What lies where in a thread's span above the image: native addresses, the same on every thread.
 *
 *   MER_HEAP_OFFSET   static shared objects too large for the image (struct mer_big)
 *   scratch           buffers of the collectives
 *   am                rings of active messages that the thread receives (am/)
 *   stack             of the main program, where everything is addressable; lowest part a guard
 *   local_state       the thread's local heap: its head, then the map of its chunks
 *   symmetric_state   the job's symmetric heap likewise; only thread 0's copy is used
 *   symmetric         memory that the symmetric heap hands out
 *   local             memory that the local heap hands out, to the end of the span
 *
 * All bounds are multiples of MER_CHUNK.  Nothing here is committed before it is touched.
 *
 * Of each span of this host [0, low) and [MER_HEAP_OFFSET, mapped) are mapped (host/memory.h): all of it, or
 * less where address space is limited.  `mapped' is the same in all threads of the job.
 */
#ifndef MER_HOST_LAYOUT_H
#define MER_HOST_LAYOUT_H

#include <stdint.h>

#define MER_CHUNK (64ULL << 10)

struct mer_layout {
    uint64_t low, mapped;
    uint64_t scratch;
    uint64_t am;
    uint64_t stack;
    uint64_t local_state;
    uint64_t symmetric_state;
    uint64_t symmetric;
    uint64_t local;
    uint64_t end;
};
extern struct mer_layout mer_layout;

/* Memory of each thread for the collectives' buffers: MER_SCRATCH_SIZE bytes, zero at start, committed when
 * touched.  Only runtime/coll uses it, and from MER_SCRATCH_ALLGATHER on, in that of a host's first thread,
 * sync/allgather.c; the other layers allocate from the heap. */
#define MER_SCRATCH_SIZE (16ULL << 20)
#define MER_SCRATCH_ALLGATHER (2ULL << 20)
void *mer_scratch(int thread);

/* Memory of each thread for the active messages that it receives, likewise; only runtime/am uses it. */
#define MER_AM_SIZE (4ULL << 20)

#endif
