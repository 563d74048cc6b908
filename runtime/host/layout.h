/* The layout of a thread's span above the image: native addresses, the same on every thread.
 *
 *   MER_HEAP_OFFSET   static shared objects too large for the image (struct mer_big)
 *   scratch           buffers of the collectives
 *   am                rings of active messages that the thread receives (am/)
 *   stack             of the main program, if everything is addressable; the lowest part is a guard
 *   local_state       the thread's local heap: its head, then the map of its chunks
 *   symmetric_state   the same for the job's symmetric heap; only thread 0's copy is used
 *   symmetric         memory that the symmetric heap hands out
 *   local             memory that the local heap hands out, to the end of the span
 *
 * All bounds are multiples of MER_CHUNK.  Memory is committed when it is touched.
 *
 * [0, low) and [MER_HEAP_OFFSET, mapped) of each span of this host are mapped (host/memory.h): the whole
 * span, or less if address space is limited.  `mapped' is the same in all threads of the job.
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

/* Returns memory of a thread for the collectives' buffers: MER_SCRATCH_SIZE bytes, zero at start, committed
 * when touched.  Only runtime/coll uses it, except the part from MER_SCRATCH_ALLGATHER on in that of a host's
 * first thread, which sync/allgather.c uses.  The other layers allocate from the heap. */
#define MER_SCRATCH_SIZE (16ULL << 20)
#define MER_SCRATCH_ALLGATHER (2ULL << 20)
void *mer_scratch(int thread);

/* Size of each thread's memory for the active messages that it receives, also zero at start and committed
 * when touched; only runtime/am uses it. */
#define MER_AM_SIZE (4ULL << 20)

#endif
