/* The barrier between hosts: how the announcements of one host's threads come to the others (phase.h), and
 * what the threads share along with them. */
#ifndef MER_SYNC_BETWEEN_H
#define MER_SYNC_BETWEEN_H

#include "sync/phase.h"

#include <stddef.h>

/* Start-up, before messages can arrive: where this host keeps what it is told. */
void mer_between_start(struct mer_phase_shared *shared);

/* Give the entries of this host's threads, and what they share, to all other hosts; for struct mer_phase. */
void mer_between_tell(const struct mer_phase *p);

/* Bytes that a thread may share in a phase: MER_SHARE_MOST, less in jobs of thousands of threads. */
#define MER_SHARE_MOST 4096
size_t mer_between_most(void);

/* Where this host has what thread t shares in phase `number': mer_between_most bytes, aligned to 64.  The
 * thread fills in its own before it announces the phase, and says in its slot how much that is; it is kept
 * for as long as entries are. */
void *mer_between_block(int t, uint32_t number);

#endif
