/* The allgather in the barrier: each thread's contribution travels with its announcement (barrier.h). */
#ifndef MER_SYNC_ALLGATHER_H
#define MER_SYNC_ALLGATHER_H

#include <stddef.h>
#include <stdint.h>

/* The most bytes that a thread may contribute in a phase: MER_ALLGATHER_MOST, fewer in jobs of thousands of
 * threads. */
#define MER_ALLGATHER_MOST 4096
size_t mer_allgather_most(void);

/* Returns this host's copy of thread t's contribution in phase `number': mer_allgather_most bytes, aligned to
 * 64.  The thread fills in its own copy before it announces the phase, and stores the length in its slot
 * (phase.h).  The copy is kept for as long as entries are.  The blocks of other hosts' threads come with
 * their announcements (sync/announce.c). */
void *mer_allgather_block(int t, uint32_t number);

#endif
