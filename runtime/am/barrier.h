/* The barrier between hosts: how the announcements of one host's threads come to the others (sync/phase.h),
 * and with them the threads' contributions to an allgather (sync/allgather.h). */
#ifndef MER_AM_BARRIER_H
#define MER_AM_BARRIER_H

#include "sync/phase.h"

/* Start-up, once the hosts are known and before messages can arrive. */
void mer_am_barrier_start(void);

/* Send the entries of this host's threads, and their blocks, to all other hosts; for struct
 * mer_barrier_messages. */
void mer_am_barrier_announce(const struct mer_phase *p);

#endif
