/* The allgather in the barrier: what each thread contributes travels with its announcement (barrier.h). */
#ifndef MER_SYNC_ALLGATHER_H
#define MER_SYNC_ALLGATHER_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that a thread may contribute in a phase: MER_ALLGATHER_MOST, less in jobs of thousands of threads. */
#define MER_ALLGATHER_MOST 4096
size_t mer_allgather_most(void);

/* Where this host has what thread t contributes in phase `number': mer_allgather_most bytes, aligned to 64.
 * The thread fills in its own before it announces the phase, and says in its slot (phase.h) how much that is;
 * it is kept for as long as entries are.  The blocks of other hosts' threads come with their
 * announcements (am/barrier.c). */
void *mer_allgather_block(int t, uint32_t number);

#endif
